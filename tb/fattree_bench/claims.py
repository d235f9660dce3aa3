"""All claims that there are, and docs/claims.md, which tells what is held of each item."""

import re
import textwrap
from dataclasses import replace
from pathlib import Path

from fattree_bench.bench.claims import NOTHING, Claim
from fattree_bench.drawings import drawings, letter
from fattree_bench.families import offered
from fattree_bench.families.design import Measured
from fattree_bench.families.drawing import Drawing
from fattree_bench.papers.registry import papers
from fattree_bench.report.items import Chapter, Row, chapters
from fattree_bench.report.markdown import counted, plain
from fattree_bench.testplan import ClaimEntry, Testplan, TestpointEntry, read

PLANTED = "tests/tb/regress/test_claims.py -k {}"  # a measure
FIGURE = re.compile(r"Fig\. (\d+)")
COUNTS = re.compile(r"^\| paper +\| items .*\n(?:\|.*\n)+", re.MULTILINE)  # in the README
ABOUT = """\
# What the papers say, and what is held of it

`make docs` writes this page from `tb/fattree_bench/papers/` and the testplan. It says of every item
of the five papers what we hold it to be, and what decides it. `make regress TIER=nightly` and
`make area` measure the claims; one that comes out otherwise fails them. Their reports show what was
measured, and the logs. Behind a claim stand the tests, as for pytest, that plant errors in its
measure. An item that some claims confirm and others do not holds as corrected.

"""


def unmeasured(point: TestpointEntry, entry: ClaimEntry) -> Claim:
    """The claim of a testpoint before anything was run."""
    about = point.name, point.network, point.source, entry.says
    planted = PLANTED.format(entry.measure)
    return Claim.judged(about, entry.verdict, NOTHING, entry.items, planted)


def planned(plan: Testplan) -> list[Claim]:
    """Every claim with nothing measured: those of the testplan, then those of engines."""
    nothing = Measured((), {})
    own = [unmeasured(p, p.claim) for p in plan.testpoints.values() if p.claim]
    return own + [claim for _, judge in offered("area", "judge") for claim in judge(nothing)]


def renew(docs: Path, readme: Path) -> list[Path]:
    """Write docs/claims.md, and the counts in the README; those that were not as they should be."""
    parts = held(read())
    paths = docs / "claims.md", readme
    old = [path.read_text(encoding="utf-8") if path.exists() else "" for path in paths]
    table = "".join(f"{line}\n" for line in counted(parts))
    new = page(parts), COUNTS.sub(table, old[1])
    for path, text in zip(paths, new, strict=True):
        path.write_text(text, encoding="utf-8")
    return [path for path, one, other in zip(paths, old, new, strict=True) if one != other]


def held(plan: Testplan) -> list[Chapter]:
    """The papers, each claim with the verdict that it is held to have; every check is held."""
    claims = [replace(claim, verdict=claim.expected) for claim in planned(plan)]
    return chapters(papers(), claims, lambda _: (1, 1))


def page(parts: list[Chapter]) -> str:
    """docs/claims.md."""
    lines = [*ABOUT.splitlines(), *counted(parts)]
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
            if own := _named(figures, f"{item.section} {item.says}"):
                told += f" Drawn: {_links(own)}."
            lines += _filled(told)
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
    if item.missing or item.undecidable:
        return f": {plain(item.missing or item.undecidable).removesuffix('.')}."
    claims = [
        f"{plain(c.network)}: {plain(c.testpoint)}"
        f"{f', {c.verdict}' if c.verdict != row.verdict else ''} (`{c.planted}`)"
        for c in row.claims
    ]
    return f": {'; '.join(claims)}." if claims else "."
