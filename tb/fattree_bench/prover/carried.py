"""What flits have in their lists of hops, wherever they are: found and proved.

A flit stands in a register or in a word of a memory.  Which bits of its list are always the same
is told by its mark of head and by the control registers beside it, for what a queue holds where it
has no flit is anything.  It begins with what a reset leaves there, which is anything, and with
nothing under all other values.  A solver looks for a clock that brings something else, under the
rules that the RTL checks and all that is known; bits that come both ways are given up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bitwuzla import Bitwuzla, Kind, Result, Term

from fattree_bench.prover.btor import State, Terms, bits
from fattree_bench.prover.hints import Hints
from fattree_bench.prover.lemmas import TOGETHER, Always, Finder, Sentence, instance, packed, settle

PLACES = 16  # words of a memory that is looked at word by word
ANY = "-"  # a bit that may be 0 or 1


@dataclass(frozen=True)
class Carried(Always):
    """Lists of hops in one place.

    Parameters
    ----------
    name : a register, or a memory.
    place : a word of it; -1: it is a register.
    low, count : the bits of a list of hops; the mark of head is the bit below.
    beside : control registers.
    patterns : by values of control and mark, the mark lowest: bits, `-` where both come.  There
        are no other values.
    ruled : if the rules are kept.
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
        """What it tells of."""
        return (self.name,)

    def term(self, terms: Terms, state: State, reset: Term | None = None) -> Term:
        """Whether it is true in a state, in a clock with a reset, too."""
        key, hops = self.words(terms, state)
        return terms.any(_has(terms, key, hops, *each) for each in self.patterns)

    def empty(self) -> frozenset[str]:
        """Values of control under which there is no flit: any list may stand there."""
        free = {key for key, pattern in self.patterns if not pattern.strip(ANY)}
        return frozenset(key[:-1] for key in free if {f"{key[:-1]}{m}" for m in "01"} <= free)

    def words(self, terms: Terms, state: State) -> tuple[Term, Term]:
        """Control and mark as one word, and the list of hops."""
        flit = state[self.name]
        if self.place >= 0:
            index = terms.manager.mk_bv_value(flit.sort().array_index(), self.place)
            flit = terms.manager.mk_term(Kind.ARRAY_SELECT, [flit, index])
        mark = terms.bits(flit, self.low - 1, 1)
        key = terms.joined([mark, *(state[name] for name in self.beside)])
        return key, terms.bits(flit, self.low, self.count)


def _has(terms: Terms, key: Term, hops: Term, value: str, pattern: str) -> Term:
    """Whether control has this value, and the list of hops fits a pattern."""
    mask = pattern.translate(str.maketrans("01-", "110"))
    kept = terms.manager.mk_term(Kind.BV_AND, [hops, terms.constant(mask)])
    fits = terms.negated(terms.differ(kept, terms.constant(pattern.replace(ANY, "0"))))
    return terms.all([terms.negated(terms.differ(key, terms.constant(value))), fits])


def carried(finder: Finder, known: Sequence[Sentence], hints: Hints) -> list[Carried]:
    """Lists of hops in all places of a network.

    Without an answer in time there is none of any place: each leans on all others.
    """
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
    """Let each have what a clock brings there, until nothing more comes; False: no time."""
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
    """A place with what may be there a clock later, too; None: no time."""
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
