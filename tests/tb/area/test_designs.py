"""Closed forms against models, and against going through all pairs of lanes."""

import itertools

import pytest

from fattree_bench.area.command import guess
from fattree_bench.area.designs import KINDS, blocks_of, chosen_designs, universal
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_models import lbbvn, leiserson


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


@pytest.mark.parametrize("n", range(2, 8))
def test_lanes_and_crosspoints_of_the_models(n: int) -> None:
    (thin,), (wide,) = KINDS["LOWER_BOUND"].make(n), KINDS["NONBLOCKING"].make(n)
    for design, c in ((thin, lbbvn.lower_bound(n)), (wide, lbbvn.nonblocking(n))):
        assert design.capacity == tuple(c)
        assert (design.lanes, design.crosspoints) == (lbbvn.links(c), lbbvn.crosspoints(c))


def test_universal_trees_of_the_models() -> None:
    design = universal(4, 11, "PARTIAL")
    cap = tuple(int(c) for c in leiserson.universal(16, 11))
    tree = leiserson.SerialTree(cap=cap, concentrator="PARTIAL", data_bits=16)
    parts = leiserson.count_components(tree)
    assert (design.lanes, design.crosspoints) == (parts.wires, parts.crosspoints)
    lines = sum(node.copies * node.degree for node in design.nodes)
    assert lines == parts.incident_wires


def test_settings_are_the_rows_of_the_rtl() -> None:
    """A row a slot: a select and an enable a lane; the leaves' bits are in the tree's block."""
    (design,) = KINDS["LOWER_BOUND_SCHEDULED"].make(2)
    # 4 rows.  Level 0: 2 lanes down of an input; level 1: 2 nodes, a lane up and 2 down of 2.
    level_0, level_1 = 2 * 2, 2 * (1 + 2) * 2
    assert lbbvn.lower_bound(2).tolist() == [0, 1, 1]
    assert design.settings == 4 * (level_0 + level_1)
    (crossbar,) = KINDS["CROSSBAR_SCHEDULED"].make(2)
    assert crossbar.settings == 4 * 4 * (2 + 1)


def test_a_block_of_two_designs_is_synthesized_once() -> None:
    designs = chosen_designs("", "LOWER_BOUND,NONBLOCKING", "16")
    nodes = [node.block for design in designs for node in design.nodes]
    blocks = blocks_of(designs)
    assert len(blocks) == len(set(nodes)) < len(nodes)
    assert all(guess(block) > 0 for block in blocks)


def test_copies_count() -> None:
    for n in (3, 4):
        (design,) = KINDS["STATIC"].make(n)
        network = Lbbvn.from_variables({"N": str(1 << n), "UPPER_HALF": "STATIC"})
        copies = [node.copies for node in design.nodes if node.degree]
        assert copies == [1 << level for level in range(network.top_level, n)]
