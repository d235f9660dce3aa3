"""Message sets that were delivered, as measures of claims see them."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fattree_bench.bench.claims import NOTHING, Measured, found, leaves, results, sizes
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.words import plural


def wires(run: ScenarioResult) -> tuple[int, ...]:
    """Wires of a channel of the RTL by level, from the channel above the root; the fewer way."""
    return tuple(
        int(min(row["wires_up"] or 0, row["wires_down"] or 0)) for row in run.rows("levels")
    )


@dataclass(frozen=True)
class Delivery:
    """A message set that was delivered whole; `lg` is lg n as the paper has it, at least 1."""

    how: str
    offline: bool
    factor: float
    cycles: int
    leaves: int
    wires: tuple[int, ...]  # of a channel by level
    family: str = ""  # what kind of message set

    @property
    def narrowest(self) -> int:
        """Wires of the narrowest channel."""
        return min(self.wires)

    @property
    def lg(self) -> float:
        return max(1.0, math.log2(self.leaves))


def deliveries(tests: Iterable[Test]) -> Iterator[Delivery]:
    for run in results(tests):
        for told in run.deliveries:
            how, offline, factor = told["how"], told["offline"], told["load_factor"]
            yield Delivery(
                *(how, offline, factor, told["cycles"]), *(leaves(run), wires(run), told["family"])
            )


def within(sets: Sequence[Delivery], bound: Callable[[Delivery], float], name: str) -> Measured:
    """The cycles of deliveries by a bound of them, which has a name."""
    if not sets:
        return NOTHING
    shares = [s.cycles / bound(s) for s in sets]
    text = (
        f"{min(shares):.2f} … {max(shares):.2f} of {name} cycles in "
        f"{plural(len(sets), 'schedule')}, {sizes(s.leaves for s in sets)}"
    )
    return found(text, max(shares) <= 1)
