"""Addresses as vectors: each digit of a leaf's label in a bit field of its own.

Kariniemi and Nurmi (2004) call it address-space encoding.  Field i holds d_i, in as few bits as
m_i - 1 needs (none if m_i is 1); d_1 is least significant.  A switch of level l then decides
without a division: a leaf is below it if the fields above l are its own, a comparison under a mask,
and the way down to it is field l.

`widths`, `bits` and `shift` tell where fields are; `encode` and `decode` turn leaves into vectors
and back; `field` is the down port; `mask`, `prefix` and `inside` compare.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, check_integer, check_integers
from fattree_models.common.fat_tree.topology import Xgft


def widths(tree: Xgft) -> tuple[int, ...]:
    """Return the bits of each field, d_1 first.

    Examples
    --------
    >>> widths(Xgft((4, 3, 5), (1, 2, 2)))
    (2, 2, 3)
    """
    return tuple((children - 1).bit_length() for children in tree.m)


def bits(tree: Xgft) -> int:
    """Return the bits of an address."""
    return sum(widths(tree))


def shift(tree: Xgft, level: int) -> int:
    """Return the place of the lowest bit of the field of a level, 1 ... h.

    Examples
    --------
    >>> [shift(Xgft((4, 3, 5), (1, 2, 2)), level) for level in (1, 2, 3)]
    [0, 2, 4]
    """
    return sum(widths(tree)[: check_integer("level", level, 1, tree.height) - 1])


def encode(tree: Xgft, leaf: npt.ArrayLike) -> Int64Array:
    """Return the vectors of leaves, int64 [...].

    Examples
    --------
    Leaf 59 = 3 + 4 (2 + 3 * 4) has the digits 3, 2, 4:

    >>> [f"{vector:07b}" for vector in encode(Xgft((4, 3, 5), (1, 2, 2)), [0, 59])]
    ['0000000', '1001011']
    """
    digits = tree.digits(0, leaf)
    shifts = [shift(tree, level) for level in range(1, tree.height + 1)]
    return np.asarray((digits << np.array(shifts, dtype=np.int64)).sum(axis=-1))


def decode(tree: Xgft, vector: npt.ArrayLike) -> Int64Array:
    """Return the leaves of vectors, the inverse of `encode`.

    Raises
    ------
    ValueError
        If a field holds no digit, m_i or more.

    Examples
    --------
    >>> decode(Xgft((4, 3, 5), (1, 2, 2)), 0b100_10_11)
    np.int64(59)
    """
    array = _vectors(tree, vector)
    fields = [field(tree, level, array) for level in range(1, tree.height + 1)]
    return tree.index(0, np.stack(fields, axis=-1))


def field(tree: Xgft, level: int, vector: npt.ArrayLike) -> Int64Array:
    """Return d_l, the down port towards leaves at a switch of a level, 1 ... h."""
    array, least = _vectors(tree, vector), shift(tree, level)
    return np.asarray(array >> least & (1 << widths(tree)[level - 1]) - 1)


def mask(tree: Xgft, level: int) -> int:
    """Return ones in the fields above a level, 0 ... h: those that a switch of it compares.

    Examples
    --------
    >>> [f"{mask(Xgft((4, 3, 5), (1, 2, 2)), level):07b}" for level in range(4)]
    ['1111111', '1111100', '1110000', '0000000']
    """
    below = sum(widths(tree)[: check_integer("level", level, 0, tree.height)])
    return (1 << bits(tree)) - (1 << below)


def prefix(tree: Xgft, level: int, node: npt.ArrayLike) -> Int64Array:
    """Return the fields above a level that the leaves below nodes share, in place.

    Examples
    --------
    >>> [f"{vector:07b}" for vector in prefix(Xgft((4, 3, 5), (1, 2, 2)), 2, [0, 9])]
    ['0000000', '1000000']
    """
    subtree = tree.digits(level, node)
    subtree[..., :level] = 0
    return encode(tree, tree.index(0, subtree))


def inside(tree: Xgft, level: int, node: npt.ArrayLike, vector: npt.ArrayLike) -> BoolArray:
    """Tell which leaves are below nodes of a level, by a comparison under `mask`."""
    differ = prefix(tree, level, node) ^ _vectors(tree, vector)
    return np.asarray((differ & mask(tree, level)) == 0)


def _vectors(tree: Xgft, vector: npt.ArrayLike) -> Int64Array:
    most = (1 << bits(tree)) - 1
    return check_integers("vector", vector, 0, most).astype(np.int64, copy=False)
