"""What Icarus compiles, as vvp is to run it."""

import re

from fattree_bench.sim.severity import stop_at_errors

QUOTED = re.compile(r'(?<!^    )["\\](?!;$)', re.MULTILINE)  # in a name that stands between quotes


def mended(compiled: str) -> str:
    """It ends at errors, and names files as vvp reads them: Icarus writes quotes as they are."""
    code, head, files = compiled.partition("\n:file_names")
    return stop_at_errors(code) + head + QUOTED.sub(r"\\\g<0>", files)
