"""What networks on the flit link may promise beyond delivery, checked when an item is over.

A check takes the plan of an item and which of its packets are whole, and yields names of faults,
what happened, and the packet that it happened to, if it is one; or -1, and when and where.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit import packets
from fattree_bench.bench.links.flit.sent import FlitPlan, Mask
from fattree_models.common.checks import Int64Array

Of = TypeVar("Of", bound=FlitPlan)
Findings = packets.Findings
LevelCheck = Callable[[Any, Mask], Findings]  # of a plan, which may be a family's own


def by_pair(plan: FlitPlan, whole: Mask) -> tuple[Int64Array, Int64Array]:
    """Listed packets that are whole, those of a pair and class side by side as sent, and pairs."""
    sent = plan.sent
    which = np.flatnonzero(whole & sent.listed)
    vc = plan.seen.vc[sent.first_flit[which]]
    lane = vc if plan.link.by_channel else sent.kinds[which]
    pair = sent.source[which] * plan.link.leaves + sent.destination[which]
    pair = (pair << 16) + lane.astype(np.int64)
    order = np.lexsort((which, pair))
    return which[order], pair[order]


def overtaken(plan: FlitPlan, whole: Mask) -> int:
    """Packets behind which a later one of their pair and class was sent, and came before them."""
    which, pair = by_pair(plan, whole)
    if not which.size:
        return 0
    # From the last to the first, the earliest of the later ones; pairs are kept apart by an offset.
    tails = plan.seen.tails(which).astype(np.int64)
    apart = pair * (int(tails.max()) + 1) + tails
    least = np.minimum.accumulate(apart[::-1])[::-1]
    return int(np.count_nonzero((np.diff(pair) == 0) & (least[1:] < apart[:-1])))


def in_order(plan: FlitPlan, whole: Mask) -> Findings:
    """Packets of a pair and class arrive as they were sent."""
    which, pair = by_pair(plan, whole)
    tails = plan.seen.tails(which)
    for i in np.flatnonzero((np.diff(pair) == 0) & (np.diff(tails) <= 0)):
        later, earlier = (plan.sent.name(which[j]) for j in (i + 1, i))
        yield kind.REORDERED, f"{later} arrived before {earlier}", int(which[i])


def latency(
    least: Callable[[Of], Int64Array], most: Callable[[Of], Int64Array] | None = None
) -> Callable[[Of, Mask], Findings]:
    """No packet is faster than in an empty network; one alone is as fast.

    `least` gives the clocks from creation to the tail's arrival, int64 [sent]; `most` those that it
    may take alone, where they are not the same.
    """

    def check(plan: Of, whole: Mask) -> Findings:
        sent, seen, law = plan.sent, plan.seen, least(plan)
        took = seen.tails() - seen.created
        for i in np.flatnonzero(whole & (took < law)):
            yield kind.EARLY, f"{sent.name(i)} took {took[i]} clocks; at least {law[i]}", int(i)
        if plan.item.alone:
            law = law if most is None else most(plan)
            for i in np.flatnonzero(whole & (took > law)):
                told = f"{sent.name(i)} took {took[i]} clocks; alone it takes {law[i]}"
                yield kind.LATE, told, int(i)

    return check
