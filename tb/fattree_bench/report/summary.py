"""What a report comes to, in few figures: shared by the page and the Markdown summary."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from fattree_bench.bench.claims import DECIDED, Claim
from fattree_bench.report.part import goal
from fattree_bench.report.regression import KINDS, Report, Testpoint
from fattree_bench.words import number, plural

T = TypeVar("T")
K = TypeVar("K")
KIND_TITLES = {"line": "lines", "branch": "branches", "toggle": "toggles"}


@dataclass(frozen=True)
class Figure:
    """A total: `good` of `total`; `trouble` if it fails the run, `note` is what else to say.

    `counted`: best given as a count, as tests are; otherwise as a share.
    """

    label: str
    good: int
    total: int
    note: str = ""
    trouble: bool = False
    counted: bool = False


@dataclass(frozen=True)
class GroupSum:
    """A cover group, its configurations added up."""

    network: str
    name: str
    configurations: int
    covered: int
    bins: int


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Items by what `key` says of them, in the order in which they come."""
    found: dict[K, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def kind_title(kind: str) -> str:
    """Plural of a kind of code coverage."""
    return KIND_TITLES.get(kind, f"{kind}s")


def proven(testpoint: Testpoint) -> bool:
    return testpoint.passed > 0 and not testpoint.failed


def figures(report: Report) -> list[Figure]:
    """Tests, testpoints, claims, functional bins, then code coverage by kind."""
    passed = sum(t.passed for t in report.tests)
    failed = len(report.tests) - passed
    points = report.testpoints
    open_points = sum(1 for t in points if not t.passed and not t.failed)
    red_points = sum(1 for t in points if t.failed)
    return [
        Figure(
            "tests",
            passed,
            len(report.tests) + report.missing,
            _listed({"failed": failed, "not run": report.missing}) or "all passed",
            bool(failed or report.missing or not report.tests),
            counted=True,
        ),
        Figure(
            "testpoints",
            sum(map(proven, points)),
            len(points),
            _listed({"failed": red_points, "not run": open_points}) or "all proven",
            bool(red_points),
            counted=True,
        ),
        _claims(report),
        _covered(report, "functional", "functional bins", report.functional_total()),
        *(_covered(report, kind, kind_title(kind), report.code_total(kind)) for kind in KINDS),
    ]


def measured(claim: Claim) -> str:
    """The figures of a claim, then those of its controls."""
    told = [claim.measured.text]
    told += [f"control {c.name}: {c.measured.text or c.measured.verdict}" for c in claim.controls]
    return "; ".join(filter(None, told))


def _claims(report: Report) -> Figure:
    verdicts = Counter(claim.verdict for claim in report.judged)
    trouble = sum(bool(claim.trouble) for claim in report.judged)
    words = {"in trouble": trouble} | {verdict: verdicts[verdict] for verdict in DECIDED}
    words["not measured"] = sum(1 for c in report.judged if c.verdict not in DECIDED)
    good = sum(1 for c in report.judged if c.verdict in DECIDED and not c.trouble)
    note = _listed(words)
    return Figure("claims", good, len(report.judged), note, bool(trouble), counted=True)


def _covered(report: Report, kind: str, label: str, total: tuple[int, int]) -> Figure:
    """A kind of coverage."""
    what = _groups(report) if kind == "functional" else _points_left_out(report, kind)
    return Figure(label, *total, "; ".join(filter(None, (what, goal(report, kind)))))


def _groups(report: Report) -> str:
    configurations = {(group.network, group.configuration) for group in report.groups}
    of = f" of {plural(len(configurations), 'configuration')}"
    return plural(len(report.groups), "group") + of if report.groups else ""


def _points_left_out(report: Report, kind: str) -> str:
    count = sum(1 for f in report.code for p in f.points if p.kind == kind and p.excluded)
    return f"{number(count)} excluded" if count else ""


def _listed(counts: dict[str, int]) -> str:
    """As in "3 failed, 1 not run"; zeros are left out."""
    return ", ".join(f"{number(count)} {what}" for what, count in counts.items() if count)


def reasons(report: Report) -> list[tuple[str, str]]:
    """Why a report does not pass, and the section of the page that says more."""
    failed = sum(not test.passed for test in report.tests)
    trouble = [claim for claim in report.judged if claim.trouble]
    found = []
    if not report.tests:
        found.append(("No test was run.", "tests"))
    if failed:
        of = f"{number(failed)} of {plural(len(report.tests), 'test')} failed."
        found.append((of, "failures"))
    if trouble:
        first = f"{trouble[0].item or trouble[0].testpoint}: {trouble[0].trouble}"
        others = f" (and {len(trouble) - 1} more)" if trouble[1:] else ""
        found.append((f"Claim {first}{others}.", "claims"))
    if report.missing:
        found.append((f"{plural(report.missing, 'test')} of the plan did not run.", "problems"))
    if report.problems:
        more = len(report.problems) - 1
        found.append((report.problems[0] + (f" (and {more} more)" if more else ""), "problems"))
    return found


def group_sums(report: Report) -> list[GroupSum]:
    """Cover groups by network and name, in the order in which they first occur."""
    sums: dict[tuple[str, str], GroupSum] = {}
    for group in report.groups:
        key = group.network, group.name
        before = sums.get(key, GroupSum(*key, 0, 0, 0))
        sums[key] = GroupSum(
            *key,
            before.configurations + 1,
            before.covered + group.covered,
            before.bins + group.bins,
        )
    return list(sums.values())


def holes(report: Report) -> Iterator[tuple[str, str]]:
    """Every bin that should have been hit: where (network, configuration, group), and its label."""
    for group in report.groups:
        for hole in group.holes() if group.covered < group.bins else ():
            yield f"{group.network} {group.configuration}, {group.name}", hole


def uncovered_code(report: Report) -> Iterator[tuple[str, str]]:
    """Every point of the code that should have been hit, by kind: file and line, what it is."""
    for kind in KINDS:
        for file in report.code:
            for point in file.points:
                if point.kind == kind and not point.hits and not point.excluded:
                    yield f"{file.path}:{point.line}", f"{kind} {point.name}".rstrip()
