"""Two ways to move whole frames between numpy and the memories of the player."""

import ctypes
from collections.abc import Sequence
from functools import reduce
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.handles import Handle
from fattree_bench.bench.unknown import Unknown, lowest

Bytes = npt.NDArray[np.uint8]


def packed(rows: npt.NDArray[np.bool_]) -> Bytes:
    """Rows of bits as they stand in a memory: bytes, little-endian."""
    if rows.shape[1] % 8:
        return np.packbits(rows, axis=1, bitorder="little")
    return np.packbits(rows.ravel(), bitorder="little").reshape(len(rows), -1)  # the faster way


class Transport(Protocol):
    """Memories as byte arrays [rows, bytes a row]; `flush` and `fetch` move rows where needed."""

    name: str
    unknown: Unknown | None  # the first fetched bit that was neither 0 nor 1

    def memory(self, name: str, rows: int, bits: int) -> Bytes: ...

    def flush(self, name: str, rows: int) -> None: ...

    def fetch(self, name: str, rows: int) -> None: ...


class ViewTransport:
    """Numpy views of the Verilated memories themselves: no copy, no call."""

    name = "view"

    def __init__(self, scope: str) -> None:
        self.unknown: Unknown | None = None
        self._scope = scope
        self._find = ctypes.CDLL(None).bench_memory
        self._find.restype = ctypes.c_void_p
        self._find.argtypes = [ctypes.c_char_p, ctypes.c_char_p, *[ctypes.c_void_p] * 2]

    def memory(self, name: str, rows: int, bits: int) -> Bytes:
        total, row = ctypes.c_uint64(), ctypes.c_uint64()
        path, _, own = name.rpartition(".")  # of an instance below the scope
        scope = ".".join(filter(None, (self._scope, path)))
        address = self._find(
            scope.encode(), own.encode(), ctypes.addressof(total), ctypes.addressof(row)
        )
        if not address:
            raise RuntimeError(f"memory {own} is not public in {scope}")
        size = total.value // rows
        raw = (ctypes.c_uint8 * total.value).from_address(address)
        memory: Bytes = np.frombuffer(memoryview(raw), np.uint8)
        return memory.reshape(rows, size)

    def flush(self, name: str, rows: int) -> None:
        """Nothing to do: the view is the memory."""

    def fetch(self, name: str, rows: int) -> None:
        """Nothing to do: the view is the memory."""


class VpiTransport:
    """One wide VPI access a row, through a shadow array; works on every simulator."""

    name = "vpi"

    def __init__(self, scope: Handle) -> None:
        self._scope = scope
        self._shadow: dict[str, Bytes] = {}
        self._handles: dict[str, list[Handle]] = {}  # of the rows that were asked for so far
        self.unknown: Unknown | None = None

    def memory(self, name: str, rows: int, bits: int) -> Bytes:
        self._handles[name] = [] if rows > 1 else [self._handle(name)]
        self._shadow[name] = np.zeros((rows, max(4, -(-bits // 32) * 4)), np.uint8)
        return self._shadow[name]

    def _handle(self, name: str) -> Handle:
        return reduce(getattr, name.split("."), self._scope)

    def _rows(self, name: str, rows: int) -> list[Handle]:
        """Handles of the first rows of a memory."""
        known = self._handles[name]
        if rows > len(known):
            memory = self._handle(name)
            known += [memory[i] for i in range(len(known), rows)]
        return known[:rows]

    def flush(self, name: str, rows: int) -> None:
        for handle, row in zip(self._rows(name, rows), self._shadow[name], strict=False):
            handle.value = int.from_bytes(row.tobytes(), "little") & ((1 << len(handle)) - 1)

    def fetch(self, name: str, rows: int) -> None:
        shadow = self._shadow[name]
        for at, (handle, row) in enumerate(zip(self._rows(name, rows), shadow, strict=False)):
            number = self.known(str(handle.value), name, at)
            row[:] = np.frombuffer(number.to_bytes(row.size, "little"), np.uint8)

    def known(self, bits: str, name: str = "a pin", row: int = 0) -> int:
        """The number that bits say; X and Z are remembered and read as 0."""
        if bits.strip("01"):
            self.unknown = self.unknown or lowest(bits, name, row)
            bits = bits.translate(str.maketrans("XZUWLH-", "0000000"))
        return int(bits, 2)


class OwnMemories(VpiTransport):
    """Arrays of Python's own, but for those that stand in the simulator."""

    view: Transport | None = None  # by which Python writes those, where VPI may only read them

    def __init__(self, scope: Handle, outside: Sequence[str] = ()) -> None:
        super().__init__(scope)
        self._outside = outside

    def memory(self, name: str, rows: int, bits: int) -> Bytes:
        if self.view and name in self._outside and name.startswith("stim"):
            return self.view.memory(name, rows, bits)
        return super().memory(name, rows, bits)

    def flush(self, name: str, rows: int) -> None:
        if name in self._outside and name in self._shadow:
            super().flush(name, rows)

    def fetch(self, name: str, rows: int) -> None:
        if name in self._outside:
            super().fetch(name, rows)
