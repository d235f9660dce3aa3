"""Items of the papers and what came of them: for the page, the summary and docs/claims.md."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fattree_bench.bench.claims import DECIDED, FAILS, HOLDS, UNDECIDED, UNMEASURED, Claim
from fattree_bench.papers.registry import Item, Paper
from fattree_bench.report.regression import Report

VERDICTS = (*DECIDED, UNDECIDED, UNMEASURED)
OTHERS = "Wider literature, and our own"  # what claims are about that decide no item


@dataclass(frozen=True)
class Row:
    """An item, the claims that decide it, and how many tests of its check passed, of how many."""

    item: Item
    claims: list[Claim]
    tests: tuple[int, int] = (0, 0)

    @property
    def verdict(self) -> str:
        """One of VERDICTS; of claims that differ, which is trouble, the one that holds least."""
        item = self.item
        if item.check:
            passed, run = self.tests
            return HOLDS if 0 < run == passed else UNMEASURED
        if item.undecided:
            return UNDECIDED
        found = {claim.verdict for claim in self.claims}
        if not found or found - set(DECIDED):
            return UNMEASURED
        return max(found, key=DECIDED.index) if FAILS not in found else FAILS


@dataclass(frozen=True)
class Chapter:
    """A paper and its rows."""

    paper: Paper
    rows: list[Row]

    @property
    def claims(self) -> list[tuple[Claim, Item]]:
        """Claims with the items of this paper that they decide."""
        return [(claim, row.item) for row in self.rows for claim in row.claims]


def chapters(
    papers: Iterable[Paper], claims: Iterable[Claim], stood: Callable[[str], tuple[int, int]]
) -> list[Chapter]:
    """Every paper with its items; `stood`: how many tests of a check passed, of how many."""
    by_item: dict[str, list[Claim]] = {}
    for claim in claims:
        by_item.setdefault(claim.item, []).append(claim)

    def row(item: Item) -> Row:
        tests = stood(item.check) if item.check else (0, 0)
        return Row(item, by_item.get(item.number, []), tests)

    return [Chapter(paper, list(map(row, paper.items))) for paper in papers]


def found_in(report: Report) -> list[Chapter]:
    """The papers of a report with what it found."""
    return chapters(report.papers, report.judged, lambda check: stood(report, check))


def others(claims: Iterable[Claim]) -> list[Claim]:
    """Claims that decide no item of the five papers."""
    return [claim for claim in claims if not claim.item]


def counts(
    parts: Sequence[Chapter], found: Mapping[str, str] | None = None
) -> list[tuple[str, int, list[int]]]:
    """Items and verdicts, in the order of VERDICTS, of each paper, then of all.

    `found`: verdicts of a run by numbers of items, in place of those of the chapters.
    """
    every = [(chapter.paper.authors, chapter.rows) for chapter in parts]
    every.append(("all", [row for chapter in parts for row in chapter.rows]))
    made = []
    for name, rows in every:
        seen = Counter(
            row.verdict if found is None else found.get(row.item.number, UNMEASURED) for row in rows
        )
        made.append((name, len(rows), [seen[verdict] for verdict in VERDICTS]))
    return made


def occurring(found: Sequence[tuple[str, int, list[int]]]) -> list[int]:
    """Places in VERDICTS of those that an item has, of what `counts` has found."""
    return [place for place, count in enumerate(found[-1][2]) if count]


def stood(report: Report, check: str) -> tuple[int, int]:
    """How many tests of an item's check have passed in a run, of how many."""
    file, _, name = check.partition("::")
    for point in report.testpoints:
        if point.name == check:
            return point.passed, point.passed + point.failed
    own = [
        test.passed
        for test in report.tests
        if test.sim == "pytest"
        and test.configuration.partition("::")[0] == file
        and name in ("", test.scenario.partition("[")[0])
    ]
    return sum(own), len(own)
