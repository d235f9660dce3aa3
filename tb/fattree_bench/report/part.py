"""What a run leaves out that is only a part of a tier, and how a report says so."""

from collections.abc import Iterable

from fattree_bench.report.items import Chapter
from fattree_bench.report.regression import AT_NIGHT, Report


def whole(report: Report) -> bool:
    """Whether the command is a whole nightly or full tier, which decides all claims."""
    words = report.command.replace("make coverage", "make regress TIER=nightly").split()
    known = {"make", "regress", "EVIDENCE=0", *(f"TIER={tier}" for tier in AT_NIGHT)}
    more = [word for word in words if word not in known and not word.startswith("SEED=")]
    return report.tier in AT_NIGHT and not more


def concerned(report: Report, chapters: Iterable[Chapter]) -> list[Chapter]:
    """The papers and items that a run is about; those of a whole tier are all."""
    if whole(report):
        return [*chapters]
    own = [Chapter(c.paper, [r for r in c.rows if r.claims or r.tests[1]]) for c in chapters]
    return [chapter for chapter in own if chapter.rows]


def absent(report: Report) -> list[str]:
    """What a run does not have, a sentence each."""
    parts = {
        "claims": report.judged,
        "functional coverage": report.groups,
        "code coverage": report.code,
    }
    return [f"No {title} in this run." for title, part in parts.items() if not part]


def goal(report: Report, kind: str) -> str:
    """How much coverage of a kind is enough, or that no goal applies; "" where none could."""
    if report.goals:
        return f"goal: {report.goals[kind]:g} %" if kind in report.goals else "no goal"
    return "goals apply to whole tiers only" if report.code else ""
