"""Compares everything that was captured with everything that was expected; samples nothing."""

from collections import deque
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.environment import Scoreboard
from fattree_bench.bench.failure import Parcel, Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.levels import ORDER, Supplied
from fattree_bench.bench.links.slot.frame import Captured, SlotFrame
from fattree_bench.families.lbbvn import traits
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.plan import Plan

Key = tuple[int, int]  # (slot number since the start, source)
CONFLICTS, UNSCHEDULED, RESET = "in conflicts", "not in the schedule", "in a reset"
FAILING = 64  # frames that are kept to look for what faulty packets share


@dataclass
class Tally:
    """Packets so far; `lost` and `discarded` as predicted and confirmed by counters and absence."""

    sent: int = 0
    delivered: int = 0
    lost: int = 0  # found no lane
    unscheduled: int = 0  # entered in a slot whose settings lead them nowhere
    discarded: int = 0  # inside, or offered, during a reset
    inside: int = 0  # when the scenario was ended before its time


class Played(NamedTuple):
    """A frame as it was played: an item that comes again has another number then."""

    sequence: int
    item: SlotFrame
    plan: Plan


class SlotScoreboard(Scoreboard):
    """Expects a stream of rows, `latency` clocks behind the stimulus; checks every word of it."""

    def __init__(self, name: str, parent: Any, network: Lbbvn) -> None:
        super().__init__(name, parent)
        self.network = network
        self.supplied = Supplied((ORDER,), exact=True)
        self.tally = Tally()
        self.used = np.zeros(network.n + 2, np.int64)  # busiest lane count a level
        self.conflicts = np.zeros(2 * (network.n + 2), np.int64)  # predicted, whole scenario
        self.slots = 0
        self._latency = network.latency
        self._recent: deque[Played] = deque(maxlen=8)
        self._missing: dict[Key, tuple[str, Where]] = {}
        self._counted = np.zeros(2 * (network.n + 2) + 2, np.int64)  # predicted since reset
        rows = network.frame_slots + self._latency
        self._valid = np.zeros((rows, -(-network.leaves // 8)), np.uint8)
        self._data = np.zeros((rows, network.leaves), network.payload.dtype)
        self._drained = True
        self._resets: list[int] = []  # clocks in which reset was held
        self._wrong: dict[Key, tuple[str, int]] = {}  # see Suspects.item
        self._failing: dict[int, Played] = {}  # frames with such packets, by their first slot

    # ---- the stream ------------------------------------------------------------------------------

    def write(self, captured: Captured) -> None:
        """Check one frame's clocks: the tail of the frame before, then this frame's own rows."""
        item, plan = captured.item, captured.item.plan
        slots, late = item.slots, self._latency
        self.burst(item.sequence, slots)
        self.faults.family = item.family
        self._recent.append(Played(item.sequence, item, plan))
        self._append(item, plan)
        same = np.array_equal(captured.valid, self._valid[:slots]) and np.array_equal(
            captured.data, self._data[:slots]
        )
        self._count(item, plan)
        if not same:
            self._explain(captured)
        if item.family == "drain":
            self._check_counters(captured)
        self._valid[:late] = self._valid[slots : slots + late]
        self._data[:late] = self._data[slots : slots + late]
        self._drained = item.family == "drain"
        self.checked.write(item)

    def _append(self, item: SlotFrame, plan: Plan) -> None:
        """Put what the frame leads to behind the rows that are still to come."""
        slots, late = item.slots, self._latency
        self._valid[late : late + slots] = plan.valid
        words = self._data[late : late + slots]
        if item.words is None:
            self.network.payload.renew(plan.base, item.sequence, words)
        else:
            words[:] = np.take_along_axis(item.words, np.maximum(plan.arrived, 0), axis=1)
        if plan.delivered < words.size:
            words &= plan.receives
        if item.reset is not None:
            self._resets += [item.sequence + int(row) for row in np.flatnonzero(item.reset)]
            for row in np.flatnonzero(item.reset):
                dead = slice(row + 1, row + 1 + late) if late else slice(row, row + 1)
                self._valid[dead] = 0
                self._data[dead] = 0

    def _count(self, item: SlotFrame, plan: Plan) -> None:
        """Keep the tally; a reset wipes the network's counters and whoever is inside."""
        slots = item.slots
        arrived = int(np.bitwise_count(self._valid[:slots]).sum())
        self.slots += slots
        self.tally.sent += plan.sent
        self.tally.delivered += arrived
        np.maximum(self.used, plan.used, out=self.used)
        levels = len(self._counted) - 2
        if item.reset is None:
            lost = plan.conflicts.sum(axis=0)
            self._counted[:levels] += lost
            self._counted[levels] += plan.sent
            self._counted[levels + 1] += arrived
            self.conflicts += lost
            self.tally.lost += int(lost.sum())
            self.tally.unscheduled += plan.sent - plan.delivered - int(lost.sum())
            return
        # Slots whose packets were still on their way, or offered, when a reset came.
        held = np.flatnonzero(item.reset)
        last = int(held[-1])
        after = np.arange(slots) > last
        self._counted[:levels] = plan.conflicts[after].sum(axis=0)
        self._counted[levels] = np.count_nonzero(item.dst[after] >= 0)
        self._counted[levels + 1] = int(np.bitwise_count(self._valid[last + 1 : slots]).sum())
        self.conflicts += self._counted[:levels]
        self.tally.lost += int(self._counted[:levels].sum())

    def _check_counters(self, captured: Captured) -> None:
        """After a drain the network's own counters are exactly what the model says."""
        seen = captured.counters.astype(np.int64)
        half = self.network.n + 2
        for i in np.flatnonzero(seen != self._counted % (1 << 32)):
            if i < 2 * half:
                where = f"level {i % half} {'up' if i < half else 'down'}"
                what = kind.CONFLICTS
            else:
                where, what = ("injected", "delivered")[i - 2 * half], kind.COUNTERS
            self.faults.add(what, f"{where}: counted {seen[i]}, predicted {self._counted[i]}")

    # ---- what went wrong -------------------------------------------------------------------------

    def _due(self, clock: int, leaf: int) -> Key | None:
        """The packet that is due at a leaf in a clock, if it was sent lately."""
        left = clock - self._latency
        for first, item, plan in reversed(self._recent):
            if 0 <= left - first < item.slots:
                return left, int(plan.arrived[left - first, leaf])
        return None

    def _locate(self, word: int) -> tuple[Played, int, int] | None:
        """The frame, slot and source of the packet that a word names, if it was sent lately.

        What several packets of a frame carry names none of them.
        """
        number, source = self.network.payload.decode(word)
        wrap = 1 << (self.network.width - self.network.n)
        for played in reversed(self._recent):
            item = played.item
            if item.words is not None:
                carry = np.argwhere((item.words == word) & (item.dst >= 0)).tolist()
                if carry:
                    (slot, source), *others = carry
                    return None if others else (played, slot, source)
                continue
            slot = (number - played.sequence) % wrap
            if slot < item.slots and item.dst[slot, source] >= 0:
                return played, slot, source
        return None

    def _explain(self, captured: Captured) -> None:
        """Give every disagreement in the rows of a frame its name."""
        leaves, slots = self.network.leaves, captured.item.slots
        want = np.unpackbits(self._valid[:slots], axis=1, count=leaves, bitorder="little")
        seen = np.unpackbits(captured.valid, axis=1, count=leaves, bitorder="little")
        wrong = (want != seen) | (self._data[:slots] != captured.data)
        rows, cells = np.nonzero(wrong)
        first = captured.item.sequence  # slot number of row 0
        for row, leaf in zip(rows.tolist(), cells.tolist(), strict=True):
            if want[row, leaf]:
                key = self._due(first + row, leaf)
                if key:
                    told = _packet(key, leaf) + f", due in clock {first + row}"
                    where = Where(first + row, Place("leaf", leaf), expected=_parcel(key, leaf))
                    self._missing[key] = told, where
        for row, leaf in zip(rows.tolist(), cells.tolist(), strict=True):
            word = int(captured.data[row, leaf])
            if seen[row, leaf]:
                self._name(captured, row, leaf, word, bool(want[row, leaf]))
            elif word and not want[row, leaf]:
                told = f"leaf {leaf} in clock {first + row}: {word:#x}"
                where = Where(first + row, Place("leaf", leaf))
                self.faults.add(kind.IDLE_NOT_ZERO, told, where=where)

    def _name(self, captured: Captured, row: int, leaf: int, word: int, wanted: bool) -> None:
        """Name one packet that was seen where, or as, it should not have been."""
        clock = captured.item.sequence + row
        found, owner = self._locate(word), self._due(clock, leaf) if wanted else None
        due = None if owner is None else _parcel(owner, leaf)
        where = Where(clock, Place("leaf", leaf), expected=due)
        if found is None:
            if not wanted:
                told = f"leaf {leaf} in clock {clock}: {word:#x}"
                self.faults.add(kind.SPURIOUS, told, where=where)
            elif owner:
                right = int(self._data[row, leaf])
                self._missing.pop(owner, None)
                told = f"{word:#x} instead of {right:#x} (bits {word ^ right:#x} differ)"
                self.suspects.flip(word ^ right)
                self._blame(kind.CORRUPTED, owner, f"{_packet(owner, leaf)}: {told}", where)
            return
        played, slot, source = found
        sequence, item, plan = played
        key = (sequence + slot, source)
        led = np.flatnonzero(plan.arrived[slot] == source)
        goal = int(led[0]) if led.size else int(item.dst[slot, source])
        due_clock = key[0] + self._latency
        name = _packet(key, goal)
        where = replace(where, got=_parcel(key, goal))
        lived = range(key[0], key[0] + max(1, self._latency))  # clocks in which a reset kills it
        killed = any(clock in lived for clock in self._resets)
        if not led.size or killed:
            lost = CONFLICTS if self.network.headers else UNSCHEDULED
            told = f"{name} at leaf {leaf} in clock {clock}"
            self._blame(kind.UNPREDICTED, key, told, where, RESET if killed else lost)
        elif key not in self._missing:
            told = f"{name}: again at leaf {leaf} in clock {clock}"
            self.faults.add(kind.DUPLICATED, told, where=where)
            self._suspect(key, kind.DUPLICATED, leaf ^ goal)
        elif leaf != goal:
            self._missing.pop(key)
            told = f"{name}: at leaf {leaf} in clock {clock}"
            self._blame(kind.MISDELIVERED, key, told, where, astray=leaf ^ goal)
        else:
            self._missing.pop(key)
            told = f"{name}: in clock {clock}, due in clock {due_clock}"
            self._blame(kind.LATE, key, told, where)
            later = range(slot + 1, min(item.slots, slot + 1 + max(0, clock - due_clock)))
            if any(
                item.dst[s, source] == goal and (sequence + s, source) not in self._missing
                for s in later
            ):
                told = f"{name}: after a later packet of the same pair"
                self.faults.add(kind.REORDERED, told, where=where)

    def _blame(
        self,
        name: str,
        key: Key,
        told: str,
        where: Where,
        foreseen: str = DELIVERED,
        astray: int = 0,
    ) -> None:
        """A packet had another end than was foreseen; `astray`: by so many leaves (XOR)."""
        self.faults.add(name, told, where=where)
        self.ledger.move(key, foreseen, name)
        self._suspect(key, name, astray)

    def _suspect(self, key: Key, name: str, astray: int) -> None:
        """Keep the frame of a packet, to look for what such packets have in common."""
        self._wrong.setdefault(key, (name, astray))
        for played in self._recent:
            if 0 <= key[0] - played.sequence < played.item.slots and len(self._failing) < FAILING:
                self._failing[played.sequence] = played

    # ---- the end ---------------------------------------------------------------------------------

    def check_phase(self) -> None:
        """Whatever is still missing is lost; whatever no check has spoken on is a fault."""
        self.cut_off()
        tally = self.tally
        if not self._drained:
            self.faults.add(kind.UNCHECKED, "the network was not drained at the end")
        known = tally.delivered + tally.lost + tally.unscheduled + tally.inside
        tally.discarded = tally.sent - known
        if tally.discarded < 0 or (tally.discarded and not self._resets):
            self.faults.add(
                kind.UNCHECKED,
                f"{tally.sent} sent, {tally.delivered} expected to arrive, {tally.lost} to be lost",
            )
        if tally.sent == 0:
            self.faults.add(kind.UNCHECKED, "nothing was sent")
        super().check_phase()

    def cut_off(self) -> None:
        """Who was due and did not come is lost; who is due later is inside."""
        for key, (example, where) in self._missing.items():
            self._blame(kind.LOST, key, example, where)
        self._compare()
        if not self._drained:
            self.tally.inside = int(np.bitwise_count(self._valid[: self._latency]).sum())

    def _compare(self) -> None:
        """Packets that are wrong beside the others of their frames."""
        others = [played for played in self._recent if played.sequence not in self._failing]
        for first, item, plan in [*others, *self._failing.values()]:
            wrong = {
                (slot - first) * self.network.leaves + source: what
                for (slot, source), what in self._wrong.items()
                if 0 <= slot - first < item.slots
            }
            attributes = partial(traits.attributes, self.network, item, plan, first)
            slot, leaf = np.nonzero(plan.arrived >= 0)
            arrives = np.zeros(item.dst.shape, np.bool_)  # who is lost as foreseen is not compared
            arrives[slot, plan.arrived[slot, leaf]] = True
            self.suspects.item(item.dst.size, attributes, wrong, arrives.ravel())

    def accounts(self) -> dict[str, int]:
        tally = self.tally
        return self.ledger.settled(
            {
                DELIVERED: tally.delivered,
                CONFLICTS: tally.lost,
                UNSCHEDULED: tally.unscheduled,
                RESET: tally.discarded,
                INSIDE: tally.inside,
            }
        )


def _parcel(key: Key, destination: int) -> Parcel:
    return Parcel(key[1], destination, key[0], "slot")


def _packet(key: Key, destination: int) -> str:
    return f"slot {key[0]} source {key[1]} destination {destination}"
