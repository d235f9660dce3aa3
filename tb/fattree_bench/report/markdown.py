"""The report in short, as Markdown: for a terminal and for the summary page of a CI server."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fattree_bench.bench.claims import Claim
from fattree_bench.bench.sentences import REPLAY, summary
from fattree_bench.papers.registry import Item
from fattree_bench.report.files import write_text
from fattree_bench.report.items import (
    OTHERS,
    VERDICTS,
    Chapter,
    counts,
    found_in,
    occurring,
    others,
)
from fattree_bench.report.part import absent, concerned
from fattree_bench.report.regression import Report, Testpoint
from fattree_bench.report.summary import (
    figures,
    group_sums,
    holes,
    measured,
    proven,
    reasons,
    uncovered_code,
)
from fattree_bench.words import DASH, duration, moment, number, percent

MOST = 20  # holes, buckets, problems that are listed
_MARKUP = re.compile(r"[\\`*\[\]<>]|&(?=#?\w+;)|~(?=~)|(?<![^\W_])_|_(?![^\W_])|^[#+-]")


def write_markdown(report: Report, path: Path) -> None:
    write_text(path, markdown(report))


def markdown(report: Report) -> str:
    """Verdict, totals, failures with replay lines, claims, testplan, coverage, holes, evidence."""
    sections = (
        _verdict,
        _totals,
        _failures,
        _problems,
        _claims,
        _testplan,
        _coverage,
        _holes,
        _evidence,
    )
    blocks = ("\n".join(section(report)) for section in sections)
    return "\n\n".join(block for block in blocks if block) + "\n"


# Sections, as lines; one that has nothing to say says so, or has no lines ------------------------


def _verdict(report: Report) -> Iterator[str]:
    yield f"# {'PASS' if report.passed else 'FAIL'}: {plain(report.tier)} regression"
    yield ""
    for why, _ in reasons(report):
        yield f"* {plain(why)}"
    yield f"* {moment(report.when)}, {duration(report.seconds)}, seed {report.seed}"
    yield f"* {code(report.command)}, git commit {code(report.commit) if report.commit else DASH}"


def _totals(report: Report) -> Iterator[str]:
    rows = [
        (plain(f.label), number(f.good), number(f.total), percent(f.good, f.total), plain(f.note))
        for f in figures(report)
        if f.total
    ]
    if rows:
        yield from table(("", "good", "of", "share", ""), rows, right=(1, 2, 3))
    for sentence in absent(report):
        yield f"\n{sentence}"


def _failures(report: Report) -> Iterator[str]:
    if not report.buckets:
        return
    yield "## Failures"
    yield ""
    for bucket in report.buckets[:MOST]:
        seen = ", ".join(f"{name} in {number(count)}" for name, count in bucket.symptoms)
        yield f"* {number(bucket.count)} × {plain(seen) if seen else code(bucket.message)}"
        if bucket.test < 0:
            yield f"  * replay: {code(bucket.replay)}"
            continue
        for line in summary(report.tests[bucket.test]):
            text = code(line.text) if line.head == REPLAY else plain(line.text)
            yield f"  * {line.head}: {text}"
    yield from _rest(len(report.buckets))


def _problems(report: Report) -> Iterator[str]:
    if not report.problems:
        return
    yield "## Problems"
    yield ""
    for problem in report.problems[:MOST]:
        yield f"* {plain(problem)}"
    yield from _rest(len(report.problems))


def _claims(report: Report) -> Iterator[str]:
    if not report.judged:
        return
    yield "## Claims"
    parts = concerned(report, found_in(report))
    if parts:
        yield ""
        yield from counted(parts)
    titles = "where", "the paper says", "measured", "verdict", *_BASIS
    for chapter in parts:
        if chapter.claims:
            yield f"\n### {plain(chapter.paper.authors)}: {plain(chapter.paper.title)}"
            yield ""
            yield from table(titles, (_row(claim, item) for claim, item in chapter.claims))
    if own := others(report.judged):
        yield f"\n### {OTHERS}"
        yield ""
        yield from table(("source", *titles[1:]), (_row(claim, None) for claim in own))


_BASIS = "errors planted by", "testpoint", "log"


def counted(parts: list[Chapter], run: Mapping[str, str] | None = None) -> Iterator[str]:
    """Verdicts on items, by paper, or of a run; verdicts that no item has are left out."""
    found = counts(parts, run)
    used = occurring(found)
    rows = [
        (plain(name), number(total), *(number(own[place]) for place in used))
        for name, total, own in found
    ]
    titles = "paper", "items", *(VERDICTS[k] for k in used)
    yield from table(titles, rows, right=tuple(range(1, len(titles))))


def _row(claim: Claim, item: Item | None) -> tuple[str, ...]:
    """A claim, and the item of a paper that it decides."""
    where = f"{item.number} ({item.section})" if item else claim.source
    corrected = f" Corrected: {claim.corrected}" if claim.corrected else ""
    log = f"{code(claim.logs[0])}{_of(len(claim.logs))}" if claim.logs else DASH
    return (
        *map(plain, (where, claim.says + corrected, measured(claim))),
        _decided(claim),
        code(claim.planted),
        plain(f"{claim.network}: {claim.testpoint}"),
        log,
    )


def _of(count: int) -> str:
    return f" and {number(count - 1)} more" if count > 1 else ""


def _decided(claim: Claim) -> str:
    return f"{claim.verdict}{f' (**{plain(claim.trouble)}**)' if claim.trouble else ''}"


def _testplan(report: Report) -> Iterator[str]:
    if not report.testpoints:
        return
    yield "## Testplan"
    yield ""
    rows = [
        (
            plain(f"{t.network}: {t.name}"),
            _standing(t),
            number(t.passed),
            number(t.failed),
            number(t.seeds),
            f"{number(t.covered)}/{number(t.bins)}" if t.bins else DASH,
        )
        for t in report.testpoints
    ]
    yield from table(
        ("testpoint", "", "passed", "failed", "seeds", "bins"), rows, right=(2, 3, 4, 5)
    )


def _standing(testpoint: Testpoint) -> str:
    if testpoint.failed:
        return "**FAIL**"
    return "pass" if proven(testpoint) else "not run"


def _coverage(report: Report) -> Iterator[str]:
    if not report.groups:
        return
    yield "## Functional coverage"
    yield ""
    rows = [
        (
            plain(f"{s.network}: {s.name}"),
            number(s.configurations),
            number(s.covered),
            number(s.bins),
            percent(s.covered, s.bins),
        )
        for s in group_sums(report)
    ]
    yield from table(("group", "configurations", "hit", "bins", "share"), rows, right=(1, 2, 3, 4))


def _holes(report: Report) -> Iterator[str]:
    for title, found in (
        ("Holes in the functional coverage", list(holes(report))),
        ("Holes in the code coverage", list(uncovered_code(report))),
    ):
        if not found:
            continue
        yield f"## {title}: {number(len(found))}"
        yield ""
        for where, what in found[:MOST]:
            yield f"* {plain(where)}: {code(what)}"
        yield from itertools.chain(_rest(len(found)), [""])


def _evidence(report: Report) -> Iterator[str]:
    for one in report.evidence:
        yield f"## {plain(one.title)}"
        yield ""
        for line in (*one.summary, *(f"**FAIL** {plain(t)}" for t in one.trouble)):
            yield f"* {line if line.startswith('**') else plain(line)}"
        yield ""
        right = tuple(k for k, column in enumerate(one.columns) if column in one.right)
        cells = [tuple(map(plain, row)) for row in one.rows]
        yield from table(tuple(map(plain, one.columns)), cells, right)
        yield ""


# Markdown -----------------------------------------------------------------------------------------


def _rest(count: int) -> Iterator[str]:
    if count > MOST:
        yield f"* … and {number(count - MOST)} more"


def table(
    titles: tuple[str, ...], rows: Iterable[tuple[str, ...]], right: tuple[int, ...] = ()
) -> Iterator[str]:
    """A table, columns as wide as their cells, so that a terminal shows one too."""
    cells = [titles, *((*(cell.replace("|", r"\|") for cell in row),) for row in rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    for place, row in enumerate(cells):
        padded = (
            cell.rjust(wide) if column in right else cell.ljust(wide)
            for column, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        yield f"| {' | '.join(padded)} |"
        if not place:
            marks = ("-" * (w - 1) + (":" if c in right else "-") for c, w in enumerate(widths))
            yield f"| {' | '.join(marks)} |"


def _flat(words: str) -> str:
    return " ".join(words.split())


def plain(words: str) -> str:
    """Text on one line, escaped for Markdown only where needed."""
    return _MARKUP.sub(r"\\\g<0>", _flat(words))


def code(words: str) -> str:
    """Words on one line as they are, in a fence longer than any in them."""
    words = _flat(words)
    runs = re.findall("`+", words)
    fence = "`" * (1 + max(map(len, runs), default=0))
    pad = " " if runs else ""
    return f"{fence}{pad}{words}{pad}{fence}" if words else DASH
