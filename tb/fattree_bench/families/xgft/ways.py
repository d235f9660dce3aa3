"""Ways of packets: the switches that they pass, where output ports lead."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from fattree_bench.families.xgft.switches import Switches
from fattree_models import xgft
from fattree_models.common import fat_tree
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.common.structure import Structure
from fattree_models.turnback.routing import shortest_hops

Leaves: TypeAlias = npt.NDArray[np.integer[Any]]
LATERALS = 6  # root links that are noted of a packet that may take many


class Ways(Switches):
    """Up to a common ancestor, and down again; what has no way down says so."""

    @property
    def max_hops(self) -> int:
        """Switches on the longest route; at least 2, as the RTL wants it.

        With turn-back routing one more, so that a root link too many is seen.  Of routes that have
        no longest: the latest, as many as are noted.
        """
        if self.turnback is None:
            return max(2, 2 * (self.tree.height - self.tree.first) + 1)
        rounds = LATERALS if self.turnback.most_lateral > 1 else self.turnback.most_lateral
        return 2 * len(self.levels) + int(rounds) + 1

    def hop_count(self, source: Leaves, destination: Leaves) -> Int64Array:
        """Switches on the shortest ways of pairs, those up and down each."""
        if self.turnback is not None:
            return shortest_hops(self.turnback, source, destination)
        return xgft.hop_count(self.tree, source, destination, self.climb).astype(np.int64)

    def turn(self, hops: Int64Array) -> Int64Array:
        """Which of `levels` packets turn at that pass so many switches."""
        return hops // 2  # up as many as down again, and one more

    def expected_hops(self, source: Int64Array, destination: Int64Array) -> npt.NDArray[np.int16]:
        """Output ports of pairs where each has one path, int16 [pairs, hops], -1 behind."""
        if self.tables is not None:
            return xgft.table_routes(self.tables, source, destination)
        assert self.routing in ("DMODK", "SMODK")
        rule = cast("Literal['DMODK', 'SMODK']", self.routing)
        return xgft.routes(self.tree, source, destination, rule, self.climb)

    @cached_property
    def pair_hops(self) -> npt.NDArray[np.int16]:
        """The same of all pairs, int16 [leaves * leaves, hops], those of leaf 0 first."""
        return self.expected_hops(*np.divmod(np.arange(self.leaves**2), self.leaves))

    def legal(
        self, source: Int64Array, destination: Int64Array, hops: npt.NDArray[np.int16]
    ) -> BoolArray:
        """Whether lists of output ports lead to the destinations and turn where they must."""
        return xgft.legal(self.tree, source, destination, hops, self.climb)

    def walk(self, source: Int64Array, hops: npt.NDArray[np.int16]) -> xgft.Walk:
        """The switches at which they are taken."""
        return xgft.walk(self.tree, source, hops)

    @cached_property
    def structure(self) -> Structure:
        """Links out of switches in the order in which the RTL tells them, then from leaves."""
        turnback = self.turnback
        if turnback is None:
            return fat_tree.structure(self.tree, lanes=self.vcs)
        beside = {}
        for level in self.levels:
            node = np.arange(self.tree.level_size(level))
            ports = self.exits[level]
            lateral = [
                turnback.neighbours(node, np.full_like(node, k))
                for k in range(len(ports["LATERAL"]))
            ]
            beside[level] = np.stack([*lateral, *[node] * len(ports["TURN"])], axis=1)
        return fat_tree.structure(self.tree, lanes=self.vcs, beside=beside)

    def entry(self, leaf: int) -> tuple[int, int]:
        """The lowest switch that a leaf feeds, and the input port there."""
        return divmod(leaf, self.tree.down_ports(self.tree.first))

    def beyond(self, level: int, switch: int, port: int) -> tuple[int, int, int] | int:
        """Level, switch and input port that an output port leads to, or a leaf."""
        tree, down, turnback = self.tree, self.tree.down_ports(level), self.turnback
        if turnback is not None and port >= tree.radix(level):
            lateral = port in self.exits[level]["LATERAL"]
            there = turnback.neighbour(switch, port - tree.radix(level)) if lateral else switch
            return level, there, port
        if port >= down:
            above, entry = tree.up(level, switch, port - down)
            return level + 1, int(above), int(entry)
        if level > tree.first:
            entry = tree.down_ports(level - 1) + tree.arrival(level, switch)
            return level - 1, int(tree.down(level, switch, port)), int(entry)
        return switch * down + port if tree.first else switch
