"""Designs against the models; claims are judged by figures, and a wrong one is trouble."""

from dataclasses import replace

import pytest

from fattree_bench.bench.claims import FAILS, HOLDS, UNMEASURED
from fattree_bench.families.design import Block, Cost, Measured
from fattree_bench.families.lbbvn import area
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_models import lbbvn
from tests.tb.area.samples import made_up, measured


@pytest.mark.parametrize("n", range(2, 8))
def test_lanes_and_crosspoints_of_the_models(n: int) -> None:
    (thin,), (wide,) = area.KINDS["LOWER_BOUND"].make(n), area.KINDS["NONBLOCKING"].make(n)
    for design, c in ((thin, lbbvn.lower_bound(n)), (wide, lbbvn.nonblocking(n))):
        assert design.capacity == tuple(c)
        assert (design.lanes, design.crosspoints) == (lbbvn.links(c), lbbvn.crosspoints(c))


def test_settings_are_the_rows_of_the_rtl() -> None:
    """A row a slot: a select and an enable a lane, a bit a leaf."""
    (design,) = area.KINDS["LOWER_BOUND_SCHEDULED"].make(2)
    # 4 rows.  Level 0: 2 lanes down of an input; level 1: 2 nodes, a lane up and 2 down of 2.
    level_0, level_1 = 2 * 2, 2 * (1 + 2) * 2
    assert lbbvn.lower_bound(2).tolist() == [0, 1, 1]
    assert design.settings == 4 * (level_0 + level_1 + 4)
    (crossbar,) = area.KINDS["CROSSBAR_SCHEDULED"].make(2)
    assert crossbar.settings == 4 * 4 * (2 + 1)


def test_copies_count() -> None:
    for n in (3, 4):
        (design,) = area.KINDS["STATIC"].make(n)
        network = Lbbvn.from_variables({"N": str(1 << n), "UPPER_HALF": "STATIC"})
        copies = [node.copies for node in design.nodes if node.degree]
        assert copies == [1 << level for level in range(network.top_level, n)]


def test_degrees_of_lemma_1() -> None:
    claim = area.degrees(measured("LOWER_BOUND"))
    assert (claim.verdict, claim.trouble) == (HOLDS, "")
    assert claim.measured.text == "registers of all 7 nodes: the same, 4 rounded up"


def test_degrees_without_fractions_say_nothing() -> None:
    """Near the root nothing is rounded up."""
    found = measured("LOWER_BOUND", sizes=(4,))
    roots = [replace(design, nodes=design.nodes[:2]) for design in found.designs]
    assert area.degrees(Measured(roots, found.costs)).verdict == UNMEASURED


def test_a_lane_too_many_is_trouble() -> None:
    """A register more for a whole lane, at one level of one size."""

    def more(block: Block) -> Cost:
        cost, chosen = made_up(block), dict(block.parameters)
        one = block.top == "area_node" and (chosen["N_LOG"], chosen["LEVEL"]) == (4, 2)
        lane = 1 + 16 + chosen.get("UP_H", 0)
        return replace(cost, flip_flops=cost.flip_flops + lane * one)

    claim = area.degrees(measured("LOWER_BOUND", cost=more))
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)
    assert claim.measured.text.startswith("N=16 level 2: (4, 4) for (3, 4)")


def test_registers_that_are_no_lanes() -> None:
    """One flip-flop more fits no whole number of lanes nearby."""
    found = measured("LOWER_BOUND", sizes=(4,))
    node = found.designs[0].nodes[2]
    cost = found.costs[node.block]
    assert area.registers(node, found.costs) == (4, 6)
    assert area.registers(node, {node.block: replace(cost, flip_flops=cost.flip_flops + 1)}) != (
        4,
        6,
    )
    assert area.registers(node, {node.block: replace(cost, flip_flops=7)}) == (-1, -1)


def test_savings_follow_crosspoints() -> None:
    claim = area.savings(measured("LOWER_BOUND", "NONBLOCKING"))
    assert (claim.verdict, claim.trouble) == (HOLDS, "")
    assert "N=8: 37% of their gates (37% predicted), 17% of lanes" in claim.measured.text


def test_savings_that_do_not() -> None:
    """Every node of the same size, whatever its lanes: nothing is saved."""
    same = lambda block: replace(made_up(block), nand2=100.0)  # noqa: E731
    claim = area.savings(measured("LOWER_BOUND", "NONBLOCKING", cost=same))
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)
    assert "0% of their gates" in claim.measured.text


def test_against_a_crossbar_under_the_same_control() -> None:
    """In the samples 20 gates a crosspoint of a tree; a column 10 an input, decoders 10."""
    found = measured("LOWER_BOUND", "CROSSBAR", "STATIC_SCHEDULED", sizes=(3,))
    factor = (20 * 96 + 10) / (8 * 10 * 8 + 10)
    assert area.compared(found) == [
        f"Gates of LOWER_BOUND by those of CROSSBAR: {factor:.2f} at N=8."
    ]
