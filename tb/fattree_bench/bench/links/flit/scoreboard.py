"""Delivery on the flit link: every flit that arrived against what was sent; samples nothing.

All that this file checks it sees at the leaves.  What a network promises beyond that, and what is
known of its inside, is checked by what the network supplies.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, SupportsInt

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.levels import CHANNEL, ORDER, Supplied
from fattree_bench.bench.links.flit.damage import Repair, Streams
from fattree_bench.bench.links.flit.endings import OWN_ENDS, EndingScoreboard
from fattree_bench.bench.links.flit.packets import FlitCaptured, UIntArray
from fattree_bench.bench.links.flit.promises import Findings, LevelCheck, in_order, overtaken
from fattree_bench.bench.links.flit.resets import after_reset
from fattree_bench.bench.links.flit.sent import FlitLink, FlitOver, FlitPlan, Mask, Masks
from fattree_bench.bench.links.flit.turns import Turns
from fattree_bench.bench.links.payload import Words
from fattree_models.common.checks import Int64Array

RESET = "in a reset"


@dataclass
class Tally:
    """Packets so far, replies included, by the end of each item."""

    sent: int = 0
    delivered: int = 0
    flits: int = 0
    on_their_way: int = 0  # when an item ended that was to end so
    discarded: int = 0  # by a reset
    replies: int = 0
    overtaken: int = 0  # by a later one of their pair and class


class FlitScoreboard(EndingScoreboard):
    """Expects packets: once, whole, undamaged, in the right place; then what is promised.

    Parameters
    ----------
    checks : of the promises and of the path, besides those that any network can make.
    """

    patience = 1 << 18  # flits before the compiled check is loaded, which takes a while

    def __init__(
        self,
        name: str,
        parent: uvm_component,
        link: FlitLink,
        supplied: Supplied,
        checks: Sequence[LevelCheck] = (),
    ) -> None:
        super().__init__(name, parent)
        self.link = link
        self.supplied = supplied
        self.checks = [*((in_order,) if ORDER in supplied.promises else ()), *checks]
        self.tally = Tally()
        self.cycles = 0
        self.items = 0
        self.ends: Counter[str] = Counter()  # accounts of packets
        self._cut = False  # the item ended although packets were on their way
        self._playing: FlitPlan | None = None  # some of its bursts were seen, and not yet its end
        self._repair: Repair | None = None
        self._turns: Turns | None = None

    # ---- a burst ---------------------------------------------------------------------------------

    def write(self, captured: FlitCaptured) -> None:
        """Check what arrived in a burst of clocks."""
        plan: FlitPlan = captured.item.plan
        if self.ended_early:  # nothing is judged behind a fault of the player
            plan.seen.pass_by(len(captured.side), captured.item.resets)
            return
        self._playing = plan
        self.begin(captured.item.family, captured.first, len(captured.side))
        plan.seen.take(captured)
        came = self.received(plan, captured)
        if not self._regular(plan, came):
            clock, leaf = np.nonzero(came.side)
            if len(clock):
                self._flits(plan, came, clock, leaf)
        plan.seen.pass_by(len(captured.side), captured.item.resets)
        self.cycles += len(captured.side)

    def begin(self, family: str, first: int, clocks: int) -> None:
        """A burst of an item is over; its clocks are counted from the item's start."""
        self.faults.item, self.faults.family = self.items, family
        if first == 0:
            self.timing.clear()
        self.burst(first, clocks)

    def received(self, plan: Any, captured: FlitCaptured) -> FlitCaptured:
        """What receivers make of what came: flits as they were sent."""
        return captured

    def _regular(self, plan: FlitPlan, captured: FlitCaptured) -> bool:
        """In a long run: all that arrived was as it should be."""
        if plan.sent.corners or self.tally.flits + plan.seen.arrived < self.patience:
            return False
        from fattree_bench.bench.links.flit.regular import note

        return note(plan.seen, captured)

    def _flits(
        self, plan: FlitPlan, captured: FlitCaptured, clock: Int64Array, leaf: Int64Array
    ) -> None:
        side, words = captured.side[clock, leaf], captured.data[clock, leaf]
        clock = clock + captured.first
        head = (side & 2) != 0
        sent, seen = plan.sent, plan.seen
        tags, wrong = self.link.words.read(words, head, sent.answered)

        # Whose flit is it?  What has not begun is damaged, or comes from nowhere.
        owner = np.minimum(tags.owner, self.link.leaves - 1)
        number = seen.unwrap(owner, tags.number)
        wrong |= (tags.owner >= self.link.leaves) | (number >= seen.begun[owner])
        replies = sent.answered & tags.reply
        wrong |= replies & (number >= sent.lengths[owner])
        packet = sent.starts[owner] + number + sent.packets * replies
        packet[wrong] = 0
        wrong |= (tags.index >= sent.flits[packet]) | (~head & (tags.index == 0))
        wrong |= tags.reply != (sent.kinds[packet] == 1)
        wrong |= head & (tags.source != sent.source[packet])
        wrong |= head & (tags.address != sent.address[packet])
        wrong |= head & (seen.injected[packet] >= clock)  # it has not begun: also damaged
        if sent.corners:
            self._by_turn(plan, packet, tags.index, wrong, leaf * 16 + _channel(side), words)
        doubtful = ~wrong & (leaf != sent.destination[packet])
        doubtful |= ~wrong & seen.been(packet, tags.index, ~wrong)
        if not (wrong | doubtful).any():
            self._arrived(plan, packet, tags.index, clock, leaf, side)
            return
        tail = (side & 1) != 0
        wrong |= head & (tail != (sent.flits[packet] == 1))
        place = leaf * 16 + _channel(side)
        streams = Streams(sent, packet, tags.index, ~(wrong | doubtful), doubtful, place)
        streams.good &= ~streams.impostors(head)
        at = np.flatnonzero(streams.good)
        self._arrived(plan, packet[at], tags.index[at], clock[at], leaf[at], side[at])
        self._damaged(plan, streams, clock, leaf, side, words)

    def _by_turn(
        self,
        plan: FlitPlan,
        packet: Int64Array,
        index: Int64Array,
        wrong: Mask,
        place: Int64Array,
        words: Words,
    ) -> None:
        """Words that name no packet are of the flits whose turn it is, if they are the same."""
        sent = plan.sent
        if self._turns is None or self._turns.sent is not sent:
            self._turns = Turns(sent)
        due = self._turns.due(sent.first_flit[packet] + index, ~wrong, place)
        at = np.flatnonzero(wrong & (due >= 0))
        at = at[sent.words(due[at]) == words[at]]
        packet[at] = sent.packet_of(due[at])
        index[at] = due[at] - sent.first_flit[packet[at]]
        wrong[at] = False

    def _arrived(
        self,
        plan: FlitPlan,
        packet: Int64Array,
        index: Int64Array,
        clock: Int64Array,
        leaf: Int64Array,
        side: UIntArray,
    ) -> None:
        """Flits of packets on their way: their marks, their places, whether they are new."""
        sent, seen = plan.sent, plan.seen
        head, tail = (side & 2) != 0, (side & 1) != 0
        wrong = (head != (index == 0)) | (tail != (index == sent.flits[packet] - 1))
        for i in np.flatnonzero(wrong) if wrong.any() else ():
            marks = " and ".join(w for w, on in (("head", head[i]), ("tail", tail[i])) if on)
            told = f"clock {clock[i]}: flit {index[i]} of {sent.name(packet[i])} "
            told += f"is marked {marks or 'as neither head nor tail'}"
            self.blame(kind.MARKS, plan, packet[i], told, int(clock[i]))
        astray = leaf != sent.destination[packet]
        for i in np.flatnonzero(astray) if astray.any() else ():
            if self._wrong.get(int(packet[i]), ("",))[0] == kind.MISDELIVERED:
                continue  # a flit of it was here
            told = f"clock {clock[i]}: {sent.name(packet[i])} at leaf {leaf[i]}"
            self.blame(kind.MISDELIVERED, plan, packet[i], told, int(clock[i]), int(leaf[i]))
        again = seen.enter(packet, index, clock, _channel(side))
        for i in np.flatnonzero(again) if again.any() else ():
            told = f"clock {clock[i]}: flit {index[i]} of {sent.name(packet[i])}"
            self.blame(kind.DUPLICATED, plan, packet[i], told, int(clock[i]))
        first = index == 0
        seen.route[packet[first]] = side[first].astype(np.uint64) >> np.uint64(6)

    def _damaged(
        self,
        plan: FlitPlan,
        streams: Streams,
        clock: Int64Array,
        leaf: Int64Array,
        side: UIntArray,
        words: Words,
    ) -> None:
        """Words that name no packet on its way, or another: damaged, or unknown."""
        if self._repair is None or self._repair.plan is not plan:
            self._repair = Repair(plan)
        sent = plan.sent
        found = list(self._repair.find(streams, clock, leaf, _channel(side), words))
        for i, flit, due in found:
            seen, packet = int(words[i]), int(sent.packet_of(flit))
            if flit < 0:
                told = f"clock {clock[i]}: word {seen:#x} at leaf {leaf[i]}"
                where = Where(int(clock[i]), Place("leaf", int(leaf[i])))
                self.faults.add(kind.SPURIOUS, told, where=where)
                continue
            index, at = flit - sent.first_flit[packet], slice(i, i + 1)
            if seen != due:  # otherwise only its marks are wrong
                told = f"clock {clock[i]}: flit {index} of {sent.name(packet)}: {seen:#x} instead "
                told += f"of {due:#x} (bits {seen ^ due:#x} differ)"
                self.suspects.flip(seen ^ due)
                self.blame(kind.CORRUPTED, plan, packet, told, int(clock[i]))
            # One by one: of two that are the same in one clock, the second is there again.
            one = np.array([packet]), np.array([index])
            self._arrived(plan, *one, clock[at], leaf[at], side[at])

    # ---- an item ---------------------------------------------------------------------------------

    def finish(self, over: FlitOver) -> None:
        """Check what is known only when an item is over."""
        plan = over.plan
        if self.ended_early:
            return
        whole = plan.seen.whole()
        self._cut = over.stuck or bool(over.limit) or plan.item.cycles is not None
        self.ending(over, whole)
        self.found(plan, after_reset(plan))
        self._flits_in_order(plan)
        self._channels(plan, whole)
        for check in self.checks:
            self.found(plan, check(plan, whole))
        if plan.item.check is not None:
            self.found(plan, plan.item.check(plan))
        self.count(plan, whole)
        self._over(plan)
        self.items += 1
        if len(plan.sent):
            self.checked.write(plan.item)

    def _over(self, plan: FlitPlan) -> None:
        """Nothing more is seen of an item: compare its packets."""
        self.suspects.item(len(plan.sent), plan.attributes, self._wrong, plan.sent_in >= 0)
        self._wrong = {}
        self._playing = None

    def cut_off(self) -> None:
        """Packets of an item that was ended, and are on their way, are still inside."""
        if self._playing is not None:
            plan, self._cut = self._playing, True
            FlitScoreboard.count(self, plan, plan.seen.whole())
            self._over(plan)

    def found(self, plan: FlitPlan, findings: Findings) -> None:
        """What a check has found: kind, example, and the packet that it is about, if it is one."""
        for finding in findings:
            (name, told), packet = finding[:2], finding[2] if len(finding) > 2 else -1
            where = finding[3] if len(finding) > 3 else None
            if packet < 0:
                self.faults.add(name, told, where=where or kind.NOWHERE)
                continue
            tail = int(plan.seen.tails(np.array([packet]))[0])
            clock = where.time if where else tail if tail >= 0 else None
            self.blame(name, plan, packet, told, clock)

    def taken(self, plan: Any) -> dict[str, Mask]:
        """Packets that are gone as foreseen, by why."""
        return {RESET: plan.seen.gone}

    def accounts(self) -> dict[str, int]:
        return {DELIVERED: 0, **self.ends}

    def _settle(self, plan: FlitPlan, whole: Mask) -> None:
        """What became of the packets of an item."""
        left: Mask = plan.sent_in >= 0
        for packet, (name, _) in self._wrong.items():
            if name in OWN_ENDS and left[packet]:
                self.ends[name] += 1
                left[packet] = False
        for name, which in {
            **self.taken(plan),
            DELIVERED: whole,
            INSIDE if self._cut else kind.LOST: np.ones_like(left),
        }.items():
            if count := int(np.count_nonzero(left & which)):
                self.ends[name] += count
                left &= ~which

    def count(self, plan: Any, whole: Mask) -> None:
        """Keep the tally."""
        self._settle(plan, whole)
        seen, tally = plan.seen, self.tally
        begun = int(np.count_nonzero(seen.injected >= 0)) + seen.asked
        tally.sent += begun
        tally.delivered += int(np.count_nonzero(whole))
        tally.discarded += int(np.count_nonzero(seen.gone))
        tally.replies += seen.asked
        tally.on_their_way += begun - int(np.count_nonzero(whole | seen.gone))
        tally.flits += seen.arrived
        tally.overtaken += overtaken(plan, whole)

    def _flits_in_order(self, plan: FlitPlan) -> None:
        """Flits of a packet arrive one behind the other."""
        sent, arrival = plan.sent, plan.seen.arrival
        inside = np.ones(len(arrival), np.bool_)
        inside[sent.first_flit[1:] - 1] = False
        wrong = inside[:-1] & (np.diff(arrival) <= 0) & (arrival[1:] >= 0) & (arrival[:-1] >= 0)
        for flit in np.flatnonzero(wrong):
            packet = sent.packet_of(flit)
            told = f"flits of {sent.name(packet)} arrived out of order"
            self.blame(kind.REORDERED, plan, packet, told, int(arrival[flit + 1]))

    def _channels(self, plan: FlitPlan, whole: Mask) -> None:
        """Flits of a packet keep a virtual channel of its class; none comes between them."""
        sent, seen = plan.sent, plan.seen
        at = np.flatnonzero(whole)
        if not at.size:
            return
        first, last = sent.first_flit[at], sent.first_flit[at + 1] - 1
        swapped = np.repeat(whole, sent.flits)
        swapped &= seen.vc != np.repeat(seen.vc[sent.first_flit[:-1]], sent.flits)
        for flit in np.flatnonzero(swapped):
            packet = sent.packet_of(flit)
            told = f"flit {flit - sent.first_flit[packet]} of {sent.name(packet)}"
            told += " came in another virtual channel than the head"
            self.blame(kind.CHANNEL, plan, packet, told, int(seen.arrival[flit]))
        allowed = np.array(plan.link.class_vcs, np.uint8)[sent.kinds[at]]
        if CHANNEL in self.supplied.promises:
            listed = at < sent.packets
            allowed[listed] = sent.start_vcs[at[listed]]
        for i in np.flatnonzero((seen.vc[first] & allowed) == 0):
            told = f"{sent.name(at[i])} arrived in virtual channel {_names(seen.vc[first[i]])}"
            told += f"; allowed: {_names(allowed[i])}"
            self.blame(kind.CHANNEL, plan, at[i], told, int(seen.arrival[first[i]]))
        place = sent.destination[at] * 16 + seen.vc[first]
        astray = {i for i, (name, _) in self._wrong.items() if name == kind.MISDELIVERED}
        begin, end = seen.arrival[first], seen.arrival[last]
        order = np.lexsort((begin, place))
        mixed = (np.diff(place[order]) == 0) & (begin[order][1:] <= end[order][:-1])
        for i in np.flatnonzero(mixed):
            if astray.intersection(at[order[i : i + 2]].tolist()):
                continue  # each was at a leaf of its own
            one, two = (sent.name(at[order[j]]) for j in (i, i + 1))
            told = f"{one} and {two} in one virtual channel"
            self.blame(kind.INTERLEAVED, plan, at[order[i + 1]], told, int(begin[order[i + 1]]))


def _channel(side: UIntArray) -> Masks:
    """Virtual channels that flits came in, one bit each."""
    return (side >> 2).astype(np.uint8) & np.uint8(15)


def _names(vcs: SupportsInt) -> str:
    """Numbers of virtual channels, given one bit each."""
    return " or ".join(str(v) for v in range(4) if int(vcs) >> v & 1) or "none"
