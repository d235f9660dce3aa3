"""The shape of the cheapest fat-trees, of `make optimise`."""

from fattree_bench.bench.wormhole.shape import MAX_LEAVES, NUMBER, Shape, level_count
from fattree_bench.settings import Variable, number
from fattree_models import xgft


def port_limit() -> Variable[int]:
    """0 if there is none."""
    told = "most ports of a switch, {allowed}; empty: any number"
    return number("MAX_PORTS", "", 2, 1024, told, allowed=NUMBER, usual=lambda _: 0)


class OxgftShape(Shape):
    """The cheapest tree that carries all that its leaves send."""

    p = number("P", 36, 2, MAX_LEAVES, "processors: the leaves, {allowed}", allowed=NUMBER)
    levels = level_count("LEVELS", 2)
    max_ports = port_limit()

    def make(self) -> xgft.Xgft:
        best, *_ = xgft.cheapest(self.p, self.levels, max_ports=self.max_ports or None)
        return best.tree
