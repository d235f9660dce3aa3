"""A mutant and the sound system side by side, clock by clock, and the queries on both."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bitwuzla import Bitwuzla, Options, Result, Term

from fattree_prover.btor import RESET, State, System, Terms, observed, rename_lost, supports
from fattree_prover.hints import Hints
from fattree_prover.known import Known
from fattree_prover.lemmas import solver


class OutOfTime(Exception):
    """The solver did not decide in the given time."""


@dataclass(frozen=True)
class Step:
    """A clock of both systems.

    Attributes
    ----------
    outputs, states : Booleans by name: the two differ where it matters.
    sound, mutant : next states.
    given : rules of the RTL for the sound system.
    shown : outputs of both.
    """

    outputs: dict[str, Term]
    states: dict[str, Term]
    sound: State
    mutant: State
    given: list[Term]
    shown: tuple[State, State]


class Pair:
    """Both systems under the same inputs."""

    def __init__(
        self, sound: System, mutant: System, end: float, hints: Hints, lemmas: Sequence[Known] = ()
    ) -> None:
        self.sound, self.mutant, self.end, self.hints = sound, mutant, end, hints
        self.lemmas = lemmas
        rename_lost(mutant, sound)
        self.observed = observed(sound, mutant)
        self.terms = Terms()
        self.make = self.terms.manager.mk_term
        self.inputs: list[dict[str, Term]] = []
        self._simple = Bitwuzla(self.terms.manager, Options())
        self._runs: dict[tuple[object, ...], tuple[State, State, list[Term]]] = {}

    def state(self, name: str) -> State:
        """An arbitrary state."""
        return {
            state: self.terms.fresh(self.sound, number, f"{name} {state}")
            for state, number in self.sound.states.items()
        }

    def given(self, clock: int) -> dict[str, Term]:
        """Free inputs of a clock."""
        while len(self.inputs) <= clock:
            self.inputs.append(
                {
                    name: self.terms.fresh(self.sound, number, f"{name} {len(self.inputs)}")
                    for name, number in self.sound.inputs.items()
                }
            )
        return self.inputs[clock]

    def _run(
        self, system: System, state: State, clock: int, reset: str
    ) -> tuple[State, State, list[Term]]:
        """(outputs, next state, rules)."""
        key = (system, clock, reset, *state.values())
        if key in self._runs:
            return self._runs[key]
        inputs = self.given(clock) | ({RESET: self.terms.constant(reset)} if reset else {})
        known = {number: inputs[name] for name, number in system.inputs.items()}
        known |= {number: state[name] for name, number in system.states.items()}
        roots = {f"o {n}": k for n, k in system.outputs.items()}
        roots |= {f"s {n}": k for n, k in system.nexts.items()}
        roots |= {f"g {k}": k for k in system.given}
        made = self.terms.work_out(system, roots, known)
        outputs = {n: made[f"o {n}"] for n in system.outputs}
        given = [self.terms.truth(made[f"g {k}"]) for k in system.given]
        # A state without a next one keeps its value.
        after = {n: made.get(f"s {n}", state[n]) for n in system.states}
        return self._runs.setdefault(key, (outputs, after, given))

    def step(self, sound: State, mutant: State, clock: int, reset: str = "") -> Step:
        """A clock of both; `reset`: "0" or "1" if known."""
        outputs, sound_after, given = self._run(self.sound, sound, clock, reset)
        others, mutant_after, _ = self._run(self.mutant, mutant, clock, reset)
        return self._step((outputs, others), sound_after, mutant_after, given)

    def simplified(self, step: Step) -> Step:
        """The same step in simpler terms: more of them are identical."""
        shown, others, sound, mutant = (
            {name: self._simple.simplify_term(term) for name, term in state.items()}
            for state in (*step.shown, step.sound, step.mutant)
        )
        return self._step((shown, others), sound, mutant, step.given)

    def _step(
        self, shown: tuple[State, State], sound: State, mutant: State, given: list[Term]
    ) -> Step:
        states = {n: t for n, t in self.differing(sound, mutant) if n in self.observed}
        return Step(dict(self._seen(*shown)), states, sound, mutant, given, shown)

    def differing(
        self, one: Mapping[str, Term], other: Mapping[str, Term]
    ) -> Iterator[tuple[str, Term]]:
        """(name, Boolean: they differ) for all values that are not identical."""
        for name, term in one.items():
            if term != other[name]:
                yield name, self.terms.differ(term, other[name])

    def _seen(self, sound: State, mutant: State) -> Iterator[tuple[str, Term]]:
        """The same for outputs; of words on links only what matters."""
        valids = {words: valid for words, valid in self.hints.links}
        for name, differ in self.differing(sound, mutant):
            valid = sound.get(valids.get(name, ""))
            if valid is None:
                yield name, differ
            else:
                yield name, self._words_differ(sound[name], mutant[name], valid)

    def _words_differ(self, sound: Term, mutant: Term, valid: Term) -> Term:
        """Whether outputs with one word per link differ where it matters."""
        terms, hints, found = self.terms, self.hints, []
        size = (sound if hints.width else valid).sort().bv_size()
        vectors = (terms.slices(v, size // (hints.width or 1)) for v in (sound, mutant, valid))
        for one, other, used in zip(*vectors, strict=True):
            if one == other:
                continue
            differ = [terms.differ(one, other)]
            if hints.low:
                upper = (hints.low, hints.optional)
                head = terms.truth(terms.bits(one, hints.low - 1, 1))
                differ = [
                    terms.differ(terms.bits(one, 0, hints.low), terms.bits(other, 0, hints.low)),
                    terms.all([head, terms.differ(*(terms.bits(w, *upper) for w in (one, other)))]),
                ]
            idle = terms.constant("0" * used.sort().bv_size())
            found.append(terms.all([terms.differ(used, idle), terms.any(differ)]))
        return terms.any(found)

    def known(self, step: Step, state: State, contract: bool, reset: Term) -> list[Term]:
        """Lemmas that hold in a sound state and concern what may differ after a step.

        `contract`: whether inputs keep to the rules; `reset`: whether the clock is one of a reset.
        """
        near: set[str] = set()
        for system, needed in zip((self.sound, self.mutant), self._needed, strict=True):
            lines = [system.outputs[n] for n in step.outputs]
            lines += [system.nexts[n] for n in step.states if n in system.nexts]
            near = near.union(*(needed[line] for line in lines))
        return [
            lemma.term(self.terms, state, reset)
            for lemma in self.lemmas
            if (contract or not lemma.ruled)
            and not near.isdisjoint(lemma.names)
            and lemma.tells(state)
        ]

    @cached_property
    def _needed(self) -> tuple[dict[int, set[str]], ...]:
        return supports(self.sound), supports(self.mutant)

    @cached_property
    def cleared(self) -> set[str]:
        """Registers, without memories, that a reset sets to constants."""
        rst = {RESET: self.terms.constant("1")}
        known = {k: (self.given(0) | rst)[n] for n, k in self.sound.inputs.items()}
        free = self.state("free")
        known |= {number: free[name] for name, number in self.sound.states.items()}
        after = self.terms.work_out(self.sound, self.sound.nexts, known)
        simple = Bitwuzla(self.terms.manager, Options())
        return {
            name
            for name, term in after.items()
            if term.sort().is_bv() and simple.simplify_term(term).is_value()
        }

    def late(self) -> bool:
        """Whether time is up."""
        return time.process_time() > self.end

    def solve(self, *asserted: Term) -> Bitwuzla | None:
        """A solver with a model of all assertions; None: they are unsatisfiable."""
        return self.answer(solver(self.terms, self.late, asserted))

    def answer(self, asked: Bitwuzla, *assumed: Term) -> Bitwuzla | None:
        """The same for a solver that is reused."""
        # CPU time, so that other load does not decide.
        result = asked.check_sat(*assumed)
        if result == Result.UNKNOWN or self.late():
            raise OutOfTime
        return asked if result == Result.SAT else None


class Asked:
    """Successive queries under common assumptions."""

    def __init__(self, pair: Pair, held: Sequence[Term]) -> None:
        self.pair, self.held = pair, held

    @cached_property
    def _shared(self) -> Bitwuzla:
        return solver(self.pair.terms, self.pair.late, self.held, easy=True)

    def model(self, term: Term) -> Bitwuzla | None:
        """As Pair.solve, under the assumptions."""
        return self.pair.answer(self._shared, term)
