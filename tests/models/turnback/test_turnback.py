"""Turn-back routing against a listing of all routes by labels, and the tree's own routes."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fattree_models.turnback import dependencies as turnback_dependencies
from fattree_models.turnback import routing as turnback
from fattree_models.turnback.dependencies import deadlock, turnback_graph
from fattree_models.turnback.routing import (
    Channel,
    Turnback,
    channels,
    entries,
    legal,
    next_channels,
    shortest_hops,
    walk,
)
from fattree_models.xgft import Xgft, kary, routes
from fattree_models.xgft import legal as tree_legal
from tests.models.refused import refused
from tests.models.xgft.brute_xgft import every_pair, labels, small_trees

TREES = [
    Xgft((2, 2), (1, 2)),
    Xgft((3, 2), (1, 3)),
    Xgft((2, 3, 2), (1, 2, 2)),
    Xgft((2, 1, 3), (1, 2, 2)),
    Xgft((2, 2, 1), (1, 2, 1)),
    Xgft((1, 4), (1, 2)),
    Xgft((3, 2), (2, 2)),
    Xgft((4,), (1,)),
    Xgft((4,), (3,)),
]
SHAPES = [
    (1, 0, 1, "TB"),
    (2, 1, 1, "TB"),
    (1, 0, 1, "TBWP"),
    (2, 2, 1, "TBWP"),
    (1, 1, 0, "TBWP"),
    (1, 2, 2, "TBWP"),
    (2, 1, 3, "TBWP"),
]


def nets_of(tree):
    roots = tree.level_size(tree.height)
    for tbch, root_links, lateral, routing in SHAPES:
        if root_links <= 2 * (roots - 1) and tbch <= max(tree.m):
            yield Turnback(tree, tbch, root_links, lateral, routing)


NETS = pytest.mark.parametrize("net", [n for tree in TREES for n in nets_of(tree)], ids=str)


def listing(net, src, dst, most):
    """All routes as (ports, channels), by labels: what the papers say, a choice at a time.

    A node is (level, label); `most` are the lateral hops of a packet.
    """
    tree, h = net.tree, net.tree.height
    flat = [{x: i for i, x in enumerate(labels(tree, level))} for level in range(h + 1)]
    roots, leaves = list(labels(tree, h)), list(labels(tree, 0))
    target, first = leaves[dst], 0 if tree.w[0] > 1 else 1
    rounds = [sign * far for far in range(1, len(roots) + 1) for sign in (1, -1)]

    def replaced(label, place, digit):
        return (*label[: place - 1], digit, *label[place:])

    def go_down(level, label, ports, taken):
        if level < first:
            assert label == target
            yield tuple(ports), tuple(taken)
            return
        q = target[level - 1] if level else 0
        step = Channel("DOWN", level, flat[level][label], q)
        below = replaced(label, level, q) if level else label
        yield from go_down(level - 1, below, [*ports, q], [*taken, step])

    def go(level, label, laterals, ports, taken):
        here = flat[level][label]
        above = label[level:] == target[level:]
        ahead = tree.w[level] if level < h else net.root_links
        if above:
            for turn in range(net.tbch):
                step = Channel("TURN", level, here, turn)
                yield from go_down(level, label, [*ports, ahead + turn], [*taken, step])
        if level < h and not (above and net.routing == "TB"):
            for c in range(ahead):
                step = Channel("UP", level, here, c)
                up = replaced(label, level + 1, c)
                yield from go(level + 1, up, laterals, [*ports, c], [*taken, step])
        if level == h and net.routing == "TBWP" and laterals < most:
            for i in range(ahead):
                step = Channel("LATERAL", level, here, i)
                there = roots[(here + rounds[i]) % len(roots)]
                yield from go(level, there, laterals + 1, [*ports, i], [*taken, step])

    start = leaves[src] if first == 0 else replaced(leaves[src], 1, 0)
    yield from go(first, start, 0, [], [])


def as_array(lists):
    width = max(map(len, lists)) + 1
    return np.array([[*ports, *[-1] * (width - len(ports))] for ports in lists])


def check(net, most):
    """Everything about a network whose routes have at most that many lateral hops."""
    edges, after = set(), {}
    for src, dst in itertools.product(range(net.tree.leaves), repeat=2):
        found = list(listing(net, src, dst, most))
        ports = as_array([ports for ports, _ in found])
        many = len(found)
        assert legal(net, [src] * many, [dst] * many, ports).all()
        assert len({ports for ports, _ in found}) == many
        assert min(len(ports) for ports, _ in found) == shortest_hops(net, src, dst)
        assert {taken[0] for _, taken in found} == set(entries(net, src, dst))
        assert channels(net, src, ports[-1].tolist()) == list(found[-1][1])
        for _, taken in found:
            edges |= set(itertools.pairwise(taken))
            laterals = 0
            for channel, following in itertools.pairwise((*taken, None)):
                laterals += channel.kind == "LATERAL"
                after.setdefault((channel, dst, laterals), set()).add(following)
    if net.lateral is not None:
        for (channel, dst, laterals), following in after.items():
            assert set(next_channels(net, channel, dst, laterals)) == following - {None}
    assert set(turnback_graph(net).edges) == edges


def circle_is_of(net, found):
    graph = turnback_graph(net)
    assert all(pair in graph.edges for pair in zip(found, [*found[1:], found[0]], strict=True))
    assert {channel.kind for channel in found} == {"LATERAL"}


@NETS
def test_every_route(net):
    check(net, net.lateral)


@pytest.mark.parametrize(
    ("owner", "name", "wrong", "shape"),
    [
        (Turnback, "neighbours", lambda net, root, number: root ^ 1, (2, 2, 1, "TBWP")),
        (Turnback, "most_lateral", property(lambda net: 2), (1, 2, 1, "TBWP")),
        (turnback, "nca_level", lambda tree, src, dst: 0 * dst, (1, 0, 1, "TB")),
        (turnback_dependencies, "_turning", lambda net, level: True, (1, 0, 1, "TB")),
        (turnback_dependencies, "_arriving", lambda net, level, node: (), (1, 0, 1, "TBWP")),
    ],
    ids=["ring", "lateral limit", "turns late", "turns that nobody takes", "nothing waits"],
)
def test_a_wrong_model_is_seen(monkeypatch, owner, name, wrong, shape):
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(AssertionError):
        check(Turnback(Xgft((2, 1, 3), (1, 2, 2)), *shape), 1)


@settings(max_examples=30)
@given(
    small_trees(leaves=12, nodes=12),
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 2),
    st.sampled_from(["TB", "TBWP"]),
)
def test_every_route_of_any_tree(tree, tbch, root_links, lateral, routing):
    roots = tree.level_size(tree.height)
    net = Turnback(
        tree, min(tbch, *[max(tree.m)]), min(root_links, 2 * roots - 2), lateral, routing
    )
    ways_up = int(np.prod(tree.w)) * (1 + net.root_links) ** lateral
    assume(tree.leaves**2 * ways_up * net.tbch < 4000)
    check(net, net.lateral)


@pytest.mark.parametrize("tree", [tree for tree in TREES if tree.leaves < 9], ids=str)
def test_without_a_limit_of_lateral_hops(tree):
    for root_links in range(min(2, 2 * tree.level_size(tree.height) - 2) + 1):
        net = Turnback(tree, 1, root_links, None)
        check(net, 2)  # who may be lateral twice may be so for ever
        many, leaf = 9, tree.leaves - 1
        if root_links:
            ups = tree.height - tree.first
            turn = [
                root_links,
                *[tree.m[i - 1] - 1 if i else 0 for i in range(tree.height, -1, -1)],
            ]
            ports = [0] * (ups + many) + turn[: ups + 2]
            assert legal(net, [0], [leaf], [ports]).all()
            assert not legal(Turnback(tree, 1, root_links, many - 1), [0], [leaf], [ports]).any()
            assert legal(Turnback(tree, 1, root_links, many), [0], [leaf], [ports]).all()


@NETS
def test_a_circle_from_two_lateral_hops_on(net):
    found = deadlock(net)
    if net.routing == "TB" or net.lateral < 2 or not net.root_links:
        assert found is None
    else:
        circle_is_of(net, found)


def test_the_ring():
    net = Turnback(Xgft((4, 3, 5), (1, 2, 2)), 2, 2, None)
    circle_is_of(net, deadlock(net))
    one_way = deadlock(Turnback(Xgft((4, 3, 5), (1, 2, 2)), 2, 1, None))
    assert [(channel.node, channel.number) for channel in one_way] == [
        *((0, 0), (1, 0), (2, 0), (3, 0))
    ]
    assert deadlock(Turnback(kary(4, 3), 4, 2, 1)) is None
    for number in range(6):  # every root has as many lateral inputs as outputs
        net = Turnback(kary(2, 3), 1, 6)
        assert sorted(net.neighbour(root, number) for root in range(4)) == [0, 1, 2, 3]
        assert all(net.neighbour(root, number) != root for root in range(4))


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_one_block_is_the_tree(tree):
    """TB of one turn-back channel is the adaptive routing of the tree, turn and down in one hop."""
    net = Turnback(tree, routing="TB")
    for src, dst in zip(*(ends.tolist() for ends in every_pair(tree)), strict=True):
        joined = set()
        for ports, taken in listing(net, src, dst, 0):
            hops = []
            for port, channel in zip(ports, taken, strict=True):
                if channel.kind == "UP":
                    hops.append(tree.down_ports(channel.level) + port)
                elif channel.kind == "DOWN":
                    hops.append(port)
            joined.add(tuple(hops))
        assert tree_legal(tree, [src] * len(joined), [dst] * len(joined), as_array(joined)).all()
        turn = tuple(port for port in routes(tree, [src], [dst], "DMODK")[0].tolist() if port >= 0)
        assert turn in joined


@settings(max_examples=150)
@given(st.sampled_from([net for tree in TREES for net in nets_of(tree)]), st.integers(0, 2**32 - 1))
def test_hop_lists_of_any_kind(net, seed):
    """A changed list is legal if and only if it is in the listing."""
    rng = np.random.default_rng(seed)
    src, dst = rng.integers(0, net.tree.leaves, 2).tolist()
    good = {ports for ports, _ in listing(net, src, dst, net.lateral)}
    for ports in itertools.islice(good, 12):
        changed = np.array([*ports, -1, -1])
        changed[rng.integers(changed.size)] = rng.integers(-1, 5)
        if rng.random() < 0.3:
            changed = np.delete(changed, rng.integers(changed.size))
        hops = changed.tolist()
        while hops and hops[-1] == -1:
            hops.pop()
        assert legal(net, [src], [dst], [changed])[0] == (tuple(hops) in good), hops


def test_what_ends_nowhere():
    net = Turnback(Xgft((2, 2), (1, 2)), 1, 1)
    lists = {
        "no output": [3, 0],
        "no output down": [2, 2],
        "goes on at a leaf": [2, 0, 0],
        "after a gap": [2, -1, 0],
        "stops": [0, 1, 0],
        "nothing": [-1, -1],
    }
    for name, hops in lists.items():
        assert walk(net, [0], [hops]).end.tolist() == [-1], name
    assert walk(net, [0], [[2, 0, -1]]).end.tolist() == [0]


def test_a_larger_tree():
    """256 leaves: 8 hops where the tree has 7, and no circle."""
    net = Turnback(kary(4, 4), 2, 2)
    assert deadlock(net) is None
    assert shortest_hops(net, 0, 255) == 8
    assert shortest_hops(net, *every_pair(net.tree)).max() == 8


test_bad_arguments = refused(
    (lambda t: Turnback(t, 3), "tbch: is 3; allowed are integers 1 … 2"),
    (lambda t: Turnback(t, 1, 7), "root_links: is 7; allowed are integers 0 … 6"),
    (lambda t: Turnback(t, 1, 0, -1), "lateral: is -1; allowed are integers from 0"),
    (lambda t: Turnback(t, routing="XY"), "routing: is 'XY'; allowed are TB, TBWP"),
    (lambda t: walk(Turnback(t), [8], [[0]]), "src: holds 8"),
    (lambda t: walk(Turnback(t), [0], [0]), "ports: have shape"),
    given=lambda: kary(2, 3),
)
