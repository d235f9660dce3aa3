"""EMULATE: the edges of another network, on the fat-tree of its volume."""

import shutil
from pathlib import Path

import pytest

from fattree_bench.cli import main
from fattree_bench.errors import UserError
from fattree_bench.families.leiserson.network import Leiserson
from fattree_models.leiserson.load import load_factor


@pytest.mark.parametrize(("name", "root", "factor"), [("hypercube", 64, 6), ("mesh2d", 19, 4)])
def test_the_tree_of_equal_volume(name: str, root: int, factor: int) -> None:
    tree = Leiserson.from_variables({"N": "64", "EMULATE": name})
    assert tree.cap[0] == root and tree.default_test == "file"
    found = tree.offline.message_set
    assert found is not None and found.name == name
    assert load_factor(found.src, found.dst, tree.cap) == factor


@pytest.mark.parametrize(
    "variables",
    [
        {"N": "64", "EMULATE": "cube"},
        {"N": "8", "EMULATE": "mesh2d"},
        {"N": "16", "EMULATE": "mesh2d", "MESSAGES": "examples/mesh-4x4.csv"},
    ],
)
def test_mistakes(variables: dict[str, str]) -> None:
    with pytest.raises(UserError, match=r"^EMULATE=\w+: must be mesh2d, .* N=16 or more"):
        Leiserson.from_variables(variables)


LAYOUT = "x,y,z,kind\n0,0,0,processor\n2,0,0,processor\n0,0,0,wire\n2,0,0,to\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.csv"
    path.write_text(LAYOUT)
    return path


@pytest.mark.parametrize(("n", "root"), [(2, 2), (8, 8), (64, 16)])
def test_a_layout_of_ones_own(n: int, root: int, own: Path) -> None:
    """The tree of its volume, 3^3, padded for more processors; the others are idle."""
    tree = Leiserson.from_variables({"N": str(n), "EMULATE": str(own)})
    found = tree.offline.message_set
    assert tree.cap[0] == root and found is not None and found.name == "own.csv"
    assert sorted(found.src) == sorted(found.dst) and len(found.src) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{LAYOUT}9,9,9,to\n", "line 6: is not straight on from 2,0,0"),
        (LAYOUT.replace("wire", "wires"), "line 4: kind is 'wires'; allowed are processor, "),
        (f"{LAYOUT}7,0,0,processor\n", "has 3 processors; N is 2"),
    ],
)
def test_mistakes_in_a_layout(
    text: str, message: str, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own.write_text(text)
    assert main(["sim", "NETWORK=leiserson", "N=2", f"EMULATE={own}"]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"error: EMULATE={own}: {message}") and errors.count("\n") == 1


def test_a_layout_that_is_not_there() -> None:
    with pytest.raises(UserError, match=r"^EMULATE=none\.csv: No such file or directory$"):
        Leiserson.from_variables({"N": "8", "EMULATE": "none.csv"})


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus is not installed")
def test_a_layout_in_rtl(capsys: pytest.CaptureFixture[str]) -> None:
    """A cube of eight processors: three messages each way for each of them."""
    words = ["NETWORK=leiserson", "N=8", "EMULATE=examples/cube-8.csv", "TEST=offline"]
    assert main(["sim", *words, "SIM=icarus"]) == 0
    assert "cube-8.csv, off-line BALANCED: 24 messages, load factor 3.00" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus is not installed")
def test_in_rtl(capsys: pytest.CaptureFixture[str]) -> None:
    """All messages of a mesh arrive, in at least as many delivery cycles as its load factor."""
    words = ["NETWORK=leiserson", "N=16", "EMULATE=mesh2d", "TEST=offline", "SIM=icarus"]
    assert main(["sim", *words]) == 0
    assert "mesh2d" in capsys.readouterr().out
