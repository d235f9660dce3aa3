"""Designs of trees of turn-back nodes; claims are judged by figures, and a wrong one is seen."""

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNMEASURED
from fattree_bench.families.design import Cost, Measured
from fattree_bench.families.turnback import area
from tests.tb.area.samples import measured

SMALL, LARGE = ("TURNBACK", "KARY_ADAPTIVE"), ("QUATERNARY_TURNBACK", "QUATERNARY_ADAPTIVE")
VECTORS = ("TERNARY_VECTOR", "TERNARY_NUMBER")


def figures(kinds: tuple[str, ...], ratio: float) -> Measured:
    """Designs of two kinds; the first has `ratio` times the gates of the second."""
    found = measured(*kinds, sizes=(3, 4))
    first = {node.block for d in found.of(kinds[0]) for node in d.nodes}
    costs = {b: Cost({}, 100.0 * (ratio if b in first else 1), 0, 0, 0, 1) for b in found.costs}
    size = max(d.leaves for d in found.designs)
    return Measured([d for d in found.designs if d.leaves == size], costs)


def joined(small: float, large: float) -> Measured:
    one, other = figures(SMALL, small), figures(LARGE, large)
    return Measured([*one.designs, *other.designs], {**one.costs, **other.costs})


def test_two_small_switches_for_one() -> None:
    assert area.two_small_ones(joined(0.9, 0.9)).verdict == HOLDS
    claim = area.two_small_ones(joined(1.1, 0.9))
    assert (claim.verdict, claim.trouble) == (CORRECTED, "")
    assert "QUATERNARY_ADAPTIVE: N = 16: -10.0 %" in claim.measured.text
    assert area.two_small_ones(joined(1.1, 1.1)).verdict == FAILS
    assert area.two_small_ones(figures(SMALL, 0.9)).verdict == UNMEASURED


def test_vectors() -> None:
    claim = area.vectors_are_cheaper(figures(VECTORS, 0.9))
    assert (claim.verdict, claim.trouble) == (HOLDS, "")
    assert area.vectors_are_cheaper(figures(VECTORS, 1.1)).verdict == FAILS
    assert area.vectors_are_cheaper(figures(SMALL, 0.9)).verdict == UNMEASURED


def test_crosspoints_of_a_node() -> None:
    """A 2-ary 2-tree: 2 + 2 ports and a channel below, 2 and a channel above."""
    two = area.turnback(2, "TURNBACK", TBCH="1")
    assert two.crosspoints == 2 * (2 * 3 + 3 * 2) + 2 * (2 * 1 + 1 * 2)
    assert two.lanes == 16


def test_larger_trees_are_not_ternary() -> None:
    assert area.KINDS["TERNARY_VECTOR"].make(5) == []
    (design,) = area.KINDS["TERNARY_VECTOR"].make(3)
    assert design.leaves == 9
