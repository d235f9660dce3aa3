"""Networks in a box, put together by halves (Theorem 4, after Leighton and Rosenberg).

The box of a subtree is those of its halves with a slab between them, which holds the node.  By
Lemma 3 components m in number fit into a slab of sides h sqrt(m) and height sqrt(m) / h: where the
halves are wide it is flat, and no larger than the wires across it need.  The channel above leaves a
slab through its edge, which is part of the face that the next slab lies on: that one is across the
next axis.  Fat-trees and hypercubes are laid out by the same constants.
"""

import itertools
import math
from collections.abc import Sequence

from fattree_models.common.checks import check_integer, check_real

SIDE, HEIGHT = 2, 4
"""Of a slab, in h sqrt(m) and sqrt(m) / h: no layout of `networks.random_matching` takes more."""
A_WIRE = 13
"""Components of a node by its wires, at most."""
FLATTEST = 8
"""The greatest h."""
HIGHEST = 256  # the greatest lg n: no power of floats overflows


def sides(height: int, lg_root: float, flattest: int = FLATTEST) -> tuple[int, int, int]:
    """Return the sides of the box of a universal fat-tree, in whole numbers.

    Parameters
    ----------
    height : int
        lg n, 0 … 256.
    lg_root : float
        lg w, 0 … lg n; from 2/3 lg n on the tree is universal.
    flattest : int
        The greatest h of a slab, from 1.

    Notes
    -----
    Halves that are too narrow for their slab are given more room.  O(lg n) time: the subtrees of a
    level are alike.

    Examples
    --------
    >>> sides(3, 3)
    (144, 104, 46)
    """
    height = check_integer("height", height, 0, HIGHEST)
    flattest = check_integer("flattest", flattest, 1)
    lg_root = check_real("lg_root", lg_root, 0, height)
    cap = [_capacity(height, lg_root, level) for level in range(height + 1)]
    slabs = [A_WIRE * 2 * (cap[k] + 2 * cap[k + 1]) for k in range(height)]
    return _pack(slabs, (1, 1, 1), flattest)


def direct(degree: int, outside: Sequence[int]) -> tuple[int, int, int]:
    """Return the sides of the box of a network whose processors are joined directly.

    Parameters
    ----------
    degree : int
        Neighbours of a processor, which is a switch of A_WIRE components a wire.
    outside : sequence of int
        Wires, each way, that leave a set of n / 2^k processors, k = 0 … lg n.

    Notes
    -----
    A slab holds wires alone: those of its halves, and those that go on.

    Examples
    --------
    >>> direct(3, hypercube_outside(3))
    (48, 56, 100)
    """
    root = _root(A_WIRE * 2 * (check_integer("degree", degree, 1) + 1))
    wires = [check_integer("outside", number, 0) for number in outside]
    slabs = [2 * (2 * inner + outer) for outer, inner in itertools.pairwise(wires)]
    return _pack(slabs, (SIDE * root, SIDE * root, HEIGHT * root), FLATTEST)


def hypercube_outside(height: int) -> list[int]:
    """Return the wires that leave a subcube of n / 2^k processors: k of each."""
    height = check_integer("height", height, 0, HIGHEST)
    return [k << height - k for k in range(height + 1)]


def mesh_outside(height: int) -> list[int]:
    """Return the wires that leave a square of n / 2^k processors of a large mesh, none the whole.

    They bound those of any planar graph of bounded degree, but for a factor.
    """
    height = check_integer("height", height, 0, HIGHEST)
    return [0, *(4 * _root(1 << height - k) for k in range(1, height + 1))]


def _pack(slabs: Sequence[int], leaf: tuple[int, int, int], flattest: int) -> tuple[int, int, int]:
    """Return the sides of the box of a binary tree of slabs.

    Parameters
    ----------
    slabs : sequence of int
        Components in the slab of a node of each level, the root's first.
    leaf : three ints
        Sides of a leaf.
    """
    box = [*leaf]
    for level in range(len(slabs) - 1, -1, -1):
        axis = level % 3
        root = _root(slabs[level])
        across = [other for other in range(3) if other != axis]
        for other in across:
            box[other] = max(box[other], SIDE * root)
        h = min(flattest, min(box[other] for other in across) // (SIDE * root))
        box[axis] = 2 * box[axis] + HEIGHT * -(-root // h)
    return box[0], box[1], box[2]


def _root(m: int) -> int:
    """Return ceil(sqrt(m))."""
    return math.isqrt(m - 1) + 1


def _capacity(height: int, lg_root: float, level: int) -> int:
    """Return min(ceil(n / 2^k), ceil(w / 2^(2k/3)))."""
    return min(1 << height - level, math.ceil(round(2 ** (lg_root - 2 * level / 3), 6)))
