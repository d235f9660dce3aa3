"""Compares every flit that arrived with what was sent; samples nothing."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.environment import Scoreboard
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.families.xgft.deadlock import Waiting
from fattree_bench.families.xgft.plan import FlitPlan
from fattree_bench.families.xgft.routes import expected_routes
from fattree_bench.families.xgft.trace import HopTrace
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models import xgft
from fattree_models.common.checks import Int64Array

Mask = npt.NDArray[np.bool_]


@dataclass
class Tally:
    """Packets so far, replies included, by the end of each item."""

    sent: int = 0
    delivered: int = 0
    flits: int = 0
    flit_hops: int = 0
    on_their_way: int = 0  # when an item ended that was to end so
    discarded: int = 0  # by a reset
    replies: int = 0
    loads: list[xgft.Loads] = field(default_factory=list)  # flits on the links, by item
    packets: list[xgft.Loads] = field(default_factory=list)  # packets on the links, by item
    permutations: list[tuple[str, int]] = field(default_factory=list)  # packets, busiest link


class FlitScoreboard(Scoreboard):
    """Expects packets: once, whole, in the right place, on a legal route, not too early."""

    def __init__(self, name: str, parent: Any, network: XgftNetwork) -> None:
        super().__init__(name, parent)
        self.network = network
        self.tally = Tally()
        self.cycles = 0
        self.items = 0
        self.trace: HopTrace | None = None
        self._routes = expected_routes(network)
        # By level: which leaves [switches, ports, leaves] packets on a link were for.
        self.reached = {
            k: np.zeros(
                (network.tree.level_size(k), network.tree.radix(k), network.leaves), np.bool_
            )
            for k in network.levels
        }

    # ---- a burst ---------------------------------------------------------------------------------

    def write(self, captured: FlitCaptured) -> None:
        """Check what arrived in a burst of clocks."""
        plan: FlitPlan = captured.item.plan
        plan.note_taken(captured)
        clock, node = np.nonzero(captured.side)
        if len(clock):
            self._flits(plan, captured, clock, node)
        if self.trace is not None:
            self.trace.note(plan, captured)
        plan.now += len(captured.side)
        plan.note_reset(captured.first)
        self.cycles += len(captured.side)

    def _flits(
        self, plan: FlitPlan, captured: FlitCaptured, clock: Int64Array, node: Int64Array
    ) -> None:
        side, words = captured.side[clock, node], captured.data[clock, node]
        clock = clock + captured.first
        head, tail = (side & 2) != 0, (side & 1) != 0
        answered = captured.item.answers is not None
        tags, wrong = self.network.words.read(words, head, answered)

        # Whose flit is it?  What nobody has begun to send is damaged, or comes from nowhere.
        sent = plan.sent
        owner = np.minimum(tags.owner, self.network.leaves - 1)
        number = plan.unwrap(owner, tags.number)
        wrong |= (tags.owner >= self.network.leaves) | (number >= plan.begun[owner])
        wrong |= answered & tags.reply & (number >= plan.lengths[owner])
        packet = plan.starts[owner] + number + sent.packets * (answered & tags.reply)
        packet[wrong] = 0
        wrong |= tags.index >= sent.flits[packet]
        wrong |= tags.reply != (plan.kinds[packet] == 1)
        wrong |= head & (tags.source != sent.source[packet])
        wrong |= head & (tags.address != plan.address[packet])
        wrong |= head & (sent.injected[packet] >= clock)  # it has not begun: damaged, too
        if wrong.any():
            self._unknown(clock[wrong], node[wrong], words[wrong])
            keep = ~wrong
            clock, node, side = clock[keep], node[keep], side[keep]
            packet, head, tail = packet[keep], head[keep], tail[keep]
            index = tags.index[keep]
        else:
            index = tags.index
        self._marks(plan, packet, index, head, tail, clock)
        lost_way = node != sent.destination[packet]
        if lost_way.any():
            for i in np.flatnonzero(lost_way):
                self.faults.add(
                    kind.MISDELIVERED,
                    f"clock {clock[i]}: {self._packet(plan, packet[i])} at leaf {node[i]}",
                )
        self._note(plan, packet, index, clock, side, head)

    def _marks(
        self,
        plan: FlitPlan,
        packet: Int64Array,
        index: Int64Array,
        head: Mask,
        tail: Mask,
        clock: Int64Array,
    ) -> None:
        """Heads and tails must be marked, and nothing else."""
        wrong = (head != (index == 0)) | (tail != (index == plan.sent.flits[packet] - 1))
        for i in np.flatnonzero(wrong) if wrong.any() else ():
            marks = " and ".join(w for w, on in (("head", head[i]), ("tail", tail[i])) if on)
            self.faults.add(
                kind.MARKS,
                f"clock {clock[i]}: flit {index[i]} of {self._packet(plan, packet[i])} "
                f"is marked {marks or 'as neither head nor tail'}",
            )

    def _note(
        self,
        plan: FlitPlan,
        packet: Int64Array,
        index: Int64Array,
        clock: Int64Array,
        side: npt.NDArray[Any],
        head: Mask,
    ) -> None:
        """Enter what arrived; what was there before arrives again."""
        sent = plan.sent
        flit = sent.first_flit[packet] + index
        again = sent.arrival[flit] >= 0
        # Backwards, so that of two in one burst the earlier is kept.
        sent.arrival[flit[::-1]] = np.where(again, sent.arrival[flit], clock)[::-1]
        again |= sent.arrival[flit] != clock
        if again.any():
            for i in np.flatnonzero(again):
                told = f"clock {clock[i]}: flit {index[i]} of {self._packet(plan, packet[i])}"
                self.faults.add(kind.DUPLICATED, told)
        sent.vc[flit] = (side >> 2).astype(np.uint8) & 15
        at = packet[head]
        sent.route[at] = side[head].astype(np.uint64) >> np.uint64(6)
        fresh = ~again
        plan.arrived += int(np.count_nonzero(fresh))
        plan.progress = max(plan.progress, int(clock.max(initial=0)))
        ends = packet[fresh & (index == sent.flits[packet] - 1)]
        plan.delivered += len(ends)
        if plan.item.answers is not None:
            asked = ends[ends < sent.packets]
            plan.asked += len(asked)
            sent.created[asked + sent.packets] = sent.tails(asked) + 1

    # ---- an item ---------------------------------------------------------------------------------

    def finish(self, plan: FlitPlan) -> None:
        """Check what can be told only when an item is over."""
        sent = plan.sent
        whole = self._whole(plan)
        if plan.stuck:
            self._stuck(plan)
        elif plan.item.cycles is None:
            if plan.closed:
                self._missing_begun(plan)
            else:
                self._missing(plan)
            self._left_behind(plan)
        self._after_reset(plan)
        self._way(plan, whole)
        self._times(plan, whole)
        self._order(plan, whole)
        self._interleaved(plan, whole)
        if plan.item.check is not None:
            for name, told in plan.item.check(plan):
                self.faults.add(name, told)
        self._count(plan, whole)
        if self.trace is not None:
            self.trace.write(self.items, plan)
        self.items += 1
        if len(sent):
            self.checked.write(plan.item)

    def _count(self, plan: FlitPlan, whole: Mask) -> None:
        sent, tally, routes = plan.sent, self.tally, plan.routes
        begun = int(np.count_nonzero(sent.injected >= 0)) + plan.asked
        tally.sent += begun
        tally.delivered += int(np.count_nonzero(whole))
        tally.discarded += int(np.count_nonzero(plan.gone))
        tally.replies += plan.asked
        tally.on_their_way += begun - int(np.count_nonzero(whole | plan.gone))
        tally.flits += plan.arrived
        tally.flit_hops += int((routes.count * sent.flits)[whole].sum())
        good = whole & routes.legal
        tree, source, ports = self.network.tree, sent.source[good], routes.hops[good]
        tally.loads.append(xgft.route_loads(tree, source, ports, sent.flits[good]))
        tally.packets.append(xgft.route_loads(tree, source, ports))
        if plan.item.busiest:
            tally.permutations.append((plan.item.family, int(tally.packets[-1].busiest)))
        row, hop = np.nonzero(good[:, None] & (routes.hops >= 0))
        level, node, port = (a[row, hop] for a in (routes.level, routes.node, routes.hops))
        for k in self.network.levels:
            at = level == k
            self.reached[k][node[at], port[at], sent.destination[row[at]]] = True

    def _whole(self, plan: FlitPlan) -> Mask:
        """Packets of which every flit has arrived, bool [sent]."""
        if not len(plan.sent):
            return np.zeros(0, np.bool_)
        return np.minimum.reduceat(plan.sent.arrival, plan.sent.first_flit[:-1]) >= 0

    def _missing(self, plan: FlitPlan) -> None:
        """Everything had to arrive."""
        sent = plan.sent
        absent = np.repeat(~plan.gone, sent.flits) & (sent.arrival < 0)
        if absent.any():
            flits = np.add.reduceat(absent, sent.first_flit[:-1])
            for i in np.flatnonzero(flits):
                told = f"{flits[i]} of {sent.flits[i]} flits of {self._packet(plan, i)}"
                self.faults.add(kind.LOST, told)

    def _left_behind(self, plan: FlitPlan) -> None:
        """A network in which nothing is on its way is empty, and all credits are home."""
        for i in np.flatnonzero(plan.state & 3):
            self.faults.add(kind.NOT_EMPTY, f"{Waiting.name(self.network, int(i))} holds flits")
        for i in np.flatnonzero(~plan.home):
            told = Waiting.name(self.network, int(i), output=True)
            self.faults.add(kind.CREDITS, f"{told} is held, or has lost credits")

    def _after_reset(self, plan: FlitPlan) -> None:
        """Nothing arrives of packets that were on their way when a reset came."""
        sent, reset = plan.sent, plan.item.reset
        if reset is None:
            return
        late = np.repeat(plan.gone, sent.flits) & (sent.arrival > reset)
        for i in np.flatnonzero(np.add.reduceat(late, sent.first_flit[:-1])) if late.any() else ():
            told = f"{self._packet(plan, i)} arrived although a reset came in clock {reset}"
            self.faults.add(kind.SPURIOUS, told)

    def _stuck(self, plan: FlitPlan) -> None:
        """Nothing moves: say who waits for whom."""
        waiting = Waiting(self.network, plan)
        cycle = waiting.cycle()
        told = f"nothing moved after clock {plan.progress}; {plan.waiting} packets on their way"
        told += f", {len(plan.next_due)} senders have more"
        if cycle:
            self.faults.add(kind.DEADLOCK, f"{told}; a cycle of {len(cycle)} waits:")
            for line in waiting.tell(cycle):
                self.faults.examples[kind.DEADLOCK].append(line)
        else:
            self.faults.add(kind.STUCK, f"{told}, and no cycle of waiting channels")
            self._missing_begun(plan)
            if not plan.waiting:
                self._left_behind(plan)

    def _missing_begun(self, plan: FlitPlan) -> None:
        """Packets that were begun and never came."""
        sent = plan.sent
        begun = sent.injected >= 0
        late = begun & ~plan.gone & ~self._whole(plan)[: len(begun)]
        for i in np.flatnonzero(late):
            self.faults.add(kind.LOST, f"flits of {self._packet(plan, i)}")

    def _way(self, plan: FlitPlan, whole: Mask) -> None:
        """The route must be the one that the model says, or a legal one."""
        sent, network, routes = plan.sent, self.network, plan.routes
        if self._routes is not None:
            good = self._routes[sent.source * network.leaves + sent.destination] == sent.route
            if network.paths > 1:  # replies go to the first address of a leaf
                good |= ~self._listed(plan) & routes.legal
        else:
            good = routes.legal
        for i in np.flatnonzero(whole & ~good):
            took = " ".join(str(p) for p in routes.hops[i] if p >= 0)
            self.faults.add(kind.ROUTE, f"{self._packet(plan, i)} left switches by ports {took}")

    def _listed(self, plan: FlitPlan) -> Mask:
        """Packets of the lists, not replies, bool [sent]."""
        return np.arange(len(plan.sent)) < plan.sent.packets

    def _times(self, plan: FlitPlan, whole: Mask) -> None:
        """Nobody is faster than in an empty network; who is alone is no slower; flits in order."""
        sent = plan.sent
        least = self.network.alone(np.maximum(plan.routes.count, 1), sent.flits)
        took = sent.tails() - sent.created
        for i in np.flatnonzero(whole & (took < least)):
            self.faults.add(
                kind.EARLY, f"{self._packet(plan, i)} took {took[i]} clocks; at least {least[i]}"
            )
        if plan.item.alone:
            for i in np.flatnonzero(whole & (took > least)):
                told = f"{self._packet(plan, i)} took {took[i]} clocks; alone it takes {least[i]}"
                self.faults.add(kind.LATE, told)
        later = np.diff(sent.arrival) > 0
        inside = np.ones(len(sent.arrival), np.bool_)
        inside[sent.first_flit[1:] - 1] = False
        wrong = inside[:-1] & ~later & (sent.arrival[1:] >= 0) & (sent.arrival[:-1] >= 0)
        for flit in np.flatnonzero(wrong):
            i = int(np.searchsorted(sent.first_flit, flit, "right")) - 1
            told = f"flits of {self._packet(plan, i)} arrived out of order"
            self.faults.add(kind.REORDERED, told)

    def _order(self, plan: FlitPlan, whole: Mask) -> None:
        """Packets of a pair arrive as they were sent, where the network promises it."""
        if not self.network.in_order:
            return
        sent = plan.sent
        which = np.flatnonzero(whole & self._listed(plan))
        kinds = plan.item.packets.kind[which].astype(np.int64)
        pair = (sent.source[which] * self.network.leaves + sent.destination[which]) * 2 + kinds
        order = np.lexsort((which, pair))
        pair, which = pair[order], which[order]
        tails = sent.tails(which)
        for i in np.flatnonzero((np.diff(pair) == 0) & (np.diff(tails) <= 0)):
            later, earlier = (self._packet(plan, which[j]) for j in (i + 1, i))
            self.faults.add(kind.REORDERED, f"{later} arrived before {earlier}")

    def _interleaved(self, plan: FlitPlan, whole: Mask) -> None:
        """Flits of a packet keep their virtual channel, and nobody comes between them."""
        sent = plan.sent
        at = np.flatnonzero(whole)
        if not at.size:
            return
        first, last = sent.first_flit[at], sent.first_flit[at + 1] - 1
        each = np.repeat(whole, sent.flits)
        channel = np.repeat(sent.vc[sent.first_flit[:-1]], sent.flits)
        swapped = each & (sent.vc != channel)
        for flit in np.flatnonzero(swapped):
            i = int(np.searchsorted(sent.first_flit, flit, "right")) - 1
            told = f"flit {flit - sent.first_flit[i]} of {self._packet(plan, i)}"
            self.faults.add(kind.CHANNEL, f"{told} came in another virtual channel than the head")
        self._allowed(plan, at, sent.vc[first])
        place = sent.destination[at] * 16 + sent.vc[first]
        begin, end = sent.arrival[first], sent.arrival[last]
        order = np.lexsort((begin, place))
        mixed = (np.diff(place[order]) == 0) & (begin[order][1:] <= end[order][:-1])
        for i in np.flatnonzero(mixed):
            one, two = (self._packet(plan, at[order[j]]) for j in (i, i + 1))
            self.faults.add(kind.INTERLEAVED, f"{one} and {two} in one virtual channel")

    def _allowed(self, plan: FlitPlan, at: Int64Array, vc: npt.NDArray[np.uint8]) -> None:
        """Packets come in the virtual channels of their class; with KEEP in that of their start."""
        network, sent = self.network, plan.sent
        listed = at < sent.packets
        allowed = np.array([network.class_vcs(0), network.class_vcs(1)], np.uint8)[plan.kinds[at]]
        if network.vc_mode == "KEEP":
            allowed[listed] = plan.start_vcs[at[listed]]
        for i in np.flatnonzero((vc & allowed) == 0):
            told = f"{self._packet(plan, at[i])} arrived in virtual channel {_names(vc[i])}"
            self.faults.add(kind.CHANNEL, f"{told}; allowed: {_names(allowed[i])}")

    # ---- words -----------------------------------------------------------------------------------

    def _packet(self, plan: FlitPlan, i: int) -> str:
        """A packet, as in "packet 3 of leaf 5 to leaf 9 (4 flits)"."""
        sent = plan.sent
        what, at = ("packet", i) if i < sent.packets else ("the reply to packet", i - sent.packets)
        owner = int(np.searchsorted(plan.starts, at, "right")) - 1
        which = f"{what} {at - plan.starts[owner]} of leaf {owner}"
        where = "" if i >= sent.packets else f" to leaf {sent.destination[i]}"
        length = sent.flits[i]
        return f"{which}{where} ({length} {'flit' if length == 1 else 'flits'})"

    def _unknown(self, clock: Int64Array, node: Int64Array, words: npt.NDArray[Any]) -> None:
        """Words that name no packet on its way: damaged, or nobody's."""
        for c, n, word in zip(clock, node, words, strict=True):
            self.faults.add(kind.SPURIOUS, f"clock {c}: word {int(word):#x} at leaf {n}")


def _names(vcs: int) -> str:
    """Numbers of virtual channels of which there is one bit each."""
    return " or ".join(str(v) for v in range(4) if int(vcs) >> v & 1) or "none"
