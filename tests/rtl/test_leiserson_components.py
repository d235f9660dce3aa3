"""Theorem 4's components: what the model counts is what stands in the elaborated RTL."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from fattree_models import leiserson as lei

PARTS = ("common", "leiserson")
RTL = Path(__file__).resolve().parents[2] / "rtl"

pytestmark = pytest.mark.usefixtures("icarus")


def elaborate(h: int, root: int, concentrator: str, folder: Path) -> str:
    """The tree as Icarus elaborates it: a text of scopes, each with its parameters."""
    target = folder / "tree.vvp"
    parameters = {"N_LOG": h, "ROOT": root, "CONCENTRATOR": f'"{concentrator}"'}
    sources = [p for part in PARTS for p in sorted((RTL / part).glob("*.v"))]
    subprocess.run(
        [
            "iverilog",
            "-g2005",
            f"-I{RTL / 'common'}",
            f"-I{RTL / 'leiserson'}",
            "-s",
            "leiserson_tree",
            "-o",
            str(target),
        ]
        + [f"-Pleiserson_tree.{k}={v}" for k, v in parameters.items()]
        + [str(p) for p in sources],
        check=True,
    )
    return target.read_text()


def instances(text: str, module: str) -> list[dict[str, int]]:
    """The whole-number parameters of all instances of a module."""
    found = []
    for scope in re.split(r"^S_\w+ \.scope ", text, flags=re.M):
        if re.match(rf'module, "\w+" "{module}" ', scope):
            pairs = re.findall(r'\.param/l "(\w+)" .*?C4<([01]+)>', scope)
            found.append({name: int(bits, 2) for name, bits in pairs})
    return found


@pytest.mark.parametrize(("n", "w"), [(2, 2), (8, 4), (8, 8), (16, 7), (32, 16)])
def test_ideal_ports(n: int, w: int, tmp_path: Path) -> None:
    """Every port of the model is a switch of that size, and only those are there."""
    tree = lei.SerialTree(cap=tuple(lei.universal(n, w).tolist()))
    text = elaborate(tree.h, w, "IDEAL", tmp_path)
    counted: Counter[tuple[int, int]] = Counter()
    for switch in instances(text, "concentrator_switch"):
        counted[switch["R"], switch["S"]] += 1
    components = lei.count_components(tree)
    assert counted == Counter({(r, s): number for r, s, number in components.ports})
    crosspoints = sum(r * s * number for (r, s), number in counted.items())
    assert crosspoints == components.crosspoints


@pytest.mark.parametrize(("n", "w"), [(8, 8), (16, 7)])
def test_partial_stages(n: int, w: int, tmp_path: Path) -> None:
    """The edges of all stages are the model's crosspoints."""
    tree = lei.SerialTree(cap=tuple(lei.universal(n, w).tolist()), concentrator="PARTIAL")
    text = elaborate(tree.h, w, "PARTIAL", tmp_path)
    edges = sum(stage["R"] * stage["DEGREE"] for stage in instances(text, "partial_stage"))
    assert edges > 0
    assert lei.count_components(tree).crosspoints == edges
