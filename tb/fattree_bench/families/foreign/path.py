"""Level 2: the ways of packets through a design, by taps on its links and the user's graph.

A tap shows which word passes a link in a clock.  Heads name their packets; so the taps that a head
passes, in their order, are the way of its packet, and must be a way through the graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.sent import FlitOver, FlitPlan, Mask
from fattree_bench.bench.result import Heads, Table, table
from fattree_models.common.checks import Int64Array

Node = Hashable
Findings = Iterator[tuple[str, str]]
LOADS: Heads = {"tap": ("tap",), "words": ("words",)}
SHOWN = 6  # links of a way that are told


class Graph:
    """The user's graph: leaves are numbers, routers anything else; a link may have a tap.

    Parameters
    ----------
    edges : (from, to, tap or None).
    taps : names of the taps that there are.

    ValueError names an edge that is none, or a tap that is missing.
    """

    def __init__(self, edges: Iterable[Any], taps: Sequence[str], leaves: int) -> None:
        import networkx as nx  # here: every process would load it

        self.ends: dict[str, tuple[Node, Node]] = {}
        self.all = nx.DiGraph()
        untapped = nx.DiGraph()
        for edge in _triples(edges):
            one, other, tap = edge
            for node in (one, other):
                if isinstance(node, int) and not 0 <= node < leaves:
                    raise ValueError(f"{edge!r}: leaves are 0 … {leaves - 1}")
            self.all.add_edge(one, other)
            if tap is None:
                untapped.add_edge(one, other)
            elif tap not in taps:
                raise ValueError(f"{edge!r}: no such tap; there is {', '.join(taps)}")
            elif tap in self.ends:
                raise ValueError(f"{edge!r}: tap {tap} is on another link, too")
            else:
                self.ends[tap] = one, other
        if missing := [tap for tap in taps if tap not in self.ends]:
            raise ValueError(f"tap {missing[0]} is on no link")
        self.taps = tuple(taps)
        self._near: dict[Node, set[Node]] = {}
        self._untapped = untapped

    def near(self, node: Node) -> set[Node]:
        """Nodes to which links without taps lead, itself included; no way leads through a leaf."""
        if node not in self._near:
            seen, left = {node}, [node]
            while left:
                here = left.pop()
                if isinstance(here, int) and here != node:
                    continue
                for other in self._untapped.successors(here) if here in self._untapped else ():
                    if other not in seen:
                        seen.add(other)
                        left.append(other)
            self._near[node] = seen
        return self._near[node]

    def wrong(self, source: int, destination: int, way: Sequence[str], whole: bool) -> str:
        """What is wrong with a way, in a few words; empty: nothing.  `whole`: it has arrived."""
        here: Node = source
        for tap in way:
            begin, end = self.ends[tap]
            if begin not in self.near(here):
                return f"from {here} no link leads to that of {tap}"
            here = end
        if whole and destination not in self.near(here):
            return f"from {here} no link leads to leaf {destination}"
        return ""

    def onward(self, here: Node, destination: int) -> list[str]:
        """Taps that may follow behind a node on a shortest way."""
        if here not in self.all or destination not in self.all:
            return []
        far = self._far(destination)
        near = self.near(here)
        best = min((far[node] for node in near if node in far), default=0)
        return [
            tap
            for tap, (begin, end) in self.ends.items()
            if begin in near and far.get(end, best) < best
        ]

    def _far(self, destination: int) -> dict[Node, int]:
        """Links from each node to a leaf."""
        import networkx as nx

        return dict(
            nx.single_source_shortest_path_length(self.all.reverse(copy=False), destination)
        )


def _triples(edges: Iterable[Any]) -> Iterator[tuple[Node, Node, str | None]]:
    """The edges of a networkx graph, whose attribute `tap` counts, or a list of triples."""
    import networkx as nx

    if isinstance(edges, nx.Graph):
        for one, other, data in edges.edges(data=True):
            yield one, other, data.get("tap")
        return
    for edge in edges:
        if not isinstance(edge, tuple | list) or len(edge) not in (2, 3):
            raise ValueError(f"{edge!r}: must be (from, to) or (from, to, tap)")
        yield edge[0], edge[1], edge[2] if len(edge) == 3 else None


@dataclass
class Passed:
    """Heads that were seen on taps in an item."""

    packet: list[Int64Array] = field(default_factory=list)
    clock: list[Int64Array] = field(default_factory=list)
    tap: list[Int64Array] = field(default_factory=list)


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

    def find(self, words: Any, clock: Int64Array) -> Int64Array:
        """Packets of words, -1 where a word is no head of a packet on its way."""
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
    """Follows packets over the taps of a design, item by item.

    Attributes
    ----------
    loads : int64 [taps], words that passed.
    followed : packets of which the way was judged.
    """

    def __init__(
        self, graph: Graph, route: Callable[[int, int], Sequence[str]] | None = None
    ) -> None:
        self.graph, self.route = graph, route
        self.loads = np.zeros(len(graph.taps), np.int64)
        self.followed = 0
        self._names: Names | None = None
        self._passed = Passed()
        self._learned: dict[tuple[str, int], set[str]] = defaultdict(set)

    def note(self, captured: FlitCaptured) -> None:
        """Take what was on the taps in a burst."""
        if captured.recorded is None:
            return
        plan: FlitPlan = captured.item.plan
        if self._names is None or self._names.plan is not plan:
            self._names, self._passed = Names(plan), Passed()
            self.__dict__.pop("_ways", None)
        recorded = captured.recorded()
        there = recorded.side != 0
        self.loads += np.count_nonzero(there, axis=0)
        row, tap = np.nonzero(there)
        clock = row + captured.first
        packet = self._names.find(recorded.data[row, tap].astype(np.uint64), clock)
        known = packet >= 0
        self._passed.packet.append(packet[known])
        self._passed.clock.append(clock[known])
        self._passed.tap.append(tap[known])
        self.__dict__.pop("_ways", None)

    @cached_property
    def _ways(self) -> dict[int, list[str]]:
        """Taps that each packet of the item has passed, in their order."""
        passed = self._passed
        if not passed.packet:
            return {}
        packet, clock, tap = (np.concatenate(x) for x in (passed.packet, passed.clock, passed.tap))
        order = np.lexsort((clock, packet))
        found: dict[int, list[str]] = defaultdict(list)
        for p, t in zip(packet[order].tolist(), tap[order].tolist(), strict=True):
            found[p].append(self.graph.taps[t])
        return found

    def judge(self, plan: FlitPlan, whole: Mask) -> Findings:
        """Ways that are none, or others than the user's; where packets were lost."""
        sent, seen = plan.sent, plan.seen
        if self._names is None or self._names.plan is not plan:
            return
        followed = set(self._names.packets.tolist())
        for i in np.flatnonzero(whole).tolist():
            if i not in followed:
                continue
            way = self._ways.get(i, [])
            source, goal = int(sent.source[i]), int(sent.destination[i])
            self.followed += 1
            if told := self.graph.wrong(source, goal, way, True):
                yield kind.ROUTE, f"{sent.name(i)} went {_shown(way)}: {told}"
                continue
            if self.route is not None and list(self.route(source, goal)) != way:
                due = _shown(self.route(source, goal))
                yield kind.ROUTE, f"{sent.name(i)} went {_shown(way)} instead of {due}"
            for one, other in pairwise(way):
                self._learned[one, goal].add(other)
        late = (seen.injected >= 0) & ~whole & ~seen.gone
        for i in np.flatnonzero(late).tolist():
            way = self._ways.get(i, [])
            source, goal = int(sent.source[i]), int(sent.destination[i])
            if told := self.graph.wrong(source, goal, way, False):
                yield kind.ROUTE, f"{sent.name(i)} went {_shown(way)}: {told}"

    def table(self) -> Table:
        """Words that passed each tap, in the order of the taps."""
        return table(LOADS, [[i, int(n)] for i, n in enumerate(self.loads)])

    def last(self, packet: int) -> str:
        """Where a packet was seen last, as a few words for a fault."""
        way = self._ways.get(packet, [])
        return f"last seen on {way[-1]}" if way else "seen on no tap"

    def waits(self, over: FlitOver) -> list[str]:
        """Links, else nodes, whose packets wait for each other in a cycle, a line each; or nothing.

        What holds a link that a packet has passed may be the queue behind it, or the whole node.
        """
        import networkx as nx

        plan = over.plan
        sent, seen = plan.sent, plan.seen
        if self._names is None or self._names.plan is not plan:
            return []
        links, nodes = nx.DiGraph(), nx.DiGraph()
        late = (seen.injected >= 0) & ~seen.whole() & ~seen.gone
        for i in np.flatnonzero(late).tolist():
            way, source = self._ways.get(i, []), int(sent.source[i])
            for tap in self._next(way, source, int(sent.destination[i])):
                begin, end = self.graph.ends[tap]
                nodes.add_edge(begin, end, told=f"{sent.name(i)} is at {begin} and waits for {tap}")
                if way:
                    told = f"{sent.name(i)} holds {way[-1]} and waits for {tap}"
                    links.add_edge(way[-1], tap, told=told)
        for waiting in (links, nodes):
            with suppress(nx.NetworkXNoCycle):
                return [waiting.edges[edge]["told"] for edge in nx.find_cycle(waiting)]
        return []

    def _next(self, way: list[str], source: int, goal: int) -> Iterable[str]:
        """Taps that a packet may wait for: by the user's routes, by others' ways, by the graph."""
        if self.route is not None:
            due = list(self.route(source, goal))
            return due[len(way) : len(way) + 1]
        learned = self._learned.get((way[-1], goal)) if way else None
        return learned or self.graph.onward(self.graph.ends[way[-1]][1] if way else source, goal)


def _shown(way: Sequence[str]) -> str:
    if not way:
        return "over no tap"
    more = f" and {len(way) - SHOWN} more" if len(way) > SHOWN else ""
    return f"over {', '.join(list(way)[:SHOWN])}{more}"
