"""Made-up costs, and a pool that makes them up."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from fattree_bench.area.designs import KINDS
from fattree_bench.bench.revive import revived
from fattree_bench.families.design import WIDTH, Block, Cost, Design, Measured, Node
from fattree_bench.jobs.pool import Task
from fattree_bench.synthesis.block import blocks_of
from tests.tb.jobs.quick import QuickPool


def gates(count: int) -> dict[str, int]:
    """NAND2s only."""
    return {"NAND": count}


def made_up(block: Block) -> Cost:
    """A node: 20 gates a leg of a multiplexer, the registers of its lanes; else 10 gates."""
    chosen = dict(block.parameters)
    up, down = chosen.get("C_UP", 0), chosen.get("C_DOWN", 0)
    count = 20 * (2 * down**2 + 4 * up * down) or 10 * chosen.get("R", 1)
    flip_flops = 0
    if block.top == "area_node":
        flip_flops = up * (1 + WIDTH + chosen["UP_H"]) + 2 * down * (1 + WIDTH + chosen["DOWN_H"])
    return Cost(gates(count), float(count), flip_flops, 3, 0, 7)


def measured(
    *kinds: str, sizes: Sequence[int] = (3, 4), cost: Callable[[Block], Cost] = made_up
) -> Measured:
    """Designs of 2^n leaves for each n of `sizes`, with made-up costs."""
    found = [design for kind in kinds for n in sizes for design in KINDS[kind].make(n)]
    return Measured(found, {block: cost(block) for block in blocks_of(found).values()})


def tree(kind: str, figures: dict[int, float]) -> Measured:
    """A tree with a node of each degree and so many gates."""
    blocks = {m: Block("node", (("M", m),), ()) for m in figures}
    nodes = tuple(Node(block, 1, 0, m) for m, block in blocks.items())
    costs = {blocks[m]: Cost({}, count, 0, 0, 0, 1) for m, count in figures.items()}
    return Measured([Design(kind, 8, nodes, 0, 0, root=4, capacity=(4, 3, 2, 1))], costs)


class QuickSynthesis(QuickPool):
    """Synthesizes nothing; `ends` says how a block ends, by its top."""

    def result(self, task: Task) -> dict[str, Any]:
        block = revived(Block, task.payload["block"])
        return self.ends.get(block.top) or {"cost": asdict(made_up(block))}
