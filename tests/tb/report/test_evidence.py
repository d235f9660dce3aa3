"""Evidence is kept, read back, replaced by its own kind only, and stands in every report."""

import csv
import io
import json
from pathlib import Path

from rich.console import Console

from fattree_bench.report.database import read_json, write_json
from fattree_bench.report.evidence import collect, show, store
from fattree_bench.report.page import write_page
from tests.tb.report import samples


def test_round_trip_and_replacement(tmp_path: Path) -> None:
    first = samples.evidence()
    page = store(first, tmp_path)
    assert collect(tmp_path) == [first]
    assert first.claims[0].says in page.read_text() and "Proofs" in page.read_text()
    second = samples.evidence()
    second.kind, second.title = "area", "Area"
    store(second, tmp_path)
    third = samples.evidence()
    third.rows = third.rows[:1]
    store(third, tmp_path)
    assert collect(tmp_path) == [third, second]
    lines = list(csv.reader(io.StringIO((tmp_path / "evidence/area.csv").read_text())))
    assert lines == [second.columns, *second.rows]


def test_a_damaged_file_counts_as_none(tmp_path: Path) -> None:
    store(samples.evidence(), tmp_path)
    (tmp_path / "evidence/formal.json").write_text('{"kind": "formal"')
    assert collect(tmp_path) == []
    (tmp_path / "evidence/formal.json").write_text(json.dumps({"kind": "formal"}))
    assert collect(tmp_path) == []


def test_a_report_that_is_there_is_written_again(tmp_path: Path) -> None:
    report, folder = samples.green(), tmp_path / "report"
    report.evidence = []
    write_page(report, folder)
    write_json(report, folder / "coverage.json")
    assert "make formal, make mutate and make area leave" in (folder / "index.html").read_text()
    store(samples.evidence(), tmp_path)
    assert "node-4: rule C2: failed" in (folder / "index.html").read_text()
    assert "## Proofs" in (folder / "summary.md").read_text()
    assert read_json(folder / "coverage.json").evidence == [samples.evidence()]


def test_claims_of_evidence_are_claims_of_the_report() -> None:
    report = samples.green()
    assert report.passed and report.evidence[0].claims[0] in report.judged
    report.evidence[0].claims[0].trouble = "fails"
    assert not report.passed and not report.evidence[0].passed


def test_much_that_is_wrong_stands_behind_the_table(tmp_path: Path) -> None:
    for lines, behind in ((8, False), (9, True)):
        evidence = samples.evidence()
        evidence.trouble = [f"mutant {n}: survived" for n in range(lines)]
        page = store(evidence, tmp_path).read_text()
        assert (page.index("mutant 0: survived") > page.index("</table>")) == behind
        assert page.count("mutant 0: survived") == 1


def test_a_terminal_sees_all_of_it() -> None:
    console = Console(width=160, record=True, file=io.StringIO())
    show(samples.evidence(), console)
    text = console.export_text()
    for word in ("C1", "<script>", "2.5 s", "3 of 4 rules", "degrees fall", "FAIL node-4"):
        assert word in text
