"""A run of a wormhole network as a page plays it: flits on links, virtual channels, deadlocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.onlooker import Frame
from fattree_bench.bench.path.deadlock import waits as waiting
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.poison import poison, without
from fattree_bench.families.flit_show import (
    LINKS_ALONE,
    LINKS_SEEN,
    FlitKeeper,
    OnLinks,
    flit_scene,
    seen_on_links,
)
from fattree_bench.families.showing import Events, Gauges, Ints, Kept, Scene, Show, node_place
from fattree_models.common.structure import cycle
from fattree_models.wormhole.kernel import SHOWN_EVERY

STATES = ("empty", "flits wait: no VC yet", "VC held, no flit there", "flits wait: VC held")
STILL = 16  # clocks in which nothing moves although flits wait
MARKED = 200  # clocks in which a deadlock is marked


def keeper(env: Any) -> Callable[[Any], Frame]:
    """Of a burst: what was on the links, by the RTL and, where it is compared, by the model."""
    network: Wormhole = env.bench.network
    known = network.layout.recorded.compared and not network.routing.breaks
    beside = Beside(network) if known else None

    def looked(captured: FlitCaptured) -> tuple[OnLinks | None, OnLinks | None]:
        expected = None if beside is None else beside.burst(captured)
        if captured.recorded is None:
            return expected, None
        seen, plan = captured.recorded(), captured.item.plan
        side = seen.side.astype(np.int64)
        side[poison(side)] = 0
        found = seen_on_links(plan, network.words.read, seen.data, side, plan.sent.answered)
        if expected is not None and plan.sent.corners:  # words that name no packet: as expected
            expected_words = beside_words(plan, expected)
            same = (expected.packet >= 0) & (expected_words == seen.data)
            for mine, theirs in zip(found[:2], expected[:2], strict=True):
                mine[same] = theirs[same]
        return expected, found

    ends = last_links(network)
    notes = FlitKeeper(env, looked, ends=ends if beside is not None else None)

    def keep(captured: Any) -> Frame:
        frame = notes(without(captured))
        rows = np.arange(frame.rows) // SHOWN_EVERY * SHOWN_EVERY
        frame.arrays["states"] = frame.arrays["states"][rows]
        return frame

    return keep


def recorded(network: Wormhole) -> Ints:
    """The link of each that is recorded: all, then again those to leaves that have two ends."""
    structure = network.structure
    far = np.flatnonzero(structure.level[structure.head] == 0)
    far = far[np.argsort(structure.number[structure.head[far]])]
    links = np.arange(len(structure.links))
    return np.concatenate([links, far[: network.layout.recorded.links - len(links)]])


def last_links(network: Wormhole) -> Ints:
    """The last of those that are recorded to each leaf: their far ends come last."""
    structure, links = network.structure, recorded(network)
    ends = np.zeros(network.leaves, np.int64)
    to_leaf = np.flatnonzero(structure.level[structure.head[links]] == 0)
    ends[structure.number[structure.head[links[to_leaf]]]] = to_leaf
    return ends


def beside_words(plan: Any, expected: OnLinks) -> Any:
    """The words that flits should be, [clocks, links]; 0 where none is."""
    words = np.zeros(expected.packet.shape, np.uint64)
    on = expected.packet >= 0
    words[on] = plan.sent.words(plan.sent.first_flit[expected.packet[on]] + expected.part[on])
    return words


class Beside:
    """The model, run next to the network whatever that does."""

    def __init__(self, network: Wormhole) -> None:
        from fattree_bench.bench.wormhole.exact import model_of  # numba: only where it is needed
        from fattree_models import wormhole

        self.wormhole, self.model = wormhole, model_of(network)
        self.links = network.layout.recorded.links
        self.run: Any = None

    def burst(self, captured: FlitCaptured) -> OnLinks | None:
        """What the links carry in an item's burst, after the bursts between; None: not known."""
        *idle, burst = captured.bursts
        for each in idle:
            resets = each.resets
            if self.run is None:
                if not resets:
                    continue
                self.run = self.wormhole.Simulation(self.model, each.seed)
            self.run.seed = each.seed
            self.run.run(each.clocks, resets, may_send=False, record=False)
        if self.run is None:
            return None
        plan = captured.item.plan
        if captured.first == 0:
            answers, sent = captured.item.answers, plan.sent
            wormhole = self.wormhole
            self.run.answer = wormhole.Answer(answers.flits, answers.limit) if answers else None
            corners = sent.words(np.arange(len(plan.seen.arrival))) if sent.corners else None
            self.run.load(captured.item.packets, corners)
        if burst.closed:
            self.run.drop()
        trace = self.run.run(burst.clocks, burst.resets, burst.stall)
        packet = trace.packet[:, : self.links].astype(np.int64)
        on = packet >= 0
        part = np.where(on, trace.index[:, : self.links], 0).astype(np.int64)
        vc = np.where(on, trace.vc[:, : self.links], 0).astype(np.int64)
        last = plan.sent.flits[np.maximum(packet, 0)] - 1
        return OnLinks(packet, part, vc, (on & (part == last)).astype(np.int64))


def _states(network: Wormhole, kept: Kept) -> tuple[list[Gauges], Events | None]:
    """What virtual channels hold, and who waits in a circle at the end."""
    rows = kept.arrays["states"]
    if not network.layout.recorded.compared or not rows.size:
        return [], None
    from fattree_bench.bench.wormhole.exact import model_of
    from fattree_models.wormhole.showing import Showing
    from fattree_models.wormhole.wiring import wire

    model = model_of(network)
    first = Showing(model, wire(model)).first
    bits = np.unpackbits(rows.view(np.uint8).reshape(len(rows), -1), axis=1, bitorder="little")
    waits, active = bits[:, first].astype(np.int64), bits[:, first + 1].astype(np.int64)
    value = np.where(waits > 0, 1 + 2 * active, 2 * active)
    structure = network.structure
    lane = structure.queues[np.argsort(network.layout.in_place(np.arange(network.layout.inputs)))]
    link = structure.lane_link[lane]
    where = node_place(structure, structure.head[link]).tolist()
    ends = structure.head_port[link].tolist(), (lane - structure.first_lane[link]).tolist()
    names = [f"input {port} VC {vc}" for port, vc in zip(*ends, strict=True)]
    gauges = Gauges(names, where, value, kept.first, len(STATES) - 1, STATES)
    return [gauges], _deadlock(network, kept, bits)


def _deadlock(network: Wormhole, kept: Kept, bits: Any) -> Events | None:
    """Circles of channels that wait for each other, in each clock from which nothing moves.

    An item ends when nothing moves any more: its last state says who waits for whom.
    """
    structure = network.structure
    moved = np.unique(kept.arrays["hops"][:, 1])
    starts = kept.arrays["item"][:, 0]
    found = []
    for begin, end in zip(starts, np.append(starts[1:], kept.first + kept.rows), strict=True):
        own = moved[(moved >= begin) & (moved < end)]
        last = int(own[-1]) if own.size else int(begin)
        state = network.layout.read_state(bits[end - 1 - kept.first][: network.layout.state_bits])
        if end - last <= STILL or not (state & 1).any():
            continue
        circle = cycle(waiting(structure, state, network.switch.allowed))
        places = structure.lane_link[structure.queues[circle]]
        times = np.arange(last + 1, min(end, last + MARKED))
        found.append([a.ravel() for a in np.meshgrid(times, places)])
    if not found:
        return None
    time, place = (np.concatenate(a) for a in zip(*found, strict=True))
    zero = np.zeros(len(time), np.int64)
    kinds = (("channels that wait for each other in a circle: deadlock", True),)
    return Events(time, zero, place, zero - 1, zero, kinds)


def scene(network: Wormhole, kept: Kept, first: int, last: int) -> Scene:
    """Times are clocks."""
    gauges, events = _states(network, kept)
    inside = LINKS_ALONE
    if network.layout.recorded.compared:
        inside = f"{LINKS_SEEN} Virtual channels: the RTL's, looked at every {SHOWN_EVERY} clocks."
    span, links = (first, last), recorded(network)
    return flit_scene(kept, span, network.structure, links, gauges, events, inside)


def hops(network: Wormhole) -> float:
    """Flits on all links of a clock, and states of channels."""
    return float(network.layout.recorded.links + network.layout.inputs)


SHOW = Show(keeper=keeper, scene=scene, hops=hops, variables={"TRACE": "1"})
