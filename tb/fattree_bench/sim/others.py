"""Simulators that are bought: cocotb's own runners call them.

None was at hand: docs/your-design.md says what was tried, and with what.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cocotb_tools.runner import Questa, Riviera, Runner, Vcs, Xcelium

from fattree_bench.errors import UserError
from fattree_bench.sim.flags import icarus_flags, verilator_flags
from fattree_bench.sim.variables import Variables


class Other(NamedTuple):
    """A simulator: its runner, its programs, whether it runs in the folder of its build."""

    runner: type[Runner]
    programs: tuple[str, ...]
    inside: bool


OTHERS = {
    "questa": Other(Questa, ("vlib", "vlog", "vsim"), True),
    "riviera": Other(Riviera, ("vsimsa",), True),
    "vcs": Other(Vcs, ("vcs",), False),
    "xcelium": Other(Xcelium, ("xrun",), False),
}


def require(sim: str) -> str:
    """Where a simulator is; UserError for the first of its programs that is not there."""
    for program in OTHERS[sim].programs:
        if shutil.which(program) is None:
            raise UserError(f"SIM={sim}: {program} is not on PATH")
    return str(shutil.which(OTHERS[sim].programs[-1]))


def flags_of(variables: Variables) -> list[str]:
    """How the simulator of a run translates a network."""
    if variables.sim == "verilator":
        return verilator_flags(variables)
    own = icarus_flags(variables)
    return flags(own) if variables.sim in OTHERS else own


def flags(words: Sequence[str]) -> list[str]:
    """Those of a design, as Icarus takes them, for all of these: macros, folders of modules."""
    found = ["+libext+.v+.sv"] if any(word.startswith("-y") for word in words) else []
    for word in words:
        if word.startswith("-D"):
            found.append(f"+define+{word[2:]}")
        elif word.startswith("-y"):
            found += ["-y", word[2:]]
    return found


def of(sim: str, watched: type, **ours: type) -> Any:
    """The runner of a simulator, of ours or of cocotb's; that starts it as `watched` does."""
    # What was built, which one of them asks for.
    unknown = dict.fromkeys(("_sources", "_vhdl_sources", "_verilog_sources"), ())
    return ours.get(sim) or type("_Other", (watched, OTHERS[sim].runner), unknown)


def test_folder(sim: str, built: Path, run: Path) -> Path:
    """Where a simulation runs: where its library is, if it finds it by its name alone."""
    return built if sim in OTHERS and OTHERS[sim].inside else run
