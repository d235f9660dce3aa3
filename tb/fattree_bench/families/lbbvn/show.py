"""A run of the bufferless tree as a page plays it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fattree_bench.bench.onlooker import Frame
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.naming import Names, with_strangers
from fattree_bench.families.showing import (
    LOOKED,
    NOBODY,
    NOT_LOOKED,
    Array,
    Bits,
    Events,
    Ints,
    Kept,
    Packets,
    Scene,
    Show,
    arrivals_of,
    hops_of,
    node_place,
    numbered,
    on_lanes,
)
from fattree_models import lbbvn
from fattree_models.common.tree import FatTree


def keeper(env: Any) -> Callable[[Any], Frame]:
    """Of a frame: what was sent, what each lane should carry, what came out."""
    network, predictor = env.bench.network, env.predictor
    payload = network.layout.payload

    def keep(captured: Any) -> Frame:
        item = captured.item
        plan, slots = item.plan, item.slots
        if network.control == "SELF":
            outcome = network.predict(item.dst)
            lanes = lbbvn.occupied(item.dst, outcome, network.lanes, network.static_upper)
            lost, falls = outcome.lost_level, outcome.lost_down
        else:
            lanes = lbbvn.scheduled(predictor.rows_of(item), item.dst >= 0)
            lost, falls = np.zeros((2, *item.dst.shape), np.int8)
        reset = np.zeros(slots, np.bool_) if item.reset is None else item.reset
        words = payload.frame(slots, item.sequence) if item.words is None else item.words
        arrays = {
            "dst": item.dst.astype(np.int16),
            "due": plan.arrived.astype(np.int16),
            "lost": lost,
            "falls": falls.astype(np.bool_),
            "lanes": _row(lanes, slots).astype(np.int16),
            "words": words,
            "reset": reset,
            "valid": np.unpackbits(captured.valid, axis=1, count=network.leaves, bitorder="little"),
            "data": captured.data,
            "part": np.full(slots, item.sequence),
        }
        return Frame(item.sequence, slots, slots, arrays)

    return keep


def _channels(network: Lbbvn) -> list[tuple[int, int]]:
    """(level, direction) of all lanes in the order of a row: up, then down, from the root."""
    first = max(1, network.top_level)
    return [(j, way) for way in (0, 1) for j in range(first, network.n + 1)]


def _row(lanes: lbbvn.Lanes, slots: int) -> Array:
    """Lanes of all channels, [slots, lanes]."""
    every = [(lanes.up, lanes.down)[way] for way in (0, 1)]
    return np.concatenate([part[j].reshape(slots, -1) for part in every for j in sorted(part)], 1)


def _steps(network: Lbbvn) -> Ints:
    """Of each link: steps of a slot until a packet is on it."""
    n = network.n
    return np.concatenate(
        [np.full(1 << j, n - j if way == 0 else n + j - 1) for j, way in _channels(network)]
    )


def _delays(network: Lbbvn) -> Ints:
    """Of each link: clocks until a packet is on it, by its distance from an end of its way."""
    n, steps = network.n, _steps(network)
    if not network.pipeline:
        return np.zeros_like(steps)
    return np.where(steps < n, steps, network.latency - (2 * n - 1 - steps))


def scene(network: Lbbvn, kept: Kept, first: int, last: int) -> Scene:
    """Times are clocks, as many as slots."""
    structure, late = network.structure, network.latency
    rows = slice(max(0, first - late - kept.first), last + 1 - kept.first)
    part = {name: array[rows] for name, array in kept.arrays.items()}
    begin, count = kept.first + rows.start, len(part["dst"])
    slot, source, number = numbered(part["dst"])
    packets = _packets(network, part, slot, source, begin)
    # What is on each lane by clock: rows of slots, each lane so much later.
    delays = _delays(network)[structure.lane_link]
    at = np.arange(count)[:, None] - delays
    inside = at >= 0
    on_lane = part["lanes"][np.maximum(at, 0), np.arange(len(delays))]
    end = _resets(part["reset"])  # of each slot: clock of the next reset
    alive = _lives(at, np.arange(count)[:, None], end)
    due = np.where(inside & alive & (on_lane >= 0), number[np.maximum(at, 0), on_lane], NOBODY)
    names = Names(part["words"][slot, source])
    near = np.searchsorted(slot, np.arange(count), side="right") - 1
    seen = None
    grids = []
    times = begin + np.arange(count)
    if kept.waves is not None:
        valid = on_lanes(structure, kept.waves, "_valid", 1)[rows] != 0
        words = on_lanes(structure, kept.waves, "_data", network.width)[rows]
        seen = names.find(words, valid, due, np.broadcast_to(near[:, None], due.shape))
        grids.append((seen, words, np.broadcast_to(times[:, None], seen.shape) - delays))
    came, goes = _outputs(part, number, names, near, late, end)
    grids.append((came, part["data"], np.broadcast_to(times[:, None] - late, came.shape)))
    packets = with_strangers(packets, *grids)
    # Of the clocks that are shown alone.
    shown = slice(first - begin, None)
    steps = _steps(network)
    hops = hops_of(
        structure,
        times[shown],
        due[shown],
        None if seen is None else seen[shown],
        lambda packet, time, place: steps[place],
    )
    leaf = node_place(structure, structure.receivers)
    arrivals = arrivals_of(goes[shown], came[shown], times[shown], leaf, 2 * network.n, late)
    packets.wrong[np.maximum(arrivals.expected, 0)] |= arrivals.wrong & (arrivals.expected >= 0)
    packets.wrong[np.maximum(arrivals.seen, 0)] |= arrivals.wrong & (arrivals.seen >= 0)
    return Scene(
        *(structure, "clock", "packet", first, last, packets, hops, arrivals),
        events=_events(network, part, slot, source, begin, first),
        steps=2 * network.n + 1,
        inside=LOOKED if kept.waves is not None else NOT_LOOKED,
    )


def _resets(held: Array) -> Ints:
    """Of each row: the row of the first reset from it on, or one far behind."""
    found = np.where(held, np.arange(len(held)), len(held) * 4 + 1000)
    return np.minimum.accumulate(found[::-1])[::-1]


def _lives(slot: Ints, clock: Ints, end: Ints) -> Bits:
    """Whether a packet of a slot is still there in a clock: resets kill."""
    reset: Ints = end[np.clip(slot, 0, len(end) - 1)]
    lives: Bits = (clock <= reset) & (slot != reset)
    return lives


def _outputs(
    part: dict[str, Array], number: Ints, names: Names, near: Ints, late: int, end: Ints
) -> tuple[Ints, Ints]:
    """What came out in each clock at each leaf, and what should have."""
    count = len(number)
    left = np.arange(count) - late
    due = part["due"][np.maximum(left, 0)]
    alive = (left >= 0) & _lives(left, np.arange(count), end)
    goes = np.where(alive[:, None] & (due >= 0), number[np.maximum(left, 0)[:, None], due], NOBODY)
    there = part["valid"].astype(np.bool_) | (part["data"] != 0)
    came = names.find(part["data"], there, goes, np.broadcast_to(near[:, None], goes.shape))
    return came, goes


def _packets(
    network: Lbbvn, part: dict[str, Array], slot: Ints, source: Ints, begin: int
) -> Packets:
    """What was sent, and what the model says of it."""
    goal = part["dst"][slot, source].astype(np.int64)
    lost, falls = part["lost"][slot, source], part["falls"][slot, source]
    arrives = np.zeros(part["dst"].shape, np.bool_)
    row, leaf = np.nonzero(part["due"] >= 0)
    arrives[row, part["due"][row, leaf]] = True
    here = arrives[slot, source]
    turn = FatTree(network.n).lca_level(source, goal)
    says = [
        f"is to be delivered; turns at level {t}"
        if ok
        else f"is to be lost at level {v}, on its way {'down' if down else 'up'}: no lane is left"
        if v
        else "is led nowhere by the schedule"
        for ok, t, v, down in zip(
            here.tolist(), turn.tolist(), lost.tolist(), falls.tolist(), strict=True
        )
    ]
    return Packets(source, goal, slot + begin, np.zeros(len(slot), np.bool_), says)


def _events(
    network: Lbbvn, part: dict[str, Array], slot: Ints, source: Ints, begin: int, first: int
) -> Events:
    """Packets that find no lane."""
    n = network.n
    lost, falls = part["lost"][slot, source].astype(np.int64), part["falls"][slot, source]
    packet = np.flatnonzero(lost)
    level, down = lost[packet], falls[packet]
    end = np.where(down, part["dst"][slot, source][packet], source[packet])
    base = np.zeros((n + 2, 2), np.int64)
    count = 0
    for j, way in _channels(network):
        base[j, way] = count
        count += 1 << j
    structure = network.structure
    leaf = node_place(structure, structure.receivers[end])
    link = base[level, down.astype(np.int64)] + (end >> np.maximum(n - level, 0))
    place = np.where(level > n, leaf, link)
    steps, delays = _steps(network), _delays(network)
    safe = np.minimum(place, len(steps) - 1)
    step = np.where(level > n, 2 * n, steps[safe])
    time = begin + slot[packet] + np.where(level > n, network.latency, delays[safe])
    kept = time >= first
    kinds = (("found no lane: lost, as the model says", False),)
    return Events(
        time[kept], step[kept], place[kept], packet[kept], np.zeros(kept.sum(), np.int64), kinds
    )


def hops(network: Lbbvn) -> float:
    """Each packet passes that many channels at most."""
    return 2.0 * network.n * network.leaves


SHOW = Show(keeper=keeper, scene=scene, hops=hops, taps=True)
