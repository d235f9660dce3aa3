"""Routes of packets: as flits carry them, and as ways that were followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, IntegerArray, UInt64Array


@dataclass(frozen=True)
class Routes:
    """Ways that packets took.

    Attributes
    ----------
    hops : int16 [packets, hops], output ports of switches, the first first, -1 behind the last.
    count : int64 [packets], switches that each has passed.
    legal : bool [packets], whether it leads to the destination and turns where it must.
    level, node : int16, int32 [packets, hops], switch at which each port is taken; -1 where there
        is none, or it is unknown.
    """

    hops: npt.NDArray[np.int16]
    count: Int64Array
    legal: BoolArray
    level: npt.NDArray[np.int16]
    node: npt.NDArray[np.int32]

    @property
    def turn(self) -> Int64Array:
        """The highest level of each, int64 [packets]."""
        return np.asarray(self.level.max(axis=1), np.int64)


def decode_hops(code: UInt64Array, hops: int, bits: int) -> npt.NDArray[np.int16]:
    """Output ports of lists of hops [sent], int16 [sent, hops], the first first, -1 behind."""
    shifts = np.uint64(bits) * np.arange(hops - 1, -1, -1, dtype=np.uint64)
    ports = (code[:, None] >> shifts & np.uint64((1 << bits) - 1)).astype(np.int16) - 1
    count = np.count_nonzero(ports >= 0, axis=1)
    column = np.arange(hops) + (hops - count)[:, None]
    found = np.take_along_axis(ports, np.minimum(column, hops - 1), axis=1)
    return np.where(column < hops, found, -1).astype(np.int16)


def count_hops(code: UInt64Array, bits: int) -> Int64Array:
    """Hops in lists of hops, int64 [sent]: none of them is 0."""
    count = np.zeros(len(code), np.int64)
    while code.any():
        count += code != 0
        code = code >> np.uint64(bits)
    return count


def encode_hops(ports: IntegerArray, bits: int) -> UInt64Array:
    """Lists of hops as flits carry them, uint64 [pairs], of output ports [pairs, hops], -1 none."""
    code = np.zeros(len(ports), np.uint64)
    for column in ports.T:
        there = column >= 0
        longer = code << np.uint64(bits) | (column + 1).astype(np.uint64)
        code = np.where(there, longer, code)
    return code
