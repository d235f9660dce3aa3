"""Designs of all families: counted by pairs of lanes, synthesized once, judged."""

import itertools

import pytest

from fattree_bench.area.designs import KINDS, chosen_designs, judge
from fattree_bench.bench.network import Network
from fattree_bench.families import NETWORKS, family, has, part
from fattree_bench.families.design import Measured
from fattree_bench.synthesis.block import blocks_of
from tests.tb.area.samples import measured


def pairs(up: int, down: int) -> int:
    """Ways from a lane into a node to one out of it, but back to where it came from."""
    ports = {"parent": up, "left": down, "right": down}
    lanes = [(port, lane) for port, count in ports.items() for lane in range(count)]
    return sum(a[0] != b[0] for a, b in itertools.product(lanes, lanes))


DESCRIBED = [
    pytest.param(network, corner, id=f"{name} {' '.join(corner.values())}")
    for name, network in NETWORKS.items()
    if has(family(name), "area") and hasattr(part(family(name), "area"), "designed")
    for corner in network.about.corners
    if corner.get("UNFOLDED", "0") == "0"
]


@pytest.mark.parametrize(("network", "corner"), DESCRIBED)
def test_lines_are_the_links_of_the_structure(network: type[Network], corner: dict) -> None:
    """Every link between nodes, and to leaves; its wires: a flit, and what goes with it."""
    one = network.from_variables(corner)
    found = part(family(one.name), "area").designed(one)
    wired = one.structure.lanes[one.structure.tail != one.structure.head]
    links = wired.sum() * getattr(one, "planes", 1)
    if "VCS" in one.variables():  # virtual channels share a link
        links //= one.switch.vcs
    assert found.lanes == links
    assert found.leaves == one.leaves
    assert found.wires % links == 0
    assert found.wires // links > getattr(one, "width", 32)


@pytest.mark.parametrize("kind", ["NONBLOCKING", "LOWER_BOUND", "STATIC", "UNIVERSAL"])
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_crosspoints_are_pairs_of_lanes(kind: str, n: int) -> None:
    for design in KINDS[kind].make(n):
        found = 0
        for node in design.nodes:
            if node.degree:
                chosen = dict(node.block.parameters)
                assert node.degree == 2 * (chosen["C_UP"] + 2 * chosen["C_DOWN"])
                found += node.copies * pairs(chosen["C_UP"], chosen["C_DOWN"])
        assert design.crosspoints == found


def test_a_block_of_two_designs_is_synthesized_once() -> None:
    designs = chosen_designs("", "LOWER_BOUND,NONBLOCKING", "16")
    nodes = [node.block for design in designs for node in design.nodes]
    blocks = [*blocks_of(designs).values()]
    assert len(blocks) == len(set(nodes)) < len(nodes)
    assert all(block.seconds > 0 for block in blocks)


def test_what_was_not_measured_is_no_claim() -> None:
    assert judge(Measured([], {})) == []
    assert {claim.testpoint for claim in judge(measured("LOWER_BOUND"))} == {
        "degrees after synthesis"
    }
