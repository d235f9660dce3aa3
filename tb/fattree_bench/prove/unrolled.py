"""A design clock by clock in terms of bitwuzla, from BTOR2: what is known is worked out at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import bitwuzla
from bitwuzla import Term

from fattree_bench.families.proof import Trace
from fattree_prover.btor import System, Terms, parse

PROPERTY = re.compile(r"^(\d+) bad (-?\d+) (\S+)")
START = re.compile(r"^\d+ init \d+ (\d+) (\d+)")


@dataclass(frozen=True, eq=False)
class Model:
    """A transition system with rules.

    Attributes
    ----------
    bad : line that is 1 where a rule is broken, by rule.
    starts : line of the value with which a register starts, by line.
    """

    system: System
    bad: Mapping[str, int]
    starts: Mapping[int, int]

    @classmethod
    def read(cls, path: Path) -> Model:
        lines = path.read_text().splitlines()
        bad = {m[3].split(".")[-1]: int(m[2]) for x in lines if (m := PROPERTY.match(x))}
        starts = {int(m[1]): int(m[2]) for x in lines if (m := START.match(x))}
        plain = [x for x in lines if not (PROPERTY.match(x) or START.match(x))]
        return cls(parse("\n".join(plain)), bad, starts)


class Unrolled:
    """States one after the other; `initial`: from the start, else from any state."""

    def __init__(self, model: Model, initial: bool) -> None:
        self.model, self.terms = model, Terms()
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        self.solver = bitwuzla.Bitwuzla(self.terms.manager, options)
        self.inputs: list[dict[str, Term]] = []
        self.broken: list[dict[str, Term]] = []
        self._told: set[str] = set()
        system = model.system
        self._state = {
            name: self._first(line, name, initial) for name, line in system.states.items()
        }
        self._step()

    @property
    def last(self) -> int:
        """The clock that was added last."""
        return len(self.inputs) - 1

    def _first(self, line: int, name: str, initial: bool) -> Term:
        value = self.model.starts.get(line)
        if not initial or value is None:
            return self.terms.fresh(self.model.system, line, name)
        return self.terms.work_out(self.model.system, {"": value}, {})[""]

    def _step(self) -> None:
        """Inputs of the state that is there, and what it breaks."""
        system, at = self.model.system, len(self.inputs)
        given = {
            name: self.terms.fresh(system, line, f"{name}@{at}")
            for name, line in system.inputs.items()
        }
        known = {system.inputs[name]: term for name, term in given.items()}
        known |= {system.states[name]: term for name, term in self._state.items()}
        roots = {**{f"bad {k}": n for k, n in self.model.bad.items()}, **system.nexts}
        made = self.terms.work_out(system, roots, known)
        self.inputs.append(given)
        simple = self.solver.simplify_term
        self.broken.append({k: simple(self.terms.truth(made[f"bad {k}"])) for k in self.model.bad})
        self._next = {
            name: simple(made[name])
            if name in made
            else self.terms.fresh(system, system.states[name], f"{name}@{at + 1}")
            for name in self._state
        }

    def add(self) -> None:
        """One clock more."""
        self._state = self._next
        self._step()

    def hold(self, rules: Iterable[str], clock: int) -> None:
        """Assume rules in a clock."""
        for rule in rules:
            self.solver.assert_formula(self.terms.negated(self.broken[clock][rule]))

    def told(self, rules: Iterable[str]) -> list[str]:
        """Those of the rules that the trace found last breaks."""
        return [rule for rule in rules if rule in self._told]

    def breaks(self, rules: Collection[str]) -> Trace | None:
        """Inputs that break one of these rules in the last clock, or None."""
        some = [self.broken[-1][rule] for rule in rules]
        if all(term.is_false() for term in some):
            return None
        if self.solver.check_sat(self.terms.any(some)) != bitwuzla.Result.SAT:
            return None
        values = {rule: self.solver.get_value(self.broken[-1][rule]) for rule in rules}
        self._told = {rule for rule, value in values.items() if value.is_true()}
        return [
            {name: int(self.solver.get_value(term).value(2), 2) for name, term in given.items()}
            for given in self.inputs
        ]
