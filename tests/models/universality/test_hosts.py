"""Hosts of message sets, against graphs of networkx: ways, loads and steps."""

import networkx
import numpy as np
import pytest

from fattree_models.universality.hosts import HOSTS, deliver


def graph(host, n):
    """The host, and the node of each processor; arrays in the order of a Z."""
    if host == "CUBE":
        return networkx.hypercube_graph(n.bit_length() - 1), [
            tuple(int(bit) for bit in format(i, f"0{n.bit_length() - 1}b")) for i in range(n)
        ]
    if host == "TREE":
        return networkx.balanced_tree(2, n.bit_length() - 1), [*range(n - 1, 2 * n - 1)]
    bits = [format(i, "016b") for i in range(n)]
    place = [(int(b[0::2], 2), int(b[1::2], 2)) for b in bits]
    rows, columns = (max(p[axis] for p in place) + 1 for axis in (0, 1))
    return networkx.grid_2d_graph(rows, columns), place


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("n", [8, 16, 64])
def test_ways_and_steps(host, n):
    """A message alone takes the shortest way; many take as long as the busiest link, at least."""
    net, place = graph(host, n)
    rng = np.random.default_rng(n)
    src, dst = rng.integers(0, n, 40), rng.integers(0, n, 40)
    way = [
        networkx.shortest_path_length(net, place[a], place[b])
        for a, b in zip(src, dst, strict=True)
    ]
    for i in range(src.size):
        alone = deliver(host, src[i : i + 1], dst[i : i + 1], n)
        assert alone.steps == way[i] if host != "MULTIGRID" else alone.steps <= way[i]
        assert alone.load == (way[i] > 0)
    found = deliver(host, src, dst, n)
    longest = 1 if host == "MULTIGRID" else max(way)
    assert max(found.load, longest) <= found.steps < sum(way)


def test_a_link_takes_one_message_a_step():
    """From both leaves of a node to both of another: two links between carry two each."""
    src, dst = np.array([0, 1]), np.array([2, 3])
    assert deliver("TREE", src, dst, 4) == (5, 2)
    assert deliver("CUBE", src, dst, 4) == (1, 1)
    assert deliver("MESH", np.array([0, 0]), np.array([1, 1]), 4) == (2, 2)
