"""The slides' fat-tree Benes network: folded, as the tree that it is, or as it is drawn."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.wormhole.shape import PortShape
from fattree_bench.errors import UserError
from fattree_bench.families.wormhole import TABLES, TreeNetwork
from fattree_bench.settings import Part, flag
from fattree_models import wormhole
from fattree_models.benes import fold
from fattree_models.common.checks import Int64Array
from fattree_models.common.structure import Structure


class Benes(TreeNetwork):
    """The slides' fat-tree Benes network."""

    name = "benes"
    summary = "fat-tree Benes network with its destination routing (IBM's slides)"
    shape = Part(PortShape)
    unfolded = flag("UNFOLDED", 0, "as drawn, columns of switches joined by shuffles")
    routing = TreeNetwork.routing.but(default="SLIDES")
    corners: ClassVar[tuple[dict[str, str], ...]] = (
        {"PORTS": "4", "LEVELS": "2"},
        {"PORTS": "6", "LEVELS": "2", "UNFOLDED": "1", "ROUTING": "MLID", "TRACE": "1"},
        {"PORTS": "2", "LEVELS": "3", "UNFOLDED": "1", "VCS": "1"},
        {"PORTS": "4", "LEVELS": "2", "UNFOLDED": "1", "ASYNC": "LEAVES"},
    )
    small: ClassVar[dict[str, str]] = {"PORTS": "4", "LEVELS": "2", "VCS": "1", "DEPTH": "2"}

    def check(self) -> None:
        if self.unfolded and self.routing not in TABLES:
            raise UserError(
                f"UNFOLDED=1: needs forwarding tables (ROUTING={', '.join(TABLES)}), "
                f"not ROUTING={self.routing}"
            )
        super().check()

    def model(self, **same: Any) -> wormhole.Network:
        return super().model(**same, folded=self._ports_levels if self.unfolded else None)

    def in_place(self, shown: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The drawing counts switches column by column."""
        if not self.unfolded:
            return shown
        found = np.empty_like(shown)
        found.reshape(self.ways.routers, -1)[self._folded()] = shown.reshape(self.ways.routers, -1)
        return found

    @cached_property
    def structure(self) -> Structure:
        inside = np.argsort(self.in_place(np.arange(self.ways.inputs)))
        tree = super().structure
        return tree.ordered(np.r_[inside, len(inside) : len(tree.links)])

    def _folded(self) -> Int64Array:
        """The switches of the tree, counted from the lowest level on, that stand in the columns."""
        tree, (ports, levels) = self.tree, self._ports_levels
        below = np.cumsum([0, *(tree.level_size(level) for level in self.ways.levels)])
        column = np.arange(tree.level_size(tree.height))
        folds = [fold(ports, levels, stage, column) for stage in range(2 * levels - 1)]
        return np.concatenate([below[level - 1] + index for level, index in folds])

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        if not self.unfolded:
            return super().synthesis(bench)
        own = {k: x for k, x in self.verilog().items() if k != TreeNetwork.climb.name}
        own |= {"N": self.tree.m[-1], "LEVELS": self.tree.height, "PATHS": self.ways.paths}
        return "benes_network", own | self._noted(bench)


NETWORKS = (Benes,)
