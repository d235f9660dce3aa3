"""Evidence other than simulation: proofs, mutation scores, areas; tables for the report.

Each of `make formal`, `make mutate` and `make area` leaves one `Evidence` in BUILD/evidence: as
JSON, from which every report is rendered, and as CSV.  It replaces what the same command left
before.
"""

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from fattree_bench.bench.revive import revived
from fattree_bench.report.database import read_json, write_json
from fattree_bench.report.files import write_text
from fattree_bench.report.html import environment
from fattree_bench.report.markdown import write_markdown
from fattree_bench.report.page import write_page
from fattree_bench.report.regression import Evidence

KINDS = ("formal", "mutate", "area", "universality", "elements")  # in the order of the report

__all__ = ["KINDS", "Evidence", "collect", "publish", "show", "store"]


def store(evidence: Evidence, build: Path) -> Path:
    """Write BUILD/evidence/KIND.json and KIND.csv, the page of all evidence, and the report again.

    Returns the page of all evidence.
    """
    folder = build / "evidence"
    write_text(folder / f"{evidence.kind}.json", json.dumps(asdict(evidence), indent=1) + "\n")
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows([evidence.columns, *evidence.rows])
    write_text(folder / f"{evidence.kind}.csv", lines.getvalue())
    if evidence.svg:
        write_text(folder / f"{evidence.kind}.svg", evidence.svg)
    everything = collect(build)
    for written in (build / "report", build / "regress" / "report"):
        refresh(written, everything)
    return write_evidence_page(everything, folder / "index.html")


def publish(evidence: Evidence, build: Path, console: Console) -> bool:
    """Store and print it; whether all is well."""
    page = store(evidence, build)
    show(evidence, console)
    console.print(f"report: {page}", soft_wrap=True)
    return evidence.passed


def refresh(folder: Path, evidence: list[Evidence]) -> None:
    """Write a regression's report again with this evidence; where there is none, do nothing."""
    try:
        report = read_json(folder / "coverage.json")
    except ValueError:
        return
    report.evidence = evidence
    write_page(report, folder)
    write_json(report, folder / "coverage.json")
    write_markdown(report, folder / "summary.md")


def collect(build: Path) -> list[Evidence]:
    """All evidence in BUILD/evidence; a damaged file counts as none."""
    found = []
    for kind in KINDS:
        try:
            text = (build / "evidence" / f"{kind}.json").read_text(encoding="utf-8")
            found.append(revived(Evidence, json.loads(text)))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return found


def write_evidence_page(evidence: list[Evidence], path: Path) -> Path:
    """Write a page of tables that needs nothing from outside."""
    template = environment().get_template("evidence.html.j2")
    write_text(path, template.render(evidence=evidence))
    return path


def show(evidence: Evidence, console: Console) -> None:
    """Print the table, the summary, the claims and what is wrong."""
    table = Table(title=escape(evidence.title), title_justify="left")
    for column in evidence.columns:
        justify: JustifyMethod = "right" if column in evidence.right else "left"
        table.add_column(escape(column), justify=justify, overflow="fold")
    for row in evidence.rows:
        table.add_row(*map(Text, row))
    console.print(table)
    for sentence in evidence.summary:
        console.print(escape(sentence), soft_wrap=True)
    for claim in evidence.claims:
        mark = f"[red]{escape(claim.trouble)}:[/] " if claim.trouble else ""
        line = escape(f"{claim.says} ({claim.source}): {claim.measured.text}: {claim.verdict}")
        console.print(f"{mark}{line}", soft_wrap=True)
    for line in evidence.trouble:
        console.print(f"[red]FAIL[/] {escape(line)}", soft_wrap=True)
