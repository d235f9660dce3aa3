"""Traffic patterns: where the packets of each node go."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int32Array, Int64Array, check_integers, check_range
from fattree_models.traffic.choice import Choice, FloatArray
from fattree_models.traffic.words import check_nodes


@dataclass(frozen=True, eq=False)
class Pattern(ABC):
    """Where the packets of each node go.

    Attributes
    ----------
    name : str
        As the user wrote it.
    nodes : int
        N; they are called 0 ... N-1.
    """

    name: str
    nodes: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", check_nodes(self.nodes))

    @property
    def fixed(self) -> Int32Array | None:
        """The one destination of each node, int32 [N], -1: no traffic; None if there are more."""
        return None

    @property
    def senders(self) -> Int32Array:
        """The nodes that have traffic, increasing."""
        return np.arange(self.nodes, dtype=np.int32)

    @abstractmethod
    def draw(self, source: Int32Array, rng: np.random.Generator, count: Int64Array) -> Int32Array:
        """Return a destination for each packet.

        Parameters
        ----------
        source : int32 array [packets]
            Nodes of `senders`.
        count : int64 array [packets]
            How many packets the same source has sent before.

        Returns
        -------
        int32 array [packets]
        """

    @abstractmethod
    def matrix(self) -> FloatArray:
        """Return the traffic matrix, float64 [N, N].

        Entry (s, d) is the share of the packets of s that go to d; the row of a node without
        traffic is 0, all others sum to 1.
        """


@dataclass(frozen=True, eq=False)
class Permutation(Pattern):
    """Each node sends to one other, or to itself."""

    destination: Int32Array

    @property
    def fixed(self) -> Int32Array:
        return self.destination

    @property
    def senders(self) -> Int32Array:
        return np.flatnonzero(self.destination >= 0).astype(np.int32)

    def draw(self, source: Int32Array, rng: np.random.Generator, count: Int64Array) -> Int32Array:
        return self.destination[source]

    def matrix(self) -> FloatArray:
        result = np.zeros((self.nodes, self.nodes))
        result[self.senders, self.destination[self.senders]] = 1.0
        return result


@dataclass(frozen=True, eq=False)
class Uniform(Pattern):
    """All of some nodes are equally likely; a node sends to itself only if `itself` is set.

    Attributes
    ----------
    among : int32 array [receivers]
        The nodes that packets may go to, increasing.
    itself : bool
        Whether a node may draw itself.
    """

    among: Int32Array
    itself: bool

    @property
    def _place(self) -> Int64Array:
        """Where in `among` stands the node that may not be drawn, int64 [N]; else its length."""
        place = np.full(self.nodes, self.among.size, dtype=np.int64)
        if not self.itself:
            place[self.among] = np.arange(self.among.size)
        return place

    @property
    def senders(self) -> Int32Array:
        return np.flatnonzero(self._left(self._place) > 0).astype(np.int32)

    def _left(self, place: Int64Array) -> Int64Array:
        """Return how many receivers are left of those in `among`."""
        return self.among.size - (place < self.among.size)

    def draw(self, source: Int32Array, rng: np.random.Generator, count: Int64Array) -> Int32Array:
        if self.itself:
            return self.among[rng.integers(self.among.size, size=source.size)]
        place = self._place[source]
        left = self._left(place)
        same = left.size > 0 and left.min() == left.max()
        # One limit for all is several times as fast as an array of the same limits.
        drawn = rng.integers(left[0] if same else left, size=source.size)
        drawn += drawn >= place
        return self.among[drawn]

    def matrix(self) -> FloatArray:
        result = np.zeros((self.nodes, self.nodes))
        result[:, self.among] = 1.0
        if not self.itself:
            np.fill_diagonal(result, 0.0)
        return np.asarray(result / np.maximum(result.sum(axis=1, keepdims=True), 1.0))


@dataclass(frozen=True, eq=False)
class Offsets(Pattern):
    """The distance from source to destination, modulo N, is drawn: the same for all nodes."""

    offset: Choice

    def draw(self, source: Int32Array, rng: np.random.Generator, count: Int64Array) -> Int32Array:
        return (source + self.offset.draw(rng, source.size)) % np.int32(self.nodes)

    def matrix(self) -> FloatArray:
        result = np.zeros((self.nodes, self.nodes))
        s = np.arange(self.nodes)
        for offset, share in zip(self.offset.values, self.offset.shares, strict=True):
            result[s, (s + offset) % self.nodes] = share
        return result


@dataclass(frozen=True, eq=False)
class Hotspot(Pattern):
    """A share of the packets goes to some nodes by weight, the others are uniform.

    As in BookSim a hot node also sends its share to itself; uniform packets never do.

    Attributes
    ----------
    hot : Choice
        The nodes and their weights.
    share : float
        Above 0, at most 1.  With 1 it is BookSim's hotspot, with less the classic one of Pfister
        and Norton.
    """

    hot: Choice
    share: float

    @property
    def _others(self) -> Uniform:
        return uniform(self.nodes)

    def draw(self, source: Int32Array, rng: np.random.Generator, count: Int64Array) -> Int32Array:
        if self.share >= 1.0:
            return self.hot.draw(rng, source.size)
        result = self._others.draw(source, rng, count)
        hot = rng.random(source.size) < self.share
        result[hot] = self.hot.draw(rng, int(np.count_nonzero(hot)))
        return result

    def matrix(self) -> FloatArray:
        result = (1.0 - self.share) * self._others.matrix()
        result[:, self.hot.values] += self.share * self.hot.shares
        return result


@dataclass(frozen=True, eq=False)
class RoundRobin(Pattern):
    """Packet k of node s goes to (s + 1 + (k mod (N-1))) mod N: all others in turn (ours)."""

    def draw(self, source: Int32Array, rng: np.random.Generator, count: Int64Array) -> Int32Array:
        return ((source + 1 + count % (self.nodes - 1)) % self.nodes).astype(np.int32)

    def matrix(self) -> FloatArray:
        return uniform(self.nodes).matrix()


def uniform(nodes: int, itself: bool = False, without: npt.ArrayLike = ()) -> Uniform:
    """Return uniform traffic.

    Parameters
    ----------
    itself : bool
        Whether nodes also send to themselves, as in BookSim.
    without : int array
        Nodes that receive nothing; they do send.

    Raises
    ------
    ValueError
        If `without` holds something other than nodes, or all nodes.

    Examples
    --------
    >>> uniform(3, without=[2]).matrix()
    array([[0. , 1. , 0. ],
           [1. , 0. , 0. ],
           [0.5, 0.5, 0. ]])
    """
    nodes = check_nodes(nodes)
    excluded = check_integers("without", without, 0, nodes - 1)
    among = np.setdiff1d(np.arange(nodes, dtype=np.int32), excluded).astype(np.int32)
    if among.size == 0:
        raise ValueError("without: holds all nodes; allowed are fewer")
    return Uniform("background" if excluded.size else "uniform", nodes, among, itself)


def permutation(destination: npt.ArrayLike, name: str = "permutation") -> Permutation:
    """Return the pattern in which node s sends to `destination[s]` only, or nothing if that is -1.

    Parameters
    ----------
    destination : int array [nodes]
        No destination twice, at least one.

    Examples
    --------
    >>> permutation([1, -1, 0]).matrix()
    array([[0., 1., 0.],
           [0., 0., 0.],
           [1., 0., 0.]])
    """
    to = check_integers("permutation", destination).ravel()
    check_nodes(to.size)
    check_range("permutation", to, -1, to.size - 1)
    times = np.bincount(to[to >= 0], minlength=1)
    if times.max() > 1:
        raise ValueError(f"permutation: holds {times.argmax()} more than once; allowed is once")
    if times.max() < 1:
        raise ValueError("permutation: holds only -1; allowed is at least one destination")
    return Permutation(name, to.size, to.astype(np.int32))


def every_pair(nodes: int) -> tuple[Int64Array, Int64Array]:
    """Return source and destination of every pair of two nodes, int64 [pairs].

    Examples
    --------
    >>> every_pair(2)
    (array([0, 1]), array([1, 0]))
    """
    nodes = check_nodes(nodes)
    source, destination = np.divmod(np.arange(nodes * nodes), nodes)
    other = source != destination
    return source[other], destination[other]
