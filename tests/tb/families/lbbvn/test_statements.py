"""The claim of what degrees save, on a tree that saves none."""

from dataclasses import replace

from fattree_bench.bench.claims import FAILS
from fattree_bench.families.design import Measured
from fattree_bench.families.lbbvn import area
from tests.tb.area.samples import measured


def test_as_many_lanes_save_nothing() -> None:
    """A tree without any reduction in the place of Lemma 1's."""
    full = measured("NONBLOCKING")
    same = [replace(design, kind="LOWER_BOUND") for design in full.designs]
    claim = area.savings(Measured([*full.designs, *same], full.costs))
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)
    assert "0% of their gates" in claim.measured.text
