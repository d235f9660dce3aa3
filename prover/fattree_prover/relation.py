"""A relation between states of the sound system and of a mutant, kept by each clock or round.

All registers are equal except for loose pieces: bits of control registers (those with a reset),
words of memories, other registers.  A piece may differ in some bits, always or only for certain
values of the control registers of its instance: the content of an empty queue slot is unused.  The
relation starts without loose pieces.  Whatever the solver finds to differ one clock later becomes
loose, until nothing more does (then the relation holds forever) or an output differs.

Two kinds of pieces are known in advance: a place that lemmas prove empty may differ in all bits,
and the optional bits of a word without the mark (`hints`) may differ independently of the rest.

Systems that work in rounds (delivery cycles, slots of a schedule) forget nearly everything at the
end of each.  There both are followed through all clocks of a round, with the counter's values as
constants; the relation must hold again only at its end and after a reset in any of its clocks.  A
piece may then also be inverted in some bits.

Pieces that may differ after a reset are kept apart from those after a clock or a round, because
the other registers then have their reset values.
"""

from collections.abc import Sequence
from dataclasses import replace

from bitwuzla import Bitwuzla, Kind, Term

from fattree_prover.btor import NOWHERE, State, bits, is_true
from fattree_prover.carried import Carried
from fattree_prover.counters import Counter
from fattree_prover.lemmas import instance
from fattree_prover.pair import Asked, Pair, Step
from fattree_prover.pieces import Loose, Piece, Pieces, Way, full

VALUES = 4  # values of control; a piece that differs for more may always differ
NARROW = 4  # bits of control up to which all values but one are kept apart
FEW = 4  # bits; a piece that differs in more at once may differ in all


class Relation:
    """Grows until it holds or an output differs.

    Parameters
    ----------
    free : an arbitrary state.
    contract : whether inputs keep to the rules.
    counter : counts the clocks of a round.

    Attributes
    ----------
    loose : pieces that may differ; key: whether a reset was just before.
    """

    def __init__(self, pair: Pair, free: State, contract: bool, counter: Counter) -> None:
        self.pair, self.terms, self.free = pair, pair.terms, free
        self.contract, self.counter = contract, counter
        self.pieces = Pieces(pair, free)
        # An empty place may differ for all these values of control once it does for one.
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
        """Whether there is such a relation; OutOfTime if that is unknown.

        Called again, it resumes with the pieces found so far.
        """
        # The first reset starts from any state, equal in both, in which no lemma holds.  Its inputs
        # are not those of the clocks after it.
        before = self.counter.clocks
        first = self.pair.simplified(self.pair.step(self.free, self.free, before, reset="1"))
        self._after_reset = first.sound
        while True:
            self._stricter = False
            asked = Asked(self.pair, [])
            while self._grown(first, True, asked, {}):
                pass
            todo = {True, False}
            while todo and not self._stricter:
                begun = True in todo  # differences after a reset come first
                more = self._around(begun)
                if more is None or self._counts_differ():
                    return False
                todo = todo | more if more else todo - {begun}
            if not todo:
                return True

    def _around(self, begun: bool) -> set[bool] | None:
        """Follow both through a clock or a round; None: an output differs.

        `begun`: start right after a reset.  Returns where more pieces became loose, if any: after a
        reset (True) or after the round (False).
        """
        if begun:
            sound = dict(self._after_reset)
        else:
            zeros = {n: self.free[n].sort().bv_size() * "0" for n in self.counter.names}
            sound = self.free | {n: self.terms.constant(zero) for n, zero in zeros.items()}
        mutant = self.pieces.related(sound, self.loose[begun])
        before, held = sound, list[Term]()
        for clock in range(self.counter.clocks):
            # Outputs during a reset count as well, except in the first one.
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
                step = self.pair.simplified(step)
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
        """Whether this step, if it ends a round, made pieces loose; None: an output differs."""
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
        """By piece: (Boolean: it differs in a way it may not, sound value, mutant's value)."""
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
        """Allow a piece to differ as it does in a model."""
        one, other = self.pieces.word(piece, pair)
        way, mask, memory = loose.get(piece), full(one), pair[0].sort().is_array()
        differing = bits(model.get_value(self.terms.manager.mk_term(Kind.BV_XOR, [one, other])))
        if self.counter.names and way is None and not memory:
            inverse = Way(differing, inverted=True)
            firm = self.pieces.firm(piece, pair, inverse, sound)
            if firm is None or not self.pair.solve(firm, *held):
                loose[piece] = inverse
                self._stricter = True  # earlier steps assumed it equal
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
        """Whether a place is empty in a model."""
        control = self.pieces.control(piece, sound)
        return control is not None and bits(model.get_value(control)) in self._empty.get(piece, ())

    def _of_a_body(self, part: Term, differing: str, model: Bitwuzla) -> bool:
        """Whether a word without the mark differs only in optional bits in a model."""
        head = self.pieces.head(part)
        if head is None or "1" in differing[self.pair.hints.optional :]:
            return False
        return bits(model.get_value(head)) == "0"


def _with(
    values: frozenset[str] | None, word: Term | None, model: Bitwuzla
) -> frozenset[str] | None:
    """Values with the one of a word in a model; None (all) if these are too many."""
    if values is None or word is None:
        return None
    more, size = values | {bits(model.get_value(word))}, word.sort().bv_size()
    return more if len(more) <= max(VALUES, (1 << min(size, NARROW)) - 1) else None
