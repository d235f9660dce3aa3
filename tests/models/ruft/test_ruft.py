"""RUFT against scalar loops over digits, closed forms, and the k-ary n-tree it comes from."""

import itertools
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.ruft import routing as ruft
from fattree_models.ruft import tree as ruft_tree
from fattree_models.ruft.routing import Ruft
from fattree_models.ruft.tree import Parts
from fattree_models.xgft import hop_count as tree_hops
from fattree_models.xgft import kary, zero_load_latency
from tests.models.refused import refused
from tests.models.ruft.collapse import differences

SHAPES = [(2, 1), (2, 2), (2, 3), (2, 5), (3, 1), (3, 3), (4, 2), (4, 3), (5, 2), (1, 3)]
NETS = pytest.mark.parametrize("net", [Ruft(k, n) for k, n in SHAPES], ids=str)
nets = st.sampled_from([Ruft(k, n) for k, n in [*SHAPES, (2, 6), (3, 4), (8, 2)]])


def digits(number, k, count):
    """Digits of base k, least significant first, as text of a slow kind."""
    found = []
    for _ in range(count):
        number, digit = divmod(number, k)
        found.append(digit)
    return found


def links(net):
    """Every link as {(stage, position, output): what it leads to}, from the definition.

    Positions are tuples (a_1 ... a_{n-1}); leaves are tuples of n digits.
    """
    k, n = net.k, net.n
    found = {}
    for stage, position in itertools.product(range(n), itertools.product(range(k), repeat=n - 1)):
        for u in range(k):
            if stage == n - 1:
                found[stage, position, u] = (*position, u)
            else:
                after = list(position)
                old, after[stage] = after[stage], u
                found[stage, position, u] = (stage + 1, tuple(after), old)
    return found


def every_route(net):
    """For every pair: [(stage, switch, input, output), ...] by the definition, one by one."""
    k, n, wires = net.k, net.n, links(net)
    for s, d in itertools.product(range(net.leaves), repeat=2):
        source, target = digits(s, k, n), digits(d, k, n)
        at, passed = (0, tuple(source[1:]), source[0]), []
        for output in target:
            stage, position, entry = at
            flat = sum(a * k**i for i, a in enumerate(position))
            passed.append((stage, flat, entry, output))
            at = wires[stage, position, output]
        assert list(at) == target
        yield s, d, passed


def every_pair(net):
    return np.divmod(np.arange(net.leaves**2), net.leaves)


@NETS
def test_wiring_and_routes_one_by_one(net):
    src, dst = every_pair(net)
    ports = ruft.routes(net, dst)
    way = ruft.walk(net, src, ports)
    assert (way.end == dst).all() and ports.dtype == np.int16
    loads = np.zeros((net.n, net.width, net.k), dtype=int)
    served = np.zeros((net.n, net.width, net.k, net.leaves), dtype=bool)
    for row, (s, d, passed) in enumerate(every_route(net)):
        assert (s, d) == (src[row], dst[row])
        assert passed == [
            (stage, *hop)
            for stage, hop in enumerate(
                zip(
                    way.switch[row].tolist(),
                    way.entry[row].tolist(),
                    ports[row].tolist(),
                    strict=True,
                )
            )
        ]
        for stage, switch, _, output in passed:
            loads[stage, switch, output] += s != d
            served[stage, switch, output, d] = True
    assert (ruft.all_pairs_loads(net) == loads).all()
    assert (ruft.reach(net) == served).all()
    others = src != dst
    assert (ruft.link_loads(net, src[others], dst[others]) == loads).all()


@NETS
def test_every_input_and_every_leaf_is_fed_once(net):
    switch, output = np.divmod(np.arange(net.leaves), net.k)
    assert sorted(net.leave(switch, output)) == list(range(net.leaves))
    feeds = [net.enter(np.arange(net.leaves))]
    feeds += [net.onward(stage, switch, output) for stage in range(net.n - 1)]
    for at, entry in feeds:
        assert sorted(at * net.k + entry) == list(range(net.leaves))


@NETS
def test_one_path_a_pair_whatever_the_routing(net):
    """A banyan: n switches from any leaf to any leaf, by one way only; no cycle of links."""
    paths = np.zeros((net.leaves, net.width), dtype=int)
    paths[np.arange(net.leaves), net.enter(np.arange(net.leaves))[0]] = 1
    every = np.arange(net.width)
    for stage in range(net.n - 1):
        following = np.zeros_like(paths)
        for u in range(net.k):
            np.add.at(following.T, net.onward(stage, every, u)[0], paths.T)
        paths = following
    ends = np.zeros((net.leaves, net.leaves), dtype=int)
    for u in range(net.k):
        ends[:, net.leave(every, u)] += paths
    assert (ends == 1).all()


def test_no_channel_waits_in_a_circle():
    net = Ruft(3, 3)
    graph = nx.DiGraph()
    for _, _, passed in every_route(net):
        channels = [(stage, switch, output) for stage, switch, _, output in passed]
        graph.add_edges_from(itertools.pairwise(channels))
    assert nx.is_directed_acyclic_graph(graph)


@NETS
def test_closed_forms(net):
    k, n = net.k, net.n
    assert (ruft.all_pairs_loads(net) == k**n - 1).all()
    for stage, served in enumerate(ruft.destinations(net)):
        assert (served == k ** (n - 1 - stage)).all()
    assert ruft_tree.counts(net) == Parts(n * k ** (n - 1), (n - 1) * k**n + 2 * k**n, 2 * n * k**n)
    links, ports = tree_counts(net)
    assert links == 2 * (n - 1) * k**n + 2 * k**n
    assert ports == 4 * (n - 1) * k**n + 2 * k**n


def tree_counts(net):
    """One-way links and ports of the k-ary n-tree; there are no ports above the top."""
    tree = kary(net.k, net.n)
    assert tree.switches == net.switches
    ports = sum(2 * tree.radix(level) * tree.level_size(level) for level in range(1, net.n + 1))
    return 2 * tree.links, ports


def test_links_and_ports_are_halved_as_the_tree_grows():
    shares = []
    for n in (1, 2, 3, 6, 18):
        here, (links, ports) = ruft_tree.counts(Ruft(2, n)), tree_counts(Ruft(2, n))
        shares.append((Fraction(here.links, links), Fraction(here.ports, ports)))
        assert shares[-1] == (Fraction(n + 1, 2 * n), Fraction(n, 2 * n - 1))
    assert shares == sorted(shares, reverse=True) and shares[0] == (1, 1)


@NETS
def test_is_the_tree_with_its_way_down_collapsed(net, record):
    found = differences(net)
    record(collapsed_pairs=net.leaves**2, collapsed_differences=found.total())
    assert not found


right_routes, right_onward = ruft.routes, Ruft.onward


def swapped_route(net, dst):
    return right_routes(net, dst)[:, ::-1].copy()


def unshuffled(self, stage, switch, output):
    return right_onward(self, self.n - 2 - stage, switch, output)


@pytest.mark.parametrize(
    ("where", "name", "wrong", "seen"),
    [
        (ruft, "routes", swapped_route, ("ports", "switches", "tops")),
        (Ruft, "onward", unshuffled, ("switches", "tops")),
    ],
    ids=["digits in the wrong order", "stages wired in the wrong order"],
)
def test_another_network_than_the_tree_is_seen(monkeypatch, where, name, wrong, seen):
    monkeypatch.setattr(where, name, wrong)
    assert set(seen) <= differences(Ruft(2, 3)).keys()


def test_a_load_unlike_the_tree_s_is_seen(monkeypatch):
    """All destinations' last digit is 0: as many packets, on half of the long links."""
    monkeypatch.setattr(
        ruft, "routes", lambda net, dst: right_routes(net, dst) * np.array([1, 1, 0], np.int16)
    )
    found = differences(Ruft(2, 3))
    assert (found["loads"], found["down"], found["ports"]) == (8, 16, 32)


@settings(max_examples=60)
@given(nets, st.integers(0, 2**32 - 1), st.booleans())
def test_hop_lists_of_any_kind(net, seed, padded):
    """A list leads to a leaf only if it is the route there, and only then it is legal."""
    rng = np.random.default_rng(seed)
    src, dst = rng.integers(0, net.leaves, (2, 40))
    ports = ruft.routes(net, dst).astype(int)
    if padded:
        ports = np.pad(ports, ((0, 0), (0, 2)), constant_values=-1)
    assert ruft.legal(net, src, dst, ports).all()
    row, hop = np.arange(40), rng.integers(0, ports.shape[1], 40)
    ports[row, hop] = rng.integers(-1, net.k + 1, 40)
    same = (ports[:, : net.n] == ruft.routes(net, dst)).all(axis=1)
    same &= (ports[:, net.n :] == -1).all(axis=1)
    assert (ruft.legal(net, src, dst, ports) == same).all()
    end = ruft.walk(net, src, ports).end
    whole = ((ports[:, : net.n] >= 0) & (ports[:, : net.n] < net.k)).all(axis=1)
    assert (end[~whole] == -1).all()
    assert (ruft.walk(net, src, ports[:, : net.n - 1]).end == -1).all()


@settings(max_examples=40)
@given(nets, st.integers(0, 2**32 - 1))
def test_shifts_and_weights(net, seed):
    """A cyclic shift loads every link alike, as on the tree; a weight is so many packets."""
    rng = np.random.default_rng(seed)
    src = np.arange(net.leaves)
    assert (ruft.link_loads(net, src, (src + rng.integers(net.leaves)) % net.leaves) == 1).all()
    src, dst = rng.integers(0, net.leaves, (2, 20))
    weight = rng.integers(1, 5, 20)
    twice = ruft.link_loads(net, np.repeat(src, weight), np.repeat(dst, weight))
    once = ruft.link_loads(net, src, dst, weight)
    assert (once == twice).all() and once.dtype == np.int64
    assert (2 * ruft.link_loads(net, src, dst, weight / 2) == once).all()
    assert (once.sum(axis=(1, 2)) == weight.sum()).all()


def test_latency():
    net = Ruft(4, 3)
    assert (
        ruft_tree.zero_load_latency(net, 4, [1, 2, 3], 0) == zero_load_latency(3, 4, [1, 2, 3])
    ).all()
    assert ruft_tree.zero_load_latency(net, 4, 3, 5) == zero_load_latency(3, 4, 3) + 5


@pytest.mark.parametrize("stages", [1, 2, 3])
@NETS
def test_hops_saved_and_where_the_long_link_has_eaten_them(net, stages):
    if net.k == 1:
        with pytest.raises(ValueError, match="k: is 1"):
            ruft_tree.hops_saved(net)
        return
    src, dst = every_pair(net)
    src, dst = src[src != dst], dst[src != dst]
    tree = tree_hops(kary(net.k, net.n), src, dst)
    assert ruft_tree.hops_saved(net) == Fraction(int(tree.sum()), tree.size) - net.n
    mean = Fraction(int(zero_load_latency(tree, 4, stages).sum()), tree.size)
    assert (
        int(ruft_tree.zero_load_latency(net, 4, stages, 0)) + ruft_tree.crossing(net, stages)
        == mean
    )


def test_a_larger_network():
    net = Ruft(4, 4)
    assert (ruft.all_pairs_loads(net) == 255).all()
    assert not differences(net)


test_bad_arguments = refused(
    (lambda: Ruft(0, 3), "k: is 0; allowed are integers from 1"),
    (lambda: Ruft(2, 21), "n: is 21; allowed are integers 1 … 20"),
    (lambda: Ruft(2, 3).enter([8]), "leaf: holds 8; allowed are 0 … 7"),
    (lambda: Ruft(2, 3).onward(2, 0, 0), "stage: is 2; allowed are integers 0 … 1"),
    (lambda: Ruft(2, 3).onward(0, 0, 2), "output: holds 2; allowed are 0 … 1"),
    (lambda: Ruft(2, 3).leave(4, 0), "switch: holds 4; allowed are 0 … 3"),
    (lambda: ruft.routes(Ruft(2, 3), [-1]), "dst: holds -1"),
    (lambda: ruft.walk(Ruft(2, 3), [0], [0, 0, 0]), "ports: have shape"),
    (lambda: ruft.route_loads(Ruft(2, 3), [3], [[0, 0]]), "ports: a route from leaf 3 ends at no"),
    (lambda: ruft_tree.zero_load_latency(Ruft(2, 3), 1, 1, -1), "long: holds -1"),
    (lambda: ruft_tree.crossing(Ruft(2, 3), 0), "stages: is 0; allowed are integers from 1"),
)
