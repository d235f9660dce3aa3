"""Internal equivalences: terms of a mutant that cannot differ from those of the sound system.

From the fault towards the outputs, a solver compares terms in corresponding places.  Where they
are equal, the mutant gets the sound term, so the fault ends there: a wrong grant that can never be
requested is settled without the data path behind it.
"""

import time
from collections.abc import Iterable, Mapping, Sequence

from bitwuzla import Result, Term

from fattree_bench.prover.btor import Terms
from fattree_bench.prover.lemmas import solver

Two = tuple[Term, Term]  # of the sound system, of the mutant

WIDEST = 64  # bits of terms that are asked about
TRIES = 400  # queries


class Cuts:
    """Replaces terms of a mutant.

    Parameters
    ----------
    held : assumptions.
    seconds : CPU time for all queries.
    each : CPU time for one query.
    known : earlier answers under the same assumptions, whether terms can differ; grows.
    """

    def __init__(
        self,
        terms: Terms,
        held: Sequence[Term],
        seconds: float,
        each: float = 1.0,
        known: dict[Term, bool] | None = None,
    ) -> None:
        self.terms, self.each = terms, each
        self.known = {} if known is None else known
        self.end = time.process_time() + seconds
        self._until = self.end
        self._new: dict[Two, Term] = {}
        # One solver for all queries: equalities of inner terms help with outer ones.
        self._solver = solver(terms, self._late, held, easy=True)
        self.asked = 0

    def settled(self, sound: Mapping[str, Term], mutant: Mapping[str, Term]) -> dict[str, Term]:
        """The roots of the mutant, with sound terms wherever they are equal."""
        made = dict(mutant)
        differing = {name: (sound[name], mutant[name]) for name in sound if name in mutant}
        differing = {name: two for name, two in differing.items() if two[0] != two[1]}
        below = _below(differing.values())
        for two, inside in below.items():  # inner terms first
            if two not in self._new:
                self._new[two] = self._settle(two, inside)
        return made | {name: self._new[two] for name, two in differing.items()}

    def _settle(self, two: Two, inside: list[tuple[int, Two]]) -> Term:
        """The sound term if equal, else the mutant's with settled operands."""
        sound, mutant = two
        children = list(mutant.children())
        for place, each in inside:
            children[place] = self._new[each]
        if inside and children == list(sound.children()):
            return sound
        if children != list(mutant.children()):
            indices = [list(mutant.indices())] if mutant.num_indices() else []
            mutant = self.terms.manager.mk_term(mutant.kind(), children, *indices)
        return sound if self._same(sound, mutant) else mutant

    def _same(self, sound: Term, mutant: Term) -> bool:
        """Whether the two are proved equal under the assumptions."""
        sort = sound.sort()
        if sort.is_array() or (sort.is_bv() and sort.bv_size() > WIDEST):
            return False
        apart = self.terms.differ(sound, mutant)
        if apart not in self.known:
            if self.asked >= TRIES or time.process_time() > self.end:
                return False
            self.asked += 1
            self._until = min(self.end, time.process_time() + self.each)
            result = self._solver.check_sat(apart)
            if result == Result.UNKNOWN or self._late():
                return False
            self.known[apart] = result == Result.SAT
            if not self.known[apart]:
                self._solver.assert_formula(self.terms.negated(apart))
        return not self.known[apart]

    def _late(self) -> bool:
        return time.process_time() > self._until


def _below(roots: Iterable[Two]) -> dict[Two, list[tuple[int, Two]]]:
    """Pairs of differing terms, inner ones first, with (place, pair) of differing operands."""
    found: dict[Two, list[tuple[int, Two]]] = {}
    todo = [(two, False) for two in roots]
    while todo:
        two, done = todo.pop()
        if two in found:
            continue
        inside = _inside(*two)
        if done or all(each in found for _, each in inside):
            found[two] = inside
        else:
            todo.append((two, True))
            todo += [(each, False) for _, each in inside if each not in found]
    return found


def _inside(sound: Term, mutant: Term) -> list[tuple[int, Two]]:
    """(place, pair) of operands that are not identical; empty: different operators."""
    if sound.kind() != mutant.kind() or sound.num_children() != mutant.num_children():
        return []
    if list(sound.indices()) != list(mutant.indices()):
        return []
    twos = list(zip(sound.children(), mutant.children(), strict=True))
    if any(one.sort() != other.sort() for one, other in twos):
        return []
    return [(place, two) for place, two in enumerate(twos) if two[0] != two[1]]
