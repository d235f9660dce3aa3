"""`make universality` from the command line to its files; the mistakes of its users."""

import csv
from pathlib import Path

import pytest

from fattree_bench.cli import main
from fattree_bench.paths import ROOT
from fattree_bench.report.evidence import collect
from fattree_bench.universality import job
from fattree_bench.universality.command import grown, sizes


def test_from_the_command_line_to_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["universality", "NETWORK=mesh2d,tree,elements", "N=16..64,32", f"BUILD={tmp_path}"]
    assert main(words) == 2
    words[2] = "N=16,32,64"
    assert main(words) == 0
    evidence, elements = collect(tmp_path)
    assert (evidence.kind, evidence.passed) == ("universality", True)
    assert (elements.kind, [row[0] for row in elements.rows]) == ("elements", ["16", "32", "64"])
    with (tmp_path / "evidence" / "universality.csv").open() as file:
        rows = list(csv.DictReader(file))
    places = [(row["network"], row["n"]) for row in rows]
    assert places == [(name, n) for name in ("mesh2d", "tree") for n in ("16", "32", "64")]
    assert all(float(row["Th. 8"]) <= 1 for row in rows)
    assert "mesh2d: lambda" in capsys.readouterr().out
    picture = (tmp_path / "evidence" / "universality.svg").read_text()
    assert "ticks / t: tree" in picture and 'href="http' not in picture
    assert "Universality" in (tmp_path / "evidence" / "index.html").read_text()
    assert main([*words, "RESUME=1"]) == 0
    assert (tmp_path / "evidence" / "universality.svg").read_text() == picture


def test_a_layout_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its size is its own; a campaign does not go on with another file."""
    own = tmp_path / "own.csv"
    own.write_text((ROOT / "examples" / "cube-8.csv").read_text())
    words = ["universality", f"NETWORK={own},tree", "N=16", f"BUILD={tmp_path}"]
    assert main(words) == 0
    with (tmp_path / "evidence" / "universality.csv").open() as file:
        rows = [[row[key] for key in ("network", "n", "side")] for row in csv.DictReader(file)]
    assert rows == [[str(own), "8", "2"], ["tree", "16", "3"]]
    own.write_text(own.read_text() + "3,0,0,processor\n")
    assert main([*words, "RESUME=1"]) == 2
    assert "the sources have changed" in capsys.readouterr().err


def test_ranges_of_sizes() -> None:
    assert sizes("64..65536") == (64, 256, 1024, 4096, 16384, 65536)
    assert sizes("64..128") == (64,)
    assert sizes("128,64,64") == (64, 128)


def test_what_fails_is_told() -> None:
    assert "processors: is 48" in job.run({"network": "mesh3d", "n": 48})["failed"]
    assert grown({"tree": [{"n": 64.0}]}) == []
