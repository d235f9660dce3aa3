"""Pieces of state and the terms that say how they may differ between mutant and sound system.

A piece is a bit of a control register (one with a reset), a word of a memory, a whole memory if it
has many words, or another register.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from bitwuzla import Kind, Term

from fattree_prover.btor import State
from fattree_prover.carried import PLACES
from fattree_prover.lemmas import among, instance, packed
from fattree_prover.pair import Pair

Piece = tuple[str, int]  # a register, and the number of a bit or word in it

CONTROL = 12  # bits of control registers that may decide whether a piece differs
WIDEST = 16  # bits of a register that is split into bits


@dataclass(frozen=True)
class Way:
    """How a piece may differ.

    Parameters
    ----------
    bits : mask of bits that may differ; of a memory: in each of its words.
    when : for which values of its control; None: all.
    inverted : these bits always differ.
    bodies : mask of optional bits that may also differ in a word without the mark.
    empty : values of its control for which all bits may differ, because the place is empty.
    """

    bits: str
    when: frozenset[str] | None = None
    inverted: bool = False
    bodies: str = ""
    empty: frozenset[str] = frozenset()


Loose = dict[Piece, Way]


class Pieces:
    """The pieces of a pair.

    Parameters
    ----------
    free : an arbitrary state.

    Attributes
    ----------
    beside : control registers by instance.
    """

    def __init__(self, pair: Pair, free: State) -> None:
        self.terms, self.hints, self.cleared = pair.terms, pair.hints, pair.cleared
        self.beside = packed({n: free[n].sort().bv_size() for n in self.cleared}, CONTROL)
        self._other: dict[Piece, Term] = {}
        self._where: dict[Piece, Term] = {}  # an arbitrary index of a memory

    def related(self, sound: State, loose: Loose) -> State:
        """A state of the mutant, related to the sound one."""
        mutant = dict(sound)
        for name in dict.fromkeys(name for name, _ in loose):
            parts = self.of(name, sound[name])
            for number, part in enumerate(parts):
                piece = name, number
                if piece in loose:
                    parts[number] = self._differing(piece, part, loose[piece], sound)
            mutant[name] = self._whole(sound[name], parts)
        return mutant

    def _differing(self, piece: Piece, part: Term, way: Way, sound: State) -> Term:
        """A piece that may differ as `way` allows."""
        if way.inverted:
            return self._make(Kind.BV_XOR, part, self.terms.constant(way.bits))
        if piece not in self._other:
            self._other[piece] = self.terms.manager.mk_const(part.sort(), f"other {piece}")
        other = self._other[piece]
        if part.sort().is_array():
            return self._make(Kind.ITE, self._may(piece, way, sound), other, part)
        # Bits that may not differ are the same terms, which leaves less to solve.
        made = []
        for low, count, may in self._mays(piece, part, way, sound):
            one, two = self.terms.bits(part, low, count), self.terms.bits(other, low, count)
            made.append(one if may is None else self._make(Kind.ITE, may, two, one))
        return self.terms.joined(made)

    def firm(
        self, piece: Piece, two: tuple[Term, Term], way: Way | None, sound: State
    ) -> Term | None:
        """Boolean: two pieces differ in a way they may not; None: they cannot."""
        one, other = self.word(piece, two)
        if way is None:
            return None if one == other else self.terms.differ(one, other)
        if way.inverted:
            one = self._make(Kind.BV_XOR, one, self.terms.constant(way.bits))
            return None if one == other else self.terms.differ(one, other)
        if one == other:
            return None
        asked = []
        for low, count, may in self._mays(piece, one, way, sound):
            parts = self.terms.bits(one, low, count), self.terms.bits(other, low, count)
            never = [] if may is None else [self.terms.negated(may)]
            asked.append(self.terms.all([self.terms.differ(*parts), *never]))
        return self.terms.any(asked)

    def _mays(
        self, piece: Piece, part: Term, way: Way, sound: State
    ) -> Iterator[tuple[int, int, Term | None]]:
        """Runs of bits as (lowest, count, Boolean: may differ; None: never)."""
        always = self._may(piece, way, sound)
        control = self.control(piece, sound) if way.empty else None
        gone = [] if control is None else [among(self.terms, control, sorted(way.empty))]
        low, bodies = 0, way.bodies or len(way.bits) * "0"
        masks = zip(reversed(way.bits), reversed(bodies), strict=True)
        for (anyhow, body), run in groupby(masks):
            count, mays = len(list(run)), list(gone)
            if anyhow == "1":
                mays.append(always)
            if body == "1" and (head := self.head(part)) is not None:
                mays.append(self.terms.negated(self.terms.truth(head)))
            yield low, count, self.terms.any(mays) if mays else None
            low += count

    def _may(self, piece: Piece, way: Way, state: State) -> Term:
        """Boolean: control has a value for which the bits of a piece may differ."""
        control = self.control(piece, state)
        if control is None or way.when is None:
            return self.terms.all([])
        return among(self.terms, control, sorted(way.when))

    def control(self, piece: Piece, state: State) -> Term | None:
        """The control registers of a piece's instance as one word; None: there are none."""
        names = self.beside.get(instance(piece[0]))
        return self.terms.joined([state[n] for n in names]) if names else None

    def head(self, piece: Term) -> Term | None:
        """The mark of a piece that holds a word as in `hints`; None: it does not."""
        hints = self.hints
        if not hints.low or piece.sort().bv_size() != hints.width:
            return None
        return self.terms.bits(piece, hints.low - 1, 1)

    # ---- memories of many words ------------------------------------------------------------------

    def word(self, piece: Piece, two: tuple[Term, Term]) -> tuple[Term, Term]:
        """Two pieces; of memories, the words at an arbitrary index."""
        if not (sort := two[0].sort()).is_array():
            return two
        if piece not in self._where:
            name = f"where {piece}"
            self._where[piece] = self.terms.manager.mk_const(sort.array_index(), name)
        one, other = (self._make(Kind.ARRAY_SELECT, each, self._where[piece]) for each in two)
        return one, other

    def alike(self, sound: State, loose: Loose) -> Iterator[Term]:
        """Constraints: firm bits of large memories are equal in each word that is read."""
        for piece, way in loose.items():
            other = self._other.get(piece)
            if other is None or not other.sort().is_array() or "0" not in way.bits:
                continue
            reads = [where for memory, where in self.terms.reads if other in _under(memory)]
            runs = self._mays(piece, other, way, sound)
            firm = [(low, count) for low, count, may in runs if may is None]
            for where in [*reads, self._where[piece]]:
                two = [self._make(Kind.ARRAY_SELECT, m, where) for m in (sound[piece[0]], other)]
                for low, count in firm:
                    one, same = (self.terms.bits(word, low, count) for word in two)
                    yield self.terms.negated(self.terms.differ(one, same))

    # ---- registers and their pieces --------------------------------------------------------------

    def of(self, name: str, value: Term) -> list[Term]:
        """The pieces of a register or memory with this value, lowest first."""
        sort = value.sort()
        if sort.is_array():
            index = sort.array_index()
            if 1 << index.bv_size() > PLACES:
                return [value]
            make = self.terms.manager
            places = [make.mk_bv_value(index, n) for n in range(1 << index.bv_size())]
            return [make.mk_term(Kind.ARRAY_SELECT, [value, place]) for place in places]
        if name in self.cleared and sort.bv_size() <= WIDEST:
            return self.terms.slices(value, sort.bv_size())
        return [value]

    def _whole(self, value: Term, pieces: list[Term]) -> Term:
        """The register or memory made of these pieces."""
        sort = value.sort()
        if not sort.is_array() or len(pieces) == 1:
            return self.terms.joined(pieces)
        make = self.terms.manager
        for n, piece in enumerate(pieces):
            place = make.mk_bv_value(sort.array_index(), n)
            value = make.mk_term(Kind.ARRAY_STORE, [value, place, piece])
        return value

    def _make(self, kind: Kind, *terms: Term) -> Term:
        return self.terms.manager.mk_term(kind, list(terms))


def full(piece: Term) -> str:
    """A mask of all bits of a piece; of a memory, of a word."""
    sort = piece.sort()
    size: int = (sort.array_element() if sort.is_array() else sort).bv_size()
    return "1" * size


def _under(memory: Term) -> set[Term]:
    """The memories below a chain of writes and selections."""
    todo, found = [memory], {memory}
    while todo:
        for term in todo.pop().children():
            if term.sort().is_array() and term not in found:
                found.add(term)
                todo.append(term)
    return found
