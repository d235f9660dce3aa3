"""A relation between the sound network and a mutant that every clock keeps, or every round.

All registers are equal but for pieces that may differ: bits of control registers, which a reset
sets, words of memories, other registers as a whole.  A piece may differ always, or while the
control registers beside it, of the same instance, have certain values: what a queue holds where it
has no flit matters to nobody.  The relation begins with no such piece.  Whatever the solver finds
to differ one clock later is taken up, until nothing more comes (then it holds for ever) or an
output differs.

Networks that work in rounds, of a delivery cycle or of the slots of a schedule, forget at the end
of each nearly all that they knew.  There the two are followed through all clocks of a round, in
which the counter's values are constants, and only at its end and after a reset in any of its clocks
must the relation hold again.  A piece may then also be the inverse of the other's in some bits.

What may differ after a reset is told apart from what may differ after a clock, or a round: there
the other registers are what the reset has made them.
"""

from bitwuzla import Bitwuzla, Kind, Options, Term

from fattree_bench.mutate.btor import NOWHERE, State, is_true
from fattree_bench.mutate.counters import Counter
from fattree_bench.mutate.lemmas import among, instance, packed
from fattree_bench.mutate.pair import Pair, Step

Piece = tuple[str, int]  # a register, and which of its bits or words
Loose = dict[Piece, set[str] | str | None]
"""How pieces may differ: while the control has certain values, by the bits of a mask, or anyhow."""

CONTROL = 12  # bits beside a piece that are looked at
WIDEST = 16  # bits of a register that is looked at bit by bit
PLACES = 16  # words of a memory that is looked at word by word
VALUES = 4  # of control registers; a piece that differs under more of them may always differ


class Relation:
    """Grows between the two of a pair.

    Parameters
    ----------
    free : a state of which nothing is known.
    contract : whether the rules of inputs are given.
    counter : of a round.

    Attributes
    ----------
    loose : the pieces that may differ, by whether a reset was just before.
    """

    def __init__(self, pair: Pair, free: State, contract: bool, counter: Counter) -> None:
        self.pair, self.terms, self.free = pair, pair.terms, free
        self.contract, self.counter = contract, counter
        self.cleared = pair.cleared()
        self._other: dict[Piece, Term] = {}
        self._beside = packed({n: free[n].sort().bv_size() for n in self.cleared}, CONTROL)
        gone = [name for name, number in pair.mutant.states.items() if number == NOWHERE]
        pieces = [(name, k) for name in gone for k in range(len(self._pieces(name, free[name])))]
        self.loose: dict[bool, Loose] = {each: dict.fromkeys(pieces) for each in (True, False)}
        self._simple = Bitwuzla(self.terms.manager, Options())

    def holds(self) -> bool:
        """Whether there is such a relation; OutOfTime if that is not known in time."""
        # The first reset finds any state, the same in both; of that no lemma is true.
        first = self.pair.step(self.free, self.free, 0, reset="1")
        while self._grown(first, True, [], {}):
            pass
        self._after_reset = self._simplified(first.sound)
        todo = {True, False}
        while todo:
            begun = True in todo  # what parts there is found first
            more = self._around(begun)
            if more is None or self._counts_differ():
                return False
            todo = todo | more if more else todo - {begun}
        return True

    def _around(self, begun: bool) -> set[bool] | None:
        """Follow both through a clock, or a round; None: an output differs.

        `begun`: from a reset on.  Returns where more may differ now, if anywhere: after a reset
        (True), or after the round.
        """
        if begun:
            sound = dict(self._after_reset)
        else:
            zeros = {n: self.free[n].sort().bv_size() * "0" for n in self.counter.names}
            sound = self.free | {n: self.terms.constant(zero) for n, zero in zeros.items()}
        mutant = self._related(sound, self.loose[begun])
        held: list[Term] = []
        for clock in range(self.counter.clocks):
            # The outputs of clocks of a reset, but for the first one, count, too.
            for reset in ("1", "0"):
                step = self.pair.step(sound, mutant, clock, reset=reset)
                given = step.given if self.contract else []
                if not clock:
                    given = [*given, *self.pair.known(step, sound, self.contract)]
                last = clock == self.counter.clocks - 1
                ends = reset == "1" or last
                grown = self._grown(step, reset == "1", [*held, *given], step.outputs, ends)
                if grown is None or grown:
                    return None if grown is None else {reset == "1"}
            held += given
            sound, mutant = self._simplified(step.sound), self._simplified(step.mutant)
        return set()

    def _grown(
        self, step: Step, reset: bool, held: list[Term], outputs: State, ends: bool = True
    ) -> bool | None:
        """Whether this step has given more pieces, if a round ends; None: an output differs."""
        loose = self.loose[reset]
        pieces = self._parting(step, loose) if ends else {}
        asked = [*outputs.values(), *(term for term, _, _ in pieces.values())]
        model = self.pair.solve(self.terms.any(asked), *held) if asked else None
        if not model:
            return False
        if any(is_true(model.get_value(term)) for term in outputs.values()):
            return None
        for piece, (term, one, other) in pieces.items():
            if is_true(model.get_value(term)):
                self._loosen(piece, loose, step.sound, (one, other), model, held)
        return True

    def _counts_differ(self) -> bool:
        names = set(self.counter.names)
        return any(name in names for loose in self.loose.values() for name, _ in loose)

    def _related(self, sound: State, loose: Loose) -> State:
        """A state of the mutant that is related to a sound one."""
        mutant = dict(sound)
        for name in {name for name, _ in loose}:
            parts = self._pieces(name, sound[name])
            for number, part in enumerate(parts):
                piece = name, number
                if piece in loose:
                    parts[number] = self._differing(piece, part, loose[piece], sound)
            mutant[name] = self._whole(sound[name], parts)
        return mutant

    def _differing(
        self, piece: Piece, part: Term, how: set[str] | str | None, sound: State
    ) -> Term:
        """A piece that differs as it may."""
        if isinstance(how, str):
            return self._inverted(part, how)
        if piece not in self._other:
            self._other[piece] = self.terms.manager.mk_const(part.sort(), f"other {piece}")
        if how is None:
            return self._other[piece]
        when = self._while(piece, how, sound)
        return self.terms.manager.mk_term(Kind.ITE, [when, self._other[piece], part])

    def _parting(self, step: Step, loose: Loose) -> dict[Piece, tuple[Term, Term, Term]]:
        """By piece: (it differs after a step otherwise than it may, it, the mutant's)."""
        made = {}
        for name in self.pair.observed:
            sound, mutant = step.sound[name], step.mutant[name]
            pairs = zip(self._pieces(name, sound), self._pieces(name, mutant), strict=True)
            for number, (one, other) in enumerate(pairs):
                piece = name, number
                how = loose.get(piece, set())
                expected = self._inverted(one, how) if isinstance(how, str) else one
                if expected == other or how is None:
                    continue
                firm = self.terms.differ(expected, other)
                if isinstance(how, set) and how:
                    firm = self.terms.all(
                        [firm, self.terms.negated(self._while(piece, how, step.sound))]
                    )
                made[piece] = firm, one, other
        return made

    def _loosen(
        self,
        piece: Piece,
        loose: Loose,
        sound: State,
        pair: tuple[Term, Term],
        model: Bitwuzla,
        held: list[Term],
    ) -> None:
        """Let a piece differ as it does in a model."""
        one, other = pair
        how = loose.get(piece, set())
        control = self._control(piece, sound)
        if self.counter.names and piece not in loose and one.sort().is_bv():
            flipped = self.terms.manager.mk_term(Kind.BV_XOR, [one, other])
            mask = _bits(model, flipped)
            apart = self.terms.differ(self._inverted(one, mask), other)
            if not self.pair.solve(apart, *held):
                loose[piece] = mask
                return
        if control is None or not isinstance(how, set) or len(how) == VALUES:
            loose[piece] = None
        else:
            loose[piece] = how | {_bits(model, control)}

    # ---- registers and their pieces --------------------------------------------------------------

    def _control(self, piece: Piece, state: State) -> Term | None:
        """The control registers beside a piece; None: there are none."""
        names = self._beside.get(instance(piece[0]))
        return self.terms.joined([state[n] for n in names]) if names else None

    def _while(self, piece: Piece, values: set[str], state: State) -> Term:
        """Whether the control of a piece has one of these values in a state."""
        control = self._control(piece, state)
        assert control is not None
        return among(self.terms, control, sorted(values))

    def _inverted(self, piece: Term, mask: str) -> Term:
        return self.terms.manager.mk_term(Kind.BV_XOR, [piece, self.terms.constant(mask)])

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

    def _whole(self, value: Term, pieces: list[Term]) -> Term:
        """The register of this value that has these pieces."""
        sort = value.sort()
        if not sort.is_array() or len(pieces) == 1:
            return self.terms.joined(pieces)
        make = self.terms.manager
        for n, piece in enumerate(pieces):
            place = make.mk_bv_value(sort.array_index(), n)
            value = make.mk_term(Kind.ARRAY_STORE, [value, place, piece])
        return value

    def _simplified(self, state: State) -> State:
        return {name: self._simple.simplify_term(term) for name, term in state.items()}


def _bits(model: Bitwuzla, word: Term) -> str:
    """The value of a word in a model, as it is written."""
    return str(model.get_value(word).value(2)).zfill(word.sort().bv_size())
