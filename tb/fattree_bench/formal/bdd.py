"""Proves rules without registers with binary decision diagrams (CUDD).

Circuits that count or sort have small diagrams, because what matters is hardly which inputs are
valid but how many: concentrators beyond the reach of a SAT solver take seconds.
"""

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dd.cudd import BDD

from fattree_bench.families.proof import FAILED, PROVED, UNDECIDED, Proof, Verdict

MEMORY = 3 << 30  # bytes, initial estimate for CUDD


@dataclass(frozen=True)
class Aiger:
    """A circuit of AND gates and inverters: literals are 2 x variable + inverted."""

    inputs: list[int]
    names: list[str]  # of inputs, as "valid_i[3]"
    gates: list[tuple[int, int, int]]
    bad: int
    assumed: list[int]

    @classmethod
    def read(cls, path: Path) -> "Aiger":
        """Read an ASCII file (format 1.9) without registers and with one bad state."""
        lines = iter(path.read_text().splitlines())
        header = [*map(int, next(lines).split()[1:]), 0, 0, 0, 0]
        _, inputs, latches, outputs, gates, bad, assumed = header[:7]
        if latches or outputs or bad != 1:
            raise ValueError(f"{path.name}: {latches} registers, {bad} rules; must be 0 and 1")
        ins = [int(next(lines)) for _ in range(inputs)]
        target = int(next(lines))
        given = [int(next(lines)) for _ in range(assumed)]
        built = []
        for _ in range(gates):
            out, a, b = map(int, next(lines).split())
            built.append((out, a, b))
        names = [f"i{k}" for k in range(inputs)]
        for line in lines:
            if line.startswith("c"):
                break
            where, _, name = line.partition(" ")
            if where.startswith("i"):
                names[int(where[1:])] = name
        return cls(ins, names, built, target, given)


def ordered(names: list[str]) -> list[str]:
    """Names of bits in variable order, narrow words first: shared operands before the lanes."""
    words = [name.partition("[")[0] for name in names]
    bits = Counter(words)
    placed = [(bits[word], place, names[place]) for place, word in enumerate(words)]
    return [name for _, _, name in sorted(placed)]


def broken(circuit: Aiger, limit: float) -> tuple[bool | None, dict[str, bool]]:
    """Whether the bad state is reachable (None: time limit), and with which inputs."""
    bdd = BDD(memory_estimate=MEMORY)
    bdd.configure(reordering=False)
    end = time.monotonic() + limit
    known: dict[int, Any] = {0: bdd.false}
    for name in ordered(circuit.names):
        bdd.add_var(name)
    for literal, name in zip(circuit.inputs, circuit.names, strict=True):
        known[literal] = bdd.var(name)

    def function(literal: int) -> Any:
        return ~known[literal ^ 1] if literal & 1 else known[literal]

    for number, (out, a, b) in enumerate(circuit.gates):
        known[out] = function(a) & function(b)
        if number % 1024 == 0 and time.monotonic() > end:
            return None, {}
    bad = function(circuit.bad)
    for literal in circuit.assumed:
        bad &= function(literal)
    if bad == bdd.false:
        return False, {}
    return True, dict(bdd.pick(bad))


def prove(proof: Proof, aigers: dict[str, Path], widths: dict[str, int]) -> list[Verdict]:
    """Prove each rule from its ASCII AIGER file."""
    found = []
    for rule, path in aigers.items():
        start = time.perf_counter()
        answer, inputs = broken(Aiger.read(path), proof.limit)
        took = time.perf_counter() - start
        if answer is None:
            found.append(Verdict(rule, UNDECIDED, took))
        elif answer:
            found.append(Verdict(rule, FAILED, took, "in clock 0", [words(inputs, widths)]))
        else:
            found.append(Verdict(rule, PROVED, took, "for every input"))
    return found


def words(bits: dict[str, bool], widths: dict[str, int]) -> dict[str, int]:
    """Values of inputs from their bits; don't-care bits are 0."""
    return {
        name: sum(
            bits.get(name if width == 1 else f"{name}[{bit}]", False) << bit for bit in range(width)
        )
        for name, width in widths.items()
    }
