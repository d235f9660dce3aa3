"""Routers, links and intervals against the survey and the 2-ary n-tree; ports and buffers."""

import itertools

import networkx as nx
import numpy as np
import pytest

from fattree_models import mft, xgft
from tests.models.mft import brute_mft as brute


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_wiring_is_the_surveys_and_the_2_ary_n_trees(n):
    tree, columns = xgft.kary(2, n), np.arange(2 ** (n - 1))
    for row in range(n - 1):
        for c in columns.tolist():
            assert mft.parent(n, row, [c, c], [0, 1]).tolist() == [c, brute.neighbour(c, row)]
        for link in (0, 1):
            above = mft.parent(n, row, columns, link)
            port = (columns >> row & 1) ^ link  # an up port of the tree is the digit itself
            assert np.array_equal(tree.up(row + 1, columns, port)[0], above)
            side = columns >> row & 1
            assert np.array_equal(tree.up(row + 1, columns, port)[1], side)
            assert np.array_equal(mft.child(n, row + 1, above, side), columns)


def intervals(row, column):
    """The clients that a router reaches by its left and its right links."""
    first, half = column >> row << (row + 1), 1 << row
    return range(first, first + half), range(first + half, first + 2 * half)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_intervals_are_what_down_links_reach(n):
    for row, c in itertools.product(range(n), range(2 ** (n - 1))):
        for side, interval in enumerate(intervals(row, c)):
            found, queue = set(), [(row, c, side)]
            while queue:
                r, at, way = queue.pop()
                if r == 0:
                    found.add(2 * at + way)
                else:
                    below = int(mft.child(n, r, at, way))
                    queue += [(r - 1, below, 0), (r - 1, below, 1)]
            assert sorted(found) == list(interval)
    assert set().union(*intervals(n - 1, 0)) == set(range(2**n))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_ports(n):
    """Counted on the plain routers' wiring: inputs are outputs of others."""
    ports = mft.router_ports(n)
    lanes = mft.lane_counts(n).tolist()
    for row in range(n):
        above = 2 * lanes[row + 1] if row + 1 < n else 0
        assert ports[row].tolist() == [2 + above, 2 * lanes[row] + 2 * (row < n - 1)]
    assert ports[-1].tolist() == [2, 2]  # the topmost do not grow, the lowest do
    assert ports[0].sum() == (4 if n == 1 else 3 * 2**n)


def test_routers_are_as_many_as_drawn():
    graph = nx.Graph()
    for row, c in itertools.product(range(2), range(4)):
        for link in (0, 1):
            graph.add_edge((row, c), (row + 1, int(mft.parent(3, row, c, link))))
    assert len(graph) == 12 and nx.is_connected(graph)
