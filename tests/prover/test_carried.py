"""Lists of hops in registers and memories: what is found is what a long simulation sees."""

import math
import random
import time
from pathlib import Path
from typing import Any

import pytest

from fattree_prover import known
from fattree_prover.btor import parse
from fattree_prover.carried import Carried
from fattree_prover.counters import ALWAYS
from fattree_prover.equivalence import CONTRACT, DIFFERENT, EQUIVALENT, Finding, compare
from fattree_prover.hints import Hints
from fattree_prover.pair import OutOfTime, Pair
from fattree_prover.relation import Relation

# A flit is a data bit, the marks of tail and head, two hops.  It passes registers a and b, which
# both add a hop 1 to heads, into the next word of a memory; both_q: word 0 is written.
STAGES = """
1 sort bitvec 1
2 sort bitvec 5
3 sort bitvec 2
4 sort bitvec 3
5 sort array 1 2
6 input 1 rst
7 input 1 valid
8 input 2 flit
10 state 1 u_a.valid_q
11 state 2 u_a.flit_q
12 state 1 u_b.valid_q
13 state 2 u_b.flit_q
14 state 1 u_c.write_q
15 state 1 u_c.both_q
16 state 5 u_c.ring
17 zero 1
18 one 1
20 slice 1 8 2 2
21 slice 1 8 3 3
22 concat 3 21 18
23 slice 3 8 4 3
24 ite 3 20 22 23
25 slice 4 8 2 0
26 concat 2 24 25
27 ite 2 7 26 11
28 next 2 11 27
29 ite 1 6 17 7
30 next 1 10 29
40 slice 1 11 2 2
41 slice 1 11 3 3
42 concat 3 41 18
43 slice 3 11 4 3
44 ite 3 40 42 43
45 slice 1 11 {hop} {hop}
46 not 1 40
47 and 1 45 {marked}
48 slice 1 11 0 0
49 xor 1 48 {data}
50 slice 3 11 2 1
51 concat 4 50 49
52 concat 2 44 51
53 ite 2 10 52 13
54 next 2 13 53
55 ite 1 6 17 10
56 next 1 12 55
60 write 5 16 14 13
61 ite 5 12 60 16
62 next 5 16 61
63 xor 1 14 12
64 ite 1 6 17 63
65 next 1 14 64
66 not 1 14
67 and 1 12 66
68 or 1 15 67
69 ite 1 6 17 68
70 next 1 15 69
71 read 2 16 18
75 and 1 15 66
76 zero 2
77 ite 2 75 71 76
72 output 77 word_o
73 output 13 flit_o
74 output 12 valid_o
"""
# Without a reset no flit comes with hops.
RULE = """
80 zero 3
81 eq 1 23 80
82 not 1 7
83 or 1 81 82
84 or 1 83 6
85 constraint 84
"""
HEADS_HOP = Hints((("flit_o", "valid_o"),), width=5, low=3)
HEADS, BODIES = 40, 46  # lines that say so of what is in a
Patterns = dict[tuple[str, int], dict[str, str]]


def net(hop: int = 3, marked: int = BODIES, data: int = 17, rule: str = RULE) -> str:
    """`data` = 47: between a and b the data bit is inverted by a hop, 3 or 4, of what is marked."""
    return STAGES.format(hop=hop, marked=marked, data=data) + rule


def found(text: str) -> list[Carried]:
    made = known.find(parse(text), 60.0, HEADS_HOP)
    return [each for each in made if isinstance(each, Carried)]


def patterns(places: list[Carried]) -> Patterns:
    return {(each.name, each.place): dict(each.patterns) for each in places}


def passed(flit: int) -> int:
    """A flit behind a register: heads have one hop more."""
    hops = flit >> 3
    return (((hops << 1 | 1) & 3) if flit & 4 else hops) << 3 | flit & 7


def simulated(clocks: int, seed: int, rule: bool) -> Patterns:
    """By place and control: bits of hops that were always the same; a reset leaves anything."""
    print(f"seed {seed}")
    draw = random.Random(seed)
    seen: Patterns = {}
    a, b, ring = draw.randrange(32), draw.randrange(32), [draw.randrange(32), draw.randrange(32)]
    valid_a = valid_b = write = both = 0
    for clock in range(clocks):
        if clock:
            for name, place, flit, beside in (
                ("u_a.flit_q", -1, a, f"{valid_a}"),
                ("u_b.flit_q", -1, b, f"{valid_b}"),
                ("u_c.ring", 0, ring[0], f"{write}{both}"),
                ("u_c.ring", 1, ring[1], f"{write}{both}"),
            ):
                of = seen.setdefault((name, place), {})
                key, hops = f"{beside}{flit >> 2 & 1}", f"{flit >> 3:02b}"
                old = of.get(key, hops)
                of[key] = "".join(x if x == y else "-" for x, y in zip(old, hops, strict=True))
        rst, valid, flit = not clock or draw.random() < 0.2, draw.random() < 0.5, draw.randrange(32)
        flit &= 7 if rule and not rst else 31
        if valid_b:
            ring[write] = b
        both, write = both | (valid_b & ~write & 1), write ^ valid_b
        b = passed(a) if valid_a else b
        a = passed(flit) if valid else a
        valid_a, valid_b = int(valid), valid_a
        if rst:
            valid_a = valid_b = write = both = 0
            a, b, *ring = (draw.randrange(32) for _ in range(4))
    return seen


def test_it_finds_what_a_long_simulation_sees() -> None:
    """Heads have 01 in a and 11 in b, others 00; a word not written since a reset has anything."""
    places = patterns(found(net()))
    assert places == simulated(20_000, 1, rule=True)
    assert places["u_a.flit_q", -1] == {"00": "--", "01": "--", "10": "00", "11": "01"}
    assert places["u_b.flit_q", -1]["11"] == "11"


def test_without_the_rule_nothing_is_known_of_what_comes_in() -> None:
    places = patterns(found(net(rule="")))
    assert places == simulated(20_000, 2, rule=False)
    assert places["u_a.flit_q", -1] == {"00": "--", "01": "--", "10": "--", "11": "-1"}


def test_a_fault_that_a_hop_would_show() -> None:
    """Data is inverted by a hop: the upper one of a, or the lower of a body, is never there."""

    def of(hop: int, marked: int, rule: str = RULE) -> Finding:
        sound, mutant = parse(net(rule=rule)), parse(net(hop, marked, 47, rule))
        told = known.find(sound, 60.0, HEADS_HOP)
        return compare(sound, mutant, 20.0, HEADS_HOP, told)

    for hop, marked in ((4, HEADS), (4, BODIES), (3, BODIES)):
        assert of(hop, marked).what == CONTRACT
        assert of(hop, marked, rule="").what == DIFFERENT
    assert of(3, HEADS).what == DIFFERENT  # a has noted itself there


def test_what_stands_where_no_flit_is() -> None:
    """a loads what comes in, valid or not: no output shows it, unless b takes it unseen."""
    loads = net().replace("27 ite 2 7 26 11", "27 ite 2 7 26 8")
    sound = parse(net())
    told = known.find(sound, 60.0, HEADS_HOP)
    found = compare(sound, parse(loads), 20.0, HEADS_HOP, told)
    assert (found.what, found.how) == (EQUIVALENT, "a relation: 1 bits or words may differ")
    seen = loads.replace("53 ite 2 10 52 13", "53 ite 2 18 52 13").replace("12 55", "12 18")
    assert compare(sound, parse(seen), 20.0, HEADS_HOP, told).what == DIFFERENT


def related(mutant: str) -> Relation:
    sound = parse(net())
    told = known.find(sound, 60.0, HEADS_HOP)
    pair = Pair(sound, parse(mutant), time.process_time() + 60, HEADS_HOP, told)
    return Relation(pair, pair.state("free"), contract=True, counter=ALWAYS)


def test_an_empty_place_differs_under_all_its_values_at_once() -> None:
    """Word 1 is written without a flit; what is in it is shown only when one is."""
    relation = related(net().replace("61 ite 5 12 60 16", "61 ite 5 18 60 16"))
    assert relation.holds()
    way = relation.loose[False]["u_c.ring", 1]
    assert way.empty == {"00", "11"}  # both_q, write_q: after a reset, and where it comes next
    assert (way.bits, way.when) == ("00000", frozenset())


def test_hops_of_bodies_differ_apart_from_all_else() -> None:
    """Other hops of bodies come into a; those of heads, and all else, are the same everywhere."""
    relation = related(net().replace("23 slice 3 8 4 3", "23 slice 3 8 1 0"))
    relation.pair.sound.outputs.pop("word_o")  # not a link: it shows hops of bodies as well
    assert relation.holds()
    for place in (("u_a.flit_q", 0), ("u_b.flit_q", 0), ("u_c.ring", 1)):
        way = relation.loose[False][place]
        assert (way.bodies, way.bits) == ("11000", "00000")


def test_a_relation_goes_on_where_its_time_ran_out(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = net().replace("61 ite 5 12 60 16", "61 ite 5 18 60 16")
    asked = 0
    last: float = math.inf
    answer = Pair.answer

    def counted(self: Pair, *questions: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked > last:
            raise OutOfTime
        return answer(self, *questions)

    monkeypatch.setattr(Pair, "answer", counted)
    assert related(loads).holds()
    whole, asked, relation = asked, 0, related(loads)
    last = whole - 1
    with pytest.raises(OutOfTime):
        relation.holds()
    asked, last = 0, math.inf
    assert relation.holds()
    assert asked < whole


def test_too_late() -> None:
    """Without time nothing is said of any place."""
    assert not [x for x in known.find(parse(net()), 0.0, HEADS_HOP) if isinstance(x, Carried)]


def test_it_is_kept(tmp_path: Path) -> None:
    made = known.find(parse(net()), 60.0, HEADS_HOP)
    known.write(tmp_path / "known.json", made)
    assert known.read(tmp_path / "known.json") == made
