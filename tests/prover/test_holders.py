"""Who holds what: sentences that are found are true in all states that a walk through them sees."""

from itertools import product
from pathlib import Path

import pytest

from fattree_prover import known
from fattree_prover.btor import parse
from fattree_prover.equivalence import EQUIVALENT, compare
from fattree_prover.hints import NONE
from fattree_prover.holders import Holders
from fattree_prover.lemmas import Lemma

# Two inputs ask for one of two outputs each, and hold it until they release it; input 0 goes first.
IN, OUT = "u_core.gen_in[{}].u_input.{}", "u_core.gen_out[{}].u_output.busy_q"


def net(polite: bool = True, seen: bool = False) -> str:
    """`polite`: input 1 looks what input 0 gets; `seen`: a bit shows that both hold the same."""
    lines = ["1 sort bitvec 1", "2 input 1 rst", "3 zero 1"]

    def line(text: str) -> int:
        lines.append(f"{len(lines) + 1} {text}")
        return len(lines)

    ask, which, release = ([line(f"input 1 {n}{i}") for i in (0, 1)] for n in ("a", "w", "r"))
    active = [line(f"state 1 {IN.format(i, 'active_q')}") for i in (0, 1)]
    port = [line(f"state 1 {IN.format(i, 'port_q')}") for i in (0, 1)]
    busy = [line(f"state 1 {OUT.format(o)}") for o in (0, 1)]
    grants: list[int] = []
    for i in (0, 1):
        taken = line(f"ite 1 {which[i]} {busy[1]} {busy[0]}")
        free = line(f"and 1 -{taken} -{active[i]}")
        grant = line(f"and 1 {ask[i]} {free}")
        if i and polite:
            same = line(f"xnor 1 {which[0]} {which[1]}")
            first = line(f"and 1 {grants[0]} {same}")
            grant = line(f"and 1 {grant} -{first}")
        grants.append(grant)
    for i in (0, 1):
        kept = line(f"and 1 {active[i]} -{release[i]}")
        after = line(f"or 1 {kept} {grants[i]}")
        cleared = line(f"ite 1 2 3 {after}")
        line(f"next 1 {active[i]} {cleared}")
        chosen = line(f"ite 1 {grants[i]} {which[i]} {port[i]}")
        cleared = line(f"ite 1 2 3 {chosen}")
        line(f"next 1 {port[i]} {cleared}")
    for o in (0, 1):
        value = busy[o]
        for i in (0, 1):
            this = line(f"and 1 {grants[i]} {'' if o else '-'}{which[i]}")
            value = line(f"or 1 {value} {this}")
        for i in (0, 1):
            left = line(f"and 1 {active[i]} {release[i]}")
            this = line(f"and 1 {left} {'' if o else '-'}{port[i]}")
            value = line(f"and 1 {value} -{this}")
        cleared = line(f"ite 1 2 3 {value}")
        line(f"next 1 {busy[o]} {cleared}")
        line(f"output {busy[o]} busy{o}_o")
    both = line(f"and 1 {active[0]} {active[1]}")
    same = line(f"xnor 1 {port[0]} {port[1]}")
    clash = line(f"and 1 {both} {same}")
    line(f"output {clash if seen else 3} clash_o")
    return "\n".join(lines) + "\n"


State = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]  # active, port, busy


def after(
    state: State,
    ask: tuple[int, ...],
    which: tuple[int, ...],
    release: tuple[int, ...],
    polite: bool,
) -> State:
    """A clock without a reset, as the sentence above says it."""
    active, port, busy = map(list, state)
    grants: list[int] = []
    for i in (0, 1):
        grant = ask[i] and not active[i] and not busy[which[i]]
        if i and polite and grants[0] and which[0] == which[1]:
            grant = 0
        grants.append(int(grant))
    for i in (0, 1):
        if grants[i]:
            busy[which[i]] = 1
    for i in (0, 1):
        if active[i] and release[i]:
            busy[port[i]], active[i] = 0, 0
        if grants[i]:
            active[i], port[i] = 1, which[i]
    return (active[0], active[1]), (port[0], port[1]), (busy[0], busy[1])


def reached(polite: bool) -> set[State]:
    found: set[State] = set()
    todo: list[State] = [((0, 0), (0, 0), (0, 0))]
    while todo:
        state = todo.pop()
        if state not in found:
            found.add(state)
            for bits in product((0, 1), repeat=6):
                todo.append(after(state, bits[:2], bits[2:4], bits[4:], polite))
    return found


def holders(text: str) -> list[Holders]:
    made = known.find(parse(text), 60.0, NONE)
    return [each for each in made if isinstance(each, Holders)]


def true(sentence: Holders, state: State) -> bool:
    """The same, read by hand."""
    names = {
        IN.format(i, n): state[k][i] for k, n in enumerate(("active_q", "port_q")) for i in (0, 1)
    }
    names |= {OUT.format(o): state[2][o] for o in (0, 1)}
    held = [names[b] for a, b in sentence.holders if names[a]]
    if not sentence.said:
        return len(held) == len(set(held))
    return all(names[sentence.said[o]] == int(sentence.value) for o in held)


ACTIVE = tuple((IN.format(i, "active_q"), IN.format(i, "port_q")) for i in (0, 1))
BUSY = tuple(OUT.format(o) for o in (0, 1))
ALONE, SAID = Holders(ACTIVE, (), "", False), Holders(ACTIVE, BUSY, "1", False)


def test_no_two_hold_the_same_and_what_is_held_is_busy() -> None:
    made = holders(net())
    assert {ALONE, SAID} <= set(made)
    states = reached(polite=True)
    assert len(states) > 10
    assert all(true(each, state) for each in made for state in states)


def test_two_that_are_given_the_same_are_seen() -> None:
    """Both get it in the same clock; when one leaves, the other holds what is said to be free."""
    assert not {ALONE, SAID} & set(holders(net(polite=False)))
    states = reached(polite=False)
    assert not all(true(ALONE, state) for state in states)
    assert not all(true(SAID, state) for state in states)


@pytest.mark.parametrize(("polite", "proved"), [(True, True), (False, False)])
def test_a_mutant_that_only_a_clash_would_show(polite: bool, proved: bool) -> None:
    sound, mutant = parse(net(polite)), parse(net(polite, seen=True))
    found = compare(sound, mutant, 20.0, lemmas=known.find(sound, 60.0, NONE))
    assert (found.what == EQUIVALENT) == proved


def test_no_time() -> None:
    made = known.find(parse(net()), 0.0, NONE)
    assert not [each for each in made if isinstance(each, Holders)]


def test_they_are_kept(tmp_path: Path) -> None:
    made = known.find(parse(net()), 60.0, NONE)
    known.write(tmp_path / "known.json", made)
    assert known.read(tmp_path / "known.json") == made


# Two that hold the same, whatever comes in, a clock after s_q, which is 0 where a round begins.
ROUNDS = f"""
1 sort bitvec 1
2 input 1 rst
3 zero 1
4 input 1 which
5 state 1 tick_q
6 not 1 5
7 ite 1 2 3 6
8 next 1 5 7
9 state 1 u_core.u_s.s_q
10 next 1 9 7
11 state 1 {IN.format(0, "active_q")}
12 state 1 {IN.format(1, "active_q")}
13 ite 1 2 3 9
14 next 1 11 13
15 next 1 12 13
16 state 1 {IN.format(0, "port_q")}
17 state 1 {IN.format(1, "port_q")}
18 ite 1 2 3 4
19 next 1 16 18
20 next 1 17 18
21 output 11 active_o
22 state 1 u_core.u_in.d_q
23 next 1 22 18
24 output 22 d_o
"""


def test_what_is_so_where_a_round_begins_is_not_taken_for_always() -> None:
    made = known.find(parse(ROUNDS), 60.0, NONE)
    begins = {x.names: x.values for x in made if isinstance(x, Lemma) and x.begins}
    assert begins["u_core.u_s.s_q",] == ("0",)
    # What comes in alone decides d, also in the last clock of a round.
    assert begins["u_core.u_in.d_q",] == ("0", "1")
    assert ALONE not in made
