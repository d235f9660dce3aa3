"""Invariants seen in random runs: what is found, what is dropped, and what they prove."""

import sys
from pathlib import Path

import pytest

from fattree_bench.prove.aiger import Aiger
from fattree_bench.prove.mined import DEEPEST, Clause, Sum, candidates, inductive, main, proves
from tests.cli import Cli, succeeds
from tests.tb.prove.test_prove import planted

ONE, TWO, LOW, HIGH = 0, 1, 2, 3  # registers of `pipe`
IN, SECOND, C0, C1 = 2, 6, 8, 10  # their numbers, and the input's


def pipe(leak: bool = False) -> Aiger:
    """Words in two stages, and a counter of two bits of those inside, which is never 3.

    With a leak the one that leaves is not counted where another one comes.
    """
    gates: list[tuple[int, int]] = []

    def both(one: int, other: int) -> int:
        gates.append((max(one, other), min(one, other)))
        return 2 * (5 + len(gates))

    def differ(one: int, other: int) -> int:
        return both(both(one, other) ^ 1, both(one ^ 1, other ^ 1) ^ 1)

    up, down = both(IN, SECOND ^ 1), both(IN ^ 1, SECOND)
    up = IN if leak else up
    changes = both(up ^ 1, down ^ 1) ^ 1
    carries = both(both(up, C0) ^ 1, both(down, C0 ^ 1) ^ 1) ^ 1
    nexts = (IN, 4, differ(C0, changes), differ(C1, carries))
    return Aiger(1, nexts, both(C0, C1), tuple(gates))


def written(circuit: Aiger, path: Path) -> Path:
    """As a file."""
    count = 1 + circuit.inputs + len(circuit.nexts)
    most = count - 1 + len(circuit.gates)
    head = f"aig {most} {circuit.inputs} {len(circuit.nexts)} 1 {len(circuit.gates)}\n"
    lines = "".join(f"{number}\n" for number in (*circuit.nexts, circuit.bad))
    steps = [x for i, (a, b) in enumerate(circuit.gates) for x in (2 * (count + i) - a, a - b)]
    path.write_bytes((head + lines).encode() + bytes(steps))
    return path


def test_what_counts_is_proved_by_a_sum() -> None:
    """Words of both stages and the counter; without it induction does not get there."""
    circuit = pipe()
    found = inductive(circuit, candidates(*circuit.sampled(2)), 2)
    weights = {frozenset(x.weights) for x in found if isinstance(x, Sum)}
    inside = {ONE: -1, TWO: -1, LOW: 1, HIGH: 2}
    assert weights & {frozenset((n, s * w) for n, w in inside.items()) for s in (1, -1)}
    assert proves(circuit, found, 2, 1)
    assert not any(proves(circuit, [], 2, depth) for depth in range(1, DEEPEST + 1))


def test_what_is_wrong_is_not_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter that leaks; as files, so the reader of both is seen to work."""
    for leak in (False, True):
        path = written(pipe(leak), tmp_path / "pipe.aig")
        assert Aiger.read(path) == pipe(leak)
        monkeypatch.setattr(sys, "argv", ["mined", str(path), "2"])
        assert main() == leak


def test_what_need_not_hold_is_dropped() -> None:
    """At the start, or a clock later; and what rests on it."""
    for clause in (Clause(((ONE, True),)), Clause(((ONE, False),)), Clause(((HIGH, False),))):
        assert inductive(pipe(), [clause], 0) == []
    rests = [Clause(((TWO, False),)), Clause(((ONE, False),))]
    assert inductive(pipe(), rests, 0) == []
    assert inductive(pipe(), [Clause(((LOW, True), (HIGH, True), (ONE, False)))], 0) == []


def test_a_rule_is_proved_of_the_first_clocks_as_well() -> None:
    """It is broken at once and never again."""
    early = Aiger(1, (1,), 5, ())
    assert not proves(early, [Clause(((0, True),))], 1, 1)
    assert proves(Aiger(1, (1,), 0, ()), [], 1, 1)


def test_credits_that_come_back_are_proved(tmp_path: Path, tb_cli: Cli) -> None:
    done = succeeds(tb_cli("prove", str(planted(tmp_path, "lanes")), "RULES=L3", "CLOCKS=4"))
    assert "ok   L3  credits of words that left come back within 8 clocks: proved" in done
