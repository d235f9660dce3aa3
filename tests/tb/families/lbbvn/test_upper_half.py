"""Gates of the nodes by level: where a nonblocking fat-tree costs most."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.families.lbbvn.area import bufferless
from fattree_bench.paths import ROOT
from fattree_bench.synthesis.block import name_of
from fattree_bench.synthesis.synthesize import synthesize
from tests.night import some

Record = Callable[[str, object], None]
LEVELS = some([3, 4, 5], 1)


def halves(n: int, capacity: str, folder: Path) -> tuple[float, float]:
    """Gates of the nodes at levels up to n / 2, the paper's upper half, and of the others."""
    gates = [0.0, 0.0]
    for node in bufferless(n, capacity, "SWITCHED", "SELF").nodes:
        if node.degree:
            cost = synthesize(node.block, ROOT / "rtl", folder / name_of(node.block))
            gates[node.level > n // 2] += node.copies * cost.nand2
    return gates[0], gates[1]


@pytest.mark.parametrize("n", LEVELS)
def test_gates_of_both_halves(n: int, tmp_path: Path, record_property: Record) -> None:
    """With one lane everywhere the many nodes next to the leaves cost most."""
    upper, lower = halves(n, "NONBLOCKING", tmp_path)
    thin_upper, thin_lower = halves(n, ",".join("1" * n), tmp_path)
    found = {"levels": n, "gates_upper": upper, "gates_lower": lower}
    for name, value in {**found, "thin_upper": thin_upper, "thin_lower": thin_lower}.items():
        record_property(name, value)
    assert upper > lower
    assert thin_upper < thin_lower
