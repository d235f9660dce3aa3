"""Ways of packets: the switches that they pass, where output ports lead, what addresses say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.wormhole.routes import Routes, decode_hops, encode_hops
from fattree_models.common import fat_tree
from fattree_models.common.checks import BoolArray, Int64Array, IntegerArray, UInt64Array
from fattree_models.common.fat_tree import Tables, UpRule, Walk, Xgft
from fattree_models.common.structure import Structure

Leaves: TypeAlias = IntegerArray
Hops: TypeAlias = npt.NDArray[np.int16]
Exit = Literal["DOWN", "UP", "LATERAL", "TURN"]
USUAL = 1 << 16  # pairs: so many ways, at most, are kept


class Ways(ABC):
    """Where packets go in the switches of a tree; a kind of network has a class of its own."""

    tables: Tables | None = None  # forwarding tables; None if the switches work out their routes
    one_path: bool  # whether the packets of a pair all take the same path
    blind = False  # whether switches choose without a look at what has room
    answerable = True  # whether the bench can address replies
    order: Int64Array | None = None  # switches of the tree, as the RTL counts them, or in order
    slowest = 1  # clocks from flit to flit on the slowest link
    ratios = ""  # these by leaf, as a parameter of flit_player, if not all are 1

    def __init__(self, tree: Xgft) -> None:
        self.tree = tree

    @property
    def levels(self) -> range:
        """Levels that have switches."""
        return range(self.tree.first, self.tree.height + 1)

    @property
    def routers(self) -> int:
        return sum(self.tree.level_size(level) for level in self.levels)

    @cached_property
    def exits(self) -> dict[int, dict[Exit, range]]:
        """Ports of a node of each level by where they lead, in the order of its state."""
        found: dict[int, dict[Exit, range]] = {}
        for level in self.levels:
            end, found[level] = 0, {}
            for way, count in self.counts(level).items():
                found[level][way] = range(end, end + count)
                end += count
        return found

    def counts(self, level: int) -> dict[Exit, int]:
        """Ports of a node of a level by where they lead."""
        down, up = self.tree.down_ports(level), self.tree.up_ports(level)
        return {"DOWN": down, "UP": up, "LATERAL": 0, "TURN": 0}

    def ports(self, level: int) -> int:
        """Ports of a node of a level, each way."""
        return self.exits[level]["TURN"].stop

    @property
    def inputs(self) -> int:
        """Input ports of all switches."""
        return sum(self.tree.level_size(k) * self.ports(k) for k in self.levels)

    def called(self, level: int, number: int) -> str:
        """A switch, as a reader finds it."""
        return f"level {level} switch {number}"

    # ---- ways ------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def max_hops(self) -> int:
        """Switches on the longest route that is noted; at least 2, as the RTL wants it."""

    @abstractmethod
    def hop_count(self, source: Leaves, destination: Leaves) -> Int64Array:
        """Switches on the shortest ways of pairs, those up and down each."""

    @abstractmethod
    def expected_hops(self, source: Int64Array, destination: Int64Array) -> Hops:
        """Output ports of pairs where each has one path, int16 [pairs, hops], -1 behind."""

    @abstractmethod
    def follow(self, source: Int64Array, destination: Int64Array, hops: Hops) -> Routes:
        """The ways of packets that took those output ports."""

    @property
    @abstractmethod
    def turns(self) -> BoolArray:
        """At which of `levels` packets may turn."""

    @property
    def hop_bits(self) -> int:
        """Bits of a switch in a flit's list of hops."""
        return max(self.tree.radix(level) for level in self.levels).bit_length()

    @property
    def hops_bits(self) -> int:
        return self.max_hops * self.hop_bits

    @cached_property
    def pair_hops(self) -> Hops:
        """`expected_hops` of all pairs, int16 [leaves * leaves, hops], those of leaf 0 first."""
        leaves = self.tree.leaves
        return self.expected_hops(*np.divmod(np.arange(leaves**2), leaves))

    @property
    def expected_routes(self) -> UInt64Array | None:
        """The list of hops of each pair, uint64 [leaves * leaves], where there is only one."""
        return encode_hops(self.pair_hops, self.hop_bits) if self.one_path else None

    def read(self, source: Int64Array, destination: Int64Array, code: UInt64Array) -> Routes:
        """The ways of packets from their lists of hops, uint64 [packets]."""
        usual = self._usual
        if usual is None:
            return self.decoded(source, destination, code)
        pair = source * self.tree.leaves + destination
        columns = [field.name for field in fields(Routes)]
        found = Routes(*(getattr(usual[1], name).take(pair, axis=0) for name in columns))
        other = np.flatnonzero(usual[0].take(pair) != code)
        if other.size:
            ways = self.decoded(source[other], destination[other], code[other])
            for name in columns:
                getattr(found, name)[other] = getattr(ways, name)
        return found

    def decoded(self, source: Int64Array, destination: Int64Array, code: UInt64Array) -> Routes:
        """The same, hop by hop."""
        return self.follow(source, destination, decode_hops(code, self.max_hops, self.hop_bits))

    @cached_property
    def _usual(self) -> tuple[UInt64Array, Routes] | None:
        """The ways of all pairs, those of leaf 0 first, if each has one; None if they are many."""
        leaves = self.tree.leaves
        if leaves**2 > USUAL or (code := self.expected_routes) is None:
            return None
        return code, self.decoded(*np.divmod(np.arange(len(code)), leaves), code)

    @abstractmethod
    def structure(self, lanes: int) -> Structure:
        """Links out of switches in the order in which the RTL tells them, then from leaves."""

    # ---- addresses -------------------------------------------------------------------------------

    @property
    def paths(self) -> int:
        """Addresses of a leaf."""
        return 1 if self.tables is None else self.tables.paths

    @property
    def addresses(self) -> int:
        return self.tree.leaves * self.paths

    @property
    def address_bits(self) -> int:
        return (self.addresses - 1).bit_length()

    def address(self, source: Int64Array, destination: Int64Array) -> Int64Array:
        """What the heads of packets say of where they go."""
        return destination if self.tables is None else self.tables.address(source, destination)


class TreeWays(Ways):
    """Up to a common ancestor, and down again."""

    RULES: ClassVar[tuple[Literal["DMODK", "SMODK"], ...]] = ("DMODK", "SMODK")

    def __init__(
        self, tree: Xgft, routing: str | UpRule, climb: Literal["NCA", "TOP"], tables: Tables | None
    ) -> None:
        super().__init__(tree)
        self.climb, self.tables = climb, tables
        self.rule: Literal["DMODK", "SMODK"] | UpRule | None = (
            next((rule for rule in self.RULES if rule == routing), None)
            if isinstance(routing, str)
            else routing
        )
        self.blind = routing == "RANDOM"
        self.one_path = tables is not None or self.rule is not None

    @property
    def max_hops(self) -> int:
        return max(2, 2 * (self.tree.height - self.tree.first) + 1)

    def hop_count(self, source: Leaves, destination: Leaves) -> Int64Array:
        return fat_tree.hop_count(self.tree, source, destination, self.climb).astype(np.int64)

    def expected_hops(self, source: Int64Array, destination: Int64Array) -> Hops:
        if self.tables is not None:
            return fat_tree.table_routes(self.tables, source, destination)
        assert self.rule is not None
        return fat_tree.routes(self.tree, source, destination, self.rule, self.climb)

    def follow(self, source: Int64Array, destination: Int64Array, hops: Hops) -> Routes:
        legal = fat_tree.legal(self.tree, source, destination, hops, self.climb)
        return walked(hops, legal, fat_tree.walk(self.tree, source, hops))

    def structure(self, lanes: int) -> Structure:
        found = fat_tree.structure(self.tree, lanes=lanes)
        if self.order is None:
            return found
        inputs = np.arange(self.inputs).reshape(self.routers, -1)[self.order].ravel()
        return found.ordered(np.r_[inputs, len(inputs) : len(found.links)])

    @property
    def turns(self) -> BoolArray:
        tree = self.tree
        if self.climb == "TOP":
            return np.array([k == tree.height for k in self.levels])
        return np.array([tree.down_ports(k) > 1 or k == tree.first for k in self.levels])


def walked(hops: Hops, legal: BoolArray, way: Walk) -> Routes:
    """Routes of lists of hops, and of where they lead."""
    # Coverage puts items off: they must not be large.
    level, node = way.level.astype(np.int16), way.node.astype(np.int32)
    return Routes(hops, np.count_nonzero(hops >= 0, axis=1), legal, level, node)
