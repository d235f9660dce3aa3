"""Runs of networks of flits as a page plays them, from the structure of a network.

In the simulator a `FlitKeeper` notes every flit on every link, of the RTL and, if a model runs
beside it, of the model; `flit_scene` makes a page's content of what was noted.  `show` serves each
network of flits that has a structure: links are recorded, or read from waves by their signals.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from fattree_bench.bench.links.flit.network import FlitLayout
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_bench.bench.onlooker import Frame
from fattree_bench.families.naming import Names
from fattree_bench.families.showing import (
    EXPECTED,
    NOBODY,
    NOT_LOOKED,
    SEEN,
    STRANGER,
    UNJUDGED,
    Array,
    Arrivals,
    Events,
    Gauges,
    Hops,
    Ints,
    Kept,
    Packets,
    Scene,
    Show,
    node_place,
    on_lanes,
)
from fattree_models.common.structure import Structure

LINKS_SEEN = "Expected: the model, clock by clock. What the RTL did: what was on its links."
LINKS_ALONE = (
    "The picture is what was on the RTL's links. The model says which packets are to come where."
)
LINKS_WAVES = "The way is what the RTL's waves show on its links."
ENDS_COMPARED = (
    " Packets that come out are compared with the model, which says in which clock each one's tail "
    "is to come."
)
COLUMNS = 7  # of a flit: packet, clock, link, virtual channel, who, place in its packet, tail


class Shown(Protocol):
    """A network of flits whose runs can be played."""

    leaves: int
    width: int  # bits of a word

    @property
    def structure(self) -> Structure: ...

    @property
    def layout(self) -> FlitLayout: ...


class OnLinks(NamedTuple):
    """Flits on links, [clocks, links] each: packet of the item or NOBODY, place in it, VC, tail."""

    packet: Array
    part: Array
    vc: Array
    tail: Array


def seen_on_links(plan: FlitPlan, reader: Any, data: Array, side: Array, answered: bool) -> OnLinks:
    """What words and marks say of themselves; STRANGER of a word that was not sent."""
    sent = plan.sent
    found = np.full(data.shape, NOBODY)
    clock, link = np.nonzero(side >> 2 & 15)
    words, marks = data[clock, link], side[clock, link]
    head = (marks & 2) != 0
    tags, wrong = reader(words, head, answered)
    owner = np.clip(tags.owner, 0, len(sent.lengths) - 1)
    number = plan.seen.unwrap(owner, tags.number)
    wrong = wrong | (tags.owner != owner) | (number >= sent.lengths[owner]) | (number < 0)
    packet = sent.starts[owner] + number + sent.packets * (sent.answered & tags.reply)
    found[clock, link] = np.where(wrong, STRANGER, packet)
    part, vc, tail = (np.zeros(data.shape, np.int64) for _ in range(3))
    part[clock, link] = np.where(head, 0, np.maximum(tags.index, 1))
    vc[clock, link] = np.log2(np.maximum(marks >> 2 & 15, 1)).astype(np.int64)
    tail[clock, link] = marks & 1
    return OnLinks(found, part, vc, tail)


Looked = Callable[[FlitCaptured], tuple[OnLinks | None, OnLinks | None]]


class FlitKeeper:
    """Notes the bursts of a run; and what a plan says is due at leaves (`due`).

    Parameters
    ----------
    env : the environment.
    looked : given a burst, what is on the links, by the model (or None) and of the RTL (or None).
    received : given a burst, what came to the leaves, if words and marks do not say it alone.
    ends : recorded link at which each leaf receives: if a model runs as well, it says what is due.
    """

    def __init__(
        self,
        env: Any,
        looked: Looked | None = None,
        ends: Ints | None = None,
        received: Callable[[FlitCaptured], OnLinks] | None = None,
    ) -> None:
        self.received = received or self._received
        self.env, self.looked, self.ends = env, looked, ends
        self.last: FlitPlan | None = None
        self.items = self.base = 0  # of packets before this item's

    def __call__(self, captured: Any) -> Frame:
        """A burst."""
        clocks = len(captured.side) if isinstance(captured, FlitCaptured) else len(captured.dropped)
        first = self.env.scoreboard.cycles - clocks
        arrays: dict[str, Array] = {
            name: np.zeros((0, n), np.int64)
            for name, n in (("hops", COLUMNS), ("packets", 5), ("came", 3), ("due", 3), ("item", 2))
        }
        arrays["name"] = np.zeros(0, "U60")
        arrays["states"] = np.zeros((clocks, 0), np.uint64)
        if isinstance(captured, FlitCaptured):
            self._burst(captured, first, arrays)
        return Frame(first, clocks, clocks, arrays)

    def _burst(self, captured: FlitCaptured, first: int, arrays: dict[str, Array]) -> None:
        plan: FlitPlan = captured.item.plan
        if captured.first == 0:
            self.base += len(self.last.sent) if self.last is not None else 0
            self.items += 1
            self.last = plan
            arrays["item"] = np.array([[first, self.items - 1]])
            arrays["name"] = np.array([captured.item.family[:60]])
        sent, origin = plan.sent, first - captured.first
        expected, seen = self.looked(captured) if self.looked else (None, None)
        arrays["hops"] = self._hops(expected, seen, first)
        listed = np.r_[sent.release, np.zeros(len(sent) - sent.packets, np.int64)]
        columns = (np.arange(len(sent)), sent.source, sent.destination, sent.flits, listed + origin)
        table = np.stack(columns, 1).astype(np.int64)
        table[:, 0] += self.base
        arrays["packets"] = table
        ends = np.nonzero((captured.side & 1) * (captured.side >> 2 & 15 > 0))
        out = self.received(captured)
        packet = out.packet[ends]
        arrays["came"] = np.stack(
            [np.where(packet >= 0, packet + self.base, packet), ends[0] + first, ends[1]], 1
        ).astype(np.int64)
        if plan.due is not None:
            tail = plan.due
            mine = (tail >= captured.first) & (tail < captured.first + len(captured.side))
            at = np.flatnonzero(mine)
            arrays["due"] = np.stack([at + self.base, tail[at] + origin, sent.destination[at]], 1)
        if self.ends is not None and expected is not None:
            clock, leaf = np.nonzero(expected.tail[:, self.ends] == 1)
            packet = expected.packet[clock, self.ends[leaf]]
            arrays["due"] = np.stack([packet + self.base, clock + first, leaf], 1)
        if captured.recorded is not None:
            arrays["states"] = captured.recorded().states

    def _received(self, captured: FlitCaptured) -> OnLinks:
        plan, side = captured.item.plan, captured.side.astype(np.int64)
        reader = self.env.bench.network.words.read
        return seen_on_links(plan, reader, captured.data, side, plan.sent.answered)

    def _hops(self, expected: OnLinks | None, seen: OnLinks | None, first: int) -> Array:
        parts = [np.zeros((0, COLUMNS), np.int64)]
        alone = {id(expected): EXPECTED, id(seen): SEEN if expected is not None else UNJUDGED}
        for one, other in ((expected, seen), (seen, expected)):
            if one is None:
                continue
            clock, link = np.nonzero(one.packet != NOBODY)
            who = np.full(len(clock), alone[id(one)])
            if other is not None:
                same = np.ones(len(clock), np.bool_)
                for a, b in zip(one, other, strict=True):
                    same &= a[clock, link] == b[clock, link]
                who[same] = EXPECTED | SEEN
                if one is seen:
                    clock, link, who = clock[~same], link[~same], who[~same]
            packet = one.packet[clock, link]
            packet = np.where(packet >= 0, packet + self.base, packet)
            columns = (
                packet,
                clock + first,
                link,
                one.vc[clock, link],
                who,
                one.part[clock, link],
                one.tail[clock, link],
            )
            parts.append(np.stack(columns, 1))
        return np.concatenate(parts)


def flit_scene(
    kept: Kept,
    span: tuple[int, int],
    structure: Structure,
    link_of: Ints | None = None,
    gauges: Sequence[Gauges] = (),
    events: Events | None = None,
    inside: str = LINKS_ALONE,
) -> Scene:
    """A page's content.

    `link_of`: the link of each recorded one, if these are not the links; `gauges`: of all kept
    clocks.
    """
    first, last = span
    table = kept.arrays["hops"]
    table = table[(table[:, 1] >= first) & (table[:, 1] <= last)]
    due, came = (kept.arrays[name] for name in ("due", "came"))
    due, came = (a[(a[:, 1] >= first) & (a[:, 1] <= last)] for a in (due, came))
    whole = kept.arrays["packets"]
    numbers = np.unique(np.concatenate([table[:, 0], due[:, 0], came[:, 0]]))
    numbers = numbers[numbers >= 0]
    row = np.unique(whole[:, 0], return_index=True)[1]
    mine = whole[row[np.searchsorted(whole[row, 0], numbers)]]
    strange = len(numbers)
    says = [f"{n} flits, created in clock {c}" for _, _, _, n, c in mine.tolist()]
    packets = Packets(
        np.append(mine[:, 1], -1),
        np.append(mine[:, 2], -1),
        np.append(mine[:, 4], first),
        np.append(np.zeros(strange, np.bool_), True),
        [*says, "a flit that was never sent"],
    )

    def local(packet: Ints) -> Ints:
        known = np.searchsorted(numbers, packet)
        return np.where(packet >= 0, known, strange)

    hops = Hops(
        packet=local(table[:, 0]),
        time=table[:, 1],
        place=table[:, 2] if link_of is None else link_of[table[:, 2]],
        lane=table[:, 3],
        step=np.zeros(len(table), np.int64),
        who=table[:, 4],
        part=np.where(table[:, 5] == 0, 0, 1),
    )
    arrivals = _arrivals(due, came, whole, local, node_place(structure, structure.receivers))
    nothing = np.zeros(0, np.int64)
    if events is None:
        events = Events(nothing, nothing, nothing, nothing, nothing, ())
    inner = (events.time >= first) & (events.time <= last)
    items = kept.arrays["item"]
    names = kept.arrays["name"].tolist()
    parts = [(int(t), f"item {n}: {name}") for (t, n), name in zip(items, names, strict=True)]
    return Scene(
        *(structure, "clock", "packet", first, last, packets, hops, arrivals),
        events=Events(**{k: x if k == "kinds" else x[inner] for k, x in vars(events).items()}),
        gauges=[g.cut(first, last) for g in gauges],
        inside=inside,
        parts=parts[:500],
        carries="flits",
    )


def _arrivals(
    due: Ints, came: Ints, packets: Ints, local: Callable[[Ints], Ints], place: Ints
) -> Arrivals:
    """Tails that came, next to those that are due; without a model each may come at any time."""
    keys: dict[tuple[int, int], list[int]] = {}
    for side, rows in enumerate((due, came)):
        for packet, time, leaf in rows.tolist():
            keys.setdefault((time, leaf), [NOBODY, NOBODY])[side] = packet
    time, leaf = np.array(list(keys), np.int64).reshape(-1, 2).T
    expected, seen = np.array(list(keys.values()), np.int64).reshape(-1, 2).T
    if not len(due):  # all that is known: where it was sent
        sent = np.unique(packets[:, 0], return_index=True)[1]
        goal = np.full(len(seen), NOBODY)
        at = np.flatnonzero(seen >= 0)
        goal[at] = packets[sent, 2][np.searchsorted(packets[sent, 0], seen[at])]
        expected = np.where(goal == leaf, seen, NOBODY)
    wrong = expected != seen
    one, other = (np.where(a == NOBODY, NOBODY, local(a)) for a in (expected, seen))
    return Arrivals(time, place[leaf], one, other, wrong, np.zeros_like(time), time)


# ---- a network that gives nothing but its structure ----------------------------------------------


def keeper(env: Any) -> Callable[[Any], Frame]:
    """Of a burst: what was recorded on links, or the words of the item's flits to name waves by."""
    network: Shown = env.bench.network
    names: dict[int, Names] = {}  # of the last plan

    def looked(captured: FlitCaptured) -> tuple[OnLinks | None, OnLinks | None]:
        if captured.recorded is None:
            return None, None
        sent, seen = captured.item.plan.sent, captured.recorded()
        if id(sent) not in names:
            names.clear()
            names[id(sent)] = Names(sent.words(np.arange(int(sent.first_flit[-1]))))
        flit = names[id(sent)].find(seen.data, seen.side != 0, np.full(seen.data.shape, NOBODY))
        packet = np.where(flit < 0, flit, sent.packet_of(flit))
        part = np.where(flit < 0, 1, flit - sent.first_flit[np.maximum(packet, 0)])
        nothing = np.zeros_like(packet)
        return None, OnLinks(packet, part, nothing, nothing)

    if network.layout.recorded.links:
        return FlitKeeper(env, looked)
    notes = FlitKeeper(env)

    def keep(captured: Any) -> Frame:
        frame = notes(captured)
        sent = captured.item.plan.sent
        flit = np.arange(int(sent.first_flit[-1]) if captured.first == 0 else 0)
        owner = sent.packet_of(flit).astype(np.int64) if len(flit) else flit
        head = flit == sent.first_flit[owner] if len(flit) else flit
        frame.arrays["flits"] = np.stack([owner + notes.base, head], 1).astype(np.int64)
        frame.arrays["words"] = sent.words(flit) if len(flit) else np.zeros(0, np.uint64)
        frame.arrays["from"] = np.full(len(flit), frame.first)
        return frame

    return keep


def _inside(network: Shown, kept: Kept) -> Ints:
    """Flits on links as the waves show them, as rows of an onlooker's hops."""
    assert kept.waves is not None
    structure, width = network.structure, network.width
    on = on_lanes(structure, kept.waves, "_valid", 1) != 0
    data = on_lanes(structure, kept.waves, "_flit", width + 2)
    starts = kept.arrays["item"][:, 0] - kept.first
    parts = [np.zeros((0, COLUMNS), np.int64)]
    for begin, end in zip(starts, np.append(starts[1:], len(on)), strict=True):
        mine = kept.arrays["from"] == begin + kept.first
        owner, named = kept.arrays["flits"][mine], Names(kept.arrays["words"][mine])
        clock, lane = np.nonzero(on[begin:end])
        clock += begin
        word = data[clock, lane] & np.uint64((1 << width) - 1)
        found = named.find(word, np.ones(len(word), np.bool_), np.full(len(word), NOBODY))
        known = np.concatenate([owner, [[STRANGER, 0]]])[np.where(found >= 0, found, -1)]
        place = structure.lane_link[lane]
        columns = (
            *(known[:, 0], clock + kept.first, place, lane - structure.first_lane[place]),
            *(np.full(len(clock), UNJUDGED), 1 - known[:, 1], np.zeros_like(clock)),
        )
        parts.append(np.stack(columns, 1).astype(np.int64))
    return np.concatenate(parts)


def scene(network: Shown, kept: Kept, first: int, last: int) -> Scene:
    """Times are clocks."""
    says = LINKS_ALONE
    if not network.layout.recorded.links:
        says = NOT_LOOKED
        if kept.waves is not None:
            kept = kept._replace(arrays={**kept.arrays, "hops": _inside(network, kept)})
            says = LINKS_WAVES + (ENDS_COMPARED if len(kept.arrays["due"]) else "")
    return flit_scene(kept, (first, last), network.structure, inside=says)


def hops(network: Shown) -> float:
    """Flits on all lanes of a clock."""
    return float(network.structure.lanes.sum())


def show(network: Shown) -> Show:
    """The page of a network."""
    return Show(keeper=keeper, scene=scene, hops=hops, taps=not network.layout.recorded.links)
