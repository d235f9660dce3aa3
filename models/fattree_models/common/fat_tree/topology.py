"""XGFT(h; m_1..m_h; w_1..w_h): its nodes, digit labels and links.

Node (l; a_1..a_h) of level l, 0 (leaves) ... h (top), has digits 0 <= a_i < w_i for i <= l and
0 <= a_i < m_i for i > l.  Its up port c leads to level l + 1 with a_{l+1} := c, its down port q to
level l - 1 with a_l := q.  Inside a level a node's flat number is mixed radix, a_1 least
significant.

A switch of level l has the ports 0 ... m_l - 1 down and m_l ... m_l + w_{l+1} - 1 up.  With w_1 > 1
a leaf has a choice of links, so it is a switch too: port 0 to its endpoint, 1 ... w_1 up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integer, check_integers, check_range

MAX_HEIGHT = 20
MAX_LEVEL_NODES = 1 << 20
MAX_RADIX = np.iinfo(np.int16).max  # port numbers are int16 in routes and tables


@dataclass(frozen=True)
class Xgft:
    """An extended generalised fat-tree (Ohring, Ibel, Das, Kumar, 1995).

    Parameters
    ----------
    m : tuple of int [h]
        Children of a switch of level 1 ... h, each at least 1.
    w : tuple of int [h]
        Parents of a node of level 0 ... h - 1, each at least 1.

    Raises
    ------
    ValueError
        If the tuples differ in length, hold other than positive integers, or ask for more than 20
        levels, 2^20 nodes in a level, or 32767 ports of a switch.

    Examples
    --------
    The survey's Fig. 6(c), with 12, 6 and 4 switches in its levels:

    >>> tree = Xgft((4, 4, 3), (1, 2, 2))
    >>> tree.leaves, [tree.level_size(level) for level in (1, 2, 3)]
    (48, [12, 6, 4])
    """

    m: tuple[int, ...]
    w: tuple[int, ...]
    one_way: ClassVar[bool] = False  # links lead up and down

    def __post_init__(self) -> None:
        for name in ("m", "w"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        if len(self.m) != len(self.w):
            raise ValueError(
                f"w: has {len(self.w)} entries, m has {len(self.m)}; allowed is the same number"
            )
        for level in range(self.height + 1):
            if self.level_size(level) > MAX_LEVEL_NODES:
                raise ValueError(
                    f"m, w: level {level} has {self.level_size(level)} nodes; "
                    f"allowed are at most {MAX_LEVEL_NODES}"
                )
            if self.radix(level) > MAX_RADIX:
                raise ValueError(
                    f"m, w: a node of level {level} has {self.radix(level)} ports; "
                    f"allowed are at most {MAX_RADIX}"
                )

    @property
    def height(self) -> int:
        """Number of levels above the leaves, h."""
        return len(self.m)

    @property
    def leaves(self) -> int:
        """Number of leaves, the product of all m_i."""
        return self.subtree_leaves(self.height)

    @property
    def first(self) -> int:
        """Lowest level that holds switches: 1, or 0 where a leaf has several up links."""
        return 0 if self.w[0] > 1 else 1

    @property
    def switches(self) -> int:
        """Number of switches of levels 1 ... h, as the papers count them."""
        return sum(self.level_size(level) for level in range(1, self.height + 1))

    @property
    def routers(self) -> int:
        """Number of switches with the leaves that act as such (where w_1 > 1)."""
        return self.switches + (self.leaves if self.first == 0 else 0)

    @property
    def links(self) -> int:
        """Number of links, leaf links included, each counted once for its two directions."""
        return sum(self.level_size(level) * self.w[level] for level in range(self.height))

    def subtree_leaves(self, level: int) -> int:
        """Return the leaves below a node of a level, the product of m_i, i <= level."""
        return self._products[0][self._level(level)]

    def w_span(self, level: int) -> int:
        """Return the nodes of a level in one subtree of it, the product of w_i, i <= level."""
        return self._products[1][self._level(level)]

    def level_size(self, level: int) -> int:
        """Return the number of nodes of a level, 0 ... h."""
        return self.w_span(level) * (self.leaves // self.subtree_leaves(level))

    def down_ports(self, level: int) -> int:
        """Return m_l; at level 0 one (the endpoint) if a leaf is a switch, else none."""
        return self.m[level - 1] if self._level(level) else 1 - self.first

    def up_ports(self, level: int) -> int:
        """Return w_{l+1}; none at the top."""
        return self.w[level] if self._level(level) < self.height else 0

    def radix(self, level: int) -> int:
        """Return the number of ports of a node of a level."""
        return self.down_ports(level) + self.up_ports(level)

    def radices(self, level: int) -> tuple[int, ...]:
        """Return the radix of each digit of a level's labels, a_1 first."""
        level = self._level(level)
        return self.w[:level] + self.m[level:]

    def digits(self, level: int, index: npt.ArrayLike) -> Int64Array:
        """Return the label of nodes.

        Parameters
        ----------
        level : int
            0 ... h.
        index : int array [...]
            Flat numbers inside the level.

        Returns
        -------
        int64 array [..., h]
            Digits, a_1 first.

        Examples
        --------
        >>> Xgft((4, 4, 3), (1, 2, 2)).digits(0, [0, 7, 47]).tolist()
        [[0, 0, 0], [3, 1, 0], [3, 3, 2]]
        """
        rest = self._nodes(level, index)
        labels = np.empty((*rest.shape, self.height), dtype=np.int64)
        for place, radix in enumerate(self.radices(level)):
            labels[..., place] = rest % radix
            rest = rest // radix
        return labels

    def index(self, level: int, labels: npt.ArrayLike) -> Int64Array:
        """Return the flat numbers of labels, the inverse of `digits`.

        Parameters
        ----------
        level : int
            0 ... h.
        labels : int array [..., h]
            Digits, a_1 first.

        Returns
        -------
        int64 array [...]

        Examples
        --------
        >>> Xgft((4, 4, 3), (1, 2, 2)).index(0, [[3, 1, 0], [3, 3, 2]])
        array([ 7, 47])
        """
        array = check_integers("labels", labels).astype(np.int64)
        if array.ndim == 0 or array.shape[-1] != self.height:
            raise ValueError(f"labels: have shape {array.shape}; allowed is [..., {self.height}]")
        flat = np.zeros(array.shape[:-1], dtype=np.int64)
        for place in reversed(range(self.height)):
            radix = self.radices(level)[place]
            check_range(f"digit {place + 1}", array[..., place], 0, radix - 1)
            flat = flat * radix + array[..., place]
        return flat

    def up(
        self, level: int, index: npt.ArrayLike, c: npt.ArrayLike
    ) -> tuple[Int64Array, Int64Array]:
        """Return where up ports lead.

        Parameters
        ----------
        level : int
            0 ... h - 1.
        index, c : int arrays, broadcast against each other
            Nodes of that level, and up ports of them, 0 ... w_{l+1} - 1.

        Returns
        -------
        (int64 array, int64 array)
            The nodes of level + 1, and their down ports at which the links arrive.

        Examples
        --------
        >>> Xgft((4, 4, 3), (1, 2, 2)).up(1, [5, 5], [0, 1])
        (array([2, 3]), array([1, 1]))
        """
        level = check_integer("level", level, 0, self.height - 1)
        nodes = self._nodes(level, index)
        choice = self._ports("up port", self.up_ports(level), c)
        below, span, radix = nodes % self.w_span(level), self.w_span(level), self.m[level]
        place, high = nodes // span % radix, nodes // (span * radix)
        above = below + span * (choice + self.w[level] * high)
        return above, np.broadcast_to(place, above.shape).copy()

    def down(self, level: int, index: npt.ArrayLike, q: npt.ArrayLike) -> Int64Array:
        """Return where down ports lead.

        Parameters
        ----------
        level : int
            1 ... h.
        index, q : int arrays, broadcast against each other
            Nodes of that level, and down ports of them, 0 ... m_l - 1.

        Returns
        -------
        int64 array
            The nodes of level - 1; `arrival` tells their up port.

        Examples
        --------
        >>> Xgft((4, 4, 3), (1, 2, 2)).down(2, [2, 3], 1)
        array([5, 5])
        """
        level = check_integer("level", level, 1, self.height)
        nodes = self._nodes(level, index)
        choice = self._ports("down port", self.m[level - 1], q)
        span = self.w_span(level - 1)
        high = nodes // self.w_span(level)
        return np.asarray(nodes % span + span * (choice + self.m[level - 1] * high))

    def arrival(self, level: int, index: npt.ArrayLike) -> Int64Array:
        """Return the up port, at each of its children, whose link leads to a node: its digit a_l.

        Examples
        --------
        >>> Xgft((4, 4, 3), (1, 2, 2)).arrival(2, [2, 3])
        array([0, 1])
        """
        level = check_integer("level", level, 1, self.height)
        nodes = self._nodes(level, index)
        return np.asarray(nodes // self.w_span(level - 1) % self.w[level - 1])

    @cached_property
    def _products(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Products of m_i and of w_i, i <= l, for l = 0 ... h."""
        levels = range(self.height + 1)
        below = tuple(math.prod(self.m[:level]) for level in levels)
        return below, tuple(math.prod(self.w[:level]) for level in levels)

    def _level(self, level: int) -> int:
        return check_integer("level", level, 0, self.height)

    def _nodes(self, level: int, index: npt.ArrayLike) -> Int64Array:
        most = self.level_size(level) - 1
        return check_integers("index", index, 0, most).astype(np.int64, copy=False)

    @staticmethod
    def _ports(name: str, ports: int, values: npt.ArrayLike) -> Int64Array:
        return check_integers(name, values, 0, ports - 1).astype(np.int64, copy=False)


def positive(name: str, values: Sequence[int]) -> tuple[int, ...]:
    """Return `values`, one a level, as a tuple of 1 ... 20 positive ints."""
    if isinstance(values, str) or not isinstance(values, (Sequence, np.ndarray)):
        raise ValueError(f"{name}: is {values!r}; allowed is one integer a level")
    if not 1 <= len(values) <= MAX_HEIGHT:
        raise ValueError(f"{name}: has {len(values)} entries; allowed are 1 … {MAX_HEIGHT}")
    return tuple(check_integer(name, value, 1) for value in values)
