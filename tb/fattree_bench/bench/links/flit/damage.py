"""Whose flit a damaged word is: the one whose turn it was, or with most of its bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fattree_bench.bench.links.flit.sent import FlitPlan, Mask, Masks, Sent
from fattree_bench.bench.links.payload import Words
from fattree_models.common.checks import Int64Array

# Of a word's bits so many may differ, at most; of two random words half of them do.
SURE = 8  # an eighth: it is this flit
LIKELY = 4  # a quarter: it is, if no flit had its turn
FLIPPED = 1  # bits: it is, although the word names another flit, unexpected
TURNS = 500  # of an item's words are searched for whose turn it was before the burst


class Damaged(NamedTuple):
    """A word that names no flit on its way, the flit that it should be (-1 unknown), its word."""

    at: int  # place in the arrays that were given
    flit: int
    due: int


class Streams:
    """Flits of a burst, each with its neighbours in the virtual channel of its leaf.

    The arrays [flits] are in order of time: `packet` and `index` say which flit it is, if `good`.
    So they do of one that is `doubtful`: it has been there before, or is at another leaf.
    """

    def __init__(
        self,
        sent: Sent,
        packet: Int64Array,
        index: Int64Array,
        good: Mask,
        doubtful: Mask,
        place: Int64Array,
    ) -> None:
        self.sent, self.packet, self.good, self.doubtful = sent, packet, good, doubtful
        self.flit = sent.first_flit[packet] + index
        order = np.argsort(place, kind="stable")
        near = np.diff(place[order]) == 0
        self.before = np.full(len(place), -1)
        self.behind = np.full(len(place), -1)
        self.before[order[1:][near]] = order[:-1][near]
        self.behind[order[:-1][near]] = order[1:][near]
        self._inside = index > 0

    def impostors(self, head: Mask) -> Mask:
        """Heads behind which another packet continues: it is theirs, and its head was damaged."""
        next_one = self.behind
        follows: Mask = head & self.good & (next_one >= 0) & self.good[next_one]
        follows &= self._inside[next_one]
        follows &= self.packet[next_one] != self.packet
        return follows

    def turn(self, at: int, last: int = -1) -> int:
        """The flit whose turn it was: behind the one before (`last` if given), or -1."""
        before, behind = int(self.before[at]), int(self.behind[at])
        if last < 0 and before >= 0 and self.good[before]:
            last = int(self.flit[before])
        if last >= 0 and last + 1 != self.sent.first_flit[self.sent.packet_of(last) + 1]:
            return last + 1
        if behind >= 0 and self.good[behind] and self._inside[behind]:
            return int(self.flit[behind]) - 1
        return -1


class Repair:
    """Finds the flits that damaged words of one item should be; each is found once."""

    def __init__(self, plan: FlitPlan) -> None:
        self.plan = plan
        self.turns = TURNS

    def find(
        self, streams: Streams, clock: Int64Array, leaf: Int64Array, vc: Masks, words: Words
    ) -> Iterator[Damaged]:
        """Match the words of a burst that are not good; those that are have been entered."""
        sent, seen = self.plan.sent, self.plan.seen
        missing = np.flatnonzero(seen.absent() & np.repeat(seen.created >= 0, sent.flits))
        packet = sent.packet_of(missing)
        begun = np.where(sent.listed, seen.injected, seen.created)[packet]
        on_its_way = begun >= 0
        missing, packet, begun = missing[on_its_way], packet[on_its_way], begun[on_its_way]
        goal, due = sent.destination[packet], sent.words(missing)
        free = np.ones(len(missing), np.bool_)
        width = self.plan.link.words.width
        found: dict[int, int] = {}
        for i in np.flatnonzero(~streams.good).tolist():
            turn = streams.turn(i, found.get(int(streams.before[i]), -1))
            best = self._place(missing, free, turn)
            if streams.doubtful[i]:
                named = int(streams.flit[i])
                best = self._flipped(due, free & (goal == leaf[i]), best, int(words[i]))
                if best < 0 or missing[best] == named:
                    free[missing == named] = False
                    found[i] = named
                    yield Damaged(i, named, int(words[i]))
                    continue
            if best < 0 and len(missing):
                differ = np.bitwise_count(due ^ np.uint64(words[i])).astype(np.int64)
                differ[~free | (begun >= clock[i])] = width + 1
                here = np.where(goal == leaf[i], differ, width + 1)
                best = int(here.argmin())
                if here[best] * SURE > width:
                    turn = self._turn(int(clock[i]), int(leaf[i]), int(vc[i]))
                    likely = best if here[best] * LIKELY <= width else -1
                    best = int(differ.argmin())  # at another leaf
                    if differ[best] * SURE > width:
                        best = self._place(missing, free, turn)
                        best = likely if best < 0 else best
            if best < 0:
                yield Damaged(i, -1, 0)
            else:
                free[best] = False
                found[i] = int(missing[best])
                yield Damaged(i, found[i], int(due[best]))

    def _flipped(self, due: Words, here: Mask, turn: int, word: int) -> int:
        """Where the flit stands whose word most likely names another, or -1."""
        differ = np.bitwise_count(due ^ np.uint64(word)).astype(np.int64)
        if turn >= 0 and differ[turn] * SURE <= self.plan.link.words.width:
            return turn
        near = np.flatnonzero(here & (differ <= FLIPPED))
        return int(near[0]) if near.size else -1

    @staticmethod
    def _place(missing: Int64Array, free: Mask, flit: int) -> int:
        """Where a flit stands among the missing ones; -1 if it is none, or found already."""
        at = int(np.searchsorted(missing, flit)) if flit >= 0 else len(missing)
        return at if at < len(missing) and missing[at] == flit and free[at] else -1

    def _turn(self, clock: int, leaf: int, vc: int) -> int:
        """The flit behind the last that came at this leaf in this virtual channel; -1 unknown."""
        if not self.turns:
            return -1
        self.turns -= 1
        sent, seen = self.plan.sent, self.plan.seen
        before = (seen.arrival >= 0) & (seen.arrival < clock) & (seen.vc == vc)
        flit = np.flatnonzero(before & (np.repeat(sent.destination, sent.flits) == leaf))
        if not flit.size:
            return -1
        last = int(flit[seen.arrival[flit].argmax()])
        return -1 if last + 1 in sent.first_flit else last + 1
