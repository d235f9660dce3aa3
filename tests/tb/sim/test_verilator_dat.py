"""Verilator's coverage files are read exactly, and what is none is refused."""

from pathlib import Path

import pytest

from fattree_bench.sim.verilator_dat import Key, merge, read, write

HEADER = "# SystemC::Coverage-3\n"
BIT = "C '\1f\2/x/a.v\1l\0027\1n\0023\1t\2toggle\1page\2v_toggle/{}\1o\2b[1]:0->1\1h\2top.{}' {}\n"
BRANCH = (
    "C '\1f\2/x/a.v\1l\0029\1n\0025\1t\2branch\1page\2v_branch/a\1o\2if\1S\0029-10,12\1h\2top' {}\n"
)


def dat(path: Path, *lines: str) -> Path:
    path.write_text(HEADER + "".join(lines))
    return path


def test_fields(tmp_path: Path) -> None:
    path = dat(tmp_path / "a.dat", BIT.format("a", "u", 5), BRANCH.format(0))
    assert read(path) == {
        Key("/x/a.v", 7, 3, "toggle", "b[1]:0->1", ""): 5,
        Key("/x/a.v", 9, 5, "branch", "if", "9-10,12"): 0,
    }


def test_instances_parameters_and_runs_add_up(tmp_path: Path) -> None:
    one = dat(tmp_path / "1", BIT.format("a", "u_x", 5), BIT.format("a__W8", "u_y", 2))
    two = dat(tmp_path / "2", BIT.format("a", "u_x", 30), BRANCH.format(1))
    assert merge([one, two, two]) == {
        Key("/x/a.v", 7, 3, "toggle", "b[1]:0->1", ""): 67,
        Key("/x/a.v", 9, 5, "branch", "if", "9-10,12"): 2,
    }


def test_nothing_to_merge() -> None:
    assert merge([]) == {}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    points = {
        Key("a.v", 1, 2, "expr", '(a==1 && "50%"\'s\n\1\2 == 0) => 1', "3,5-7"): 4,
        Key("common/ü.v", 1, 0, "generate", "gen_x", ""): 0,
    }
    write(points, tmp_path / "merged.dat")
    assert read(tmp_path / "merged.dat") == points
    assert merge([tmp_path / "merged.dat"] * 2) == {k: 2 * v for k, v in points.items()}


@pytest.mark.parametrize("lost", [1, 2, 3, 10, 60, len(BRANCH.format(7)) - 1])
def test_cut_off(tmp_path: Path, lost: int) -> None:
    path = dat(tmp_path / "cut.dat", BIT.format("a", "u", 5), BRANCH.format(7))
    path.write_text(path.read_text()[:-lost])
    with pytest.raises(ValueError, match=r"cut\.dat:3: cut off, or no point"):
        read(path)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("TN:\nSF:a.v\n", 1),
        (f"{HEADER}DA:1,1\n", 2),
        (f"{HEADER}\n", 2),
        (f"{HEADER}C '\1f\2a.v' 1\n", 2),
        (HEADER + BIT.format("a", "u", "many"), 2),
        (HEADER + BIT.format("a", "u", 1) + BIT.format("a", "u", 1).replace("l\0027", "l\2x"), 3),
    ],
)
def test_foreign(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "other.dat"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"other\.dat:{line}: "):
        read(path)
