"""Invariants of resource allocation among instances of an array, found and proved.

An instance, say an input port, has a bit that says it holds one of several resources, and a
register that says which.  Often no two instances hold the same resource, and an array of the
resources has a bit in each that says whether it is held.  All such sentences are assumed together;
those that a clock can break are dropped until the rest is inductive.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from bitwuzla import Result, Term

from fattree_prover.btor import State, Terms, is_true
from fattree_prover.lemmas import Always, Finder, Sentence, instance

WIDEST = 6  # bits of the register that says which


@dataclass(frozen=True)
class Holders(Always):
    """No two instances hold the same resource, or each held resource has a bit of this value.

    Parameters
    ----------
    holders : by instance: (bit: it holds a resource, register: which).
    said : by resource: its bit; empty: no two instances hold the same.
    value : of that bit.
    ruled : holds only under the rules.
    """

    holders: tuple[tuple[str, str], ...]
    said: tuple[str, ...]
    value: str
    ruled: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Registers that it constrains."""
        return (*self.said, *(name for two in self.holders for name in two))

    def term(self, terms: Terms, state: State, reset: Term | None = None) -> Term:
        """Boolean: it holds in a state, also during reset."""
        return terms.negated(terms.any(self._broken(terms, state)))

    def _broken(self, terms: Terms, state: State) -> Iterator[Term]:
        hold = {a: terms.truth(state[a]) for a, _ in self.holders}
        if not self.said:
            for (a, b), (c, d) in combinations(self.holders, 2):
                same = terms.negated(terms.differ(state[b], state[d]))
                yield terms.all([hold[a], hold[c], same])
            return
        for a, b in self.holders:
            size = state[b].sort().bv_size()
            for number, bit in enumerate(self.said):
                this = terms.negated(terms.differ(state[b], terms.constant(f"{number:0{size}b}")))
                other = terms.differ(state[bit], terms.constant(self.value))
                yield terms.all([hold[a], this, other])


Families = dict[str, dict[str, dict[int, dict[str, str]]]]  # parent, array, number, local: register


def families(sizes: dict[str, int]) -> Families:
    """Registers in arrays of instances, by parent, array and number."""
    made: Families = {}
    for name in sizes:
        if found := re.fullmatch(r"(.*?)([^.]*)\[(\d+)\]([^\[\]]*)", instance(name)):
            parent, array, number, rest = found.groups()
            member = made.setdefault(parent, {}).setdefault(array + rest, {})
            member.setdefault(int(number), {})[name[len(found[0]) + 1 :]] = name
    return made


def sentences(sizes: dict[str, int], ruled: bool) -> Iterator[list[Holders]]:
    """All candidates, by parent."""
    for arrays in families(sizes).values():
        tried = []
        for kind, members in arrays.items():
            for one in _common(members, sizes, range(1, 2)):
                for which in _common(members, sizes, range(1, WIDEST + 1)):
                    if which == one:
                        continue
                    holders = tuple((m[one], m[which]) for _, m in sorted(members.items()))
                    tried.append(Holders(holders, (), "", ruled))
                    most = 1 << min(sizes[b] for _, b in holders)
                    for other, things in arrays.items():
                        if other == kind or sorted(things) != list(range(len(things))):
                            continue
                        if len(things) > most:
                            continue
                        for bit in _common(things, sizes, range(1, 2)):
                            said = tuple(m[bit] for _, m in sorted(things.items()))
                            tried += [Holders(holders, said, v, ruled) for v in "01"]
        if tried:
            yield tried


def _common(members: dict[int, dict[str, str]], sizes: dict[str, int], bits: range) -> list[str]:
    """Local names of registers of this size in all members; empty for a single member."""
    if len(members) < 2:
        return []
    shared = set.intersection(*(set(m) for m in members.values()))
    return sorted(n for n in shared if all(sizes[m[n]] in bits for m in members.values()))


def held(finder: Finder, known: Sequence[Sentence]) -> list[Holders]:
    """The sentences that hold forever; none of a parent that ran out of time."""
    terms = finder.terms
    sizes = {n: len(v) for n, v in finder.reset.items() if n in finder.sound.nexts}
    says = finder.says(known)
    made = []
    for tried in sentences(sizes, bool(finder.sound.given)):
        # The base case: after a reset nothing is held.
        alive = [x for x in tried if all(finder.reset[a] == "0" for a, _ in x.holders)]
        near = set().union(*(finder.support(x.names) for x in alive)) if alive else set()
        asked = finder.solver([*finder.off, *(t for of, t in says if not of.isdisjoint(near))])
        now = {x: x.term(terms, finder.state) for x in alive}
        then = {x: terms.negated(x.term(terms, finder.after)) for x in alive}
        while alive:
            broken = terms.any(then[x] for x in alive)
            result = asked.check_sat(broken, *(now[x] for x in alive))
            if result != Result.SAT:
                break
            alive = [x for x in alive if not is_true(asked.get_value(then[x]))]
        if alive and result == Result.UNSAT and not finder.late():
            made += alive
    return made
