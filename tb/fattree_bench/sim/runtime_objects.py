"""The store of Verilator's own runtime library: compiled once, not once a design."""

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from fattree_bench.paths import RUNTIME
from fattree_bench.sim.sources import key
from fattree_bench.sim.toolchain import prepare_verilator, toolchain
from fattree_bench.sim.variables import Variables

# Flags that change the code of a design alone, not how Verilator's runtime library is compiled.
DESIGN_FLAGS = ("-O3", "--expand-limit", "--unroll-count", "--output-split", "--coverage-max-width")
DESIGN_KINDS = ("-f", "-W", "/")  # optimizations, warnings, configuration files


@contextlib.contextmanager
def runtime(
    variables: Variables, folder: Path, flags: Sequence[str], kind: str = "plain"
) -> Iterator[None]:
    """Give a build the objects that are there; keep those that it had to make."""
    if variables.sim != "verilator":
        yield
        return
    prepare_verilator()
    store = RUNTIME / runtime_key(variables, flags, kind)
    for kept in sorted(store.glob("verilated*.o")):
        shutil.copy2(kept, folder)
    yield
    if not store.exists():
        with contextlib.suppress(OSError):  # another build was faster, or nothing may be kept
            scratch = store.with_name(f"{store.name}-{os.getpid()}")
            scratch.mkdir(parents=True)
            for made in folder.glob("verilated*.o"):
                shutil.copy2(made, scratch)
            scratch.rename(store)


def runtime_key(variables: Variables, flags: Sequence[str], kind: str = "plain") -> str:
    """Which builds share the objects of the runtime library: equal tools, equal flags."""
    kind = ("waves" if variables.waves else kind) + ("-code" if variables.code else "")
    other = (flag for flag in flags if flag not in DESIGN_FLAGS and not flag.isdigit())
    own = [flag for flag in other if not flag.startswith(DESIGN_KINDS)]
    return f"{kind}-{key([toolchain('verilator'), own])}"
