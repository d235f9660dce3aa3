"""Heads on recorded links: which packet passed where and when, and whether its way leads there."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_bench.bench.links.flit.words import FlitTags
from fattree_bench.bench.links.payload import Words
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.common.structure import Structure

# Given words, which of them are heads, and whether requests are answered.
Read = Callable[[Words, BoolArray, bool], tuple[FlitTags, BoolArray]]


class Hops(NamedTuple):
    """Heads that left nodes, those of a packet side by side in order of time: int64 [hops] each.

    Attributes
    ----------
    packet : of the item.
    clock, link, vc : when and where it left; level, node, port : the node, and its output.
    """

    packet: Int64Array
    clock: Int64Array
    link: Int64Array
    vc: Int64Array
    level: Int64Array
    node: Int64Array
    port: Int64Array

    @property
    def hop(self) -> Int64Array:
        """Hops of the same packet before each."""
        return np.arange(len(self.packet)) - np.searchsorted(self.packet, self.packet)

    def by_packet(self, column: Int64Array, packets: int, most: int) -> Int64Array:
        """One of the columns by packet and hop, -1 behind the last, int64 [packets, most]."""
        found, hop = np.full((packets, most), -1, np.int64), self.hop
        inside = hop < most
        found[self.packet[inside], hop[inside]] = column[inside]
        return found


class Heads:
    """Collects the heads that a recorder saw on links in an item.

    Parameters
    ----------
    structure : of the network; its first links are the first ones recorded.
    links : of these, how many are looked at.
    read : as FlitWords.read.
    """

    def __init__(self, structure: Structure, links: int, read: Read) -> None:
        self.structure, self.links, self.read = structure, links, read
        self._seen: list[Int64Array] = []  # columns: packet, clock, link, virtual channel
        self._hops: Hops | None = None  # in order, until more are seen

    def note(self, plan: FlitPlan, captured: FlitCaptured) -> None:
        """Heads that a burst of clocks saw."""
        if captured.recorded is None:
            return
        sent = plan.sent
        words, clock, link, vc = captured.recorded().heads(self.links)
        tags, wrong = self.read(words, np.ones(len(words), np.bool_), sent.answered)
        owner = np.minimum(tags.owner, len(sent.lengths) - 1)
        number = plan.seen.unwrap(owner, tags.number)
        wrong |= (tags.owner != owner) | (number >= sent.lengths[owner])
        packet = sent.starts[owner] + number + sent.packets * (sent.answered & tags.reply)
        self._seen.append(np.stack([packet, clock + captured.first, link, vc])[:, ~wrong])
        self._hops = None

    def hops(self) -> Hops:
        """All that were seen."""
        if self._hops is None:
            seen = np.concatenate([np.zeros((4, 0), np.int64), *self._seen], axis=1)
            packet, clock, link, vc = seen[:, np.lexsort((seen[1], seen[0]))]
            s, tail = self.structure, self.structure.tail[link]
            place = s.level[tail], s.number[tail], s.tail_port[link]
            self._hops = Hops(packet, clock, link, vc, *place)
        return self._hops

    def forget(self) -> None:
        """The item is over."""
        self._seen.clear()
        self._hops = None


def lead_there(
    structure: Structure, hops: Hops, source: Int64Array, destination: Int64Array, most: int
) -> BoolArray:
    """Whether the hops of each packet, at most so many, lead link by link from leaf to leaf."""
    count = np.bincount(hops.packet, minlength=len(source))
    ports, links = (hops.by_packet(x, len(source), most) for x in (hops.port, hops.link))
    way = structure.walk(source, ports)
    there = (way.end == structure.receivers[destination]) & (way.link == links).all(axis=1)
    return np.asarray(there & (count <= most))
