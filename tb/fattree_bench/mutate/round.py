"""A proof once round a counter: of a delivery cycle, or of the slots of a schedule.

Networks that work in rounds forget at the end of each nearly all that they knew.  So the sound
network and a mutant are followed through all clocks of a round, from any state in which they are
equal; the counter's values are constants there.  If all outputs are equal, and so are the registers
at the end, or after a reset in any of these clocks, they are for ever.  Registers in which the two
may differ at the end of a round are free in both at the beginning of the next; so are those in
which they may differ after a reset, where the others are what it has made them.  A register may
also be the inverse of the other's in some bits, always.
"""

from bitwuzla import Bitwuzla, Kind, Options, Term

from fattree_bench.mutate.btor import NOWHERE, Netlist, State, Terms, is_true, supports
from fattree_bench.mutate.pair import RESET, Pair, Step

LONGEST = 64  # clocks of a round
WIDEST = 8  # bits of a counter

Loose = dict[str, str | None]  # registers: masks, as bits are written


def counters(netlist: Netlist) -> dict[str, int]:
    """Registers that a reset sets to 0 and that count by themselves, and clocks from 0 to 0."""
    needed = supports(netlist)
    alone = [name for name, line in netlist.nexts.items() if needed[line] == {name, RESET}]
    found = {name: _period(netlist, name) for name in alone}
    return {name: clocks for name, clocks in found.items() if clocks > 1}


def _period(netlist: Netlist, name: str) -> int:
    """Clocks from 0 to 0; 0: it does not come, or a reset brings something else."""
    terms = Terms()
    simple = Bitwuzla(terms.manager, Options())
    size = int(netlist.lines[int(netlist.lines[netlist.states[name]][1])][2])
    zero = "0" * size

    def after(value: str, reset: str) -> str:
        known = {
            netlist.states[name]: terms.constant(value),
            netlist.inputs[RESET]: terms.constant(reset),
        }
        made = terms.work_out(netlist, {name: netlist.nexts[name]}, known)[name]
        return str(simple.simplify_term(made).value(2)).zfill(size)

    if size > WIDEST or after(zero, "1") != zero:
        return 0
    value = zero
    for clock in range(1, LONGEST + 1):
        if (value := after(value, "0")) == zero:
            return clock
    return 0


class Round:
    """Follows a pair once round its longest counter, from a reset, and from the end of a round.

    Attributes
    ----------
    clocks : of the round; 0: there is no counter.
    loose : registers that may differ where a round begins, after a reset (True), and after another
        round (False): in the bits of a mask, always, or, None, in any way.
    """

    def __init__(self, pair: Pair, contract: bool) -> None:
        self.pair, self.terms, self.contract = pair, pair.terms, contract
        found = counters(pair.sound)
        self.counter = max(found, key=lambda name: found[name], default="")
        self.clocks = found.get(self.counter, 0)
        gone = [name for name, number in pair.mutant.states.items() if number == NOWHERE]
        self.loose: dict[bool, Loose] = {each: dict.fromkeys(gone) for each in (True, False)}
        self._simple = Bitwuzla(self.terms.manager, Options())
        self._free, self._other = pair.state("round"), pair.state("other round")

    def holds(self) -> bool:
        """Whether the two are equal for ever; OutOfTime if that is not known in time."""
        if not self.clocks:
            return False
        first = self.pair.step(self._free, self._free, 0, reset="1")
        while more := self._parted(first, [], True):
            self.loose[True] |= more
        self._after_reset = self._simplified(first.sound)
        todo = {True, False}
        while todo:
            begun = True in todo  # what parts there is found first
            parted = self._around(begun)
            if parted is None or self.counter in parted[1]:
                return False
            reset, names = parted
            self.loose[reset] |= names
            todo = todo | {reset} if names else todo - {begun}
        return True

    def _around(self, begun: bool) -> tuple[bool, Loose] | None:
        """Registers that part in a round, and whether a reset ends it; None: an output differs.

        `begun`: it begins after a reset.
        """
        if begun:
            sound = dict(self._after_reset)
        else:
            size = self._free[self.counter].sort().bv_size()
            sound = self._free | {self.counter: self.terms.constant("0" * size)}
        mutant = sound | {
            name: self._other[name] if mask is None else self._masked(sound[name], mask)
            for name, mask in self.loose[begun].items()
        }
        held: list[Term] = []
        for clock in range(self.clocks):
            # The outputs of clocks of a reset, but for the first one, count, too.
            for reset in ("1", "0"):
                step = self.pair.step(sound, mutant, clock, reset=reset)
                known = self.pair.known(step, sound, self.contract) if not clock else []
                given = step.given if self.contract else []
                asked = list(step.outputs.values())
                if asked and self.pair.solve(self.terms.any(asked), *held, *known, *given):
                    return None
                if reset == "1" and (parted := self._parted(step, [*held, *known, *given], True)):
                    return True, parted
            held += [*known, *given]
            sound, mutant = self._simplified(step.sound), self._simplified(step.mutant)
        return False, self._parted(step, held, False)

    def _parted(self, step: Step, held: list[Term], reset: bool) -> Loose:
        """Registers that differ after a step otherwise than they may where a round begins."""
        loose = self.loose[reset]
        terms = {
            name: self._apart(step, name, loose.get(name))
            for name in {*step.states, *loose}
            if name not in loose or loose[name] is not None
        }
        model = self.pair.solve(self.terms.any(terms.values()), *held) if terms else None
        if model is None:
            return {}
        parted = [name for name, term in terms.items() if is_true(model.get_value(term))]
        found: Loose = {}
        for name in parted:
            found[name] = None
            if name not in loose and step.sound[name].sort().is_bv():
                flipped = self._xor(step.sound[name], step.mutant[name])
                mask = str(model.get_value(flipped).value(2)).zfill(flipped.sort().bv_size())
                if not self.pair.solve(self._apart(step, name, mask), *held):
                    found[name] = mask
        return found

    def _apart(self, step: Step, name: str, mask: str | None) -> Term:
        """Whether a register differs after a step, but for the bits of a mask, which must."""
        sound = step.sound[name]
        other = sound if mask is None else self._masked(sound, mask)
        return self.terms.differ(other, step.mutant[name])

    def _masked(self, word: Term, mask: str) -> Term:
        return self._xor(word, self.terms.constant(mask))

    def _xor(self, one: Term, other: Term) -> Term:
        return self.terms.manager.mk_term(Kind.BV_XOR, [one, other])

    def _simplified(self, state: State) -> State:
        return {name: self._simple.simplify_term(term) for name, term in state.items()}
