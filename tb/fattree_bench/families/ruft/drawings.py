"""The survey's figure of RUFT."""

from functools import partial

from fattree_bench.families.drawing import Drawing, leads_to, said, ways
from fattree_bench.report.svg import Key
from fattree_models.ruft import Ruft, routes
from fattree_models.ruft.tree import structure as structure_of
from fattree_models.traffic import every_pair


def reduced(title: str, leaf: int) -> str:
    """The RUFT of the 2-ary 3-tree; its long links go round the switches."""
    net = Ruft(2, 3)
    structure, (src, dst) = structure_of(net), every_pair(net.leaves)
    way, keys = ways(structure, src, routes(net, dst)), [Key("up", f"on the way to leaf {leaf}")]
    return leads_to(structure, title, way, dst, leaf, said(structure, "stage", 0), keys)


DRAWINGS = (
    Drawing(
        "survey-5",
        "S",
        "Fig. 5",
        "the RUFT made from the 2-ary 3-tree: the way up of Fig. 4, and long links in place of the "
        "way down.",
        partial(reduced, "RUFT from the 2-ary 3-tree", 7),
    ),
)
