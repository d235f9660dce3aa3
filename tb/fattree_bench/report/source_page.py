"""Annotated source: one page a file of the design, with its hits and what was never hit."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import VerilogLexer

from fattree_bench.report.files import write_text
from fattree_bench.report.html import environment
from fattree_bench.report.regression import KINDS, CodeFile, CodePoint
from fattree_bench.report.summary import grouped, kind_title
from fattree_bench.words import number

NAMED = 8  # points of a kind that are named below a line
MISSED = {"line": "never run", "branch": "never taken", "toggle": "never seen"}


@dataclass(frozen=True)
class Note:
    """What is to say below a line; `kind` is "missed" or "excluded"."""

    kind: str
    text: str


@dataclass(frozen=True)
class Line:
    """A line of source; `state` is "", "covered", "partial", "missed" or "excluded"."""

    number: int
    code: Markup
    hits: str
    state: str
    notes: list[Note]


def write_source_pages(files: Iterable[CodeFile], folder: Path) -> dict[str, str]:
    """Write a page a file into `folder`, in place of those of earlier runs.

    Returns the name of the page (as in a link) by the path of the file.
    """
    for old in folder.glob("*.html"):
        old.unlink()
    template = environment().get_template("source.html.j2")
    names: dict[str, str] = {}
    taken: set[str] = set()
    for file in files:
        name = _name(file.path, taken)
        text = template.render(
            file=file,
            lines=_lines(file),
            totals=[(kind_title(kind), *file.count(kind)) for kind in KINDS],
        )
        write_text(folder / name, text)
        names[file.path] = quote(name)
    return names


def _name(path: str, taken: set[str]) -> str:
    """A file name for a path, different from all that are taken even if case does not count."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path).strip("-.") or "file"
    name, more = stem, 1
    while name.casefold() in taken:
        more += 1
        name = f"{stem}-{more}"
    taken.add(name.casefold())
    return f"{name}.html"


def _lines(file: CodeFile) -> list[Line]:
    points = grouped(file.points, lambda point: point.line)
    coloured = _highlight(file.source)
    return [
        Line(n, code, _hits(here), _state(here), _notes(here))
        for n, code in enumerate(coloured, 1)
        for here in [points.get(n, [])]
    ]


def _highlight(source: list[str]) -> list[Markup]:
    """The lines as HTML; coloured all at once, for a comment may go on over many."""
    text = "\n".join(line.rstrip("\r\n") for line in source)
    lexer = VerilogLexer(stripnl=False, ensurenl=True)
    html = highlight(text, lexer, HtmlFormatter(nowrap=True, classprefix="p-"))
    lines = [Markup(line) for line in html.split("\n")]
    return lines[: len(source)]


def _hits(points: list[CodePoint]) -> str:
    """How often a line was run: by its line points, else by its branches and expressions."""
    for kinds in (("line",), ("branch", "expression")):
        hits = [p.hits for p in points if p.kind in kinds and not p.excluded]
        if hits:
            return number(max(hits))
    return ""


def _state(points: list[CodePoint]) -> str:
    counted = [p for p in points if not p.excluded]
    if not counted:
        return "excluded" if points else ""
    if all(p.hits for p in counted):
        return "covered"
    return "partial" if any(p.hits for p in counted) else "missed"


def _notes(points: list[CodePoint]) -> list[Note]:
    notes = []
    for kind in KINDS:
        missed = [p.name for p in points if p.kind == kind and not p.hits and not p.excluded]
        if missed:
            missing = f"{kind} {MISSED.get(kind, 'never hit')}"
            notes.append(Note("missed", _named(missing, missed)))
    reasons: dict[tuple[str, str], list[str]] = {}
    for point in points:
        if point.excluded:
            reasons.setdefault((point.kind, point.excluded), []).append(point.name)
    for (kind, reason), names in reasons.items():
        notes.append(Note("excluded", f"{_named(f'{kind} excluded', names)} — {reason}"))
    return notes


def _named(missing: str, names: list[str]) -> str:
    """As in "toggle never seen: a:0->1, b:0->1 and 12 more"."""
    known = [name for name in names if name]
    listed = ", ".join(known[:NAMED])
    more = len(known) - NAMED
    rest = f" and {number(more)} more" if more > 0 else ""
    return f"{missing}: {listed}{rest}" if known else missing
