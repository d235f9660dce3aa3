"""Python's side of a flit_recorder: all that was on the links of a network in a burst."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.network import FlitNetwork
from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.transport import Bytes, Transport


@dataclass(frozen=True)
class Recorded:
    """What was on the links; all [clocks, links].

    Attributes
    ----------
    data : words, 0 where no flit is.
    side : unsigned, as in flit_player: tail, head, VC one-hot (4 bits), list of hops of heads.
    credits : uint8, VCs of credits, one bit each.
    states : uint64 [clocks, words], what the network showed of itself, bit by bit; may have no rows
    """

    data: Words
    side: npt.NDArray[np.unsignedinteger]
    credits: npt.NDArray[np.uint8]
    states: npt.NDArray[np.uint64] = field(default_factory=lambda: np.zeros((0, 0), np.uint64))

    @property
    def heads(self) -> npt.NDArray[np.bool_]:
        """Where a head is."""
        return np.asarray((self.side & 2) != 0)

    @property
    def channels(self) -> npt.NDArray[np.uint8]:
        """Virtual channels of flits, one bit each."""
        return (self.side >> 2).astype(np.uint8) & np.uint8(15)


class Recorder:
    """Its memories: of VCs a row a clock, all links behind one another; of flits one each."""

    def __init__(self, transport: Transport, network: FlitNetwork) -> None:
        self.transport, self.links, self.vcs = transport, network.recorded_links, network.vcs
        self.data, self.hops = network.recorded_bits
        self.dtype = np.dtype(f"uint{1 << max(3, (self.data - 1).bit_length())}")
        self.flit = self.data + 2 + self.hops
        lanes = self.links * self.vcs
        self._hashes = lanes + -(-lanes // 32)
        memory, rows = transport.memory, network.burst_rows
        self._hash = memory("seen_hash", self._hashes, 64).view(np.uint64)
        self._flit = memory("seen_flit", rows * self.links, self.flit)
        self._valid = memory("seen_valid", rows, self.links * self.vcs)
        self._credit = memory("seen_credit", rows, self.links * self.vcs)
        self._shown: Bytes | None = None
        bits = network.recorded_states
        self._words = max(2, -(-bits // 64))
        if bits:
            self._shown = memory("seen_shown", rows, bits)
        if network.compares:
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
        lanes, credits = (self._lanes(part[:rows]) for part in (self._valid, self._credit))
        valid = _channels(lanes)
        data = np.zeros(valid.shape, self.dtype)
        side = valid.astype(np.uint64) << np.uint64(2)
        # Each lane has its row.  A faulty design may use two of a link at once, till none are left.
        at = tuple(each[: len(self._flit)] for each in np.nonzero(lanes)[:2])
        self.transport.fetch("seen_flit", len(at[0]))
        flits = self._flit[: len(at[0])]
        data[at] = _numbers(flits, 0, self.data)
        marks = _numbers(flits, self.data, 2)
        hops = _numbers(flits, self.data + 2, self.hops) * (marks >> np.uint64(1))
        side[at] = side[at] | marks | hops << np.uint64(6)
        return Recorded(data, side, _channels(credits), self._states(rows))

    def _states(self, rows: int) -> npt.NDArray[np.uint64]:
        """What was shown, uint64 [rows, words]."""
        if self._shown is None:
            return np.zeros((0, 0), np.uint64)
        self.transport.fetch("seen_shown", rows)
        whole = np.zeros((rows, self._words * 8), np.uint8)
        whole[:, : self._shown.shape[1]] = self._shown[:rows]
        return whole.view(np.uint64)

    def _lanes(self, rows: Bytes) -> npt.NDArray[np.uint8]:
        """VCs of each link, uint8 [rows, links, VCs], 1 or 0."""
        bits = np.unpackbits(rows, axis=1, count=self.links * self.vcs, bitorder="little")
        return bits.reshape(len(rows), self.links, self.vcs)


def _channels(lanes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """VCs of each link as bits of one number, uint8 [rows, links]."""
    return np.packbits(lanes, axis=2, bitorder="little")[:, :, 0]


def _numbers(rows: Bytes, first: int, bits: int) -> npt.NDArray[np.uint64]:
    """Numbers of up to 64 bits, from the same bit of each row on, uint64."""
    part = np.zeros((len(rows), 9), np.uint8)
    there = rows[:, first >> 3 :][:, :9]
    part[:, : there.shape[1]] = there
    low = np.ascontiguousarray(part[:, :8]).view("<u8")[:, 0]
    high = part[:, 8].astype(np.uint64) << np.uint64(1) << np.uint64(63 - (first & 7))
    return np.asarray((low >> np.uint64(first & 7) | high) & np.uint64((1 << bits) - 1))
