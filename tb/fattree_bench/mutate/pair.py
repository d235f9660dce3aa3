"""A mutant beside the sound network, clock by clock, and a solver for what is asked of them."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bitwuzla import Bitwuzla, Options, Result, Term

from fattree_bench.mutate.btor import RESET, Netlist, State, Terms, observed, rename_lost, supports
from fattree_bench.mutate.cuts import Cuts
from fattree_bench.mutate.flits import flits_differ
from fattree_bench.mutate.known import Known
from fattree_bench.mutate.lemmas import solver

CUTTING = 0.5  # of an attempt's time


class OutOfTime(Exception):
    """The solver did not decide in the time it was given."""


@dataclass(frozen=True)
class Step:
    """A clock of both: what may differ, by name, as terms that say so; and the next states.

    Attributes
    ----------
    given : what the rules of the RTL say of the sound network.
    shown : outputs of both.
    """

    outputs: dict[str, Term]
    states: dict[str, Term]
    sound: State
    mutant: State
    given: list[Term]
    shown: tuple[State, State]


class Pair:
    """Both under the same inputs, in terms of one solver."""

    def __init__(
        self,
        sound: Netlist,
        mutant: Netlist,
        end: float,
        recorded: tuple[int, int],
        lemmas: Sequence[Known] = (),
    ) -> None:
        self.sound, self.mutant, self.end, self.recorded = sound, mutant, end, recorded
        self.lemmas = lemmas
        rename_lost(mutant, sound)
        self.observed = observed(sound, mutant)
        self.terms = Terms()
        self.make = self.terms.manager.mk_term
        self.inputs: list[dict[str, Term]] = []
        self._simple = Bitwuzla(self.terms.manager, Options())
        self._cut: dict[tuple[Term, ...], dict[Term, bool]] = {}
        self._runs: dict[tuple[object, ...], tuple[State, State, list[Term]]] = {}

    def state(self, name: str) -> State:
        """A state of which nothing is known."""
        return {
            state: self.terms.fresh(self.sound, number, f"{name} {state}")
            for state, number in self.sound.states.items()
        }

    def given(self, clock: int) -> dict[str, Term]:
        """Inputs of a clock."""
        while len(self.inputs) <= clock:
            self.inputs.append(
                {
                    name: self.terms.fresh(self.sound, number, f"{name} {len(self.inputs)}")
                    for name, number in self.sound.inputs.items()
                }
            )
        return self.inputs[clock]

    def _run(
        self, netlist: Netlist, state: State, clock: int, reset: str
    ) -> tuple[State, State, list[Term]]:
        """(outputs, next state, what is given)."""
        key = (netlist, clock, reset, *state.values())
        if key in self._runs:
            return self._runs[key]
        inputs = self.given(clock) | ({RESET: self.terms.constant(reset)} if reset else {})
        known = {number: inputs[name] for name, number in netlist.inputs.items()}
        known |= {number: state[name] for name, number in netlist.states.items()}
        roots = {f"o {n}": k for n, k in netlist.outputs.items()}
        roots |= {f"s {n}": k for n, k in netlist.nexts.items()}
        roots |= {f"g {k}": k for k in netlist.given}
        made = self.terms.work_out(netlist, roots, known)
        outputs = {n: made[f"o {n}"] for n in netlist.outputs}
        given = [self.terms.truth(made[f"g {k}"]) for k in netlist.given]
        # A state without a next one keeps its value.
        after = {n: made.get(f"s {n}", state[n]) for n in netlist.states}
        return self._runs.setdefault(key, (outputs, after, given))

    def step(self, sound: State, mutant: State, clock: int, reset: str = "") -> Step:
        """A clock of both; `reset`: "0" or "1", if it is known."""
        outputs, sound_after, given = self._run(self.sound, sound, clock, reset)
        others, mutant_after, _ = self._run(self.mutant, mutant, clock, reset)
        return self._step((outputs, others), sound_after, mutant_after, given)

    def settled(self, step: Step, held: list[Term]) -> Step:
        """A step of which all is given that is held; terms that are then the same are."""
        known = self._cut.setdefault(tuple(held), {})
        seconds = CUTTING * max(0, self.end - time.process_time())
        cuts = Cuts(self.terms, held, seconds, known=known)
        sound, mutant = self.simplified(step.sound), self.simplified(step.mutant)
        shown = self.simplified(step.shown[0]), self.simplified(step.shown[1])
        mutant = cuts.settled({n: t for n, t in sound.items() if n in self.observed}, mutant)
        return self._step((shown[0], cuts.settled(*shown)), sound, mutant, step.given)

    def simplified(self, state: State) -> State:
        """The same in simpler terms."""
        return {name: self._simple.simplify_term(term) for name, term in state.items()}

    def _step(
        self, shown: tuple[State, State], sound: State, mutant: State, given: list[Term]
    ) -> Step:
        states = {n: t for n, t in self.differing(sound, mutant) if n in self.observed}
        return Step(dict(self._seen(*shown)), states, sound, mutant, given, shown)

    def differing(
        self, one: Mapping[str, Term], other: Mapping[str, Term]
    ) -> Iterator[tuple[str, Term]]:
        """Terms that say that two values differ, of all that are not the same."""
        for name, term in one.items():
            if term != other[name]:
                yield name, self.terms.differ(term, other[name])

    def _seen(self, sound: State, mutant: State) -> Iterator[tuple[str, Term]]:
        """The same of outputs; of the flits of links only what means something."""
        for name, differ in self.differing(sound, mutant):
            link = re.fullmatch("(.*)(flit|word)_o", name)
            valid = sound.get(f"{link[1]}valid_o") if link else None
            if valid is None:
                yield name, differ
            else:
                both = sound[name], mutant[name]
                yield name, flits_differ(self.terms, both, valid, self.recorded)

    def known(self, step: Step, state: State, contract: bool, reset: Term) -> list[Term]:
        """What is always true of a sound state after a reset; `contract`: if inputs keep to it.

        `reset`: whether there is one in this clock.
        Only what tells of a register on which something depends that may differ after a step.
        """
        near: set[str] = set()
        for netlist, needed in zip((self.sound, self.mutant), self._needed, strict=True):
            lines = [netlist.outputs[n] for n in step.outputs]
            lines += [netlist.nexts[n] for n in step.states if n in netlist.nexts]
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
        """Registers, no memories, that a reset sets to what is known."""
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
        """Whether the time is up."""
        return time.process_time() > self.end

    def solve(self, *asserted: Term) -> Bitwuzla | None:
        """A solver that has values for which all is true; None if there are none."""
        return self.answer(solver(self.terms, self.late, asserted))

    def answer(self, asked: Bitwuzla, *assumed: Term) -> Bitwuzla | None:
        """The same of a solver of which more may be asked."""
        # CPU time: a busy machine decides nothing.
        result = asked.check_sat(*assumed)
        if result == Result.UNKNOWN or self.late():
            raise OutOfTime
        return asked if result == Result.SAT else None


class Asked:
    """Questions that come one after the other, of what holds in all of them."""

    def __init__(self, pair: Pair, held: Sequence[Term]) -> None:
        self.pair, self.held = pair, held

    @cached_property
    def _shared(self) -> Bitwuzla:
        return solver(self.pair.terms, self.pair.late, self.held, easy=True)

    def model(self, term: Term) -> Bitwuzla | None:
        """As Pair.solve of this and what holds."""
        return self.pair.answer(self._shared, term)
