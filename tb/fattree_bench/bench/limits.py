"""Limits that end a run, whatever the design does."""

from dataclasses import dataclass, replace

from fattree_bench.bench import faults as kind
from fattree_bench.bench.broken import log_size, standing
from fattree_bench.bench.faults import Faults


@dataclass(frozen=True)
class Limits:
    """When a run is ended.

    Attributes
    ----------
    clocks : of an item, besides the time in which its packets become due and `each` for each flit.
    each : clocks for each flit of an item.
    quiet : clocks without progress: far more than any queue's worth of waiting behind others.
    faults : of a scenario; beyond that many no more are named.
    stuck : items of a scenario in which nothing moves any more.
    log : bytes that a simulation may write.
    """

    clocks: int = 100_000
    each: int = 64
    quiet: int = 1500
    faults: int = 100_000
    stuck: int = 1_000
    log: int = 20_000_000

    def slowed(self, times: int) -> "Limits":
        """Those of a design that may be so many times slower."""
        return replace(self, each=self.each * times, quiet=self.quiet * times)


class Watch:
    """Sees whether a scenario has reached a limit that ends all of it."""

    def __init__(self, limits: Limits, faults: Faults) -> None:
        self.limits = limits
        self.faults = faults

    def end(self, told: str) -> None:
        """The scenario ends here, and this is why."""
        self.faults.add(kind.LIMIT, told)

    def over(self) -> bool:
        """Whether the scenario must end here; the limit is noted as a fault, once."""
        if self.faults.counts.keys() & {kind.LIMIT, kind.PLAYER}:
            return True
        count, size = sum(self.faults.counts.values()), log_size()
        if count >= self.limits.faults:
            self.end(f"stopped after {self.limits.faults:,} faults ({count:,} seen)")
        elif stuck := standing(self.faults, self.limits.stuck):
            self.end(stuck)
        elif size >= self.limits.log:
            self.end(f"{size} bytes of log; ended at {self.limits.log}")
        return kind.LIMIT in self.faults.counts
