"""A run of the serial tree as a page plays it: delivery cycles, clock by clock, bit by bit."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from fattree_bench.bench.onlooker import Frame
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.naming import Names, with_strangers
from fattree_bench.families.showing import (
    EXPECTED,
    LOOKED,
    NOBODY,
    NOT_LOOKED,
    SEEN,
    UNSEEN,
    Array,
    Events,
    Hops,
    Ints,
    Kept,
    Packets,
    Scene,
    Show,
    arrivals_of,
    node_place,
    numbered,
    on_lanes,
)

PARTS = ("M bit", "a one", "a zero")


def keeper(env: Any) -> Callable[[Any], Frame]:
    """Of delivery cycles: what was sent, what the model says, what was seen at the ends."""
    network: Leiserson = env.bench.network

    def bits(packed: Array) -> Array:
        return np.unpackbits(packed, axis=1, count=network.wires, bitorder="little")

    def keep(captured: Any) -> Frame:
        item = captured.item
        count = len(captured.sent)
        part = slice(captured.first, captured.first + count)
        plan = item.plan
        row = plan.row[part]
        safe, wire = np.maximum(row, 0), np.arange(network.wires)
        images = network.layout.images(item.dst, network.layout.words(item), item.edges)
        first = env.scoreboard.cycles - count
        arrays = {
            "dst": np.where(row >= 0, item.dst[safe, wire], -1).astype(np.int16),
            "image": images[safe, wire],
            "words": network.layout.words(item)[safe, wire],
            "lost": plan.outcome.lost_at[part],
            "due": plan.outcome.arrived[part].astype(np.int16),
            "sent": bits(captured.sent),
            "came": bits(captured.arrived),
            "data": captured.data,
            "item": np.full(count, first - captured.first),
        }
        return Frame(first, count, captured.clocks, arrays)

    return keep


class Step(NamedTuple):
    """A channel on the way of a message."""

    link: int
    tick: int  # clock of its M bit
    bits: Array  # what is on the wire from there on


class Tree:
    """The ways of messages over channels, which the structure has by heap index, up, then down."""

    def __init__(self, network: Leiserson) -> None:
        self.network, self.tree = network, network.tree
        self.h, self.n = self.tree.h, self.tree.n

    def link(self, heap: int, down: bool) -> int:
        return heap - 1 + down * (2 * self.n - 1)

    def leaf(self, wire: Ints) -> Ints:
        """Leaves at sending or receiving wires; what is outside is leaf n."""
        return np.minimum(wire // self.tree.ports, self.n)

    def way(self, source: int, destination: int, frame: Array) -> list[Step]:
        """The channels that a message passes, until it is lost or to the end."""
        tree, inside = self.tree, source < self.n * self.tree.ports
        here = self.n + source // tree.ports if inside else 1
        there = self.n + destination if destination < self.n else 1
        up: list[int] = []
        if inside:
            turn = 0 if there == 1 else (here ^ there).bit_length()
            steps = self.h + 1 if there == 1 else turn
            up = [here >> k for k in range(steps)]
        down: list[int] = []
        if there != 1:
            least = here >> (here ^ there).bit_length() if inside else 0
            depth = there.bit_length() - least.bit_length()
            down = [there >> k for k in range(depth - 1, -1, -1)]
        found, tick, bits = [], 1, frame
        for place, (heap, falls) in enumerate(
            [*((v, False) for v in up), *((v, True) for v in down)]
        ):
            if place:
                node = heap.bit_length() - (2 if falls else 1)
                delay = (tree.delay_down if falls else tree.delay_up)[node]
                tick += delay
                bits = np.concatenate([bits[:1], bits[1 + delay - tree.pipeline :]])
            found.append(Step(self.link(heap, falls), tick, bits))
        return found


def scene(network: Leiserson, kept: Kept, first: int, last: int) -> Scene:
    """Times are delivery cycles; steps are clocks in them."""
    tree, structure = Tree(network), network.structure
    rows = slice(first - kept.first, last + 1 - kept.first)
    part = {name: array[rows] for name, array in kept.arrays.items()}
    cycle, wire, number = numbered(part["dst"])
    lost = part["lost"][cycle, wire]
    goal = part["dst"][cycle, wire].astype(np.int64)
    source = tree.leaf(wire)
    says = [
        "is to arrive" if not at else f"is to be lost: no wire is left in {structure.links[link]}"
        for at, link in zip(
            lost.tolist(), (tree.link(max(1, abs(at)), at < 0) for at in lost.tolist()), strict=True
        )
    ]
    packets = Packets(source, goal, cycle + first, np.zeros(len(cycle), np.bool_), says)
    rings = _Rings(tree, part, cycle, wire)
    bits = None if kept.waves is None else _wires(network, kept, rows)
    hops, events = rings.played(bits, first)
    came = np.zeros(part["dst"].shape, np.int64)
    goes = np.where(part["due"] >= 0, np.take_along_axis(number, np.maximum(part["due"], 0), 1), -1)
    for k in range(len(came)):
        mine = np.flatnonzero(cycle == k)
        names = Names(part["words"][k, wire[mine]])
        shift = int(mine[0]) if mine.size else 0
        there = part["came"][k] != 0
        found = names.find(part["data"][k], there, np.where(goes[k] >= 0, goes[k] - shift, -1))
        came[k] = np.where(found >= 0, found + shift, found)
    times = first + np.arange(len(came))
    count = np.broadcast_to(times[:, None], came.shape)
    packets = with_strangers(packets, (came, part["data"], count))
    hops.packet[hops.packet < 0] = len(packets)
    if (hops.packet == len(packets)).any():
        packets = Packets(
            np.append(packets.source, -1),
            np.append(packets.destination, -1),
            np.append(packets.start, first),
            np.append(packets.wrong, True),
            [*packets.says, "bits that are of no message"],
        )
    sinks = node_place(structure, structure.receivers[tree.leaf(np.arange(network.wires))])
    arrivals = arrivals_of(goes, came, times, sinks, network.layout.ticks - 1, 0)
    items = np.flatnonzero(np.diff(part["item"], prepend=-1))
    return Scene(
        *(structure, "delivery cycle", "message", first, last, packets, hops, arrivals),
        events=events,
        steps=network.layout.ticks,
        slot="delivery cycle",
        step="clock",
        by_time=False,
        bits=PARTS,
        inside=LOOKED if bits is not None else NOT_LOOKED,
        parts=[(int(k) + first, f"set of messages from cycle {k + first} on") for k in items[:200]],
        carries="bits",
    )


def _wires(network: Leiserson, kept: Kept, rows: slice) -> list[Array]:
    """Of each link, what is on its wires: [cycles, clocks of a cycle, wires], as the RTL has it."""
    assert kept.waves is not None
    ticks = network.layout.ticks
    ends = np.flatnonzero(kept.waves.fields("leiserson_bench.last", 1, 1)[:, 0])[rows]
    clocks = np.maximum(ends[:, None] - ticks + 1 + np.arange(ticks), 0)
    structure = network.structure
    found = on_lanes(structure, kept.waves, "", 1)[clocks]
    return list(np.split(found, structure.first_lane[1:], axis=2))


class _Rings:
    """Messages on wires: who should be where, and whose bits are there."""

    def __init__(self, tree: Tree, part: dict[str, Array], cycle: Ints, wire: Ints) -> None:
        self.tree, self.part, self.cycle, self.wire = tree, part, cycle, wire
        frame = tree.tree.frame_bits
        every = np.unpackbits(part["image"], axis=2, count=frame, bitorder="little")
        self.frames = every[:, :, ::-1]
        self.rows: list[tuple[int, ...]] = []
        self.lost: list[tuple[int, ...]] = []

    def played(self, wires: list[Array] | None, first: int) -> tuple[Hops, Events]:
        for number, (cycle, wire) in enumerate(
            zip(self.cycle.tolist(), self.wire.tolist(), strict=True)
        ):
            self._message(number, cycle, wire, wires, first)
        if wires is not None:
            self._strays(wires, first)
        table = np.array(self.rows, np.int64).reshape(-1, 7).T
        lost = np.array(self.lost, np.int64).reshape(-1, 4).T
        kinds = (("found no wire: lost, as the model says", False),)
        time, step, place, packet = lost
        return Hops(*table), Events(time, step, place, packet, np.zeros_like(time), kinds)

    def _message(
        self, number: int, cycle: int, wire: int, wires: list[Array] | None, first: int
    ) -> None:
        """The wires on which a message should be, and is."""
        goal, at = int(self.part["dst"][cycle, wire]), int(self.part["lost"][cycle, wire])
        gone = self.tree.link(abs(at), at < 0) if at else -1
        for step in self.tree.way(wire, goal, self.frames[cycle, wire]):
            if step.link == gone:
                self.lost.append((cycle + first, step.tick, gone, number))
                return
            lane, who = 0, UNSEEN
            if wires is not None:
                there = wires[step.link][cycle, step.tick :]
                want = step.bits[: len(there), None]
                right = (there[: len(want)] == want).all(axis=0)
                right &= wires[step.link][cycle, : step.tick].max(axis=0, initial=0) == 0
                right &= there[0] != 0
                who = EXPECTED | SEEN if right.any() else EXPECTED
                lane = int(right.argmax())
                if right.any():
                    wires[step.link][cycle, :, lane] = 0  # it is told
            self._bits(number, cycle + first, step, lane, who)

    def _bits(self, number: int, time: int, step: Step, lane: int, who: int) -> None:
        """A row a bit, up to the last one of the data."""
        end = int(np.flatnonzero(step.bits)[-1]) + 1
        room = self.tree.network.layout.ticks - step.tick
        for k, bit in enumerate(step.bits[: min(end, room)].tolist()):
            kind = 0 if k == 0 else 2 - bit
            self.rows.append((number, time, step.link, lane, step.tick + k, who, kind))

    def _strays(self, wires: list[Array], first: int) -> None:
        """What else is on wires: of a message of the cycle, or of none."""
        for link, there in enumerate(wires):
            for cycle, lane in np.argwhere(there.any(axis=1)):
                on = np.flatnonzero(there[cycle, :, lane])
                number = self._owner(there[cycle, on[0] :, lane], int(cycle))
                for tick in range(int(on[0]), int(on[-1]) + 1):
                    kind = 0 if tick == on[0] else 2 - int(there[cycle, tick, lane])
                    row = (number, int(cycle) + first, link, int(lane), tick, SEEN, kind)
                    self.rows.append(row)

    def _owner(self, bits: Array, cycle: int) -> int:
        """The message of a cycle that has such bits somewhere on its way, NOBODY if none does."""
        for number in np.flatnonzero(self.cycle == cycle).tolist():
            wire = int(self.wire[number])
            goal = int(self.part["dst"][cycle, wire])
            for step in self.tree.way(wire, goal, self.frames[cycle, wire]):
                want = step.bits[: len(bits)]
                if np.array_equal(want, bits[: len(want)]):
                    return number
        return NOBODY


def hops(network: Leiserson) -> float:
    """Bits on all wires of a delivery cycle, at most."""
    return float(2 * (network.n + 1) * network.tree.frame_bits * network.wires)


SHOW = Show(keeper=keeper, scene=scene, hops=hops, taps=True)
