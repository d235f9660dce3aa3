"""What `ftb doctor` says besides whether packets arrive: warnings, time of a build, handshakes."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fattree_bench.bench.result import Test
from fattree_bench.paths import PACKAGE
from fattree_bench.sim.build import Built

LONG = 20.0  # seconds of a build, from where another simulator is proposed
QUICK = "icarus"
SAID = re.compile(r"%Warning-(.*)|.*: warning: .*")
FILE = re.compile(r"(?:%Warning-\w+: )?(/[^:]+):\d+")
Telling = Callable[[str, str, bool | None], None]


def warnings(built: Built, advice: Callable[[str], list[str]]) -> list[str]:
    """What a build warned of in a user's files, or at the ports of their design."""
    log = built.folder / "build.log"
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    said = [(line, found[1] or found[0]) for line in lines if (found := SAID.match(line))]
    return [shown for line, shown in said if not _own(line, built.folder) or advice(line)]


def _own(line: str, folder: Path) -> bool:
    """It is of a file of the bench, or of one made for it."""
    file = FILE.match(line)
    place = Path(file[1]) if file else Path()
    return place.is_relative_to(PACKAGE) or place.is_relative_to(folder)


def long_build(built: Built, network: Any) -> list[str]:
    """A quicker way to a first answer, where there is one."""
    if built.seconds < LONG or built.sim == QUICK or QUICK not in network.sims:
        return []
    return [f"the build took {built.seconds:.0f} s; SIM={QUICK} gives a first answer sooner"]


def closer(tell: Telling, checkup: Any, test: Test) -> bool:
    """Report a further test; whether it passed."""
    said = "; ".join(checkup.told(test.result)) if test.result else test.message
    tell("waits", said, test.passed)
    for line in [] if test.passed else test.details:
        tell("", line, False)
    return test.passed
