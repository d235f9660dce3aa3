"""Designs against the models; claims are judged by figures, and a wrong one is a surprise."""

from dataclasses import replace

from fattree_bench.bench.claims import FAILS, HOLDS, UNDECIDED
from fattree_bench.families.design import Measured
from fattree_bench.families.leiserson import area
from fattree_models import leiserson
from tests.tb.area.samples import measured, tree


def test_universal_trees_of_the_models() -> None:
    design = area.universal(4, 11, "PARTIAL")
    cap = tuple(int(c) for c in leiserson.universal(16, 11))
    tree = leiserson.SerialTree(cap=cap, concentrator="PARTIAL", data_bits=16)
    parts = leiserson.count_components(tree)
    assert (design.lanes, design.crosspoints) == (parts.wires, parts.crosspoints)
    lines = sum(node.copies * node.degree for node in design.nodes)
    assert lines == parts.incident_wires


def test_lines_of_universal_trees() -> None:
    claim = area.components(measured("UNIVERSAL"))
    assert (claim.verdict, claim.surprise) == (HOLDS, False)
    found = measured("UNIVERSAL")
    many = [
        replace(d, nodes=tuple(replace(node, copies=9 * node.copies) for node in d.nodes))
        for d in found.designs
    ]
    claim = area.components(Measured(many, found.costs))
    assert (claim.verdict, claim.surprise) == (FAILS, True)


def test_crosspoints_a_line() -> None:
    claim = area.crosspoints_a_line(measured("PARTIAL", sizes=(3,)))
    assert (claim.verdict, claim.surprise) == (HOLDS, False)
    assert claim.measured.text == "1.9 … 3.2 crosspoints a line"
    found = measured("PARTIAL", sizes=(3,))
    many = [replace(design, crosspoints=19 * 96) for design in found.designs]
    claim = area.crosspoints_a_line(Measured(many, found.costs))
    assert (claim.verdict, claim.surprise) == (FAILS, True)


def test_a_constant_factor_and_none() -> None:
    flat = tree("PARTIAL", {8: 800.0, 16: 1700.0, 34: 3000.0})
    assert area.gates_of_nodes(flat, "PARTIAL", HOLDS).verdict == HOLDS
    square = tree("PARTIAL", {8: 64.0, 16: 256.0, 34: 1156.0})
    claim = area.gates_of_nodes(square, "PARTIAL", HOLDS)
    assert (claim.verdict, claim.surprise) == (FAILS, True)
    assert "no constant factor" in claim.measured.text
    claim = area.gates_of_nodes(tree("UNIVERSAL", {8: 1.0, 64: 8.0}), "UNIVERSAL", FAILS)
    assert (claim.verdict, claim.surprise) == (HOLDS, True)


def test_too_little_to_judge() -> None:
    """Sizes that hardly differ say nothing."""
    near = tree("PARTIAL", {8: 8.0, 12: 120.0})
    assert area.gates_of_nodes(near, "PARTIAL", HOLDS).verdict == UNDECIDED
