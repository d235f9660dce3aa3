"""The results of a whole regression: the one model that every report renders.

It knows results, not simulators.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from fattree_bench.bench.claims import Claim
from fattree_bench.bench.result import Test
from fattree_bench.papers.registry import Paper

TIERS = ("smoke", "nightly", "full")  # of a testplan
AT_NIGHT = TIERS[1:]
KINDS = ("line", "branch", "toggle", "expression")  # of code coverage


@dataclass
class Testpoint:
    """One entry of the testplan, and what came of it; `tests` are names of scenarios.

    `networks` : of the configurations in which they prove it.
    """

    name: str
    network: str
    source: str
    goal: str
    stimulus: str
    check: str
    tests: list[str]
    coverage: list[str]
    passed: int = 0
    failed: int = 0
    seeds: int = 0
    covered: int = 0
    bins: int = 0
    networks: list[str] = field(default_factory=list)


@dataclass
class Exclusion:
    """Bins or points that need not be hit, and why not."""

    count: int
    reason: str


@dataclass
class Group:
    """A cover group of one configuration: `points` are the axes of a cross, title and bin labels.

    `hits` is flat, in C order over the axes; `reachable` says of each bin whether it counts.
    """

    network: str
    configuration: str
    name: str
    points: list[tuple[str, list[str]]]
    hits: list[int]
    reachable: list[bool]
    excluded: list[Exclusion] = field(default_factory=list)

    @property
    def bins(self) -> int:
        return sum(self.reachable)

    @property
    def covered(self) -> int:
        return sum(1 for h, r in zip(self.hits, self.reachable, strict=True) if r and h)

    def label(self, flat: int) -> str:
        """What a bin is, as in "level 2, direction up, lanes over capacity"."""
        labels, rest = [], flat
        for title, names in reversed(self.points):
            rest, index = divmod(rest, len(names))
            labels.append(f"{title} {names[index]}")
        return ", ".join(reversed(labels))

    def holes(self) -> list[str]:
        """Labels of the bins that should have been hit, and were not."""
        bins = enumerate(zip(self.hits, self.reachable, strict=True))
        return [self.label(flat) for flat, (hits, counts) in bins if counts and not hits]


@dataclass
class CodePoint:
    """One point of code coverage; `excluded` is the reason if it need not be hit."""

    kind: str
    line: int
    column: int
    name: str
    hits: int
    excluded: str = ""


@dataclass
class CodeFile:
    """A source file of the design, `path` from the root of the project, and its points."""

    path: str
    source: list[str]
    points: list[CodePoint]

    def lines(self) -> dict[int, int]:
        """How often lines were run, by number, as genhtml counts them: several points are one.

        The line of a generate block, or of an arm, counts by its branches if it has no other.
        """
        found: dict[int, int] = {}
        for kind in ("branch", "line"):
            own: dict[int, int] = {}
            for p in self.points:
                if p.kind == kind and not p.excluded:
                    own[p.line] = max(p.hits, own.get(p.line, 0))
            found |= own
        return dict(sorted(found.items()))

    def count(self, kind: str) -> tuple[int, int]:
        """(points hit, points that count) of a kind; of lines, those that `lines` tells."""
        if kind == "line":
            hits = self.lines().values()
            return sum(1 for count in hits if count), len(hits)
        counted = [p for p in self.points if p.kind == kind and not p.excluded]
        return sum(1 for p in counted if p.hits), len(counted)


@dataclass
class Picture:
    """A drawing of a network, with its channels coloured by load."""

    title: str
    caption: str
    svg: str


@dataclass
class Bucket:
    """Failures of one cause.

    Attributes
    ----------
    message : of the test that tells most, numbers aside.
    symptoms : what went wrong, and in how many tests, the most frequent first.
    test, members : numbers of that test, and of all, in the tests of the report.
    """

    message: str
    count: int
    replay: str
    symptoms: list[tuple[str, int]] = field(default_factory=list)
    test: int = -1
    members: list[int] = field(default_factory=list)


@dataclass
class Evidence:
    """A table that one command made, and what follows from it.

    Attributes
    ----------
    kind : "formal", "mutate", "area" …, as its files; `title` says what it is in the report.
    command : that made it, as it would be typed; `commit` of the sources ("" where unknown).
    summary : sentences; the first one stands alone in the README and on a terminal.
    columns, rows : cells are ready to print; `right` are columns of figures.
    trouble : what fails the command, a line each; empty if all is well.
    claims : what papers say, judged by these figures.
    svg : a picture, or "".
    figures : numbers for the history, by their names there.
    """

    kind: str
    title: str
    command: str
    commit: str
    summary: list[str]
    columns: list[str]
    rows: list[list[str]]
    right: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    svg: str = ""
    figures: dict[str, float] = field(default_factory=dict)
    when: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def passed(self) -> bool:
        """Nothing failed, and no claim is in trouble."""
        return not self.trouble and not any(c.trouble for c in self.claims)


@dataclass
class Report:
    """The regression: what was run where, and everything that came of it.

    Attributes
    ----------
    when : ISO 8601, UTC.
    tools, machine : name to value ("Verilator" to "5.48.0"; "CPU" to "…").
    problems : what fails the run besides failed tests, as a missed goal of the coverage.
    missing : tests of the plan that were not run (interrupted, fail-fast).
    evidence : what other commands have found; its claims stand among those of the regression, and
        nothing else of it decides whether the regression passed.
    papers : whose items the claims decide.
    goals : of the coverage, in %, by kind; empty where none applies.
    copies : files of failures that lie next to the report, by their paths from the root.
    cut : what of them was left out for its size, a line each.
    """

    tier: str
    seed: int
    command: str
    when: str
    seconds: float
    commit: str
    tools: dict[str, str]
    machine: dict[str, str]
    tests: list[Test]
    testpoints: list[Testpoint] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    code: list[CodeFile] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    buckets: list[Bucket] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    missing: int = 0
    evidence: list[Evidence] = field(default_factory=list)
    papers: list[Paper] = field(default_factory=list)
    goals: dict[str, float] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    cut: list[str] = field(default_factory=list)

    @property
    def judged(self) -> list[Claim]:
        """All claims, from wherever their figures come."""
        return [*self.claims, *(claim for one in self.evidence for claim in one.claims)]

    @property
    def passed(self) -> bool:
        """Something was run, all of it passed, nothing is missing, no claim is in trouble."""
        return (
            bool(self.tests)
            and all(t.passed for t in self.tests)
            and not any(c.trouble for c in self.judged)
            and not self.problems
            and not self.missing
        )

    def code_total(self, kind: str) -> tuple[int, int]:
        """(points hit, points that count) of a kind in all files."""
        pairs = [file.count(kind) for file in self.code]
        return sum(hit for hit, _ in pairs), sum(all_ for _, all_ in pairs)

    def functional_total(self) -> tuple[int, int]:
        """(bins hit, bins that count) of all groups."""
        return sum(g.covered for g in self.groups), sum(g.bins for g in self.groups)
