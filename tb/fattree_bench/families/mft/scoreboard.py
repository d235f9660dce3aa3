"""Every packet where and when the model says, by which lane; every loss foreseen and counted."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.promises import Findings
from fattree_bench.bench.links.flit.scoreboard import RESET, FlitScoreboard
from fattree_bench.bench.links.flit.sent import FlitOver, Mask
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.plan import MftPlan, link_of, supplied
from fattree_models.common.checks import Int64Array
from fattree_models.mft import turn_row

COUNTS = {"overflow": kind.OVERFLOW, "lost": kind.CONFLICTS}  # others: kind.COUNTERS
FIFOS, ROUTERS = "at full FIFOs", "in routers"
PLACES = {"overflow": "client", "lost": "row", "up": "up links of row", "down": "lanes of row"}


class Passed:
    """What went through the network so far.

    Attributes
    ----------
    lost : packets lost, by where.
    counted : int64 [rows] each, by name: packets "lost", flits "up" and "down", as the network
        counted them in items that came to their end.
    climbing : int64 [rows], flits that clients sent in these beyond each row; sent : all.
    peak : flits of the least FIFO with which nothing would have been lost at a client.
    sources : bool [clients, lanes, clients], whose packets came by each lane of each client.
    """

    def __init__(self, network: MftNetwork) -> None:
        self.lost: Counter[str] = Counter()
        self.counted = {name: np.zeros(network.n, np.int64) for name in ("lost", "up", "down")}
        self.climbing = np.zeros(network.n, np.int64)
        self.sent = self.peak = 0
        leaves = network.leaves
        self.sources = np.zeros((leaves, network.row_lanes[0], leaves), np.bool_)


class MftScoreboard(FlitScoreboard):
    """Expects what every flit link must do, and exactly what the model says."""

    def __init__(self, name: str, parent: uvm_component, network: MftNetwork) -> None:
        super().__init__(name, parent, link_of(network), supplied(network), (exactly,))
        self.network = network
        self.passed = Passed(network)

    def finish(self, over: FlitOver) -> None:
        """Check what can be told only when an item is over, also the network's own counters."""
        counted = self.network.layout.counted(over.state)
        super().finish(replace(over, state=over.state[: self.network.layout.inputs]))
        plan = over.plan
        assert isinstance(plan, MftPlan)
        if not (over.stuck or over.limit or plan.seen.now <= max(plan.item.resets, default=-1)):
            for name, told in self._counters(plan, counted):
                self.faults.add(name, told)
            self._add(plan, counted)

    def _add(self, plan: MftPlan, counted: dict[str, Int64Array]) -> None:
        """Add what the network counted to what it has counted before."""
        passed, packets = self.passed, plan.counted
        for name in passed.counted:
            passed.counted[name] += counted[name]
        if len(packets):
            turn = turn_row(self.network.n, packets.source, packets.destination)
            rows = np.arange(self.network.n)[:, None]
            passed.climbing += (packets.flits * (turn > rows)).sum(axis=1)
            passed.sent += packets.total_flits

    def _counters(self, plan: MftPlan, counted: dict[str, Int64Array]) -> Iterator[tuple[str, str]]:
        """The network counts what the model does."""
        outcome, goal = plan.outcome, plan.counted.destination
        network = self.network
        due = {
            "overflow": np.bincount(goal[outcome.overflowed], minlength=network.leaves),
            "lost": np.bincount(outcome.lost_row[outcome.lost_inside], minlength=network.n),
            "up": outcome.up_flits,
            "down": outcome.down_flits,
        }
        for name, expected in due.items():
            for i in np.flatnonzero(counted[name] != expected):
                told = f"{PLACES[name]} {i}: {counted[name][i]} counted instead of {expected[i]}"
                yield COUNTS.get(name, kind.COUNTERS), told

    def taken(self, plan: MftPlan) -> dict[str, Mask]:
        ends = plan.seen.gone & ~plan.cut
        return {
            RESET: plan.seen.gone & plan.cut,
            FIFOS: ends & (plan.lane >= 0),
            ROUTERS: ends & (plan.lane < 0),
        }

    def count(self, plan: MftPlan, whole: Mask) -> None:
        """Keep the tally; of what is lost, where."""
        super().count(plan, whole)
        passed = self.passed
        for name, which in self.taken(plan).items():
            passed.lost[name] += int(np.count_nonzero(which))
        passed.peak = max(passed.peak, int(plan.outcome.peak.max(initial=0)))
        sent, lane = plan.sent, plan.seen.route.astype(np.int64)
        known = whole & (lane < self.network.row_lanes[0])
        passed.sources[sent.destination[known], lane[known], sent.source[known]] = True


def exactly(plan: MftPlan, whole: Mask) -> Findings:
    """Who comes, when, and by which lane."""
    sent, seen = plan.sent, plan.seen
    tails = seen.tails().astype(np.int64)
    for i in np.flatnonzero((seen.injected >= 0) & (seen.injected != plan.begun)):
        told = f"{sent.name(i)} left its list in clock {seen.injected[i]}, not {plan.begun[i]}"
        yield kind.SENDING, told, int(i)
    some = np.maximum.reduceat(seen.arrival, sent.first_flit[:-1]) >= 0 if len(sent) else whole
    for i in np.flatnonzero(some & plan.lost & ~plan.cut):
        yield kind.UNPREDICTED, f"{sent.name(i)} should be lost, and flits of it arrived", int(i)
    due = whole & ~plan.lost
    for name, wrong in ((kind.EARLY, tails < plan.tail), (kind.LATE, tails > plan.tail)):
        for i in np.flatnonzero(due & wrong):
            yield name, f"{sent.name(i)} arrived in clock {tails[i]}, not {plan.tail[i]}", int(i)
    lane = seen.route.astype(np.int64)
    for i in np.flatnonzero(due & (lane != plan.lane)):
        yield kind.ROUTE, f"{sent.name(i)} came by lane {lane[i]}, not {plan.lane[i]}", int(i)
