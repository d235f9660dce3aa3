"""Every word and way of every packet, every answer to a request, every damaged bit and state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.promises import latency
from fattree_bench.bench.links.flit.scoreboard import RESET, FlitScoreboard
from fattree_bench.bench.links.flit.sent import FlitOver, Mask
from fattree_bench.bench.path.heads import Hops, lead_there
from fattree_bench.families.spin import traits
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.plan import SpinPlan, link_of, supplied
from fattree_bench.families.spin.prompt import prompt
from fattree_bench.families.spin.requests import RequestPlan, RequestsCaptured, RequestsOver, Wrong
from fattree_models.common.checks import Int64Array

if TYPE_CHECKING:
    from fattree_bench.families.spin.exact import RouterCheck

DAMAGED = "damaged"


@dataclass
class Requests:
    """Commands so far."""

    issued: int = 0
    answered: int = 0
    failed: int = 0  # because the target said so
    dropped: int = 0
    flagged: int = 0
    overtaken: int = 0  # answers by that to a later command of their initiator
    latency: list[Int64Array] = field(default_factory=list)


class SpinScoreboard(FlitScoreboard):
    """Expects what every flit link must do, legal ways, nothing corrupt that is not flagged."""

    def __init__(self, name: str, parent: uvm_component, network: SpinNetwork) -> None:
        checks = (latency(SpinPlan.least_clocks),)
        super().__init__(name, parent, link_of(network), supplied(network), checks)
        self.network = network
        self.exact: RouterCheck | None = None
        if network.exact:  # numba: who does not compare need not load it
            from fattree_bench.families.spin import exact

            self.exact = exact.RouterCheck(network)
        self.requests = Requests()
        self._asked: RequestPlan | None = None  # some of its bursts were seen, and not yet its end
        self.damaged = self.flagged = 0  # packets lost to changed bits; packets marked so
        self.stored = np.zeros(network.planes, np.int64)  # packets that went into shared buffers
        tree = network.tree
        # By level: which leaves [routers, ports, leaves] packets on a link were for.
        self.reached = {
            k: np.zeros((tree.level_size(k), tree.radix(k), network.leaves), np.bool_)
            for k in range(1, tree.height + 1)
        }

    @property
    def lost_to_damage(self) -> int:
        """Packets that came flagged, and requests without an answer for that."""
        return self.ends[DAMAGED]

    @property
    def reached_any(self) -> bool:
        """Whether ways of packets are known."""
        return any(bool(reached.any()) for reached in self.reached.values())

    # ---- a burst ---------------------------------------------------------------------------------

    def write(self, captured: FlitCaptured | RequestsCaptured) -> None:
        """Check a burst of clocks."""
        if isinstance(captured, RequestsCaptured):
            self.begin(captured.item.family, captured.first, len(captured.issued))
            self._compare(captured)
            self._asked = captured.item.plan
            self._note(self._asked, self._asked.take(captured))
            self.cycles += len(captured.issued)
            return
        super().write(captured)

    def received(self, plan: SpinPlan, captured: FlitCaptured) -> FlitCaptured:
        """Flits of sound packets; the recorder's heads are noted, and all links compared."""
        self._compare(captured)
        plan.heads.note(plan, captured)
        return plan.receiver.take(captured)

    def _compare(self, captured: FlitCaptured | RequestsCaptured) -> None:
        """All links of plane 0, in all clocks."""
        if self.exact is None:
            return
        found = self.exact.check(captured.bursts, captured.first)
        if found.kind:
            told = f"{captured.item.family}: {found.example}"
            self.faults.add(found.kind, told, where=found.where)

    # ---- an item ---------------------------------------------------------------------------------

    def finish(self, over: FlitOver | RequestsOver) -> None:
        """Check what is known only when an item is over."""
        stored = self.network.layout.counted(over.state)["stored"]
        self.stored += stored
        over.plan.stored = int(stored.sum())  # type: ignore[union-attr]
        shown = over.state[: self.network.layout.inputs + self.network.terminals]
        if isinstance(over, RequestsOver):
            self._requests_over(over, shown)
            return
        plan = over.plan
        assert isinstance(plan, SpinPlan)
        plan.receiver.rest()
        self._flagged(plan)
        super().finish(replace(over, state=shown))

    def taken(self, plan: SpinPlan) -> dict[str, Mask]:
        """Where bits are changed, only for that."""
        return {DAMAGED if plan.damaged.any() else RESET: plan.seen.gone}

    def count(self, plan: SpinPlan, whole: Mask) -> None:
        """Keep the tally, and check the ways."""
        super().count(plan, whole)
        if plan.damaged.any():
            self.damaged += int(np.count_nonzero(plan.seen.gone))
        self.flagged += len(plan.receiver.flagged)
        if not self.network.exact:
            return
        hops = plan.heads.hops()
        sent = plan.sent
        shortest = self.network.hop_count(sent.source, sent.destination)
        good = np.bincount(hops.packet, minlength=len(sent)) == shortest
        longest = 2 * self.network.tree.height - 1
        ends = sent.source, sent.destination
        good &= lead_there(self.network.structure, hops, *ends, longest)
        for i in np.flatnonzero(whole & ~good) if not plan.damaged.any() else ():
            mine = hops.packet == i
            took = " ".join(map(str, hops.port[mine]))
            told = f"{plan.sent.name(i)} left routers by ports {took}"
            self.blame(kind.ROUTE, plan, i, told, int(plan.seen.tails()[i]))
        if plan.item.alone:
            for told in turns(self.network, hops):
                self.faults.add(kind.UNEVEN, told)
        self._reach(plan, hops, whole & good)

    def _reach(self, plan: SpinPlan, hops: Hops, good: Mask) -> None:
        goal = plan.sent.destination[hops.packet]
        for level, reached in self.reached.items():
            at = good[hops.packet] & (hops.level == level)
            reached[hops.node[at], hops.port[at], goal[at]] = True

    def _flagged(self, plan: SpinPlan) -> None:
        """Packets that came damaged: only where bits were changed."""
        flagged, damaged = plan.receiver.flagged, np.flatnonzero(plan.damaged)
        for each in flagged:
            told = f"leaf {each.leaf}, clocks {each.first} … {each.last}: a packet flagged "
            told += ", ".join(each.packet.flags)
            if not damaged.size:
                where = Where(each.last, Place("leaf", each.leaf))
                self.faults.add(kind.CORRUPTED, told, where=where)
            elif plan.odd and ("error" not in each.packet.flags or "parity" in each.packet.flags):
                self.faults.add(kind.MARKS, f"{told}: a router found parity wrong, and marks that")
        for i in damaged[plan.seen.whole()[damaged]]:
            told = f"{plan.sent.name(i)} was corrupted without being flagged"
            self.blame(kind.CORRUPTED, plan, i, told, int(plan.seen.tails()[i]))
        if len(flagged) < len(damaged):
            told = f"{len(damaged)} packets were damaged, and {len(flagged)} are flagged"
            self.faults.add(kind.LOST, told)

    def _requests_over(self, over: RequestsOver, shown: npt.NDArray[np.uint16]) -> None:
        plan = over.plan
        if over.stuck:
            told = f"nothing moved after clock {plan.progress}; {plan.waiting} requests are open"
            self.faults.add(kind.STUCK, told)
        self._note(plan, (*plan.missing(), *prompt(plan)))
        if not (over.stuck or plan.item.flips):
            for i in np.flatnonzero(shown):
                self.faults.add(kind.NOT_EMPTY, f"{self.link.place(int(i), False)} holds words")
            for i in np.flatnonzero(~over.home):
                self.faults.add(kind.CREDITS, f"{self.link.place(int(i), True)} has lost credits")
        self._count_requests(plan, over.stuck)
        self.items += 1
        self.checked.write(plan.item)

    def _note(self, plan: RequestPlan, found: Iterable[Wrong]) -> None:
        """Faults of commands."""
        for wrong in found:
            self.faults.add(wrong.kind, wrong.told, where=traits.where(plan, wrong))
            if wrong.command >= 0:
                self._wrong.setdefault(wrong.command, (wrong.kind, traits.astray(plan, wrong)))

    def cut_off(self) -> None:
        """Requests without an answer are still inside."""
        super().cut_off()
        if self._asked is not None:
            self._count_requests(self._asked, stuck=True)

    def _count_requests(self, plan: RequestPlan, stuck: bool) -> None:
        """Keep the tally, and compare the commands."""
        attributes = partial(traits.attributes, plan)
        self.suspects.item(len(plan.commands), attributes, self._wrong, plan.issued >= 0)
        self._wrong, self._asked = {}, None
        requests, tally = self.requests, self.tally
        issued = int(np.count_nonzero(plan.issued >= 0))
        answered = int(np.count_nonzero(plan.answered >= 0))
        requests.issued += issued
        requests.answered += answered
        requests.failed += int(np.count_nonzero(plan.failed))
        requests.dropped += plan.dropped
        requests.flagged += plan.flagged
        requests.overtaken += plan.overtaken
        requests.latency.append(plan.latency())
        tally.sent += issued
        tally.delivered += answered
        left = INSIDE if stuck else DAMAGED if plan.item.flips else kind.LOST
        self.ends += Counter({DELIVERED: answered, left: issued - answered})


def turns(network: SpinNetwork, hops: Hops) -> list[str]:
    """Routers whose parents were not taken in turn, if no packet was in the way of another."""
    tree, told = network.tree, []
    for level in range(1, tree.height):
        downs, ups = tree.down_ports(level), tree.up_ports(level)
        climbs = (hops.level == level) & (hops.port >= downs)
        for node in np.unique(hops.node[climbs]):
            here = climbs & (hops.node == node)
            parent = hops.port[here][np.argsort(hops.clock[here], kind="stable")] - downs
            if ((np.diff(parent) - 1) % ups).any():
                some = " ".join(map(str, parent[:12]))
                told.append(f"level {level} router {node} chose its parents in the order {some}")
    return told
