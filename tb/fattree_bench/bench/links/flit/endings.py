"""How an item ends on the flit link: what is stuck, what never came, what was left behind."""

from dataclasses import replace
from typing import SupportsInt

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.environment import Scoreboard
from fattree_bench.bench.faults import Where
from fattree_bench.bench.links.flit.sent import FlitOver, FlitPlan, Mask

WAITS = 3  # of a cycle that the first line tells
OWN_ENDS = (kind.MISDELIVERED, kind.CORRUPTED, kind.UNPREDICTED)  # accounts of packets with these


class EndingScoreboard(Scoreboard):
    """Blames packets, and says why an item ended."""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self._wrong: dict[int, tuple[str, int]] = {}  # of the item, see Suspects.item

    def blame(
        self,
        name: str,
        plan: FlitPlan,
        packet: SupportsInt,
        told: str,
        clock: int | None = None,
        leaf: int | None = None,
        missing: str = "",
    ) -> None:
        """A fault of a packet; where it came, if not where it should; what of it did not come."""
        packet = int(packet)
        goal = int(plan.sent.destination[packet])
        where = plan.where(packet, clock, leaf)
        if name == kind.LOST:
            where = replace(where, got=None, since=int(plan.sent_in[packet]), missing=missing)
        self.faults.add(name, told, where=where)
        astray = 0 if leaf is None else leaf ^ goal
        if name in OWN_ENDS or packet not in self._wrong:
            self._wrong[packet] = name, astray

    def waits(self, over: FlitOver) -> list[str]:
        """Who waits for whom in a cycle, a line each: for who knows the inside of the network."""
        return []

    def ending(self, over: FlitOver, whole: Mask) -> None:
        """Why the item ended, and what had to be there by then."""
        plan = over.plan
        if over.stuck:
            self._stuck(over, whole)
            return
        if over.limit:
            self.faults.add(kind.LIMIT, f"{plan.item.family}: {over.limit}")
            self._missing_begun(plan, whole)
        elif plan.item.cycles is None:
            if over.closed:
                self._missing_begun(plan, whole)
            else:
                self._missing(plan)
            self._left_behind(over)

    def _missing(self, plan: FlitPlan) -> None:
        """Everything had to arrive."""
        sent, absent = plan.sent, plan.seen.absent()
        if absent.any():
            flits = np.add.reduceat(absent, sent.first_flit[:-1])
            for i in np.flatnonzero(flits):
                told = f"{flits[i]} of {sent.flits[i]} flits of {sent.name(i)}"
                part = (
                    f"{flits[i]} of its {sent.flits[i]} flits" if flits[i] < sent.flits[i] else ""
                )
                self.blame(kind.LOST, plan, i, told, missing=part)

    def _left_behind(self, over: FlitOver) -> None:
        """A network in which nothing is on its way is empty, and all credits are home."""
        place = over.plan.link.place
        for i in np.flatnonzero(over.state & 3):
            self.faults.add(kind.NOT_EMPTY, f"{place(int(i), False)} holds flits")
        for i in np.flatnonzero(~over.home):
            self.faults.add(kind.CREDITS, f"{place(int(i), True)} is held, or has lost credits")

    def _stuck(self, over: FlitOver, whole: Mask) -> None:
        """Nothing moves: say who waits for whom, if anybody knows."""
        seen, sent = over.plan.seen, over.plan.sent
        waiting = int(np.count_nonzero(seen.begun < sent.lengths))
        told = f"nothing moved after clock {seen.progress}; {seen.waiting} packets on their way"
        told += f", {waiting} senders have more"
        cycle = self.waits(over)
        if cycle:
            way = "; ".join(cycle[:WAITS]) + ("; …" if cycle[WAITS:] else "")
            why = f"{told}; a cycle of {len(cycle)} waits: {way}"
            self.faults.add(kind.DEADLOCK, why, where=Where(seen.progress))
            self.faults.examples[kind.DEADLOCK] += cycle
            return
        known = ", and no cycle of waiting channels" if self.supplied.path else ""
        self.faults.add(kind.STUCK, told + known, where=Where(seen.progress))
        self._missing_begun(over.plan, whole)
        if not seen.waiting:
            self._left_behind(over)

    def _missing_begun(self, plan: FlitPlan, whole: Mask) -> None:
        """Packets that were begun and never came."""
        late = (plan.seen.injected >= 0) & ~plan.seen.gone & ~whole
        for i in np.flatnonzero(late):
            self.blame(kind.LOST, plan, i, f"flits of {plan.sent.name(i)}")
