"""How simulators and compilers are called: the flags of a simulation."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from fattree_bench.sim.places import plain
from fattree_bench.sim.variables import Variables

ONE_FILE = 3 << 20  # bytes of C++ up to which precompiled headers and two cores do not pay
CODE_FLAGS = (  # not --coverage: its FSM part crashes on a reset of an array
    "--coverage-line",
    "--coverage-toggle",
    "--coverage-expr",
    "--coverage-user",
    "--coverage-max-width",  # else vectors and memories of more than 256 bits are left out
    "1000000",
)

# For the scripts of Verilator's makefile.  Its default is `python` on PATH: that may be missing, or
# be another version, which fails on the standard library that cocotb's PYTHONPATH names.
THIS_PYTHON = f"PYTHON3={shlex.quote(sys.executable).replace('$', '$$')}"


def icarus_flags(variables: Variables) -> list[str]:
    """The language of the design; cocotb's own dump module needs a newer one."""
    language = "-g2012" if variables.waves else "-g2005"
    return [language, *variables.network.rtl.build_flags("icarus")]


def compiler_flags(flags: Sequence[str], native: bool = False) -> list[str]:
    """Variables for Verilator's makefile; `native`: what is built runs long."""
    quick = "-O1" if {"--unroll-count", *CODE_FLAGS} & set(flags) else "-O2"
    return [
        "CFG_CXXFLAGS_PCH_I=-include",  # the wheel's default loses the precompiled header
        f"OPT_FAST={'-O3 -march=native' if native else quick}",
        "OPT_SLOW=-O0",  # what runs once
        THIS_PYTHON,
        *(["OBJCACHE=ccache"] if shutil.which("ccache") else []),
    ]


def make_command(folder: Path, flags: Sequence[str], native: bool) -> list[str]:
    """Compile what Verilator wrote into a folder."""
    code = sum(path.stat().st_size for path in folder.glob("Vtop*.cpp"))
    return [
        *("make", "-j2", "-C", str(folder), "-f", "Vtop.mk"),
        *([] if plain(folder) else ["CURDIR=."]),  # all other names are links, see places.py
        *compiler_flags(flags, native),
        *(["VM_PARALLEL_BUILDS=0"] if code <= ONE_FILE else []),
        # They are older than the makefile that they seem to be made from.
        *(f"--assume-old={kept.name}" for kept in sorted(folder.glob("verilated*.o"))),
    ]


def verilator_flags(variables: Variables) -> list[str]:
    """How Verilator translates a network, with the counters of CODE=1 or without."""
    own = variables.network.rtl.build_flags("verilator")
    if variables.code:  # every counter is code to compile: unrolled three times as much of it
        return ["-O3", "--expand-limit", "4", "--unroll-count", "12", *CODE_FLAGS, *own]
    return [*variables.network.rtl.verilator_flags(), *own]
