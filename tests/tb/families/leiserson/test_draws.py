"""Draws of randomised retry are judged one by one, and the likeliest cause is named."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.serial.messages import MessageSet, SerialCaptured
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import Plan, make_plan, visible
from fattree_bench.families.leiserson.scoreboard import SerialScoreboard
from fattree_models import leiserson as lei
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.leiserson.draws import lucky
from tests.tb.bench.alone import alone

NETWORK = Leiserson.from_variables({"N": "8", "DISCIPLINE": "RANDOMISED"})
SEED, BEGIN = 77, 240  # the guess becomes 2^6 in delivery cycle 249
Toss = Callable[[int, Int64Array], BoolArray]  # number of the cycle, messages by wire
WHOLE = slice(0, None)

WORDS = lei.lfsr(SEED, NETWORK.wires, 1000)
GUESSES = lei.guess_exponents(NETWORK.n, 1000)


@pytest.fixture
def board() -> SerialScoreboard:
    return alone(SerialScoreboard, NETWORK)


def queues(
    behind: int = 20, number: int = BEGIN, reset: tuple[int, int] | None = None
) -> MessageSet:
    """All processors but 0 have 12 messages for it, and more behind."""
    dst = np.full((12, NETWORK.wires), -1, np.int32)
    dst[:, 1 : NETWORK.leaves] = 0
    item = MessageSet(dst, "messages", queue=True, reset=reset, restart=False)
    item.behind, item.sequence = behind, 0
    item.plan = make_plan(NETWORK, item, SEED, number)
    return item


def due(number: int, waiting: Int64Array) -> BoolArray:
    return lucky(WORDS[number], GUESSES[number], waiting)


def guess_stays(number: int, waiting: Int64Array) -> BoolArray:
    return lucky(WORDS[number], min(5, int(GUESSES[number])), waiting)


def shares(number: int, waiting: Int64Array) -> BoolArray:
    words = WORDS[number].copy()
    words[3] = words[2]
    return lucky(words, GUESSES[number], waiting)


def stands_still(number: int, waiting: Int64Array) -> BoolArray:
    words = WORDS[number].copy()
    words[5] = WORDS[min(number, 244), 5]
    return lucky(words, GUESSES[number], waiting)


def biased(number: int, waiting: Int64Array) -> BoolArray:
    return lucky(WORDS[number] & WORDS[number + 1], GUESSES[number], waiting)


def seen(item: MessageSet, toss: Toss, part: slice = WHOLE) -> SerialCaptured:
    """A sound network whose senders toss their own coins: all of it, or a burst."""
    plan: Plan = item.plan
    left = np.count_nonzero(item.dst >= 0, axis=0)
    row = np.full((plan.cycles, NETWORK.wires), -1, np.int32)
    at = item.reset[0] if item.reset else -1
    for cycle, number in enumerate(plan.number.tolist()):
        left -= (left > 0) & (cycle == at)
        sends = toss(number, np.where(left > 0, left + item.behind, 0))
        row[cycle] = np.where(sends, 12 - left, -1)
        left -= lei.deliver(NETWORK.tree, np.where(sends, 0, -1)[None]).delivered[0]
    shown = visible(NETWORK, item, row, lei.deliver(NETWORK.tree, np.minimum(row, 0)))
    words = NETWORK.layout.words(item)
    shown["data"] = words[shown["from_row"], shown["from_wire"]] & shown["receives"]
    names = ("sent", "acked", "arrived", "trailing", "ack_tick", "tick", "data")
    arrays = {name: shown[name][part].copy() for name in names}
    extra = plan.extra_clocks if part.start == 0 else 0
    return SerialCaptured(
        item,
        part.start,
        **arrays,
        lost=shown["lost"][max(at, 0) : part.stop].sum(axis=0).astype(np.uint32),
        clocks=len(arrays["sent"]) * NETWORK.layout.ticks + extra,
    )


def sent(board: SerialScoreboard, toss: Toss, size: int, **options: Any) -> MessageSet:
    """An item that a scoreboard has seen, in bursts of a size."""
    item = queues(**options)
    board.announce(item)
    for first in range(0, item.plan.cycles, size):
        board.write(seen(item, toss, slice(first, first + size)))
    return item


def wrong_draws(item: MessageSet, toss: Toss) -> tuple[list[tuple[int, int]], int]:
    """Cycle and wire of each coin that fell otherwise than it is due, and messages left."""
    left, wrong = np.count_nonzero(item.dst >= 0, axis=0), []
    for cycle, number in enumerate(item.plan.number.tolist()):
        left -= (left > 0) & (item.reset is not None and cycle == item.reset[0])
        messages = np.where(left > 0, left + item.behind, 0)
        sends = toss(number, messages)
        wrong += [(cycle, w) for w in np.flatnonzero(sends != due(number, messages)).tolist()]
        left -= lei.deliver(NETWORK.tree, np.where(sends, 0, -1)[None]).delivered[0]
    return wrong, int(left.sum())


ITEMS = ({}, {"behind": 0, "number": 0, "reset": (2, 5)}, {"behind": 8, "reset": (9, 0)})


@pytest.mark.parametrize("options", ITEMS)
@pytest.mark.parametrize("size", [16, 1000])
def test_sound_senders_are_not_blamed(
    options: dict[str, Any], size: int, board: SerialScoreboard
) -> None:
    item = sent(board, due, size, **options)
    board.check_phase()
    assert not board.faults.counts
    tried = {(r, wire) for row in item.plan.row.tolist() for wire, r in enumerate(row) if r >= 0}
    assert board.tally.tried == len(tried) <= board.tally.attempts


@pytest.mark.parametrize("options", ITEMS)
@pytest.mark.parametrize("size", [16, 1000])
def test_each_wrong_draw_is_told_and_nothing_else(
    options: dict[str, Any], size: int, board: SerialScoreboard
) -> None:
    """But what is not delivered in the end; in one burst or many, with resets and without."""
    item = sent(board, biased, size, **options)
    wrong, left = wrong_draws(item, biased)
    assert len(wrong) > 5
    expected = {kind.COIN: len(wrong)} | ({kind.LOST: left} if left else {})
    assert dict(board.faults.counts) == expected
    cycle, wire = wrong[0]
    number = int(item.plan.number[cycle])
    word, e = int(WORDS[number, wire]), GUESSES[number]
    output = board.faults.examples[kind.COIN][0]
    assert output.startswith(f"cycle {cycle} source processor {wire}: ")
    assert (
        f"draw {number} is {word:#010x}, modulo the guess 2^{e} that is {word % 2**e}, " in output
    )


@pytest.mark.parametrize(
    ("toss", "cause"),
    [
        (guess_stays, "; as they all do with a guess of 2^5"),
        (shares, "; so it would with the draws of wire 2"),
        (stands_still, "; as if its generator stood still"),
        (biased, " waiting"),
    ],
)
def test_the_cause_is_told_if_one_explains_all(
    toss: Toss, cause: str, board: SerialScoreboard
) -> None:
    item = queues()
    board.announce(item)
    board.write(seen(item, toss))
    first, *others = board.faults.examples[kind.COIN]
    assert first.endswith(cause)
    assert all(output.endswith(" waiting") for output in others)
    found = board.faults.counts
    assert found.keys() <= {kind.COIN, kind.LOST} and found[kind.LOST] == wrong_draws(item, toss)[1]


def test_a_faulty_network_is_told_from_faulty_senders(board: SerialScoreboard) -> None:
    """A flipped bit is a flipped bit, from any sender."""
    item = queues()
    board.announce(item)
    whole = seen(item, biased)
    cycle = int(np.flatnonzero(whole.arrived.any(axis=1))[-1])
    whole.data[cycle, 0] ^= 1 << 9
    board.write(whole)
    assert board.faults.counts[kind.CORRUPTED] == 1
    assert set(board.faults.counts) <= {kind.COIN, kind.CORRUPTED, kind.LOST}
