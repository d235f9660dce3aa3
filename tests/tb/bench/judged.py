"""Scoreboards of flit networks outside a simulation: what is seen of an item is written by hand."""

from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.links.flit.sent import FlitOver, TimedPlan
from fattree_models.common.checks import Int64Array
from tests.tb.bench.alone import alone


def judged(
    board: type[Any], plan: TimedPlan, tails: Int64Array, counted: Int64Array | None = None
) -> dict[str, int]:
    """Faults if packets end in these clocks, -1 never, each with its flits side by side.

    `counted`: what the network has counted; nothing otherwise.
    """
    made: FlitScoreboard = alone(board, plan.network)
    sent, seen, layout = plan.sent, plan.seen, plan.network.layout
    for i in np.flatnonzero(tails >= 0):
        flits = slice(sent.first_flit[i], sent.first_flit[i + 1])
        seen.arrival[flits], seen.vc[flits] = tails[i] - np.arange(sent.flits[i])[::-1], 1
    counters = np.zeros(sum(layout.counters.values()), np.uint32)
    counters += 0 if counted is None else counted.astype(np.uint32)
    state = np.concatenate([np.zeros(layout.plain_bits, np.uint16), counters.view(np.uint16)])
    made.finish(FlitOver(plan, state, np.ones(layout.inputs, np.bool_)))
    return dict(made.faults.counts)
