"""A real file of Verilator becomes lines, branches, toggles and expressions of the sources."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.coverage.code import files
from fattree_bench.coverage.lcov import write_lcov
from fattree_bench.report.regression import CodeFile, CodePoint
from fattree_bench.sim.verilator_dat import Key, Points, merge, read, write

pytestmark = pytest.mark.xdist_group("tiny")


@pytest.fixture(scope="module")
def code(tiny: Path) -> dict[str, CodeFile]:
    found = files(read(tiny / "coverage.dat"), tiny / "rtl", tiny)
    return {Path(file.path).name: file for file in found}


def hits(file: CodeFile, kind: str, text: str) -> dict[str, int]:
    """Hits of the points of a kind on the one line that has this text, by name."""
    (line,) = [n for n, source in enumerate(file.source, 1) if text in source]
    return {p.name: p.hits for p in file.points if p.kind == kind and p.line == line}


def test_all_sources_are_there(tiny: Path, code: dict[str, CodeFile]) -> None:
    assert [f.path for f in code.values()] == [
        "rtl/tiny/lonely.v",
        "rtl/tiny/part.v",
        "rtl/tiny/tiny.v",
    ]
    assert code["part.v"].source == (tiny / "rtl" / "tiny" / "part.v").read_text().splitlines()


def test_branches_of_both_instances_add_up(code: dict[str, CodeFile]) -> None:
    part = code["part.v"]
    assert hits(part, "branch", "if (count_i < 3)") == {"if": 6, "else": 14}
    assert hits(part, "branch", "if (count_i == 12 &&") == {"if": 0, "else": 20}


def test_every_statement_has_its_line(code: dict[str, CodeFile]) -> None:
    part = code["part.v"]
    lines = {p.line: p.hits for p in part.points if p.kind == "line"}
    found = {text.strip(): lines.get(n) for n, text in enumerate(part.source, 1) if n > 1}
    assert found["wide    <= {WIDE{count_i[0]}};"] == found["lone[5] <= ~lone[5];"] == 20
    assert found["odd <= 1'b1;"] == 6
    assert found["odd <= 0;"] == 14
    assert found["odd <= 1;"] == 0
    assert found["if (count_i == 12 && odd)"] == 20
    assert found["genvar i;"] is None


def test_wide_vectors_are_not_left_out(code: dict[str, CodeFile]) -> None:
    found = hits(code["part.v"], "toggle", "reg [WIDE-1:0] wide")
    assert set(found) == {f"wide[{b}]:{way}" for b in range(300) for way in ("0->1", "1->0")}
    assert {found[f"wide[{b}]:0->1"] for b in range(8)} == {10}  # in both instances
    assert {found[f"wide[{b}]:0->1"] for b in range(8, 300)} == {5}
    assert {found[f"wide[{b}]:1->0"] for b in range(8, 300)} == {4}


def test_a_toggle_counts_for_its_own_bit_alone(code: dict[str, CodeFile]) -> None:
    """Verilator by itself counts it for bits 37, 69 ... too (coverage/toggles.py)."""
    found = hits(code["part.v"], "toggle", "reg [WIDE-1:0] lone")
    assert {name: n for name, n in found.items() if n} == {"lone[5]:0->1": 10, "lone[5]:1->0": 10}
    assert len(found) == 600


def test_expressions(code: dict[str, CodeFile]) -> None:
    assert hits(code["part.v"], "expression", "if (count_i == 12 &&") == {
        "((count_i == 32'shc)==0) => 0": 20,
        "((count_i == 32'shc)==1 && odd==1) => 1": 0,
        "(odd==0) => 0": 14,
    }


def test_nothing_is_counted_twice(code: dict[str, CodeFile]) -> None:
    for file in code.values():
        places = [(p.kind, p.line, p.column, p.name) for p in file.points]
        assert len(places) == len(set(places))


def test_generate_blocks_that_no_build_has(code: dict[str, CodeFile]) -> None:
    blocks = {p.name: p.hits for p in code["part.v"].points if p.name.startswith("generate block")}
    assert blocks == {
        "generate block gen_one": 1,
        "generate block gen_round": 2,
        "generate block gen_never": 0,
        "generate block gen_two": 1,
        "generate block gen_three": 0,
    }


def test_module_that_no_build_has(code: dict[str, CodeFile]) -> None:
    assert code["lonely.v"].points == [CodePoint("line", 1, 0, "module lonely", 0)]
    assert not any(p.name.startswith("module") for p in code["part.v"].points)


def test_shared_modules_are_expected_where_they_could_be_used(tmp_path: Path) -> None:
    rtl = tmp_path / "rtl"
    for name, text in {
        "net/top.v": "module top;\n  used u_used (); // not: spare u_spare ();\nendmodule\n",
        "other/top2.v": "module top2;\nendmodule\n",
        "common/used.v": "module used;\n  deep u_deep ();\nendmodule\n",
        "common/deep.v": "module deep;\nendmodule\n",
        "common/spare.v": "module spare;\nendmodule\n",
    }.items():
        (rtl / name).parent.mkdir(parents=True, exist_ok=True)
        (rtl / name).write_text(text)
    points: Points = {Key(str(rtl / "net/top.v"), 1, 0, "module", "top", ""): 1}
    found = {f.path: [p.name for p in f.points] for f in files(points, rtl, tmp_path)}
    assert found == {
        "rtl/common/deep.v": ["module deep"],
        "rtl/common/used.v": ["module used"],
        "rtl/net/top.v": [],
    }


def test_merged_files_of_another_place(tiny: Path, tmp_path: Path) -> None:
    """What was written relative to the RTL is understood wherever the RTL lies."""
    points = read(tiny / "coverage.dat")
    rtl = tiny / "rtl"
    moved = {k._replace(file=str(Path(k.file).relative_to(rtl))): v for k, v in points.items()}
    write(moved, tmp_path / "merged.dat")
    both = files(merge([tmp_path / "merged.dat", tmp_path / "merged.dat"]), rtl, tiny)
    once = files(points, rtl, tiny)
    assert [f.count("toggle") for f in both] == [f.count("toggle") for f in once]
    assert [[p.hits for p in f.points] for f in both] == [
        [2 * p.hits for p in f.points] for f in once
    ]


def test_coverage_of_something_else(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no point of code coverage lies below"):
        files(read(tiny / "coverage.dat"), tmp_path, tmp_path)


def test_genhtml_accepts_it(
    tiny: Path, code: dict[str, CodeFile], genhtml: Callable[[Path, Path], str], tmp_path: Path
) -> None:
    found = list(code.values())
    write_lcov(found, tmp_path / "code.lcov", tiny)
    said = genhtml(tmp_path / "code.lcov", tmp_path / "html")
    assert "warning" not in said.lower() and "error" not in said.lower(), said
    branches = [p for f in found for p in f.points if p.kind == "branch"]
    hit = sum(1 for p in branches if p.hits)
    assert 0 < hit < len(branches)
    assert f"({hit} of {len(branches)} branches)" in said
    # The report's lines are those of genhtml: several points of a line are one.
    hit, lines = (sum(count) for count in zip(*(f.count("line") for f in found), strict=True))
    assert f"({hit} of {lines} lines)" in said
    points = sum(p.kind == "line" for f in found for p in f.points)
    assert lines != points
    assert (tmp_path / "html" / "rtl" / "tiny" / "part.v.gcov.html").exists() or list(
        (tmp_path / "html").rglob("part.v.gcov.html")
    )


def test_lcov_of_a_file(tmp_path: Path) -> None:
    points = [
        CodePoint("branch", 2, 3, "if", 0),
        CodePoint("branch", 2, 4, "else", 7),
        CodePoint("line", 2, 0, "", 7),
        CodePoint("line", 3, 0, "", 0),
        CodePoint("branch", 3, 1, "if", 0),
        CodePoint("line", 4, 0, "", 0, excluded="cannot be"),
        CodePoint("branch", 5, 0, "generate block gen_x", 0),
        CodePoint("toggle", 6, 0, "a:0->1", 0),
        CodePoint("expression", 7, 0, "(a==1) => 1", 0),
    ]
    write_lcov([CodeFile("rtl/a.v", [""] * 7, points)], tmp_path / "x", Path("/p"))
    assert (tmp_path / "x").read_text() == (
        "TN:\nSF:/p/rtl/a.v\nBRDA:2,0,0,0\nBRDA:2,0,1,7\nBRDA:3,0,0,-\nBRDA:5,0,0,-\n"
        "BRF:4\nBRH:1\nDA:2,7\nDA:3,0\nDA:5,0\nLF:3\nLH:1\nend_of_record\n"
    )
