"""SPIN's trees, routes, crossbar, shared buffers, and what waits for what."""

import itertools
from collections import deque

import numpy as np
import pytest

from fattree_models import spin, xgft
from fattree_models.common.structure import dependency_cycle
from tests.models.refused import refused
from tests.models.spin import dependencies
from tests.models.spin.dependencies import Channel

SIZES = pytest.mark.parametrize("terminals", [16, 32, 64])


def routes(tree, src, dst):
    """All routes, as lists of (level, node, input, output), by the choices of each router.

    Inputs and outputs are port numbers; `src` enters at its own.
    """
    node, port = (int(x) for x in tree.up(0, src, 0))
    queue = [((1, node, port), [])]
    while queue:
        (level, node, came), taken = queue.pop()
        choice = spin.choices(tree, level, node, dst)
        for out in choice.ports:
            step = [*taken, (level, node, came, out)]
            if choice.way == "UP":
                above, at = tree.up(level, node, out - tree.down_ports(level))
                queue.append(((level + 1, int(above), int(at)), step))
            elif level > 1:
                below = int(tree.down(level, node, out))
                entry = tree.down_ports(level - 1) + int(tree.arrival(level, node))
                queue.append(((level - 1, below, entry), step))
            else:
                assert int(tree.down(level, node, out)) == dst
                yield step


def pairs_of(tree):
    """All pairs of 16 and 32 terminals; of 64 those from the first ones, and to one."""
    for src, dst in itertools.product(range(tree.leaves), repeat=2):
        if src != dst and (tree.leaves < 64 or src % 21 == 0 or dst == 37):
            yield src, dst


@SIZES
def test_routes_are_those_of_the_tree(terminals):
    tree = spin.tree(terminals)
    for src, dst in itertools.islice(pairs_of(tree), 0, None, 7):
        ports = [[out for _, _, _, out in route] for route in routes(tree, src, dst)]
        assert len(ports) == len({tuple(p) for p in ports})
        assert len(ports) == int(xgft.path_count(tree, src, dst))
        assert xgft.legal(tree, [src] * len(ports), [dst] * len(ports), ports).all()


def test_router_counts():
    """3 N / 4 holds for 64 terminals alone; what 32 need depends on how they are joined."""
    counts = {n: spin.tree(n).switches for n in (16, 32, 64)}
    assert counts == {16: 8, 32: 12, 64: 48}
    assert [4 * count / n for n, count in counts.items()] == [2, 1.5, 3]
    for n in (16, 32, 64):
        tree = spin.tree(n)
        assert max(tree.radix(level) for level in range(1, tree.height + 1)) == 8
        assert tree.leaves == n and tree.first == 1
    # 24 = 3 * 32 / 4 needs a third level, and halves the links into it
    assert xgft.Xgft((4, 4, 2), (1, 4, 2)).switches == 24


def turns_seen(tree):
    """Which (input, output) routes take at routers, by level."""
    seen = {}
    for src, dst in pairs_of(tree):
        for route in routes(tree, src, dst):
            for level, _, came, out in route:
                seen.setdefault(level, set()).add((came, out))
    return seen


@SIZES
def test_the_crossbar_has_the_turns_of_routes_and_no_other(terminals):
    tree = spin.tree(terminals)
    for level, turns in turns_seen(tree).items():
        matrix = spin.crossbar(tree.down_ports(level), tree.up_ports(level), 0)
        assert turns == set(zip(*(each.tolist() for each in np.nonzero(matrix)), strict=True))


def test_the_partial_crossbar():
    matrix = spin.crossbar()
    child, parent, buffer = slice(0, 4), slice(4, 8), slice(8, 10)
    assert matrix.shape == (10, 10) and matrix.sum() == 68
    assert not matrix[parent, parent].any() and not matrix[buffer, parent].any()
    assert not matrix[buffer, buffer].any() and not matrix[child, child].diagonal().any()
    assert matrix[:8, buffer].all() and matrix[buffer, child].all()
    assert spin.crossbar(4, 4, 0).sum() == 44
    assert spin.crossbar(8, 0).sum() == 56 + 16 + 16


# ---- shared buffers ------------------------------------------------------------------------------


def clocks_in_input(words, ready, capacity=spin.MOST_WORDS):
    """Clocks until a packet is in a shared buffer, a list of words; -1 if it never is.

    `ready` says in which clocks the output takes a word.
    """
    held, left, clock = deque(), deque(range(words)), 0
    while left:
        if clock > len(ready) + words + capacity:
            return -1
        room = len(held) < capacity
        if clock < len(ready) and ready[clock] and held:
            held.popleft()
        if room:
            held.append(left.popleft())
        clock += 1
    return clock


@pytest.mark.parametrize("capacity", [1, 2, 3, 4])
def test_a_packet_that_fits_leaves_its_input(capacity):
    """Whatever the output does, for all ways to stall in eight clocks."""
    for ready in itertools.product((0, 1), repeat=8):
        for words in range(1, 7):
            clocks = clocks_in_input(words, ready, capacity)
            assert words > capacity or clocks == words


def test_18_words_fit_and_19_do_not():
    for ready in ([], [1] * 40, [0, 1] * 20):
        assert clocks_in_input(spin.MOST_WORDS, ready) == 18
    assert clocks_in_input(19, []) == -1
    assert spin.encode(0, [0] * spin.MOST_PAYLOAD).size == 18


# ---- what waits for what -------------------------------------------------------------------------


def listed_graph(tree, initiators, targets, networks):
    """The edges, by a listing of all routes of all requests and responses."""
    edges = set()
    reply = networks - 1
    for asker, server in itertools.product(initiators, targets):
        if asker == server:
            continue
        for number, src, dst in ((0, asker, server), (reply, server, asker)):
            for route in routes(tree, src, dst):
                way = [Channel(number, 0, src, 0)]
                way += [Channel(number, level, node, out) for level, node, _, out in route]
                edges |= set(itertools.pairwise(way))
                if dst == server and src == asker and way[-1].level == 1 and number == 0:
                    edges.add((way[-1], Channel(reply, 0, server, 0)))
    return edges


def sets_of(terminals):
    everyone = list(range(terminals))
    return [
        (everyone, everyone),
        (everyone[::2], everyone[1::2]),
        (everyone[:4], everyone[8:12]),
        ([0], [5]),
        ([3], [3]),
    ]


@pytest.mark.parametrize("networks", [1, 2])
def test_every_dependency(networks):
    tree = spin.tree(16)
    for initiators, targets in sets_of(16):
        graph = dependencies.protocol_graph(tree, initiators, targets, networks)
        assert set(graph.edges) == listed_graph(tree, initiators, targets, networks)


@SIZES
def test_two_networks_have_no_cycle_and_one_has(terminals):
    tree = spin.tree(terminals)
    everyone = range(terminals)
    assert dependency_cycle(dependencies.protocol_graph(tree, everyone, everyone, 2)) is None
    graph = dependencies.protocol_graph(tree, everyone, everyone, 1)
    found = dependency_cycle(graph)
    assert all(edge in graph.edges for edge in zip(found, [*found[1:], found[0]], strict=True))
    assert any(channel.level == 0 for channel in found)  # it needs a target's own link


def test_which_terminals_make_a_cycle_on_one_network():
    """Not where initiators and targets share no router; but as soon as each of two has both."""
    tree = spin.tree(16)
    assert dependency_cycle(dependencies.protocol_graph(tree, range(8), range(8, 16), 1)) is None
    assert dependency_cycle(dependencies.protocol_graph(tree, [0, 4], [1, 5], 1)) is not None
    assert dependency_cycle(dependencies.protocol_graph(tree, [0, 4], [1, 5], 2)) is None
    assert dependency_cycle(dependencies.protocol_graph(tree, [0], range(1, 16), 1)) is None


def test_a_model_in_which_targets_never_wait_is_seen(monkeypatch):
    monkeypatch.setattr(dependencies, "_last", lambda *_: Channel(9, 9, 9, 9))
    with pytest.raises(AssertionError):
        test_every_dependency(1)
    with pytest.raises((AssertionError, TypeError)):
        test_two_networks_have_no_cycle_and_one_has(16)


test_bad_arguments = refused(
    (lambda: spin.tree(8), "terminals: is 8; allowed are integers 16, 32, 64"),
    (lambda: spin.choices(spin.tree(16), 3, 0, 0), "level: is 3; allowed are integers 1 … 2"),
    (lambda: spin.crossbar(shared=2), "shared: is 2; allowed are integers 0 … 1"),
)
