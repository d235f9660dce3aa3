"""Invariants of the optional bits of words (`hints`) in registers and memories, found and proved.

Which of these bits are constant depends on the mark of the word and on the control registers of
the instance, because an empty place of a queue may hold anything.  A place starts with arbitrary
bits for the values of control after a reset, and with no bits for all others.  A solver looks for
a clock that brings a word which does not fit, under the rules and all lemmas, and frees its bits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bitwuzla import Bitwuzla, Kind, Result, Term

from fattree_prover.btor import State, Terms, bits
from fattree_prover.hints import Hints
from fattree_prover.lemmas import TOGETHER, Always, Finder, Sentence, instance, packed, settle

PLACES = 16  # words of a memory that is split into words
ANY = "-"  # a bit that may be 0 or 1


@dataclass(frozen=True)
class Carried(Always):
    """Optional bits in one place.

    Parameters
    ----------
    name : a register or a memory.
    place : index of a word; -1: a register.
    low, count : the optional bits; the mark is the bit below.
    beside : control registers.
    patterns : possible values of control and mark (lowest), each with the bits; `-`: 0 or 1.
    ruled : holds only under the rules.
    """

    name: str
    place: int
    low: int
    count: int
    beside: tuple[str, ...]
    patterns: tuple[tuple[str, str], ...]
    ruled: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The register or memory that it constrains."""
        return (self.name,)

    def term(self, terms: Terms, state: State, reset: Term | None = None) -> Term:
        """Boolean: it holds in a state, also during reset."""
        key, hops = self.words(terms, state)
        return terms.any(_has(terms, key, hops, *each) for each in self.patterns)

    def empty(self) -> frozenset[str]:
        """Values of control for which the place is empty: all bits are free."""
        free = {key for key, pattern in self.patterns if not pattern.strip(ANY)}
        return frozenset(key[:-1] for key in free if {f"{key[:-1]}{m}" for m in "01"} <= free)

    def words(self, terms: Terms, state: State) -> tuple[Term, Term]:
        """(control and mark, optional bits)."""
        flit = state[self.name]
        if self.place >= 0:
            index = terms.manager.mk_bv_value(flit.sort().array_index(), self.place)
            flit = terms.manager.mk_term(Kind.ARRAY_SELECT, [flit, index])
        mark = terms.bits(flit, self.low - 1, 1)
        key = terms.joined([mark, *(state[name] for name in self.beside)])
        return key, terms.bits(flit, self.low, self.count)


def _has(terms: Terms, key: Term, hops: Term, value: str, pattern: str) -> Term:
    """Boolean: control and mark have this value, and the bits fit a pattern."""
    mask = pattern.translate(str.maketrans("01-", "110"))
    kept = terms.manager.mk_term(Kind.BV_AND, [hops, terms.constant(mask)])
    fits = terms.negated(terms.differ(kept, terms.constant(pattern.replace(ANY, "0"))))
    return terms.all([terms.negated(terms.differ(key, terms.constant(value))), fits])


def carried(finder: Finder, known: Sequence[Sentence], hints: Hints) -> list[Carried]:
    """Invariants of all places; none if time runs out, because each relies on all others."""
    if not (count := hints.optional):
        return []
    sizes = {n: len(v) for n, v in finder.reset.items() if n in finder.sound.nexts}
    beside = packed(sizes, TOGETHER)
    places: list[Carried] = []
    for name, term in finder.state.items():
        names = tuple(beside.get(instance(name), ()))
        if not names or name not in finder.sound.nexts:
            continue
        sort = term.sort()
        flit = sort.array_element() if sort.is_array() else sort
        if flit.bv_size() != hints.width:
            continue
        words = 1 << sort.array_index().bv_size() if sort.is_array() else 0
        if words <= PLACES:
            value = finder.joined_reset(names)
            begun = tuple((value + mark, ANY * count) for mark in "01")
            for place in range(words) if words else (-1,):
                given = bool(finder.sound.given)
                places.append(Carried(name, place, hints.low, count, names, begun, given))
    return places if _grown(finder, known, places) else []


def _grown(finder: Finder, known: Sequence[Sentence], places: list[Carried]) -> bool:
    """Free bits of places until the patterns are inductive; False: out of time."""
    terms = finder.terms
    near = [finder.support((x.name, *x.beside)) for x in places]
    holds = [x.term(terms, finder.state) for x in places]
    says = finder.says(known)
    asked: dict[int, Bitwuzla] = {}
    late = False

    def look(i: int) -> tuple[str, ...]:
        nonlocal late
        if late:
            return ()
        if i not in asked:
            always = [term for of, term in says if not of.isdisjoint(near[i])]
            asked[i] = finder.solver([*finder.off, *always])
        held = [holds[k] for k, x in enumerate(places) if not near[i].isdisjoint(x.names)]
        more = _more(finder, places[i], asked[i], held)
        late = more is None
        if more is None or more == places[i]:
            return ()
        places[i], holds[i] = more, more.term(terms, finder.state)
        return more.names

    settle(near, look)
    return not late


def _more(finder: Finder, place: Carried, asked: Bitwuzla, held: Sequence[Term]) -> Carried | None:
    """A place with the words that a clock can bring added; None: out of time."""
    terms = finder.terms
    key, hops = place.words(terms, finder.after)
    patterns = dict(place.patterns)
    while True:
        inside = terms.any(_has(terms, key, hops, *each) for each in patterns.items())
        result = asked.check_sat(terms.negated(inside), *held)
        if result == Result.UNSAT and not finder.late():
            return replace(place, patterns=tuple(patterns.items()))
        if result != Result.SAT:
            return None
        value, seen = bits(asked.get_value(key)), bits(asked.get_value(hops))
        old = patterns.get(value, seen)
        patterns[value] = "".join(a if a == b else ANY for a, b in zip(old, seen, strict=True))
