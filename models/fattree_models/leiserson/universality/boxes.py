"""A universal fat-tree in a cube, put together by halves (Theorem 4, after Leighton and Rosenberg).

The box of a subtree is those of its halves with a slab between them, which holds the node.  By
Lemma 3 components m in number fit into a slab of sides h sqrt(m) and height sqrt(m) / h: where the
halves are wide it is flat, and no larger than the wires across it need.  The channel above leaves a
slab through its edge, which is part of the face that the next slab lies on: that one is across the
next axis.
"""

import math

SIDE, HEIGHT = 2, 4
"""Of a slab, in h sqrt(m) and sqrt(m) / h: no layout of `networks.random_matching` takes more."""
A_WIRE = 13
"""Components of a node by its wires, at most."""
FLATTEST = 8
"""The greatest h."""


def sides(height: int, lg_root: float, flattest: int = FLATTEST) -> tuple[int, int, int]:
    """Return the sides of the box of a universal fat-tree, in whole numbers.

    Parameters
    ----------
    height : int
        lg n.
    lg_root : float
        lg w, 2/3 lg n … lg n.
    flattest : int
        The greatest h of a slab.

    Notes
    -----
    Halves that are too narrow for their slab are given more room.  O(lg n) time: the subtrees of a
    level are alike.

    Examples
    --------
    >>> sides(3, 3)
    (144, 104, 46)
    """
    box = [1, 1, 1]  # a processor
    cap = [_capacity(height, lg_root, level) for level in range(height + 1)]
    for level in range(height - 1, -1, -1):
        axis = level % 3
        root = math.isqrt(A_WIRE * 2 * (cap[level] + 2 * cap[level + 1]) - 1) + 1  # of m
        across = [other for other in range(3) if other != axis]
        for other in across:
            box[other] = max(box[other], SIDE * root)
        h = min(flattest, min(box[other] for other in across) // (SIDE * root))
        box[axis] = 2 * box[axis] + HEIGHT * -(-root // h)
    return box[0], box[1], box[2]


def _capacity(height: int, lg_root: float, level: int) -> int:
    """Return min(ceil(n / 2^k), ceil(w / 2^(2k/3)))."""
    return min(1 << height - level, math.ceil(round(2 ** (lg_root - 2 * level / 3), 6)))
