"""docs/claims.md and the counts in the README: as `make docs` writes them now."""

from dataclasses import replace
from pathlib import Path

import pytest

from fattree_bench.bench.claims import FAILS, UNDECIDED, Claim
from fattree_bench.claims import Run, expected, held, page, record, recorded, renew, table_of
from fattree_bench.errors import UserError
from fattree_bench.papers.registry import papers
from fattree_bench.paths import ROOT
from fattree_bench.report.items import Chapter
from fattree_bench.report.markdown import counted
from fattree_bench.report.regression import Evidence
from fattree_bench.testplan import read
from tests.tb.report import samples


@pytest.fixture(scope="module")
def claims() -> list[Claim]:
    return expected(read())


@pytest.fixture(scope="module")
def parts(claims) -> list[Chapter]:
    return held(claims)


def test_the_page_and_the_readme_are_up_to_date(claims, parts) -> None:
    assert (ROOT / "docs" / "claims.md").read_text(encoding="utf-8") == page(claims, recorded()), (
        "make docs"
    )
    assert "\n".join(table_of(parts, recorded())) in (ROOT / "README.md").read_text(
        encoding="utf-8"
    )


def test_a_terminal_shows_the_counts(parts) -> None:
    assert max(map(len, counted(parts))) <= 100


def test_every_item_stands_on_the_page_with_its_verdict(claims, parts) -> None:
    text = " ".join(page(claims, None).split())
    assert text.count("* **") == sum(len(paper.items) for paper in papers())
    for row in (row for chapter in parts for row in chapter.rows):
        own = text.partition(f"* **{row.item.number}** (")[2].partition("* **")[0]
        assert f"*{row.verdict.capitalize()}*" in own, row.item.number
        for claim in row.claims:
            assert claim.testpoint in own and f"`{claim.planted}`" in own
            assert claim.corrected in own.replace("\\", "")


def test_what_is_out_of_date_is_written(tmp_path: Path, parts) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(
        "# Mine\n\nNo full run is kept.\n\n| paper | items |\n|---|---|\n| stale | 1 |\n\nMore.\n"
        "* [`make formal`](docs/formal.md): 3 stale\n  rules.\n* More.\n"
    )
    assert renew(tmp_path, readme) == [tmp_path / "claims.md", readme]
    text = readme.read_text()
    first, *_ = table_of(parts, recorded())
    assert text.startswith(f"# Mine\n\n{first}\n\n| paper ") and " |\n\nMore.\n* [" in text
    assert text.endswith(".\n* More.\n")
    assert "stale" not in text and "| all " in text
    assert renew(tmp_path, readme) == []


def test_another_verdict_is_another_page(claims, parts) -> None:
    refuted = [replace(claims[0], verdict=FAILS), *claims[1:]]
    assert page(refuted, None) != page(claims, None)
    assert [*counted(held(refuted))] != [*counted(parts)]


def test_a_run_is_counted_and_told_where_it_differs(claims, parts) -> None:
    """What a run did not measure is not counted as if it had."""
    found = {row.item.number: row.verdict for chapter in parts for row in chapter.rows}
    found["L1"] = FAILS
    del found["L2"]
    run = Run("make coverage", "abc1234", "2026-11-27T12:00:00+00:00", found)
    text = page(claims, run)
    assert "Counted in `make coverage` of 2026-11-27 12:00 UTC, commit `abc1234`." in text
    said = [line for line in " ".join(text.split()).split("* **") if "In that run" in line]
    assert [line[:2] for line in said] == ["L1", "L2"]
    assert "In that run: fails." in said[0] and "In that run: not measured." in said[1]
    rows = [line for line in table_of(parts, run) if line.startswith("| all")]
    assert rows[0].split("|")[-2].strip() == "1"


def test_only_a_whole_tier_is_recorded(tmp_path: Path) -> None:
    report, file = samples.rich(), tmp_path / "run.json"
    report.tier, report.missing = "nightly", 0
    report.command = "make regress TIER=nightly SEED=7 EVIDENCE=0"
    proofs = Evidence("formal", "Proofs", "make formal", report.commit, ["3 of 3."], [], [])
    for changes, kept in (({}, "3 of 3."), ({"trouble": ["no"]}, ""), ({"commit": "old"}, "")):
        report.evidence = [replace(proofs, **changes)]
        record(report, file)
        run = recorded(file)
        assert run is not None and run.proofs == kept
    assert run is not None and run.commit == report.commit
    assert run.verdicts["A3"] == FAILS and run.verdicts["A8"] == UNDECIDED
    command = "make regress TIER=nightly TEST=frame"
    for changes in ({"tier": "smoke"}, {"missing": 1}, {"command": command}):
        with pytest.raises(UserError, match=r"^REPORT: .* must be a whole nightly or full tier$"):
            record(replace(report, **changes), file)
