"""docs/claims.md and the counts in the README: as `make docs` writes them now."""

from dataclasses import replace
from pathlib import Path

import pytest

from fattree_bench.claims import held, page, renew
from fattree_bench.papers.registry import papers
from fattree_bench.paths import ROOT
from fattree_bench.report.items import Chapter, Row
from fattree_bench.report.markdown import counted
from fattree_bench.testplan import read


@pytest.fixture(scope="module")
def parts() -> list[Chapter]:
    return held(read())


def test_the_page_and_the_readme_are_up_to_date(parts) -> None:
    assert (ROOT / "docs" / "claims.md").read_text(encoding="utf-8") == page(parts), "make docs"
    assert "\n".join(counted(parts)) in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_terminal_shows_the_counts(parts) -> None:
    assert max(map(len, counted(parts))) <= 100


def test_every_item_stands_on_the_page_with_its_verdict(parts) -> None:
    text = " ".join(page(parts).split())
    assert text.count("* **") == sum(len(paper.items) for paper in papers()) == 246
    for row in (row for chapter in parts for row in chapter.rows):
        own = text.partition(f"* **{row.item.number}** (")[2].partition("* **")[0]
        assert f"*{row.verdict.capitalize()}*" in own, row.item.number
        for claim in row.claims:
            assert claim.testpoint in own and f"`{claim.planted}`" in own


def test_what_is_out_of_date_is_written(tmp_path: Path, parts) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("# Mine\n\n| paper | items |\n|---|---|\n| stale | 1 |\n\nMore.\n")
    assert renew(tmp_path, readme) == [tmp_path / "claims.md", readme]
    text = readme.read_text()
    assert text.startswith("# Mine\n\n| paper ") and text.endswith(" |\n\nMore.\n")
    assert "stale" not in text and "| all " in text
    assert renew(tmp_path, readme) == []


def test_another_verdict_is_another_page(parts) -> None:
    first, *rest = parts
    row = next(row for row in first.rows if row.claims)
    refuted = [replace(claim, verdict="does not hold") for claim in row.claims]
    rows = [Row(row.item, refuted) if one is row else one for one in first.rows]
    other = [Chapter(first.paper, rows), *rest]
    assert page(other) != page(parts) and [*counted(other)] != [*counted(parts)]
