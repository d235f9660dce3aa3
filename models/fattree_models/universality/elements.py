"""One finite-element problem on a fat-tree, a hypercube and a mesh: hardware and time (Section I).

All three are laid out by the same constants (`boxes`): wires of unit cross-section, and switches of
as many components a wire.  A delivery cycle of a fat-tree takes a message all the way, in 2 lg n -
1 ticks besides its data; a step of the others takes a whole message across a link.
"""

import math

import numpy as np

from fattree_models.common.checks import check_integer
from fattree_models.leiserson.capacity import check_processors, least_root, universal
from fattree_models.leiserson.networks import mesh
from fattree_models.leiserson.offline import schedule
from fattree_models.universality.boxes import direct, hypercube_outside, mesh_outside, sides
from fattree_models.universality.hosts import deliver

POINTS = 16  # of the mesh of finite elements, a processor


def volumes(lg_n: int) -> dict[str, int]:
    """Return the volume of each network's box.

    fat_tree has n^(2/3) wires at the root, full_tree n.

    Examples
    --------
    >>> {name: f"{v:.1e}" for name, v in volumes(16).items()}
    {'fat_tree': '3.7e+10', 'full_tree': '1.8e+12', 'hypercube': '3.6e+11', 'mesh': '6.8e+09'}
    """
    lg_n = check_integer("lg_n", lg_n, 1)
    return {
        "fat_tree": math.prod(sides(lg_n, 2 * lg_n / 3)),
        "full_tree": math.prod(sides(lg_n, lg_n)),
        "hypercube": math.prod(direct(lg_n, hypercube_outside(lg_n))),
        "mesh": math.prod(direct(4, mesh_outside(lg_n))),
    }


def times(n: int, seed: int = 0) -> dict[str, int]:
    """Return the messages of a step of the problem; delivery cycles of a fat-tree, others' steps.

    POINTS n points, triangulated, are dealt out by halving; leaves, squares and subcubes hold the
    same halves.
    """
    src, dst = mesh(n, POINTS * check_processors(n), np.random.default_rng(seed))
    return {
        "messages": int(src.size),
        "fat_tree": schedule(src, dst, universal(n, least_root(n)), "GREEDY").cycles,
        "hypercube": deliver("CUBE", src, dst, n).steps,
        "mesh": deliver("MESH", src, dst, n).steps,
    }
