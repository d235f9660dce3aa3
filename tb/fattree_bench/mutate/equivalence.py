"""Whether a mutant can be told from the sound network at all: by SAT modulo bit-vectors.

Both start in the same state, whatever it is, with a clock of reset, and get the same inputs.  The
rules that the RTL checks are given of the sound network, so its inputs keep to its contract.

Registers on which no output ever depends do not count, nor does what a link carries while it is
idle.

one step    with equal states and inputs, next states and outputs are equal: in any state
relation    states that differ in registers which hold nothing at the time stay so: see relation.py
round       once round a counter, all registers being equal at its beginning: see round.py
search      from reset, each with states of its own: the first clock in which an output differs
induction   registers in which they may differ are left out, and free in both: if after k clocks
            in which all outputs and all other registers were equal they are equal once more, and
            are so for k clocks after reset, they are for ever
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from bitwuzla import Bitwuzla, Term

from fattree_bench.mutate.btor import NOWHERE, Netlist, is_true
from fattree_bench.mutate.lemmas import Lemma
from fattree_bench.mutate.pair import RESET, OutOfTime, Pair, Step
from fattree_bench.mutate.relation import Relation
from fattree_bench.mutate.round import Round

EQUIVALENT = "equivalent"  # proved, for all inputs
CONTRACT = "under contract"  # equivalent for all inputs that keep to the rules: proved
SAME = (EQUIVALENT, CONTRACT)
DIFFERENT = "different"  # with inputs that show it
UNDECIDED = "undecided"
DEPTHS = (2, 4, 8, 12)  # clocks of search and induction
LONG = 8  # what takes so many comes after a round


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


class Checker:
    """Compares mutants with one sound network.

    Parameters
    ----------
    seconds : CPU time for each mutant.
    recorded : bits of a flit's data and of its list of hops, which only heads have; 0, 0: unknown.
    lemmas : what is always true of the sound network.
    """

    def __init__(
        self,
        sound: Netlist,
        seconds: float,
        recorded: tuple[int, int] = (0, 0),
        lemmas: Sequence[Lemma] = (),
    ) -> None:
        self.sound = sound
        self.seconds = seconds
        self.recorded = recorded
        self.lemmas = lemmas

    def check(self, number: int, mutant: Netlist) -> Finding:
        """What can be known of a mutant in the given time."""
        start = time.process_time()
        end = start + self.seconds
        try:
            pair = Pair(self.sound, mutant, end, self.recorded, self.lemmas)
            what, how, inputs = Proofs(pair).compare()
        except OutOfTime:
            what, how, inputs = UNDECIDED, f"no answer in {self.seconds:g} s", []
        return Finding(number, what, how, inputs, round(time.process_time() - start, 2))


Answer = tuple[str, str, list[dict[str, str]]]


class Proofs:
    """What is asked of a pair, from the least to the most."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.terms = pair, pair.terms
        self._apart: list[Step] = []  # from reset

    def compare(self) -> Answer:
        """(EQUIVALENT, DIFFERENT or UNDECIDED, why, inputs)."""
        free = self.pair.state("free")
        step = self.pair.step(free, free, 0)
        differing = [*step.outputs.values(), *step.states.values()]
        if not differing:
            return EQUIVALENT, "nothing depends on it", []
        if not self.pair.solve(self.terms.any(differing)):
            return EQUIVALENT, "one step", []
        ruled = bool(self.pair.sound.given)
        for what in (EQUIVALENT, CONTRACT) if ruled else (EQUIVALENT,):
            relation = Relation(self.pair, free, what == CONTRACT)
            if relation.holds():
                loose = len(relation.loose)
                how = f"a relation: {loose} bits or words may differ" if loose else "lemmas"
                return what, how, []
        turn, proved = Round(self.pair, ruled), CONTRACT if ruled else EQUIVALENT
        for depth in DEPTHS:
            if depth == LONG and turn.holds():
                return proved, f"once round {turn.counter}, {turn.clocks} clocks", []
            if found := self._search(depth):
                return found
            if self._inductive(depth):
                return proved, f"induction over {depth} clocks", []
        return UNDECIDED, f"the same for {DEPTHS[-1]} clocks after reset, no proof for ever", []

    # ---- proofs ----------------------------------------------------------------------------------

    def _search(self, depth: int) -> Answer | None:
        """Inputs for which an output differs within `depth` clocks of a reset; None: none.

        Outputs before the end of the first reset mean nothing.
        """
        if not self._apart:
            state = self.pair.state("free")
            self._apart.append(self.pair.step(state, state, 0))
        for clock in range(len(self._apart), depth + 1):
            before = self._apart[-1]
            step = self.pair.step(before.sound, before.mutant, clock)
            self._apart.append(step)
            if step.outputs and (
                model := self.pair.solve(
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
        loose = {name for name, number in self.pair.mutant.states.items() if number == NOWHERE}
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
        return not differing or not self.pair.solve(
            self.terms.any(differing), self._reset(), *self._given_until(depth)
        )

    def _loose(self, depth: int, loose: set[str]) -> set[str] | None:
        """Registers that must be left out, too, for the induction; None: an output differs."""
        sound = self.pair.state("free")
        mutant = sound | {n: t for n, t in self.pair.state("other").items() if n in loose}
        held: list[Term] = []
        for clock in range(depth):
            step = self.pair.step(sound, mutant, clock)
            if not clock:
                held += self.pair.known(step, sound, contract=True)
            firm = {n: t for n, t in step.states.items() if n not in loose}
            held += step.given
            if clock < depth - 1:
                held += map(self.terms.negated, (*step.outputs.values(), *firm.values()))
            # What is held equal is the same term: the less there is to solve.
            sound = step.sound
            mutant = sound | {n: step.mutant[n] for n in loose}
        if not step.outputs and not firm:
            return set()
        model = self.pair.solve(self.terms.any([*step.outputs.values(), *firm.values()]), *held)
        if model is None:
            return set()
        if any(is_true(model.get_value(term)) for term in step.outputs.values()):
            return None
        return {name for name, term in firm.items() if is_true(model.get_value(term))}

    def _witness(self, model: Bitwuzla, clock: int) -> list[dict[str, str]]:
        return [
            {name: hex(int(model.get_value(term).value(2), 2)) for name, term in row.items()}
            for row in self.pair.inputs[: clock + 1]
        ]

    def _given_until(self, clock: int) -> list[Term]:
        """What is given in the clocks from reset to this one."""
        return [term for step in self._apart[: clock + 1] for term in step.given]

    def _reset(self) -> Term:
        """The first clock is reset."""
        return self.terms.truth(self.pair.given(0)[RESET])


def has_clock_fault(port: str) -> bool:
    """Whether a fault is in a clock, which terms know nothing of."""
    return "CLK" in port
