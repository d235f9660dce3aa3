"""Networks that fat-trees simulate, laid out: meshes, trees, hypercubes and their kin."""

from collections.abc import Callable, Sequence

import numpy as np

from fattree_models.common.checks import Int32Array, Int64Array, IntegerArray, check_integer
from fattree_models.leiserson.capacity import check_processors, height
from fattree_models.universality.folding import folded
from fattree_models.universality.layout import Layout, Paths
from fattree_models.universality.routing import routed


def mesh2d(n: int) -> Layout:
    """Lay out the mesh of n processors: a sheet whose neighbours touch, folded to a cube."""
    h = height(n)
    return folded(_touching(_grid(n, ((h + 1) // 2, h // 2))))


def mesh3d(n: int) -> Layout:
    """Lay out the three-dimensional mesh: neighbours touch."""
    h = height(n)
    return _touching(_grid(n, ((h + 2) // 3, (h + 1) // 3, h // 3)))


def torus2d(n: int) -> Layout:
    """Lay out the torus, n >= 16: rings pressed flat in both directions, four layers, folded.

    Layers are in the order of a Gray code, so that rings along x touch at both ends; of rings along
    y the outer one turns round the inner one.
    """
    h = height(n)
    columns, rows = 1 << (h + 1) // 2, 1 << h // 2
    column, row = np.arange(n) % columns, np.arange(n) // columns
    x, back = np.minimum(column, columns - 1 - column), column >= columns // 2
    y, under = np.minimum(row, rows - 1 - row), row >= rows // 2
    layer = np.where(under, np.where(back, 2, 3), np.where(back, 1, 0))
    home = np.stack((x, y + 1, layer), axis=1).astype(np.int32)
    vertex = np.arange(n)
    along = np.stack((vertex, row * columns + (column + 1) % columns), axis=1)
    across = np.stack((vertex, (vertex + columns) % n), axis=1)
    edges = np.concatenate((along, across)).astype(np.int32)
    ends = home[edges]
    points = np.stack((ends[:, 0], ends[:, 0], ends[:, 1], ends[:, 1]), axis=1)
    outer = np.abs(ends[:, 0, 2] - ends[:, 1, 2]) == 3
    turn = np.where(ends[outer, 0, 1] == 1, 0, rows // 2 + 1)
    points[outer, 1, 1] = points[outer, 2, 1] = turn
    return folded(Layout(home, edges, Paths.straight(points), Paths.none()))


def tree(n: int) -> Layout:
    """Lay out the complete binary tree of n - 1 vertices, and one above its root, n >= 8.

    An H-tree in three dimensions: the children of vertex v are 2v and 2v + 1; 0 is next to 1.
    """
    levels = height(n) - 1
    left = np.array([(levels + 2) // 3, (levels + 1) // 3, levels // 3])
    home = np.zeros((n, 3), dtype=np.int32)
    home[1] = (1 << left) - 1
    home[0] = home[1] + np.array([0, 1, 0])
    for level in range(levels):
        axis = level % 3
        left[axis] -= 1
        child = np.arange(2 << level, 4 << level)
        home[child] = home[child >> 1]
        home[child, axis] += np.where(child & 1, 1, -1) * (1 << int(left[axis]))
    vertex = np.arange(1, n)
    edges = np.stack((vertex, vertex >> 1), axis=1).astype(np.int32)
    return Layout(home, edges, Paths.straight(home[edges]), Paths.none())


def hypercube(n: int) -> Layout:
    """Lay out the hypercube: its dimensions are shared by rows and columns of a square."""
    vertex = np.arange(check_processors(n))
    pairs = [(vertex, vertex ^ (1 << bit)) for bit in range(height(n))]
    return routed(*_square(n), _distinct(pairs))


def shuffle_exchange(n: int) -> Layout:
    """Lay out the shuffle-exchange network."""
    vertex, h = np.arange(check_processors(n)), height(n)
    shuffled = (vertex << 1 | vertex >> (h - 1)) & (vertex.size - 1)
    return routed(*_square(n), _distinct([(vertex, vertex ^ 1), (vertex, shuffled)]))


def butterfly(n: int) -> Layout:
    """Lay out the largest wrapped butterfly, k levels of 2^k vertices, that n processors hold."""
    k = max(k for k in range(2, height(n) + 1) if k << k <= n)
    vertex = np.arange(k << k)
    level, row = vertex >> k, vertex & ((1 << k) - 1)
    beyond = ((level + 1) % k) << k
    pairs = [(vertex, beyond | row), (vertex, beyond | row ^ (1 << level))]
    # Levels stand in blocks of a row's place, as square as they can be.
    wide = 1 << (k.bit_length() // 2)
    low = (k + 1) // 2
    x = (row & ((1 << low) - 1)) * wide + level % wide
    y = (row >> low) * -(-k // wide) + level // wide
    return routed(x, y, _distinct(pairs))


def clusters(n: int, low: int = 0) -> Layout:
    """Lay out hypercubes of 2^low processors, 0: about cbrt(n), side by side: v is near n^(7/6)."""
    low = low or max(2, height(n) // 3)
    one, apart = hypercube(1 << low), height(n) - low
    sides = np.array(one.dimensions)
    for _ in range(apart):
        sides[np.argmin(sides)] *= 2
    bits = [int(n).bit_length() - 1 for n in sides // one.dimensions]
    corner = (_grid(1 << apart, tuple(bits)) * one.dimensions).astype(np.int32)[:, np.newaxis]

    def copies(paths: Paths) -> Paths:
        points = (corner + paths.corners).reshape(len(paths) * len(corner), -1, 3)
        return Paths.straight(points)

    first = np.arange(1 << apart, dtype=np.int32)[:, np.newaxis, np.newaxis] << low
    edges = (first + one.edges).reshape(-1, 2)
    return Layout((corner + one.home).reshape(-1, 3), edges, copies(one.wires), copies(one.buses))


def random_matching(m: int, h: int = 1, seed: int = 0) -> Layout:
    """Lay out m components in a square, each joined to one drawn at random: as in Lemma 3.

    The square is h times as wide as they need, h >= 1.  They stand so that no row and no column has
    more than sqrt(m) / h, so first fit takes less than twice as many layers, whatever is joined.
    """
    m, h, seed = check_processors(m), check_integer("h", h, 1), check_integer("seed", seed, 0)
    order = np.random.default_rng(seed).permutation(m)
    x, y = _square(m)
    return routed(h * x + y % h, h * y + x % h, order.reshape(-1, 2))


def lopsided(n: int, seed: int = 0) -> Layout:
    """Lay out n / 64 hubs in one half, 16 of the others in the dense half joined to each."""
    hubs, side = n // 64, 1 << (height(n) + 1) // 2
    other = np.arange(n - hubs)
    wide = 1 << (height(hubs) + 1) // 2
    pitch = side // wide
    hub = np.arange(hubs)
    x = np.concatenate((hub % wide * pitch, side + other % side))
    y = np.concatenate((hub // wide * pitch, other // side))
    joined = np.random.default_rng(seed).permutation(n - hubs)[: 16 * hubs]
    return routed(x, y, np.stack((np.repeat(hub, 16), hubs + joined), axis=1))


NETWORKS: dict[str, Callable[[int], Layout]] = {
    f.__name__: f
    for f in (*(mesh2d, mesh3d, torus2d, tree), *(clusters, hypercube, butterfly, shuffle_exchange))
}
"""Layouts of networks of n processors, n = 2^h with h = 4 … 20, by name."""


def _square(n: int) -> tuple[Int64Array, Int64Array]:
    """Return column and row of n places in a square or two."""
    n, columns = check_processors(n), 1 << (height(n) + 1) // 2
    return np.arange(n) % columns, np.arange(n) // columns


def _distinct(pairs: Sequence[tuple[IntegerArray, IntegerArray]]) -> Int32Array:
    """Return every edge between different vertices once, int32 [edges, 2]."""
    one = np.concatenate([a for a, _ in pairs]).astype(np.int64)
    other = np.concatenate([b for _, b in pairs]).astype(np.int64)
    low, high = np.minimum(one, other), np.maximum(one, other)
    width = int(high.max()) + 1
    keys = np.unique((low * width + high)[low != high])
    return np.stack((keys // width, keys % width), axis=1).astype(np.int32)


def _grid(n: int, bits: tuple[int, ...]) -> Int32Array:
    """Return the places of n vertices in a mesh of 2^bits."""
    rest = np.arange(check_integer("n", n, 1))
    home = np.zeros((rest.size, 3), dtype=np.int32)
    for axis, width in enumerate(bits):
        home[:, axis] = rest & ((1 << width) - 1)
        rest = rest >> width
    return home


def _touching(home: Int32Array) -> Layout:
    """Join the processors of a full box to their neighbours."""
    sides = home.max(axis=0) + 1
    stride = np.concatenate(([1], np.cumprod(sides)[:-1]))
    vertex = np.arange(home.shape[0])
    edges = []
    for axis in range(3):
        inner = vertex[home[:, axis] < sides[axis] - 1]
        edges.append(np.stack((inner, inner + stride[axis]), axis=1))
    pairs = np.concatenate(edges).astype(np.int32)
    return Layout(home, pairs, Paths.straight(home[pairs]), Paths.none())
