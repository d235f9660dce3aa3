"""Whether any input can distinguish a mutant from the sound system.

Both start in the same arbitrary state with a clock of reset and get the same inputs.  The rules
that the RTL checks are assumed for the sound system, so inputs keep to its contract.  Registers
that no output depends on do not count, nor do words on idle links.

one step    from equal states and inputs, outputs and next states are equal
relation    states that differ only in registers whose content is unused stay so: relation.py
round       the same from one round of a counter to the next
search      bounded model checking from reset
induction   k-induction on equality of all outputs and of those registers that stay equal

Each attempt gets a share of the time; those that ran out of it get a larger one in the next pass.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from bitwuzla import Bitwuzla, Term

from fattree_prover.btor import NOWHERE, RESET, State, System, is_true
from fattree_prover.counters import ALWAYS, Counter, counters
from fattree_prover.hints import NONE, Hints
from fattree_prover.known import Known
from fattree_prover.pair import OutOfTime, Pair, Step
from fattree_prover.relation import Relation

EQUIVALENT = "equivalent"  # proved for all inputs
CONTRACT = "under contract"  # proved for all inputs that keep to the rules
SAME = (EQUIVALENT, CONTRACT)
DIFFERENT = "different"  # inputs that distinguish them are known
UNDECIDED = "undecided"
DEPTHS = (2, 4, 8, 12)  # clocks of search and induction
SHARES = (0.04, 0.15, 0.5, 1)  # of the time, for an attempt of weight 1
# Weights.  Relations get more: they resume where their time ran out, others start over.
RELATION, ROUND, FOLLOWED = 2.0, 1.5, 0.5
FREELY = 0.5  # a relation that ignores the rules
LONG = 8  # depths from here on come after rounds


@dataclass(frozen=True)
class Finding:
    """The result for one mutant.

    Attributes
    ----------
    what : EQUIVALENT, CONTRACT, DIFFERENT or UNDECIDED.
    how : the proof, or which output differs and when.
    inputs : of a DIFFERENT mutant, values by port for each clock; the first one is reset.
    seconds : CPU time used.
    """

    what: str
    how: str
    inputs: list[dict[str, str]] = field(default_factory=list)
    seconds: float = 0.0


def compare(
    sound: System, mutant: System, seconds: float, hints: Hints = NONE, lemmas: Sequence[Known] = ()
) -> Finding:
    """Compare a mutant with the sound system within `seconds` of CPU time.

    Raises
    ------
    ValueError : the mutant has other registers than the sound system.
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
    """The attempts on a pair, from the cheapest to the most expensive."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.terms = pair, pair.terms
        self._apart: list[Step] = []  # from reset

    def compare(self) -> Answer:
        """(what, how, inputs), as in `Finding`."""
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
        return UNDECIDED, f"equal for {DEPTHS[-1]} clocks after reset, not proved further", []

    def _attempts(self, free: State) -> list[tuple[float, Callable[[], Answer | None]]]:
        """Attempts with their weights."""
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
            how = f"one round of {' and '.join(counter.names)}, {counter.clocks} clocks"
        elif loose := len(relation.loose[False]):
            how = f"a relation: {loose} bits or words may differ"
        return what, how, []

    def _followed(self, proved: str, depth: int) -> Answer | None:
        if found := self._search(depth):
            return found
        return (proved, f"induction over {depth} clocks", []) if self._inductive(depth) else None

    # ---- proofs ----------------------------------------------------------------------------------

    def _search(self, depth: int) -> Answer | None:
        """Inputs that make an output differ within `depth` clocks of a reset; None: there are none.

        Outputs before the end of the first reset do not count.
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
        """Whether outputs and registers stay equal, apart from registers that may differ."""
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
        """Further registers to leave out of the induction; None: an output differs."""
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
            # Equal registers are the same term, which leaves less to solve.
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
        """The first clock is a reset, and the rules hold in all."""
        reset = self.terms.truth(self.pair.given(0)[RESET])
        return [reset, *(term for step in steps for term in step.given)]
