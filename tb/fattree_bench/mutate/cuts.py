"""Where a fault ends: terms of the sound network and of a mutant, from the fault on.

A solver is asked of each two terms that stand in the same place whether they can differ, from the
fault towards the roots.  Where they cannot, the mutant gets the sound term: so the mutated bit of
an arbiter that nobody can ask for needs no look at the data that the arbiter leads.
"""

import time
from collections.abc import Iterable, Mapping, Sequence

from bitwuzla import Bitwuzla, Result, Term

from fattree_bench.mutate.btor import Terms, is_true
from fattree_bench.mutate.lemmas import solver

Two = tuple[Term, Term]  # of the sound network, of the mutant

MODELS = 8  # last ones that are kept
WIDEST = 64  # bits of terms that are asked about
TRIES = 400  # questions


class Cuts:
    """Replaces terms of a mutant.

    Parameters
    ----------
    held : what is given.
    seconds : CPU time for all questions.
    each : CPU time for a question.
    """

    def __init__(
        self, terms: Terms, held: Sequence[Term], seconds: float, each: float = 1.0
    ) -> None:
        self.terms, self.each = terms, each
        self.end = time.process_time() + seconds
        self._until = self.end
        self._seen: list[Bitwuzla] = []
        self._new: dict[Two, Term] = {}
        self._unknowns: dict[Term, frozenset[Term]] = {}
        self._held = [(term, self._in(term)) for term in held]
        self.asked = 0

    def settled(self, sound: Mapping[str, Term], mutant: Mapping[str, Term]) -> dict[str, Term]:
        """The roots of the mutant, with sound terms in them wherever they are the same."""
        made = dict(mutant)
        differing = {name: (sound[name], mutant[name]) for name in sound if name in mutant}
        differing = {name: two for name, two in differing.items() if two[0] != two[1]}
        below = _below(differing.values())
        for two, inside in below.items():  # those inside come first
            if two not in self._new:
                self._new[two] = self._settle(two, inside)
        return made | {name: self._new[two] for name, two in differing.items()}

    def _settle(self, two: Two, inside: list[tuple[int, Two]]) -> Term:
        """The term of the mutant, or the sound one."""
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
        """Whether the two are equal wherever what is given is true: proved."""
        sort = sound.sort()
        if sort.is_array() or (sort.is_bv() and sort.bv_size() > WIDEST):
            return False
        if self.asked >= TRIES or time.process_time() > self.end:
            return False
        apart = self.terms.differ(sound, mutant)
        if any(is_true(each.get_value(apart)) for each in self._seen):
            return False
        self.asked += 1
        self._until = min(self.end, time.process_time() + self.each)
        inside = self._in(apart)
        held = [term for term, of in self._held if not of.isdisjoint(inside)]
        asked = solver(self.terms, self._late, [*held, apart])
        result = asked.check_sat()
        if result == Result.SAT:
            self._seen = [*self._seen[1 - MODELS :], asked]
        return bool(result == Result.UNSAT) and not self._late()

    def _in(self, term: Term) -> frozenset[Term]:
        """The unknowns in a term."""
        todo = [term]
        while todo:
            here = todo[-1]
            children = here.children()
            if more := [each for each in children if each not in self._unknowns]:
                todo += more
                continue
            todo.pop()
            found = [self._unknowns[each] for each in children]
            self._unknowns[here] = frozenset([here] if here.is_const() else []).union(*found)
        return self._unknowns[term]

    def _late(self) -> bool:
        return time.process_time() > self._until


def _below(roots: Iterable[Two]) -> dict[Two, list[tuple[int, Two]]]:
    """By two terms that are not the same, inner ones first: what in them is not, and where."""
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
    """Places of terms in these two that are not the same; none: they are of different kinds."""
    if sound.kind() != mutant.kind() or sound.num_children() != mutant.num_children():
        return []
    if list(sound.indices()) != list(mutant.indices()):
        return []
    twos = list(zip(sound.children(), mutant.children(), strict=True))
    if any(one.sort() != other.sort() for one, other in twos):
        return []
    return [(place, two) for place, two in enumerate(twos) if two[0] != two[1]]
