"""Ways of packets: the switches that they pass, where output ports lead."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from fattree_bench.families.xgft.switches import Switches
from fattree_models import xgft
from fattree_models.common.checks import BoolArray, Int64Array

Leaves: TypeAlias = npt.NDArray[np.integer[Any]]


class Ways(Switches):
    """Up to a common ancestor, and down again; what has no way down says so."""

    @property
    def max_hops(self) -> int:
        """Switches on the longest route; at least 2, as the RTL wants it."""
        return max(2, 2 * (self.tree.height - self.tree.first) + 1)

    def hop_count(self, source: Leaves, destination: Leaves) -> Int64Array:
        """Switches on the ways of pairs."""
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

    def entry(self, leaf: int) -> tuple[int, int]:
        """The lowest switch that a leaf feeds, and the input port there."""
        return divmod(leaf, self.tree.down_ports(self.tree.first))

    def beyond(self, level: int, switch: int, port: int) -> tuple[int, int, int] | int:
        """Level, switch and input port that an output port leads to, or a leaf."""
        tree, down = self.tree, self.tree.down_ports(level)
        if port >= down:
            above, entry = tree.up(level, switch, port - down)
            return level + 1, int(above), int(entry)
        if level > tree.first:
            entry = tree.down_ports(level - 1) + tree.arrival(level, switch)
            return level - 1, int(tree.down(level, switch, port)), int(entry)
        return switch * down + port if tree.first else switch
