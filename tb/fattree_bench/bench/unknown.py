"""Bits that were neither 0 nor 1: which output, at which leaf, in which clock."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Faults, Finding, Where
from fattree_models.common.checks import UInt8Array

WHOLE = ("state", "home", "hash", "total")  # memories that have no row a clock, and no leaves


class Unknown(NamedTuple):
    """The lowest X or Z of a row of a memory: its name, row and bit, and the bits of a row."""

    memory: str
    row: int
    bit: int
    bits: int

    @property
    def port(self) -> str:
        """What the memory holds: `seen_data` of a player, `u_seen_data.seen_pins` of a recorder."""
        return self.memory.partition(".")[0].removeprefix("u_").removeprefix("seen_")

    def finding(self, first: int, leaves: int) -> Finding:
        """The same as a fault; `first`: when row 0 was, `leaves`: columns of a row."""
        size, rest = divmod(self.bits, max(1, leaves))
        if self.port in WHOLE or rest or "seen_" not in self.memory:  # or pins of one leaf
            told = f"bit {self.bit} of {self.port} was X or Z"
            return Finding(kind.UNKNOWN, told, Where(None if self.port in WHOLE else first))
        leaf, bit = divmod(self.bit, size)
        told = f"bit {bit} of {self.port} was X or Z"
        return Finding(kind.UNKNOWN, told, Where(first + self.row, Place("leaf", leaf)))


class Unknowns:
    """Names what the readers of a port's memories have met, burst by burst."""

    def __init__(self, readers: Iterable["Reader | None"] = (), leaves: int = 0) -> None:
        self._readers = [reader for reader in readers if reader is not None]
        self._leaves = leaves

    def tell(self, faults: Faults, first: int = 0) -> None:
        """Note unknown bits since the last call, whose rows begin at this time, as faults.

        What a network makes of a player's mistake is not judged.
        """
        for reader in self._readers:
            if reader.unknown is not None and kind.PLAYER not in faults.counts:
                faults.note([reader.unknown.finding(first, self._leaves)])
            reader.unknown = None


class Reader(Protocol):
    """What reads memories: see transport.Transport."""

    unknown: Unknown | None

    def fetch(self, name: str, rows: int) -> None: ...


class Noting:
    """Reads the memories of a flit_recorder, and keeps the first unknown bit of each."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._met: dict[str, Unknown | None] = {}  # by memory

    def fetch(self, name: str, rows: int) -> None:
        """Bring rows of a memory."""
        self._reader.unknown = None
        self._reader.fetch(name, rows)
        self._met[name] = self._reader.unknown

    def on_links(self, valid: UInt8Array, links: int, vcs: int) -> tuple[int, int] | None:
        """Clock and link of the first unknown bit in what was fetched last; None: all are known.

        `valid`: uint8 [clocks, bytes], by lane (a VC of a link), bit by bit: it has a flit.
        """
        lanes = links * vcs
        rows = [self._met.get(f"seen_{name}") for name in ("valid", "credit")]
        found = [one.row * lanes + one.bit for one in rows if one is not None]
        if (flit := self._met.get("seen_flit")) is not None:  # a row a flit
            lane = np.unpackbits(valid, axis=1, count=lanes, bitorder="little")
            found.append(int(np.flatnonzero(lane)[flit.row]))
        return (min(found) // lanes, min(found) % lanes // vcs) if found else None


def lowest(text: str, memory: str, row: int) -> Unknown | None:
    """The lowest unknown bit of a number as simulators write it; None: all are known."""
    known = len(text.rstrip("01"))
    return Unknown(memory, row, len(text) - known, len(text)) if known else None
