"""The scoreboard of the flit link: every single deviation from a sound network has its name."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from pyuvm import uvm_root

from fattree_bench.bench import faults as kind
from fattree_bench.bench.levels import ORDER
from fattree_bench.bench.links.flit.packets import Answers, PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.families.xgft.plan import XgftPlan
from fattree_bench.families.xgft.scoreboard import XgftScoreboard
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models.traffic import Packets
from tests.tb.families.xgft.software import HEAD, HOPS, TAIL, VC, Seen, item_of, kary, plan_of

NETWORK = kary()
# source, destination, clock, flits: far, near, of one flit, two of a pair
PACKETS = ((0, 3, 0, 4), (1, 0, 0, 3), (2, 2, 5, 1), (3, 0, 40, 1), (3, 0, 40, 1))
FAR, NEAR, HERE, FIRST, SECOND = range(5)


def packets(rows: tuple[tuple[int, int, int, int], ...] = PACKETS, kinds: int = 0) -> Packets:
    source, destination, release, flits = np.array(rows).T
    return Packets.of(source, destination, release, flits, kinds)


class Bench:
    """A scoreboard, and items that it is shown."""

    def __init__(self, network: XgftNetwork) -> None:
        self.network = network
        self.board = XgftScoreboard("board", None, network)
        self.board.build_phase()

    def plan(self, item: PacketSet) -> XgftPlan:
        self.playing = Playing(plan_of(self.network, item), np.random.default_rng(1))
        return item.plan

    def show(self, seen: Seen, bursts: int = 1) -> None:
        """What was seen, in so many bursts."""
        rows = seen.rows // bursts
        for first in range(0, seen.rows, rows):
            self.board.write(seen.captured(slice(first, first + rows)))

    def end(self, state: Any = None, home: Any = None) -> None:
        """The item is over; an empty network unless told otherwise."""
        count = self.network.inputs
        state = np.zeros(count, np.uint16) if state is None else state
        home = np.ones(count, np.bool_) if home is None else home
        self.board.finish(self.playing.end(state, home))

    def names(self, seen: Seen, state: Any = None, home: Any = None) -> dict[str, int]:
        """Faults of one item that has come to its end."""
        self.show(seen)
        self.end(state, home)
        self.board.check_phase()
        return dict(self.board.faults.counts)


@pytest.fixture
def bench() -> Iterator[Callable[..., Bench]]:
    def make(**variables: object) -> Bench:
        uvm_root().clear_singletons()
        return Bench(kary(**variables))

    yield make
    uvm_root().clear_singletons()


Fault = Callable[[Seen], None]
Make = Callable[..., Bench]


def nothing(seen: Seen) -> None:
    pass


def lose_tail(seen: Seen) -> None:
    seen.lose(FAR, 3)


def lose_head(seen: Seen) -> None:
    seen.lose(FAR, 0)


def lose_packet(seen: Seen) -> None:
    seen.lose(HERE, 0)


def flip(seen: Seen) -> None:
    seen.data[seen.at(FAR, 2)] ^= np.uint64(1 << 7)


def flip_source(seen: Seen) -> None:
    seen.data[seen.at(FAR, 0)] ^= np.uint64(1 << NETWORK.address_bits)


def flip_address(seen: Seen) -> None:
    seen.data[seen.at(FAR, 0)] ^= np.uint64(1)


def flip_class(seen: Seen) -> None:
    seen.data[seen.at(FAR, 0)] ^= np.uint64(1 << NETWORK.address_bits + NETWORK.node_bits)


def flip_two(seen: Seen) -> None:
    """Two neighbours, each in bits of its own."""
    seen.data[seen.at(FAR, 1)] ^= np.uint64(3)
    seen.data[seen.at(FAR, 2)] ^= np.uint64(1 << 31)


def blank(seen: Seen) -> None:
    """Nothing of the word is left, but it comes when it is this flit's turn."""
    seen.data[seen.at(FAR, 2)] = 0


def flip_astray(seen: Seen) -> None:
    """Damaged, and at another leaf."""
    clock = seen.at(FAR, 2)[0]
    seen.lose(FAR, 2)
    seen.put(FAR, 2, clock, leaf=1)
    seen.data[clock, 1] ^= np.uint64(1 << 9)


def invent(seen: Seen) -> None:
    seen.side[200, 1], seen.data[200, 1] = 1 << TAIL | 1 << VC, 0xDEADBEEF


def unsent(seen: Seen) -> None:
    """A packet arrives that its sender has not begun."""
    seen.begun[:, 2] = False


def repeat_flit(seen: Seen) -> None:
    seen.put(FAR, 2, int(seen.clock[FAR][3]) + 5)


def repeat_packet(seen: Seen) -> None:
    seen.put(HERE, 0, 100)


def elsewhere(seen: Seen) -> None:
    seen.move(NEAR, 0, leaf=1)


def also_elsewhere(seen: Seen) -> None:
    """Copied, in the same clock."""
    seen.put(HERE, 0, seen.at(HERE, 0)[0], leaf=1)


def late(seen: Seen) -> None:
    seen.move(NEAR, 1)


def early(seen: Seen) -> None:
    seen.move(NEAR, -1)


def shuffle(seen: Seen) -> None:
    """Two flits of a packet change places."""
    one, two = seen.at(FAR, 1)[0], seen.at(FAR, 2)[0]
    seen.put(FAR, 2, one)
    seen.put(FAR, 1, two)


def overtake(seen: Seen) -> None:
    one, two = seen.at(FIRST, 0)[0], seen.at(SECOND, 0)[0]
    seen.put(SECOND, 0, one)
    seen.put(FIRST, 0, two)


def detour(seen: Seen) -> None:
    """By the other parent: a legal way, but not that of D-mod-k."""
    seen.side[seen.at(FAR, 0)] ^= np.uint64((3 ^ 4) << HOPS + 2 * NETWORK.hop_bits)


def no_way(seen: Seen) -> None:
    seen.side[seen.at(FAR, 0)] &= np.uint64((1 << HOPS) - 1)


def unmark_tail(seen: Seen) -> None:
    seen.side[seen.at(FAR, 3)] ^= np.uint64(1 << TAIL)


def mark_tail(seen: Seen) -> None:
    seen.side[seen.at(FAR, 1)] ^= np.uint64(1 << TAIL)


def unmark_head(seen: Seen) -> None:
    """Read as another flit, its word says nothing; but it is the one that was to come."""
    seen.side[seen.at(FAR, 0)] ^= np.uint64(1 << HEAD)


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (lose_tail, {kind.LOST: 1}),
        (lose_head, {kind.LOST: 1}),
        (lose_packet, {kind.LOST: 1}),
        (flip, {kind.CORRUPTED: 1}),
        (flip_source, {kind.CORRUPTED: 1}),
        (flip_address, {kind.CORRUPTED: 1}),
        (flip_class, {kind.CORRUPTED: 1}),
        (flip_two, {kind.CORRUPTED: 2}),
        (blank, {kind.CORRUPTED: 1}),
        (flip_astray, {kind.CORRUPTED: 1, kind.MISDELIVERED: 1}),
        (invent, {kind.SPURIOUS: 1}),
        (unsent, {kind.SPURIOUS: 1, kind.LOST: 1}),
        (repeat_flit, {kind.DUPLICATED: 1}),
        (repeat_packet, {kind.DUPLICATED: 1}),
        (elsewhere, {kind.MISDELIVERED: 3}),
        (also_elsewhere, {kind.MISDELIVERED: 1}),
        (late, {kind.LATE: 1}),
        (early, {kind.EARLY: 1}),
        (shuffle, {kind.REORDERED: 1}),
        (detour, {kind.ROUTE: 1}),
        (no_way, {kind.ROUTE: 1, kind.LATE: 1}),  # one switch at least, it says
        (unmark_tail, {kind.MARKS: 1}),
        (mark_tail, {kind.MARKS: 1}),
        (unmark_head, {kind.MARKS: 1}),
    ],
)
def test_name_of_a_fault(fault: Fault, names: dict[str, int], bench: Make) -> None:
    made = bench()
    alone = packets(PACKETS[:4])
    seen = Seen(made.plan(item_of(alone, alone=True)))
    fault(seen)
    assert made.names(seen) == names


def test_a_damaged_head_that_names_another_packet(bench: Make) -> None:
    """All heads to leaf 0 name the packet of a neighbour: what follows says whose they are."""
    made = bench()
    rows = tuple((source, 0, 50 * source, 3) for source in range(4))
    seen = Seen(made.plan(item_of(packets(rows))))
    for i in range(4):
        seen.data[seen.at(i, 0)] ^= np.uint64(1 << NETWORK.address_bits)
    assert made.names(seen) == {kind.CORRUPTED: 4}


@pytest.mark.parametrize("bursts", [1, 40, 400])
def test_nothing_is_left_of_what_follows_a_head(bursts: int, bench: Make) -> None:
    """Whose turn it is tells whose words they were, over the end of a burst, too."""
    made = bench()
    seen = Seen(made.plan(item_of(packets())))
    seen.data[seen.at(FAR, 1)[0] :, 3] = 0xDEADBEEF
    made.show(seen, bursts)
    made.end()
    assert dict(made.board.faults.counts) == {kind.CORRUPTED: 3}


def test_a_damaged_flit_is_told_with_its_bits(bench: Make) -> None:
    made = bench()
    seen = Seen(made.plan(item_of(packets())))
    flip(seen)
    assert made.names(seen) == {kind.CORRUPTED: 1}
    (told,) = made.board.faults.examples[kind.CORRUPTED]
    assert "flit 2 of packet 0 of leaf 0 to leaf 3 (4 flits): 0x" in told
    assert told.endswith("(bits 0x80 differ)")
    assert made.playing.complete, "a damaged flit has arrived, and nobody waits for it"


@pytest.mark.parametrize("bursts", [1, 4, 100])
def test_a_sound_network_is_sound_in_bursts_of_any_length(bursts: int, bench: Make) -> None:
    made = bench()
    seen = Seen(made.plan(item_of(packets())))
    made.show(seen, bursts)
    plan = seen.plan
    assert made.playing.complete
    assert (plan.seen.arrived, plan.seen.delivered, plan.seen.waiting) == (10, 5, 0)
    made.end()
    assert not made.board.faults
    tally = made.board.tally
    assert (tally.sent, tally.delivered, tally.flits) == (5, 5, 10)
    assert made.board.links.flit_hops == 12 + 3 + 1 + 6


@pytest.mark.parametrize(
    ("variables", "names"),
    [
        ({}, {kind.REORDERED: 1}),
        ({"VCS": 2, "VC_MODE": "KEEP"}, {kind.REORDERED: 1}),
        ({"VCS": 2}, {}),  # any virtual channel: may overtake
        ({"VCS": 2, "CLASSES": 2}, {kind.REORDERED: 1}),
    ],
    ids=str,
)
def test_order_where_it_is_promised(
    variables: dict[str, object], names: dict[str, int], bench: Make
) -> None:
    """Promised or not, who was overtaken is counted."""
    made = bench(**variables)
    seen = Seen(made.plan(item_of(packets())))
    overtake(seen)
    assert made.names(seen) == names
    assert (ORDER in made.board.supplied.promises) == bool(names)
    assert made.board.tally.overtaken == 1


@pytest.mark.parametrize(
    ("clocks", "count"),
    [
        ((10, 20, 30, 40), 0),
        ((20, 10, 30, 40), 1),
        ((40, 10, 20, 30), 1),  # all come before the first
        ((20, 30, 40, 10), 3),  # the last comes before all
        ((40, 30, 20, 10), 3),
    ],
)
def test_overtaken_packets_are_counted(clocks: tuple[int, ...], count: int, bench: Make) -> None:
    """Four packets of a pair; one of another pair that comes last is none of them."""
    made = bench(VCS=2)
    rows = (*(((0, 2, 0, 1),) * 4), (1, 2, 0, 1))
    seen = Seen(made.plan(item_of(packets(rows))), {i: (c,) for i, c in enumerate(clocks)})
    assert made.names(seen) == {}
    assert made.board.tally.overtaken == count


def other_channel(seen: Seen) -> None:
    seen.side[seen.at(0, 1)] ^= np.uint64(3 << VC)


def all_in_the_other(seen: Seen) -> None:
    for index in range(4):
        seen.side[seen.at(0, index)] ^= np.uint64(3 << VC)


@pytest.mark.parametrize(
    ("variables", "fault", "names"),
    [
        ({}, other_channel, {kind.CHANNEL: 1}),
        ({}, all_in_the_other, {}),
        ({"CLASSES": 2}, nothing, {}),
        ({"CLASSES": 2}, all_in_the_other, {kind.CHANNEL: 1}),
        ({"VC_MODE": "KEEP"}, nothing, {}),
        ({"VC_MODE": "KEEP"}, all_in_the_other, {kind.CHANNEL: 1}),
    ],
)
def test_virtual_channels(
    variables: dict[str, object], fault: Fault, names: dict[str, int], bench: Make
) -> None:
    made = bench(VCS=2, **variables)
    seen = Seen(made.plan(item_of(packets(((0, 2, 0, 4),)))))
    fault(seen)
    assert made.names(seen) == names


@pytest.mark.parametrize(("vc", "names"), [(2, {}), (1, {kind.INTERLEAVED: 1})])
def test_packets_may_mix_in_different_virtual_channels_only(
    vc: int, names: dict[str, int], bench: Make
) -> None:
    made = bench(VCS=2)
    both = packets(((0, 2, 0, 3), (1, 2, 0, 3)))
    clocks = {0: (20, 22, 24), 1: (21, 23, 25)}
    assert made.names(Seen(made.plan(item_of(both)), clocks, {1: vc})) == names


@pytest.mark.parametrize(
    ("depth", "hops", "flits", "clocks"),
    [
        (4, 5, 11, 1 + 5 * 2 + 10),
        (64, 5, 11, 1 + 5 * 2 + 10),
        (3, 1, 4, 1 + 1 * 2 + 3 + 1),  # one wait for a credit, a clock long
        (2, 3, 5, 1 + 3 * 2 + 4 + 2 * 2),
        (1, 5, 11, 1 + 5 * 2 + 10 + 10 * 3),  # as seen on Icarus
        (1, 5, 1, 1 + 5 * 2),
    ],
)
def test_latency_alone_by_hand(depth: int, hops: int, flits: int, clocks: int) -> None:
    assert kary(DEPTH=depth).alone(hops, flits) == clocks


# ---- the end of an item --------------------------------------------------------------------------


def test_flits_left_behind_are_named(bench: Make) -> None:
    made = bench()
    state = np.zeros(made.network.inputs, np.uint16)
    state[5] = 1
    assert made.names(Seen(made.plan(item_of(packets()))), state) == {kind.NOT_EMPTY: 1}


def test_lost_credits_are_named(bench: Make) -> None:
    made = bench()
    home = np.ones(made.network.inputs, np.bool_)
    home[5] = False
    assert made.names(Seen(made.plan(item_of(packets()))), home=home) == {kind.CREDITS: 1}
    (told,) = made.board.faults.examples[kind.CREDITS]
    assert told.startswith("level 1 switch 1 output 1 VC 0 ")


def test_an_unknown_output_is_named(bench: Make) -> None:
    made = bench()
    made.board.unknown = True
    assert made.names(Seen(made.plan(item_of(packets())))) == {kind.UNKNOWN: 1}


def test_what_moves_no_more_is_stuck_and_its_packets_are_lost(bench: Make) -> None:
    made = bench()
    plan = made.plan(item_of(packets()))
    seen = Seen(plan)
    lose_packet(seen)
    made.show(seen)
    assert not made.playing.over(plan.seen.progress + 1500)
    assert made.playing.over(plan.seen.progress + 1501)
    made.end()
    assert dict(made.board.faults.counts) == {kind.STUCK: 1, kind.LOST: 1}


def test_channels_that_wait_in_a_circle_are_a_deadlock(bench: Make) -> None:
    made = bench()
    plan = made.plan(item_of(packets()))
    seen = Seen(plan)
    lose_packet(seen)
    made.show(seen)
    assert made.playing.over(plan.seen.progress + 1501)
    state = np.zeros(made.network.inputs, np.uint16)
    state[2] = 3 | 2 << 2 | 1 << 11  # level 1 switch 0 input 2, from above: up again by port 2
    state[8] = 3 | 0 << 2 | 1 << 11  # level 2 switch 0 input 0, from there: down again
    made.end(state)
    assert dict(made.board.faults.counts) == {kind.DEADLOCK: 1}
    assert made.board.faults.examples[kind.DEADLOCK][1:] == [
        "level 1 switch 0 input 2 VC 0 waits for level 2 switch 0 input 0 VC 0",
        "level 2 switch 0 input 0 VC 0 waits for level 1 switch 0 input 2 VC 0",
    ]


def test_senders_that_may_not_begin_are_stuck_too(bench: Make) -> None:
    made = bench()
    plan = made.plan(item_of(packets()))
    seen = Seen(plan)
    seen.begun[:], seen.side[:] = False, 0
    made.show(seen)
    home = np.ones(made.network.inputs, np.bool_)
    home[0] = False
    assert made.playing.over(1541 + 1) and made.playing.stuck
    made.end(home=home)
    assert dict(made.board.faults.counts) == {kind.STUCK: 1, kind.CREDITS: 1}


def test_what_comes_twice_is_no_sign_of_life(bench: Make) -> None:
    """A design that repeats a flit for ever, and loses another: it ends as if it stood still."""
    made = bench()
    plan = made.plan(item_of(packets()))
    seen = Seen(plan)
    lose_packet(seen)
    seen.data[100:, 3] = seen.data[seen.at(FAR, 2)]
    seen.side[100:, 3] = seen.side[seen.at(FAR, 2)]
    made.show(seen)
    last = int(seen.clock[SECOND][0])
    assert plan.seen.progress == last
    assert made.playing.over(last + 1501) and made.playing.stuck
    made.end()
    assert dict(made.board.faults.counts) == {
        kind.DUPLICATED: seen.rows - 100,
        kind.STUCK: 1,
        kind.LOST: 1,
    }


def test_an_item_that_only_crawls_is_ended(bench: Make) -> None:
    """Now and then something new comes, and it would go on for hours: the limit has a name."""
    made = bench()
    plan = made.plan(item_of(packets()))
    seen = Seen(plan)
    lose_packet(seen)
    made.show(seen)
    most = 40 + 100_000 + 64 * 10  # the last is due in clock 40; ten flits
    plan.seen.progress = most - 1
    assert not made.playing.over(most - 1)
    assert made.playing.over(most)
    made.end()
    assert dict(made.board.faults.counts) == {kind.LIMIT: 1, kind.LOST: 1}
    assert made.board.faults.examples[kind.LIMIT] == [
        f"by hand: {most} clocks, and 1 packets are on their way"
    ]


def test_who_has_something_to_send_later_is_waited_for(bench: Make) -> None:
    made = bench()
    seen = made.plan(item_of(packets(((0, 1, 0, 1), (0, 1, 9000, 1))))).seen
    seen.begun[0] = seen.delivered = 1
    assert not made.playing.over(8000)
    assert made.playing.over(9000 + 1501)


# ---- replies, resets, measurements ---------------------------------------------------------------


def test_replies_are_awaited_and_read(bench: Make) -> None:
    made = bench(VCS=2, CLASSES=2)
    assert made.names(Seen(made.plan(requests()))) == {}
    assert made.board.tally.replies == 4


def requests() -> PacketSet:
    """Four requests, each with a reply of two flits: packets 4 to 7."""
    return item_of(packets(PACKETS[:4]), answers=Answers(2, 4))


@pytest.mark.parametrize("index", [0, 1], ids=["head", "tail"])
def test_a_lost_reply_is_named(index: int, bench: Make) -> None:
    made = bench(VCS=2, CLASSES=2)
    seen = Seen(made.plan(requests()))
    seen.lose(4 + HERE, index)
    assert made.names(seen) == {kind.LOST: 1}
    assert "the reply to packet 0 of leaf 2" in made.board.faults.examples[kind.LOST][0]


def test_a_reply_among_the_requests_is_named(bench: Make) -> None:
    made = bench(VCS=2, CLASSES=2)
    seen = Seen(made.plan(requests()), vcs={4 + NEAR: 1})
    assert made.names(seen) == {kind.CHANNEL: 1}


def test_a_reset_takes_away_what_is_inside(bench: Make) -> None:
    made = bench()
    plan = made.plan(item_of(packets(), reset=6))
    seen = Seen(plan)
    seen.side[6:20], seen.data[6:20] = 0, 0
    assert made.names(seen) == {}
    assert plan.seen.gone.tolist() == [True, False, True, False, False]
    assert made.board.tally.discarded == 2


def test_what_a_reset_should_have_taken_away_is_named(bench: Make) -> None:
    made = bench()
    seen = Seen(made.plan(item_of(packets(((0, 3, 0, 4),)), reset=3)))
    assert made.names(seen) == {kind.SPURIOUS: 1}
