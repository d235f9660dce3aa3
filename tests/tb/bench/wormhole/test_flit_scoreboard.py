"""The scoreboard of the flit link: every single deviation from a sound network has its name."""

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import Answers, PacketSet
from tests.tb.bench.wormhole.flit_faults import (
    DEVIATIONS,
    FAR,
    HERE,
    NEAR,
    NETWORK,
    PACKETS,
    Fault,
    flip,
    flip_astray,
    packets,
    repeat_flit,
    shuffle,
)
from tests.tb.bench.wormhole.software import Make, Seen, item_of, kary


@pytest.mark.parametrize(("fault", "names"), DEVIATIONS)
def test_name_of_a_fault(fault: Fault, names: dict[str, int], bench: Make) -> None:
    made = bench()
    alone = packets(PACKETS[:4])
    seen = Seen(made.plan(item_of(alone, alone=True)))
    fault(seen)
    assert made.names(seen) == names


# Where a word of a body alone would say which flit it is.
ALIKE = {repeat_flit: {kind.SPURIOUS: 1}, shuffle: {kind.CORRUPTED: 2}}


@pytest.mark.parametrize(
    ("fault", "names"),
    [(f, ALIKE.get(f, names)) for f, names in DEVIATIONS if f is not flip_astray],
)
def test_name_of_a_fault_among_words_that_name_nobody(
    fault: Fault, names: dict[str, int], bench: Make
) -> None:
    """Which of several equal flits was lost cannot be known."""
    made = bench()
    seen = Seen(made.plan(item_of(packets(PACKETS[:4]), alone=True, corners=True)))
    fault(seen)
    assert made.names(seen) == names


def test_a_damaged_head_that_names_another_packet(bench: Make) -> None:
    """All heads to leaf 0 name the packet of a neighbour: what follows says whose they are."""
    made = bench()
    rows = tuple((source, 0, 50 * source, 3) for source in range(4))
    seen = Seen(made.plan(item_of(packets(rows))))
    for i in range(4):
        seen.data[seen.at(i, 0)] ^= np.uint64(1 << NETWORK.words.address_bits)
    assert made.names(seen) == {kind.CORRUPTED: 4}


@pytest.mark.parametrize("bursts", [1, 40, 400])
def test_nothing_is_left_of_what_follows_a_head(bursts: int, bench: Make) -> None:
    """Whose turn it is tells whose words they were, also over the end of a burst."""
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
    (output,) = made.board.faults.examples[kind.CORRUPTED]
    assert "flit 2 of packet 0 of leaf 0 to leaf 3 (4 flits): 0x" in output
    assert output.endswith("(bits 0x80 differ)")
    assert made.playing.complete, "a damaged flit has arrived, and nobody waits for it"


KINDS = {"one-flit": (1, 0), "head": (3, 0), "body": (3, 1), "tail": (3, 2)}


@pytest.mark.parametrize("width", [21, 32, 64])
@pytest.mark.parametrize("before", [0, 1000], ids=["first", "later"])
@pytest.mark.parametrize("word", KINDS)
def test_each_bit_of_a_word_that_flips_is_told(
    word: str, before: int, width: int, bench: Make
) -> None:
    """One bit of each of the last packets.  Of few bits, numbers that are wrong were there before.

    With 21 bits, 12 of a number are left: a quarter of all words name one of 1000 packets.
    """
    made = bench(WIDTH=width)
    flits, index = KINDS[word]
    apart = flits + 1
    rows = tuple((0, 3, apart * i, flits) for i in range(before + width))
    seen = Seen(made.plan(item_of(packets(rows))), rows=apart * len(rows) + 40)
    for bit in range(width):
        seen.data[seen.at(before + bit, index)] ^= np.uint64(1 << bit)
    made.show(seen, 20)
    made.end()
    assert dict(made.board.faults.counts) == {kind.CORRUPTED: width}
    for bit, output in enumerate(made.board.faults.examples[kind.CORRUPTED]):
        assert f"flit {index} of packet {before + bit} of leaf 0 to leaf 3" in output
        assert output.endswith(f"(bits {1 << bit:#x} differ)")


@pytest.mark.parametrize("bursts", [1, 20])
def test_what_comes_again_is_not_taken_for_what_is_damaged(bursts: int, bench: Make) -> None:
    """In place of a later flit: that one is lost, and the one that came again is reported so."""
    made = bench()
    rows = tuple((0, 3, 4 * i, 3) for i in range(20))
    seen = Seen(made.plan(item_of(packets(rows))))
    for index in range(3):
        seen.data[seen.at(12, index)] = seen.word(5, index)
    made.show(seen, bursts)
    made.end()
    assert dict(made.board.faults.counts) == {kind.DUPLICATED: 3, kind.LOST: 1}


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
    assert kary(DEPTH=depth).latency.alone(hops, flits) == clocks


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
