"""A sound network on the flit link in software: what it shows of packets that were sent by hand."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.payload import MIX
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.plan import WormholePlan, link_of
from fattree_bench.bench.wormhole.routes import encode_hops
from fattree_bench.bench.wormhole.scoreboard import WormholeScoreboard
from fattree_bench.families.xgft.network import Kary
from tests.tb.bench.alone import alone

TAIL, HEAD, VC, HOPS = 0, 1, 2, 6  # bits that are recorded with the data


def kary(**variables: object) -> Wormhole:
    """A 2-ary 2-tree with one virtual channel, unless `variables` say otherwise."""
    given = {"K": 2, "LEVELS": 2, "VCS": 1, "STAGES": 1} | variables
    return Kary.from_variables({name: str(value) for name, value in given.items()})


def head_word(network: Wormhole, number: int, kind: int, source: int, address: int) -> int:
    """As in flit_source.v: {number * MIX ^ rest, rest = {class, source, address}}."""
    rest = (kind << network.words.node_bits | source) << network.words.address_bits | address
    mixed = (number * MIX ^ rest) << network.words.address_bits + network.words.node_bits + 1
    return (mixed | rest) % (1 << network.width)


def body_word(network: Wormhole, number: int, index: int, kind: int, owner: int) -> int:
    """As in flit_source.v: {number, index, class, owner}, mixed twice."""
    tag = ((number << 6 | index % 64) << 1 | kind) << network.words.node_bits | owner
    for _ in range(2):
        tag = tag * MIX % (1 << network.width)
        tag ^= tag >> (network.width + 1) // 2
    return tag


def corner_word(network: Wormhole, number: int, index: int, tag: int) -> int:
    """As in flit_source.v, with corners: zero, ones, one bit, all but one, or the tag."""
    ones = (1 << network.width) - 1
    place = (8 * (number % 8) + index // 2 % 8 + number) % 64
    one = (1 << place) & ones
    return (0, ones, one, ones ^ one, tag, tag, tag, tag)[number % 8 ^ index // 2 % 8]


class Seen:
    """What a sound network shows of an item, in arrays that may be written.

    Every packet arrives as if it were alone, or at the clocks given; the n-th packet of a list is
    begun when it is created, or n clocks later if others are created with it.

    Attributes
    ----------
    plan : of the item; captured: one burst.
    clock : of each packet, listed ones first, then replies: int64 [flits].
    """

    def __init__(
        self,
        plan: WormholePlan,
        clocks: dict[int, Sequence[int]] | None = None,
        vcs: dict[int, int] | None = None,
        rows: int = 400,
    ) -> None:
        self.plan, self.item = plan, plan.item
        network, sent = plan.network, plan.sent
        self.rows = rows
        self.side = np.zeros((self.rows, network.leaves), np.uint64)
        self.data = np.zeros((self.rows, network.leaves), np.uint64)
        self.begun = np.zeros((self.rows, network.leaves), np.bool_)
        hops = network.ways.expected_hops(sent.source, sent.destination)
        self.route = encode_hops(hops, network.ways.hop_bits)
        took = network.latency.alone(np.count_nonzero(hops >= 0, axis=1), sent.flits)
        self.clock: list[npt.NDArray[np.int64]] = []
        for i, flits in enumerate(sent.flits.tolist()):
            created = int(plan.seen.created[i])
            if i < sent.packets:
                same = (sent.source[:i] == sent.source[i]) & (plan.seen.created[:i] == created)
                begun = created + int(np.count_nonzero(same))
                self.begun[begun, sent.source[i]] = True
            else:
                begun = int(self.clock[i - sent.packets][-1]) + 1
            last = begun + int(took[i])
            given = (clocks or {}).get(i, range(last - flits + 1, last + 1))
            self.clock.append(np.array(given))
            for index, clock in enumerate(given):
                self.put(i, index, clock, vc=(vcs or {}).get(i))

    def word(self, i: int, index: int) -> int:
        """The data of a flit."""
        network, sent = self.plan.network, self.plan.sent
        listed, kind = i % sent.packets, int(sent.kinds[i])
        owner = int(sent.source[listed])
        number = int(listed - sent.starts[owner])
        if index == 0:
            return head_word(network, number, kind, int(sent.source[i]), int(sent.address[i]))
        tag = body_word(network, number, index, kind, owner)
        listed_corner = sent.corners and i < sent.packets
        return corner_word(network, number, index, tag) if listed_corner else tag

    def channel(self, i: int) -> int:
        """The lowest virtual channel that a packet may use, as a bit."""
        listed = i < self.plan.sent.packets
        allowed = (
            int(self.plan.sent.start_vcs[i]) if listed else self.plan.network.switch.class_vcs(1)
        )
        return allowed & -allowed

    def put(
        self, i: int, index: int, clock: int, leaf: int | None = None, vc: int | None = None
    ) -> None:
        """Let a flit arrive."""
        sent = self.plan.sent
        where = int(sent.destination[i]) if leaf is None else leaf
        vc = self.channel(i) if vc is None else vc
        side = int(index == sent.flits[i] - 1) << TAIL | int(index == 0) << HEAD | vc << VC
        if index == 0:
            side |= int(self.route[i]) << HOPS
        self.side[clock, where], self.data[clock, where] = side, self.word(i, index)

    def at(self, i: int, index: int) -> tuple[int, int]:
        """Clock and leaf of a flit."""
        return int(self.clock[i][index]), int(self.plan.sent.destination[i])

    def lose(self, i: int, index: int) -> None:
        """A flit does not arrive."""
        self.side[self.at(i, index)] = self.data[self.at(i, index)] = 0

    def move(self, i: int, by: int, leaf: int | None = None) -> None:
        """A packet arrives some clocks later, or elsewhere."""
        for index in range(len(self.clock[i])):
            self.lose(i, index)
        for index, clock in enumerate(self.clock[i]):
            self.put(i, index, int(clock) + by, leaf)

    def captured(self, rows: slice = slice(None)) -> FlitCaptured:
        """The burst of these rows."""
        return FlitCaptured(
            self.item,
            rows.start or 0,
            side=self.side[rows],
            data=self.data[rows],
            taken=np.packbits(self.begun[rows], axis=1, bitorder="little"),
        )


def plan_of(network: Wormhole, item: PacketSet) -> WormholePlan:
    """The plan of an item, as the predictor makes it."""
    item.plan = WormholePlan(network, link_of(network), item)
    return item.plan


def item_of(packets: object, **options: object) -> PacketSet:
    """A packet set."""
    return PacketSet(packets, "by hand", **options)  # type: ignore[arg-type]


class Bench:
    """A scoreboard, and items that it is shown."""

    def __init__(self, network: Wormhole) -> None:
        self.network = network
        self.board = alone(WormholeScoreboard, network)

    def plan(self, item: PacketSet) -> WormholePlan:
        self.playing = Playing(plan_of(self.network, item), np.random.default_rng(1))
        return item.plan

    def show(self, seen: Seen, bursts: int = 1) -> None:
        """What was seen, in so many bursts."""
        rows = seen.rows // bursts
        for first in range(0, seen.rows, rows):
            self.board.write(seen.captured(slice(first, first + rows)))

    def end(self, state: Any = None, home: Any = None) -> None:
        """The item is over; the network is empty by default."""
        count = self.network.layout.inputs
        state = np.zeros(count, np.uint16) if state is None else state
        home = np.ones(count, np.bool_) if home is None else home
        self.board.finish(self.playing.end(state, home))

    def names(self, seen: Seen, state: Any = None, home: Any = None) -> dict[str, int]:
        """Faults of one item that has come to its end."""
        self.show(seen)
        self.end(state, home)
        self.board.check_phase()
        return dict(self.board.faults.counts)


Make = Callable[..., Bench]
