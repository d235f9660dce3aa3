"""Routes of packets: as flits carry them, as the model says, and where they lead."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models import turnback as turnback_model
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.common.fat_tree.routing import down_port
from fattree_models.turnback import DOWN, Turnback

USUAL = 1 << 16  # pairs: so many ways, at most, are kept


@dataclass(frozen=True)
class Routes:
    """Ways that packets took.

    Attributes
    ----------
    hops : int16 [packets, hops], output ports of switches, the first first, -1 behind the last.
    count : int64 [packets], switches that each has passed.
    legal : bool [packets], whether it leads to the destination and turns where it must.
    level, node : int8, int32 [packets, hops], switch at which each port is taken; -1 where none is,
        or nobody knows.
    """

    hops: npt.NDArray[np.int16]
    count: Int64Array
    legal: BoolArray
    level: npt.NDArray[np.int8]
    node: npt.NDArray[np.int32]

    @classmethod
    def read(
        cls,
        network: XgftNetwork,
        source: Int64Array,
        destination: Int64Array,
        code: npt.NDArray[np.uint64],
    ) -> Routes:
        """The ways of packets from their lists of hops, uint64 [packets]."""
        usual = _usual(network)
        if usual is None:
            return cls.follow(network, source, destination, code)
        pair = source * network.leaves + destination
        found = cls(*(getattr(usual[1], field.name).take(pair, axis=0) for field in fields(cls)))
        other = np.flatnonzero(usual[0].take(pair) != code)
        if other.size:
            ways = cls.follow(network, source[other], destination[other], code[other])
            for field in fields(cls):
                getattr(found, field.name)[other] = getattr(ways, field.name)
        return found

    @classmethod
    def follow(
        cls,
        network: XgftNetwork,
        source: Int64Array,
        destination: Int64Array,
        code: npt.NDArray[np.uint64],
    ) -> Routes:
        """The same, hop by hop."""
        hops = decode_hops(code, network.max_hops, network.hop_bits)
        if network.turnback is not None:
            return cls._turned(network, network.turnback, source, destination, hops)
        walked = network.walk(source, hops)
        return cls(
            hops,
            count_hops(code, network.hop_bits),
            network.legal(source, destination, hops),
            walked.level.astype(np.int8),  # coverage puts items off: they must not be large
            walked.node.astype(np.int32),
        )

    @classmethod
    def _turned(
        cls,
        network: XgftNetwork,
        turnback: Turnback,
        source: Int64Array,
        destination: Int64Array,
        hops: npt.NDArray[np.int16],
    ) -> Routes:
        """Of turn-back routing: outputs of its switches become ports of nodes.

        Of packets that took many root links only the latest hops are noted: where they turned, at
        the top, and how they came down.
        """
        tree = network.tree
        way = turnback_model.walk(turnback, source, hops)
        legal = turnback_model.legal(turnback, source, destination, hops)
        level, node, climbs = way.level, way.node, (way.kind >= 0) & (way.kind != DOWN)
        if turnback.most_lateral > 1:
            last = len(network.levels) + 1  # hops from a turn at the top
            full = (hops >= 0).all(axis=1)
            cut = full & _turned_at_top(network, destination, hops)
            legal = np.where(full, cut, legal)
            level[cut], node[cut], climbs[cut] = -1, -1, False
            level[cut, -last:] = [tree.height, *reversed(network.levels)]
            climbs[cut, -last] = True
        downs = np.array([tree.down_ports(each) for each in range(tree.height + 1)], np.int16)
        ports = np.where(climbs, hops + downs[level], hops)
        count = np.count_nonzero(hops >= 0, axis=1)
        return cls(ports, count, legal, level.astype(np.int8), node.astype(np.int32))

    @property
    def turn(self) -> Int64Array:
        """The highest level of each, int64 [packets]."""
        return np.asarray(self.level.max(axis=1), np.int64)


def _turned_at_top(
    network: XgftNetwork, destination: Int64Array, hops: npt.NDArray[np.int16]
) -> BoolArray:
    """Whether hops end with a turn at the top and the way down from there."""
    levels = network.levels
    turns = hops[:, -len(levels) - 1] >= network.root_links
    downs = [down_port(network.tree, level, destination) for level in reversed(levels)]
    return np.asarray(turns & (hops[:, -len(levels) :] == np.stack(downs, axis=1)).all(axis=1))


@cache
def _usual(network: XgftNetwork) -> tuple[npt.NDArray[np.uint64], Routes] | None:
    """The ways of all pairs, those of leaf 0 first, where each has one; None if they are many."""
    if network.leaves**2 > USUAL or (code := expected_routes(network)) is None:
        return None
    return code, Routes.follow(network, *np.divmod(np.arange(len(code)), network.leaves), code)


def decode_hops(code: npt.NDArray[np.uint64], hops: int, bits: int) -> npt.NDArray[np.int16]:
    """Output ports of lists of hops [sent], int16 [sent, hops], the first first, -1 behind."""
    shifts = np.uint64(bits) * np.arange(hops - 1, -1, -1, dtype=np.uint64)
    ports = (code[:, None] >> shifts & np.uint64((1 << bits) - 1)).astype(np.int16) - 1
    count = np.count_nonzero(ports >= 0, axis=1)
    column = np.arange(hops) + (hops - count)[:, None]
    found = np.take_along_axis(ports, np.minimum(column, hops - 1), axis=1)
    return np.where(column < hops, found, -1).astype(np.int16)


def count_hops(code: npt.NDArray[np.uint64], bits: int) -> Int64Array:
    """Hops in lists of hops, int64 [sent]: none of them is 0."""
    count = np.zeros(len(code), np.int64)
    while code.any():
        count += code != 0
        code = code >> np.uint64(bits)
    return count


def encode_hops(ports: npt.NDArray[np.integer[Any]], bits: int) -> npt.NDArray[np.uint64]:
    """Lists of hops as flits carry them, uint64 [pairs], of output ports [pairs, hops], -1 none."""
    code = np.zeros(len(ports), np.uint64)
    for column in ports.T:
        there = column >= 0
        longer = code << np.uint64(bits) | (column + 1).astype(np.uint64)
        code = np.where(there, longer, code)
    return code


def expected_routes(network: XgftNetwork) -> npt.NDArray[np.uint64] | None:
    """The list of hops of each pair, uint64 [leaves * leaves], where there is only one."""
    return encode_hops(network.pair_hops, network.hop_bits) if network.one_path else None
