"""Proves rules with bitwuzla, for arbitrary states or by k-induction; finds counter-examples.

The description comes from Yosys: a sort of states, |top_u| assumptions, |top_h| hierarchy,
|top_i| initial states, |top_t| transition of a clock, |top_a k| rules.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bitwuzla

from fattree_bench.families.proof import BOUNDED, FAILED, PROVED, UNDECIDED, Proof, Trace, Verdict
from fattree_bench.formal.prepare import wanted


@dataclass(frozen=True)
class Description:
    """One clock of a design in SMT-LIB."""

    text: str
    top: str
    rules: dict[str, str]  # name to number
    inputs: dict[str, int]  # name to bits

    @classmethod
    def read(cls, path: Path) -> "Description":
        text = path.read_text()
        tops = re.findall(r"^; yosys-smt2-topmod (\S+)", text, re.MULTILINE)
        rules = re.findall(r"^; yosys-smt2-assert (\d+) (\S+)", text, re.MULTILINE)
        inputs = re.findall(r"^; yosys-smt2-input (\S+) (\d+)", text, re.MULTILINE)
        return cls(text, tops[0], {n: k for k, n in rules}, {n: int(w) for n, w in inputs})


class Unrolling:
    """Successive states, and queries about them."""

    def __init__(self, of: Description, limit: float, initial: bool) -> None:
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        options.set(bitwuzla.Option.TIME_LIMIT_PER, max(1, int(1000 * limit)))
        self.of = of
        self._parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        self._parser.parse(f"(set-logic QF_UFBV)\n{of.text}", True, False)
        self._solver = self._parser.bitwuzla()
        self.count = 0
        self.add()
        if initial:
            self._say(f"(assert (|{of.top}_i| s0))")

    def _say(self, text: str) -> None:
        self._parser.parse(text, True, False)

    def add(self) -> None:
        """Add a state, one clock after the last."""
        top, new = self.of.top, self.count
        self._say(f"(declare-fun s{new} () |{top}_s|)")
        self._say(f"(assert (|{top}_u| s{new})) (assert (|{top}_h| s{new}))")
        if new:
            self._say(f"(assert (|{top}_t| s{new - 1} s{new}))")
        self.count += 1

    def hold(self, rule: str, state: int) -> None:
        """Assume that a rule holds in a state."""
        self._say(f"(assert {self._holds(rule, state)})")

    def _holds(self, rule: str, state: int) -> str:
        return f"(|{self.of.top}_a {self.of.rules[rule]}| s{state})"

    def breaks(self, rule: str) -> tuple[bool | None, Trace]:
        """Whether the rule can be broken in the last state (None: unknown), and the trace."""
        self._solver.push(1)
        broken = f"(not {self._holds(rule, self.count - 1)})"
        self._solver.assert_formula(self._parser.parse_term(broken))
        answer = self._solver.check_sat()
        trace = self._trace() if answer == bitwuzla.Result.SAT else []
        self._solver.pop(1)
        if answer == bitwuzla.Result.UNKNOWN:
            return None, []
        return answer == bitwuzla.Result.SAT, trace

    def _trace(self) -> Trace:
        return [
            {name: self._value(name, state) for name in self.of.inputs}
            for state in range(self.count)
        ]

    def _value(self, name: str, state: int) -> int:
        term = self._parser.parse_term(f"(|{self.of.top}_n {name}| s{state})")
        text = str(self._solver.get_value(term))
        return {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text[2:], 2)


Ask = Callable[[Unrolling, str], tuple[bool | None, Trace]]


def prove(proof: Proof, path: Path) -> list[Verdict]:
    """Prove each rule of a description; in k-induction rules may rely on each other."""
    of = Description.read(path)
    rules = [rule for rule in of.rules if wanted(rule, proof.rules)]
    took = dict.fromkeys(rules, 0.0)
    found: dict[str, Verdict] = {}

    def ask(states: Unrolling, rule: str) -> tuple[bool | None, Trace]:
        start = time.perf_counter()
        answer = states.breaks(rule)
        took[rule] += time.perf_counter() - start
        return answer

    def settle(rule: str, result: str, note: str = "", trace: Trace | None = None) -> None:
        found[rule] = Verdict(rule, result, took[rule], note, trace)

    anywhere = Unrolling(of, proof.limit, initial=False)
    for rule in rules:
        if ask(anywhere, rule)[0] is False:
            settle(rule, PROVED, "in every state")
    left = [rule for rule in rules if rule not in found]

    started = Unrolling(of, proof.limit, initial=True)
    slow: set[str] = set()

    def search(clocks: int) -> None:
        """Search for counter-examples up to `clocks` after the start."""
        while True:
            for rule in [r for r in left if r not in found and r not in slow]:
                broken, trace = ask(started, rule)
                if broken:
                    settle(rule, FAILED, f"in clock {started.count - 1}", trace)
                elif broken is None:
                    slow.add(rule)
            if started.count > clocks or all(r in found or r in slow for r in left):
                return
            started.add()

    search(max(0, proof.clocks - 1))
    sure = [rule for rule in rules if rule in found and found[rule].result == PROVED]
    open_ = [rule for rule in left if rule not in found and rule not in slow]
    for rule in inductive(open_, sure, anywhere, proof, ask):
        settle(rule, PROVED, f"by induction over {proof.clocks} clocks")
    bound = max(proof.clocks, proof.bound)
    if any(r not in found and r not in slow for r in left) and bound >= started.count:
        started.add()
        search(bound)
    for rule in left:
        if rule not in found:
            late = rule in slow
            settle(rule, UNDECIDED if late else BOUNDED, f"{started.count - 1} clocks")
    return [found[rule] for rule in rules]


def inductive(
    rules: list[str], sure: list[str], anywhere: Unrolling, proof: Proof, ask: Ask
) -> list[str]:
    """The largest set of rules that hold in the next clock if all hold for k clocks.

    `sure` hold in every state.  The first try reuses what the solver has learnt.
    """
    states = anywhere
    while rules and proof.clocks:
        for state in range(proof.clocks):
            for rule in (*sure, *rules):
                states.hold(rule, state)
            states.add()
        kept = [rule for rule in rules if ask(states, rule)[0] is False]
        if kept == rules:
            return rules
        rules = kept
        states = Unrolling(anywhere.of, proof.limit, initial=False)
    return []
