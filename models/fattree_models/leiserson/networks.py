"""The messages of unstructured meshes, dealt out by recursive halving.

Networks that fat-trees simulate are in `universality.networks`.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int32Array, check_integer
from fattree_models.leiserson.capacity import height

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
