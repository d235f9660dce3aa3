"""What a frame must lead to: which cell leaves where and when, from the model that runs along."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fattree_bench.bench.links.payload import SentWords, Words
from fattree_bench.bench.links.transport import packed
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_models import lbbvn_switch as switch
from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, UInt8Array

DROPPED = ("dropped_ingress", "dropped_middle", "dropped_resequencer")


class Dropped(NamedTuple):
    """Real cells that are dropped: index into PLACES, number of the slot of arrival, source."""

    place: Int64Array
    arrival: Int64Array
    source: Int64Array


@dataclass(frozen=True)
class CellPlan:
    """The expectation for one frame; row r is the frame's r-th slot, not yet late by `latency`.

    Attributes
    ----------
    source : int32 [slots, N], source of the cell that leaves at each output, -1 none.
    arrival : int64 [slots, N], sequence number of the slot in which it came.
    words : words [slots, N] that leave; 0 where none does.
    backlog : int64 [slots], cells inside after each slot.
    dropped : cells that are dropped.
    sent : cells offered outside resets.
    delivered : cells that leave.
    discarded : cells that were inside when a reset came.
    counters : uint32 [network.layout.counters], the network's counters and flags after the frame.
    inside : cells inside after the frame.
    clear : no cell was dropped since the last reset.
    always_clear : the same of every slot of the frame.
    tags : words [slots, N] that name what leaves, once cells brought others; None: `words` do.
    """

    source: Int32Array
    arrival: Int64Array
    words: Words
    backlog: Int64Array
    dropped: Dropped
    sent: int
    delivered: int
    discarded: int
    counters: Int64Array
    inside: int
    clear: bool
    always_clear: bool
    tags: Words | None = None

    @property
    def valid(self) -> UInt8Array:
        """Outputs that a cell leaves by, packed bits [slots, bytes]."""
        return packed(self.source >= 0)


class Predictor:
    """The model of the switch, in step with the RTL."""

    def __init__(self, network: LbbvnSwitch) -> None:
        self.network = network
        self.model = switch.Switch(network.shape)
        self._clear = True
        self._sent = SentWords()

    def __call__(self, item: CellFrame) -> bool:
        """Attach the plan; true if no flag of an overflow is up in any slot of the frame."""
        source = np.full(item.dst.shape, -1, np.int32)
        arrival = np.full(item.dst.shape, -1, np.int64)
        backlog = np.zeros(item.slots, np.int64)
        drops = [Dropped(*np.zeros((3, 0), np.int64))]
        sent = discarded = 0
        always_clear = self._clear
        for part in _runs(item.reset, item.slots):
            if part.start:  # a reset came before
                discarded += self.model.inside
                self.model.reset()
                self._clear = True
            base = item.sequence + part.start - self.model.slot  # of the model's slot 0
            dst = item.dst[part]
            found = self.model.run(dst)
            source[part], backlog[part] = found.source, found.backlog
            arrival[part] = np.where(found.source >= 0, found.arrival + base, -1)
            real = found.drops.arrival >= 0
            drops.append(
                Dropped(
                    found.drops.place[real].astype(np.int64),
                    found.drops.arrival[real] + base,
                    found.drops.source[real].astype(np.int64),
                )
            )
            sent += int(np.count_nonzero(dst >= 0))
            self._clear &= not len(found.drops)
            always_clear &= self._clear
        if item.reset is not None and item.reset[-1]:
            discarded += self.model.inside
            self.model.reset()
            self._clear = True
        there = source >= 0
        if item.words is not None:
            self._sent.note(item.sequence, item.words)
        payload = self.network.layout.payload
        tags = np.where(there, payload.words(arrival, source), 0).astype(payload.dtype)
        words = self._sent.instead(tags, arrival, source)
        item.plan = CellPlan(
            source=source,
            arrival=arrival,
            words=words,
            tags=None if words is tags else tags,
            backlog=backlog,
            dropped=Dropped(*map(np.concatenate, zip(*drops, strict=True))),
            sent=sent,
            delivered=int(np.count_nonzero(there)),
            discarded=discarded,
            counters=self._counters(),
            inside=self.model.inside,
            clear=self._clear,
            always_clear=always_clear,
        )
        return always_clear

    def _counters(self) -> Int64Array:
        """The network's counters as lbbvn_switch_bench.v lays them out."""
        found, shape = self.model.counters, self.network.shape
        dropped = [getattr(found, name) for name in DROPPED]
        words = [
            *(int(stage.sum()) for stage in dropped),
            int(found.fakes.sum()),
            int(found.refused.sum()),
            int(found.skipped.sum()),
            int(found.largest_resequencer.max(initial=0)),
            0,  # words lost in the fabric
        ]
        flags = np.packbits(np.concatenate(dropped) > 0, bitorder="little")
        flags = np.pad(flags, (0, -len(flags) % 4)).view("<u4")
        assert len(flags) == -(-3 * shape.nodes // 32)
        return np.concatenate([words, flags]).astype(np.int64)


def _runs(reset: BoolArray | None, slots: int) -> Iterator[slice]:
    """The slots between resets; a run that is empty tells of nothing but a reset."""
    if reset is None:
        yield slice(0, slots)
        return
    edges = np.flatnonzero(np.diff(np.concatenate([[1], reset.astype(np.int8), [1]])))
    for begin, end in edges.reshape(-1, 2).tolist():
        yield slice(begin, end)
