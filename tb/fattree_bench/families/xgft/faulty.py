"""Ways through a tree of wormhole switches whose cables may break: FAULTS."""

from __future__ import annotations

from typing import Any

from fattree_bench.bench.interface.interface import Block, gives, takes
from fattree_bench.bench.wormhole import HDL
from fattree_bench.bench.wormhole.outages import Faults
from fattree_bench.bench.wormhole.ways import TreeWays
from fattree_bench.errors import UserError
from fattree_bench.families.wormhole import TreeRouting
from fattree_bench.settings import Part
from fattree_models.common.fat_tree import Xgft

ROOM = "faulty"  # of rtl/
SPREADING = ("ECMP", "RR", "FLOWLET", "DRILL")  # what its switches do not have
WIRES = ("cut", "dead")  # what drives its network besides


class FaultyRouting(TreeRouting):
    """As in any tree, unless FAULTS says that something breaks: then with other Verilog."""

    faults = Part(Faults)

    @property
    def breaks(self) -> bool:  # type: ignore[override]
        """Whether cables die in a run."""
        return self.faults.on

    @property
    def module(self) -> str:  # type: ignore[override]
        """The network in Verilog."""
        return f"{ROOM}_network" if self.breaks else TreeRouting.module

    @property
    def rooms(self) -> tuple[str, ...]:  # type: ignore[override]
        """Folders of rtl/ that it is made of."""
        return (*TreeRouting.rooms, ROOM) if self.breaks else TreeRouting.rooms

    @property
    def controls(self) -> tuple[str, ...]:  # type: ignore[override]
        """Its ports that a player drives besides those of leaves."""
        return (*TreeRouting.controls, *WIRES) if self.breaks else TreeRouting.controls

    def fit(self, tree: Xgft, one_clock: bool, exact: bool) -> None:
        """UserError for what does not go with faults, and for faults that the tree cannot have."""
        given = f"FAULTS={self.faults.what}"
        if not one_clock:
            raise UserError(f"{given}: not with ASYNC: cables have one clock")
        if not exact:
            raise UserError(f"{given}: not with EXACT=0: the model says which packets are lost")
        if self.method in SPREADING:
            raise UserError(f"{given}: not with ROUTING={self.method}")
        self.faults.outages(tree, 0)

    def ways(self, tree: Xgft) -> TreeWays:
        """Not one way only if a switch may take another."""
        found = super().ways(tree)
        found.one_path &= self.faults.recover != "LOCAL"
        return found

    def shape(self, ways: TreeWays) -> dict[str, Any]:
        own = {"RECOVER": f'"{self.faults.recover}"'} if self.breaks else {}
        return {**super().shape(ways), **own}

    def blocks(self, ports: int) -> tuple[Block, ...]:
        """What says which cables are dead."""
        if not self.breaks:
            return ()
        wires = [gives(f"{name}_o", name, ports) for name in WIRES]
        return (
            Block(
                "flit_faults",
                "u_faults",
                {"PORTS": ports},
                (takes("clock_i", "u_player.clocks"), *wires),
                (HDL / "flit_faults.v",),
                ("stim",),
                ("on", "base", "detect"),
            ),
        )
