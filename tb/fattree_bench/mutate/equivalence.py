"""Whether a mutant can be told from the sound network at all: by SAT modulo bit-vectors.

Both start in the same state, whatever it is, with a clock of reset, and get the same inputs.  The
rules that the RTL checks are given of the sound network, so its inputs keep to its contract.

Registers on which no output ever depends do not count, nor does what a link carries while it is
idle.

one step    with equal states and inputs, next states and outputs are equal: in any state
relation    states that differ in registers which hold nothing at the time stay so: see relation.py
search      from reset, each with states of its own: the first clock in which an output differs
induction   registers in which they may differ are left out, and free in both: if after k clocks
            in which all outputs and all other registers were equal they are equal once more, and
            are so for k clocks after reset, they are for ever
"""

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bitwuzla import Bitwuzla, Option, Options, Result, Term

from fattree_bench.mutate.btor import (
    NOWHERE,
    Netlist,
    State,
    Terms,
    is_true,
    observed,
    rename_lost,
)
from fattree_bench.mutate.flits import flits_differ
from fattree_bench.mutate.relation import Relation

EQUIVALENT = "equivalent"  # proved
DIFFERENT = "different"  # with inputs that show it
UNDECIDED = "undecided"
RESET = "rst"
DEPTHS = (2, 4, 8, 12)  # clocks of search and induction


@dataclass(frozen=True)
class Finding:
    """What is known of a mutant that no test killed.

    Attributes
    ----------
    how : the proof, or the output that differs and when.
    inputs : by clock, of a mutant that is different: numbers by port; the first clock is reset.
    seconds : CPU time that it took.
    """

    number: int
    what: str
    how: str
    inputs: list[dict[str, str]] = field(default_factory=list)
    seconds: float = 0.0


class OutOfTime(Exception):
    """The solver did not decide in the time it was given."""


class Checker:
    """Compares mutants with one sound network.

    Parameters
    ----------
    seconds : CPU time for each mutant.
    recorded : bits of a flit's data and of its list of hops, which only heads have; 0, 0: unknown.
    """

    def __init__(self, sound: Netlist, seconds: float, recorded: tuple[int, int] = (0, 0)) -> None:
        self.sound = sound
        self.seconds = seconds
        self.recorded = recorded

    def check(self, number: int, mutant: Netlist) -> Finding:
        """What can be known of a mutant in the given time."""
        start = time.process_time()
        pair = Pair(self.sound, mutant, start + self.seconds, self.recorded)
        try:
            what, how, inputs = pair.compare()
        except OutOfTime:
            what, how, inputs = UNDECIDED, f"no answer in {self.seconds:g} s", []
        return Finding(number, what, how, inputs, round(time.process_time() - start, 2))


Answer = tuple[str, str, list[dict[str, str]]]


@dataclass(frozen=True)
class Step:
    """A clock of both: what may differ, by name, as terms that say so; and the next states.

    Attributes
    ----------
    given : what the rules of the RTL say of the sound network.
    """

    outputs: dict[str, Term]
    states: dict[str, Term]
    sound: State
    mutant: State
    given: list[Term]


class Pair:
    """A mutant beside the sound network, clock by clock."""

    def __init__(
        self, sound: Netlist, mutant: Netlist, end: float, recorded: tuple[int, int]
    ) -> None:
        self.sound, self.mutant, self.end, self.recorded = sound, mutant, end, recorded
        rename_lost(mutant, sound)
        self.observed = observed(sound, mutant)
        self.terms = Terms()
        self.make = self.terms.manager.mk_term
        self._inputs: list[dict[str, Term]] = []
        self._apart: list[Step] = []  # from reset

    def compare(self) -> Answer:
        """(EQUIVALENT, DIFFERENT or UNDECIDED, why, inputs)."""
        free = self.state("free")
        step = self.step(free, free, 0)
        differing = [*step.outputs.values(), *step.states.values()]
        if not differing:
            return EQUIVALENT, "nothing depends on it", []
        if not self.solve(self.terms.any(differing), *step.given):
            return EQUIVALENT, "one step", []
        relation = Relation(self, free)
        if relation.holds():
            return EQUIVALENT, f"a relation: {len(relation.loose)} bits or words may differ", []
        for depth in DEPTHS:
            if found := self._search(depth):
                return found
            if self._inductive(depth):
                return EQUIVALENT, f"induction over {depth} clocks", []
        return UNDECIDED, f"the same for {DEPTHS[-1]} clocks after reset, no proof for ever", []

    def cleared(self) -> set[str]:
        """Registers, no memories, that a reset sets to what is known."""
        rst = {RESET: self.terms.constant("1")}
        known = {k: (self._given(0) | rst)[n] for n, k in self.sound.inputs.items()}
        free = self.state("free")
        known |= {number: free[name] for name, number in self.sound.states.items()}
        after = self.terms.work_out(self.sound, self.sound.nexts, known)
        simple = Bitwuzla(self.terms.manager, Options())
        return {
            name
            for name, term in after.items()
            if term.sort().is_bv() and simple.simplify_term(term).is_value()
        }

    # ---- proofs ----------------------------------------------------------------------------------

    def _search(self, depth: int) -> Answer | None:
        """Inputs for which an output differs within `depth` clocks of a reset; None: none.

        Outputs before the end of the first reset mean nothing.
        """
        if not self._apart:
            state = self.state("free")
            self._apart.append(self.step(state, state, 0))
        for clock in range(len(self._apart), depth + 1):
            before = self._apart[-1]
            step = self.step(before.sound, before.mutant, clock)
            self._apart.append(step)
            if step.outputs and (
                model := self.solve(
                    self.terms.any(step.outputs.values()), self._reset(), *self._given_until(clock)
                )
            ):
                shown = [n for n, term in step.outputs.items() if is_true(model.get_value(term))]
                return (
                    DIFFERENT,
                    f"{', '.join(shown)} {clock} clocks after reset",
                    (self._witness(model, clock)),
                )
        return None

    def _inductive(self, depth: int) -> bool:
        """Whether equal outputs and registers stay so, but for registers that do not matter."""
        loose = {name for name, number in self.mutant.states.items() if number == NOWHERE}
        while True:
            more = self._loose(depth, loose)
            if more is None:
                return False
            if not more:
                break
            loose |= more
        # The base: `depth` clocks after reset, whose outputs the search has found equal.
        differing = [
            term
            for step in self._apart[:depth]
            for name, term in step.states.items()
            if name not in loose
        ]
        return not differing or not self.solve(
            self.terms.any(differing), self._reset(), *self._given_until(depth)
        )

    def _loose(self, depth: int, loose: set[str]) -> set[str] | None:
        """Registers that must be left out, too, for the induction; None: an output differs."""
        sound = self.state("free")
        mutant = sound | {n: t for n, t in self.state("other").items() if n in loose}
        held: list[Term] = []
        for clock in range(depth):
            step = self.step(sound, mutant, clock)
            firm = {n: t for n, t in step.states.items() if n not in loose}
            held += step.given
            if clock < depth - 1:
                held += map(self.terms.negated, (*step.outputs.values(), *firm.values()))
            # What is held equal is the same term: the less there is to solve.
            sound = step.sound
            mutant = sound | {n: step.mutant[n] for n in loose}
        if not step.outputs and not firm:
            return set()
        model = self.solve(self.terms.any([*step.outputs.values(), *firm.values()]), *held)
        if model is None:
            return set()
        if any(is_true(model.get_value(term)) for term in step.outputs.values()):
            return None
        return {name for name, term in firm.items() if is_true(model.get_value(term))}

    def _witness(self, model: Bitwuzla, clock: int) -> list[dict[str, str]]:
        return [
            {name: hex(int(model.get_value(term).value(2), 2)) for name, term in row.items()}
            for row in self._inputs[: clock + 1]
        ]

    # ---- clocks ----------------------------------------------------------------------------------

    def state(self, name: str) -> State:
        """A state of which nothing is known."""
        return {
            state: self.terms.fresh(self.sound, number, f"{name} {state}")
            for state, number in self.sound.states.items()
        }

    def _given(self, clock: int) -> dict[str, Term]:
        """Inputs of a clock."""
        while len(self._inputs) <= clock:
            self._inputs.append(
                {
                    name: self.terms.fresh(self.sound, number, f"{name} {len(self._inputs)}")
                    for name, number in self.sound.inputs.items()
                }
            )
        return self._inputs[clock]

    def _run(
        self, netlist: Netlist, state: State, clock: int
    ) -> tuple[dict[str, Term], State, list[Term]]:
        """(outputs, next state, what is given)."""
        inputs = self._given(clock)
        known = {number: inputs[name] for name, number in netlist.inputs.items()}
        known |= {number: state[name] for name, number in netlist.states.items()}
        roots = {f"o {n}": k for n, k in netlist.outputs.items()}
        roots |= {f"s {n}": k for n, k in netlist.nexts.items()}
        roots |= {f"g {k}": k for k in netlist.given}
        made = self.terms.work_out(netlist, roots, known)
        outputs = {n: made[f"o {n}"] for n in netlist.outputs}
        given = [self.terms.truth(made[f"g {k}"]) for k in netlist.given]
        # A state without a next one keeps its value.
        return outputs, {n: made.get(f"s {n}", state[n]) for n in netlist.states}, given

    def step(self, sound: State, mutant: State, clock: int) -> Step:
        """A clock of both."""
        outputs, sound_after, given = self._run(self.sound, sound, clock)
        others, mutant_after, _ = self._run(self.mutant, mutant, clock)
        return Step(
            dict(self._seen(outputs, others)),
            {n: t for n, t in self.differing(sound_after, mutant_after) if n in self.observed},
            sound_after,
            mutant_after,
            given,
        )

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
            valid = sound.get(re.sub("flit_o$", "valid_o", name))
            flits = sound[name], mutant[name]
            masked = name.endswith("flit_o") and valid is not None
            yield name, flits_differ(self.terms, flits, valid, self.recorded) if masked else differ

    def _given_until(self, clock: int) -> list[Term]:
        """What is given in the clocks from reset to this one."""
        return [term for step in self._apart[: clock + 1] for term in step.given]

    # ---- logic -----------------------------------------------------------------------------------

    def _reset(self) -> Term:
        """The first clock is reset."""
        return self.terms.truth(self._given(0)[RESET])

    def _late(self) -> bool:
        return time.process_time() > self.end

    def solve(self, *asserted: Term) -> Bitwuzla | None:
        """A solver that has values for which all is true; None if there are none."""
        options = Options()
        options.set(Option.PRODUCE_MODELS, True)
        solver = Bitwuzla(self.terms.manager, options)
        # CPU time: a busy machine decides nothing.
        solver.configure_terminator(self._late)
        for term in asserted:
            solver.assert_formula(term)
        result = solver.check_sat()
        if result == Result.UNKNOWN or self._late():
            raise OutOfTime
        return solver if result == Result.SAT else None


def has_clock_fault(port: str) -> bool:
    """Whether a fault is in a clock, which terms know nothing of."""
    return "CLK" in port
