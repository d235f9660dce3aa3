"""Whether a mutant can be told from the sound system at all: by SAT modulo bit-vectors.

Both start in the same state, whatever it is, with a clock of reset, and get the same inputs.  The
rules that the RTL checks are given of the sound system, so its inputs keep to its contract.

Registers on which no output ever depends do not count, nor does what a link carries while it is
idle.

one step    with equal states and inputs, next states and outputs are equal: in any state
relation    states that differ in registers which hold nothing at the time stay so: see relation.py
round       the same, from one round of a counter to the next
search      from reset, each with states of its own: the first clock in which an output differs
induction   registers in which they may differ are left out, and free in both: if after k clocks
            in which all outputs and all other registers were equal they are equal once more, and
            are so for k clocks after reset, they are for ever

Each gets a part of the time, and if that was too little, a larger one once all others had theirs.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from bitwuzla import Bitwuzla, Term

from fattree_bench.prover.btor import NOWHERE, RESET, State, System, is_true
from fattree_bench.prover.counters import ALWAYS, Counter, counters
from fattree_bench.prover.hints import NONE, Hints
from fattree_bench.prover.known import Known
from fattree_bench.prover.pair import OutOfTime, Pair, Step
from fattree_bench.prover.relation import Relation

EQUIVALENT = "equivalent"  # proved, for all inputs
CONTRACT = "under contract"  # equivalent for all inputs that keep to the rules: proved
SAME = (EQUIVALENT, CONTRACT)
DIFFERENT = "different"  # with inputs that show it
UNDECIDED = "undecided"
DEPTHS = (2, 4, 8, 12)  # clocks of search and induction
SHARES = (0.04, 0.15, 0.5, 1)  # of the time, for an attempt of weight 1
# Weights.  Relations get more: they go on where their time ran out, others begin again.
RELATION, ROUND, FOLLOWED = 2.0, 1.5, 0.5
FREELY = 0.5  # a relation without the rules, if there are rules
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

    what: str
    how: str
    inputs: list[dict[str, str]] = field(default_factory=list)
    seconds: float = 0.0


def compare(
    sound: System,
    mutant: System,
    seconds: float,
    hints: Hints = NONE,
    lemmas: Sequence[Known] = (),
) -> Finding:
    """What can be known of a mutant in so much CPU time.

    Raises
    ------
    ValueError : it has other registers than the sound system.
    """
    start = time.process_time()
    try:
        pair = Pair(sound, mutant, start + seconds, hints, lemmas)
        what, how, inputs = Proofs(pair).compare()
    except OutOfTime:
        what, how, inputs = UNDECIDED, f"no answer in {seconds:g} s", []
    return Finding(what, how, inputs, round(time.process_time() - start, 2))


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
        left, end = self._attempts(free), self.pair.end
        seconds = end - time.process_time()
        for share in SHARES:
            late = []
            for weight, attempt in left:
                if (now := time.process_time()) > end:
                    raise OutOfTime
                self.pair.end = min(end, now + weight * share * seconds)
                try:
                    if found := attempt():
                        return found
                except OutOfTime:
                    late.append((weight, attempt))
            left = late
        if left:
            raise OutOfTime
        return UNDECIDED, f"the same for {DEPTHS[-1]} clocks after reset, no proof for ever", []

    def _attempts(self, free: State) -> list[tuple[float, Callable[[], Answer | None]]]:
        """From the least to the most, with their weights."""
        ruled = bool(self.pair.sound.given)
        proved = CONTRACT if ruled else EQUIVALENT

        def related(contract: bool, counter: Counter) -> Callable[[], Answer | None]:
            return partial(self._related, Relation(self.pair, free, contract, counter))

        made: list[tuple[float, Callable[[], Answer | None]]]
        made = [(FREELY, related(False, ALWAYS))] if ruled else []
        made.append((RELATION, related(ruled, ALWAYS)))
        for depth in DEPTHS:
            for counter in counters(self.pair.sound) if depth == LONG else ():
                made.append((ROUND, related(ruled, counter)))
            made.append((FOLLOWED, partial(self._followed, proved, depth)))
        return made

    def _related(self, relation: Relation) -> Answer | None:
        if not relation.holds():
            return None
        counter, what = relation.counter, CONTRACT if relation.contract else EQUIVALENT
        how = "lemmas"
        if counter.names:
            how = f"once round {' and '.join(counter.names)}, {counter.clocks} clocks"
        elif loose := len(relation.loose[False]):
            how = f"a relation: {loose} bits or words may differ"
        return what, how, []

    def _followed(self, proved: str, depth: int) -> Answer | None:
        if found := self._search(depth):
            return found
        return (proved, f"induction over {depth} clocks", []) if self._inductive(depth) else None

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
            if step.outputs and (
                model := self.pair.solve(
                    self.terms.any(step.outputs.values()), *self._from_reset([*self._apart, step])
                )
            ):
                shown = [n for n, term in step.outputs.items() if is_true(model.get_value(term))]
                return (
                    DIFFERENT,
                    f"{', '.join(shown)} {clock} clocks after reset",
                    (self._witness(model, clock)),
                )
            self._apart.append(step)
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
            self.terms.any(differing), *self._from_reset(self._apart[: depth + 1])
        )

    def _loose(self, depth: int, loose: set[str]) -> set[str] | None:
        """Registers that must be left out, too, for the induction; None: an output differs."""
        sound = self.pair.state("free")
        mutant = sound | {n: t for n, t in self.pair.state("other").items() if n in loose}
        held: list[Term] = []
        for clock in range(depth):
            step = self.pair.step(sound, mutant, clock)
            if not clock:
                reset = self.terms.truth(self.pair.given(0)[RESET])
                held += self.pair.known(step, sound, True, reset)
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

    def _from_reset(self, steps: list[Step]) -> list[Term]:
        """The first of these clocks is a reset; with what is given in all."""
        reset = self.terms.truth(self.pair.given(0)[RESET])
        return [reset, *(term for step in steps for term in step.given)]
