"""Claims are judged by figures, rightly and wrongly, and a wrong one is a surprise."""

from dataclasses import replace

from fattree_bench.area import claims
from fattree_bench.area.claims import Measured, judge, registers
from fattree_bench.area.synthesis import Block, Cost
from fattree_bench.report.regression import CORRECTED, FAILS, HOLDS, UNDECIDED
from tests.tb.area.samples import gates, made_up, measured, tree


def test_degrees_of_lemma_1() -> None:
    claim = claims.degrees(measured("LOWER_BOUND"))
    assert (claim.verdict, claim.surprise) == (CORRECTED, False)
    assert claim.measured == "registers of all 7 nodes: the same, rounded up"


def test_a_lane_too_many_is_a_surprise() -> None:
    """A register more for a whole lane, at one level of one size."""

    def more(block: Block) -> Cost:
        cost, chosen = made_up(block), dict(block.parameters)
        one = block.top == "area_node" and (chosen["N_LOG"], chosen["LEVEL"]) == (4, 2)
        lane = 1 + 16 + chosen.get("UP_H", 0)
        return replace(cost, flip_flops=cost.flip_flops + lane * one)

    claim = claims.degrees(measured("LOWER_BOUND", cost=more))
    assert (claim.verdict, claim.surprise) == (FAILS, True)
    assert claim.measured.startswith("N=16 level 2: (4, 4) for (3, 4)")


def test_registers_that_are_no_lanes() -> None:
    """One flip-flop more fits no whole number of lanes nearby."""
    found = measured("LOWER_BOUND", sizes=(4,))
    node = found.designs[0].nodes[2]
    cost = found.costs[node.block]
    assert registers(node, found.costs) == (4, 6)
    assert registers(node, {node.block: replace(cost, flip_flops=cost.flip_flops + 1)}) != (4, 6)
    assert registers(node, {node.block: replace(cost, flip_flops=7)}) == (-1, -1)


def test_savings_follow_crosspoints() -> None:
    claim = claims.savings(measured("LOWER_BOUND", "NONBLOCKING"))
    assert (claim.verdict, claim.surprise) == (HOLDS, False)
    assert "N=8: 37% of their gates (1.00 of the prediction)" in claim.measured


def test_savings_that_do_not() -> None:
    """Every node of the same size, whatever its lanes: nothing is saved."""
    same = lambda block: Cost(gates(100), 100.0, 0, 0, 0, 1)  # noqa: E731
    claim = claims.savings(measured("LOWER_BOUND", "NONBLOCKING", cost=same))
    assert (claim.verdict, claim.surprise) == (FAILS, True)
    assert "0% of their gates" in claim.measured


def test_against_a_crossbar_under_the_same_control() -> None:
    """In the samples 20 gates a crosspoint of a tree; a column 10 an input, decoders 10."""
    found = measured("LOWER_BOUND", "CROSSBAR", "STATIC_SCHEDULED", sizes=(3,))
    factor = (20 * 96 + 10) / (8 * 10 * 8 + 10)
    assert claims.against_crossbars(found) == [
        f"Gates of LOWER_BOUND by those of CROSSBAR: {factor:.2f} at N=8."
    ]


def test_lines_of_universal_trees() -> None:
    claim = claims.components(measured("UNIVERSAL"))
    assert (claim.verdict, claim.surprise) == (HOLDS, False)
    found = measured("UNIVERSAL")
    many = [
        replace(d, nodes=tuple(replace(node, copies=9 * node.copies) for node in d.nodes))
        for d in found.designs
    ]
    claim = claims.components(Measured(many, found.costs))
    assert (claim.verdict, claim.surprise) == (FAILS, True)


def test_crosspoints_a_line() -> None:
    claim = claims.crosspoints_a_line(measured("PARTIAL", sizes=(3,)))
    assert (claim.verdict, claim.surprise) == (HOLDS, False)
    assert claim.measured == "1.9 … 3.2 crosspoints a line"
    found = measured("PARTIAL", sizes=(3,))
    many = [replace(design, crosspoints=19 * 96) for design in found.designs]
    claim = claims.crosspoints_a_line(Measured(many, found.costs))
    assert (claim.verdict, claim.surprise) == (FAILS, True)


def test_a_constant_factor_and_none() -> None:
    flat = tree("PARTIAL", {8: 800.0, 16: 1700.0, 34: 3000.0})
    assert claims.gates_of_nodes(flat, "PARTIAL", HOLDS).verdict == HOLDS
    square = tree("PARTIAL", {8: 64.0, 16: 256.0, 34: 1156.0})
    claim = claims.gates_of_nodes(square, "PARTIAL", HOLDS)
    assert (claim.verdict, claim.surprise) == (FAILS, True)
    assert "no constant factor" in claim.measured
    claim = claims.gates_of_nodes(tree("UNIVERSAL", {8: 1.0, 64: 8.0}), "UNIVERSAL", FAILS)
    assert (claim.verdict, claim.surprise) == (HOLDS, True)


def test_too_little_to_judge() -> None:
    """Sizes that hardly differ say nothing; what was not measured is no claim."""
    near = tree("PARTIAL", {8: 8.0, 12: 120.0})
    assert claims.gates_of_nodes(near, "PARTIAL", HOLDS).verdict == UNDECIDED
    assert judge(Measured([], {})) == []
    assert {claim.testpoint for claim in judge(measured("LOWER_BOUND"))} == {
        "degrees after synthesis"
    }
