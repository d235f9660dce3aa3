"""What a fat-tree is called: XGFT, k-ary n-tree, m-port n-tree, GFT, PGFT, and how slim it is."""

from collections.abc import Sequence

from fattree_models.common.fat_tree.shapes import gft, kary
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.topology.match import Match

FAMILY = "XGFT or PGFT"


def kinds(found: Match) -> list[str]:
    """Return the names of a fat-tree, the most general first.

    Examples
    --------
    >>> import numpy as np
    >>> none = np.zeros(0, np.int64)
    >>> kinds(Match(Xgft((4, 4, 4), (1, 4, 4)), (1, 1, 1), none, none))
    ['XGFT(3; 4,4,4; 1,4,4)', '4-ary 3-tree']
    >>> kinds(Match(Xgft((2, 4), (1, 2)), (1, 2), none, none))
    ['PGFT(2; 2,4; 1,2; 1,2)']
    """
    tree = found.tree
    body = f"{tree.height}; {_list(tree.m)}; {_list(tree.w)}"
    if max(found.parallel) > 1:
        return [f"PGFT({body}; {_list(found.parallel)})"]
    names = [f"XGFT({body})"]
    h, first = tree.height, tree.m[0]
    if tree == kary(first, h) and first > 1:
        names.append(f"{first}-ary {h}-tree")
    if h > 1 and tree == Xgft((*(first,) * (h - 1), 2 * first), (1, *(first,) * (h - 1))):
        names.append(f"FT({2 * first}, {h}), the {2 * first}-port {h}-tree")
    if tree == gft(h, first, tree.w[0]):
        names.append(f"GFT({h}, {first}, {tree.w[0]})")
    return names


def slimming(found: Match) -> list[str]:
    """Return where a tree has fewer links up than down, a sentence a level; none if nowhere.

    Examples
    --------
    >>> import numpy as np
    >>> none = np.zeros(0, np.int64)
    >>> slimming(Match(Xgft((4, 4), (1, 2)), (1, 1), none, none))
    ['slimmed 2:1 at level 1: 4 links down, 2 up']
    """
    tree, told = found.tree, []
    for level in range(1, tree.height):
        down = tree.m[level - 1] * found.parallel[level - 1]
        up = tree.w[level] * found.parallel[level]
        if up < down:
            told.append(f"slimmed {down / up:g}:1 at level {level}: {down} links down, {up} up")
    return told


def _list(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
