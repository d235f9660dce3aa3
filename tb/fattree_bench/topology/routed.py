"""The routes that are asked for: tables of a file, or made for what is there of a fat-tree."""

from collections.abc import Callable

from fattree_bench.topology.judged import Judged
from fattree_models import topology
from fattree_models.common.checks import Int64Array

Numbering = tuple[Int64Array, Int64Array | None]  # hosts in order; numbers of nodes, or None: names
Maker = Callable[[Judged, topology.Ranked, int], topology.Routes]


def _numbering(judged: Judged, ranked: topology.Ranked) -> Numbering:
    """As the tree that it is has them, else from the top down."""
    if judged.found is not None:
        return judged.order, judged.found.index
    return topology.numbered(judged.fabric, ranked)


def _dmodk(judged: Judged, ranked: topology.Ranked, reverse: int) -> topology.Routes:
    index = None if judged.found is None else judged.found.index
    return topology.dmodk_routes(judged.fabric, ranked, judged.order, index)


def _left(judged: Judged, ranked: topology.Ranked, reverse: int) -> topology.Routes:
    return topology.left_routes(judged.fabric, ranked, *_numbering(judged, ranked), reverse)


def _balanced(judged: Judged, ranked: topology.Ranked, reverse: int) -> topology.Routes:
    return topology.balanced_routes(judged.fabric, ranked, *_numbering(judged, ranked), reverse)


ROUTES: dict[str, tuple[str, str, Maker]] = {  # by word: what they are, their name, how
    "dmodk": ("D-mod-k of a whole tree", "D-mod-k", _dmodk),
    "left": ("D-mod-k on what is left", "D-mod-k on what is left", _left),
    "balanced": ("changed until no link has 1.25 times what it must", "balanced", _balanced),
}
