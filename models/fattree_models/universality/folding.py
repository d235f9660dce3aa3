"""Folding: a flat layout becomes nearly a cube, its volume stays about the same (ours).

The half of a layout beyond a plane is turned over onto the other half.  A wire that crosses the
plane makes a U-turn round the wires that lie between: those of layer z of Z run on by Z - 1 - z.
"""

import numpy as np
from numba import njit

from fattree_models.common.checks import Int32Array, Int64Array
from fattree_models.universality.layout import Layout, Paths

FOLDS = 12


def folded(layout: Layout) -> Layout:
    """Return a layout folded so often that its cube is the smallest.

    Notes
    -----
    The longest side is folded onto the shortest, at most FOLDS times.  O(corners) time a fold.
    """
    best = layout
    for _ in range(FOLDS):
        sides = layout.dimensions
        if max(sides) < 3 * min(sides) // 2:
            break
        layout = fold(layout, int(np.argmax(sides)), int(np.argmin(sides)))
        if layout.side < best.side:
            best = layout
    return best


def fold(layout: Layout, axis: int, onto: int) -> Layout:
    """Fold a layout once.

    Parameters
    ----------
    axis : int
        0, 1 or 2: this side is halved.
    onto : int
        Another one: this side doubles.
    """
    sides = layout.dimensions
    middle, layers = -(-sides[axis] // 2), sides[onto]
    home = layout.home.copy()
    beyond = home[:, axis] >= middle
    home[beyond, axis] = 2 * middle - 1 - home[beyond, axis]
    home[beyond, onto] = 2 * layers - 1 - home[beyond, onto]
    wires, buses = (
        Paths(*_fold_paths(p.corners, p.starts, axis, onto, middle, layers))
        for p in (layout.wires, layout.buses)
    )
    return Layout(home, layout.edges, wires, buses)


@njit(cache=True)
def _fold_paths(
    corners: Int32Array, starts: Int64Array, axis: int, onto: int, middle: int, layers: int
) -> tuple[Int32Array, Int64Array]:
    """Return the corners and starts of folded paths."""
    crossings = 0
    for path in range(starts.size - 1):
        for i in range(starts[path] + 1, starts[path + 1]):
            crossings += (corners[i, axis] < middle) != (corners[i - 1, axis] < middle)
    made = np.empty((corners.shape[0] + 2 * crossings, 3), dtype=np.int32)
    begin = np.zeros_like(starts)
    k = 0
    for path in range(starts.size - 1):
        for i in range(starts[path], starts[path + 1]):
            near = corners[i, axis] < middle
            if i > starts[path] and near != (corners[i - 1, axis] < middle):
                layer = corners[i, onto]
                for side in range(2):
                    made[k] = corners[i]
                    made[k, axis] = middle + layers - 2 - layer
                    made[k, onto] = layer if (side == 0) != near else 2 * layers - 1 - layer
                    k += 1
            made[k] = corners[i]
            if not near:
                made[k, axis] = 2 * middle - 1 - corners[i, axis]
                made[k, onto] = 2 * layers - 1 - corners[i, onto]
            k += 1
        begin[path + 1] = k
    return made, begin
