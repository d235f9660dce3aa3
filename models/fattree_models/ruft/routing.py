"""RUFT: a k-ary n-tree without links down (Gomez, Requena, Gomez, Lopez, Duato 2008).

n stages of k^(n-1) unidirectional k x k switches.  With digits of base k, least significant first,
and the position a_1 + a_2 k + ... + a_{n-1} k^{n-2} of a switch in its stage:

    leaf p enters the switch of stage 0 with a_i = p_i, at its input p_0;
    output u of stage l < n - 1 leads to the switch of stage l + 1 with a_{l+1} := u, at its
    input old a_{l+1};
    output u of stage n - 1 leads, by the long link, to leaf (u, a_{n-1} ... a_1);
    a packet for leaf d takes output d_l of stage l.

So every pair takes n switches and has one path; the network is feed-forward, without deadlock.
Stage l is level l + 1 of the k-ary n-tree, and switches have the tree's numbers.

`Ruft` has the wiring: `enter`, `onward`, `leave`.  `routes` tells the outputs that packets take,
`walk` where outputs lead, `legal` whether hop lists are routes; `link_loads` counts packets a link
of a list of pairs, `route_loads` of hop lists, `all_pairs_loads` of all pairs; `reach` and
`destinations` tell whom a link serves.  `ruft.tree` compares a RUFT with the tree it comes from.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, check_integer, check_integers
from fattree_models.common.fat_tree.loads import CHUNK, LoadArray, check_weights
from fattree_models.common.fat_tree.routing import Int16Array, check_hops
from fattree_models.common.fat_tree.shapes import kary


@dataclass(frozen=True)
class Ruft:
    """The wiring of a RUFT.

    Parameters
    ----------
    k : int
        Inputs, and outputs, of a switch.
    n : int
        Stages.

    Raises
    ------
    ValueError
        If no k-ary n-tree has that size.

    Examples
    --------
    >>> net = Ruft(2, 3)
    >>> net.leaves, net.width, net.switches
    (8, 4, 12)
    """

    k: int
    n: int
    one_way: ClassVar[bool] = True  # all links lead on, the last ones to the leaves

    def __post_init__(self) -> None:
        tree = kary(self.k, self.n)
        object.__setattr__(self, "k", tree.m[0])
        object.__setattr__(self, "n", tree.height)

    @property
    def leaves(self) -> int:
        """Number of leaves, k^n."""
        return int(self.k**self.n)

    @property
    def width(self) -> int:
        """Switches of a stage, k^(n-1)."""
        return int(self.k ** (self.n - 1))

    @property
    def switches(self) -> int:
        """Switches of all stages."""
        return self.n * self.width

    def enter(self, leaf: npt.ArrayLike) -> tuple[Int64Array, Int64Array]:
        """Return the switches of stage 0 that leaves feed, and at which inputs.

        Examples
        --------
        >>> Ruft(2, 3).enter([0, 5])
        (array([0, 2]), array([0, 1]))
        """
        leaves = self._checked("leaf", leaf, self.leaves)
        return leaves // self.k, leaves % self.k

    def onward(
        self, stage: int, switch: npt.ArrayLike, output: npt.ArrayLike
    ) -> tuple[Int64Array, Int64Array]:
        """Return the switches of the next stage behind outputs of `stage`, and their inputs.

        Parameters
        ----------
        stage : int
            0 ... n - 2.
        switch, output : int arrays, broadcast against each other

        Examples
        --------
        >>> Ruft(2, 3).onward(1, [0, 2], [1, 1])
        (array([2, 2]), array([0, 1]))
        """
        place = self.k ** check_integer("stage", stage, 0, self.n - 2)  # the weight of a_{l+1}
        switches = self._checked("switch", switch, self.width)
        outputs = self._checked("output", output, self.k)
        old = switches // place % self.k
        following = np.asarray(switches + (outputs - old) * place)
        return following, np.broadcast_to(old, following.shape).copy()

    def leave(self, switch: npt.ArrayLike, output: npt.ArrayLike) -> Int64Array:
        """Return the leaves behind outputs of the last stage.

        Examples
        --------
        >>> Ruft(2, 3).leave([3, 3], [0, 1])
        array([3, 7])
        """
        switches = self._checked("switch", switch, self.width)
        return np.asarray(switches + self.width * self._checked("output", output, self.k))

    @staticmethod
    def _checked(name: str, values: npt.ArrayLike, count: int) -> Int64Array:
        return check_integers(name, values, 0, count - 1).astype(np.int64, copy=False)


@dataclass(frozen=True)
class Way:
    """The switches that hop lists visit.

    Parameters
    ----------
    switch, entry : int64 arrays [pairs, n]
        Switch of each stage, and the input at which it is entered; -1 after a port that does not
        exist.
    end : int64 array [pairs]
        The leaf that is reached, -1 if none is: a hop list must hold n outputs, then only -1.
    """

    switch: Int64Array
    entry: Int64Array
    end: Int64Array


def routes(net: Ruft, dst: npt.ArrayLike) -> Int16Array:
    """Return the output taken at each stage, whatever the source: the digits of `dst`.

    Parameters
    ----------
    dst : int array [pairs]

    Returns
    -------
    int16 array [pairs, n]

    Examples
    --------
    >>> routes(Ruft(2, 3), [6]).tolist()
    [[0, 1, 1]]
    """
    targets = np.atleast_1d(net._checked("dst", dst, net.leaves))
    return np.asarray(targets[:, None] // net.k ** np.arange(net.n) % net.k, dtype=np.int16)


def walk(net: Ruft, src: npt.ArrayLike, ports: npt.ArrayLike) -> Way:
    """Follow hop lists, int [pairs, hops], from leaves `src`.

    Examples
    --------
    >>> way = walk(Ruft(2, 3), [7], [[0, 1, 1]])
    >>> way.switch.tolist(), way.entry.tolist(), way.end.tolist()
    ([[3, 2, 2]], [[1, 1, 1]], [6])
    """
    sources = np.atleast_1d(net._checked("src", src, net.leaves))
    given = check_hops(ports, sources.size)
    short = max(net.n - given.shape[1], 0)
    given = np.pad(given, ((0, 0), (0, short)), constant_values=-1)
    switch = np.full((sources.size, net.n), -1, dtype=np.int64)
    entry, end = np.full_like(switch, -1), np.full_like(sources, -1)
    switch[:, 0], entry[:, 0] = net.enter(sources)
    for stage in range(net.n):
        port = given[:, stage]
        goes = np.flatnonzero((switch[:, stage] >= 0) & (port >= 0) & (port < net.k))
        at, out = switch[goes, stage], port[goes]
        if stage < net.n - 1:
            switch[goes, stage + 1], entry[goes, stage + 1] = net.onward(stage, at, out)
        else:
            end[goes] = net.leave(at, out)
    end[(given[:, net.n :] != -1).any(axis=1)] = -1
    return Way(switch, entry, end)


def legal(net: Ruft, src: npt.ArrayLike, dst: npt.ArrayLike, ports: npt.ArrayLike) -> BoolArray:
    """Tell which hop lists lead from `src` to `dst`; there is one for each pair.

    Examples
    --------
    >>> legal(Ruft(2, 2), [0, 0], [2, 2], [[0, 1], [1, 0]])
    array([ True, False])
    """
    targets = np.atleast_1d(net._checked("dst", dst, net.leaves))
    return np.asarray(walk(net, src, ports).end == targets)


def link_loads(
    net: Ruft, src: npt.ArrayLike, dst: npt.ArrayLike, weight: npt.ArrayLike | None = None
) -> LoadArray:
    """Return the load of the link behind every output under a list of pairs.

    Parameters
    ----------
    weight : int or float array [pairs], optional
        What a pair counts for, 1 if not given.

    Returns
    -------
    int64 or float64 array [n, width, k]

    Examples
    --------
    >>> link_loads(Ruft(2, 2), [0, 1, 2, 3], [3, 2, 1, 0]).tolist()
    [[[1, 1], [1, 1]], [[1, 1], [1, 1]]]
    """
    return route_loads(net, src, routes(net, dst), weight)


def route_loads(
    net: Ruft, src: npt.ArrayLike, ports: npt.ArrayLike, weight: npt.ArrayLike | None = None
) -> LoadArray:
    """Return the load of the link behind every output under hop lists, as observed.

    Raises
    ------
    ValueError
        If a hop list ends at no leaf.
    """
    way = walk(net, src, ports)
    if (way.end < 0).any():
        lost = int(np.atleast_1d(src)[way.end < 0][0])
        raise ValueError(f"ports: a route from leaf {lost} ends at no leaf")
    weights = check_weights(weight, way.end.size)
    total = np.zeros((net.n, net.width, net.k), dtype=weights.dtype)
    taken = np.asarray(ports)
    for stage in range(net.n):
        np.add.at(total[stage], (way.switch[:, stage], taken[:, stage]), weights)
    return total


def all_pairs_loads(net: Ruft) -> Int64Array:
    """Return the load of every link, [n, width, k], if every leaf sends to every other leaf.

    Notes
    -----
    O(leaves^2).  It is k^n - 1 on every link: k^{l+1} sources, k^{n-1-l} destinations, and one leaf
    that is both.
    """
    total = np.zeros((net.n, net.width, net.k), dtype=np.int64)
    for src, dst in all_pairs(net):
        others = src != dst
        total += link_loads(net, src[others], dst[others]).astype(np.int64)
    return total


def reach(net: Ruft) -> BoolArray:
    """Tell which links lead packets to which leaves, bool [n, width, k, leaves].

    Notes
    -----
    O(leaves^2), with the self pairs.

    Examples
    --------
    The first output of the second switch in the middle of the survey's Fig. 5:

    >>> np.flatnonzero(reach(Ruft(2, 3))[1, 1, 0]).tolist()
    [1, 5]
    """
    served = np.zeros((net.n, net.width, net.k, net.leaves), dtype=np.bool_)
    for src, dst in all_pairs(net):
        ports = routes(net, dst)
        way = walk(net, src, ports)
        for stage in range(net.n):
            served[stage, way.switch[:, stage], ports[:, stage], dst] = True
    return served


def destinations(net: Ruft) -> Int64Array:
    """Return how many leaves each link leads to, [n, width, k]: k^{n-1-l} behind stage l.

    Examples
    --------
    >>> destinations(Ruft(2, 3))[:, 0, 0].tolist()
    [4, 2, 1]
    """
    return np.asarray(reach(net).sum(axis=-1, dtype=np.int64))


def all_pairs(net: Ruft) -> Iterator[tuple[Int64Array, Int64Array]]:
    """Return all pairs, self pairs included, in parts."""
    for begin in range(0, net.leaves**2, CHUNK):
        yield np.divmod(np.arange(begin, min(begin + CHUNK, net.leaves**2)), net.leaves)
