"""Synthesizes one block with Yosys and counts its gates, flip-flops, memory and levels.

Gates are those of gates.genlib.  Flip-flops are plain D flip-flops: enables and resets are gates.
A delay line of more than one clock, which is a ring of memory in simulation, counts as DEPTH x
WIDTH bits of delay line without gates; memories count as bits, without decoders.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fattree_bench.families import files
from fattree_bench.families.design import Block, Cost
from fattree_bench.sim.yosys import YosysError, copied, hierarchy, run_yosys
from fattree_bench.synthesis.gates import LIBRARY, Mapped, read_blif

SECONDS = 3600.0  # limit of Yosys per block

# Yosys' `synth` without what maps flip-flops with enable or reset, up to simple gates.
TO_GATES = (
    "opt_expr",
    "opt_clean",
    "opt -nodffe -nosdff",
    "wreduce",
    "peepopt",
    "opt_clean",
    "alumacc",
    "opt -nodffe -nosdff",
    "memory -nomap",
    "opt -nodffe -nosdff",
    "techmap",
    "opt -nodffe -nosdff",
    "dfflegalize -cell $_DFF_P_ x",
    "opt_clean -purge",
)
ABC = "+strash;ifraig;scorr;dc2;strash;map"


def synthesize(block: Block, rtl: Path, folder: Path, seconds: float = SECONDS) -> Cost:
    """Synthesize a block in its own folder.

    Raises
    ------
    YosysError : Yosys or ABC rejected it or took longer than `seconds`.

    """
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("_tmp_yosys-abc-*/output.blif"):
        stale.unlink()
    (folder / LIBRARY.name).write_text(LIBRARY.read_text())
    places = [rtl / "common", *(rtl / family for family in block.families)]
    own = [file for place in places for file in sorted(place.glob("*.v"))]
    own += files("hdl/area_*.v")
    if block.sources:
        own, places = [*map(Path, block.sources)], [*map(Path, block.includes)]
    sources = copied(folder, rtl, own, places)
    run_yosys(script(block, sources.read()), folder, seconds=seconds)
    return _cost(folder)


def script(block: Block, read: str) -> Iterable[str]:
    """Commands up to ABC, which writes the mapped netlist into _tmp_yosys-abc-*/output.blif.

    ABC must come last: its end also ends Yosys 0.70 of PyPI (WebAssembly), with status 0.
    """
    yield read
    yield hierarchy(block.top, dict(block.parameters))
    yield "proc"
    for output in block.unwatched:
        yield f"delete -output {block.top}/{output}"
    yield "select -set lines */w:*gen_ring.ptr_q %m"
    yield "tee -q -o lines.json stat -json @lines"
    yield "blackbox @lines"
    for box in block.boxes:
        yield f"blackbox *{box}"
    yield "flatten"
    if block.sources:  # foreign designs: asynchronous resets count as gates as well
        yield "async2sync"
        yield "setattr -unset init w:*"  # no power-up values, as in an ASIC
    yield "opt_clean -purge"
    yield "tee -q -o memories.json stat -json"
    yield from TO_GATES
    yield "tee -q -o cells.json stat -json"
    yield f"abc -genlib {LIBRARY.name} -showtmp -nocleanup -script {ABC}"


def _cost(folder: Path) -> Cost:
    """Read the results of Yosys and ABC."""
    cells = _design(folder / "cells.json")["num_cells_by_type"]
    lines = json.loads((folder / "lines.json").read_text())["modules"]
    delay = {name.removeprefix("\\"): line["num_memory_bits"] for name, line in lines.items()}
    mapped = Mapped({}, 0)  # Yosys does not call ABC without anything to map
    if any(kind.startswith("$_") and kind != "$_DFF_P_" for kind in cells):
        mapped = _netlist(folder)
    return Cost(
        gates=mapped.gates,
        nand2=mapped.nand2,
        flip_flops=cells.get("$_DFF_P_", 0),
        delay_bits=sum(delay.get(kind, 0) * count for kind, count in cells.items()),
        memory_bits=_design(folder / "memories.json")["num_memory_bits"],
        levels=mapped.levels,
    )


def _netlist(folder: Path) -> Mapped:
    """The netlist mapped by ABC, whose success Yosys' exit status does not show."""
    found = sorted(folder.glob("_tmp_yosys-abc-*/output.blif"))
    try:
        return read_blif(found[-1].read_text() if found else "")
    except ValueError as error:
        raise YosysError(f"ABC left no netlist: {error}") from None


def _design(path: Path) -> dict[str, Any]:
    """The totals of a `stat -json`."""
    design: dict[str, Any] = json.loads(path.read_text())["design"]
    return design
