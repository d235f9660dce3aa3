"""Designs against the models; claims are judged by figures, and a wrong one is trouble."""

from dataclasses import replace

from fattree_bench.bench.claims import FAILS, HOLDS, UNMEASURED
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
    assert (claim.verdict, claim.trouble) == (HOLDS, "")
    found = measured("UNIVERSAL")
    many = [
        replace(d, nodes=tuple(replace(node, copies=9 * node.copies) for node in d.nodes))
        for d in found.designs
    ]
    claim = area.components(Measured(many, found.costs))
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)


def test_crosspoints_a_line() -> None:
    claim = area.crosspoints_a_line(measured("PARTIAL", sizes=(3,)))
    assert (claim.verdict, claim.trouble) == (HOLDS, "")
    assert claim.measured.text == "1.9 … 3.2 crosspoints a line"
    found = measured("PARTIAL", sizes=(3,))
    many = [replace(design, crosspoints=19 * 96) for design in found.designs]
    claim = area.crosspoints_a_line(Measured(many, found.costs))
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)


def test_a_constant_factor_and_none() -> None:
    flat = tree("PARTIAL", {8: 800.0, 16: 1700.0, 34: 3000.0})
    assert area.gates_of_nodes(flat, "PARTIAL", HOLDS).verdict == HOLDS
    square = tree("PARTIAL", {8: 64.0, 16: 256.0, 34: 1156.0})
    claim = area.gates_of_nodes(square, "PARTIAL", HOLDS)
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)
    assert "no constant factor" in claim.measured.text
    claim = area.gates_of_nodes(tree("UNIVERSAL", {8: 1.0, 64: 8.0}), "UNIVERSAL", FAILS)
    assert (claim.verdict, bool(claim.trouble)) == (HOLDS, True)


def test_too_little_to_judge() -> None:
    """Sizes that hardly differ say nothing."""
    near = tree("PARTIAL", {8: 8.0, 12: 120.0})
    assert area.gates_of_nodes(near, "PARTIAL", HOLDS).verdict == UNMEASURED


def test_off_line_nodes() -> None:
    claim = area.offline_gates(tree("OFFLINE", {8: 24.0, 16: 80.0, 76: 2425.0}))
    assert (claim.verdict, claim.trouble) == (HOLDS, "")
    assert claim.measured.text == "gates / m at most 32, m = 8 … 76"
    square = tree("OFFLINE", {8: 64.0, 16: 256.0, 76: 5776.0})
    assert area.offline_gates(square).verdict == FAILS
    assert area.offline_gates(tree("PARTIAL", {8: 1.0})).verdict == UNMEASURED


def test_constant_time() -> None:
    found = tree("OFFLINE", {8: 80.0, 16: 170.0, 34: 300.0})
    claim = area.constant_time(found)
    assert (claim.verdict, claim.measured.text) == (HOLDS, "at most 1 levels of gates, m = 8 … 34")
    deep = {block: replace(cost, levels=31) for block, cost in found.costs.items()}
    claim = area.constant_time(Measured(found.designs, deep))
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)
    assert area.constant_time(tree("OFFLINE", {8: 80.0, 12: 90.0})).verdict == UNMEASURED


def test_what_acknowledges_cost() -> None:
    def trees(no_ack: float, offline: float) -> Measured:
        parts = [
            tree(kind, {8: gates})
            for kind, gates in (("PARTIAL", 100.0), ("NO_ACK", no_ack), ("OFFLINE", offline))
        ]
        named = [replace(p.designs[0], nodes=_renamed(p)) for p in parts]
        costs = {
            design.nodes[0].block: next(iter(part.costs.values()))
            for design, part in zip(named, parts, strict=True)
        }
        return Measured(named, costs)

    def _renamed(part: Measured):
        (design,) = part.designs
        (node,) = design.nodes
        return (replace(node, block=replace(node.block, top=design.kind)),)

    claim = area.without_acknowledges(trees(80.0, 20.0))
    assert (claim.verdict, claim.trouble) == (HOLDS, "")
    assert claim.measured.text == (
        "20% … 20% of the gates saved without acknowledges; 80% … 80% of the gates saved off-line"
    )
    for wrong in (trees(101.0, 20.0), trees(80.0, 101.0)):
        claim = area.without_acknowledges(wrong)
        assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)
    assert area.without_acknowledges(tree("PARTIAL", {8: 1.0})).verdict == UNMEASURED
