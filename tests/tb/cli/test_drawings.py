"""docs/drawings.md and the pictures that git keeps: as `make docs` writes them now."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from fattree_bench.drawings import drawings, files, letter, page, renew
from fattree_bench.families import FAMILIES
from fattree_bench.papers.registry import papers
from fattree_bench.paths import ROOT

DRAWN = drawings()
PAGES = [ROOT / "README.md", *(ROOT / "docs" / f"{family}.md" for family in FAMILIES)]
TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES if page.exists())
SHOWN = {*re.findall(r"drawings/([\w-]+)\.svg", TEXT)}


@pytest.fixture(scope="module")
def wanted() -> dict[str, str]:
    return files(DRAWN)


@pytest.mark.parametrize("name", ["drawings.md", *(f"drawings/{x}.svg" for x in sorted(SHOWN))])
def test_committed(name: str, wanted: dict[str, str]) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == wanted[name], "run: make docs"


def test_git_keeps_only_what_pages_of_networks_show() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "docs/drawings"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {Path(name).stem for name in listed.stdout.split()} == SHOWN


def test_all_are_drawn(wanted: dict[str, str]) -> None:
    pictures = [text for name, text in wanted.items() if name.endswith(".svg")]
    assert len(pictures) == len(DRAWN)
    assert all("prefers-color-scheme: dark" in text for text in pictures)


def test_every_drawing_is_on_the_page_under_its_paper() -> None:
    assert {drawing.paper for drawing in DRAWN} <= {letter(paper) for paper in papers()}
    for drawing in DRAWN:
        text = " ".join(page(DRAWN).split())
        assert f"**{drawing.figure}**: {drawing.says} ![" in text
        assert f"![{drawing.figure}](drawings/{drawing.name}.svg)" in text
        assert re.fullmatch(r"([^.]|Fig\.)+\.", drawing.says), "one sentence"


def test_what_is_out_of_date_is_written_and_what_is_gone_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = DRAWN[0]
    monkeypatch.setattr("fattree_bench.drawings.drawings", lambda: [one])
    made = [tmp_path / "drawings.md", tmp_path / "drawings" / f"{one.name}.svg"]
    assert renew(tmp_path) == made
    assert renew(tmp_path) == []
    stale = tmp_path / "drawings" / "stale.svg"
    stale.write_text("<svg/>")
    made[1].write_text("<svg/>")
    assert renew(tmp_path) == [made[1], stale]
    assert not stale.exists() and made[1].read_text(encoding="utf-8") == one.draw()
    other = replace(one, says="something else.")
    monkeypatch.setattr("fattree_bench.drawings.drawings", lambda: [other])
    assert renew(tmp_path) == [made[0]]
