"""Compares everything that was captured with everything that was expected; samples nothing."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench import lanes
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.levels import ORDER, Supplied
from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.serial.messages import MessageSet, SerialCaptured
from fattree_bench.families.leiserson import traits
from fattree_bench.families.leiserson.coins import Tosses
from fattree_bench.families.leiserson.cycle import CONFLICTS, Cycle, SerialNames
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import Plan, by_level
from fattree_models.common.checks import UInt8Array

RESET, GIVEN_UP = "in a reset", "given up by their senders"


@dataclass
class Tally:
    """Messages so far; `lost`, `discarded` and `given_up` as predicted and confirmed."""

    sent: int = 0
    delivered: int = 0
    attempts: int = 0
    tried: int = 0  # messages that were sent at least once
    lost: int = 0  # found no wire, and were sent only once
    discarded: int = 0  # in a delivery cycle that a reset broke off
    given_up: int = 0  # of a queue that was stopped
    inside: int = 0  # of an item that a limit has ended
    overtaken: int = 0  # by a later one of their processor and destination

    def losses(self) -> dict[str, int]:
        """Messages that did not arrive, as predicted, by reason."""
        return {CONFLICTS: self.lost, RESET: self.discarded, GIVEN_UP: self.given_up}


class SerialScoreboard(SerialNames):
    """Expects delivery cycles; checks every bit of every message, and every acknowledge."""

    def __init__(self, name: str, parent: uvm_component, network: Leiserson) -> None:
        super().__init__(name, parent, network)
        self.faults.unit = "cycle"
        one_wire = int(network.cap[-1]) == 1  # the messages of several may overtake one another
        self.supplied = Supplied((ORDER,) if one_wire else (), exact=True)
        self.tally = Tally()
        self.cycles = 0
        self.conflicts = np.zeros(network.layout.counters, np.int64)  # counted, whole scenario
        self.used = np.zeros((2, network.n + 1), np.int64)  # most wires by way, level since reset
        self.load = np.zeros((2, network.n + 1), np.int64)  # most messages that want a channel
        self._counted = np.zeros(network.layout.counters, np.int64)  # predicted since reset
        self._items = 0
        self._finished = 0
        self._open: tuple[Plan, int] | None = None  # an item under way, cycles of it so far
        self._tossed: Tosses | None = None  # of the item whose senders differ from its plan
        self._words: tuple[int, Words] = (-1, np.zeros((0, 0), network.layout.payload.dtype))

    def announce(self, item: MessageSet) -> None:
        """An item is about to be played: it must be seen to its end."""
        self._items += 1
        if item.lossless and item.plan.lost_messages:
            self.faults.add(
                kind.SCHEDULE,
                f"{item.family}: the model loses {item.plan.lost_messages} messages",
                item.plan.lost_messages,
            )

    # ---- the stream ------------------------------------------------------------------------------

    def write(self, captured: SerialCaptured) -> None:
        """Check some delivery cycles of an item."""
        item, first = captured.item, captured.first
        count = len(captured.sent)
        if first == 0:
            self.faults.item, self.faults.family = self.begun, item.family
            self.begun += 1
            self.timing.clear()
        self.burst(first, count)
        part = slice(first, first + count)
        plan = self._sending(captured, part)
        words = self._sent_words(item)
        due = words[plan.from_row[part], plan.from_wire[part]] & plan.receives[part]
        if not (
            np.array_equal(captured.arrived, plan.arrived[part])
            and np.array_equal(captured.data, due)
        ):
            self._explain(captured, plan, words, due)
        if not np.array_equal(captured.tick, plan.tick[part]):
            self._late(captured, plan)
        if not np.array_equal(captured.trailing, plan.trailing[part]):
            seen, want = self._bits(captured.trailing), self._bits(plan.trailing[part])
            for cycle, wire in np.argwhere(seen != want).tolist():
                told = "" if seen[cycle, wire] else " does not tell of them"
                self.faults.add(
                    kind.TRAILING,
                    f"cycle {first + cycle}: {self.sink(wire)}{told}",
                    where=self._at(first + cycle, wire),
                )
        if not (
            np.array_equal(captured.acked, plan.acked[part])
            and np.array_equal(captured.ack_tick, plan.ack_tick[part])
        ):
            self._acknowledges(captured, plan)
        if captured.cut:
            told = f"delivery cycle {first + count} did not end in {captured.clocks} clocks"
            self.faults.add(kind.LIMIT, f"{item.family}: {told}")
        else:
            self._count(captured, plan)
        self.cycles += count
        self._open = plan, first + count
        if first + count == plan.cycles:
            self._open = None
            self._finish(item)

    def _sending(self, captured: SerialCaptured, part: slice) -> Plan:
        """Check who sent; the plan for the rest: of those that the senders' own coins chose."""
        plan: Plan = captured.item.plan
        if part.start == 0:
            self._tossed = None
        same = np.array_equal(captured.sent, plan.sent[part])
        if captured.item.queue and self.network.discipline == "RANDOMISED":
            if self._tossed is None and not (
                same and np.array_equal(captured.acked, plan.acked[part])
            ):
                self._tossed = Tosses(self.network, captured)
            if self._tossed is not None:
                return self._draws(self._tossed, captured, part)
        elif not same:
            seen, want = self._bits(captured.sent), self._bits(plan.sent[part])
            for cycle, wire in np.argwhere(seen != want).tolist():
                did = "sent" if seen[cycle, wire] else "was silent"
                self.faults.add(
                    kind.SENDING,
                    f"cycle {part.start + cycle}: {self.source(wire)} {did}",
                    where=self._at(part.start + cycle, wire),
                )
        return plan

    def _draws(self, tossed: Tosses, captured: SerialCaptured, part: slice) -> Plan:
        """Check every draw for itself; what the network must do with who sent."""
        for cycle, wire, told in tossed.compare(
            captured, self._bits(captured.sent), self._bits(captured.acked)
        ):
            example = f"cycle {part.start + cycle} {self.source(wire)}: {told}"
            self.faults.add(kind.COIN, example, where=self._at(part.start + cycle, wire))
        plan = tossed.plan(captured, self._bits(captured.sent))
        if part.stop == plan.cycles and captured.item.stop is None:
            for wire in np.flatnonzero(tossed.left).tolist():
                told = f"{tossed.left[wire]} of {self.source(wire)} wait to the end"
                self.faults.add(kind.LOST, told, int(tossed.left[wire]))
        return plan

    def _sent_words(self, item: MessageSet) -> Words:
        """Data of the item's messages; an item in several bursts asks more than once."""
        if self._words[0] != item.sequence:
            self._words = item.sequence, self.network.layout.words(item)
        return self._words[1]

    def _count(self, captured: SerialCaptured, plan: Plan) -> None:
        """The network's own counters, and the length of its delivery cycles."""
        first = captured.first
        part = slice(first, first + len(captured.sent))
        extra = plan.extra_clocks if first == 0 else 0
        if captured.item.reset is not None and first == 0:  # the counters begin again behind it
            part = slice(plan.restarted, part.stop)
            self._counted[:] = 0
            self.used[:] = 0
        own = by_level(plan.outcome.used_up[part], plan.outcome.used_down[part])
        np.maximum(self.used, own, out=self.used)
        self._counted += plan.lost[part].sum(axis=0)
        half = self.network.n + 1
        seen = captured.lost.astype(np.int64)
        for i in np.flatnonzero(seen != self._counted % (1 << 32)):
            self.faults.add(
                kind.CONFLICTS,
                f"cycle {part.stop - 1}: level {i % half} {'up' if i < half else 'down'}: "
                f"counted {seen[i]}, predicted {self._counted[i]}",
                where=Where(part.stop - 1),
            )
            self.conflicts[i] += seen[i] - self._counted[i]
            self._counted[i] = seen[i]  # a fault is reported once
        clocks = len(captured.sent) * self.network.layout.ticks + extra
        if captured.clocks != clocks:
            self.faults.add(
                kind.CYCLE,
                f"{len(captured.sent)} delivery cycles took {captured.clocks} clocks, not {clocks}",
            )

    def _finish(self, item: MessageSet) -> None:
        plan, tally = item.plan, self.tally
        self._finished += 1
        tally.sent += plan.messages
        tally.delivered += plan.delivered
        tally.attempts += int(np.count_nonzero(plan.row >= 0))
        tally.tried += plan.tried
        tally.lost += plan.lost_messages
        tally.discarded += plan.discarded
        tally.given_up += plan.given_up
        tally.overtaken += plan.overtaken
        self.conflicts += plan.lost.sum(axis=0)
        np.maximum(self.load, plan.load, out=self.load)
        attributes = partial(traits.attributes, self.network, item)
        self.suspects.item(item.dst.size, attributes, self.wrong, (item.dst >= 0).ravel())
        self.wrong = {}
        self.checked.write(item)

    # ---- what went wrong -------------------------------------------------------------------------

    def _bits(self, packed: UInt8Array) -> UInt8Array:
        return np.unpackbits(packed, axis=1, count=self.network.wires, bitorder="little")

    def _at(self, cycle: int, wire: int) -> Where:
        return Where(cycle, self.sink_place(wire))

    def _explain(self, captured: SerialCaptured, plan: Plan, words: Words, due: Words) -> None:
        """Give every disagreement on what arrived its name, delivery cycle by delivery cycle."""
        first = captured.first
        seen = self._bits(captured.arrived)
        want = self._bits(plan.arrived[first : first + len(seen)])
        wrong = (seen != want) | (captured.data != due)
        for cycle in np.flatnonzero(wrong.any(axis=1)).tolist():
            Cycle(self, captured, plan, words, cycle).explain(
                due[cycle], seen[cycle] > 0, want[cycle] > 0
            )

    def _late(self, captured: SerialCaptured, plan: Plan) -> None:
        """Of messages that came, or not, as they should: M bits in another clock, or of none."""
        first = captured.first
        part = slice(first, first + len(captured.tick))
        want = plan.tick[part]
        agreed = self._bits(captured.arrived) == self._bits(plan.arrived[part])
        for cycle, wire in np.argwhere(agreed & (captured.tick != want)).tolist():
            self.faults.add(
                kind.LATE,
                f"cycle {first + cycle} {self.sink(wire)}: M bit in clock "
                f"{captured.tick[cycle, wire]}, due in clock {want[cycle, wire]}",
                where=self._at(first + cycle, wire),
            )

    def _acknowledges(self, captured: SerialCaptured, plan: Plan) -> None:
        first = captured.first
        part = slice(first, first + len(captured.acked))
        seen, want = self._bits(captured.acked), self._bits(plan.acked[part])
        for cycle, wire in np.argwhere(
            (seen != want) | (captured.ack_tick != plan.ack_tick[part])
        ).tolist():
            if seen[cycle, wire] and want[cycle, wire]:
                told = (
                    f"in clock {captured.ack_tick[cycle, wire]}, "
                    f"due in clock {plan.ack_tick[first + cycle, wire]}"
                )
            else:
                told = "came, and should not" if seen[cycle, wire] else "did not come"
            told = f"cycle {first + cycle} {self.source(wire)}: {told}"
            row = int(plan.row[first + cycle, wire])
            where = self._at(first + cycle, wire)
            if row < 0:  # nothing was sent there
                self.faults.add(kind.ACKNOWLEDGE, told, where=where)
                continue
            message = self.parcel(captured.item, first + cycle, row, wire)
            self.blame(kind.ACKNOWLEDGE, told, replace(where, expected=message), (row, wire))

    # ---- the end ---------------------------------------------------------------------------------

    def check_phase(self) -> None:
        """Whatever no check has spoken on is a fault."""
        super().check_phase()
        if self.faults.counts.keys() & {kind.LIMIT, kind.PLAYER}:
            self.cut_off()
            return  # what came after it was not played
        lanes.compare(self.lanes, self.used, self.faults)
        if self._finished != self._items:
            self.faults.add(
                kind.UNCHECKED, f"{self._items} sets were sent, {self._finished} seen to the end"
            )
        if self.tally.sent == 0:
            self.faults.add(kind.UNCHECKED, "nothing was sent")

    def cut_off(self) -> None:
        """Messages of an item that was ended: those foreseen behind its end are still inside."""
        if self._open is not None:
            plan, cycles = self._open
            there = int(np.count_nonzero(plan.outcome.delivered[:cycles]))
            self.tally.sent += plan.messages
            self.tally.delivered += there
            self.tally.inside += plan.messages - there

    def accounts(self) -> dict[str, int]:
        tally = self.tally
        foreseen = {DELIVERED: tally.delivered, **tally.losses(), INSIDE: tally.inside}
        return self.ledger.settled(foreseen)
