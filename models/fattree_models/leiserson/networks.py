"""The messages of meshes and of other networks, laid out and dealt out by recursive halving.

A network of n vertices that a fat-tree of n processors simulates sends a message along each of its
directed edges (Leiserson 1985, Section VI).  All functions return (src, dst), int32 arrays
[messages] of processors 0 ... n-1, without messages from a processor to itself.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int32Array, IntegerArray, check_integer
from fattree_models.leiserson.capacity import check_processors, height

Messages = tuple[Int32Array, Int32Array]
FloatArray = npt.NDArray[np.float64]


def mesh(processors: int, points: int, rng: np.random.Generator) -> Messages:
    """Return what one step of a computation on an unstructured planar mesh sends.

    Parameters
    ----------
    points : int
        Vertices, random in the unit square and joined by their Delaunay triangulation; at least 4.

    Returns
    -------
    (src, dst) : int32 arrays [messages]
        Vertices are dealt out by recursive halving.  For every processor a and every vertex of
        another one, b, that is a neighbour of some vertex of a's: one message from b to a, however
        many neighbours it has there.

    Notes
    -----
    O(points lg points lg n) time.

    Examples
    --------
    >>> src, dst = mesh(4, 100, np.random.default_rng(0))
    >>> src.size, np.bincount(src).size
    (56, 4)
    """
    points = check_integer("points", points, 4)
    # Imported here: it takes longer than all else that simulations need of these models.
    from scipy.spatial import Delaunay

    place = rng.random((points, 2))
    triangles = Delaunay(place).simplices
    one = triangles.ravel()
    other = np.roll(triangles, 1, axis=1).ravel()
    owner = recursive_halving(place, processors)
    # Both directions of every edge: owner `a` of one end needs the vertex at the other end.
    vertex = np.concatenate((one, other)).astype(np.int64)
    needs = owner[np.concatenate((other, one))]
    away = owner[vertex] != needs
    distinct = np.unique(needs[away] * np.int64(points) + vertex[away])
    return owner[distinct % points], (distinct // points).astype(np.int32)


def mesh2d(processors: int) -> Messages:
    """Return every directed edge of the mesh of 2^floor(h/2) rows and 2^ceil(h/2) columns once.

    Examples
    --------
    >>> mesh2d(4)
    (array([0, 0, 1, 1, 2, 2, 3, 3], dtype=int32), array([1, 2, 0, 3, 0, 3, 1, 2], dtype=int32))
    """
    n = check_processors(processors)
    place, columns = _grid(n)
    vertex = np.arange(n)
    right = vertex[place[:, 0] < columns - 1]
    down = vertex[: n - columns]
    edges = [(right, right + 1), (down, down + columns)]
    return _network(edges, recursive_halving(place, n))


def torus2d(processors: int) -> Messages:
    """Return every directed edge of the torus once: the mesh, its rows and columns closed.

    The vertices lie as in the mesh.

    Examples
    --------
    >>> torus2d(16)[0].size, mesh2d(16)[0].size
    (64, 48)
    """
    n = check_processors(processors)
    place, columns = _grid(n)
    vertex = np.arange(n)
    column = vertex % columns
    edges = [(vertex, vertex - column + (column + 1) % columns), (vertex, (vertex + columns) % n)]
    return _network(edges, recursive_halving(place, n))


def hypercube(processors: int) -> Messages:
    """Return every directed edge of the hypercube once; halving its layout gives vertex x to x.

    Examples
    --------
    >>> hypercube(4)
    (array([0, 0, 1, 1, 2, 2, 3, 3], dtype=int32), array([1, 2, 0, 3, 0, 3, 1, 2], dtype=int32))
    """
    vertex = np.arange(check_processors(processors))
    edges = [(vertex, vertex ^ (1 << bit)) for bit in range(height(processors))]
    return _network(edges, vertex.astype(np.int32))


def tree(processors: int) -> Messages:
    """Return every directed edge of the complete binary tree of n-1 vertices once.

    It is laid out as an H-tree, in area O(n), and halved.  One processor has no vertex.

    Examples
    --------
    >>> tree(4)
    (array([0, 1, 1, 2], dtype=int32), array([1, 0, 2, 1], dtype=int32))
    """
    n = check_processors(processors)
    h = height(n)
    place = np.zeros((n, 2))
    for level in range(1, h):
        child = np.arange(1 << level, 2 << level)
        # The arms of the H change direction at each level and halve at every second one.
        arm = np.zeros(2)
        arm[(level - 1) % 2] = 0.5 ** ((level - 1) // 2)
        place[child] = place[child >> 1] + np.where(child & 1, 1, -1)[:, None] * arm
    vertex = np.arange(2, n)
    owner = np.zeros(n, dtype=np.int32)
    owner[1:] = recursive_halving(place[1:], n)
    return _network([(vertex, vertex >> 1)], owner)


def shuffle_exchange(processors: int) -> Messages:
    """Return every directed edge of the shuffle-exchange network once.

    Vertex x lies at the sum of x_i e^(2 pi i / h) in the complex plane (Hoey and Leiserson): a
    shuffle turns the picture, an exchange moves by one.

    Examples
    --------
    >>> shuffle_exchange(8)[0].size
    20
    """
    n = check_processors(processors)
    h = height(n)
    vertex = np.arange(n)
    bits = (vertex[:, None] >> np.arange(h)) & 1
    angle = 2 * np.pi / h * np.arange(h)
    # Rounded, so that vertices in the same place are ordered by number, not by noise.
    place = np.round(bits @ np.stack((np.cos(angle), np.sin(angle)), axis=1), 9)
    edges = [(vertex, vertex ^ 1), (vertex, np.asarray(vertex << 1 | vertex >> (h - 1)) & (n - 1))]
    return _network(edges, recursive_halving(place, n))


def recursive_halving(place: FloatArray, processors: int) -> Int32Array:
    """Deal points out to processors: halve the set n-1 times, across the longest side each time.

    Parameters
    ----------
    place : float array [points, 2]
        Where they lie; any number of them.

    Returns
    -------
    int32 array [points]
        The processor of each point.  Halves differ by at most one point, so processors do.

    Notes
    -----
    Equal coordinates are ordered by the other one, then by the number of the point.

    Examples
    --------
    >>> recursive_halving(np.array([[0.0, 0], [5, 1], [9, 0], [4, 0]]), 4)
    array([0, 2, 3, 1], dtype=int32)
    """
    h = height(processors)
    if place.ndim != 2 or place.shape[1] != 2:
        raise ValueError(f"place: has shape {place.shape}; allowed is [points, 2]")
    owner = np.zeros(place.shape[0], dtype=np.int32)
    for level in range(h):
        parts = 1 << level
        low, high = np.full((2, parts), np.inf), np.full((2, parts), -np.inf)
        for axis in range(2):
            np.minimum.at(low[axis], owner, place[:, axis])
            np.maximum.at(high[axis], owner, place[:, axis])
        size = np.bincount(owner, minlength=parts)
        upright = (high[1] - low[1] > high[0] - low[0])[owner]
        along = np.where(upright, place[:, 1], place[:, 0])
        across = np.where(upright, place[:, 0], place[:, 1])
        order = np.lexsort((across, along, owner))
        first = np.cumsum(size) - size
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size) - first[owner[order]]
        owner = 2 * owner + (2 * rank >= size[owner]).astype(np.int32)
    return owner


def _grid(n: int) -> tuple[FloatArray, int]:
    """Return the places of the vertices of a mesh, row by row, and its columns."""
    columns = 1 << (height(n) + 1) // 2
    row, column = np.divmod(np.arange(n), columns)
    return np.stack((column, row), axis=1).astype(np.float64), columns


def _network(edges: Sequence[tuple[IntegerArray, IntegerArray]], owner: Int32Array) -> Messages:
    """Return both directions of all edges between different vertices, each once, sorted."""
    one = np.concatenate([owner[a] for a, _ in edges]).astype(np.int64)
    other = np.concatenate([owner[b] for _, b in edges]).astype(np.int64)
    apart = one != other
    src = np.concatenate((one[apart], other[apart]))
    dst = np.concatenate((other[apart], one[apart]))
    width = owner.size + 1
    distinct = np.unique(src * width + dst)
    return (distinct // width).astype(np.int32), (distinct % width).astype(np.int32)
