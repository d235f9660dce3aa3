"""Verdicts on random netlists against all that they can do, state by state."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from fattree_prover.btor import System, parse
from fattree_prover.equivalence import CONTRACT, DIFFERENT, EQUIVALENT, compare
from fattree_prover.lemmas import Finder, Vacuous

HEAD = """
1 sort bitvec 1
2 sort bitvec 2
3 input 1 rst
4 input 2 a
5 zero 2
6 one 2
7 ones 2
10 state 2 u_x.p
11 state 2 u_x.q
12 state 2 u_y.r
"""
LEAVES = (4, 5, 6, 10, 11, 12)
CALCULATED = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "add": lambda x, y: (x + y) % 4,
    "sub": lambda x, y: (x - y) % 4,
}
State = tuple[int, ...]
CASES = 60


def netlists(seed: int) -> tuple[str, str]:
    """A random netlist, and the same with one operator or operand changed."""
    draw = random.Random(seed)
    lines: list[list[Any]] = []
    words = list(LEAVES)
    for number in range(20, 36, 2):
        one, other, third = (draw.choice(words) for _ in range(3))
        if draw.random() < 0.4:
            lines += [[number, "slice", 1, one, 0, 0], [number + 1, "ite", 2, number, other, third]]
        else:
            lines += [[number + 1, draw.choice(sorted(CALCULATED)), 2, one, other]]
        words.append(number + 1)
    for i, register in enumerate((10, 11, 12)):
        source = draw.choice(words[6:])
        cleared = draw.random() < 0.8
        lines += [[40 + 2 * i, "ite", 2, 3, draw.choice((5, 6)), source]]
        lines += [[50 + i, "next", 2, register, 40 + 2 * i if cleared else source]]
    shown = draw.choice((10, 11, 12, *words[-3:]))
    ruled = draw.random() < 0.5
    if ruled:
        lines += [[62, "neq", 1, draw.choice(words), draw.choice((5, 6, 7, 10))]]
        lines += [[63, "or", 1, 62, 3], [64, "constraint", 63]]
    if ruled and draw.random() < 0.5:  # a fault that only what breaks the rule can show
        kept = [[66, "ite", 2, 63, shown, draw.choice(LEAVES)], [67, "output", 66, "y_o"]]
        return _written([*lines, [67, "output", shown, "y_o"]]), _written([*lines, *kept])
    lines += [[67, "output", shown, "y_o"]]
    other = [list(line) for line in lines]
    places = [line for line in other if line[1] in (*CALCULATED, "ite") and line[0] < 40]
    changed = draw.choice(places)
    if changed[1] in CALCULATED and draw.random() < 0.4:
        changed[1] = draw.choice(sorted(set(CALCULATED) - {changed[1]}))
    else:
        changed[draw.choice((-1, -2))] = draw.choice(LEAVES)
    return _written(lines), _written(other)


def _written(lines: list[list[Any]]) -> str:
    return HEAD + "".join(" ".join(map(str, line)) + "\n" for line in lines)


def clock(netlist: System, state: State, rst: int, a: int) -> tuple[int, State, bool]:
    """(output, next state, rules kept) of one clock, by another reading of BTOR2."""
    value = {3: rst, 4: a, 5: 0, 6: 1, 7: 3, 10: state[0], 11: state[1], 12: state[2]}
    for number in sorted(netlist.lines):
        what, *rest = netlist.lines[number]
        operands = [int(word) for word in rest if word.lstrip("-").isdigit()]
        if what == "slice":
            value[number] = value[operands[1]] & 1
        elif what == "ite":
            value[number] = value[operands[2] if value[operands[1]] else operands[3]]
        elif what == "neq":
            value[number] = int(value[operands[1]] != value[operands[2]])
        elif what in CALCULATED:
            value[number] = CALCULATED[what](value[operands[1]], value[operands[2]])
    following = tuple(value[netlist.nexts[name]] for name in ("u_x.p", "u_x.q", "u_y.r"))
    return value[netlist.outputs["y_o"]], following, all(value[k] for k in netlist.given)


def differ(sound: System, mutant: System, *, ruled: bool) -> bool:
    """Whether any inputs show the mutant after a clock of reset, from any state that both share."""
    todo: list[tuple[State, State]] = []
    seen: set[tuple[State, State]] = set()
    for state in itertools.product(range(4), repeat=3):
        todo += [pair for _, pair in _steps(sound, mutant, (state, state), (1,), ruled=ruled)]
    while todo:
        pair = todo.pop()
        if pair in seen:
            continue
        seen.add(pair)
        for shown, after in _steps(sound, mutant, pair, (0, 1), ruled=ruled):
            if shown:
                return True
            todo.append(after)
    return False


def _steps(
    sound: System,
    mutant: System,
    pair: tuple[State, State],
    resets: tuple[int, ...],
    *,
    ruled: bool,
) -> Iterator[tuple[bool, tuple[State, State]]]:
    """(outputs differ, next states), for all inputs."""
    for rst, a in itertools.product(resets, range(4)):
        one, one_after, kept = clock(sound, pair[0], rst, a)
        other, other_after, _ = clock(mutant, pair[1], rst, a)
        if kept or not ruled:
            yield one != other, (one_after, other_after)


@pytest.fixture(scope="module")
def verdicts() -> list[tuple[int, str, bool, bool]]:
    """By case: seed, what the checker says, whether it differs under the rules, and at all."""
    made = []
    for seed in range(CASES):
        sound, mutant = map(parse, netlists(seed))
        try:
            known = Finder(sound, 20.0).find()
        except Vacuous:
            continue
        found = compare(sound, mutant, 20.0, lemmas=known)
        ways = [differ(*map(parse, netlists(seed)), ruled=ruled) for ruled in (True, False)]
        made.append((seed, found.what, *ways))
    return made


def test_nothing_that_differs_is_called_equivalent(
    verdicts: list[tuple[int, str, bool, bool]],
) -> None:
    for seed, what, under_rules, at_all in verdicts:
        if what == EQUIVALENT:
            assert not at_all, seed
        if what == CONTRACT:
            assert not under_rules, seed
        if what == DIFFERENT:
            assert under_rules, seed


def test_each_verdict_is_met(verdicts: list[tuple[int, str, bool, bool]]) -> None:
    """Else the test above would say little."""
    met = [what for _, what, _, _ in verdicts]
    assert len(met) > CASES // 2
    for what in (EQUIVALENT, CONTRACT, DIFFERENT):
        assert met.count(what) >= 3, what
