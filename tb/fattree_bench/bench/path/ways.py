"""The ways of packets by their words on links, judged by the structure of the network alone.

A link that is recorded shows which word passes in a clock.  Heads name their packets; so the links
that a head passes, in their order, are the way of its packet, and must lead to its destination.
What a packet holds and what it waits for follow from that: a deadlock is a cycle of waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.promises import Findings
from fattree_bench.bench.links.flit.sent import FlitOver, FlitPlan, Mask
from fattree_bench.bench.result import Head, Heads, Table, table
from fattree_models.common.checks import Int64Array, UInt64Array
from fattree_models.common.structure import Structure, cycle

LOADS: Heads = {"tap": Head("tap"), "words": Head("words")}
SHOWN = 6  # links of a way that are named


@dataclass
class Passed:
    """Heads that passed in an item: packets, clocks, links."""

    packet: list[Int64Array] = field(default_factory=list)
    clock: list[Int64Array] = field(default_factory=list)
    link: list[Int64Array] = field(default_factory=list)


class Names:
    """Which packet a head's word is of, in an item."""

    def __init__(self, plan: FlitPlan) -> None:
        sent = plan.sent
        words = sent.words(np.arange(int(sent.first_flit[-1])))
        heads = np.zeros(len(words), np.bool_)
        heads[sent.first_flit[:-1]] = True
        # A body that looks like a head: neither is followed.
        unclear = np.intersect1d(words[heads], words[~heads])
        packet = np.flatnonzero(~np.isin(words[heads], unclear))
        words = words[heads][packet]
        order = np.lexsort((packet, words))
        self.plan = plan
        self.words, self.packets = words[order], packet[order]

    def find(self, words: UInt64Array, clock: Int64Array) -> Int64Array:
        """Packets of words, -1 where a word is not the head of a packet on its way."""
        first = np.searchsorted(self.words, words, "left")
        behind = np.searchsorted(self.words, words, "right")
        found = np.full(len(words), -1, np.int64)
        begun = self.plan.seen.injected
        for i in np.flatnonzero(behind > first):
            known = self.packets[first[i] : behind[i]]  # numbers wrap around: the latest that began
            known = known[(begun[known] >= 0) & (begun[known] <= clock[i])]
            if len(known):
                found[i] = known[-1]
        return found


class Ways:
    """Follows packets over the links that the RTL shows, item by item.

    Parameters
    ----------
    structure : of the network; its links with a signal are recorded.
    recorded : links as the recorder has them, int64; None: in the order of the structure.
    route : names of the links that packets of a pair must be seen on; None: any that lead there.

    Attributes
    ----------
    loads : int64 [recorded links], words that passed.
    followed : packets whose way was judged.
    """

    def __init__(
        self,
        structure: Structure,
        recorded: Int64Array | None = None,
        route: Callable[[int, int], Sequence[str]] | None = None,
    ) -> None:
        self.structure, self.route = structure, route
        self.recorded = structure.shown if recorded is None else recorded
        self.loads = np.zeros(len(self.recorded), np.int64)
        self.followed = 0
        self._names: Names | None = None
        self._passed = Passed()
        self._learned: dict[tuple[int, int], set[int]] = defaultdict(set)

    def note(self, captured: FlitCaptured) -> None:
        """Take what was on the links in a burst."""
        if captured.recorded is None:
            return
        plan: FlitPlan = captured.item.plan
        if self._names is None or self._names.plan is not plan:
            self._names, self._passed = Names(plan), Passed()
        self.__dict__.pop("_ways", None)
        recorded = captured.recorded()
        there = recorded.side != 0
        self.loads += np.count_nonzero(there, axis=0)
        row, at = np.nonzero(there)
        clock = row + captured.first
        packet = self._names.find(recorded.data[row, at].astype(np.uint64), clock)
        known = packet >= 0
        self._passed.packet.append(packet[known])
        self._passed.clock.append(clock[known])
        self._passed.link.append(self.recorded[at[known]])

    @cached_property
    def _ways(self) -> dict[int, list[int]]:
        """Links that each packet of the item has passed, in their order."""
        passed, found = self._passed, defaultdict(list)
        if passed.packet:
            packet, clock, link = map(np.concatenate, (passed.packet, passed.clock, passed.link))
            order = np.lexsort((clock, packet))
            for p, k in zip(packet[order].tolist(), link[order].tolist(), strict=True):
                found[p].append(k)
        return found

    def judge(self, plan: FlitPlan, whole: Mask) -> Findings:
        """Ways that are none, or others than the route; where packets were lost."""
        sent, seen = plan.sent, plan.seen
        if self._names is None or self._names.plan is not plan:
            return
        followed = set(self._names.packets.tolist())
        late = (seen.injected >= 0) & ~whole & ~seen.gone
        for i in np.flatnonzero(whole | late).tolist():
            way, source, goal = self._ways.get(i, []), int(sent.source[i]), int(sent.destination[i])
            if whole[i] and i not in followed:
                continue
            self.followed += int(whole[i])
            names = [self.structure.links[link] for link in way]
            if wrong := self.structure.broken(source, way, goal if whole[i] else None):
                yield kind.ROUTE, f"{sent.name(i)} went {_over(names)}: {wrong}"
                continue
            if not whole[i]:
                continue
            if self.route is not None and (due := list(self.route(source, goal))) != names:
                yield kind.ROUTE, f"{sent.name(i)} went {_over(names)} instead of {_over(due)}"
            for one, other in pairwise(way):
                self._learned[one, goal].add(other)

    def table(self) -> Table:
        """Words that passed each recorded link, in their order."""
        return table(LOADS, [[i, int(n)] for i, n in enumerate(self.loads)])

    def waits(self, over: FlitOver) -> list[str]:
        """Links, else nodes, whose packets wait for each other in a cycle, a line each; or nothing.

        What holds a link that a packet has passed may be the queue behind it, or the whole node.
        """
        plan, structure = over.plan, self.structure
        sent, seen = plan.sent, plan.seen
        if self._names is None or self._names.plan is not plan:
            return []
        says: tuple[dict[tuple[int, int], str], ...] = {}, {}
        late = (seen.injected >= 0) & ~seen.whole() & ~seen.gone
        for i in np.flatnonzero(late).tolist():
            way = self._ways.get(i, [])
            for link in self._next(way, int(sent.source[i]), int(sent.destination[i])):
                name, ends = structure.links[link], (structure.tail[link], structure.head[link])
                here = f"{sent.name(i)} is at {structure.nodes[ends[0]]} and waits for {name}"
                says[1][int(ends[0]), int(ends[1])] = here
                if way:
                    held = f"{sent.name(i)} holds {structure.links[way[-1]]} and waits for {name}"
                    says[0][way[-1], link] = held
        for each in says:
            if found := cycle(each):
                return [
                    each[one, two] for one, two in zip(found, [*found[1:], found[0]], strict=True)
                ]
        return []

    def _next(self, way: list[int], source: int, goal: int) -> Iterable[int]:
        """Links that a packet may wait for: by the routes, by others' ways, by the structure."""
        if self.route is not None:
            due = list(self.route(source, goal))[len(way) : len(way) + 1]
            return [self.structure.links.index(name) for name in due]
        learned = self._learned.get((way[-1], goal)) if way else None
        structure = self.structure
        here = structure.head[way[-1]] if way else structure.senders[source]
        return learned or structure.onward(int(here), goal)


def _over(links: Sequence[str]) -> str:
    if not links:
        return "over no link"
    more = f" and {len(links) - SHOWN} more" if len(links) > SHOWN else ""
    return f"over {', '.join(links[:SHOWN])}{more}"
