"""Level 3: the user's predict() says who arrives, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.sent import Mask
from fattree_bench.families.foreign.plan import ForeignPlan
from fattree_bench.families.foreign.traffic import ForeignSet

Predict = Callable[[Mapping[str, Any]], Mapping[str, Any]]
ANSWERS = ("arrives", "clock")


def predicted(predict: Predict, plan: ForeignPlan, whole: Mask) -> Iterator[tuple[str, str]]:
    """What differs from what the user says of an item's packets.

    `predict` gets arrays with an entry a packet: source, destination, words, clock (in which its
    first word may be at the input).  It returns "arrives" (bool) and "clock" (in which the last
    word is at the output), or one of them.  Clocks count where no leaf pauses.
    """
    sent, seen = plan.sent, plan.seen
    at = np.flatnonzero((seen.injected >= 0) & (plan.item.reset is None))
    if not len(at):
        return
    design = plan.network.design
    asked = {
        "source": sent.source[at],
        "destination": sent.destination[at],
        "words": sent.flits[at] * design.words_a_flit,
        "clock": seen.injected[at] + design.before + design.whole * (sent.flits[at] - 1),
    }
    answer = predict(asked)
    wrong = [name for name in answer if name not in ANSWERS]
    if wrong or not answer or any(np.shape(answer[name]) != at.shape for name in answer):
        told = f"returned {', '.join(map(str, answer)) or 'nothing'}"
        yield kind.UNPREDICTED, f"predict() {told}; it must be arrives, clock: an entry a packet"
        return
    due = np.asarray(answer.get("arrives", np.ones(len(at), np.bool_)), np.bool_)
    for i in at[whole[at] & ~due]:
        yield kind.UNPREDICTED, f"{sent.name(i)} arrived; predict() says that it does not"
    for i in at[~whole[at] & due]:
        yield kind.LOST, f"{sent.name(i)} did not arrive; predict() says that it does"
    if "clock" not in answer or paused(plan):
        return
    tails, clock = seen.tails()[at].astype(np.int64), np.asarray(answer["clock"], np.int64)
    known = whole[at] & due
    for name, late in ((kind.EARLY, tails < clock), (kind.LATE, tails > clock)):
        for j in np.flatnonzero(known & late):
            told = f"arrived in clock {tails[j]}, predicted was {clock[j]}"
            yield name, f"{sent.name(at[j])} {told}"


def paused(plan: ForeignPlan) -> bool:
    """Whether leaves pause in this item."""
    item = plan.item
    own = isinstance(item, ForeignSet) and bool(item.gap or item.hold or item.shy)
    return own or item.stall is not None
