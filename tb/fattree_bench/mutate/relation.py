"""A relation between the sound network and a mutant that every clock keeps.

All registers are equal but for pieces that may differ: bits of control registers, which a reset
sets, words of memories, other registers as a whole.  A piece may differ always, or while the
control registers beside it, of the same instance, have certain values: what a queue holds where it
has no flit matters to nobody.  The relation begins with no such piece.  Whatever the solver finds
to differ one clock later is taken up, until nothing more comes (then it holds for ever) or an
output differs.
"""

from bitwuzla import Bitwuzla, Kind, Term

from fattree_bench.mutate.btor import State, is_true
from fattree_bench.mutate.lemmas import instance, packed
from fattree_bench.mutate.pair import RESET, Pair, Step

Piece = tuple[str, int]  # a register, and which of its bits or words

CONTROL = 12  # bits beside a piece that are looked at
WIDEST = 16  # bits of a register that is looked at bit by bit
PLACES = 16  # words of a memory that is looked at word by word
VALUES = 4  # of control registers; a piece that differs under more of them may always differ


class Relation:
    """Grows between the two of a pair.

    Attributes
    ----------
    loose : the pieces that may differ, and for which values of the control registers beside them;
        None: always.
    """

    def __init__(self, pair: Pair, sound: State, contract: bool) -> None:
        self.pair, self.terms, self.sound = pair, pair.terms, sound
        self.contract = contract
        self.cleared = pair.cleared()
        self.loose: dict[Piece, set[str] | None] = {}
        self._other: dict[Piece, Term] = {}
        self._beside = packed({n: sound[n].sort().bv_size() for n in self.cleared}, CONTROL)

    def holds(self) -> bool:
        """Whether there is such a relation; OutOfTime if that is not known in time."""
        reset = self.terms.truth(self.pair.given(0)[RESET])
        # The first reset finds any state, the same in both; of that no lemma is true.
        first = self.pair.step(self.sound, self.sound, 0)
        while self._grown(first, [reset], {}):
            pass
        while True:
            mutant, held = self._related()
            step = self.pair.step(self.sound, mutant, 0)
            held += self.pair.known(step, self.sound, self.contract)
            if self.contract:
                held += step.given
            grown = self._grown(step, held, step.outputs)
            if grown is None:
                return False
            if not grown:
                return True

    def _grown(self, step: Step, held: list[Term], outputs: State) -> bool | None:
        """Whether this step has given more pieces; None: an output differs."""
        pieces = self._parting(step.sound, step.mutant)
        asked = [*outputs.values(), *pieces.values()]
        model = asked and self.pair.solve(self.terms.any(asked), *held)
        if not model:
            return False
        if any(is_true(model.get_value(term)) for term in outputs.values()):
            return None
        for piece, term in pieces.items():
            if is_true(model.get_value(term)):
                self._loosen(piece, step.sound, model)
        return True

    def _related(self) -> tuple[State, list[Term]]:
        """(a state of the mutant that is related to the sound one, what is given of it)."""
        mutant, held = dict(self.sound), []
        for name in {name for name, _ in self.loose}:
            parts = self._pieces(name, self.sound[name])
            for number, part in enumerate(parts):
                piece = name, number
                if piece not in self.loose:
                    continue
                if piece not in self._other:
                    self._other[piece] = self.terms.manager.mk_const(part.sort(), f"other {piece}")
                parts[number] = self._other[piece]
                if (loose := self._while(piece, self.sound)) is not None:
                    equal = self.terms.negated(self.terms.differ(part, parts[number]))
                    held.append(self.terms.any([equal, loose]))
            mutant[name] = self._whole(name, parts)
        return mutant, held

    def _parting(self, sound: State, mutant: State) -> dict[Piece, Term]:
        """By piece: it differs in the next states, and may not."""
        made = {}
        for name in self.pair.observed:
            if sound[name] == mutant[name]:
                continue
            pairs = zip(
                self._pieces(name, sound[name]), self._pieces(name, mutant[name]), strict=True
            )
            for number, (one, other) in enumerate(pairs):
                piece = name, number
                if one == other or (piece in self.loose and self.loose[piece] is None):
                    continue
                firm = [self.terms.differ(one, other)]
                if (loose := self._while(piece, sound)) is not None:
                    firm.append(self.terms.negated(loose))
                made[piece] = self.terms.all(firm)
        return made

    def _loosen(self, piece: Piece, sound: State, model: Bitwuzla) -> None:
        """Let a piece differ as it does in a model."""
        values = self.loose.setdefault(piece, set())
        control = self._control(piece, sound)
        if control is None or values is None or len(values) == VALUES:
            self.loose[piece] = None
        else:
            values.add(model.get_value(control).value(2))

    # ---- registers and their pieces --------------------------------------------------------------

    def _control(self, piece: Piece, state: State) -> Term | None:
        """The control registers beside a piece; None: there are none."""
        names = self._beside.get(instance(piece[0]))
        return self.terms.joined([state[n] for n in names]) if names else None

    def _while(self, piece: Piece, state: State) -> Term | None:
        """Whether a piece may differ in a state; None: it may always, or never."""
        values, control = self.loose.get(piece), self._control(piece, state)
        if not values or control is None:
            return None
        constants = [self.terms.constant(value) for value in sorted(values)]
        return self.terms.any(
            self.terms.negated(self.terms.differ(control, value)) for value in constants
        )

    def _pieces(self, name: str, value: Term) -> list[Term]:
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

    def _whole(self, name: str, pieces: list[Term]) -> Term:
        """The register that has these pieces."""
        value, sort = self.sound[name], self.sound[name].sort()
        if not sort.is_array() or len(pieces) == 1:
            return self.terms.joined(pieces)
        make = self.terms.manager
        for n, piece in enumerate(pieces):
            place = make.mk_bv_value(sort.array_index(), n)
            value = make.mk_term(Kind.ARRAY_STORE, [value, place, piece])
        return value
