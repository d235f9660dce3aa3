"""Compares everything that leaves the switch with the model, and with what its scheme promises."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench import lanes
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.levels import ORDER, Supplied
from fattree_bench.bench.links.slot.delivery import HISTORY, leaving
from fattree_bench.bench.links.slot.frame import Captured
from fattree_bench.bench.links.slot.rows import RESET, Key, RowScoreboard, RowTally, ones, packet
from fattree_bench.families.lbbvn_switch import traits
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.plan import CellPlan
from fattree_bench.families.lbbvn_switch.promises import Promises
from fattree_models import lbbvn
from fattree_models.common.checks import Int64Array
from fattree_models.lbbvn_switch import PLACES

FULL = dict(zip(PLACES, ("at full inputs", "in full middles", "in full resequencers"), strict=True))
NAMED = 2000  # disagreements that are named; of more only the number is given
COUNTERS = (
    (kind.COUNTERS, "cells dropped at inputs"),
    (kind.COUNTERS, "cells dropped in middles"),
    (kind.COUNTERS, "cells dropped in resequencers"),
    (kind.COUNTERS, "fakes"),
    (kind.COUNTERS, "refusals"),
    (kind.COUNTERS, "gaps skipped"),
    (kind.COUNTERS, "most cells in a resequencer"),
    (kind.CONFLICTS, "words lost in the fabric"),
)
OVERFLOWS = (kind.COUNTERS, "flags of overflows")


@dataclass
class Tally(RowTally):
    """Cells so far."""

    dropped: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PLACES, 0))
    fakes: int = 0
    refused: int = 0
    skipped: int = 0  # gaps in resequencers
    most: int = 0  # cells in one resequencer

    def losses(self) -> dict[str, int]:
        return {FULL[place]: count for place, count in self.dropped.items()} | super().losses()


class CellScoreboard(RowScoreboard[CellPlan]):
    """Expects the cells that the model lets leave, and what the scheme promises of them."""

    place, quiet, limit = "output", "settled", NAMED
    tally: Tally

    def __init__(self, name: str, parent: uvm_component, network: LbbvnSwitch) -> None:
        super().__init__(name, parent, network, HISTORY)
        self.network = network
        self.late = network.latency
        self.faults.unit = "slot"
        self.supplied = Supplied((ORDER,) if network.in_order else (), exact=True)
        self.tally = Tally()
        self._numbers = 1 << network.width - network.n  # of slots, that a payload can hold
        self.counters = [*COUNTERS, *[OVERFLOWS] * (network.layout.counters - len(COUNTERS))]
        self.attributes = partial(traits.attributes, network)
        self._early: set[Key] = set()
        self._tags = self._data  # the same, until cells bring words of their own: their names
        self.promises = Promises(network, self.faults)
        self._since = 0  # slots since the last reset

    # ---- the stream ------------------------------------------------------------------------------

    def _streams(self) -> Iterator[npt.NDArray[np.generic]]:
        yield from super()._streams()
        if self._apart:
            yield self._tags

    def _fill(self, item: CellFrame, plan: CellPlan, rows: slice) -> None:
        self._data[rows] = plan.words
        if plan.tags is not None:
            if not self._apart:
                self._tags = self._data.copy()
            self._tags[rows] = plan.tags

    def _wipe(self, rows: slice) -> None:
        self.tally.discarded += ones(self._valid[rows])  # had left, but not been seen yet
        super()._wipe(rows)

    @property
    def _apart(self) -> bool:
        """Cells have brought words of their own."""
        return self._tags is not self._data

    def _by_name(self, captured: Captured) -> Captured:
        """The same, with words that name their cells instead of the cells' own.

        Such a word names no packet: it is the one whose turn it was, where it is as it should.
        """
        if not self._apart:
            return captured
        due, tags = (words[: captured.item.slots] for words in (self._data, self._tags))
        data = np.where(captured.data == due, tags, captured.data)
        return Captured(captured.item, captured.valid, data, captured.counters)

    def _count(self, captured: Captured, same: bool) -> None:
        item: CellFrame = captured.item
        plan: CellPlan = item.plan
        tally, self._counted = self.tally, plan.counters
        tally.sent += plan.sent
        tally.discarded += plan.discarded
        tally.delivered += ones(self._valid[: item.slots])
        dropped = np.bincount(plan.dropped.place, minlength=len(PLACES))
        for place, count in zip(PLACES, dropped.tolist(), strict=True):
            tally.dropped[place] += count
        tally.inside = plan.inside
        resets = [] if item.reset is None else np.flatnonzero(item.reset).tolist()
        self._since = item.slots - resets[-1] - 1 if resets else self._since + item.slots
        fakes, refused, skipped, most = captured.counters[3:7].tolist()
        tally.fakes, tally.refused = max(tally.fakes, fakes), max(tally.refused, refused)
        tally.skipped = max(tally.skipped, skipped)
        tally.most = max(tally.most, most)
        if plan.dropped.arrival.size:
            self._check_drops(plan.dropped.arrival)
        self.promises.check(captured, leaving(self.network, self._by_name(captured)), same)

    def check_phase(self) -> None:
        """The fabric has as many lanes in use as its schedule says, once all of it was played."""
        super().check_phase()
        if self._since >= 2 * self.network.leaves + self.network.latency:
            n = self.network.n
            loads = lbbvn.channel_loads(self.network.fabric_rows(), n)
            used = np.stack([lbbvn.level_max(load, n) for load in loads])
            lanes.compare(self.lanes, used, self.faults)

    def _check_drops(self, arrival: Int64Array) -> None:
        """Of frames whose cells the queues can hold none is dropped, be it much later."""
        for first, item, _ in self._recent:
            if item.lossless:
                own = (arrival >= first) & (arrival < first + item.slots)
                if own.any():
                    told = f"{item.family}: queues that should do dropped cells"
                    self.faults.add(kind.OVERFLOW, told, int(np.count_nonzero(own)))

    # ---- what went wrong -------------------------------------------------------------------------

    def _owner(self, row: int, leaf: int, time: int) -> Key:
        return self._decode(int(self._tags[row, leaf]), time)

    def _expected(self, key: Key) -> bool:
        self._open.discard(key)
        self.ledger.foresee(key, DELIVERED)
        early = key in self._early
        self._early.discard(key)
        return not early

    def _find(self, word: int, time: int) -> tuple[Key, int] | None:
        """The cell that a word is of, if no other of a frame brought the same; or that it names."""
        own = (self._carriers(p, word) for p in reversed(self._recent) if p.item.words is not None)
        key = next((carry[0] for carry in own if len(carry) == 1), self._decode(word, time))
        played = self._frame(key[0])
        goal = -1 if played is None else int(played.item.dst[key[0] - played.first, key[1]])
        return (key, goal) if goal >= 0 else None

    def _decode(self, word: int, slot: int) -> Key:
        """The cell that a word names, of those that came up to this slot."""
        number, source = self.network.layout.payload.decode(word)
        return slot - (slot - number) % self._numbers, source

    def _due(self, key: Key) -> int | None:
        """Slot in which the model lets a cell leave; None if it has not done so yet."""
        for first, _, plan in reversed(self._recent):
            row = np.flatnonzero((plan.arrival == key[0]) & (plan.source == key[1]))
            if row.size:
                return int(first + row[0] // self.network.leaves)
        return None

    def _strayed(self, key: Key, goal: int, leaf: int, time: int, where: Where) -> None:
        told, due = f"{packet(key, goal)}: at output {leaf} in slot {time}", self._due(key)
        there = DELIVERED if key in self._missing else ""
        if leaf != goal:
            self._missing.pop(key, None)
            self._blame(kind.MISDELIVERED, key, told, where, there, leaf ^ goal)
        elif key in self._missing:
            del self._missing[key]
            what = kind.EARLY if due is not None and time < due else kind.LATE
            self._blame(what, key, f"{told}, due in slot {due}", where)
        elif self._killed(key, time if due is None else due):
            told += ", although a reset came upon it"
            self._blame(kind.UNPREDICTED, key, told, where, RESET)
        elif due is not None and due <= time:
            self.faults.add(kind.DUPLICATED, f"{told}, due in slot {due}", where=where)
        elif lost := self._dropped(key):
            told += ", although it was to be dropped"
            self._blame(kind.UNPREDICTED, key, told, where, lost)
        else:
            self._early.add(key)
            self._blame(kind.EARLY, key, f"{told}, before it was due", where, "")

    def _dropped(self, key: Key) -> str:
        """Where the model has dropped a cell in these frames; "" nowhere."""
        for _, _, plan in reversed(self._recent):
            dropped = plan.dropped
            at = np.flatnonzero((dropped.arrival == key[0]) & (dropped.source == key[1]))
            if at.size:
                return FULL[PLACES[dropped.place[at[0]]]]
        return ""

    # ---- the end ---------------------------------------------------------------------------------

    def _balance(self) -> None:
        inside = self.tally.inside
        if inside and self.network.scheme not in ("UFS", "PADDED"):
            self.faults.add(kind.STUCK, f"{inside} cells wait for ever", inside)

    def cut_off(self) -> None:
        super().cut_off()
        for key in self._open:
            gone = self._killed(key, key[0])
            self.ledger.foresee(key, self._dropped(key) or (RESET if gone else INSIDE))
