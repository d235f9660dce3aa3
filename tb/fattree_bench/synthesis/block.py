"""A block as a job: its task, and what it leaves."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_bench.bench.revive import revived
from fattree_bench.families import family, files, has, part
from fattree_bench.families.design import Block, Cost, Costs, Design, Node
from fattree_bench.sim.sources import fingerprint, key
from fattree_bench.sim.yosys import YosysError
from fattree_bench.synthesis.synthesize import SECONDS, synthesize

OWN = Path(__file__).parent


def blocks_of(designs: Iterable[Design]) -> dict[str, Block]:
    """All distinct blocks by name, in the order of the designs."""
    every = dict.fromkeys(node.block for design in designs for node in design.nodes)
    return {name_of(block): block for block in every}


def name_of(block: Block) -> str:
    """Key and folder name of a block."""
    shown = ("N_LOG", "LEVEL", "R", "C_UP", "C_DOWN", "BELOW", "CONTROL", "CONCENTRATOR")
    words = [str(x).strip('"') for k, x in block.parameters if k in shown]
    return "-".join([block.top, *words, key(asdict(block))[:6]])


def payload(block: Block, rtl: Path, folder: Path) -> dict[str, Any]:
    """The job of a block, which is synthesized in a folder of its own below `folder`."""
    sources = [
        *(OWN / "synthesize.py", OWN / "gates.genlib", *files("hdl/area_*.v")),
        *(rtl / room for room in ("common", *block.families)),
        *map(Path, (*block.sources, *block.includes)),
    ]
    return {
        "kind": "block",
        "block": asdict(block),
        "rtl": str(rtl),
        "folder": str(folder / name_of(block)),
        "timeout": SECONDS + 60,
        "fingerprint": fingerprint(sources, json.dumps(asdict(block))),
    }


def run(given: dict[str, Any]) -> dict[str, Any]:
    """What a payload leaves: {"cost": …} or {"failed": why}."""
    block = revived(Block, given["block"])
    try:
        cost = synthesize(block, Path(given["rtl"]), Path(given["folder"]), SECONDS)
    except YosysError as error:
        return {"failed": str(error)}
    return {"cost": asdict(cost)}


def costs_of(blocks: Mapping[str, Block], results: Mapping[str, dict[str, Any]]) -> Costs:
    """Costs of the blocks that have one."""
    found = {block: results.get(name, {}) for name, block in blocks.items()}
    return {block: Cost(**result["cost"]) for block, result in found.items() if "cost" in result}


def whole(network: Any, rtl: Path) -> Design:
    """A network as one block."""
    top, parameters = network.synthesis()
    sources, includes = (tuple(map(str, paths)) for paths in network.rtl.synthesized(rtl))
    chosen = tuple(parameters.items())
    block = Block(top, chosen, (), sources=sources, includes=includes, seconds=60)
    return Design(top, network.leaves, (Node(block, 1),), lanes=0, crosspoints=0)


def designed(network: Any, rtl: Path) -> Design:
    """A network as its family describes it for synthesis; as one block if it does not."""
    home = family(network.name)
    made = getattr(part(home, "area"), "designed", None) if has(home, "area") else None
    return made(network) if made else whole(network, rtl)
