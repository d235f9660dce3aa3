"""Python's side of a domain_recorder: what one clock of a network has seen, row by row."""

from dataclasses import dataclass, replace

import cocotb
import numpy as np

from fattree_bench.bench.links.flit.recorder import numbers
from fattree_bench.bench.links.player import opened
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.taps import SHOWN_EVERY, Domain, Taps
from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array, UInt64Array

TIME_BITS = 64


@dataclass(frozen=True)
class Reading:
    """What a recorder holds: rows are clocks of its domain, lanes are VCs of its links.

    Attributes
    ----------
    time : int64 [rows], steps of the simulation; reset : bool [rows].
    row, lane : int64 [flits], of each flit; word, marks, hops : uint64 [flits].
    credit : bool [rows, lanes]; shown : uint8 [rows / 32, bytes].
    """

    time: Int64Array
    reset: BoolArray
    row: Int64Array
    lane: Int64Array
    word: UInt64Array
    marks: Int64Array
    hops: UInt64Array
    credit: BoolArray
    shown: UInt8Array

    def on(self, which: BoolArray) -> "Reading":
        """With some of the flits alone."""
        row, lane, marks = (each[which] for each in (self.row, self.lane, self.marks))
        word, hops = self.word[which], self.hops[which]
        return replace(self, row=row, lane=lane, word=word, marks=marks, hops=hops)

    def last(self) -> "Reading":
        """From behind the last reset on; nothing is shown."""
        first = int(np.flatnonzero(self.reset)[-1]) + 1 if self.reset.any() else 0
        flits = self.on(self.row >= first)
        return replace(
            flits, time=self.time[first:], row=flits.row - first, credit=self.credit[first:]
        )

    def value(self, vcs: int) -> UInt64Array:
        """Words, marks and VCs of flits as one number each."""
        side = (self.lane % vcs << 2 | self.marks).astype(np.uint64)
        return self.word * np.uint64(31) + side


class Recorder:
    """Python's side of a domain_recorder."""

    def __init__(self, network: Wormhole, taps: Taps, domain: Domain, view: bool) -> None:
        self.lanes = (domain.outs + domain.ins) * network.switch.vcs
        self.bits = (network.width, network.ways.hops_bits)
        self.most, self._vcs = taps.rows(domain), network.switch.vcs
        self._scope = getattr(cocotb.top, domain.name)
        self._transport = opened(network.rtl.top, domain.name, view)
        memory = self._transport.memory
        flit = sum(self.bits) + 2
        self._row = memory("seen_row", self.most, 1 + TIME_BITS + 2 * self.lanes)
        self._flit = memory("seen_flit", self.most * (domain.outs + domain.ins), flit)
        self._shown = memory("seen_shown", self.most // SHOWN_EVERY, domain.bits)
        self._rows = memory("seen_rows", 3, 32).view(np.uint32)
        level = self._scope.rewind.value  # as a test before this one left it
        self._rewind = int(level) if level.is_resolvable else 0

    def read(self) -> Reading | None:
        """What was recorded since the last reading; None: more than there is room for."""
        self._transport.fetch("seen_rows", 3)
        rows, flits, began = (int(each) for each in self._rows[:, 0])
        if began == self._rewind:
            self._rewind ^= 1
            self._scope.rewind.value = self._rewind
        else:  # no edge since the last reading
            rows = flits = 0
        if rows > self.most:
            return None
        for name, count in (("row", rows), ("flit", flits), ("shown", -(-rows // SHOWN_EVERY))):
            self._transport.fetch(f"seen_{name}", count)
        bits = np.unpackbits(
            self._row[:rows, TIME_BITS // 8 :], axis=1, count=1 + 2 * self.lanes, bitorder="little"
        ).astype(np.bool_)
        valid = bits[:, 1 : 1 + self.lanes]
        row, lane = np.nonzero(valid)
        width, hops = self.bits
        flit = self._flit[:flits]
        return Reading(
            np.ascontiguousarray(self._row[:rows, : TIME_BITS // 8]).view("<i8")[:, 0],
            bits[:, 0],
            *(row[:flits], lane[:flits], numbers(flit, 0, width)),
            *(numbers(flit, width, 2).astype(int), numbers(flit, width + 2, hops)),
            *(bits[:, 1 + self.lanes :], self._shown[: -(-rows // SHOWN_EVERY)].copy()),
        )
