"""Designs of all families: counted by pairs of lanes, synthesized once, judged."""

import itertools

import pytest

from fattree_bench.area.designs import KINDS, blocks_of, chosen_designs, judge
from fattree_bench.families.design import Measured
from tests.tb.area.samples import measured


def pairs(up: int, down: int) -> int:
    """Ways from a lane into a node to one out of it, but back to where it came from."""
    ports = {"parent": up, "left": down, "right": down}
    lanes = [(port, lane) for port, count in ports.items() for lane in range(count)]
    return sum(a[0] != b[0] for a, b in itertools.product(lanes, lanes))


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
    blocks = blocks_of(designs)
    assert len(blocks) == len(set(nodes)) < len(nodes)
    assert all(block.seconds > 0 for block in blocks)


def test_what_was_not_measured_is_no_claim() -> None:
    assert judge(Measured([], {})) == []
    assert {claim.testpoint for claim in judge(measured("LOWER_BOUND"))} == {
        "degrees after synthesis"
    }
