"""Universal fat-trees of a volume, and networks to simulate on them (Leiserson 1985, IV, VI)."""

import math
from collections.abc import Callable

import numpy as np

from fattree_models.leiserson.capacity import least_root
from fattree_models.leiserson.networks import (
    Messages,
    hypercube,
    mesh2d,
    shuffle_exchange,
    torus2d,
    tree,
)

NETWORKS: dict[str, tuple[Callable[[int], Messages], Callable[[int], float]]] = {
    "mesh2d": (mesh2d, float),
    "torus2d": (torus2d, float),
    "tree": (tree, float),
    "shuffle_exchange": (shuffle_exchange, lambda n: (n / max(1.0, np.log2(n))) ** 1.5),
    "hypercube": (hypercube, lambda n: n**1.5),
}
"""Networks of n processors to simulate: their edges, and the volume v that they take."""


def root_of_volume(n: int, volume: float) -> int:
    """Return the root capacity of the universal fat-tree of a volume (Section IV).

    Parameters
    ----------
    n : int
        Processors, 2^h with h = 1 ... 20.
    volume : float
        v, in units of one processor's, so that constants are 1.

    Returns
    -------
    int
        ceil(v^(2/3) / lg(n / v^(2/3))), brought into n^(2/3) ... n; lg is at least 1, as in the
        paper.

    Notes
    -----
    v = n^(3/2), the most that is of use, gives w = n.  The paper's v = Omega(n lg n) is not enough
    for w >= n^(2/3), hence the clamp.

    Examples
    --------
    >>> root_of_volume(64, 64), root_of_volume(64, 64**1.5)
    (16, 64)
    """
    least = least_root(n)
    area = math.pow(volume, 2 / 3)
    # The last digits of the power are noise; without them exact powers would be one too high.
    root = math.ceil(round(area / max(1.0, math.log2(n / area)), 6))
    return min(max(root, least), n)
