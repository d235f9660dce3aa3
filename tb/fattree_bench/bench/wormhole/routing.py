"""How packets find their way in a kind of network, and what its RTL and its model must know."""

from __future__ import annotations

from typing import Any, ClassVar

from fattree_bench.bench.interface.interface import Block
from fattree_bench.bench.wormhole.ways import Ways
from fattree_bench.settings import Settings
from fattree_models.common.fat_tree import Xgft


class Routing(Settings):
    """Variables of routing; each kind of network has a class of its own.

    Attributes
    ----------
    module : the network in Verilog.
    rooms : folders of rtl/ that it is made of.
    controls : its ports that a player drives besides those of leaves.
    level : in that, the block of what shares a clock, its wires, and those of links that lead in.
    long : registers in each link to a leaf, each way; such links have two ends that differ.
    breaks : cables die in a run: it has `fit(tree, one_clock, exact)`, UserError for what cannot.
    """

    module: str
    rooms: ClassVar[tuple[str, ...]]
    controls: tuple[str, ...] = ()
    level: tuple[str, ...] = ("gen_level", "level", "up", "back")
    long: ClassVar[Any] = 0
    breaks: bool = False

    def ways(self, tree: Xgft) -> Ways:
        """Where packets go; UserError for what does not fit the tree."""
        raise NotImplementedError

    def model(self, ways: Any) -> dict[str, Any]:
        """What a fattree_models.wormhole.Network must know of it."""
        raise NotImplementedError

    def shape(self, ways: Any) -> dict[str, Any]:
        """Verilog parameters of the tree, and of ways that are the switches' own."""
        raise NotImplementedError

    def blocks(self, ports: int) -> tuple[Block, ...]:
        """What drives controls besides the player."""
        return ()

    def outline(self, ways: Any) -> str:
        """What a report says of the network, after its variables."""
        raise NotImplementedError
