"""`make area` from the command line to its files, with costs that are made up."""

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.area.table import COLUMNS
from fattree_bench.cli import main
from fattree_bench.report.evidence import collect
from tests.tb.area.samples import QuickSynthesis
from tests.tb.jobs.quick import QuickPool, installed


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> type[QuickPool]:
    return installed(QuickSynthesis, monkeypatch)


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    return ["area", "N=8", "DESIGNS=LOWER_BOUND,NONBLOCKING", f"BUILD={tmp_path}"]


def test_all_is_well(pool: type[QuickPool], words: list[str], tmp_path: Path) -> None:
    assert main(words) == 0
    (evidence,) = collect(tmp_path)
    assert (evidence.kind, evidence.passed) == ("area", True)
    with (tmp_path / "evidence" / "area.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS) == evidence.columns
    assert [row["design"] for row in rows] == ["LOWER_BOUND", "NONBLOCKING"]
    assert [row["crosspoints"] for row in rows] == ["96", "152"]
    assert [list(row.values()) for row in rows] == evidence.rows
    # 20 gates a crosspoint, 10 outside the nodes
    assert [row["gates [NAND2]"] for row in rows] == [str(20 * 96 + 10), str(20 * 152 + 10)]
    assert len(evidence.claims) == 2
    assert "NONBLOCKING" in (tmp_path / "evidence" / "index.html").read_text()


def test_the_picture_stands_alone_and_stays_the_same(
    pool: type[QuickPool], words: list[str], tmp_path: Path
) -> None:
    picture = tmp_path / "evidence" / "area.svg"
    assert main([*words, "N=8,16"]) == 0
    first = picture.read_text()
    root = ET.fromstring(first)
    assert root.tag.endswith("svg")
    assert "crosspoints: LOWER_BOUND" in first
    assert 'href="http' not in first
    assert main([*words, "N=8,16"]) == 0
    assert picture.read_text() == first


@pytest.mark.parametrize(
    ("result", "says"),
    [({"failed": "ERROR: no such module"}, "no such module"), ({"vanished": "killed"}, "killed")],
)
def test_a_synthesis_that_fails(
    pool: type[QuickPool], words: list[str], tmp_path: Path, result: dict[str, Any], says: str
) -> None:
    """Exit status 1; the designs that need the block are left out, and nothing is claimed."""
    pool.ends["area_node"] = result
    assert main(words) == 1
    (evidence,) = collect(tmp_path)
    assert all(says in line for line in evidence.trouble)
    assert evidence.trouble and not evidence.rows and not evidence.claims


def test_a_claim_in_trouble_fails(
    pool: type[QuickPool], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nodes without registers have not Lemma 1's lanes."""
    cost = {"gates": {}, "nand2": 1.0, "flip_flops": 0, "delay_bits": 0, "memory_bits": 0}
    pool.ends["area_node"] = {"cost": {**cost, "levels": 1}}
    assert main(words) == 1
    assert "fails; expected: holds:" in capsys.readouterr().out
    (evidence,) = collect(tmp_path)
    assert evidence.rows and not evidence.trouble


def test_words_may_be_lower_case(pool: type[QuickPool], words: list[str], tmp_path: Path) -> None:
    assert main([*words, "DESIGNS=static, crossbar"]) == 0
    assert json.loads((tmp_path / "evidence" / "area.json").read_text())["rows"][0][0] == "STATIC"
