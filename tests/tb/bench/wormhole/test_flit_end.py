"""The scoreboard of the flit link at the end of an item: what is left, stuck, or too slow."""

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.sent import FlitPlan
from tests.tb.bench.wormhole.flit_faults import FAR, SECOND, lose_packet, packets
from tests.tb.bench.wormhole.software import Bench, Make, Seen, item_of
from tests.tb.faults.test_reading import met


def test_flits_left_behind_are_named(bench: Make) -> None:
    made = bench()
    state = np.zeros(made.network.layout.inputs, np.uint16)
    state[5] = 1
    assert made.names(Seen(made.plan(item_of(packets()))), state) == {kind.NOT_EMPTY: 1}


def test_lost_credits_are_named(bench: Make) -> None:
    made = bench()
    home = np.ones(made.network.layout.inputs, np.bool_)
    home[5] = False
    assert made.names(Seen(made.plan(item_of(packets()))), home=home) == {kind.CREDITS: 1}
    (output,) = made.board.faults.examples[kind.CREDITS]
    assert output.startswith("level 1 switch 1 output 1 VC 0 ")


def test_an_unknown_output_is_named(bench: Make) -> None:
    made = bench()
    made.board.unknown = met()
    assert made.names(Seen(made.plan(item_of(packets())))) == {kind.UNKNOWN: 1}


def short_of_a_packet(bench: Make) -> tuple[Bench, FlitPlan, Seen]:
    """A bench, the plan of its item, and what it sees of it: all but one packet."""
    made = bench()
    plan = made.plan(item_of(packets()))
    seen = Seen(plan)
    lose_packet(seen)
    return made, plan, seen


def test_what_moves_no_more_is_stuck_and_its_packets_are_lost(bench: Make) -> None:
    made, plan, seen = short_of_a_packet(bench)
    made.show(seen)
    assert not made.playing.over(plan.seen.progress + 1500)
    assert made.playing.over(plan.seen.progress + 1501)
    made.end()
    assert dict(made.board.faults.counts) == {kind.STUCK: 1, kind.LOST: 1}


def test_channels_that_wait_in_a_circle_are_a_deadlock(bench: Make) -> None:
    made, plan, seen = short_of_a_packet(bench)
    made.show(seen)
    assert made.playing.over(plan.seen.progress + 1501)
    state = np.zeros(made.network.layout.inputs, np.uint16)
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
    home = np.ones(made.network.layout.inputs, np.bool_)
    home[0] = False
    assert made.playing.over(1541 + 1) and made.playing.stuck
    made.end(home=home)
    assert dict(made.board.faults.counts) == {kind.STUCK: 1, kind.CREDITS: 1}


def test_what_comes_twice_is_no_sign_of_life(bench: Make) -> None:
    """A design that repeats a flit for ever, and loses another: it ends as if it stood still."""
    made, plan, seen = short_of_a_packet(bench)
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
    made, plan, seen = short_of_a_packet(bench)
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
