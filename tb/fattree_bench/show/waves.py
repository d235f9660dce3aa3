"""Signals of a run from its waves (VCD or FST), by the clocks of the frames that were kept."""

from pathlib import Path

import numpy as np
import pywellen

from fattree_models.common.checks import Int64Array, UInt64Array


class FileWaves:
    """See families.showing.Waves.

    Parameters
    ----------
    path : the waves.
    clock : full name of the clock.
    frames : int64 [frames, 4], as an onlooker saves them: their last clock rises at the latest at
        the time of the last column.
    """

    def __init__(self, path: Path, clock: str, frames: Int64Array) -> None:
        self._signals = {var.full_name: var for var in pywellen.Waveform(str(path)).all_vars()}
        rises = np.array([time for time, value in self._signals[clock].tv if value == 1], np.int64)
        parts = []
        for _, _, clocks, end in frames.tolist():
            behind = int(np.searchsorted(rises, end, side="right"))
            parts.append(rises[max(0, behind - clocks) : behind])
        self._clocks = np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def has(self, name: str) -> bool:
        return name in self._signals

    def fields(self, name: str, count: int, width: int) -> UInt64Array:
        """Parts of a vector in each clock; X and Z, and before the first change, are 0."""
        found = np.zeros((len(self._clocks), count), np.uint64)
        changes = self._signals[name].tv
        if not changes:
            return found
        times = np.array([time for time, _ in changes], np.int64)
        size = -(-count * width // 8)
        mask = (1 << 8 * size) - 1
        image = b"".join((_number(value) & mask).to_bytes(size, "little") for _, value in changes)
        raw = np.frombuffer(image, np.uint8).reshape(len(changes), size)
        bits = np.unpackbits(raw, axis=1, bitorder="little")[:, : count * width]
        padded = np.zeros((len(changes), count, 64), np.uint8)
        padded[:, :, :width] = bits.reshape(len(changes), count, width)
        values = np.packbits(padded, axis=2, bitorder="little").view(np.uint64)[:, :, 0]
        before = np.searchsorted(times, self._clocks, side="left") - 1  # as the edge finds it
        there = before >= 0
        found[there] = values[before[there]]
        return found


def _number(value: int | str) -> int:
    """A value as a number; bits that are neither 0 nor 1 count as 0."""
    if isinstance(value, int):
        return value
    return int("".join("1" if bit == "1" else "0" for bit in value), 2)
