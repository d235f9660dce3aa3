"""Traffic for a switch with queues: frames, measured runs, the idle slots at the end."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from fattree_bench.bench.limits import Watch
from fattree_bench.bench.links.slot import traffic as slot_traffic
from fattree_bench.families.lbbvn_switch.cells import CellFrame, Run
from fattree_bench.families.lbbvn_switch.feedback import Feedback
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_models import lbbvn_switch as switch
from fattree_models import traffic
from fattree_models.common.checks import Int32Array

MOST_LOAD, MAILBOX_LOAD = 0.95, 0.5  # that the usual depths are made for
QUIET_ROUNDS = 4  # of N slots without a departure: then nothing moves any more

cut = partial(slot_traffic.pieces, frame=CellFrame)


def cells(
    rng: np.random.Generator,
    network: LbbvnSwitch,
    pattern: str,
    load: float,
    slots: int,
    injection: str = "bernoulli",
) -> Int32Array:
    """Random arrivals, int32 [slots, N]; pattern and injection as a user writes them."""
    packets = traffic.injection(injection)(
        rng, network.workload.pattern_of(pattern), traffic.lengths("1"), load, slots
    )
    return switch.arrivals(packets, network.leaves, slots)


def measured(network: LbbvnSwitch, run: Run, lossless: bool = False) -> Iterator[CellFrame]:
    """Play a run until all that came in its window has left, or the run ends."""
    size = network.layout.slots
    for first in range(0, len(run.dst), size):
        if first >= run.window.end and run.complete:
            return
        part = run.dst[first : first + size]
        run.played = first + len(part)
        yield CellFrame(part, run.name, run=run, offset=first, lossless=lossless)


def random_run(
    rng: np.random.Generator,
    network: LbbvnSwitch,
    pattern: str,
    load: float,
    injection: str = "bernoulli",
) -> Run:
    """Traffic to be measured in the window of the workload; it continues behind the window."""
    window = network.workload.window
    dst = cells(rng, network, pattern, load, 2 * window.end, injection)
    burst = "" if injection == "bernoulli" else f", {injection}"
    return Run(f"{pattern}, load {load:g}{burst}", load, pattern, injection, dst, window)


def enough(network: LbbvnSwitch, load: float) -> bool:
    """Queues of this depth carry such a load, as long as it is admissible, without a drop."""
    usual = switch.defaults(network.n, network.scheme)
    deep = all(
        getattr(network.shape, name) >= getattr(usual, name)
        for name in ("ingress", "middle", "resequencer")
    )
    return deep and load <= (MAILBOX_LOAD if network.scheme == "MAILBOX" else MOST_LOAD)


def drain(network: LbbvnSwitch, feedback: Feedback, watch: Watch) -> Iterator[CellFrame]:
    """Idle slots until nothing happens any more, then as many as the last signs of it take."""
    rounds = QUIET_ROUNDS * network.leaves + 2 * network.latency
    if network.scheme == "FOFF":  # whose resequencers may fill up behind a loss
        rounds += network.leaves * (network.leaves + 2)
    idle = np.full((min(rounds, network.layout.slots), network.leaves), -1, np.int32)
    limits, played, quiet = watch.limits, 0, 0
    most = limits.clocks + limits.each * feedback.inside
    while quiet < rounds:
        yield CellFrame(idle, "drain")
        played += len(idle)
        quiet = min(feedback.quiet, played)
        if played >= most:
            watch.end(f"{played} idle slots, and {feedback.inside} cells are inside")
            return
    yield CellFrame(idle[: network.latency + 2], "settled")
