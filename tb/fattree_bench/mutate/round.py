"""A proof once round a counter: of a delivery cycle, or of the slots of a schedule.

Networks that work in rounds forget at the end of each nearly all that they knew.  So the sound
network and a mutant are followed through all clocks of a round, from any state in which they are
equal; the counter's values are constants there.  If all outputs are equal, and so are the registers
at the end, or after a reset in any of these clocks, they are for ever.  Registers in which the two
may differ at the end of a round are free in both at its beginning.
"""

from bitwuzla import Bitwuzla, Options, Term

from fattree_bench.mutate.btor import NOWHERE, Netlist, State, Terms, is_true, supports
from fattree_bench.mutate.pair import RESET, Pair, Step

LONGEST = 64  # clocks of a round
WIDEST = 8  # bits of a counter


def counters(netlist: Netlist) -> dict[str, int]:
    """Registers that a reset sets to 0 and that count by themselves, and clocks until they are 0."""
    needed, found = supports(netlist), {}
    for name, line in netlist.nexts.items():
        if RESET in netlist.inputs and needed[line] == {name, RESET}:
            if (clocks := _period(netlist, name)) > 1:
                found[name] = clocks
    return found


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
    """Follows a pair once round its longest counter.

    Attributes
    ----------
    clocks : of the round; 0: there is no counter.
    loose : registers that may differ at the end of a round.
    """

    def __init__(self, pair: Pair, contract: bool) -> None:
        self.pair, self.terms, self.contract = pair, pair.terms, contract
        found = counters(pair.sound)
        self.counter = max(found, key=lambda name: found[name], default="")
        self.clocks = found.get(self.counter, 0)
        self.loose = {name for name, number in pair.mutant.states.items() if number == NOWHERE}
        self._simple = Bitwuzla(self.terms.manager, Options())
        self._free, self._other = pair.state("round"), pair.state("other round")

    def holds(self) -> bool:
        """Whether the two are equal for ever; OutOfTime if that is not known in time."""
        if not self.clocks:
            return False
        first = self.pair.step(self._free, self._free, 0, reset="1")
        while self.counter not in self.loose:
            parted = self._parted(first, []) or self._around()
            if parted is None:
                return False
            if not parted:
                return True
            self.loose |= parted
        return False

    def _around(self) -> set[str] | None:
        """Registers that part in a round; None: an output differs."""
        size = self._free[self.counter].sort().bv_size()
        sound = self._free | {self.counter: self.terms.constant("0" * size)}
        mutant = sound | {name: self._other[name] for name in self.loose}
        held: list[Term] = []
        for clock in range(self.clocks):
            # Later resets end the round; the outputs of their clocks count, too.
            for reset in ("1", "0"):
                step = self.pair.step(sound, mutant, clock, reset=reset)
                known = self.pair.known(step, sound, self.contract) if not clock else []
                given = step.given if self.contract else []
                asked = list(step.outputs.values())
                if asked and self.pair.solve(self.terms.any(asked), *held, *known, *given):
                    return None
                if reset == "1" and (parted := self._parted(step, [*held, *known, *given])):
                    return parted
            held += [*known, *given]
            sound, mutant = self._simplified(step.sound), self._simplified(step.mutant)
        return self._parted(step, held)

    def _parted(self, step: Step, held: list[Term]) -> set[str]:
        """Registers that differ after a step, and may not."""
        firm = {name: term for name, term in step.states.items() if name not in self.loose}
        if not firm or not (model := self.pair.solve(self.terms.any(firm.values()), *held)):
            return set()
        return {name for name, term in firm.items() if is_true(model.get_value(term))}

    def _simplified(self, state: State) -> State:
        return {name: self._simple.simplify_term(term) for name, term in state.items()}
