"""GFT(h, m, w) has an "edge bisection increasing factor w": halves of leaves by maximum flows."""

from itertools import combinations, pairwise

import pytest

from fattree_models.xgft import bisection, gft
from tests.models.xgft.brute_xgft import graph
from tests.models.xgft.test_counts import cut

SHAPES = [(2, 1), (2, 2), (2, 3), (4, 1), (4, 2), (4, 3), (4, 4), (4, 5)]
LARGEST = {2: 4, 4: 2}  # height of a tree whose halves are all tried, by m
HEIGHTS = range(1, 9)  # of those by the model


def shape(half, leaves, m):
    """The same for halves that differ only in the order of children below some nodes.

    Such an order is a symmetry of the graph: children of one node, or all that have the same
    parents, are alike.
    """
    parts = [int(leaf in half) for leaf in range(leaves)]
    while len(parts) > 1:
        parts = [tuple(sorted(parts[i : i + m], key=str)) for i in range(0, len(parts), m)]
    return parts[0]


def fewest(height, m, w):
    """Links that part the leaves in two halves, whichever: the fewest of all halves."""
    tree = gft(height, m, w)
    net, leaves = graph(tree), range(tree.leaves)
    halves = {
        shape({0, *rest}, tree.leaves, m): {0, *rest}
        for rest in combinations(leaves[1:], tree.leaves // 2 - 1)
    }
    return min(
        cut(net, [(0, n) for n in half], [(0, n) for n in leaves if n not in half])
        for half in halves.values()
    )


def growth(values):
    return [above / below for below, above in pairwise(values)]


@pytest.mark.parametrize(("m", "w"), SHAPES)
def test_edge_bisection_grows_by_w(m, w, record):
    """By w a level up to w = m; beyond it the leaves bound it, whose number grows by m."""
    found = [fewest(height, m, w) for height in range(1, LARGEST[m] + 1)]
    steps = growth([bisection(gft(height, m, w)) for height in HEIGHTS])
    record(children=m, parents=w, halved_least=min(growth(found)), halved_most=max(growth(found)))
    alone = growth([bisection(gft(height, m, 1)) for height in HEIGHTS])
    record(step_least=min(steps), step_most=max(steps), step_of_one_parent=max(alone))
    assert found == [bisection(gft(height, m, w)) for height in range(1, LARGEST[m] + 1)]
    assert set(steps) == {min(m, w)}


def test_all_halves_are_tried():
    """Shapes stand for all halves: by every half of eight leaves, the same fewest."""
    for w in (1, 2, 3):
        tree = gft(3, 2, w)
        net = graph(tree)
        every = [
            cut(net, [(0, n) for n in half], [(0, n) for n in range(8) if n not in half])
            for half in combinations(range(8), 4)
        ]
        assert fewest(3, 2, w) == min(every)
