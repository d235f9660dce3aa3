"""Python's side of a flit_recorder: all that was on the links of a network in a burst."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.network import FlitLayout
from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.transport import Bytes, Transport
from fattree_bench.bench.unknown import Noting

Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Recorded:
    """What was on the links in a burst, as the memories have it; spread out when it is asked for.

    Attributes
    ----------
    links, vcs : recorded links, VCs of each; a lane is a VC of a link.
    bits : of a flit's data, and of its list of hops.
    valid, credit : uint8 [clocks, bytes], by lane, bit by bit: it has a flit, a credit.
    flits : uint8 [flits, bytes], those of valid lanes, clock by clock, of a clock lane by lane.
    shown : uint8 [clocks, bytes], what the network showed of itself, bit by bit; may have no rows.
    unknown : clock and link of the first bit that was neither 0 nor 1; None: all were known.
    """

    links: int
    vcs: int
    bits: tuple[int, int]
    valid: Bytes
    credit: Bytes
    flits: Bytes
    shown: Bytes
    unknown: tuple[int, int] | None = None

    @cached_property
    def words(self) -> npt.NDArray[np.uint64]:
        """Data of flits, uint64 [flits]."""
        return numbers(self.flits, 0, self.bits[0])

    @cached_property
    def marks(self) -> npt.NDArray[np.uint64]:
        """Of flits, uint64 [flits]: 1 tail, 2 head."""
        return numbers(self.flits, self.bits[0], 2)

    @cached_property
    def _places(self) -> Places:
        """Clock times lanes, plus lane, of each flit."""
        lanes = _lanes(self.valid, self.links * self.vcs).view(np.bool_)
        # Each lane has its row.  A faulty design may use two of a link at once, till none are left.
        return np.flatnonzero(lanes)[: len(self.flits)]

    def _at(self) -> tuple[Places, Places]:
        """Clock and link of each flit."""
        clock, lane = np.divmod(self._places, self.links * self.vcs)
        return clock, lane // self.vcs

    def heads(self, links: int) -> tuple[npt.NDArray[np.uint64], Places, Places, Places]:
        """Words, clocks, links and virtual channels of the heads on the first of the links."""
        heads = np.flatnonzero(self.marks & np.uint64(2) != 0)  # of numbers it is slow
        clock, lane = np.divmod(self._places[heads], self.links * self.vcs)
        first = lane < links * self.vcs
        return self.words[heads[first]], clock[first], *np.divmod(lane[first], self.vcs)

    @cached_property
    def data(self) -> Words:
        """Words [clocks, links], 0 where no flit is."""
        dtype = np.dtype(f"uint{1 << max(3, (self.bits[0] - 1).bit_length())}")
        data = np.zeros((len(self.valid), self.links), dtype)
        data[self._at()] = self.words
        return data

    @cached_property
    def side(self) -> npt.NDArray[np.uint64]:
        """As in flit_player, [clocks, links]: tail, head, VC one-hot (4 bits), hops of heads."""
        side = self._channels(self.valid).astype(np.uint64) << np.uint64(2)
        first, count = self.bits
        hops = numbers(self.flits, first + 2, count) * (self.marks >> np.uint64(1))
        at = self._at()
        side[at] = side[at] | self.marks | hops << np.uint64(6)
        return side

    @cached_property
    def credits(self) -> npt.NDArray[np.uint8]:
        """VCs of credits, one bit each, uint8 [clocks, links]."""
        return self._channels(self.credit)

    @cached_property
    def states(self) -> npt.NDArray[np.uint64]:
        """What was shown, uint64 [clocks, words]."""
        clocks, size = self.shown.shape
        whole = np.zeros((clocks, -(-size // 8) * 8), np.uint8)
        whole[:, :size] = self.shown
        return whole.view(np.uint64)

    def _channels(self, rows: Bytes) -> npt.NDArray[np.uint8]:
        """VCs of each link as bits of one number, uint8 [clocks, links]."""
        lanes = _lanes(rows, self.links * self.vcs).reshape(len(rows), self.links, self.vcs)
        return np.packbits(lanes, axis=2, bitorder="little")[:, :, 0]


class Recorder:
    """Its memories: of VCs a row a clock, all links behind one another; of flits one each."""

    def __init__(self, transport: Transport, layout: FlitLayout) -> None:
        self.transport, self.links, self.vcs = Noting(transport), layout.recorded.links, layout.vcs
        self.bits = layout.recorded.bits
        lanes = self.links * self.vcs
        self._hashes = lanes + -(-lanes // 32)
        memory, rows = transport.memory, layout.rows
        self._hash = memory("seen_hash", self._hashes, 64).view(np.uint64)
        self._flit = memory("seen_flit", rows * self.links, sum(self.bits) + 2)
        self._valid = memory("seen_valid", rows, self.links * self.vcs)
        self._credit = memory("seen_credit", rows, self.links * self.vcs)
        self.rows = memory("seen_rows", 2, 32).view(np.uint32)
        self._shown: Bytes | None = None
        bits = layout.recorded.states
        self._words = max(2, -(-bits // 64))
        if bits:
            self._shown = memory("seen_shown", rows, bits)
        if layout.recorded.compared:
            self._total = memory("seen_total", self._words, 64).view(np.uint64)

    def hashes(self) -> npt.NDArray[np.uint64]:
        """Hashes of flits and credits over the last burst, uint64; see flit_recorder.v."""
        self.transport.fetch("seen_hash", self._hashes)
        return self._hash[:, 0].copy()

    def total(self) -> npt.NDArray[np.uint64]:
        """What was shown in the last burst, summed up, uint64 [words]; see flit_recorder.v."""
        self.transport.fetch("seen_total", self._words)
        return self._total[:, 0].copy()

    def recorded(self, rows: int) -> Recorded:
        """What was there in the last burst, of so many clocks: look before the next one."""
        for name in ("valid", "credit"):
            self.transport.fetch(f"seen_{name}", rows)
        valid = self._valid[:rows].copy()
        count = min(int(np.bitwise_count(valid).sum()), len(self._flit))
        self.transport.fetch("seen_flit", count)
        shown = np.zeros((0, 0), np.uint8)
        if self._shown is not None:
            self.transport.fetch("seen_shown", rows)
            shown = self._shown[:rows].copy()
        flits, credit = self._flit[:count].copy(), self._credit[:rows].copy()
        unknown = self.transport.on_links(valid, self.links, self.vcs)
        return Recorded(self.links, self.vcs, self.bits, valid, credit, flits, shown, unknown)


def _lanes(rows: Bytes, count: int) -> npt.NDArray[np.uint8]:
    """Bits of rows, uint8 [rows, count], 1 or 0."""
    return np.unpackbits(rows, axis=1, count=count, bitorder="little")


def numbers(rows: Bytes, first: int, bits: int) -> npt.NDArray[np.uint64]:
    """Numbers of up to 64 bits, from the same bit of each row on, uint64."""
    there = rows[:, first >> 3 :][:, :9]
    whole = np.zeros((len(rows), 8), np.uint8)
    whole[:, : there.shape[1]] = there[:, :8]
    low = whole.view("<u8")[:, 0]
    low >>= np.uint64(first & 7)
    if (first & 7) + bits > 64:
        low |= there[:, 8].astype(np.uint64) << np.uint64(64 - (first & 7))
    low &= np.uint64((1 << bits) - 1)
    return low
