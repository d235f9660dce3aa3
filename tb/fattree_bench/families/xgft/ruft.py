"""RUFT: a k-ary n-tree in which all packets climb, and drop from the top to their leaves."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from fattree_bench.families.xgft.shape import KaryShape
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_bench.families.xgft.ways import Leaves
from fattree_bench.settings import Part, number
from fattree_models import ruft, xgft
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.common.structure import Structure
from fattree_models.ruft import tree as ruft_tree

FIXED = (
    XgftNetwork.routing,
    XgftNetwork.table_file,
    XgftNetwork.climb,
    XgftNetwork.tbch,
    XgftNetwork.root_links,
    XgftNetwork.lateral,
    XgftNetwork.addresses_as,
)


class Stages(xgft.Xgft):
    """Its stages as levels of the tree: all outputs lead up, but those of the top to leaves."""

    def down_ports(self, level: int) -> int:
        return super().down_ports(level) if level == self.height else 0


class RuftShape(KaryShape):
    def make(self) -> Stages:
        tree = super().make()
        return Stages(tree.m, tree.w)


class Ruft(XgftNetwork):
    """Reduced unidirectional fat-tree."""

    name = "ruft"
    summary = "reduced unidirectional fat-tree of wormhole switches (Gómez et al., 2008)"
    shape = Part(RuftShape)
    long = number("LONG", 0, 0, 64, "registers in each long link to a leaf, each way", rtl=True)
    routing = XgftNetwork.routing.but(fixed=True)
    table_file = XgftNetwork.table_file.but(fixed=True)
    climb = XgftNetwork.climb.but(default="TOP", fixed=True, rtl=False)
    tbch = XgftNetwork.tbch.but(fixed=True)
    root_links = XgftNetwork.root_links.but(fixed=True)
    lateral = XgftNetwork.lateral.but(fixed=True, rtl=False)
    addresses_as = XgftNetwork.addresses_as.but(fixed=True, rtl=False)
    lists = (
        long.name,
        *(name for name in XgftNetwork.lists if name not in {v.name for v in FIXED}),
    )
    corners: ClassVar[tuple[dict[str, str], ...]] = (
        {"K": "2", "LEVELS": "3", "LONG": "2", "CLASSES": "2", "STAGES": "1"},
        {"K": "3", "LEVELS": "1", "VCS": "1", "DEPTH": "1", "TRACE": "1"},
        {"K": "2", "LEVELS": "2", "LONG": "1", "ASYNC": "LINKS"},
        {"K": "2", "LEVELS": "2", "ASYNC": "LEAVES"},
    )
    small: ClassVar[dict[str, str]] = {
        "K": "4", "LEVELS": "2", "LONG": "1", "VCS": "1", "DEPTH": "2",
    }  # fmt: skip

    @cached_property
    def wiring(self) -> ruft.Ruft:
        return ruft.Ruft(self.tree.m[0], self.tree.height)

    @property
    def topology(self) -> str:
        return "RUFT"

    @property
    def recorded_links(self) -> int:
        """Long links have two ends that differ."""
        return super().recorded_links + (self.leaves if self.long and super().recorded_links else 0)

    def outline(self) -> str:
        parts = ruft_tree.counts(self.wiring)
        return (
            f"{self.wiring.n} stages of the {self.wiring.k}-ary {self.wiring.n}-tree: "
            f"{self.leaves} leaves, {parts.switches} switches, {parts.links} links, one way each"
        )

    @property
    def cost(self) -> int:
        """As for trees, where a port is an input and an output."""
        return self.routers * self.wiring.k**2

    # ---- ways --------------------------------------------------------------------------------

    @property
    def max_hops(self) -> int:
        return max(2, self.wiring.n)

    def hop_count(self, source: Leaves, destination: Leaves) -> Int64Array:
        return np.full(np.shape(source), self.wiring.n, np.int64)

    def turn(self, hops: Int64Array) -> Int64Array:
        return hops - 1

    def expected_hops(self, source: Int64Array, destination: Int64Array) -> npt.NDArray[np.int16]:
        return ruft.routes(self.wiring, destination)

    def legal(
        self, source: Int64Array, destination: Int64Array, hops: npt.NDArray[np.int16]
    ) -> BoolArray:
        return ruft.legal(self.wiring, source, destination, hops)

    def walk(self, source: Int64Array, hops: npt.NDArray[np.int16]) -> xgft.Walk:
        way = ruft.walk(self.wiring, source, hops)
        node = np.full(hops.shape, -1, np.int64)
        node[:, : self.wiring.n] = way.switch
        node[hops < 0] = -1
        return xgft.Walk(np.where(node < 0, -1, np.arange(1, hops.shape[1] + 1)), node, way.end)

    @cached_property
    def structure(self) -> Structure:
        return ruft_tree.structure(self.wiring, self.vcs)

    def entry(self, leaf: int) -> tuple[int, int]:
        switch, port = self.wiring.enter(leaf)
        return int(switch), int(port)

    def beyond(self, level: int, switch: int, port: int) -> tuple[int, int, int] | int:
        if level == self.wiring.n:
            return int(self.wiring.leave(switch, port))
        above, entry = self.wiring.onward(level - 1, switch, port)
        return level + 1, int(above), int(entry)

    # ---- time --------------------------------------------------------------------------------

    @property
    def lag(self) -> int:
        return self.long

    def zero_load(self) -> tuple[float, str]:
        mean, told = super().zero_load()
        return mean + self.long, f"{told}, and {self.long} on the long link"

    def empty(self, hops: Int64Array | int, flits: Int64Array | int) -> Int64Array:
        return ruft_tree.zero_load_latency(self.wiring, flits, self.stages, self.long)

    # ---- what it becomes in Verilog ------------------------------------------------------------

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        shape = {"K": self.wiring.k, "LEVELS": self.wiring.n}
        return "ruft_network", {
            **self.verilog(),
            **self.clocks.verilog(),
            **shape,
            **self.noted(bench),
        }
