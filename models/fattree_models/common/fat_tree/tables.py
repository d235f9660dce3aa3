"""Forwarding tables: an output port for every switch and address, and what comes of them.

A leaf owns `paths` addresses in a row, address = leaf * paths + rank; the source chooses the rank,
the switches look nothing up but the address.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int8Array, Int64Array, check_integer
from fattree_models.common.fat_tree.routing import (
    Int16Array,
    check_lists,
    check_pairs,
    down_port,
    max_hops,
    up_port,
)
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.common.fat_tree.walk import LOST, start, step

RankRule = Callable[[Xgft, Int64Array, Int64Array], Int64Array]


class Fate(IntEnum):
    """What becomes of a packet that is sent by tables."""

    DELIVERED = 0
    MISDELIVERED = 1
    NO_PORT = 2
    LOOPS = 3


def rank_zero(tree: Xgft, src: Int64Array, dst: Int64Array) -> Int64Array:
    """Return rank 0: leaves have one address, or use only the first."""
    return np.zeros(src.shape, dtype=np.int64)


@dataclass(frozen=True)
class Tables:
    """The forwarding tables of all switches.

    Parameters
    ----------
    ports : tuple of int16 arrays, by level 0 ... h
        `ports[l]` is [level_size(l), leaves * paths]: the output port of each switch for each
        address, -1 where there is none.  `ports[0]` has no rows unless leaves are switches.
    paths : int
        Addresses per leaf, at least 1.
    rank : function (tree, src, dst) -> int64 array
        Which of the destination's addresses a source writes.
    """

    tree: Xgft
    ports: tuple[Int16Array, ...]
    paths: int = 1
    rank: RankRule = rank_zero

    def __post_init__(self) -> None:
        object.__setattr__(self, "paths", check_integer("paths", self.paths, 1))
        if len(self.ports) != self.tree.height + 1:
            raise ValueError(
                f"ports: have {len(self.ports)} levels; allowed are {self.tree.height + 1}"
            )
        for level, array in enumerate(self.ports):
            rows = self.tree.level_size(level) if level >= self.tree.first else 0
            if array.shape != (rows, self.addresses) or array.dtype != np.int16:
                raise ValueError(
                    f"ports: level {level} is {array.dtype} {array.shape}; "
                    f"allowed is int16 {(rows, self.addresses)}"
                )

    @property
    def addresses(self) -> int:
        """Number of addresses, leaves * paths."""
        return self.tree.leaves * self.paths

    def address(self, src: npt.ArrayLike, dst: npt.ArrayLike) -> Int64Array:
        """Return the addresses that sources write to reach destinations.

        Parameters
        ----------
        src, dst : int arrays, broadcast against each other
            Leaves.

        Returns
        -------
        int64 array
        """
        sources, targets = check_pairs(self.tree, src, dst)
        return np.asarray(targets * self.paths + self.rank(self.tree, sources, targets))


def tables_of(
    tree: Xgft,
    up: Callable[[int, Int64Array], Int64Array],
    paths: int = 1,
    rank: RankRule = rank_zero,
) -> Tables:
    """Return the tables that go down where the destination is below, and else up by a rule.

    Parameters
    ----------
    up : function (level, addresses int64 [1, addresses]) -> int64 array [1 or nodes, addresses]
        Up ports, 0 ... w_{l+1} - 1.
    paths : int
    rank : function
        As in `Tables`.
    """
    paths = check_integer("paths", paths, 1)
    address = np.arange(tree.leaves * paths)[None, :]
    leaf = address // paths
    ports: list[Int16Array] = []
    for level in range(tree.height + 1):
        rows = tree.level_size(level) if level >= tree.first else 0
        table = np.broadcast_to(down_port(tree, level, leaf), (rows, address.size)).copy()
        if rows and level < tree.height:
            above = tree.down_ports(level) + up(level, address)
            table = np.where(_below(tree, level, leaf), table, above)
        ports.append(table.astype(np.int16))
    return Tables(tree, tuple(ports), paths, rank)


def dmodk_tables(tree: Xgft) -> Tables:
    """Return the tables of D-mod-k, one address a leaf.

    Examples
    --------
    >>> dmodk_tables(Xgft((2, 2), (1, 2))).ports[1].tolist()
    [[0, 1, 2, 3], [2, 3, 0, 1]]
    """
    return tables_of(tree, lambda level, address: up_port(tree, "DMODK", level, address, address))


def table_routes(tables: Tables, src: npt.ArrayLike, dst: npt.ArrayLike) -> Int16Array:
    """Return the output port taken at each switch.

    Parameters
    ----------
    tables : Tables

    Returns
    -------
    int16 array [pairs, hops]
        As `routes`: -1 after the last hop, at least 2 (h - first) + 1 columns.

    Raises
    ------
    ValueError
        If a leaf does not exist, or a packet is not delivered; the message tells which and why.

    Examples
    --------
    >>> table_routes(dmodk_tables(Xgft((2, 2), (1, 2))), [0, 0], [1, 3]).tolist()
    [[1, -1, -1], [3, 1, 1]]
    """
    sources, targets = check_lists(tables.tree, src, dst)
    ports, fate = follow_tables(tables, sources, targets)
    wrong = np.flatnonzero(fate != Fate.DELIVERED)
    if wrong.size:
        first = int(wrong[0])
        raise ValueError(
            f"tables: {wrong.size} of {fate.size} packets are not delivered, the first from "
            f"{sources[first]} to {targets[first]}: {Fate(fate[first]).name}"
        )
    return ports


def fates(tables: Tables, src: npt.ArrayLike, dst: npt.ArrayLike) -> Int8Array:
    """Return what becomes of packets, a `Fate` each, int8 [pairs]."""
    return follow_tables(tables, *check_lists(tables.tree, src, dst))[1]


def follow_tables(tables: Tables, src: Int64Array, dst: Int64Array) -> tuple[Int16Array, Int8Array]:
    """Return the hops [pairs, hops] and fates [pairs] of packets between checked leaves.

    Notes
    -----
    Where a packet goes depends on nothing but where it is, so it loops iff it comes to a switch
    twice.  Each is compared with where it was at the last hop whose number is a power of two
    (Brent), which finds every loop, however long, without keeping the way.
    """
    tree, address = tables.tree, tables.address(src, dst)
    level, node = start(tree, src)
    seen_level, seen_node = level.copy(), node.copy()
    fate = np.full(src.shape, -1, dtype=np.int8)
    columns: list[Int16Array] = []
    while (fate < 0).any():
        moving = np.flatnonzero(fate < 0)
        port = _look_up(tables, level[moving], node[moving], address[moving])
        columns.append(np.full(src.shape, -1, dtype=np.int16))
        columns[-1][moving] = port
        level[moving], node[moving] = step(tree, level[moving], node[moving], port)
        fate[moving] = _fate(tree, level[moving], node[moving], dst[moving])
        loops = (level == seen_level) & (node == seen_node) & (fate < 0)
        fate[loops] = Fate.LOOPS
        if len(columns) & (len(columns) - 1) == 0:
            seen_level, seen_node = level.copy(), node.copy()
    columns += [np.full(src.shape, -1, dtype=np.int16)] * (max_hops(tree) - len(columns))
    return np.stack(columns, axis=1), fate


def _below(tree: Xgft, level: int, leaf: Int64Array) -> BoolArray:
    """Tell which leaves [1, addresses] are below which nodes of a level, [nodes, addresses]."""
    subtree = np.arange(tree.level_size(level))[:, None] // tree.w_span(level)
    return np.asarray(leaf // tree.subtree_leaves(level) == subtree)


def _look_up(
    tables: Tables, level: Int64Array, node: Int64Array, address: Int64Array
) -> Int64Array:
    port = np.full(level.shape, -1, dtype=np.int64)
    for each in range(tables.tree.first, tables.tree.height + 1):
        here = level == each
        port[here] = tables.ports[each][node[here], address[here]]
    return port


def _fate(tree: Xgft, level: Int64Array, node: Int64Array, dst: Int64Array) -> Int8Array:
    """Return the fate of packets after a hop, -1 for those under way."""
    arrived = np.where(node == dst, Fate.DELIVERED, Fate.MISDELIVERED)
    fate = np.where(level == tree.first - 1, arrived, -1)
    fate[level == LOST] = Fate.NO_PORT
    return fate.astype(np.int8)
