"""Structures: ways over links, what links that nothing shows hide, and knots of waits."""

import numpy as np
import pytest

from fattree_models.common import fat_tree
from fattree_models.common.structure import Link, Node, Structure, cycle

TREES = [((2, 2), (1, 2)), ((4, 4, 3), (1, 2, 2)), ((2, 3), (2, 2)), ((3,), (1,))]


@pytest.mark.parametrize(("m", "w"), TREES)
def test_a_tree_has_the_links_of_its_digits_both_ways(
    m: tuple[int, ...], w: tuple[int, ...]
) -> None:
    tree = fat_tree.Xgft(m, w)
    made, links = fat_tree.structure(tree), fat_tree.edges(tree)

    def named(level: int, node: int) -> str:
        return f"switch ({level}, {node})" if level >= tree.first else f"leaf {node}"

    wanted = set()
    for level, low, high, up, down in zip(
        *(x.tolist() for x in (links.level, links.lower, links.upper, links.up_port)),
        links.down_port.tolist(),
        strict=True,
    ):
        one = named(level, low), tree.down_ports(level) + up
        other = named(level + 1, high), down
        wanted |= {(one, other), (other, one)}
    if tree.first == 0:
        ends = [(named(0, x), 0) for x in range(tree.leaves)]
        wanted |= {(end, (f"leaf {x}", 0)) for x, end in enumerate(ends)}
        wanted |= {((f"leaf {x}", 0), end) for x, end in enumerate(ends)}
    assert wanted == {
        ((made.nodes[a], p), (made.nodes[b], q))
        for a, p, b, q in zip(
            *(x.tolist() for x in (made.tail, made.tail_port, made.head, made.head_port)),
            strict=True,
        )
    }


@pytest.mark.parametrize(("m", "w"), TREES)
def test_routes_lead_where_the_walk_by_digits_does(m: tuple[int, ...], w: tuple[int, ...]) -> None:
    """Those of all pairs, and others that lead nowhere."""
    tree = fat_tree.Xgft(m, w)
    made = fat_tree.structure(tree)
    source, goal = np.divmod(np.arange(tree.leaves**2), tree.leaves)
    ports = fat_tree.routes(tree, source, goal, "DMODK")
    way = made.walk(source, ports)
    assert (way.end == made.receivers[goal]).all()
    assert ((way.link >= 0) == (ports >= 0)).all()
    rng = np.random.default_rng(1)
    wild = rng.integers(0, tree.radix(tree.height) + 1, (tree.leaves, 3)).astype(np.int16)
    leaf = np.arange(tree.leaves)
    ends, walked = fat_tree.walk(tree, leaf, wild).end, made.walk(leaf, wild)
    inside = (walked.end >= 0) & (made.level[walked.end] == 0)
    assert (np.where(inside, made.number[walked.end], -1) == ends).all()


def two_switches() -> Structure:
    """Leaves 0 and 1 at one, 2 at the other; the link back between them is hidden."""
    nodes = [Node(f"leaf {x}", 0, x, x, 0) for x in range(3)]
    nodes += [Node(name, 1, x, x, -1) for x, name in enumerate("ab")]
    links = [
        *(Link(f"from {x}", x, 3 + x // 2, 0, x % 2, signal=f"in{x}") for x in range(3)),
        *(Link(f"to {x}", 3 + x // 2, x, x % 2) for x in range(3)),
        *(Link("a to b", 3, 4, 2, 2, signal="ab"), Link("b to a", 4, 3, 2, 2)),
    ]
    return Structure.of(nodes, links)


def test_ways_that_are_none_are_told() -> None:
    made = two_switches()
    assert made.broken(0, [0], 1) == ""
    assert made.broken(2, [2], 0) == ""  # over the hidden link
    assert made.broken(0, [0], 2) == "from a no link leads to leaf 2"
    assert made.broken(0, [0, 6], 2) == ""
    assert made.broken(0, [0, 6, 6], 2) == ""  # back over the hidden link, and once more
    assert made.broken(0, [2], None) == "from leaf 0 no link leads to that of from 2"
    assert made.broken(0, [], 1) == "from leaf 0 no link leads to leaf 1"


def test_what_may_follow_is_on_a_shortest_way() -> None:
    made = two_switches()
    assert made.onward(0, 2) == [0]
    assert made.onward(3, 2) == [6]
    assert made.onward(3, 1) == []  # what follows is hidden


def test_signals_hold_lanes_one_after_the_other() -> None:
    made = two_switches().ordered(np.array([6, 0, 1, 2, 3, 4, 5, 7]))
    assert made.links[0] == "a to b"
    assert made.shown.tolist() == [0, 1, 2, 3]
    assert made.lane_link.tolist() == list(range(8))


def test_only_what_waits_for_nothing_outside_is_a_deadlock() -> None:
    assert cycle([]) == []
    assert cycle([(1, 2), (2, 3)]) == []
    assert cycle([(1, 1)]) == [1]
    assert sorted(cycle([(1, 2), (2, 3), (3, 1), (0, 1)])) == [1, 2, 3]
    assert cycle([(1, 2), (2, 1), (2, 9)]) == []  # 9 may free 2
    assert sorted(cycle([(1, 2), (2, 3), (3, 1), (5, 6), (6, 5)])) == [5, 6]  # the shorter one
