"""EMULATE: the edges of another network, on the fat-tree of its volume."""

import shutil

import pytest

from fattree_bench.cli import main
from fattree_bench.errors import UserError
from fattree_bench.families.leiserson.network import Leiserson
from fattree_models.leiserson.load import load_factor


@pytest.mark.parametrize(("name", "root", "factor"), [("hypercube", 64, 6), ("mesh2d", 19, 4)])
def test_the_tree_of_equal_volume(name: str, root: int, factor: int) -> None:
    tree = Leiserson.from_variables({"N": "64", "EMULATE": name})
    assert tree.cap[0] == root and tree.default_test == "file"
    found = tree.message_set
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


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus is not installed")
def test_in_rtl(capsys: pytest.CaptureFixture[str]) -> None:
    """All messages of a mesh arrive, in at least as many delivery cycles as its load factor."""
    words = ["NETWORK=leiserson", "N=16", "EMULATE=mesh2d", "TEST=offline", "SIM=icarus"]
    assert main(["sim", *words]) == 0
    assert "mesh2d" in capsys.readouterr().out
