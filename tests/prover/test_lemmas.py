"""What is always true of a netlist: found, proved, used for mutants; wrong claims are refused."""

from pathlib import Path

import pytest

from fattree_prover import known as known_of
from fattree_prover.btor import parse
from fattree_prover.equivalence import CONTRACT, DIFFERENT, EQUIVALENT, Finding, compare
from fattree_prover.lemmas import VALUES, Finder, Lemma, Vacuous, nested

HEAD = """
1 sort bitvec 1
2 sort bitvec 3
3 input 1 rst
4 input 1 go
5 const 2 001
6 zero 2
"""
# One bit is set, and moves on by one in each clock with go.
RING = """
10 state 2 ring
11 slice 1 10 2 2
12 sort bitvec 2
13 slice 12 10 1 0
14 concat 2 13 11
15 ite 2 4 14 10
40 ite 2 3 5 {next}
41 next 2 10 40
{shown}
"""
SHOWN = "42 output 10 ring_o"
ONE_HOT = {"001", "010", "100"}
# 0 where two bits are set, else the ring.
ODD = """
20 const 2 011
21 and 2 10 20
22 eq 1 21 20
23 ite 2 22 6 15
"""


def find(text: str) -> list[Lemma]:
    return Finder(parse(HEAD + text), 20.0).find()


def check(sound: str, mutant: str, *, learn: bool = True) -> Finding:
    netlist = parse(HEAD + sound)
    known = Finder(netlist, 20.0).find() if learn else []
    return compare(netlist, parse(HEAD + mutant), 20.0, lemmas=known)


def test_one_hot() -> None:
    (found,) = find(RING.format(next=15, shown=SHOWN))
    assert (found.names, set(found.values), found.ruled) == (("ring",), ONE_HOT, False)


def test_what_registers_of_an_instance_say_of_each_other() -> None:
    """A flag next to a counter of three bits: it is set if and only if that is not 0."""
    counter = """
10 state 2 u_queue.count
11 state 1 u_queue.some
12 one 2
13 add 2 10 12
14 ite 2 4 13 10
15 ite 2 3 6 14
16 next 2 10 15
17 redor 1 15
18 next 1 11 17
19 output 11 some_o
"""
    (found,) = find(counter)
    assert found.names == ("u_queue.some", "u_queue.count")
    assert set(found.values) == {f"{n:03b}{int(n > 0)}" for n in range(8)}


def test_only_what_the_rules_allow() -> None:
    """With the rule that go stays low, the ring stands."""
    rule = RING.format(next=15, shown=SHOWN) + "30 not 1 4\n31 constraint 30\n"
    free, ruled = find(rule)
    assert (set(free.values), free.ruled) == (ONE_HOT, False)
    assert (set(ruled.values), ruled.ruled) == ({"001"}, True)


def test_a_rule_of_other_registers_is_not_given_for_a_reset() -> None:
    """Each rule reads the reset; that it does brings a register no rules of others."""
    rule = "50 state 1 other\n51 next 1 50 4\n52 or 1 50 3\n53 constraint 52\n"
    finder = Finder(parse(HEAD + RING.format(next=15, shown=SHOWN) + rule), 20.0)
    assert finder.needed[52] == {"other", "rst"}
    assert finder.support(["ring"]) == {"ring", "go"}


# A port is taken in with go; in the next clock, unless there is a reset, it may not be above 1.
PORT = """
7 input 2 way
10 state 2 port
11 state 1 want
12 ite 2 4 7 10
13 ite 2 3 6 12
14 next 2 10 13
15 not 1 3
16 and 1 15 4
17 next 1 11 16
20 slice 1 10 0 0
21 slice 1 10 1 1
22 slice 1 10 2 2
23 or 1 21 22
24 and 1 23 11
25 not 1 24
26 or 1 25 3
"""
KEPT = "27 constraint 26\n"


def test_a_rule_of_the_next_clock() -> None:
    """What a rule refuses one clock later is never in a register, but in a clock of a reset."""
    shown = "30 and 1 15 20\n31 output 30 shown_o\n"
    above = "30 xor 1 20 23\n31 and 1 15 30\n32 output 31 shown_o\n"
    (ruled,) = (lemma for lemma in find(PORT + KEPT + shown) if lemma.ruled)
    assert ruled.names == ("want", "port")
    assert {value[:3] for value in ruled.values} == {"000", "001"}
    assert check(PORT + KEPT + shown, PORT + above).what == CONTRACT
    assert check(PORT + shown, PORT + above).what == DIFFERENT
    # Also shown in a clock of a reset, about which the rule says nothing.
    always = PORT + KEPT + "30 output 20 shown_o\n"
    assert check(always, PORT + "30 xor 1 20 23\n31 output 30 shown_o\n").what == DIFFERENT


def test_a_register_that_takes_too_many_values_has_no_lemma() -> None:
    wide = "7 sort bitvec 8\n8 zero 7\n9 one 7\n"
    wide += "10 state 7 q\n11 add 7 10 9\n12 ite 7 3 8 11\n13 next 7 10 12\n14 output 10 q_o\n"
    assert VALUES < 256
    assert not find(wide)


def test_registers_alone_where_together_they_take_too_many_values() -> None:
    """A ring of three places and five bits that may be anything."""
    ring = RING.format(next=15, shown=SHOWN).replace("state 2 ring", "state 2 u_a.ring")
    word = "60 sort bitvec 5\n61 input 60 any\n62 state 60 u_a.word\n63 zero 60\n"
    word += "64 ite 60 3 63 61\n65 next 60 62 64\n66 output 62 word_o\n"
    found = {lemma.names: set(lemma.values) for lemma in find(ring + word)}
    assert found[("u_a.ring",)] == ONE_HOT


# A sum of eight bits that is cleared where a round of five clocks ends.
ROUND = """
1 sort bitvec 1
2 sort bitvec 3
3 sort bitvec 8
4 input 1 rst
5 input 3 word
6 state 2 tick
7 state 3 sum
8 zero 2
9 one 2
10 constd 2 4
11 zero 3
12 eq 1 6 10
13 or 1 4 12
14 add 2 6 9
15 ite 2 13 8 14
16 next 2 6 15
17 add 3 7 5
18 ite 3 {clears} 11 17
19 next 3 7 18
20 eq 1 6 8
21 output {shown} shown_o
"""


def test_what_registers_are_where_a_round_begins() -> None:
    """A sum with too many values in between: 0 there; not where it is cleared by a reset alone."""
    known = Finder(parse(ROUND.format(clears=13, shown=7)), 20.0).find()
    begins = {lemma.names: lemma.values for lemma in known if lemma.begins == ("tick",)}
    assert begins == {("sum",): ("0" * 8,)}
    assert ("sum",) not in {lemma.names for lemma in known if not lemma.begins}
    known = Finder(parse(ROUND.format(clears=4, shown=7)), 20.0).find()
    assert not [lemma for lemma in known if lemma.begins]


def test_a_mutant_that_only_these_prove() -> None:
    """It shows 0 where a round begins, and the sum in the other clocks: that is the same there."""
    sound = parse(ROUND.format(clears=13, shown=7))
    mutant = parse(ROUND.format(clears=13, shown=22).replace("21 out", "22 ite 3 20 11 7\n23 out"))
    known = Finder(sound, 20.0).find()
    assert compare(sound, mutant, 20.0, lemmas=known).what == EQUIVALENT
    sound = parse(ROUND.format(clears=4, shown=7))
    mutant = parse(ROUND.format(clears=4, shown=22).replace("21 out", "22 ite 3 20 11 7\n23 out"))
    known = Finder(sound, 20.0).find()
    assert compare(sound, mutant, 20.0, lemmas=known).what == DIFFERENT


def test_no_time_no_lemma() -> None:
    assert not Finder(parse(HEAD + RING.format(next=15, shown=SHOWN)), -1.0).find()


def test_rules_that_leave_nothing_are_refused() -> None:
    """From no inputs at all everything would follow."""
    nothing = "30 not 1 4\n31 and 1 30 4\n32 constraint 31\n"
    with pytest.raises(Vacuous, match="no inputs"):
        find(RING.format(next=15, shown=SHOWN) + nothing)
    # Rules that can each be kept alone.
    apart = "30 not 1 4\n31 constraint 30\n32 constraint 4\n"
    with pytest.raises(Vacuous, match="no inputs"):
        find(RING.format(next=15, shown=SHOWN) + apart)


def test_a_mutant_that_differs_in_no_state_that_is_reached() -> None:
    sound = RING.format(next=15, shown=SHOWN)
    found = check(sound, ODD + RING.format(next=23, shown=SHOWN))
    assert (found.what, found.how) == (EQUIVALENT, "lemmas")


def test_the_first_reset_finds_any_state() -> None:
    """A reset that two bits in the ring keep away: lemmas hold behind it only."""
    sound = RING.format(next=15, shown=SHOWN)
    awake = sound.replace("40 ite 2 3 5", "24 not 1 22\n25 and 1 3 24\n40 ite 2 25 5")
    assert check(sound, ODD + awake).what == DIFFERENT


def test_only_inputs_against_the_contract_show_it() -> None:
    """A fault when go is high: with the rule that it stays low, in a column of its own."""
    rule = "30 not 1 4\n31 constraint 30\n"
    stays = RING.format(next=10, shown=SHOWN)
    sound = RING.format(next=15, shown=SHOWN)
    assert check(sound, stays).what == DIFFERENT
    found = check(rule + sound, stays)
    assert found.what == CONTRACT


def test_lemmas_are_kept(tmp_path: Path) -> None:
    known = find(RING.format(next=15, shown=SHOWN))
    known_of.write(tmp_path / "known.json", known)
    assert known_of.read(tmp_path / "known.json") == known


def test_a_register_of_too_many_values_does_not_hide_the_others() -> None:
    """A counter and two bits that are never both set: with it 192 values, without it three."""
    text = """
1 sort bitvec 1
2 sort bitvec 6
3 input 1 rst
4 input 1 go
5 state 2 u_a.count_q
6 state 1 u_a.one_q
7 state 1 u_a.two_q
8 one 2
9 add 2 5 8
10 zero 2
11 ite 2 3 10 9
12 next 2 5 11
13 zero 1
14 ite 1 3 13 4
15 next 1 6 14
16 not 1 4
17 ite 1 3 13 16
18 next 1 7 17
19 output 5 count_o
"""
    found = {x.names: set(x.values) for x in Finder(parse(text), 60.0).find()}
    assert found["u_a.one_q", "u_a.two_q"] == {"00", "01", "10"}
    assert not any("u_a.count_q" in names and len(names) > 1 for names in found)


def test_registers_of_a_port_and_of_its_queue() -> None:
    """Those of one bit, of the nearest instance around."""
    names = ["u_p.a_q", "u_p.wide_q", "u_p.gen[1].u_q.b_q", "u_p.gen[1].u_q.u_r.c_q", "u_x.d_q"]
    sizes = {name: 4 if "wide" in name else 1 for name in names}
    assert nested(sizes) == [(names[0], names[2]), (names[2], names[3])]
    assert nested({f"u_p.a{n}_q": 1 for n in range(8)} | {"u_p.u_q.b_q": 1}) == []
