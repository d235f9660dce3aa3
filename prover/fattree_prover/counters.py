"""Free-running counters of a system: clocks of a delivery cycle, slots, phases."""

from dataclasses import dataclass

from bitwuzla import Bitwuzla, Options

from fattree_prover.btor import RESET, System, Terms, autonomous, bits, supports

LONGEST = 64  # clocks of a round
WIDEST = 8  # bits of all registers of a counter


@dataclass(frozen=True)
class Counter:
    """Registers that reset to 0 and depend on nothing else.

    Parameters
    ----------
    names : registers, the lowest first.
    values : of all registers as one word, from 0 until 0 comes again.
    """

    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ("",)

    @property
    def clocks(self) -> int:
        """Clocks per round."""
        return len(self.values)


ALWAYS = Counter()  # every clock is a round


def counters(system: System) -> list[Counter]:
    """Counters of a system, one per length of a round, shortest first."""
    alone, needed = autonomous(system), supports(system)
    found: dict[int, Counter] = {}
    for name in sorted(alone):
        group = {name}
        while more := set().union(*(needed[system.nexts[n]] for n in group)) - group - {RESET}:
            group |= more
        names = tuple(sorted(group))
        values = _values(system, names)
        found.setdefault(len(values), Counter(names, values))
    return [found[clocks] for clocks in sorted(found) if clocks > 1]


def _values(system: System, names: tuple[str, ...]) -> tuple[str, ...]:
    """Values from 0 on; empty: never 0 again, too long or too wide, or not reset to 0."""
    lines = [system.lines[int(system.lines[system.states[name]][1])] for name in names]
    if any(line[1] != "bitvec" for line in lines):
        return ()
    sizes = [int(line[2]) for line in lines]
    if sum(sizes) > WIDEST:
        return ()
    terms = Terms()
    simple = Bitwuzla(terms.manager, Options())
    zero = "0" * sum(sizes)

    def after(word: str, reset: str) -> str:
        known = {system.inputs[RESET]: terms.constant(reset)}
        place = len(word)
        for name, size in zip(names, sizes, strict=True):
            known[system.states[name]] = terms.constant(word[place - size : place])
            place -= size
        made = terms.work_out(system, {name: system.nexts[name] for name in names}, known)
        return bits(simple.simplify_term(terms.joined([made[name] for name in names])))

    if after(zero, "1") != zero:
        return ()
    values = [zero]
    while len(values) <= LONGEST and (word := after(values[-1], "0")) != zero:
        values.append(word)
    return tuple(values) if len(values) <= LONGEST else ()
