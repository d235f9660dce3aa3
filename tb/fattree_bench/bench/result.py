"""What came of a simulation, in numbers; everything that is printed or written reads them here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fattree_bench.bench.failure import Failure, Stop
from fattree_bench.bench.faults import LOST
from fattree_bench.bench.ledger import DELIVERED, INSIDE

Number = int | float | None
Record = dict[str, Any]  # figures and words by name, as JSON keeps them


def _check(value: Number) -> None:
    """Refuse text: how a number looks is the business of those who print it."""
    if not isinstance(value, int | float | None):
        raise TypeError(f"{value!r} is not a number")


@dataclass(frozen=True)
class Quantity:
    """A number and its unit."""

    value: Number
    unit: str

    def __post_init__(self) -> None:
        _check(self.value)


@dataclass(frozen=True)
class Column:
    """Numbers of one kind, one per row of a table; None where a row has none.

    Attributes
    ----------
    unit : of each of them.
    title : what heads the column where the table is printed; "": it is not.  Neighbours with the
        same title are the least and the greatest of something: they are printed as one.
    none : what is printed for None.
    detail : a terminal shows the column with VERBOSE=1 only; reports always do.
    """

    unit: str
    values: Sequence[Number]
    title: str = ""
    none: str = ""
    detail: bool = False

    def __post_init__(self) -> None:
        for value in self.values:
            _check(value)


class Head(NamedTuple):
    """A column without its numbers: see Column."""

    unit: str
    title: str = ""
    none: str = ""
    detail: bool = False


Table = dict[str, Column]
Heads = Mapping[str, Head]  # of columns by name


def table(heads: Heads, rows: Sequence[Sequence[Number]]) -> Table:
    """A table of rows, each with a number for every head."""
    return {
        name: Column(head.unit, [row[place] for row in rows], *head[1:])
        for place, (name, head) in enumerate(heads.items())
    }


def rows(table: Table) -> list[dict[str, Number]]:
    """The rows of a table, by names of columns."""
    values = zip(*(column.values for column in table.values()), strict=True)
    return [dict(zip(table, row, strict=True)) for row in values]


@dataclass
class ScenarioResult:
    """What came of one scenario in one simulation.

    Attributes
    ----------
    faults, examples : how often each kind of fault was seen, and its first occurrences.
    unit, steps : what time was counted in ("slots", "delivery cycles"), and how many there were.
    noun : what was sent ("packets", "messages").
    ordered : whether those of a source and destination are promised to arrive in order.
    overtaken : by a later one of their source, destination and class, where no order is promised.
    level : up to which the checks went: "L0 delivery", "L1 promises", "L2 path", "L3 exact".
    promises : what the network promises, and was checked.
    losses : predicted and confirmed losses by cause, as in "in conflicts".
    accounts : what became of what was sent, as it was seen: the sum is `sent`.
    failure : where to look first, if there are faults.
    stop : where it was when its simulation ended before its time.
    figures : what else was counted, by name.
    tables : arrays with a row per level, by name: "levels".
    deliveries : message sets that were delivered: "family" (what kind of traffic), "how"
        (scheduler or discipline), "offline", "messages", "load_factor", "cycles", "least" (cycles
        that any delivery takes), "bound" (cycles by a theorem, or None).
    measurements : figures of runs that were measured: "family", "pattern", "load", those of
        traffic.Measurement by name, "stable", "saturation", and more that some networks have.
        Times are in `unit`, rates in what is sent per leaf and unit of time.
    permutations : (name, packets on the busiest link) of permutations; each leaf sent one packet.
    coverage : bins hit and bins reachable by cover group.
    bins : which were hit, as of chosen.packed; if STIMULUS was given.
    """

    scenario: str
    faults: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    unit: str = "slots"
    steps: int = 0
    noun: str = "packets"
    ordered: bool = True
    overtaken: int = 0
    level: str = ""
    promises: list[str] = field(default_factory=list)
    sent: int = 0
    delivered: int = 0
    losses: dict[str, int] = field(default_factory=dict)
    accounts: dict[str, int] = field(default_factory=dict)
    failure: Failure | None = None
    stop: Stop | None = None
    figures: dict[str, Quantity] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    deliveries: list[Record] = field(default_factory=list)
    measurements: list[Record] = field(default_factory=list)
    permutations: list[tuple[str, int]] = field(default_factory=list)
    coverage: dict[str, tuple[int, int]] = field(default_factory=dict)
    bins: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.faults and self.sent > 0

    @property
    def lost(self) -> int:
        """What was sent and did not arrive."""
        return self.sent - self.delivered

    @property
    def ends(self) -> dict[str, int]:
        """The accounts; of a result that has none, what was sent by its fate."""
        if self.accounts:
            return self.accounts
        losses = {cause: count for cause, count in self.losses.items() if count}
        rest = self.sent - self.delivered - sum(losses.values())
        lost = self.faults.get(LOST, 0) and rest
        parts = {LOST: lost, INSIDE: rest - lost}
        return {DELIVERED: self.delivered, **losses, **{k: v for k, v in parts.items() if v > 0}}

    def figure(self, name: str) -> Number:
        """The value of a figure; None if there is none of that name."""
        return self.figures[name].value if name in self.figures else None

    def rows(self, table: str) -> list[dict[str, Number]]:
        """The rows of a table; none if it does not exist."""
        return rows(self.tables.get(table, {}))


@dataclass
class Test:
    """One scenario in one configuration, on one simulator, with one seed; or a check by pytest.

    Attributes
    ----------
    configuration : its name in the testplan; `variables` are those that differ from the defaults.
    result : None if the run left none.
    message : the first thing that went wrong, one line; empty if it passed.
    details : everything that went wrong, one line each.
    replay : the command that repeats it.
    log, waves : paths from the root of the project; empty if there is none.
    seconds : of this scenario.
    recorded : numbers that a check by pytest has left (`record_property`), by name.
    failure : where to look first, where the result does not say so: there is none.
    stopped : what was known of it when its simulation ended before its time.
    symptoms : names of what went wrong: kinds of faults, rules of the design; see regress/buckets.
    """

    network: str
    configuration: str
    variables: dict[str, str]
    sim: str
    seed: int
    scenario: str
    passed: bool
    result: ScenarioResult | None = None
    message: str = ""
    details: list[str] = field(default_factory=list)
    replay: str = ""
    log: str = ""
    waves: str = ""
    seconds: float = 0.0
    recorded: dict[str, float] = field(default_factory=dict)
    failure: Failure | None = None
    stopped: ScenarioResult | None = None
    symptoms: list[str] = field(default_factory=list)
