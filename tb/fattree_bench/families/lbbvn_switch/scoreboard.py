"""Compares everything that leaves the switch with the model, and with what its scheme promises."""

from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.environment import Scoreboard
from fattree_bench.bench.failure import Parcel, Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.levels import ORDER, Supplied
from fattree_bench.bench.links.slot.delivery import HISTORY, leaving
from fattree_bench.bench.links.slot.frame import Captured
from fattree_bench.families.lbbvn_switch import traits
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.plan import CellPlan
from fattree_bench.families.lbbvn_switch.promises import Promises
from fattree_models.common.checks import Int64Array
from fattree_models.lbbvn_switch import PLACES

FULL = dict(zip(PLACES, ("at full inputs", "in full middles", "in full resequencers"), strict=True))
RESET = "in a reset"
FAILING = 64  # frames that are kept to look for what faulty cells share
Key = tuple[int, int]  # (number of the slot of arrival since the start, source)
NAMED = 2000  # disagreements that are told apart; of more only the number is told
FABRIC = "words lost in the fabric"
COUNTER_NAMES = (
    "cells dropped at inputs",
    "cells dropped in middles",
    "cells dropped in resequencers",
    "fakes",
    "refusals",
    "gaps skipped",
    "most cells in a resequencer",
    FABRIC,
)


@dataclass
class Tally:
    """Cells so far."""

    sent: int = 0
    delivered: int = 0
    dropped: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PLACES, 0))
    discarded: int = 0  # inside when a reset came
    inside: int = 0
    fakes: int = 0
    refused: int = 0
    skipped: int = 0  # gaps in resequencers
    most: int = 0  # cells in one resequencer


class CellScoreboard(Scoreboard):
    """Expects a stream of rows, `latency` slots behind the stimulus; checks every word of it."""

    def __init__(self, name: str, parent: Any, network: LbbvnSwitch) -> None:
        super().__init__(name, parent)
        self.network = network
        self.faults.unit = "slot"
        self.supplied = Supplied((ORDER,) if network.in_order else (), exact=True)
        self.tally = Tally()
        self.slots = 0
        self._latency = network.latency
        self._numbers = 1 << network.width - network.n  # of slots, that a payload can hold
        self._recent: deque[CellFrame] = deque(maxlen=HISTORY)
        self._missing: dict[Key, tuple[str, Where]] = {}
        self._wrong: dict[Key, tuple[str, int]] = {}  # see Suspects.item
        self._failing: dict[int, CellFrame] = {}  # frames with such cells, by their first slot
        self._open: set[Key] = set()  # cells with a fault of which nobody knows what was foreseen
        self._early: set[Key] = set()
        self._named = 0
        rows = network.frame_slots + self._latency + 1
        self._valid = np.zeros((rows, network.leaves), np.bool_)
        self._data = np.zeros((rows, network.leaves), network.payload.dtype)
        self._tags = self._data  # the same, until cells bring words of their own: their names
        self._settled = True
        self.promises = Promises(network, self.faults)

    # ---- the stream ------------------------------------------------------------------------------

    def write(self, captured: Captured) -> None:
        """Check one frame's slots: the tail of what came before, then this frame's own rows."""
        item: CellFrame = captured.item
        plan: CellPlan = item.plan
        slots, late = item.slots, self._latency
        self.burst(item.sequence, slots)
        self.faults.family = item.family
        self._recent.append(item)
        self._append(item, plan)
        packed = np.packbits(self._valid[:slots], axis=1, bitorder="little")
        same = np.array_equal(captured.valid, packed) and np.array_equal(
            captured.data, self._data[:slots]
        )
        if not same:
            self._explain(captured)
        self._count(item, plan)
        self.promises.check(captured, leaving(self.network, self._by_name(captured)), same)
        self._settled = item.family == "settled"
        if self._settled:
            self._check_counters(captured)
        self._valid[:late] = self._valid[slots : slots + late]
        self._data[:late] = self._data[slots : slots + late]
        if self._apart:
            self._tags[:late] = self._tags[slots : slots + late]
        self.checked.write(item)

    def _append(self, item: CellFrame, plan: CellPlan) -> None:
        """Put what the frame leads to behind the rows that are still to come."""
        slots, late = item.slots, self._latency
        self._valid[late : late + slots] = plan.source >= 0
        self._data[late : late + slots] = plan.words
        if plan.tags is not None:
            if not self._apart:
                self._tags = self._data.copy()
            self._tags[late : late + slots] = plan.tags
        if item.reset is not None:
            for row in np.flatnonzero(item.reset).tolist():
                killed = self._valid[row : row + late + 1]  # had left, but not been seen yet
                self.tally.discarded += int(np.count_nonzero(killed))
                killed[:] = False
                self._data[row : row + late + 1] = self._tags[row : row + late + 1] = 0

    @property
    def _apart(self) -> bool:
        """Cells have brought words of their own."""
        return self._tags is not self._data

    def _by_name(self, captured: Captured) -> Captured:
        """The same, with words that name their cells instead of the cells' own.

        Such a word alone names nobody: it is the one whose turn it was, where it is as it should.
        """
        if not self._apart:
            return captured
        due, tags = (words[: captured.item.slots] for words in (self._data, self._tags))
        data = np.where(captured.data == due, tags, captured.data)
        return Captured(captured.item, captured.valid, data, captured.counters)

    def _count(self, item: CellFrame, plan: CellPlan) -> None:
        tally = self.tally
        self.slots += item.slots
        tally.sent += plan.sent
        tally.discarded += plan.discarded
        tally.delivered += int(np.count_nonzero(self._valid[: item.slots]))
        dropped = np.bincount(plan.dropped.place, minlength=len(PLACES))
        for place, count in zip(PLACES, dropped.tolist(), strict=True):
            tally.dropped[place] += count
        tally.inside = plan.inside
        fakes, refused, skipped, most = plan.counters[3:7].tolist()
        tally.fakes, tally.refused = max(tally.fakes, fakes), max(tally.refused, refused)
        tally.skipped = max(tally.skipped, skipped)
        tally.most = max(tally.most, most)
        if plan.dropped.arrival.size:
            self._check_drops(plan.dropped.arrival)

    def _check_drops(self, arrival: Int64Array) -> None:
        """Of frames whose cells the queues can hold none is dropped, be it much later."""
        for item in self._recent:
            if item.lossless:
                own = (arrival >= item.sequence) & (arrival < item.sequence + item.slots)
                if own.any():
                    told = f"{item.family}: queues that should do dropped cells"
                    self.faults.add(kind.OVERFLOW, told, int(np.count_nonzero(own)))

    def _check_counters(self, captured: Captured) -> None:
        """When all is quiet the switch's counters and flags are what the model says."""
        want, seen = captured.item.plan.counters, captured.counters.astype(np.int64)
        for i in np.flatnonzero(seen != want % (1 << 32)).tolist():
            named = COUNTER_NAMES[i] if i < len(COUNTER_NAMES) else "flags of overflows"
            what = kind.CONFLICTS if named == FABRIC else kind.COUNTERS
            self.faults.add(what, f"{named}: {seen[i]:#x}, predicted {want[i]:#x}")

    # ---- what went wrong -------------------------------------------------------------------------

    def _explain(self, captured: Captured) -> None:
        """Give every disagreement in the rows of a frame its name."""
        leaves, slots, first = self.network.leaves, captured.item.slots, captured.item.sequence
        want = self._valid[:slots]
        seen = np.unpackbits(captured.valid, axis=1, count=leaves, bitorder="little").astype(bool)
        rows, cells = np.nonzero((want != seen) | (self._data[:slots] != captured.data))
        room = max(0, NAMED - self._named)
        self._named += len(rows)
        if len(rows) > room:
            told = f"disagreements behind the first {NAMED}, which are named"
            self.faults.add(kind.UNCHECKED, told, len(rows) - room)
        places = list(zip(rows[:room].tolist(), cells[:room].tolist(), strict=True))
        for row, output in places:
            if want[row, output]:
                key = self._decode(int(self._tags[row, output]), first + row - self._latency)
                slot = first + row - self._latency
                self._open.discard(key)
                self.ledger.foresee(key, DELIVERED)
                if key in self._early:
                    self._early.remove(key)
                else:
                    told = f"{_cell(key, output)}, due in slot {slot}"
                    where = Where(slot, Place("output", output), expected=_parcel(key, output))
                    self._missing[key] = told, where
        for row, output in places:
            word, slot = int(captured.data[row, output]), first + row - self._latency
            if seen[row, output]:
                there = want[row, output]
                wanted = self._decode(int(self._tags[row, output]), slot) if there else None
                self._name(slot, output, word, wanted, int(self._data[row, output]))
            elif word and not want[row, output]:
                where = Where(slot, Place("output", output))
                self.faults.add(kind.IDLE_NOT_ZERO, f"output {output}: {word:#x}", where=where)

    def _key(self, word: int, slot: int) -> Key:
        """The cell that a word is of, if no other of a frame brought the same; or that it names."""
        for item in reversed(self._recent):
            if item.words is not None:
                carry = np.argwhere((item.words == word) & (item.dst >= 0)).tolist()
                if len(carry) == 1:
                    return item.sequence + carry[0][0], carry[0][1]
        return self._decode(word, slot)

    def _decode(self, word: int, slot: int) -> Key:
        """The cell that a word names, of those that came up to this slot."""
        number, source = self.network.payload.decode(word)
        return slot - (slot - number) % self._numbers, source

    def _sent(self, key: Key) -> int:
        """Destination of a cell that was sent lately; -1 if there is none."""
        for item in reversed(self._recent):
            row = key[0] - item.sequence
            if 0 <= row < item.slots:
                return int(item.dst[row, key[1]])
        return -1

    def _due(self, key: Key) -> int | None:
        """Slot in which the model lets a cell leave; None if it has not done so yet."""
        for item in reversed(self._recent):
            row = np.flatnonzero((item.plan.arrival == key[0]) & (item.plan.source == key[1]))
            if row.size:
                return int(item.sequence + row[0] // self.network.leaves)
        return None

    def _name(self, slot: int, output: int, word: int, wanted: Key | None, right: int) -> None:
        """Name a cell that was seen where, or when, it should not have been."""
        key = self._key(word, slot)
        goal = self._sent(key)
        due = None if wanted is None else _parcel(wanted, output)
        where = Where(slot, Place("output", output), expected=due)
        if goal < 0:
            if wanted is None:
                told = f"output {output} in slot {slot}: {word:#x}"
                self.faults.add(kind.SPURIOUS, told, where=where)
            else:
                self._missing.pop(wanted, None)
                told = f"{_cell(wanted, output)}, in slot {slot}: {word:#x} instead of {right:#x} "
                told += f"(bits {word ^ right:#x} differ)"
                self.suspects.flip(word ^ right)
                self._blame(kind.CORRUPTED, wanted, told, where, DELIVERED)
            return
        where = replace(where, got=_parcel(key, goal))
        self._strayed(key, goal, output, slot, where)

    def _strayed(self, key: Key, goal: int, output: int, slot: int, where: Where) -> None:
        """Name a cell that was sent, for `goal`."""
        told, due = f"{_cell(key, goal)}: at output {output} in slot {slot}", self._due(key)
        there = DELIVERED if key in self._missing else ""
        if output != goal:
            self._missing.pop(key, None)
            self._blame(kind.MISDELIVERED, key, told, where, there, output ^ goal)
        elif key in self._missing:
            del self._missing[key]
            what = kind.EARLY if due is not None and slot < due else kind.LATE
            self._blame(what, key, f"{told}, due in slot {due}", where, DELIVERED)
        elif self._killed(key, slot if due is None else due):
            told += ", although a reset came upon it"
            self._blame(kind.UNPREDICTED, key, told, where, RESET)
        elif due is not None and due <= slot:
            self.faults.add(kind.DUPLICATED, f"{told}, due in slot {due}", where=where)
        elif lost := self._dropped(key):
            told += ", although it was to be dropped"
            self._blame(kind.UNPREDICTED, key, told, where, lost)
        else:
            self._early.add(key)
            self._blame(kind.EARLY, key, f"{told}, before it was due", where, "")

    def _blame(
        self, name: str, key: Key, told: str, where: Where, foreseen: str, astray: int = 0
    ) -> None:
        """A cell had another end than was foreseen ("": nobody knows yet)."""
        self.faults.add(name, told, where=where)
        self._wrong.setdefault(key, (name, astray))
        if key not in self.ledger:
            self.ledger.move(key, foreseen, name)
            if not foreseen:
                self._open.add(key)
        for item in self._recent:
            if 0 <= key[0] - item.sequence < item.slots and len(self._failing) < FAILING:
                self._failing[item.sequence] = item

    def _killed(self, key: Key, left: int) -> bool:
        """Whether a reset came while a cell was inside, or on its way out."""
        for item in reversed(self._recent):
            if item.reset is not None:
                slots = item.sequence + np.flatnonzero(item.reset)
                if ((key[0] <= slots) & (slots <= left + self._latency)).any():
                    return True
        return False

    def _dropped(self, key: Key) -> str:
        """Where the model has dropped a cell in these frames; "" nowhere."""
        for item in reversed(self._recent):
            dropped = item.plan.dropped
            at = np.flatnonzero((dropped.arrival == key[0]) & (dropped.source == key[1]))
            if at.size:
                return FULL[PLACES[dropped.place[at[0]]]]
        return ""

    # ---- the end ---------------------------------------------------------------------------------

    def check_phase(self) -> None:
        """Whatever is still missing is lost; whatever no check has spoken on is a fault."""
        self.cut_off()
        tally = self.tally
        if not self._settled:
            self.faults.add(kind.UNCHECKED, "the switch was not quiet at the end")
        known = tally.delivered + sum(tally.dropped.values()) + tally.discarded + tally.inside
        if known != tally.sent:
            self.faults.add(kind.UNCHECKED, f"{tally.sent} cells sent, {known} accounted for")
        if tally.sent == 0:
            self.faults.add(kind.UNCHECKED, "nothing was sent")
        if tally.inside and self.network.scheme not in ("UFS", "PADDED"):
            self.faults.add(kind.STUCK, f"{tally.inside} cells wait for ever", tally.inside)
        super().check_phase()

    def cut_off(self) -> None:
        """Who was due and did not come is lost."""
        for key, (example, where) in self._missing.items():
            self._blame(kind.LOST, key, example, where, DELIVERED)
        for key in self._open:
            gone = self._killed(key, key[0])
            self.ledger.foresee(key, self._dropped(key) or (RESET if gone else INSIDE))
        self._compare()

    def _compare(self) -> None:
        """Cells that are wrong beside the others of their frames."""
        others = [i for i in list(self._recent)[-FAILING:] if i.sequence not in self._failing]
        for item in [*others, *self._failing.values()]:
            wrong = {
                (slot - item.sequence) * self.network.leaves + source: what
                for (slot, source), what in self._wrong.items()
                if 0 <= slot - item.sequence < item.slots
            }
            attributes = partial(traits.attributes, self.network, item)
            self.suspects.item(item.dst.size, attributes, wrong, (item.dst >= 0).ravel())

    def accounts(self) -> dict[str, int]:
        tally = self.tally
        return self.ledger.settled(
            {
                DELIVERED: tally.delivered,
                **{FULL[place]: count for place, count in tally.dropped.items()},
                RESET: tally.discarded,
                INSIDE: tally.inside + self._behind,
            }
        )

    @property
    def _behind(self) -> int:
        """Cells on their way out when a limit ended the scenario."""
        return 0 if self._settled else int(np.count_nonzero(self._valid[: self._latency]))


def _parcel(key: Key, destination: int) -> Parcel:
    return Parcel(key[1], destination, key[0], "slot")


def _cell(key: Key, destination: int) -> str:
    return f"slot {key[0]} source {key[1]} destination {destination}"
