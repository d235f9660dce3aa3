"""RUFT: a k-ary n-tree in which all packets climb, and drop from the top to their leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from fattree_bench.bench.wormhole.network import SWITCHES, SweptWormhole, Wormhole, WormholeAbout
from fattree_bench.bench.wormhole.routes import Routes
from fattree_bench.bench.wormhole.routing import Routing
from fattree_bench.bench.wormhole.shape import KaryShape
from fattree_bench.bench.wormhole.ways import Hops, Leaves, Ways, walked
from fattree_bench.families.wormhole import ROOMS
from fattree_bench.settings import Part, number
from fattree_models import ruft
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.common.fat_tree import Walk, Xgft
from fattree_models.common.structure import Structure
from fattree_models.ruft import tree as ruft_tree


class Stages(Xgft):
    """Its stages as levels of the tree: all outputs lead up, but those of the top to leaves."""

    def down_ports(self, level: int) -> int:
        return super().down_ports(level) if level == self.height else 0


class RuftShape(KaryShape):
    def make(self) -> Stages:
        tree = super().make()
        return Stages(tree.m, tree.w)


class RuftWays(Ways):
    """One way a pair, through all stages."""

    one_path = True

    def __init__(self, tree: Xgft) -> None:
        super().__init__(tree)
        self.wiring = ruft.Ruft(tree.m[0], tree.height)

    @property
    def max_hops(self) -> int:
        return max(2, self.wiring.n)

    def hop_count(self, source: Leaves, destination: Leaves) -> Int64Array:
        return np.full(np.shape(source), self.wiring.n, np.int64)

    @property
    def turns(self) -> BoolArray:
        return np.array([level == self.tree.height for level in self.levels])

    def expected_hops(self, source: Int64Array, destination: Int64Array) -> Hops:
        return ruft.routes(self.wiring, destination)

    def follow(self, source: Int64Array, destination: Int64Array, hops: Hops) -> Routes:
        way = ruft.walk(self.wiring, source, hops)
        node = np.full(hops.shape, -1, np.int64)
        node[:, : self.wiring.n] = way.switch
        node[hops < 0] = -1
        level = np.where(node < 0, -1, np.arange(1, hops.shape[1] + 1))
        legal = ruft.legal(self.wiring, source, destination, hops)
        return walked(hops, legal, Walk(level, node, way.end))

    def structure(self, lanes: int) -> Structure:
        return ruft_tree.structure(self.wiring, lanes)


class RuftRouting(Routing):
    module = "ruft_network"
    rooms = ROOMS
    level = ("gen_stage", "stage", "in")
    long = number("LONG", 0, 0, 64, "registers in each long link to a leaf, each way", rtl=True)

    def ways(self, tree: Xgft) -> RuftWays:
        return RuftWays(tree)

    def model(self, ways: RuftWays) -> dict[str, Any]:
        return {"tree": ways.wiring, "long": self.long}

    def shape(self, ways: RuftWays) -> dict[str, Any]:
        return {"K": ways.wiring.k, "LEVELS": ways.wiring.n}

    def outline(self, ways: RuftWays) -> str:
        wiring, parts = ways.wiring, ruft_tree.counts(ways.wiring)
        return (
            f"{wiring.n} stages of the {wiring.k}-ary {wiring.n}-tree: {ways.tree.leaves} leaves, "
            f"{parts.switches} switches, {parts.links} links, one way each"
        )


class Ruft(Wormhole):
    """Reduced unidirectional fat-tree."""

    name = "ruft"
    summary = "reduced unidirectional fat-tree of wormhole switches (Gómez et al., 2008)"
    shape = Part(RuftShape)
    routing = Part(RuftRouting)
    swept = SweptWormhole((RuftRouting.long.name, *SWITCHES))
    about = WormholeAbout(
        corners=(
            {"K": "2", "LEVELS": "3", "LONG": "2", "CLASSES": "2", "STAGES": "1"},
            {"K": "3", "LEVELS": "1", "VCS": "1", "DEPTH": "1", "TRACE": "1"},
            {"K": "2", "LEVELS": "2", "LONG": "1", "ASYNC": "LINKS"},
            {"K": "2", "LEVELS": "2", "ASYNC": "LEAVES"},
        ),
        small={"K": "4", "LEVELS": "2", "LONG": "1", "VCS": "1", "DEPTH": "2"},
    )


NETWORKS = (Ruft,)
