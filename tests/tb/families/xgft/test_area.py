"""Designs of trees of wormhole switches."""

from fattree_bench.families.xgft import area


def test_crosspoints_of_a_switch() -> None:
    """A 2-ary 2-tree: 2 + 2 ports below, 2 above."""
    whole = area.kary(2)
    assert whole.crosspoints == 2 * 16 + 2 * 4
    assert whole.lanes == 16
