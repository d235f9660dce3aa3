"""Whose turn it is: flits whose words name no packet are known by the one before them."""

import numpy as np

from fattree_bench.bench.links.flit.sent import Mask, Sent
from fattree_models.common.checks import Int64Array


class Turns:
    """The next flit in each virtual channel of each receiver, from burst to burst."""

    def __init__(self, sent: Sent) -> None:
        self.sent = sent
        self._next = np.full(sent.link.leaves * 16, -1)  # by place; -1: not known

    def due(self, flit: Int64Array, known: Mask, place: Int64Array) -> Int64Array:
        """The flits that should have come, int64 [flits]: -1 where unknown.

        The arrays [flits] are those of a burst in order of time: numbers of flits, whether they are
        known, leaf * 16 + virtual channel.  Who is known is as it is; the others count on from it.
        """
        order = np.argsort(place, kind="stable")
        ranked, known = place[order], known[order]
        first = np.r_[True, np.diff(ranked) != 0]
        base = np.where(known, flit[order], self._next[ranked])
        at = np.arange(len(order))
        anchor = np.maximum.accumulate(np.where(first | known, at, 0))
        base = base[anchor]
        turn = base + at - anchor
        end = self.sent.first_flit[self.sent.packet_of(np.maximum(base, 0)) + 1]
        turn[(base < 0) | (turn >= end)] = -1
        last = np.r_[first[1:], True]
        goes_on = (turn >= 0) & (turn + 1 < end)
        self._next[ranked[last]] = np.where(goes_on, turn + 1, -1)[last]
        found = np.empty_like(turn)
        found[order] = turn
        return found
