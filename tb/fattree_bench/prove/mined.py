"""Invariants of a design whose registers nothing is known of: seen in random runs, then proved.

Candidates are what held in all states that were seen: registers that do not change, pairs in
which one says something of the other, and sums.  A sum such as words in a queue, credits on their
way and credits of the sender = D is what induction lacks where credits count.  Those that are false
in clock `start`, or need not hold one clock after all of them did, are dropped until none is.

`python -m fattree_bench.prove.mined AIGER START`: status 0 if they prove the rule of the file.
"""

import itertools
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bitwuzla
import numpy as np
from bitwuzla import Kind, Term
from numpy.typing import NDArray

from fattree_bench.bench.interface.description import ResetTable
from fattree_bench.formal.pdr import GATE
from fattree_bench.prove.aiger import Aiger
from fattree_bench.sim.yosys import YosysError, run_yosys
from fattree_prover.btor import Terms

PRIME = 2**31 - 19  # sums are solved for in its field
MULTIPLES = 6  # what a sum is multiplied with, at most, so that its weights are integers
HEAVIEST = 64  # weight
DEEPEST = 3  # clocks of an induction
SETTLED = 1  # clocks after the reset, in which what registers held before it goes
NOT_PROVED: set[Path] = set()  # files
SIMPLER = "fold; scorr; dc2; scorr"  # commands of ABC
SPARE = 300  # states more than three times the registers, to solve for sums

Bits = Sequence[int]  # of each register: its values in all states


@dataclass(frozen=True)
class Clause:
    """One of these registers has its value here."""

    values: tuple[tuple[int, bool], ...]

    def term(self, terms: Terms, state: Sequence[Term]) -> Term:
        return terms.any(state[n] if one else terms.negated(state[n]) for n, one in self.values)


@dataclass(frozen=True)
class Sum:
    """Registers times weights, and a constant, are zero together."""

    weights: tuple[tuple[int, int], ...]
    rest: int

    def term(self, terms: Terms, state: Sequence[Term]) -> Term:
        make = terms.manager
        most = abs(self.rest) + sum(abs(weight) for _, weight in self.weights)
        size = most.bit_length() + 1
        sort = make.mk_bv_sort(size)

        def value(number: int) -> Term:
            return make.mk_bv_value(sort, number % (1 << size))

        total = value(self.rest)
        for register, weight in self.weights:
            part = make.mk_term(Kind.ITE, [state[register], value(weight), value(0)])
            total = make.mk_term(Kind.BV_ADD, [total, part])
        return make.mk_term(Kind.EQUAL, [total, value(0)])


Candidate = Clause | Sum


def candidates(seen: Bits, states: int) -> list[Candidate]:
    """What holds in all states seen."""
    ones = (1 << states) - 1
    fixed = [Clause(((n, bool(x)),)) for n, x in enumerate(seen) if x in (0, ones)]
    live = [n for n, x in enumerate(seen) if x not in (0, ones)]
    return [*fixed, *pairs(seen, live, ones), *sums(seen, live, states)]


def pairs(seen: Bits, live: Sequence[int], ones: int) -> Iterator[Clause]:
    """Two registers; one of them is always as it says."""
    for one, other in itertools.combinations(live, 2):
        for a, b in itertools.product((True, False), repeat=2):
            if (seen[one] if a else seen[one] ^ ones) | (
                seen[other] if b else seen[other] ^ ones
            ) == ones:
                yield Clause(((one, a), (other, b)))


def sums(seen: Bits, live: Sequence[int], states: int) -> Iterator[Sum]:
    """Sums that span all that there are."""
    if not live:
        return
    rows = [np.frombuffer(seen[n].to_bytes(states // 8, "little"), np.uint8) for n in live]
    bits = np.unpackbits(np.array(rows), axis=1, bitorder="little").T
    packed = np.ascontiguousarray(np.packbits(bits, axis=1))
    different = np.unique(packed.view(f"V{packed.shape[1]}").ravel(), return_index=True)[1]
    some = np.random.default_rng(1).permutation(different)[: 3 * len(live) + SPARE]
    table = np.concatenate([np.ones((len(some), 1), np.int64), bits[some].astype(np.int64)], axis=1)
    for relation in solved(table):
        for times in range(1, MULTIPLES + 1):
            scaled = {n: (w * times + PRIME // 2) % PRIME - PRIME // 2 for n, w in relation.items()}
            if all(abs(w) <= HEAVIEST for w in scaled.values()):
                rest = scaled.pop(0, 0)
                yield Sum(tuple((live[n - 1], w) for n, w in scaled.items()), rest)
                break


def solved(table: NDArray[np.int64]) -> Iterator[dict[int, int]]:
    """Weights of columns, by number, with which they add up to zero in each row."""
    left = table.copy()
    leading: list[int] = []
    for column in range(left.shape[1]):
        row = len(leading)
        found = np.nonzero(left[row:, column])[0]
        if not len(found):
            continue
        left[[row, row + found[0]]] = left[[row + found[0], row]]
        left[row] = left[row] * pow(int(left[row, column]), PRIME - 2, PRIME) % PRIME
        factors = left[:, column].copy()
        factors[row] = 0
        others = np.nonzero(factors)[0]
        left[others] = (left[others] - factors[others, None] * left[row]) % PRIME
        leading.append(column)
    for column in {*range(left.shape[1])} - {*leading}:
        yield {column: 1} | {
            c: -int(left[i, column]) for i, c in enumerate(leading) if left[i, column]
        }


class Steps:
    """States one after the other; `initial`: from the start, else from any state."""

    def __init__(self, circuit: Aiger, initial: bool) -> None:
        self.circuit, self.terms = circuit, Terms()
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        self.solver = bitwuzla.Bitwuzla(self.terms.manager, options)
        self.bad: list[Term] = []
        zero, count = self.terms.manager.mk_false(), len(circuit.nexts)
        self.states = [[zero] * count if initial else self._fresh(count)]

    def _fresh(self, count: int) -> list[Term]:
        make = self.terms.manager
        return [make.mk_const(make.mk_bool_sort()) for _ in range(count)]

    def add(self) -> None:
        """One clock more."""
        free = [*self._fresh(self.circuit.inputs), *self.states[-1]]
        made = self.circuit.values(self.terms.manager.mk_false(), free, self._both, self._inverse)
        self.bad.append(made[self.circuit.bad])
        self.states.append([made[number] for number in self.circuit.nexts])

    def _both(self, one: Term, other: Term) -> Term:
        if one.is_false() or other.is_true():
            return one
        if other.is_false() or one.is_true():
            return other
        return self.terms.manager.mk_term(Kind.AND, [one, other])

    def _inverse(self, one: Term) -> Term:
        if one.is_true() or one.is_false():
            return self.terms.manager.mk_false() if one.is_true() else self.terms.manager.mk_true()
        return self.terms.negated(one)

    def hold(self, found: Sequence[Candidate], clock: int) -> None:
        """Assume candidates in a clock."""
        for one in found:
            self.solver.assert_formula(one.term(self.terms, self.states[clock]))

    def never(self, broken: Sequence[Term]) -> bool:
        """None of these can be."""
        some = [x for x in broken if not x.is_false()]
        return not some or self._check(self.terms.any(some)) == bitwuzla.Result.UNSAT

    def _check(self, formula: Term) -> bitwuzla.Result:
        self.solver.push()
        self.solver.assert_formula(formula)
        return self.solver.check_sat()

    def kept(self, found: Sequence[Candidate], clock: int) -> list[Candidate]:
        """Those that must hold in a clock."""
        made = [one.term(self.terms, self.states[clock]) for one in found]
        left = {n: term for n, term in enumerate(made) if not term.is_true()}
        while left:
            result = self._check(self.terms.negated(self.terms.all(left.values())))
            if result == bitwuzla.Result.UNSAT:
                break
            values = {n: self.solver.get_value(term) for n, term in left.items()}
            self.solver.pop(1)
            left = {n: term for n, term in left.items() if not values[n].is_false()}
        return [one for n, one in enumerate(found) if n in left or made[n].is_true()]


def inductive(circuit: Aiger, found: Sequence[Candidate], start: int) -> list[Candidate]:
    """Those that hold from clock `start` on."""
    steps = Steps(circuit, initial=True)
    for _ in range(start):
        steps.add()
    left = steps.kept(found, start)
    while True:
        steps = Steps(circuit, initial=False)
        steps.add()
        steps.hold(left, 0)
        kept = steps.kept(left, 1)
        if len(kept) == len(left):
            return kept
        left = kept


def proves(circuit: Aiger, found: Sequence[Candidate], start: int, depth: int) -> bool:
    """Whether the rule holds by induction over `depth` clocks, if `found` does from `start` on."""
    first = Steps(circuit, initial=True)
    for _ in range(start + depth):
        first.add()
    after = Steps(circuit, initial=False)
    for clock in range(depth + 1):
        after.hold(found, clock)
        after.add()
    for bad in after.bad[:-1]:
        after.solver.assert_formula(after.terms.negated(bad))
    return after.never(after.bad[-1:]) and first.never(first.bad)


def proved(path: Path, reset: ResetTable) -> bool:
    """Whether that is so of a file; it has as much time as this process, and is tried once."""
    if path in NOT_PROVED:
        return False
    small, script = path.with_suffix(".small.aig"), path.with_suffix(".small.abc")
    small.unlink(missing_ok=True)
    (path.parent / "gate.v").write_text("\n".join(GATE) + "\n")
    script.write_text(
        f"write_blif gate.blif\nread_aiger {path.name}\n{SIMPLER}\nwrite_aiger {small.name}\n"
        "read_blif gate.blif\nstrash\n"
    )
    commands = ["read_verilog gate.v", "techmap", f"abc -script {script.name}"]
    try:
        run_yosys(commands, path.parent, small.stem)
    except YosysError:
        if not small.exists():
            return False
    start = reset.clocks + reset.silent + SETTLED
    command = [sys.executable, "-m", "fattree_bench.prove.mined", str(small), str(start)]
    code = subprocess.run(command, check=False).returncode
    NOT_PROVED.update({path} if code == 1 else set())  # else its time was over
    return code == 0


def main() -> int:
    """Read the circuit, look for invariants, and prove its rule with them."""
    circuit, start = Aiger.read(Path(sys.argv[1])), int(sys.argv[2])
    found = inductive(circuit, candidates(*circuit.sampled(start)), start)
    return not any(proves(circuit, found, start, depth) for depth in range(1, DEEPEST + 1))


if __name__ == "__main__":
    sys.exit(main())
