"""A relation between the sound system and a mutant that every clock keeps, or every round.

All registers are equal but for pieces that may differ: bits of control registers, which a reset
sets, words of memories, other registers.  A piece may differ, in some bits, always, or while the
control registers beside it, of the same instance, have certain values: what a queue holds where it
has no flit matters to nobody.  The relation begins with no such piece.  Whatever the solver finds
to differ one clock later is taken up, until nothing more comes (then it holds for ever) or an
output differs.

Of flits more is known, so less has to be found piece by piece: where lemmas say that none is in a
place, all its bits may differ, and hops of one that is no head differ apart from all else.

Networks that work in rounds, of a delivery cycle or of the slots of a schedule, forget at the end
of each nearly all that they knew.  There the two are followed through all clocks of a round, in
which the counter's values are constants, and only at its end and after a reset in any of its clocks
must the relation hold again.  A piece may then also be the inverse of the other's in some bits.

What may differ after a reset is told apart from what may differ after a clock, or a round: there
the other registers are what the reset has made them.
"""

from collections.abc import Sequence
from dataclasses import replace

from bitwuzla import Bitwuzla, Kind, Term

from fattree_bench.prover.btor import NOWHERE, State, bits, is_true
from fattree_bench.prover.carried import Carried
from fattree_bench.prover.counters import Counter
from fattree_bench.prover.lemmas import instance
from fattree_bench.prover.pair import Asked, Pair, Step
from fattree_bench.prover.pieces import Loose, Piece, Pieces, Way, full

VALUES = 4  # of control registers; a piece that differs under more of them may always differ
NARROW = 4  # bits of control, of which all values but one may be looked at
FEW = 4  # bits; a piece that differs in more at once may differ in all


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
        self.pieces = Pieces(pair, free)
        # What stands where no flit is may differ under all these values, if under one of them.
        self._empty = {
            (x.name, max(x.place, 0)): x.empty()
            for x in pair.lemmas
            if isinstance(x, Carried) and list(x.beside) == self.pieces.beside.get(instance(x.name))
        }
        gone = [name for name, number in pair.mutant.states.items() if number == NOWHERE]
        anyhow = {
            (name, number): Way(full(part))
            for name in gone
            for number, part in enumerate(self.pieces.of(name, free[name]))
        }
        self.loose: dict[bool, Loose] = {True: dict(anyhow), False: dict(anyhow)}

    def holds(self) -> bool:
        """Whether there is such a relation; OutOfTime if that is not known in time.

        Asked again, it goes on with what it knows by then may differ.
        """
        # The first reset finds any state, the same in both; of that no lemma is true.  What comes
        # in then is not what comes in the clocks after it.
        before = self.counter.clocks
        first = self.pair.settled(self.pair.step(self.free, self.free, before, reset="1"), [])
        self._after_reset = first.sound
        while True:
            self._stricter = False
            asked = Asked(self.pair, [])
            while self._grown(first, True, asked, {}):
                pass
            todo = {True, False}
            while todo and not self._stricter:
                begun = True in todo  # what parts there is found first
                more = self._around(begun)
                if more is None or self._counts_differ():
                    return False
                todo = todo | more if more else todo - {begun}
            if not todo:
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
        mutant = self.pieces.related(sound, self.loose[begun])
        before, held = sound, list[Term]()
        for clock in range(self.counter.clocks):
            # The outputs of clocks of a reset, but for the first one, count, too.
            for reset in ("1", "0"):
                step = self.pair.step(sound, mutant, clock, reset=reset)
                given = step.given if self.contract else []
                said = set(held)
                alike = dict.fromkeys(self.pieces.alike(before, self.loose[begun]))
                given = [*given, *(term for term in alike if term not in said)]
                if not clock:
                    resets = self.terms.truth(self.terms.constant(reset))
                    given = [*given, *self.pair.known(step, sound, self.contract, resets)]
                last = clock == self.counter.clocks - 1
                ends = reset == "1" or last
                step = self.pair.settled(step, [*held, *given])
                asked, more = Asked(self.pair, [*held, *given]), False
                while grown := self._grown(step, reset == "1", asked, step.outputs, ends):
                    more = True
                if grown is None or more:
                    return None if grown is None else {reset == "1"}
            held += given
            sound, mutant = step.sound, step.mutant
        return set()

    def _grown(
        self, step: Step, reset: bool, asked: Asked, outputs: State, ends: bool = True
    ) -> bool | None:
        """Whether this step has given more pieces, if a round ends; None: an output differs."""
        loose = self.loose[reset]
        pieces = self._parting(step, loose) if ends else {}
        differ = [*outputs.values(), *(term for term, _, _ in pieces.values())]
        model = asked.model(self.terms.any(differ)) if differ else None
        if not model:
            return False
        if any(is_true(model.get_value(term)) for term in outputs.values()):
            return None
        for piece, (term, one, other) in pieces.items():
            if is_true(model.get_value(term)):
                self._loosen(piece, loose, step.sound, (one, other), model, asked.held)
        return True

    def _counts_differ(self) -> bool:
        names = set(self.counter.names)
        return any(name in names for loose in self.loose.values() for name, _ in loose)

    def _parting(self, step: Step, loose: Loose) -> dict[Piece, tuple[Term, Term, Term]]:
        """By piece: (it differs after a step otherwise than it may, it, the mutant's)."""
        made = {}
        for name in self.pair.observed:
            sound, mutant = step.sound[name], step.mutant[name]
            pairs = zip(self.pieces.of(name, sound), self.pieces.of(name, mutant), strict=True)
            for number, (one, other) in enumerate(pairs):
                piece = name, number
                firm = self.pieces.firm(piece, (one, other), loose.get(piece), step.sound)
                if firm is not None:
                    made[piece] = firm, one, other
        return made

    def _loosen(
        self,
        piece: Piece,
        loose: Loose,
        sound: State,
        pair: tuple[Term, Term],
        model: Bitwuzla,
        held: Sequence[Term],
    ) -> None:
        """Let a piece differ as it does in a model."""
        one, other = self.pieces.word(piece, pair)
        way, mask, memory = loose.get(piece), full(one), pair[0].sort().is_array()
        differing = bits(model.get_value(self.terms.manager.mk_term(Kind.BV_XOR, [one, other])))
        if self.counter.names and way is None and not memory:
            inverse = Way(differing, inverted=True)
            firm = self.pieces.firm(piece, pair, inverse, sound)
            if firm is None or not self.pair.solve(firm, *held):
                loose[piece] = inverse
                self._stricter = True  # it was equal in what has been followed so far
                return
        apart = not memory and (way is None or not way.inverted)
        never = way or Way(len(mask) * "0", frozenset())
        if apart and self._is_empty(piece, sound, model):
            loose[piece] = replace(never, empty=self._empty[piece])
            return
        if apart and self._of_a_body(one, differing, model):
            bodies = "".join(map(max, differing, never.bodies or differing))
            loose[piece] = replace(never, bodies=bodies)
            return
        if way is not None:
            differing = "".join(map(max, differing, way.bits))
        mask = differing if differing.count("1") <= FEW else mask
        old = way or Way(mask, frozenset())
        when = _with(old.when, self.pieces.control(piece, sound), model)
        loose[piece] = replace(old, bits=mask, when=when, inverted=False)

    def _is_empty(self, piece: Piece, sound: State, model: Bitwuzla) -> bool:
        """Whether there is no flit in a place, in a model."""
        control = self.pieces.control(piece, sound)
        return control is not None and bits(model.get_value(control)) in self._empty.get(piece, ())

    def _of_a_body(self, part: Term, differing: str, model: Bitwuzla) -> bool:
        """Whether a flit that is no head differs in hops alone, in a model."""
        head = self.pieces.head(part)
        if head is None or "1" in differing[self.pair.hints.optional :]:
            return False
        return bits(model.get_value(head)) == "0"


def _with(
    values: frozenset[str] | None, word: Term | None, model: Bitwuzla
) -> frozenset[str] | None:
    """Values, and that of a word in a model; None, for all, if these are too many."""
    if values is None or word is None:
        return None
    more, size = values | {bits(model.get_value(word))}, word.sort().bv_size()
    return more if len(more) <= max(VALUES, (1 << min(size, NARROW)) - 1) else None
