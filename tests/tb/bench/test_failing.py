"""Where to look first: what faulty packets share, accounts that add up, when and where it began."""

import csv
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.astray import BY_CHANCE
from fattree_bench.bench.failing import COLUMNS, failure
from fattree_bench.bench.failure import Parcel, Place
from fattree_bench.bench.faults import Faults, Where
from fattree_bench.bench.ledger import DELIVERED, INSIDE, Ledger, Timing, balanced
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.suspects import ASTRAY, FLIPPED, Attribute, Suspects, flag, tail

PACKETS = 200
SOURCE = np.arange(PACKETS) % 10
LEVEL = np.arange(PACKETS) // 50


def attributes() -> list[Attribute]:
    return [
        Attribute("came from {}", SOURCE),
        Attribute("turned at level {}", LEVEL),
        Attribute("went {}", SOURCE % 2, ("left", "right")),
        Attribute("are odd", flag(SOURCE % 2 == 1)),
    ]


def shared(wrong: dict[int, tuple[str, int]]) -> tuple[str, list[tuple[str, int]]]:
    suspects = Suspects()
    suspects.item(PACKETS, attributes, wrong)
    name, traits = suspects.found()
    return name, [(trait.says, trait.value) for trait in traits]


def test_what_all_faulty_packets_share() -> None:
    """And no other trait: half of the sound ones are also odd."""
    wrong = {i: (kind.LOST, 0) for i in range(PACKETS) if SOURCE[i] == 3}
    name, traits = shared(wrong)
    assert (name, traits[0]) == ("", ("came from {}", 3))
    assert ("turned at level {}", 2) not in traits


def test_nearly_all_are_enough_and_few_are_not() -> None:
    level = [i for i in range(PACKETS) if LEVEL[i] == 2]
    most = {i: (kind.LOST, 0) for i in [*level, 0, 1, 2]}
    assert shared(most)[1] == [("turned at level {}", 2)]
    assert shared({i: (kind.LOST, 0) for i in (3, 13)})[1] == []  # chance can tell as much
    assert shared({i: (kind.LOST, 0) for i in range(0, PACKETS, 7)})[1] == []


def test_packets_of_one_kind_are_told_where_all_share_nothing() -> None:
    wrong = {i: (kind.MISDELIVERED, 4) for i in range(PACKETS) if LEVEL[i] == 1}
    wrong |= {i: (kind.LOST, 0) for i in range(100, PACKETS, 3)}
    name, traits = shared(wrong)
    assert name == kind.MISDELIVERED
    assert set(traits) == {("turned at level {}", 1), (ASTRAY, 4)}


def test_where_all_are_faulty_nothing_is_special() -> None:
    """But for where they went: no sound packet can share that."""
    assert shared({i: (kind.LOST, 0) for i in range(PACKETS)}) == ("", [])
    assert shared({i: (kind.MISDELIVERED, 2) for i in range(PACKETS)}) == ("", [(ASTRAY, 2)])


def test_sound_items_and_bits_that_flip() -> None:
    """An item of faulty packets alone is compared with those before it."""
    suspects = Suspects()
    suspects.sound(lambda: [Attribute("came from {}", SOURCE + 20)])
    few = [Attribute("came from {}", np.full(5, 3))]
    suspects.item(5, lambda: few, {i: (kind.CORRUPTED, 0) for i in range(5)})
    for mask in (0b1010, 0b1110):
        suspects.flip(mask)
    name, traits = suspects.found()
    assert name == kind.CORRUPTED
    perhaps = FLIPPED + BY_CHANCE
    assert [(t.says, t.value) for t in traits] == [(perhaps, 1), (perhaps, 3), ("came from {}", 3)]
    assert (traits[-1].of, traits[-1].among) == (5, PACKETS)
    for mask in (0b1010, 1 << 20 | 0b1010) * 5:
        suspects.flip(mask)
    assert [(t.says, t.value) for t in suspects.found()[1][:2]] == [(FLIPPED, 1), (FLIPPED, 3)]


def test_one_bit_that_flips_each_time_is_no_chance() -> None:
    suspects = Suspects()
    suspects.flip(1 << 3)
    suspects.flip(1 << 3)
    suspects.item(2, lambda: [], {0: (kind.CORRUPTED, 0), 1: (kind.CORRUPTED, 0)})
    assert [(t.says, t.value) for t in suspects.found()[1]] == [(FLIPPED, 3)]


def test_beside_what_only_faulty_packets_have_all_else_is_noise() -> None:
    """That all of them are odd says nothing new: they came from 3."""
    wrong = {i: (kind.LOST, 0) for i in range(PACKETS) if SOURCE[i] == 3}
    suspects = Suspects()
    rare = Attribute("are rare", flag((SOURCE == 3) | (LEVEL == 0)))
    suspects.item(PACKETS, lambda: [*attributes(), rare], wrong)
    _, traits = suspects.found()
    assert [(trait.says, trait.value) for trait in traits] == [("came from {}", 3)]


def test_places_where_nothing_was_sent_are_no_sound_packets() -> None:
    suspects = Suspects()
    suspects.item(PACKETS, attributes, {}, known=SOURCE < 2)
    suspects.item(5, lambda: [Attribute("came from {}", np.full(5, 3))], {0: (kind.LOST, 0)})
    suspects.found()
    assert suspects.healthy == PACKETS // 5 + 4


@pytest.mark.parametrize(("hits", "of", "share"), [(9, 10, 0.5), (40, 50, 0.6), (3, 3, 0.1)])
def test_chance_is_never_less_than_told(hits: int, of: int, share: float) -> None:
    rng = np.random.default_rng(1)
    seen = float((rng.binomial(of, share, 100_000) >= hits).mean())
    assert seen <= tail(hits, of, share) * 1.05 < 1.0


def test_accounts_add_up_whatever_is_moved() -> None:
    ledger = Ledger()
    ledger.move(1, DELIVERED, kind.LOST)
    ledger.again(1, kind.LATE)  # it came after all
    ledger.again(2, kind.LATE)  # no check had missed it
    ledger.move(3, "in conflicts", kind.UNPREDICTED)
    ledger.move(4, "", kind.EARLY)
    ledger.foresee(4, INSIDE)
    foreseen = {DELIVERED: 5, "in conflicts": 2, INSIDE: 1, "in a reset": 0}
    settled = ledger.settled(foreseen)
    assert settled == {
        **{DELIVERED: 4, kind.LATE: 1, "in conflicts": 1},
        **{kind.UNPREDICTED: 1, kind.EARLY: 1},
    }
    assert sum(settled.values()) == sum(foreseen.values())


def test_clocks_in_steps_of_the_simulation() -> None:
    timing = Timing()
    timing.note(0, 10, 4, 24)
    timing.note(10, 5, 24, 34)  # continues: one span
    timing.note(15, 4, 50, 90)
    assert [timing.step(clock) for clock in (0, 9, 14, 15, 18, 19)] == [4, 22, 32, 50, 80, None]
    timing.clear()
    assert timing.step(0) is None


def test_the_earliest_fault_and_a_line_each(tmp_path: Path) -> None:
    faults = Faults()
    faults.family = "x"
    late, early = (Where(t, Place("leaf", t), got=Parcel(t, 2, 5, "slot")) for t in (9, 7))
    faults.add(kind.COUNTERS, "no time")
    faults.add(kind.LATE, "later", where=late)
    faults.add(kind.MISDELIVERED, "earlier", where=early)
    faults.item = 1
    faults.add(kind.LOST, "of the next item", where=Where(0, expected=Parcel(9, 2, 0, "slot")))
    made = failure(faults, Suspects(), "frame", tmp_path)
    assert made.first is not None and (made.first.example, made.first.time) == ("earlier", 7)
    assert made.destinations == [(2, 3)]
    assert made.sources == [(7, 1), (9, 2)][::-1]
    with (tmp_path / made.packets).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert [row["fault"] for row in rows] == [kind.LATE, kind.MISDELIVERED, kind.LOST]
    assert (rows[1]["got_source"], rows[1]["place"], rows[1]["number"]) == ("7", "leaf", "7")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A run that was cut: the model foresaw more than there was time for.
        ({DELIVERED: 50, "lost": 141, INSIDE: -2}, {DELIVERED: 48, "lost": 141, INSIDE: 0}),
        (
            {DELIVERED: 1, "in conflicts": -3, "late": 9},
            {DELIVERED: 0, "in conflicts": 0, "late": 7},
        ),
        ({DELIVERED: 5, INSIDE: 0}, {DELIVERED: 5, INSIDE: 0}),
    ],
)
def test_no_account_is_negative(before: dict[str, int], after: dict[str, int]) -> None:
    made = balanced(before, {"lost", "late"})
    assert made == after and sum(made.values()) == sum(before.values())


def test_more_came_than_was_sent() -> None:
    """Of a result without accounts: duplicates are not still inside."""
    ends = ScenarioResult("frame", {"duplicated": 2}, sent=8, delivered=10).ends
    assert ends == {DELIVERED: 10}


def test_a_packet_with_two_faults_is_one_packet() -> None:
    faults = Faults()
    for number in (1, 2):
        where = Where(number, expected=Parcel(3, number, number, "slot"))
        faults.add(kind.LOST, "", where=where)
        faults.add(kind.LATE, "", where=where)
    made = failure(faults, Suspects(), "frame")
    assert (made.sources, made.destinations) == ([(3, 2)], [(1, 1), (2, 1)])
