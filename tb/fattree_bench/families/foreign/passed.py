"""Whether packets that do not come are lost, or may be inside a design that shows no queue."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_models.common.checks import Int64Array


def passed(plan: FlitPlan) -> bool:
    """Whether what was sent later came although these did not: then nothing stands in their way.

    A packet was passed if a later one of its pair came; or, if it alone of its pair is missing, if
    later ones of its sender came, and later ones for its leaf.  While a sender waits nothing is
    said.
    """
    sent, seen = plan.sent, plan.seen
    if (seen.begun < sent.lengths).any():
        return False
    whole, began = seen.whole(), seen.injected
    absent = (began >= 0) & ~seen.gone & ~whole
    pair = sent.source * plan.link.leaves + sent.destination
    by_source, by_goal, by_pair = (
        _last(of, np.where(whole, began, -1))[of] > began
        for of in (sent.source, sent.destination, pair)
    )
    alone = np.bincount(pair[absent], minlength=int(pair.max(initial=0)) + 1)[pair] == 1
    return bool((absent & (by_pair | (alone & by_source & by_goal))).any())


def _last(of: Int64Array, clock: Int64Array) -> Int64Array:
    """By value of the first array, the greatest clock; -1 without any."""
    last = np.full(int(of.max(initial=0)) + 1, -1)
    np.maximum.at(last, of, clock)
    return last
