"""What is to be synthesized, and what came of it.

A family's area.py offers KINDS of designs by name, networks to be ROUTED, judge(measured): its
claims, and compared(measured): sentences for the summary.

The nodes of a level are all the same, so one of them is synthesized; what stands next to the nodes
(leaves with their loop-back, decoders) is the whole network with its nodes left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

WIDTH = 16  # payload bits in all designs


@dataclass(frozen=True)
class Block:
    """What Yosys is to synthesize.

    Attributes
    ----------
    top, parameters : a module, and (name, value) of its parameters.
    families : folders of the RTL that it is made from, besides common.
    boxes : modules in it that are left out; other blocks count them.
    unwatched : outputs that are left open: what only they need is not there.
    seconds : that Yosys will take, roughly: to begin with what takes longest.
    sources, includes : files and folders of a design from elsewhere, in place of `families`.
    """

    top: str
    parameters: tuple[tuple[str, Any], ...]
    families: tuple[str, ...]
    boxes: tuple[str, ...] = ()
    unwatched: tuple[str, ...] = ()
    seconds: float = field(default=5.0, compare=False)
    sources: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cost:
    """What a block is made of.

    Attributes
    ----------
    gates : by name in gates.genlib; `nand2` is their area in NAND2 equivalents.
    flip_flops : D flip-flops.
    delay_bits, memory_bits : bits in delay lines of more than one clock, and in memories.
    levels : gates on the longest path between flip-flops, ports, boxes, memories.
    """

    gates: dict[str, int]
    nand2: float
    flip_flops: int
    delay_bits: int
    memory_bits: int
    levels: int


Costs = dict[Block, Cost]


@dataclass(frozen=True)
class Node:
    """A block that stands `copies` times in a design.

    `degree`: lines that end at it, both directions; 0 if it is not a node of a tree.
    `level`: of a node, the root's is 0.
    """

    block: Block
    copies: int
    level: int = -1
    degree: int = 0


@dataclass(frozen=True)
class Design:
    """A design of N leaves.

    Attributes
    ----------
    kind : a name in KINDS; `root` is the root capacity of a universal fat-tree, else 0.
    lanes : one-way lines between nodes, and between nodes and leaves.
    wires : bits of all of them, with those that go with a word: valid, credits; 0: not counted.
    crosspoints : R x S of every port.
    settings : bits of the memories of settings, besides the blocks.
    capacity : lanes of a channel by level, each way; empty if there are no channels.
    """

    kind: str
    leaves: int
    nodes: tuple[Node, ...]
    lanes: int
    crosspoints: int
    settings: int = 0
    root: int = 0
    capacity: tuple[int, ...] = field(default=())
    wires: int = 0

    @property
    def name(self) -> str:
        """As in "UNIVERSAL w=16"."""
        return f"{self.kind} w={self.root}" if self.root else self.kind

    def total(self, costs: Costs) -> Cost:
        """All blocks together; `levels` are the deepest block's."""
        parts = [(node.copies, costs[node.block]) for node in self.nodes]
        gates: dict[str, int] = {}
        for copies, cost in parts:
            for name, count in cost.gates.items():
                gates[name] = gates.get(name, 0) + copies * count
        return Cost(
            gates=gates,
            nand2=sum(copies * cost.nand2 for copies, cost in parts),
            flip_flops=sum(copies * cost.flip_flops for copies, cost in parts),
            delay_bits=sum(copies * cost.delay_bits for copies, cost in parts),
            memory_bits=self.settings + sum(copies * cost.memory_bits for copies, cost in parts),
            levels=max(cost.levels for _, cost in parts),
        )


def legs(up: int, down: int) -> int:
    """Of the multiplexers of a node: ways from a lane in to a lane out, never back."""
    return down * (2 * down + 4 * up)


@dataclass(frozen=True)
class Kind:
    """A sort of design: its network, what it is, and its designs of 2^n leaves.

    `serial`: a lane is one bit wide, not a word.
    """

    network: str
    says: str
    make: Callable[[int], list[Design]]
    serial: bool = False


@dataclass(frozen=True)
class Routed:
    """A small network to be placed and routed; `unwatched` as of a block."""

    network: str
    variables: dict[str, str]
    unwatched: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.network, *(f"{k}={x}" for k, x in self.variables.items())])


@dataclass(frozen=True)
class Measured:
    """All that was synthesized: designs whose blocks all have a cost."""

    designs: Sequence[Design]
    costs: Costs

    def of(self, kind: str) -> list[Design]:
        """The designs of a kind."""
        return [design for design in self.designs if design.kind == kind]

    def nand2(self, design: Design) -> float:
        """Gates of a design, in NAND2 equivalents."""
        return design.total(self.costs).nand2
