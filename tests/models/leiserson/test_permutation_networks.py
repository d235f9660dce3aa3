"""Wires between halves of permutation networks, which need volume (Leiserson 1985, Section VI)."""

import networkx
import numpy as np
import pytest

from fattree_models.leiserson.capacity import least_root, universal


def benes(n):
    """The Benes network of n inputs and outputs, its switches of two; vertices are wires."""
    graph, lg = networkx.DiGraph(), n.bit_length() - 1
    bits = [*range(lg - 1, 0, -1), *range(lg)]
    for stage, bit in enumerate(bits):
        for wire in range(n):
            for to in (wire, wire ^ 1 << bit):
                graph.add_edge((stage, wire), (stage + 1, to), capacity=1)
    return graph, [(0, i) for i in range(n)], [(len(bits), i) for i in range(n)]


def thin_tree(n):
    """A universal fat-tree of n^(2/3) wires at the root, which takes some permutations in turns."""
    graph, cap = networkx.DiGraph(), universal(n, least_root(n)).tolist()
    for node in range(2, 2 * n):
        wires = cap[node.bit_length() - 1]
        graph.add_edge(node, node >> 1, capacity=wires)
        graph.add_edge(node >> 1, node, capacity=wires)
    leaves = [n + i for i in range(n)]
    return graph, leaves, leaves


def least_flow(network, n):
    """Of halves of the terminals: the least flow from one's inputs to the other's outputs."""
    graph, inputs, outputs = network
    rng, flows = np.random.default_rng(n), []
    halves = [np.arange(n) < n // 2, np.arange(n) % 2 == 0, *(rng.permutation(n) < n // 2,) * 3]
    for half in halves:
        copy = graph.copy()
        for i in range(n):
            if half[i]:
                copy.add_edge("source", inputs[i], capacity=1)
            else:
                copy.add_edge(outputs[i], "sink", capacity=1)
        flows.append(networkx.maximum_flow_value(copy, "source", "sink"))
    return min(flows)


@pytest.mark.parametrize("n", [8, 16, 32, 64])
def test_wires_between_halves(n, record):
    """n / 2 messages at once, whichever halves: a cube has a plane of v^(2/3) between halves."""
    flow, tree = (least_flow(make(n), n) for make in (benes, thin_tree))
    record(terminals=n, flow_of_half=flow / (n / 2), tree_flow_of_half=tree / (n / 2))
    assert flow == n // 2
