"""Counts of parts against a count of the machine simulated tick by tick, and Theorem 4."""

import itertools
import math

import pytest

from fattree_models.leiserson.capacity import universal
from fattree_models.leiserson.components import count_components, incident_wires, theorem4_ratio
from fattree_models.leiserson.serial_tree import SerialTree
from tests.models.leiserson import brute_serial

TREES = [
    SerialTree((1, 1)),
    SerialTree((7, 5, 4, 2, 1)),
    SerialTree((2, 9, 3, 5), "PARTIAL"),
    SerialTree((5, 12, 4, 4, 2), "PARTIAL"),
    SerialTree((6, 1, 3, 2), "IDEAL", "ROTATING"),
]


@pytest.mark.parametrize("tree", TREES)
def test_counts_are_those_of_the_machine(tree):
    rules = brute_serial.Rules(tree.cap, tree.concentrator, "FIXED", 0, 8)
    nodes = brute_serial.Cycle(rules).nodes.values()
    wires, crosspoints, bits, selectors, incident = set(), 0, 0, 0, 0
    ports = {}
    for node in nodes:
        listeners = node.left + node.right + node.above
        selectors += 2 * len(listeners)
        incident += len(listeners)
        for port in (node.up, node.to_left, node.to_right):
            incident += port.outputs
            kind = (len(port.listeners), port.outputs)
            ports[kind] = ports.get(kind, 0) + 1
            switches = [len(edges) for graph in port.graphs for edges in graph]
            if tree.concentrator == "IDEAL":
                switches = [port.outputs] * len(port.listeners)
            crosspoints += sum(switches)
            bits += sum(math.ceil(math.log2(choices + 1)) for choices in switches)
        wires |= {("up", *x.wire) for x in node.left + node.right}
        wires |= {("down", *x.wire) for x in node.above}
        wires |= {("up", node.v, w) for w in range(node.up.outputs)}
        wires |= {("down", 2 * node.v, w) for w in range(node.to_left.outputs)}
        wires |= {("down", 2 * node.v + 1, w) for w in range(node.to_right.outputs)}
    counted = count_components(tree)
    assert counted.wires == len(wires)
    assert counted.incident_wires == incident
    assert counted.selectors == selectors
    assert {(r, s): count for r, s, count in counted.ports} == ports
    assert counted.crosspoints == crosspoints
    assert counted.setting_bits == bits


def roots(n):
    """Return root capacities from n^(2/3) to n, both ends among them."""
    h = n.bit_length() - 1
    least = next(w for w in range(1, n + 1) if w**3 >= n**2)
    return sorted({least, least + 1, n} | {2**e for e in range(h + 1) if least <= 2**e})


def test_incident_wires_are_of_the_order_of_theorem_4():
    """O(n lg(w^3/n^2)) components, from n = 8 to 65536, with the constants measured.

    At w = n the ratio is exactly 4: each level's nodes have 4 n incident wires together.  It is
    largest at w = 2^(1/3) n^(2/3), the last root for which lg is 1: 20.62, 21.71 and 22.25 for
    n = 2^10, 2^13 and 2^16, each step half of the one before, so it stays below 23.
    """
    ratios = {(2**h, w): theorem4_ratio(2**h, w) for h in range(3, 17) for w in roots(2**h)}
    assert len(ratios) > 60
    assert all(ratios[n, n] == pytest.approx(4) for n, w in ratios if n == w)
    assert min(ratios.values()) == pytest.approx(4)
    assert max(ratios.values()) == pytest.approx(22.25, abs=0.01)
    tops = [ratios[2**e, 2 ** ((2 * e + 1) // 3)] for e in (7, 10, 13, 16)]
    steps = [b - a for a, b in itertools.pairwise(tops)]
    assert all(0 < b < 0.6 * a for a, b in itertools.pairwise(steps))
    assert tops[-1] + steps[-1] < 23


def test_partial_concentrators_have_components_in_proportion_to_wires():
    """A node with m incident wires has O(m) components; a crossbar of ideal ones has not."""
    partial, ideal = [], []
    for n in (8, 16, 32, 64):
        for w in roots(n):
            cap = universal(n, w)
            wires = incident_wires(tuple(cap.tolist()))
            partial.append(count_components(SerialTree(cap, "PARTIAL")).crosspoints / wires)
            ideal.append(count_components(SerialTree(cap)).crosspoints / wires)
    assert max(partial) < 7
    assert max(ideal) > 13


def test_theorem_4_is_about_universal_fat_trees():
    with pytest.raises(ValueError):
        theorem4_ratio(64, 65)
