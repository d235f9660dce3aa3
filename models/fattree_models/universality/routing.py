"""Any network on a square of processors with wires above it (after Lemma 3, h = 1).

Processors lie two voxels apart in a plane, each with a bus upwards.  Wires run in lanes between
them: first along x, then along y.  Lane and layer of a wire's two runs are its own over their
length; the layer is the lowest that is free in both (first fit, by the left end).
"""

import numpy as np
from numba import njit

from fattree_models.common.checks import Int32Array, IntegerArray, check_integers
from fattree_models.universality.layout import Layout, Paths

ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


def routed(column: IntegerArray, row: IntegerArray, edges: IntegerArray) -> Layout:
    """Lay out a network.

    Parameters
    ----------
    column, row : int arrays [processors]
        Place of each on the square, 0 … 32,767, all different.
    edges : int array [wires, 2]
        Processors, two different ones.

    Returns
    -------
    Layout
        2 columns x 2 rows x 2 layers voxels.
    """
    x = check_integers("column", column, 0, 2**15 - 1).astype(np.int32)
    y = check_integers("row", row, 0, 2**15 - 1).astype(np.int32)
    pairs = check_integers("edges", edges, 0, x.size - 1).astype(np.int32)
    if x.ndim != 1 or x.shape != y.shape or pairs.ndim != 2 or pairs.shape[1] != 2:
        shapes = f"{x.shape}, {y.shape}, {pairs.shape}; allowed are [n], [n], [wires, 2]"
        raise ValueError(f"column, row, edges: have shapes {shapes}")
    if np.unique(x << 16 | y).size < x.size or (pairs[:, 0] == pairs[:, 1]).any():
        raise ValueError("column, row, edges: two are alike; allowed are different ones")
    left = np.minimum(2 * x[pairs[:, 0]], 2 * x[pairs[:, 1]] + 1)
    low = np.minimum(2 * y[pairs[:, 0]] + 1, 2 * y[pairs[:, 1]])
    # Those that run along x alone first: each kind then comes by its left ends.
    across = y[pairs[:, 0]] != y[pairs[:, 1]]
    order = np.lexsort((low, np.where(across, low, left), across))
    pairs = np.ascontiguousarray(pairs[order])
    layer = _layers(x, y, pairs, int(x.max()) + 1, int(y.max()) + 1)
    wires = _corners(x, y, pairs, 2 * layer)
    top = np.zeros(x.size, dtype=np.int32)
    np.maximum.at(top, pairs[:, 0], wires[:, 0, 2])
    np.maximum.at(top, pairs[:, 1], wires[:, -1, 2])
    home = np.stack((2 * x, 2 * y, np.zeros_like(x)), axis=1)
    end = home.copy()
    end[:, 2] = top
    return Layout(home, pairs, Paths.straight(wires), Paths.straight(np.stack((home, end), axis=1)))


def _corners(x: Int32Array, y: Int32Array, pairs: Int32Array, z: Int32Array) -> Int32Array:
    """Return the corners of wires: runs along x at height z, along y at height z + 1."""
    u, v = pairs.T
    a, b, c, d = 2 * x[u], 2 * y[u], 2 * x[v], 2 * y[v]
    within, straight = b == d, a == c  # a row; a column
    turn = np.where(within, c, c + 1)
    leave, enter = np.where(straight, z + 1, z), np.where(within, z, z + 1)
    points = (
        (a, b, leave),
        (np.where(straight, a + 1, a), np.where(straight, b, b + 1), leave),
        (turn, np.where(straight, b, b + 1), leave),
        (turn, np.where(straight, b, b + 1), enter),
        (turn, np.where(within, d + 1, d), enter),
        (c, d, enter),
    )
    return np.stack([np.stack(point, axis=1) for point in points], axis=1)


def _layers(x: Int32Array, y: Int32Array, pairs: Int32Array, columns: int, rows: int) -> Int32Array:
    """Return the layer of each wire; more are made when they run out."""
    layers = 2 * max(columns, rows) + 8
    while True:
        free_rows = np.zeros((rows, layers, (2 * columns + 63) // 64), dtype=np.uint64)
        free_columns = np.zeros((columns, layers, (2 * rows + 63) // 64), dtype=np.uint64)
        found: Int32Array = _first_fit(x, y, pairs, free_rows, free_columns)
        if found.size == pairs.shape[0]:
            return found
        layers *= 2


@njit(cache=True)
def _first_fit(x, y, pairs, in_rows, in_columns):  # type: ignore[no-untyped-def]
    """Return the layer of each wire, or fewer than there are if there are not enough layers."""
    made = np.empty(pairs.shape[0], dtype=np.int32)
    for i in range(pairs.shape[0]):
        u, v = pairs[i]
        a, b = _run(2 * x[u], 2 * x[v] + (y[u] != y[v]))
        c, d = _run(2 * y[u] + (x[u] != x[v]), 2 * y[v])
        if x[u] == x[v]:
            a, b = 0, -1  # no run along x
        if y[u] == y[v]:
            c, d = 0, -1
        row, column = in_rows[y[u]], in_columns[x[v]]
        layer = 0
        while layer < row.shape[0]:
            if _free(row[layer], a, b) and _free(column[layer], c, d):
                break
            layer += 1
        if layer == row.shape[0]:
            return made[:i]
        _take(row[layer], a, b)
        _take(column[layer], c, d)
        made[i] = layer
    return made


@njit(cache=True)
def _run(begin, end):  # type: ignore[no-untyped-def]
    """Return the ends of a run, the lower first."""
    return min(begin, end), max(begin, end)


@njit(cache=True)
def _mask(word, first, last):  # type: ignore[no-untyped-def]
    """Return the bits of a word that are within first … last of all bits."""
    mask = ONES
    if first > 64 * word:
        mask &= ONES << np.uint64(first - 64 * word)
    if last < 64 * word + 63:
        mask &= ONES >> np.uint64(64 * word + 63 - last)
    return mask


@njit(cache=True)
def _free(words, first, last):  # type: ignore[no-untyped-def]
    """Whether no bit first … last is set."""
    for word in range(first // 64, last // 64 + 1):
        if words[word] & _mask(word, first, last):
            return False
    return True


@njit(cache=True)
def _take(words, first, last):  # type: ignore[no-untyped-def]
    """Set the bits first … last."""
    for word in range(first // 64, last // 64 + 1):
        words[word] |= _mask(word, first, last)
