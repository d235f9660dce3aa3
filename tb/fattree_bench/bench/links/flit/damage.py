"""Whose flit a damaged word is: that of which it has most bits, or whose turn it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_bench.bench.links.payload import Words
from fattree_models.common.checks import Int64Array

# Of a word's bits so many may differ, at most; of two random words half of them do.
SURE = 8  # an eighth: it is this flit
LIKELY = 4  # a quarter: it is, if it was nobody's turn
TURNS = 500  # of an item's words are searched for whose turn it was


class Damaged(NamedTuple):
    """A word that names no flit on its way, the flit that it should be (-1 unknown), its word."""

    at: int  # place in the arrays that were given
    flit: int
    due: int


class Repair:
    """Finds the flits that damaged words of one item should be; each is found once."""

    def __init__(self, plan: FlitPlan) -> None:
        self.plan = plan
        self.turns = TURNS

    def find(
        self, clock: Int64Array, leaf: Int64Array, vc: npt.NDArray[np.uint8], words: Words
    ) -> Iterator[Damaged]:
        """Match words that came in these clocks at these leaves, in order of time."""
        sent, seen = self.plan.sent, self.plan.seen
        missing = np.flatnonzero(seen.absent() & np.repeat(seen.created >= 0, sent.flits))
        packet = sent.packet_of(missing)
        begun = np.where(sent.listed, seen.injected, seen.created)[packet]
        on_its_way = begun >= 0
        missing, packet, begun = missing[on_its_way], packet[on_its_way], begun[on_its_way]
        goal, due = sent.destination[packet], sent.words(missing)
        free = np.ones(len(missing), np.bool_)
        width = self.plan.link.words.width
        for i in range(len(words)):
            differ = np.bitwise_count(due ^ np.uint64(words[i])).astype(np.int64)
            differ[~free | (begun >= clock[i])] = width + 1
            here = np.where(goal == leaf[i], differ, width + 1)
            best = int(here.argmin()) if len(here) else -1
            elsewhere = int(differ.argmin()) if len(differ) else -1
            if best < 0 or min(here[best], differ[elsewhere]) * SURE > width:
                turn = self._turn(int(clock[i]), int(leaf[i]), int(vc[i]))
                at = int(np.searchsorted(missing, turn))
                if turn >= 0 and at < len(missing) and missing[at] == turn and free[at]:
                    best = at
                elif best < 0 or here[best] * LIKELY > width:
                    best = -1
            elif here[best] * SURE > width:
                best = elsewhere
            if best < 0:
                yield Damaged(i, -1, 0)
            else:
                free[best] = False
                yield Damaged(i, int(missing[best]), int(due[best]))

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
