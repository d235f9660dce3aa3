"""Whether a mutant can be told from the sound network at all: by SAT modulo bit-vectors.

Both start in the same state, whatever it is, with a clock of reset, and get the same inputs.

Registers on which no output ever depends do not count.

one step    with equal states and inputs, next states and outputs are equal: in any state
search      from reset, each with states of its own: the first clock in which an output differs
induction   registers in which they may differ are left out, and free in both: if after k clocks
            in which all outputs and all other registers were equal they are equal once more, and
            are so for k clocks after reset, they are for ever
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bitwuzla import Bitwuzla, Kind, Option, Options, Result, Term

from fattree_bench.mutate.btor import NOWHERE, Netlist, Terms, observed, rename_lost

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
    """

    def __init__(self, sound: Netlist, seconds: float) -> None:
        self.sound = sound
        self.seconds = seconds

    def check(self, number: int, mutant: Netlist) -> Finding:
        """What can be known of a mutant in the given time."""
        start = time.process_time()
        pair = Pair(self.sound, mutant, start + self.seconds)
        try:
            what, how, inputs = pair.compare()
        except OutOfTime:
            what, how, inputs = UNDECIDED, f"no answer in {self.seconds:g} s", []
        return Finding(number, what, how, inputs, round(time.process_time() - start, 2))


Answer = tuple[str, str, list[dict[str, str]]]
State = dict[str, Term]


@dataclass(frozen=True)
class Step:
    """A clock of both: what may differ, by name, as terms that say so; and the next states."""

    outputs: dict[str, Term]
    states: dict[str, Term]
    sound: State
    mutant: State


class Pair:
    """A mutant beside the sound network, clock by clock."""

    def __init__(self, sound: Netlist, mutant: Netlist, end: float) -> None:
        self.sound, self.mutant, self.end = sound, mutant, end
        rename_lost(mutant, sound)
        self.observed = observed(sound, mutant)
        self.terms = Terms()
        self.make = self.terms.manager.mk_term
        self._inputs: list[dict[str, Term]] = []
        self._apart: list[Step] = []  # from reset

    def compare(self) -> Answer:
        """(EQUIVALENT, DIFFERENT or UNDECIDED, why, inputs)."""
        free = self._state("free")
        step = self._step(free, free, 0)
        differing = [*step.outputs.values(), *step.states.values()]
        if not differing:
            return EQUIVALENT, "nothing depends on it", []
        if not self._solve(self._any(differing)):
            return EQUIVALENT, "one step", []
        for depth in DEPTHS:
            if found := self._search(depth):
                return found
            if self._inductive(depth):
                return EQUIVALENT, f"induction over {depth} clocks", []
        return UNDECIDED, f"the same for {DEPTHS[-1]} clocks after reset, no proof for ever", []

    # ---- proofs ----------------------------------------------------------------------------------

    def _search(self, depth: int) -> Answer | None:
        """Inputs for which an output differs within `depth` clocks of a reset; None: none.

        Outputs before the end of the first reset mean nothing.
        """
        if not self._apart:
            state = self._state("free")
            self._apart.append(self._step(state, state, 0))
        for clock in range(len(self._apart), depth + 1):
            before = self._apart[-1]
            step = self._step(before.sound, before.mutant, clock)
            self._apart.append(step)
            if step.outputs and (
                model := self._solve(self._any(step.outputs.values()), self._reset())
            ):
                shown = [n for n, term in step.outputs.items() if _true(model.get_value(term))]
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
        return not differing or not self._solve(self._any(differing), self._reset())

    def _loose(self, depth: int, loose: set[str]) -> set[str] | None:
        """Registers that must be left out, too, for the induction; None: an output differs."""
        sound = self._state("free")
        mutant = sound | {n: t for n, t in self._state("other").items() if n in loose}
        held: list[Term] = []
        for clock in range(depth):
            step = self._step(sound, mutant, clock)
            firm = {n: t for n, t in step.states.items() if n not in loose}
            if clock < depth - 1:
                held += map(self._not, (*step.outputs.values(), *firm.values()))
            # What is held equal is the same term: the less there is to solve.
            sound = step.sound
            mutant = sound | {n: step.mutant[n] for n in loose}
        if not step.outputs and not firm:
            return set()
        model = self._solve(self._any([*step.outputs.values(), *firm.values()]), *held)
        if model is None:
            return set()
        if any(_true(model.get_value(term)) for term in step.outputs.values()):
            return None
        return {name for name, term in firm.items() if _true(model.get_value(term))}

    def _witness(self, model: Bitwuzla, clock: int) -> list[dict[str, str]]:
        return [
            {name: hex(int(model.get_value(term).value(2), 2)) for name, term in row.items()}
            for row in self._inputs[: clock + 1]
        ]

    # ---- clocks ----------------------------------------------------------------------------------

    def _state(self, name: str) -> State:
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

    def _run(self, netlist: Netlist, state: State, clock: int) -> tuple[dict[str, Term], State]:
        """(outputs, next state)."""
        inputs = self._given(clock)
        known = {number: inputs[name] for name, number in netlist.inputs.items()}
        known |= {number: state[name] for name, number in netlist.states.items()}
        roots = {f"o {n}": k for n, k in netlist.outputs.items()}
        roots |= {f"s {n}": k for n, k in netlist.nexts.items()}
        made = self.terms.work_out(netlist, roots, known)
        outputs = {n: made[f"o {n}"] for n in netlist.outputs}
        # A state without a next one keeps its value.
        return outputs, {n: made.get(f"s {n}", state[n]) for n in netlist.states}

    def _step(self, sound: State, mutant: State, clock: int) -> Step:
        """A clock of both."""
        outputs, sound_after = self._run(self.sound, sound, clock)
        others, mutant_after = self._run(self.mutant, mutant, clock)
        return Step(
            dict(self._differing(outputs, others)),
            {n: t for n, t in self._differing(sound_after, mutant_after) if n in self.observed},
            sound_after,
            mutant_after,
        )

    def _differing(
        self, one: Mapping[str, Term], other: Mapping[str, Term]
    ) -> Iterator[tuple[str, Term]]:
        """Terms that say that two values differ, of all that are not the same."""
        for name, term in one.items():
            if term != other[name]:
                yield name, self.make(Kind.DISTINCT, [term, other[name]])

    # ---- logic -----------------------------------------------------------------------------------

    def _any(self, terms: Iterable[Term]) -> Term:
        listed = list(terms)
        if not listed:
            return self.terms.manager.mk_false()
        return self.make(Kind.OR, listed) if len(listed) > 1 else listed[0]

    def _not(self, term: Term) -> Term:
        return self.make(Kind.NOT, [term])

    def _reset(self) -> Term:
        """The first clock is reset."""
        return self.terms.truth(self._given(0)[RESET])

    def _late(self) -> bool:
        return time.process_time() > self.end

    def _solve(self, *asserted: Term) -> Bitwuzla | None:
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


def _true(term: Term) -> bool:
    return bool(term.is_true())
