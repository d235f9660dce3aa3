"""Do ready and valid of a stream wait for each other?  What was observed, and a broken rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.interface.rules import PLACES, WAITS, Broken
from fattree_bench.bench.result import Quantity, ScenarioResult
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.traffic import ForeignSet
from fattree_bench.words import plural
from fattree_models.traffic import Packets

TEST = "handshakes"
APART = 64  # clocks between two packets, besides their words
WAITING = "ready_waits"


def no_ready(network: ForeignNetwork) -> str | None:
    """Why the test cannot run, or None."""
    return None if network.design.said.link.kind == "stream" else "its link has no valid and ready"


def handshakes(s: Stimulus) -> Iterator[ForeignSet]:
    """A packet into every input and out of every output, alone; receivers wait for valid."""
    network = s.network
    source, destination = np.nonzero(network.design.legal)
    chosen = np.union1d(*(np.unique(x, return_index=True)[1] for x in (source, destination)))
    flits = min(network.design.flits)
    apart = APART + network.design.words_a_flit * flits
    packets = Packets.of(source[chosen], destination[chosen], apart * np.arange(len(chosen)), flits)
    yield ForeignSet(packets, "one by one, receivers wait for valid", shy=True)


def gives_in(playing: Any, now: int) -> bool:
    """Nothing moves while receivers wait for valid: from now on they do not.

    If words come then, valid waited for ready.
    """
    item = playing.item
    if not playing.stuck or not getattr(item, "shy", False):
        return False
    item.shy, playing.stuck, playing.plan.gave_in = False, False, now
    playing.seen.progress = now
    return True


def waited(plan: Any) -> list[Broken]:
    """Outputs whose words came as soon as ready did: nothing had come out before, for long."""
    since, sent, seen = plan.gave_in, plan.sent, plan.seen
    if since is None or not (late := seen.arrival >= since).any():
        return []
    clock, goal = seen.arrival[late], np.repeat(sent.destination, sent.flits)[late]
    soon = clock < clock.min() + plan.network.design.words_a_flit
    return [Broken(WAITS, "output", int(x), since, False) for x in np.unique(goal[soon])]


def unasked(network: ForeignNetwork, state: npt.NDArray[np.uint16]) -> npt.NDArray[np.bool_]:
    """Inputs whose ready was high without valid in an item, bool [inputs]; of other links none."""
    words = np.ascontiguousarray(state[2 + 3 * PLACES : -2])
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    count = network.design.inputs
    return bits[:count] > 0 if len(bits) else np.ones(count, np.bool_)


def figures(network: ForeignNetwork, seen: npt.NDArray[np.bool_]) -> dict[str, Quantity]:
    """Of a result."""
    if no_ready(network):
        return {}
    return {WAITING: Quantity(int(np.count_nonzero(~seen)), "inputs")}


def told(result: ScenarioResult) -> Iterator[str]:
    """What `ftb doctor` says of a result of the test."""
    if waiting := result.figure(WAITING):
        yield f"ready of {plural(int(waiting), 'input')} waits for valid, as it may"
    else:
        yield "ready does not wait for valid"
    if result.passed:
        yield "valid does not wait for ready"
