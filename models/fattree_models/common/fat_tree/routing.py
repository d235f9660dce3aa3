"""Routes of an XGFT: up to a common ancestor by a rule, then down by the destination's digits.

A route is the list of output ports taken, one a switch, in order.  A routing is `"DMODK"`,
`"SMODK"`, or an `UpRule` of your own.
"""

from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    BoolArray,
    Int64Array,
    check_integer,
    check_integers,
    check_word,
)
from fattree_models.common.fat_tree.topology import Xgft

Int16Array = npt.NDArray[np.int16]
Climb = Literal["NCA", "TOP"]


class UpRule(Protocol):
    """A routing that is more than a name: it says which up port a packet takes."""

    def up_port(self, level: int, src: Int64Array, dst: Int64Array) -> Int64Array:
        """Return the up ports at switches of `level`, for checked leaves of equal shape."""


Routing = Literal["DMODK", "SMODK"] | UpRule


def up_port(
    tree: Xgft, routing: Routing, level: int, src: npt.ArrayLike, dst: npt.ArrayLike
) -> Int64Array:
    """Return the up port that packets take at a switch of a level.

    Parameters
    ----------
    level : int
        0 ... h - 1, the level of the switch.
    src, dst : int arrays, broadcast against each other
        Leaves.

    Returns
    -------
    int64 array
        c in 0 ... w_{l+1} - 1; the port's number is m_l + c.

    Notes
    -----
    D-mod-k: c = floor(dst / prod_{i<=l} w_i) mod w_{l+1} (Zahavi 2010); S-mod-k has src for dst.

    Examples
    --------
    >>> up_port(Xgft((4, 4, 4), (1, 4, 4)), "DMODK", 2, 0, [3, 7, 63])
    array([0, 1, 3])
    """
    sources, targets = check_pairs(tree, src, dst)
    level = check_integer("level", level, 0, tree.height - 1)
    if not isinstance(routing, str):
        return routing.up_port(level, sources, targets)
    check_word("routing", routing, "DMODK", "SMODK")
    leaf = targets if routing == "DMODK" else sources
    return np.asarray(leaf // tree.w_span(level) % tree.w[level])


def nca_level(tree: Xgft, src: npt.ArrayLike, dst: npt.ArrayLike) -> Int64Array:
    """Return the level of the nearest common ancestors: the highest i with s_i != d_i, else 0.

    Examples
    --------
    >>> nca_level(Xgft((4, 4, 3), (1, 2, 2)), 0, [0, 3, 4, 47])
    array([0, 1, 2, 3])
    """
    sources, targets = check_pairs(tree, src, dst)
    level = np.zeros(sources.shape, dtype=np.int64)
    for below in range(tree.height):
        size = tree.subtree_leaves(below)
        level += sources // size != targets // size
    return level


def turn_level(
    tree: Xgft, src: npt.ArrayLike, dst: npt.ArrayLike, climb: Climb = "NCA"
) -> Int64Array:
    """Return the level at which packets turn from up to down.

    Parameters
    ----------
    src, dst : int arrays, broadcast against each other
        Leaves; a packet to its own source turns in the first switch.
    climb : {"NCA", "TOP"}
        Turn at the nearest common ancestor, or always at the top (non-minimal).
    """
    nearest = np.maximum(nca_level(tree, src, dst), tree.first)
    if climb == "NCA":
        return nearest
    if climb == "TOP":
        return np.full(nearest.shape, tree.height, dtype=np.int64)
    raise ValueError(f"climb: is {climb!r}; allowed are NCA, TOP")


def path_count(
    tree: Xgft, src: npt.ArrayLike, dst: npt.ArrayLike, climb: Climb = "NCA"
) -> Int64Array:
    """Return how many legal routes there are: prod w_i, i up to the level of the turn.

    Examples
    --------
    >>> path_count(Xgft((4, 4, 3), (1, 2, 2)), 0, [0, 3, 4, 47])
    array([1, 1, 2, 4])
    """
    spans = np.array([tree.w_span(level) for level in range(tree.height + 1)], dtype=np.int64)
    return np.asarray(spans[turn_level(tree, src, dst, climb)] // spans[tree.first])


def hop_count(
    tree: Xgft, src: npt.ArrayLike, dst: npt.ArrayLike, climb: Climb = "NCA"
) -> Int64Array:
    """Return the switches on a route: twice the levels climbed, and the one of the turn.

    Examples
    --------
    >>> hop_count(Xgft((4, 4, 3), (1, 2, 2)), 0, [0, 3, 4, 47])
    array([1, 1, 3, 5])
    """
    return np.asarray(2 * (turn_level(tree, src, dst, climb) - tree.first) + 1)


def routes(
    tree: Xgft, src: npt.ArrayLike, dst: npt.ArrayLike, routing: Routing, climb: Climb = "NCA"
) -> Int16Array:
    """Return the output port taken at each switch.

    Returns
    -------
    int16 array [pairs, 2 (h - first) + 1]
        Port numbers in travelling order, -1 after the last hop.

    Notes
    -----
    Down ports are the destination's digits, d_l at level l, whatever the way up.

    Examples
    --------
    >>> tree = Xgft((4, 4, 3), (1, 2, 2))
    >>> routes(tree, [0, 0, 0], [3, 5, 47], "DMODK").tolist()
    [[3, -1, -1, -1, -1], [5, 1, 1, -1, -1], [5, 5, 2, 3, 3]]
    """
    sources, targets = check_lists(tree, src, dst)
    turn = turn_level(tree, sources, targets, climb)
    ports = np.full((sources.size, max_hops(tree)), -1, dtype=np.int16)
    for level in range(tree.first, tree.height):
        climbs = np.flatnonzero(turn > level)
        choice = up_port(tree, routing, level, sources[climbs], targets[climbs])
        ports[climbs, level - tree.first] = tree.down_ports(level) + choice
    for level in range(tree.first, tree.height + 1):
        passes = np.flatnonzero(turn >= level)
        hop = 2 * turn[passes] - tree.first - level
        ports[passes, hop] = down_port(tree, level, targets[passes])
    return ports


def legal(
    tree: Xgft, src: npt.ArrayLike, dst: npt.ArrayLike, ports: npt.ArrayLike, climb: Climb = "NCA"
) -> BoolArray:
    """Tell which hop lists are legal for some choice of up ports.

    Parameters
    ----------
    ports : int array [pairs, hops]
        Output ports in travelling order, -1 after the last hop; any number of columns.

    Returns
    -------
    bool array [pairs]
        Whether the list has the right length, climbs by up ports as far as it must, and descends
        by the destination's digits.

    Examples
    --------
    >>> tree = Xgft((4, 4, 3), (1, 2, 2))
    >>> legal(tree, [0, 0, 0], [5, 5, 5], [[4, 1, 1], [5, 1, 1], [5, 1, 0]])
    array([ True,  True, False])
    """
    sources, targets = check_lists(tree, src, dst)
    given = check_hops(ports, sources.size)
    turn = turn_level(tree, sources, targets, climb)
    hops = 2 * (turn - tree.first) + 1
    missing = max(max_hops(tree) - given.shape[1], 0)
    if missing:
        given = np.pad(given, ((0, 0), (0, missing)), constant_values=-1)
    # The right length, if without a gap: a -1 further on is not a port.
    good = sum((column != -1 for column in given.T), np.zeros_like(turn)) == hops
    for level in range(tree.first, tree.height):
        port = given[:, level - tree.first]
        good &= (turn <= level) | (port >= tree.down_ports(level)) & (port < tree.radix(level))
    # Where the down port of level 0 would stand; each level above is a hop earlier.
    last = np.arange(sources.size) * given.shape[1] + 2 * turn - tree.first
    for level in range(tree.first, tree.height + 1):
        port = given.take(last - level, mode="clip")
        good &= (turn < level) | (port == down_port(tree, level, targets))
    return np.asarray(good)


def down_port(tree: Xgft, level: int, dst: Int64Array) -> Int64Array:
    """Return the down port towards leaves, d_l (0, the endpoint, at level 0)."""
    if level == 0:
        return np.zeros(dst.shape, dtype=np.int64)
    return np.asarray(dst // tree.subtree_leaves(level - 1) % tree.m[level - 1])


def max_hops(tree: Xgft) -> int:
    """Return the number of switches on a longest legal route."""
    return 2 * (tree.height - tree.first) + 1


def check_pairs(
    tree: Xgft, src: npt.ArrayLike, dst: npt.ArrayLike
) -> tuple[Int64Array, Int64Array]:
    """Return sources and destinations as int64 arrays of one shape that hold leaves."""
    arrays = []
    for name, values in (("src", src), ("dst", dst)):
        array = check_integers(name, values, 0, tree.leaves - 1)
        arrays.append(array.astype(np.int64, copy=False))
    if arrays[0].shape == arrays[1].shape:
        return arrays[0], arrays[1]
    sources, targets = np.broadcast_arrays(*arrays)
    return sources, targets


def check_lists(
    tree: Xgft, src: npt.ArrayLike, dst: npt.ArrayLike
) -> tuple[Int64Array, Int64Array]:
    """Return `check_pairs` if the result is a list of pairs."""
    sources, targets = check_pairs(tree, src, dst)
    if sources.ndim != 1:
        raise ValueError(f"src, dst: have shape {sources.shape}; allowed is [pairs]")
    return sources, targets


def check_hops(ports: npt.ArrayLike, pairs: int) -> Int64Array:
    """Return hop lists as an int64 array [pairs, hops]."""
    array = check_integers("ports", ports).astype(np.int64, copy=False)
    if array.ndim != 2 or array.shape[0] != pairs:
        raise ValueError(f"ports: have shape {array.shape}; allowed is [{pairs}, hops]")
    return array
