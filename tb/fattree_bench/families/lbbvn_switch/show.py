"""A run of the whole switch as a page plays it: cells from inputs over middles to outputs."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fattree_bench.bench.onlooker import Frame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.naming import Names, with_strangers
from fattree_bench.families.showing import (
    NOBODY,
    NOT_LOOKED,
    UNJUDGED,
    Array,
    Events,
    Gauges,
    Hops,
    Ints,
    Kept,
    Packets,
    Scene,
    Show,
    arrivals_of,
    node_place,
    numbered,
)
from fattree_models.common.structure import Structure
from fattree_models.lbbvn_switch import PLACES

CARD = "lbbvn_switch_bench.u_switch.gen_card[{}].u_card"
LOOKED = (
    "What comes out is compared with the model. The way over the middles, and the cells in their "
    "queues by output, are what the RTL's waves show."
)


def keeper(env: Any) -> Callable[[Any], Frame]:
    """Of a frame: what was sent, what should leave when, what did, what the model drops."""
    network: LbbvnSwitch = env.bench.network
    payload = network.layout.payload

    def keep(captured: Any) -> Frame:
        item = captured.item
        plan, slots = item.plan, item.slots
        words = payload.frame(slots, item.sequence) if item.words is None else item.words
        due = np.stack([plan.arrival, np.where(plan.source >= 0, plan.source, -1)], 2)
        arrays = {
            "dst": item.dst.astype(np.int16),
            "words": words[:, : network.leaves],
            "due": due,
            "dropped": np.stack([*plan.dropped], 1).astype(np.int64),
            "valid": np.unpackbits(captured.valid, axis=1, count=network.leaves, bitorder="little"),
            "data": captured.data,
            "inside": plan.backlog,
        }
        return Frame(item.sequence, slots, 2 * slots, arrays)

    return keep


def scene(network: LbbvnSwitch, kept: Kept, first: int, last: int) -> Scene:
    """Times are slots."""
    late, part = network.latency, kept.arrays
    structure = network.structure
    slot, source, number = numbered(part["dst"])
    times = kept.first + np.arange(kept.rows)
    dropped = part["dropped"]
    packets = _packets(part, slot, source, kept.first, dropped)
    names = Names(part["words"][slot, source])
    near = np.searchsorted(slot, np.arange(kept.rows), side="right") - 1
    # What should stand at the outputs in each slot left the model so many slots before.
    goes = np.full(part["dst"].shape, NOBODY)
    came_in, who = part["due"][: kept.rows - late, :, 0], part["due"][: kept.rows - late, :, 1]
    there = (who >= 0) & (came_in >= kept.first)
    goes[late:][there] = number[came_in[there] - kept.first, who[there]]
    valid = part["valid"].astype(np.bool_) | (part["data"] != 0)
    came = names.find(part["data"], valid, goes, np.broadcast_to(near[:, None], goes.shape))
    grids = [(came, part["data"], np.broadcast_to(times[:, None], came.shape))]
    gauges: list[Gauges] = []
    inner = np.zeros((0, 4), np.int64)
    if kept.waves is not None:
        inner, words, gauges = _inside(network, kept, names, near)
        grids.append((inner[:, 0], words, inner[:, 1]))
    packets = with_strangers(packets, *grids)
    if kept.waves is not None:
        inner[:, 0] = grids[-1][0]
    shown = (inner[:, 1] >= first) & (inner[:, 1] <= last)
    inner = inner[shown]
    flat = np.zeros(len(inner), np.int64)
    hops = Hops(inner[:, 0], inner[:, 1], inner[:, 2], flat, flat, flat + UNJUDGED, flat - 1)
    rows = slice(first - kept.first, last + 1 - kept.first)
    leaf = node_place(structure, structure.receivers)
    arrivals = arrivals_of(goes[rows], came[rows], times[rows], leaf, 0, 0)
    return Scene(
        *(structure, "slot", "cell", first, last, packets, hops, arrivals),
        events=_drops(structure, number, dropped, kept.first, (first, last)),
        gauges=[gauge.cut(first, last) for gauge in gauges],
        inside=LOOKED if kept.waves is not None else NOT_LOOKED,
        carries="cells",
        inner="queue",
    )


def _packets(part: Any, slot: Ints, source: Ints, first: int, dropped: Ints) -> Packets:
    """What was sent, and whether the model drops it."""
    gone = {(int(a), int(s)): PLACES[int(p)] for p, a, s in dropped}
    goal = part["dst"][slot, source].astype(np.int64)
    start = slot + first
    says = [
        f"is to be dropped: {gone[key]} is full" if key in gone else "is to be delivered"
        for key in zip(start.tolist(), source.tolist(), strict=True)
    ]
    return Packets(source, goal, start, np.zeros(len(slot), np.bool_), says)


def _drops(
    structure: Structure, number: Ints, dropped: Ints, begin: int, span: tuple[int, int]
) -> Events:
    """Cells that the model drops, shown in the slot in which they come."""
    place, came, source = dropped.T
    mine = (came >= max(begin, span[0])) & (came <= span[1])
    place, came, source = place[mine], came[mine], source[mine]
    packet = number[came - begin, source]
    kinds = tuple((f"dropped, as the model says: {name} is full", False) for name in PLACES)
    here = node_place(structure, structure.senders[source])
    return Events(came, came * 0, here, packet, place, kinds)


def _inside(
    network: LbbvnSwitch, kept: Kept, names: Names, near: Ints
) -> tuple[Ints, Array, list[Gauges]]:
    """Cells on their way to and from middles: (cell, slot, link, -), their words; queues."""
    waves, leaves, width = kept.waves, network.leaves, network.width
    assert waves is not None
    second = waves.fields("lbbvn_switch_bench.u_switch.second_q", 1, 1)[:, 0] != 0
    slots = kept.first + np.arange(len(second)) // 2
    mailbox = network.scheme == "MAILBOX"
    scope = "gen_mailboxes" if mailbox else "gen_fifos"
    parts, words, lengths = [], [], []
    for m in range(leaves):
        card = CARD.format(m)

        def read(name: str, bits: int = 1, card: str = card) -> Ints:
            return waves.fields(f"{card}.{name}", 1, bits)[:, 0].astype(np.int64)

        takes = second if mailbox else ~second
        at = np.flatnonzero(takes & (read("mid_cell") != 0) & (read("mid_fake") == 0))
        parts.append((at, read("mid_src", network.n)[at] * leaves + m))
        words.append(waves.fields(f"{card}.mid_data", 1, width)[at, 0])
        says = ~second if not mailbox else second
        at = np.flatnonzero(says & (read("give_cell") != 0) & (read("give_fake") == 0))
        met = read(f"{scope}.u_middle.met", network.n)
        link = leaves * leaves + m * leaves + met[np.maximum(at - (not mailbox), 0)]
        parts.append((at, link))
        words.append(waves.fields(f"{card}.give_data", 1, width)[at, 0])
        if not mailbox:
            lengths.append(_lengths(read, scope, leaves)[1::2])
    at, link, word = (np.concatenate(a) for a in (*zip(*parts, strict=True), words))
    found = names.find(
        word,
        np.ones(len(word), np.bool_),
        np.full(len(word), NOBODY),
        near[np.minimum(at // 2, len(near) - 1)],
    )
    inner = np.stack([found, slots[at], link, np.zeros_like(at)], 1)
    if mailbox:
        return inner, word, []
    seen = np.concatenate(lengths, 1)
    titles = [f"for output {y}" for _ in range(leaves) for y in range(leaves)]
    middles = np.flatnonzero(network.structure.level)
    places = np.repeat(node_place(network.structure, middles), leaves).tolist()
    most = max(1, int(seen.max(initial=0)))
    return (
        inner,
        word,
        [Gauges(titles, places, seen, kept.first, most, title="cells for an output")],
    )


def _lengths(read: Callable[..., Ints], scope: str, leaves: int) -> Ints:
    """Cells of a middle by output, after each clock: as they enter and leave, counted on."""
    enters, leaves_it = (read(f"{scope}.u_middle.{name}") for name in ("enters", "leaves"))
    fifo = read(f"{scope}.u_middle.fifo", max(1, (leaves - 1).bit_length()))
    steps = np.zeros((len(fifo), leaves), np.int64)
    steps[np.arange(len(fifo)), fifo] = enters - leaves_it
    total = np.zeros(leaves, np.int64)
    rows = np.zeros_like(steps)
    reset = read("rst") != 0
    for row, (step, dead) in enumerate(zip(steps, reset, strict=True)):
        total = np.zeros(leaves, np.int64) if dead else np.maximum(total + step, 0)
        rows[row] = total
    return rows


def hops(network: LbbvnSwitch) -> float:
    """Cells on their ways in a slot, and queues."""
    return 4.0 * network.leaves + network.leaves**2 / 2


SHOW = Show(keeper=keeper, scene=scene, hops=hops, taps=True)
