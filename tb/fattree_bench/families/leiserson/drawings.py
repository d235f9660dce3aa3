"""Figures of Leiserson's paper, from the models."""

import numpy as np

from fattree_bench.families.drawing import Drawing
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.report.tree_svg import tree_svg
from fattree_models import leiserson

DRAWN = {"N": "16", "W": "8"}


def universal() -> str:
    """A tree with universal capacities, and what random messages ask of its channels."""
    network = Leiserson.from_variables(DRAWN)
    processors = np.arange(network.leaves)
    src, dst = (ends.ravel() for ends in np.meshgrid(processors, processors, indexing="ij"))
    other = src != dst
    up, _ = leiserson.level_loads(src[other], dst[other], network.leaves)
    # All pairs: each processor would send to every other, one of them at a time.
    mean = up / (network.leaves - 1)
    title = f"{network.leaves} processors, universal capacities, w = {network.cap[0]}"
    return tree_svg([0, *network.cap[1:]], [0.0, *mean[1:]], title)


DRAWINGS = (
    Drawing(
        "leiserson-1",
        "L",
        "Fig. 1",
        "the fat-tree of 16 processors with universal capacities, the channel above the root left "
        "out; colours tell how many of a channel's wires are wanted, in the mean, if each "
        "processor sends a message to a random other.",
        universal,
    ),
)
