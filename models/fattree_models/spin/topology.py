"""SPIN's trees by number of terminals, its routes, and the turns that a router's crossbar has.

RSPIN has 8 ports, and SPIN is a 4-ary n-tree of it: 16 terminals in two levels, 64 in three.  For
32 terminals, ours: two levels, in which the routers of the top use all their ports downwards.  (A
published network of 32 joins the tops of two trees of 16; of it we have no drawing.)

A packet climbs by any free parent, chosen by round robin, until it is above its destination, then
goes down by the destination's digits.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fattree_models.common.checks import BoolArray, check_integer
from fattree_models.common.fat_tree import Xgft, kary

TREES = {16: kary(4, 2), 32: Xgft((4, 8), (1, 4)), 64: kary(4, 3)}
BUFFERS = 2
"""Shared output buffers of a router."""


def tree(terminals: int) -> Xgft:
    """Return the tree of a SPIN.

    Parameters
    ----------
    terminals : int
        16, 32 or 64.

    Examples
    --------
    >>> [tree(terminals).switches for terminals in (16, 32, 64)]
    [8, 12, 48]
    """
    if check_integer("terminals", terminals) not in TREES:
        raise ValueError(f"terminals: is {terminals}; allowed are integers 16, 32, 64")
    return TREES[int(terminals)]


@dataclass(frozen=True)
class Choice:
    """What a packet may do at a router.

    Parameters
    ----------
    way : {"UP", "DOWN"}
    ports : tuple of int
        Outputs: all parents, or the one child; children come first in the numbering.
    """

    way: Literal["UP", "DOWN"]
    ports: tuple[int, ...]


def choices(network: Xgft, level: int, node: int, dst: int) -> Choice:
    """Return the legal outputs of a packet for `dst` at a router.

    Examples
    --------
    >>> choices(tree(16), 1, 0, 3), choices(tree(16), 1, 0, 4)
    (Choice(way='DOWN', ports=(3,)), Choice(way='UP', ports=(4, 5, 6, 7)))
    """
    level = check_integer("level", level, 1, network.height)
    node = check_integer("node", node, 0, network.level_size(level) - 1)
    dst = check_integer("dst", dst, 0, network.leaves - 1)
    children = network.down_ports(level)
    if node // network.w_span(level) == dst // network.subtree_leaves(level):
        return Choice("DOWN", (dst // network.subtree_leaves(level - 1) % children,))
    return Choice("UP", tuple(range(children, children + network.up_ports(level))))


def crossbar(children: int = 4, parents: int = 4, shared: int = 1) -> BoolArray:
    """Return which connections a router has, bool [inputs, outputs].

    Rows and columns are children, parents, then, if `shared` is 1, the two buffers.

    Notes
    -----
    From a child to every parent, every other child and the buffers; from a parent to every child
    and the buffers; from a buffer to every child.  Absent are: back to the child from which a
    packet came, from down to up, from a buffer up or to a buffer.  So only packets on the way down,
    those that turn included, enter a buffer (ours: the survey names no buffer).

    Examples
    --------
    >>> int(crossbar().sum()), crossbar().shape
    (68, (10, 10))
    """
    children = check_integer("children", children, 1, 64)
    parents = check_integer("parents", parents, 0, 64)
    buffers = BUFFERS * check_integer("shared", shared, 0, 1)
    kind = np.repeat([0, 1, 2], [children, parents, buffers])
    meet = np.array([[1, 1, 1], [1, 0, 1], [1, 0, 0]], dtype=np.bool_)
    allowed = meet[kind[:, None], kind[None, :]]
    own = np.arange(children)
    allowed[own, own] = False
    return np.asarray(allowed)
