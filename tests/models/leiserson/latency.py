"""The sum of the ports on a path: a closed form, for comparison with the model that walks them."""

import numpy as np


def path_latency(tree, source_processor, destination):
    """Ticks from source to destination, processors or n, broadcast against each other.

    M is on the sink wire in tick 1 + that.
    """
    i, j = np.asarray(source_processor), np.asarray(destination)
    assert (i != j).all()
    h, n = tree.h, tree.n
    # Sums from a level down to the leaves; one entry more for "no port at all".
    up = np.array([sum(tree.delay_up[k:]) for k in range(h + 1)], dtype=np.int64)
    down = np.array([sum(tree.delay_down[k:]) for k in range(h + 1)], dtype=np.int64)
    height = np.frexp((i ^ j).astype(np.float64))[1]
    turn = h - np.minimum(height, h)
    inside = up[np.minimum(turn + 1, h)] + down[turn]
    return np.asarray(np.where(i == n, down[0], np.where(j == n, up[0], inside)), dtype=np.int64)
