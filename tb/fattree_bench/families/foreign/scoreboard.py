"""Delivery through a foreign design, the rules of its link, and what it promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.links.flit.endings import OWN_ENDS
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.promises import Findings, LevelCheck, latency
from fattree_bench.bench.links.flit.sent import FlitOver, Mask
from fattree_bench.bench.path.scoreboard import PathScoreboard
from fattree_bench.bench.path.ways import Ways
from fattree_bench.bench.result import Head, Heads, Number, Table, table
from fattree_bench.families.foreign.exact import predicted
from fattree_bench.families.foreign.handshakes import unasked, waited
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.passed import passed
from fattree_bench.families.foreign.plan import ForeignPlan, link_of, supplied
from fattree_models.common.checks import Int64Array

LEAVES: Heads = {
    "leaf": Head("leaf"),
    **dict.fromkeys(("sent", "arrived", "due", "came"), Head("packets")),
}


class ByLeaf:
    """What became of the packets of each input, and of those for each output."""

    def __init__(self, inputs: int, outputs: int) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.counts = np.zeros((max(inputs, outputs), 4), np.int64)

    def add(self, source: Int64Array, goal: Int64Array, due: Mask, whole: Mask) -> None:
        """Count packets that are due, and those that came."""
        came = due & whole
        columns = (source, due), (source, came), (goal, due), (goal, came)
        for column, (leaf, which) in enumerate(columns):
            self.counts[:, column] += np.bincount(leaf[which], minlength=len(self.counts))

    def table(self) -> Table:
        """A row a leaf: sent, arrived, due, came; None where it has no such side."""
        made: list[list[Number]] = []
        for leaf, (sent, arrived, due, came) in enumerate(self.counts.tolist()):
            sends, takes = leaf < self.inputs, leaf < self.outputs
            one: list[Number] = [sent, arrived] if sends else [None, None]
            made.append([leaf, *one, *([due, came] if takes else [None, None])])
        return table(LEAVES, made)


class ForeignScoreboard(PathScoreboard):
    """Expects what every flit link must do, and no rule of the design's link broken.

    Attributes
    ----------
    broken : rules, all clocks and leaves together.
    dropped : packets that did not come, where some may.
    alone : clocks that first words of packets took through the design, where nothing was in their
        way; the least and the most of each item.
    """

    def __init__(self, name: str, parent: Any, network: ForeignNetwork) -> None:
        promised = network.design.said.promises
        checks: list[LevelCheck] = [named] if {"id"} <= network.design.receive.fields.keys() else []
        if promised.latency is not None:
            checks.append(latency(lambda plan: plan.least(), lambda plan: plan.most()))
        ways: Ways | None = None
        if network.structure is not None:
            ways = Ways(network.structure, network.recorded, network.user("route"))
        if (predict := network.user("predict")) is not None:
            checks.append(partial(predicted, predict))
        super().__init__(name, parent, link_of(network), supplied(network), ways, checks)
        self.network = network
        self.may_drop = promised.drops is not None
        self.broken = self.dropped = 0
        self.by_leaf = ByLeaf(network.design.inputs, network.design.outputs)
        self.alone: list[int] = []
        self.unasked = np.zeros(network.design.inputs, np.bool_)  # ready without valid
        self._counted = 0  # drops, by the design's own counter, before this item

    def received(self, plan: Any, captured: FlitCaptured) -> FlitCaptured:
        """Most links mark no heads: what a word says of itself is what it is."""
        clock, leaf = np.nonzero(captured.side)
        if plan.item.corners or not len(clock):
            return captured
        words, seen = captured.data[clock, leaf], plan.seen
        known = []
        for head in (True, False):
            tags, wrong = self.link.words.read(words, np.full(len(words), head), False)
            owner = np.minimum(tags.owner, self.link.leaves - 1)
            number = seen.unwrap(owner, tags.number)
            named = ~wrong & (tags.owner == owner) & (number < seen.begun[owner])
            known.append(named & ((tags.index == 0) == head) & ~tags.reply)
        head, body = known[0] & ~known[1], known[1] & ~known[0]
        side = captured.side.copy()
        side[clock[head], leaf[head]] |= side.dtype.type(2)
        side[clock[body], leaf[body]] &= ~side.dtype.type(2)
        return replace(captured, side=side)

    def finish(self, over: FlitOver) -> None:
        """Check what is known only when an item is over, also the rules of the link."""
        count, broken, counted = self.network.noted(over.state)
        self.unasked |= unasked(self.network, over.state)
        waits = waited(over.plan)
        self.broken += count + len(waits)
        for one in (*broken, *waits):
            where = Where(0 if one.before else one.clock, Place(one.side, one.leaf))
            self.faults.add(kind.PROTOCOL, f"{over.plan.item.family}: {one}", where=where)
        if (more := count - len(broken)) > 0:
            self.faults.add(kind.PROTOCOL, f"{more} more in {over.plan.item.family}", more)
        stuck = over.stuck and not passed(over.plan)
        super().finish(replace(over, state=np.zeros(0, np.uint16), stuck=stuck))
        for name, told in self._drops(over, counted):
            self.faults.add(name, told)

    def count(self, plan: Any, whole: Mask) -> None:
        """Keep the tally, also by leaf; what came to another leaf, or changed, did not arrive."""
        super().count(plan, whole)
        whole = whole.copy()
        whole[[i for i, (name, _) in self._wrong.items() if name in OWN_ENDS]] = False
        item, seen = plan.item, plan.seen
        cut = item.window is not None or item.cycles is not None  # lists need not come to an end
        due = (seen.injected >= 0) if cut else ~seen.gone
        if item.alone and whole.any():
            took = seen.tails() - seen.created - self.network.latency(0, plan.sent.flits)
            self.alone += [int(took[whole].min()), int(took[whole].max())]
        self.by_leaf.add(plan.sent.source, plan.sent.destination, due, whole)

    def _drops(self, over: FlitOver, counted: int) -> Iterator[tuple[str, str]]:
        """Packets that did not come, against the counter of the design."""
        plan = over.plan
        assert isinstance(plan, ForeignPlan)
        if not self.may_drop or plan.item.reset is not None:
            self._counted = counted
            return
        missing = int(np.count_nonzero(plan.seen.gone))
        self.dropped += missing
        said = (counted - self._counted) % (1 << (self.network.design.counter[1] or 32))
        self._counted = counted
        if self.network.design.counter[0] and said != missing:
            yield kind.COUNTERS, f"{plan.item.family}: {said} drops counted, {missing} did not come"


def named(plan: ForeignPlan, whole: Mask) -> Findings:
    """The field id of a packet says who sent it."""
    sent = plan.sent
    bits = plan.network.design.receive.bits("id")
    wrong = whole & (plan.seen.route != (sent.source & ((1 << bits) - 1)).astype(np.uint64))
    for i in np.flatnonzero(wrong):
        yield kind.SIDEBAND, f"{sent.name(i)} came with id {int(plan.seen.route[i])}"
