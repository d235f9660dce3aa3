"""Proofs over one round of a counter."""

import time

import pytest

from fattree_prover.btor import parse
from fattree_prover.counters import ALWAYS, Counter, counters
from fattree_prover.equivalence import EQUIVALENT, UNDECIDED, compare
from fattree_prover.hints import NONE
from fattree_prover.pair import Pair
from fattree_prover.relation import Relation

SLOTS = 20  # clocks of a round: longer than any search or induction looks


# A counter, and a word that is taken in at its 0 and kept.
COUNTER = f"""
1 sort bitvec 1
2 sort bitvec 5
3 input 1 rst
4 input 2 word
5 state 2 tick
6 state 2 kept
7 zero 2
8 one 2
9 constd 2 {SLOTS - 1}
10 eq 1 5 9
11 eq 1 5 7
12 or 1 3 10
13 add 2 5 8
14 ite 2 12 7 13
15 next 2 5 14
"""
# It is seen in the last clock.
SOUND = f"""{COUNTER}
16 ite 2 11 4 6
17 next 2 6 16
18 or 2 6 7
19 ite 2 10 18 7
20 output 19 seen
"""


def checked(mutant: str) -> tuple[str, str]:
    found = compare(parse(SOUND), parse(mutant), 60)
    return found.what, found.how


def test_counters() -> None:
    """What counts by itself, and how long; not what waits for something else."""
    tick = (("tick",), tuple(f"{clock:05b}" for clock in range(SLOTS)))
    longer = (("tick",), tuple(f"{clock:05b}" for clock in range(32)))
    # A phase that turns when the counter is 0: only the two together count.
    phase = "40 state 1 phase\n41 zero 1\n42 xor 1 40 11\n43 ite 1 3 41 42\n44 next 1 40 43\n"
    turns = [f"{clock % SLOTS:05b}{(clock - 1) // SLOTS % 2 ^ 1:b}" for clock in range(2 * SLOTS)]
    for text, expected in {
        SOUND: [tick],
        SOUND.replace("13 add 2 5 8", "13 add 2 5 6"): [],
        SOUND.replace("12 or 1 3 10", "12 or 1 3 3"): [longer],
        SOUND.replace("14 ite 2 12 7 13", "14 ite 2 10 7 13"): [],
        SOUND + phase: [tick, (("phase", "tick"), tuple(turns))],
    }.items():
        assert counters(parse(text)) == [Counter(*each) for each in expected]


def test_wrong_only_where_nobody_looks() -> None:
    """A word that is wrong in all clocks but the last one: nothing shorter than a round sees it."""
    wrong = "ite 2 11 40 6"  # taken in inverted, and put right one clock before the last
    right = f"30 constd 2 {SLOTS - 2}\n31 eq 1 5 30\n40 not 2 4\n41 not 2 6\n"
    mutant = SOUND.replace("16 ite 2 11 4 6", f"{right}42 {wrong}\n43 ite 2 31 41 42").replace(
        "17 next 2 6 16", "17 next 2 6 43"
    )
    what, how = checked(mutant)
    assert (what, how) == (EQUIVALENT, f"one round of tick, {SLOTS} clocks")


def test_what_differs_where_a_round_begins() -> None:
    """A word that a reset leaves as it was: it is taken in again before it is read."""
    mutant = SOUND.replace("17 next 2 6 16", "40 ite 2 3 6 16\n41 next 2 6 40")
    assert checked(mutant)[0] == EQUIVALENT


@pytest.mark.parametrize("from_clock", [0, 5])
def test_wrong_where_somebody_looks(from_clock: int) -> None:
    """The same, but not put right: no proof; a search for so many clocks finds nothing, either."""
    at = f"9 constd 2 {SLOTS - 1}\n30 constd 2 {from_clock}\n31 eq 1 5 30\n"
    mutant = SOUND.replace("17 next 2 6 16", f"{at}40 not 2 16\n41 ite 2 31 40 16\n42 next 2 6 41")
    assert checked(mutant)[0] == UNDECIDED


# It is seen where the next round begins, but not in the first one; q: the register, or inverted.
LATE = f"""{COUNTER}
16 ite 2 11 4 {{q}}
17 next 2 6 16
18 state 1 begun
19 zero 1
20 or 1 10 18
21 ite 1 3 19 20
22 next 1 18 21
23 and 1 11 18
24 ite 2 23 {{q}} 7
25 output 24 seen
"""


def test_always_the_inverse() -> None:
    """A register that is read inverted and kept so: after an odd number of clocks it is right."""
    found = compare(parse(LATE.format(q=6)), parse(LATE.format(q=-6)), 60)
    assert (found.what, found.how) == (EQUIVALENT, f"one round of tick, {SLOTS} clocks")
    even = LATE.replace(f"9 constd 2 {SLOTS - 1}", f"9 constd 2 {SLOTS}")
    found = compare(parse(even.format(q=6)), parse(even.format(q=-6)), 60)
    assert found.what == UNDECIDED


@pytest.mark.parametrize(("put_right", "holds"), [(SLOTS - 2, False), (0, True)])
def test_what_a_reset_in_a_round_leaves_wrong(put_right: int, holds: bool) -> None:
    """A word that is wrong until late in a round is seen where the next begins: a reset shows it.

    Put right in the clock in which it is taken in, it is never wrong.
    """
    sound = f"{COUNTER}\n16 ite 2 11 4 6\n17 next 2 6 16\n18 ite 2 11 6 7\n19 output 18 seen\n"
    wrong = f"16 constd 2 {put_right}\n17 eq 1 5 16\n18 not 2 4\n19 ite 2 11 18 6\n"
    right = "20 not 2 19\n21 ite 2 17 20 19\n22 next 2 6 21\n23 ite 2 11 6 7\n24 output 23 seen\n"
    mutant = f"{COUNTER}\n{wrong}{right}"
    pair = Pair(parse(sound), parse(mutant), time.process_time() + 60, NONE)
    relation = Relation(pair, pair.state("free"), False, counters(pair.sound)[0])
    assert relation.holds() == holds


def test_what_must_be_inverted_was_equal_after_the_first_reset() -> None:
    """A register that is inverted from its first load on, and read inverted: wrong before that.

    A reset within a round leaves it inverted, the first one equal: neither may be forgotten.
    """
    sound = f"""{COUNTER}
16 not 1 3
17 and 1 11 16
18 state 2 old
19 ite 2 17 {{word}} 6
20 next 2 6 19
21 ite 2 17 {{kept}} 18
22 next 2 18 21
23 ite 2 10 18 7
24 output 23 seen
"""
    one, other = (parse(sound.format(word=w, kept=k)) for w, k in ((4, 6), (-4, -6)))
    pair = Pair(one, other, time.process_time() + 60, NONE)
    assert not Relation(pair, pair.state("free"), False, counters(one)[0]).holds()


def test_what_comes_in_during_a_reset_is_not_what_comes_after_it() -> None:
    """A word that is taken in by a reset, in the mutant inverted, and compared with the next one.

    Only where the two words are the same does the inversion not show.
    """
    sound = f"""{COUNTER}
16 ite 2 3 {{word}} 7
17 next 2 6 16
18 constd 2 7
19 eq 1 6 4
20 eq 1 6 -4
21 eq 1 6 18
22 or 1 19 20
23 or 1 22 21
24 and 1 11 23
25 output 24 seen
"""
    one, other = (parse(sound.format(word=word)) for word in (4, -4))
    pair = Pair(one, other, time.process_time() + 60, NONE)
    for counter in (ALWAYS, *counters(one)):
        assert not Relation(pair, pair.state("free"), False, counter).holds()
