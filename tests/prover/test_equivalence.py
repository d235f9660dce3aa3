"""Proofs of equivalence on netlists of a few lines, written by hand."""

from dataclasses import asdict

import pytest

from fattree_prover.btor import NOWHERE, System, parse, rename_lost
from fattree_prover.equivalence import CONTRACT, DIFFERENT, EQUIVALENT, UNDECIDED, Finding, compare
from fattree_prover.hints import Hints

LINKS = (("link_word_o", "link_valid_o"), ("flit_o", "valid_o"))
ONE_VALID_BIT = Hints(LINKS)
ALL_MATTER = Hints(LINKS, width=4)
HEADS_HOP = Hints(LINKS, width=4, low=3)

HEAD = """
1 sort bitvec 1
2 sort bitvec 8
3 input 1 rst
4 input 2 d
5 zero 2
6 zero 1
7 one 1
"""
# A register that is cleared, and its output.
REGISTER = """
50 state 2 q
51 ite 2 3 5 {d}
52 next 2 50 51
53 output 50 q_o
"""


def check(sound: str, mutant: str, seconds: float = 20.0) -> Finding:
    return compare(parse(HEAD + sound), parse(HEAD + mutant), seconds)


def test_dead_logic() -> None:
    """A fault that nothing looks at."""
    dead = "20 not 2 4\n21 and 2 20 4\n"
    found = check(dead + REGISTER.format(d=4), REGISTER.format(d=4))
    assert found.what == EQUIVALENT
    assert found.how == "nothing depends on it"


def test_a_register_that_nobody_looks_at() -> None:
    """A chain of two of them; once an output looks at the last, the fault is seen."""
    chain = """
10 state 2 first
11 next 2 10 {d}
12 state 2 second
13 next 2 12 10
14 output {seen} q_o
"""
    other = "20 not 2 4\n"
    found = check(other + chain.format(d=4, seen=4), other + chain.format(d=20, seen=4))
    assert (found.what, found.how) == (EQUIVALENT, "nothing depends on it")
    found = check(other + chain.format(d=4, seen=12), other + chain.format(d=20, seen=12))
    assert (found.what, found.how) == (DIFFERENT, "q_o 2 clocks after reset")
    # A fault that looks at such a register makes it count.
    toggles = "21 not 2 12\n" + chain.replace("next 2 12 10", "next 2 12 {d}")
    assert check(toggles.format(d=21, seen=4), toggles.format(d=21, seen=12)).what == DIFFERENT


def test_other_gates_for_the_same() -> None:
    """-(not d) - 1 is d: true in any state."""
    other = "20 not 2 4\n21 neg 2 20\n22 one 2\n23 sub 2 21 22\n"
    found = check(REGISTER.format(d=4), other + REGISTER.format(d=23))
    assert (found.what, found.how) == (EQUIVALENT, "one step")


def test_looks_alike_but_differs_in_one_input() -> None:
    """An output that is wrong for one value of 256 is distinguished, with that value."""
    planted = "20 const 2 10100101\n21 eq 1 4 20\n22 uext 2 21 7\n23 xor 2 4 22\n"
    found = check(REGISTER.format(d=4), planted + REGISTER.format(d=23))
    assert found.what == DIFFERENT
    assert found.how == "q_o 2 clocks after reset"
    assert [row["rst"] for row in found.inputs] == ["0x1", "0x0", found.inputs[2]["rst"]]
    assert found.inputs[1]["d"] == "0xa5"


def test_only_out_of_reach() -> None:
    """What the upper bits of a toggle do when they are set is never seen."""
    toggle = """
10 state 2 q
11 one 2
13 and 2 4 11
14 xor 2 10 13
20 slice 1 10 7 7
21 ite 2 20 5 14
30 ite 2 3 5 {other}
31 next 2 10 30
32 output 10 q_o
"""
    found = check(toggle.format(other=14), toggle.format(other=21))
    assert (found.what, found.how) == (EQUIVALENT, "induction over 2 clocks")


def test_a_register_that_does_not_matter() -> None:
    """Data behind a valid bit of 0 may be anything: it is not read."""
    lane = """
8 input 1 valid
{mask}
20 state 1 valid_q
21 state 2 data_q
22 ite 1 3 6 8
23 next 1 20 22
24 next 2 21 {data}
25 ite 2 20 21 5
26 output 25 data_o
"""
    masked = lane.format(mask="9 ite 2 8 4 5", data=9)
    found = check(masked, lane.format(mask="", data=4))
    assert found.what == EQUIVALENT
    assert found.how == "a relation: 1 bits or words may differ"
    # The other way round it matters: the output is not masked any more.
    shown = masked.replace("25 ite 2 20 21 5", "25 ite 2 7 21 5")
    assert check(shown, lane.format(mask="", data=4).replace("ite 2 20 21", "ite 2 7 21")).what == (
        DIFFERENT
    )


# A queue of two places, one of them free: a flit is forgotten only when it leaves the front.
QUEUE = """
8 input 1 valid
9 sort array 1 2
10 state 9 u_queue.ring
11 state 1 u_queue.write_q
12 state 1 u_queue.held_q
14 write 9 10 11 4
16 ite 1 8 8 12
17 ite 1 3 6 16
18 next 1 12 17
19 xor 1 11 8
20 ite 1 3 6 19
21 next 1 11 20
22 not 1 11
23 read 2 10 22
24 ite 2 12 23 5
25 output 24 front_o
30 write 9 10 11 5
31 ite 9 8 14 {kept}
32 next 9 10 31
"""
# A bit next to it that anything may be in.
FLAG = """
13 state 1 u_queue.flag_q
26 slice 1 4 0 0
27 ite 1 3 6 26
28 next 1 13 27
29 output 13 flag_o
"""


def test_what_a_queue_holds_without_a_flit_in_it() -> None:
    found = check(QUEUE.format(kept=10), QUEUE.format(kept=30))
    assert found.what == EQUIVALENT
    assert found.how.startswith("a relation: ")
    # To write where the front is does matter.
    other = QUEUE.replace("30 write 9 10 11 5", "30 write 9 10 22 5")
    assert check(QUEUE.format(kept=10), other.format(kept=30)).what == DIFFERENT


def test_a_free_place_under_more_values_than_four() -> None:
    """Place 0 is free under six of the eight values of three control bits."""
    found = check(FLAG + QUEUE.format(kept=10), FLAG + QUEUE.format(kept=30))
    assert (found.what, found.how) == (EQUIVALENT, "a relation: 2 bits or words may differ")


def test_a_free_place_under_more_values_than_seven() -> None:
    """It is free under twelve of the sixteen values of four bits, as in a queue of four."""
    more = FLAG.replace("flag", "other")
    for old, new in (("13", "43"), ("26", "46"), ("27", "47"), ("28", "48"), ("29", "49")):
        more = more.replace(f"{old} ", f"{new} ").replace(f" {old}\n", f" {new}\n")
    more = more.replace("slice 1 4 0 0", "slice 1 4 1 1")
    found = check(FLAG + more + QUEUE.format(kept=10), FLAG + more + QUEUE.format(kept=30))
    assert (found.what, found.how) == (EQUIVALENT, "a relation: 2 bits or words may differ")


# Two places of a flit: hops, head, tail, data. A head gets another hop on its way to the second.
STAGES = """
1 sort bitvec 1
2 sort bitvec 4
3 sort bitvec 3
4 input 1 rst
5 input 1 go
6 input 1 valid
7 input 2 flit
8 state 2 u_a.flit_q
9 state 1 u_a.valid_q
10 state 2 u_b.flit_q
11 state 1 u_b.valid_q
12 not 1 4
13 ite 1 5 6 9
14 and 1 12 13
15 next 1 9 14
16 ite 1 5 9 11
17 and 1 12 16
18 const 2 {inverts}
19 xor 2 7 18
20 ite 2 5 19 8
21 next 2 8 20
22 slice 1 8 2 2
23 slice 3 8 2 0
24 one 1
25 concat 2 24 23
26 ite 2 {heads} 25 8
27 ite 2 5 26 10
28 next 2 10 27
29 next 1 11 17
30 output 10 flit_o
31 output 11 valid_o
"""


def test_a_flit_differs_by_its_marks() -> None:
    """The hop is inverted in the first place: heads lose it there, of others no output shows it."""

    def found(heads: int) -> Finding:
        sound, mutant = (parse(STAGES.format(inverts=i, heads=heads)) for i in ("0000", "1000"))
        return compare(sound, mutant, 20.0, HEADS_HOP)

    assert (found(22).what, found(22).how) == (EQUIVALENT, "a relation: 2 bits or words may differ")
    never = found(4)  # only in a reset
    assert never.what == DIFFERENT


def test_a_rule_of_the_sound_network_is_given() -> None:
    """With d below 128, that the highest bit is stuck shows nowhere; without the rule, it does."""
    rule = "20 slice 1 4 7 7\n21 not 1 20\n{given}"
    stuck = "22 const 2 01111111\n23 and 2 4 22\n" + REGISTER.format(d=23)
    given = rule.format(given="24 constraint 21\n") + REGISTER.format(d=4)
    assert check(given, stuck).what == CONTRACT
    assert check(rule.format(given="") + REGISTER.format(d=4), stuck).what == DIFFERENT
    # What the mutant says is not promised.
    assert check(REGISTER.format(d=4), "30 const 1 0\n31 constraint 30\n" + stuck).what == DIFFERENT


@pytest.mark.parametrize(
    ("bits", "valid", "hints", "what"),
    [
        ("00000001", "01", ONE_VALID_BIT, DIFFERENT),
        ("00000001", "10", ONE_VALID_BIT, EQUIVALENT),  # the lower link is idle
        ("00010000", "01", ONE_VALID_BIT, EQUIVALENT),
        ("01000000", "0100", ALL_MATTER, DIFFERENT),  # two valid bits per link
        ("01000000", "0011", ALL_MATTER, EQUIVALENT),
        ("00001000", "11", ALL_MATTER, DIFFERENT),
        ("00000001", "11", HEADS_HOP, DIFFERENT),  # data
        ("00000010", "11", HEADS_HOP, DIFFERENT),  # tail
        ("00001000", "11", HEADS_HOP, EQUIVALENT),  # the hop of a flit that is not a head
        ("10000000", "11", HEADS_HOP, DIFFERENT),  # of one that may be a head
        ("00000001", "10", Hints(), DIFFERENT),
    ],
)
def test_only_words_on_busy_links_count(bits: str, valid: str, hints: Hints, what: str) -> None:
    """Two links with words of four bits: data, tail, head, hop."""
    ports = f"""
8 sort bitvec {len(valid)}
9 const 8 {valid}
10 output 9 link_valid_o
11 const 2 11111011
12 and 2 4 11
13 const 2 {bits}
14 xor 2 12 13
15 output {{word}} link_word_o
"""
    sound, mutant = (parse(HEAD + ports.format(word=k)) for k in (12, 14))
    assert compare(sound, mutant, 20.0, hints).what == what


def test_a_counter_far_away() -> None:
    """Bit 7 of a counter stuck at 0: 128 clocks are too far for a search, and it is not equal."""
    counter = """
8 one 2
9 const 2 01111111
10 state 2 q
11 add 2 10 8
12 and 2 11 {kept}
13 ite 2 3 5 {next}
14 next 2 10 13
15 output 10 q_o
"""
    found = check(counter.format(kept=9, next=11), counter.format(kept=9, next=12))
    assert found.what == UNDECIDED
    assert "12 clocks" in found.how


def test_memories_are_compared_as_a_whole() -> None:
    """A write to another place is distinguished by what is read there."""
    memory = """
8 input 1 at
9 sort array 1 2
10 state 9 memory
11 write 9 10 8 4
12 next 9 10 {written}
13 read 2 10 8
14 output 13 q_o
"""
    sound = memory.format(written=11)
    assert check(sound, sound).what == EQUIVALENT
    other = sound.replace("11 write 9 10 8 4", "11 write 9 10 -8 4")
    assert check(sound, other).what == DIFFERENT


# 32 words of 8 bits; what is read goes through a mask to an output.  Bit 0 of line 9 is stuck.
WORDS = """
8 constd 2 254
9 and 2 4 8
10 sort bitvec 5
11 sort array 10 2
12 input 10 at
13 state 11 words
14 write 11 13 12 {d}
15 next 11 13 14
16 state 10 where
17 next 10 16 12
18 read 2 13 16
19 constd 2 {mask}
20 and 2 18 19
21 output 20 q_o
"""
# Bit 0 is shown when a count of 32 clocks ends.
LATE = """
30 state 10 count
31 one 10
32 add 10 30 31
33 zero 10
34 ite 10 3 33 32
35 next 10 30 34
36 ones 10
37 eq 1 30 36
38 slice 1 18 0 0
39 and 1 37 38
40 output 39 late_o
"""


def test_a_bit_in_all_words_of_a_large_memory() -> None:
    """One that is not read may differ, and no other does; seen at all, or late, it counts."""
    found = check(WORDS.format(d=4, mask=254), WORDS.format(d=9, mask=254))
    assert (found.what, found.how) == (EQUIVALENT, "a relation: 1 bits or words may differ")
    found = check(WORDS.format(d=4, mask=1), WORDS.format(d=9, mask=1))
    assert found.what == DIFFERENT
    found = check(WORDS.format(d=4, mask=254) + LATE, WORDS.format(d=9, mask=254) + LATE)
    assert found.what == UNDECIDED


def test_no_time_is_no_proof() -> None:
    product = "20 mul 2 4 10\n21 mul 2 {a} {b}\n"
    one = _with(product.format(a=20, b=4))
    other = _with("20 mul 2 4 4\n21 mul 2 20 10\n")
    assert check(one, other, seconds=0.0).what == UNDECIDED
    assert check(one, other).what == EQUIVALENT


def _with(product: str) -> str:
    return f"10 state 2 q\n{product}22 next 2 10 21\n23 output 10 q_o\n"


def test_a_register_with_a_fault_gets_its_name_back() -> None:
    sound = parse(HEAD + REGISTER.format(d=4))
    nameless = HEAD + REGISTER.format(d=4).replace("state 2 q", "state 2")
    mutant = parse(nameless)
    rename_lost(mutant, sound)
    assert mutant.states == sound.states
    assert mutant.nexts == sound.nexts


def test_a_register_that_is_gone() -> None:
    """Stuck, it is a constant: distinguished where it matters, equivalent if it is 0 for ever."""
    idle = REGISTER.replace("{d}", "5")
    stuck = "53 output 5 q_o\n"
    assert check(REGISTER.format(d=4), stuck).what == DIFFERENT
    found = check(idle, stuck)
    assert (found.what, found.how) == (EQUIVALENT, "induction over 2 clocks")


THREE = """1 sort bitvec 1
2 sort bitvec 3
3 input 1 rst
4 input 2 a
5 state 2
6 state 2{name}
7 state 2
8 next 2 5 4
9 next 2 6 5
10 next 2 7 6
11 output 7 shown
"""


def test_registers_without_a_name_keep_their_order() -> None:
    """A register with a name stands between two without; its name is lost, or it is itself."""
    sound = parse(THREE.format(name=" q"))
    assert list(sound.states.items()) == [("state 0", 5), ("q", 6), ("state 1", 7)]
    mutant = parse(THREE.format(name=""))
    rename_lost(mutant, sound)
    assert (mutant.states, mutant.nexts) == (sound.states, sound.nexts)
    gone = THREE.format(name=" q").replace("6 state 2 q\n", "").replace("9 next 2 6 5\n", "")
    mutant = parse(gone.replace("10 next 2 7 6", "10 next 2 7 5"))
    rename_lost(mutant, sound)
    assert mutant.states == sound.states | {"q": NOWHERE}


def test_other_registers_are_refused() -> None:
    sound = parse(HEAD + REGISTER.format(d=4))
    one = parse(HEAD + "50 state 2 q\n60 state 2 r\n")
    for other, ours in ((sound, System(inputs=sound.inputs)), (System(inputs=one.inputs), one)):
        with pytest.raises(ValueError, match="other inputs or states"):
            rename_lost(other, ours)
    with pytest.raises(ValueError, match="other inputs or states"):
        rename_lost(System(inputs=one.inputs), one)
    with pytest.raises(ValueError, match="unsupported"):
        parse("1 sort bitvec 1\n2 input 1 a\n3 state 1 b\n4 init 1 3 2\n")


def test_findings_survive_json() -> None:
    found = Finding(DIFFERENT, "q_o", [{"d": "0x1"}], 0.5)
    assert Finding(**asdict(found)) == found
