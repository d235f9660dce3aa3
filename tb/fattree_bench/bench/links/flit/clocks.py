"""Clocks of a network on the flit link: who has one of its own, and how fast they are."""

from __future__ import annotations

import math
from functools import cached_property

from fattree_bench.bench.limits import Limits
from fattree_bench.settings import Settings, flag, number, parsed, plain_real, word

MOST_PERIODS = 8
FASTEST, SLOWEST = 0.1, 1000.0  # ns
MOST_RATIO = 8  # of the longest period to the shortest: a run lasts as long as the slowest clock
LONGEST_HALT = 143  # periods, see bench_clocks.v
CROSSING = 2  # clocks of a crossing besides its synchroniser: until the next edge, and a late bit
PACING = 4  # clocks that the bench takes to bring a flit to a leaf's clock, and a credit back


def periods(text: str) -> tuple[int, ...]:
    """Periods in ps of a list in ns.

    Examples
    --------
    >>> periods("10,7.3")
    (10000, 7300)
    """
    told = f"1 to {MOST_PERIODS} periods of {FASTEST} … {SLOWEST:g} ns, up to {MOST_RATIO} to 1"
    try:
        found = [plain_real(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not (
        1 <= len(found) <= MOST_PERIODS
        and all(FASTEST <= period <= SLOWEST for period in found)
        and max(found) <= MOST_RATIO * min(found)
    ):
        raise ValueError(f"must be {told}")
    return tuple(round(1000 * period) for period in found)


def told(found: tuple[int, ...]) -> str:
    return ",".join(f"{period / 1000:g}" for period in found)


class Clocks(Settings):
    """Times are in clocks of the bench, which has the first of the periods."""

    apart = word(
        "ASYNC",
        "NONE",
        {
            "NONE": "one clock",
            "LEAVES": "each leaf has a clock of its own",
            "LINKS": "each level of switches",
        },
        rtl=True,
    )
    periods = parsed(
        "CLOCKS", "10,7.3", "periods of the clocks in ns, dealt out in turn", periods, told
    )
    sync = number("SYNC", 2, 2, 4, "flip-flops of a synchroniser between clocks", rtl=True)
    jitter = number("JITTER", 0, 0, 40, "percent by which a period is longer or shorter")
    halts = flag("HALTS", 0, "clocks stand still now and then")

    @property
    def one(self) -> bool:
        """Whether there is one clock."""
        return self.apart == "NONE"

    @property
    def fastest(self) -> float:
        """The shortest period of any clock."""
        return 1.0 if self.one else min(self.periods) / self.periods[0] * (1 - self.jitter / 100)

    @property
    def slowest(self) -> float:
        """The longest."""
        return 1.0 if self.one else max(self.periods) / self.periods[0] * (1 + self.jitter / 100)

    @property
    def equal(self) -> bool:
        """All clocks have the same period, always."""
        return len(set(self.periods)) == 1 and not self.jitter and not self.halts

    @property
    def crossing(self) -> int:
        """Edges that a crossing takes at most."""
        return 0 if self.one else self.sync + CROSSING

    @property
    def pacing(self) -> int:
        """Edges that the bench adds on a way and back."""
        return PACING if self.apart == "LEAVES" else 0

    def lasting(self, edges: int) -> int:
        """Clocks in which every clock has so many edges, even if it stands still twice."""
        return math.ceil((edges + 2 * LONGEST_HALT * self.halts) * self.slowest)

    def homeward(self, room: int) -> int:
        """Clocks that the last credits take beyond those with one clock; `room`: of a receiver."""
        if self.one:
            return 0
        halted = LONGEST_HALT if self.halts else 0
        return math.ceil((room + 16 + 2 * self.crossing + self.pacing + halted) * self.slowest)

    @cached_property
    def limits(self) -> Limits:
        """A slow clock makes everything last longer."""
        usual = Limits()
        if self.one:
            return usual
        slow = math.ceil(self.slowest) + 4 * self.halts
        return Limits(clocks=slow * usual.clocks, each=slow * usual.each, quiet=slow * usual.quiet)

    def bench(self, others: int) -> dict[str, int | str]:
        """Parameters of the bench; `others`: clocks that are not the bench's own."""
        value = sum(period << (32 * i) for i, period in enumerate(self.periods))
        return {
            "OTHERS": others,
            "COUNT": len(self.periods),
            "PERIODS": f"256'd{value}",
            "JITTER": self.jitter,
            "HALTS": int(self.halts),
        }
