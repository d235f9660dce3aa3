"""Registers of a system that count by themselves: clocks of a delivery cycle, slots, phases."""

from dataclasses import dataclass

from bitwuzla import Bitwuzla, Options

from fattree_bench.prover.btor import RESET, System, Terms, autonomous, bits, supports

LONGEST = 64  # clocks of a round
WIDEST = 8  # bits of all registers that count them


@dataclass(frozen=True)
class Counter:
    """Registers that a reset sets to 0 and that count by themselves.

    Parameters
    ----------
    names : the first lowest.
    values : of all as one word, from 0 on until it is 0 again.
    """

    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ("",)

    @property
    def clocks(self) -> int:
        """Of a round."""
        return len(self.values)


ALWAYS = Counter()  # each clock is a round of its own


def counters(system: System) -> list[Counter]:
    """Those of a system, of different clocks, the shortest first."""
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
    """Values from 0 on; none: 0 does not come again, or a reset brings something else."""
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
