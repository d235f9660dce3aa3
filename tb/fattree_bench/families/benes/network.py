"""The slides' fat-tree Benes network: folded, as the tree that it is, or as it is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from fattree_bench.bench.wormhole.network import Wormhole, WormholeAbout
from fattree_bench.bench.wormhole.shape import PortShape
from fattree_bench.bench.wormhole.ways import TreeWays
from fattree_bench.errors import UserError
from fattree_bench.families.wormhole import TABLES, TREES, TreeRouting
from fattree_bench.settings import Part, flag
from fattree_models.benes import fold
from fattree_models.common.fat_tree import Xgft


class BenesRouting(TreeRouting):
    unfolded = flag("UNFOLDED", 0, "as drawn, columns of switches joined by shuffles")
    method = TreeRouting.method.but(default="SLIDES")

    @property
    def module(self) -> str:  # type: ignore[override]
        return "benes_network" if self.unfolded else "xgft_network"

    @property
    def controls(self) -> tuple[str, ...]:  # type: ignore[override]
        return super().controls[self.unfolded :]  # it draws no numbers: no seed

    def check(self) -> None:
        if self.unfolded and self.method not in TABLES:
            tables = f"forwarding tables (ROUTING={', '.join(TABLES)})"
            raise UserError(f"UNFOLDED=1: needs {tables}, not ROUTING={self.method}")
        super().check()

    def ways(self, tree: Xgft) -> TreeWays:
        """The drawing counts switches column by column."""
        found = super().ways(tree)
        if self.unfolded:
            ports, levels = self.ports_levels(tree)
            below = np.cumsum([0, *(tree.level_size(level) for level in found.levels)])
            column = np.arange(tree.level_size(tree.height))
            folds = [fold(ports, levels, stage, column) for stage in range(2 * levels - 1)]
            found.order = np.concatenate([below[level - 1] + index for level, index in folds])
        return found

    def model(self, ways: TreeWays) -> dict[str, Any]:
        folded = self.ports_levels(ways.tree) if self.unfolded else None
        return {**super().model(ways), "folded": folded}

    def verilog(self) -> dict[str, str | int]:
        return {} if self.unfolded else super().verilog()

    def shape(self, ways: TreeWays) -> dict[str, Any]:
        own = {"N": ways.tree.m[-1], "LEVELS": ways.tree.height, "PATHS": ways.paths}
        return own if self.unfolded else super().shape(ways)


class Benes(Wormhole):
    """The slides' fat-tree Benes network."""

    name = "benes"
    summary = "fat-tree Benes network with its destination routing (IBM's slides)"
    swept = TREES
    shape = Part(PortShape)
    routing = Part(BenesRouting)
    about = WormholeAbout(
        corners=(
            {"PORTS": "4", "LEVELS": "2"},
            {"PORTS": "6", "LEVELS": "2", "UNFOLDED": "1", "ROUTING": "MLID", "TRACE": "1"},
            {"PORTS": "2", "LEVELS": "3", "UNFOLDED": "1", "VCS": "1"},
            {"PORTS": "4", "LEVELS": "2", "UNFOLDED": "1", "ASYNC": "LEAVES"},
        ),
        small={"PORTS": "4", "LEVELS": "2", "VCS": "1", "DEPTH": "2"},
    )


NETWORKS = (Benes,)
