"""All claims that there are, and docs/claims.md, which tells what is held of each item."""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from fattree_bench.bench.claims import NOTHING, UNMEASURED, Claim, Control, Figure
from fattree_bench.bench.claims import Measured as Found
from fattree_bench.bench.expressions import Comparison
from fattree_bench.bench.result import Test
from fattree_bench.bench.revive import revived
from fattree_bench.drawings import drawings, letter
from fattree_bench.errors import UserError
from fattree_bench.families import offered
from fattree_bench.families.design import Measured
from fattree_bench.families.drawing import Drawing
from fattree_bench.papers.registry import cited, items, papers
from fattree_bench.report.items import OTHERS, Chapter, Row, chapters, found_in, others
from fattree_bench.report.markdown import code, counted, plain
from fattree_bench.report.part import whole
from fattree_bench.report.regression import Report
from fattree_bench.settings import parsed
from fattree_bench.testplan import ClaimEntry, Testplan, TestpointEntry, read
from fattree_bench.words import moment, number, plural

PLANTED = "tests/tb/regress/test_claims.py -k {}"  # a measure
FIGURE = re.compile(r"Fig\. (\d+)")
COUNTS = re.compile(  # in the README
    r"^(?:No full run|Counted in) .*\n\n\| paper +\| items .*\n(?:\|.*\n)+", re.MULTILINE
)
PROVED = re.compile(r"^\* \[`make formal`\].*\n(?:  .*\n)*", re.MULTILINE)  # there
RUN = Path(__file__).parent / "papers" / "last_run.json"
REPORT = parsed(
    *("REPORT", "", "coverage.json of a whole nightly or full tier, whose verdicts are counted"),
    str,
)
ABOUT = """\
# What the papers say, and what is held of it

`make docs` writes this page from `tb/fattree_bench/papers/` and the testplan. It says of every item
of the five papers what we expect its verdict to be, and what decides it: measures of claims, in
`make regress TIER=nightly` and `make area`; or a test of a definition or a construction.

| verdict | meaning |
|---|---|
| holds | the figures agree with the sentence as printed |
| as corrected | they contradict the sentence, and agree with the one that we give below |
| fails | they contradict the sentence, and we know no correction |
| depends on the reading | its words allow several readings; it holds under some of them |
| not decided here | nothing that is measured here decides it; the reason stands below |
| not measured | of a run: it did not run what decides the item |

A verdict, its correction and its measure belong to one item; several measures of one item must all
agree. A measure may have *controls*: runs or numbers that make the sentence false, such as RTL with
a planted fault. The run fails if a verdict is not the expected one, if a measure says of a
control what it says of the claim, or if tests pass and leave nothing to measure a claim by. Tests
plant errors in each measure; their names are in brackets.

"""


def unmeasured(point: TestpointEntry, entry: ClaimEntry) -> list[Claim]:
    """The claims of an entry, one for each of its items, before anything was run."""
    planted = PLANTED.format(entry.measure)
    found = []
    for item in entry.items or ("",):
        words = (cited(item), items()[item].says) if item else (point.source, entry.says)
        about = (point.name, point.network, *words)
        found.append(Claim.judged(about, entry.verdict, NOTHING, item, planted, entry.corrected))
    return found


def planned(plan: Testplan) -> list[Claim]:
    """Every claim with nothing measured: those of the testplan, then those of engines."""
    nothing = Measured((), {})
    points = plan.testpoints.values()
    own = [claim for p in points for entry in p.claims for claim in unmeasured(p, entry)]
    return own + [claim for _, judge in offered("area", "judge") for claim in judge(nothing)]


def renew(docs: Path, readme: Path) -> list[Path]:
    """Write docs/claims.md, and the counts in the README; those that were not as they should be."""
    own, run = expected(read()), recorded()
    parts = held(own)
    paths = docs / "claims.md", readme
    old = [path.read_text(encoding="utf-8") if path.exists() else "" for path in paths]
    table = "".join(f"{line}\n" for line in table_of(parts, run))
    told = f": {run.proofs.rstrip('.')}" if run and run.proofs else " proves rules of networks"
    told += "; a [museum](docs/museum.md) breaks some."
    proved = "".join(f"{line}\n" for line in _filled(f"* [`make formal`](docs/formal.md){told}"))
    counted_in = COUNTS.sub(lambda _: table, old[1])
    new = page(own, run), PROVED.sub(lambda _: proved, counted_in)
    for path, text in zip(paths, new, strict=True):
        path.write_text(text, encoding="utf-8")
    return [path for path, one, other in zip(paths, old, new, strict=True) if one != other]


def expected(plan: Testplan) -> list[Claim]:
    """All claims with the verdicts that they are expected to have."""
    return [replace(claim, verdict=claim.expected) for claim in planned(plan)]


def held(claims: Sequence[Claim]) -> list[Chapter]:
    """The papers with these claims, as if every check had passed."""
    return chapters(papers(), claims, lambda _: (1, 1))


# ---- what tests make of them ---------------------------------------------------------------------


def judge(
    claims: Iterable[Claim],
    entry: ClaimEntry,
    tests: Sequence[Test],
    controls: Mapping[str, Sequence[Test]],
) -> list[Claim]:
    """Measure a claim, for each of its items, in tests of its testpoint and of its controls.

    Figures of tests that failed say nothing of a claim.  Tests that passed and leave nothing to
    measure it by are trouble.
    """
    logs = tuple(dict.fromkeys(test.log for test in tests if test.log))
    claims = [replace(claim, logs=logs) for claim in claims]
    failed = sum(not test.passed for test in tests)
    if failed or not tests:
        text = f"{number(failed)} of {plural(len(tests), 'test')} failed" if failed else ""
        return [replace(claim, measured=Found(Figure(text))) for claim in claims]
    measured = entry.figures(tests)
    if measured == NOTHING:
        why = "its tests passed and left nothing to measure it by"
        return [replace(claim, trouble=unrecorded(entry, tests) or why) for claim in claims]
    turned = [
        Control(name, entry.figures(swapped(controls[name], control.instead)))
        for name, control in entry.controls.items()
    ]
    return [claim.by(measured, turned) for claim in claims]


def unrecorded(entry: ClaimEntry, tests: Sequence[Test]) -> str:
    """The names in a stated figure that no check has recorded, in a sentence; "" if none."""
    if not isinstance(entry.figures, Comparison):
        return ""
    known = {name for test in tests for name in test.recorded}
    missing = sorted(entry.figures.names - known)
    return f"no test recorded {', '.join(missing)}" if missing else ""


def swapped(tests: Sequence[Test], instead: Mapping[str, str]) -> list[Test]:
    """The tests, with recorded numbers in the place of others."""
    if not instead:
        return [*tests]
    lasting = [replace(test, recorded={**test.recorded}) for test in tests]
    for test in lasting:
        for name, other in instead.items():
            test.recorded.pop(name, None)
            if other in test.recorded:
                test.recorded[name] = test.recorded[other]
    return lasting


# ---- the last full run ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """What a whole regression found; `verdicts` by numbers of items; `proofs`: what was proved."""

    command: str
    commit: str
    when: str
    verdicts: dict[str, str]
    proofs: str = ""


def recorded(file: Path = RUN) -> Run | None:
    """The last full run; None: there was none since verdicts belong to items."""
    return revived(Run, json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None


def record(report: Report, file: Path = RUN) -> None:
    """Keep what a report found; UserError if it is not of a whole nightly or full tier."""
    if report.missing or not whole(report):
        raise UserError(f"REPORT: {report.command}: must be a whole nightly or full tier")
    found = {row.item.number: row.verdict for part in found_in(report) for row in part.rows}
    own = (e for e in report.evidence if e.kind == "formal" and e.commit == report.commit)
    proofs = next((e.summary[0] for e in own if e.passed), "")
    run = Run(report.command, report.commit, report.when, found, proofs)
    file.write_text(json.dumps(asdict(run), indent=0) + "\n", encoding="utf-8")


def table_of(parts: list[Chapter], run: Run | None) -> Iterator[str]:
    """Counts of verdicts, and a sentence that says which run, or that no run, they are of."""
    told = "No full run of these verdicts is recorded yet; the counts are of expected verdicts."
    if run is not None:
        told = f"Counted in {code(run.command)} of {moment(run.when)}, commit {code(run.commit)}."
    yield told
    yield ""
    yield from counted(parts, run.verdicts if run else None)


def page(claims: Sequence[Claim], run: Run | None) -> str:
    """docs/claims.md."""
    parts = held(claims)
    lines = [*ABOUT.splitlines(), *table_of(parts, run)]
    every = drawings()
    for chapter in parts:
        lines += ["", f"## {plain(chapter.paper.authors)}: {plain(chapter.paper.title)}", ""]
        figures = [d for d in every if d.paper == letter(chapter.paper)]
        if figures:
            lines += [*_filled(f"Its figures, drawn from the models: {_links(figures)}."), ""]
        for row in chapter.rows:
            item = row.item
            head = f"* **{item.number}** ({plain(item.section)}): {plain(item.says)}"
            told = f"{head} *{row.verdict.capitalize()}*{_why(row)}"
            if run and (came := run.verdicts.get(item.number, UNMEASURED)) != row.verdict:
                told += f" In that run: {came}."
            if own := _named(figures, f"{item.section} {item.says}"):
                told += f" Drawn: {_links(own)}."
            lines += _filled(told)
    lines += ["", f"## {OTHERS}", ""]
    for claim in others(claims):
        told = f"* {plain(claim.says)} ({plain(claim.source)}) *{claim.verdict.capitalize()}*"
        lines += _filled(f"{told}{_by([claim], claim.verdict)}")
    return "\n".join(lines) + "\n"


def _named(figures: list[Drawing], words: str) -> list[Drawing]:
    """The figures that an item speaks of, as in "Fig. 9"."""
    numbers = set(FIGURE.findall(words))
    return [d for d in figures if set(FIGURE.findall(d.figure)) & numbers]


def _links(figures: list[Drawing]) -> str:
    return ", ".join(f"[{d.figure}](drawings/{d.name}.svg)" for d in figures)


def _filled(words: str) -> list[str]:
    return textwrap.wrap(
        words, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _why(row: Row) -> str:
    """What decides an item, or why nothing does."""
    item = row.item
    if item.check.startswith("tests/"):
        return f": `{item.check.replace('::', '`, `')}`."
    if item.check:
        return f": testpoint {plain(item.check)}."
    if item.undecided:
        return f": {plain(item.undecided).removesuffix('.')}."
    return _by(row.claims, row.verdict) if row.claims else "."


def _by(claims: Sequence[Claim], verdict: str) -> str:
    """The testpoints and measures of claims, and the sentences in which they are corrected."""
    named = [
        f"{plain(c.network)}: {plain(c.testpoint)}"
        f"{f', {c.verdict}' if c.verdict != verdict else ''} (`{c.planted}`)"
        for c in claims
    ]
    sentences = dict.fromkeys(c.corrected for c in claims if c.corrected)
    told = "".join(f" Corrected: {plain(sentence)}" for sentence in sentences)
    return f": {'; '.join(named)}.{told}"
