"""Loads: how many packets use each directed link under a list of pairs, or of explicit routes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import MAX_INT64, Int64Array, check_integers
from fattree_models.common.fat_tree.routing import (
    Climb,
    Int16Array,
    Routing,
    check_hops,
    check_lists,
    routes,
)
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.common.fat_tree.walk import walk

LoadArray = npt.NDArray[np.int64 | np.float64]
CHUNK = 1 << 17  # pairs walked at once: the arrays stay below some 50 MB


@dataclass(frozen=True)
class Loads:
    """A number for every directed link.

    Parameters
    ----------
    up : tuple of int64 or float64 arrays, by level 0 ... h
        `up[l]` is [level_size(l), w_{l+1}]: the link of up port c of a node of level l; `up[0]`
        are the links of the leaves, `up[h]` has no columns.
    down : tuple of arrays, by level 0 ... h
        `down[l]` is [level_size(l), m_l]: the link of down port q.  `down[0]`, the links to the
        endpoints, has a column only where leaves are switches (w_1 > 1).
    """

    up: tuple[LoadArray, ...]
    down: tuple[LoadArray, ...]

    @property
    def busiest(self) -> float:
        """Greatest entry; an int if the loads are integers."""
        most: float = max(array.max().item() for array in (*self.up, *self.down) if array.size)
        return most


def link_loads(
    tree: Xgft,
    src: npt.ArrayLike,
    dst: npt.ArrayLike,
    routing: Routing,
    weight: npt.ArrayLike | None = None,
    climb: Climb = "NCA",
) -> Loads:
    """Return the load of every link under a list of pairs: a permutation, a traffic matrix.

    Parameters
    ----------
    src, dst : int arrays [pairs]
        Leaves; a packet to its own source turns in the first switch.  Of a traffic matrix these
        are `np.nonzero(matrix)`, and `weight` is `matrix[src, dst]`.
    weight : int or float array [pairs], optional
        What a pair counts for, 1 if not given; finite, integers less than 2^63 in sum.

    Returns
    -------
    Loads
        int64, or float64 if the weights are.

    Examples
    --------
    >>> leaves = np.arange(64)
    >>> link_loads(Xgft((4, 4, 4), (1, 4, 4)), leaves, 63 - leaves, "DMODK").busiest
    1
    """
    sources, targets = check_lists(tree, src, dst)
    weights = check_weights(weight, sources.size)
    total = _zeros(tree, weights)
    for begin in range(0, sources.size, CHUNK):
        part = slice(begin, begin + CHUNK)
        ports = routes(tree, sources[part], targets[part], routing, climb)
        _add(tree, total, sources[part], ports, weights[part])
    return _split(tree, total)


def route_loads(
    tree: Xgft, src: npt.ArrayLike, ports: npt.ArrayLike, weight: npt.ArrayLike | None = None
) -> Loads:
    """Return the load of every link under explicit routes, as observed or from tables.

    Parameters
    ----------
    weight : int or float array [pairs], optional

    Raises
    ------
    ValueError
        If a leaf does not exist, the shapes do not match, or a route does not end at an endpoint.

    Examples
    --------
    >>> loads = route_loads(Xgft((2, 2), (1, 2)), [0, 1], [[2, 1, 0], [3, 1, 1]])
    >>> loads.up[1].tolist(), loads.down[2].tolist()
    ([[1, 1], [0, 0]], [[0, 1], [0, 1]])
    """
    sources, _ = check_lists(tree, src, src)
    hops = check_hops(ports, sources.size)
    weights = check_weights(weight, sources.size)
    total = _zeros(tree, weights)
    for begin in range(0, sources.size, CHUNK):
        part = slice(begin, begin + CHUNK)
        _add(tree, total, sources[part], hops[part], weights[part])
    return _split(tree, total)


def walked_loads(
    tree: Xgft,
    src: Int64Array,
    ports: Int16Array | Int64Array,
    level: npt.NDArray[np.integer],
    node: npt.NDArray[np.integer],
    weight: npt.ArrayLike | None = None,
) -> Loads:
    """Return what `route_loads` returns of routes that end at endpoints and were followed already.

    Parameters
    ----------
    level, node : int arrays [pairs, hops]
        Switches that they visit, as in `Walk`.

    Examples
    --------
    >>> from fattree_models.common.fat_tree.walk import walk
    >>> tree, src, ports = Xgft((2, 2), (1, 2)), np.array([0, 1]), np.array([[2, 1, 0], [3, 1, 1]])
    >>> way = walk(tree, src, ports)
    >>> walked_loads(tree, src, ports, way.level, way.node).up[1].tolist()
    [[1, 1], [0, 0]]
    """
    weights = check_weights(weight, len(src))
    total = _zeros(tree, weights)
    _visit(tree, total, src, ports, level, node, weights)
    return _split(tree, total)


def check_weights(weight: npt.ArrayLike | None, pairs: int) -> LoadArray:
    """Return weights as an int64 or float64 array [pairs]."""
    if weight is None:
        return np.ones(pairs, dtype=np.int64)
    array = np.asarray(weight)
    if array.shape != (pairs,) or array.dtype.kind not in "iuf":
        raise ValueError(
            f"weight: has shape {array.shape} and dtype {array.dtype}; "
            f"allowed are [{pairs}] integers or floats"
        )
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise ValueError("weight: holds what is not finite; allowed are finite numbers")
        return array.astype(np.float64)
    weights = check_integers("weight", array).astype(np.int64)
    about = np.abs(weights.astype(np.float64)).sum()
    if about > 2.0**62 and (total := sum(map(abs, weights.tolist()))) > MAX_INT64:
        raise ValueError(f"weight: sums to {total}; allowed are at most {MAX_INT64}")
    return weights


def _zeros(tree: Xgft, like: LoadArray) -> list[LoadArray]:
    """Return an array [level_size, radix] a level, of the type of `like`."""
    shapes = [(tree.level_size(level), tree.radix(level)) for level in range(tree.height + 1)]
    return [np.zeros(shape, dtype=like.dtype) for shape in shapes]


def _add(
    tree: Xgft,
    total: list[LoadArray],
    src: Int64Array,
    ports: Int16Array | Int64Array,
    weight: LoadArray,
) -> None:
    """Add the loads of routes to `total`, by level and output port."""
    visited = walk(tree, src, ports)
    if (visited.end < 0).any():
        lost = int(src[visited.end < 0][0])
        raise ValueError(f"ports: a route from leaf {lost} ends at no endpoint")
    _visit(tree, total, src, ports, visited.level, visited.node, weight)


def _visit(
    tree: Xgft,
    total: list[LoadArray],
    src: Int64Array,
    ports: Int16Array | Int64Array,
    level: npt.NDArray[np.integer],
    node: npt.NDArray[np.integer],
    weight: LoadArray,
) -> None:
    """Add `weight` to the links on the way."""
    if tree.first == 1:
        np.add.at(total[0][:, 0], src, weight)
    hops = ports.shape[1]
    for each in range(tree.first, tree.height + 1):
        at = np.flatnonzero(level == each)
        link = node.take(at).astype(np.int64) * tree.radix(each) + ports.take(at)
        np.add.at(total[each].reshape(-1), link, weight[at // hops])


def _split(tree: Xgft, total: list[LoadArray]) -> Loads:
    downs = [tree.down_ports(level) for level in range(tree.height + 1)]
    return Loads(
        up=tuple(array[:, down:] for array, down in zip(total, downs, strict=True)),
        down=tuple(array[:, :down] for array, down in zip(total, downs, strict=True)),
    )
