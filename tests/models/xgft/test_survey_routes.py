"""What survey and slides say of routes and links, on whole trees; the numbers are for claims."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from fattree_models.leiserson import universal
from fattree_models.xgft import (
    Xgft,
    all_pairs_loads,
    benes,
    bisection,
    ftree_mn,
    kary,
    link_loads,
    path_count,
    routes,
    walk,
)
from tests.models.xgft.brute_xgft import RandomUp, every_pair, graph

TREES = [kary(4, 3), kary(8, 2), benes(8, 3), kary(4, 4)]
OTHERS = [kary(2, 2), kary(3, 3), ftree_mn(4, 3), Xgft((3, 2, 10), (1, 3, 2))]
SMALL = [(2, 3), (3, 3), (4, 2), (4, 3)]
DRAWS = 400


def upward(tree):
    """The graph with its links pointing away from the leaves."""
    return nx.DiGraph((min(edge), max(edge)) for edge in graph(tree).edges)


@pytest.mark.parametrize("tree", [*TREES, *OTHERS], ids=str)
def test_pairs_with_a_choice(tree, record):
    src, dst = every_pair(tree, self_pairs=False)
    alone = path_count(Xgft(tree.m, (1,) * tree.height), src, dst)
    many = int((path_count(tree, src, dst) > 1).sum())
    apart = int((src // tree.m[0] != dst // tree.m[0]).sum())
    record(pairs=len(src), pairs_apart=apart, pairs_with_a_choice=many)
    record(pairs_of_one_root=int((alone > 1).sum()))
    assert many == apart


@pytest.mark.parametrize("tree", [kary(4, 3), kary(2, 4)], ids=str)
def test_shortest_ways_leave_links_idle(tree, record):
    """Traffic among neighbours uses none of the links between switches, and all of them if it
    climbs to the top; all pairs load the links of the levels alike only if they climb."""
    leaf = np.arange(tree.leaves)
    goal = leaf - leaf % tree.m[0] + (leaf + 1) % tree.m[0]
    used, most, least = {}, {}, {}
    for climb in ("NCA", "TOP"):
        near = link_loads(tree, leaf, goal, "DMODK", climb=climb)
        used[climb] = sum(int(np.count_nonzero(up)) for up in near.up[1:])
        every = [up for up in all_pairs_loads(tree, "DMODK", climb).up[1:] if up.size]
        most[climb] = max(int(up.max()) for up in every)
        least[climb] = min(int(up.min()) for up in every)
    record(links=sum(up.size for up in near.up[1:]), used_nearest=used["NCA"], used_top=used["TOP"])
    record(most_nearest=most["NCA"], least_nearest=least["NCA"])
    record(most_top=most["TOP"], least_top=least["TOP"])
    assert used["NCA"] == 0 and most["TOP"] == least["TOP"]


@pytest.mark.parametrize("tree", [kary(4, 3), kary(2, 5)], ids=str)
def test_valiant_is_even_in_the_mean_only(tree, record):
    """The complement: every link has a packet in the mean of many draws, some have more in each."""
    leaf = np.arange(tree.leaves)
    rule, total, busiest = RandomUp(tree, np.random.default_rng(1)), 0, []
    for _ in range(DRAWS):
        loads = link_loads(tree, leaf, leaf[::-1], rule)
        links = np.concatenate([array.ravel() for array in (*loads.up[1:], *loads.down[2:])])
        total = total + links
        busiest.append(int(links.max()))
    mean = total / DRAWS
    record(draws=DRAWS, mean_least=float(mean.min()), mean_most=float(mean.max()))
    record(busiest_least=min(busiest), busiest_most=max(busiest))
    assert 0.7 < mean.min() <= 1 <= mean.max() < 1.3 and min(busiest) > 1


@pytest.mark.parametrize(("k", "n"), SMALL)
def test_digits_of_the_destination_choose(k, n, record):
    """D-mod-k, all pairs: which parents, which of two destinations in a row, which top."""
    tree = kary(k, n)
    src, dst = every_pair(tree, self_pairs=False)
    ports = routes(tree, src, dst, "DMODK")
    way = walk(tree, src, ports)
    up = (ports >= k) & (way.level >= 1)
    row, hop = np.nonzero(up)
    digit = dst[row] // k ** (way.level[row, hop] - 1) % k
    same = int((ports[row, hop] - k == digit).sum())
    first = np.where(up[:, 0], ports[:, 0], -1).reshape(tree.leaves, -1)
    goal = dst.reshape(tree.leaves, -1)
    both = (first[:, 1:] >= 0) & (first[:, :-1] >= 0) & (np.diff(goal) == 1)
    apart = int((both & (np.diff(first) != 0)).sum())
    at_top = way.level == n
    ends = zip(dst[np.nonzero(at_top)[0]], way.node[at_top], strict=True)
    tops = {(int(d), int(s)) for d, s in ends}
    record(choices=len(row), choices_by_digit=same)
    record(neighbours=int(both.sum()), neighbours_apart=apart)
    record(tops=len(tops), destinations=tree.leaves)
    assert same == len(row) and apart == both.sum() and len(tops) == tree.leaves


@pytest.mark.parametrize(("k", "n"), SMALL)
def test_who_meets_on_the_way_down(k, n, record):
    """D-mod-k, all pairs: links that lead to a port down, at the top and below it."""
    tree = kary(k, n)
    src, dst = every_pair(tree, self_pairs=False)
    most = {}
    for climb in ("NCA", "TOP"):
        ports = routes(tree, src, dst, "DMODK", climb)
        way = walk(tree, src, ports)
        row, hop = np.nonzero((ports >= 0) & (ports < k))
        level, node, port = (a[row, hop] for a in (way.level, way.node, ports))
        before = np.where(hop > 0, way.level[row, hop - 1] * tree.leaves, 0)
        before += np.where(hop > 0, way.node[row, hop - 1], src[row])
        found = {}
        for *place, origin in zip(level, node, port, before, strict=True):
            found.setdefault(tuple(place), set()).add(int(origin))
        for top in (False, True):
            sizes = [len(origins) for (lev, *_), origins in found.items() if (lev == n) == top]
            most[climb, top] = max(sizes)
    record(inputs_top=most["TOP", True], inputs_below_top=most["TOP", False])
    record(inputs_below_nearest=most["NCA", False])
    assert most["TOP", False] == 1 < most["TOP", True] and most["NCA", False] > 1


@pytest.mark.parametrize(("ports", "levels"), [(4, 2), (4, 3), (6, 2), (6, 3), (8, 2)])
def test_spines(ports, levels, record):
    """Ways up to the spine, and leaves that each of its switches reaches, by the graph."""
    tree = benes(ports, levels)
    up = upward(tree)
    spine = [node for node in up if node[0] == levels]
    ways = {(0, 0): 1}
    for node in nx.topological_sort(up):
        for above in up[node]:
            ways[above] = ways.get(above, 0) + ways.get(node, 0)
    below = [sum(level == 0 for level, _ in nx.ancestors(up, node)) for node in spine]
    record(paths_printed=(ports // 2) ** (levels - 1), paths=sum(ways.get(n, 0) for n in spine))
    record(spines=len(spine), spines_that_reach_all=sum(n == tree.leaves for n in below))
    assert [ways[node] for node in spine] == [1] * len(spine)
    assert below == [tree.leaves] * len(spine)


@pytest.mark.parametrize(("ports", "levels"), [(4, 2), (4, 3), (6, 2), (6, 3), (8, 2)])
def test_bisection_is_constant(ports, levels, record):
    tree = benes(ports, levels)
    links = [sum(min(edge)[0] == level for edge in graph(tree).edges) for level in range(levels)]
    halved = bisection(Xgft(tree.m, (1,) * levels))
    record(nodes=tree.leaves, level_least=min(links), level_most=max(links))
    record(bisection=bisection(tree), bisection_of_one_root=halved, root_ports=tree.m[-1])
    assert set(links) == {tree.leaves} and bisection(tree) == tree.leaves // 2
    assert halved == tree.m[-1] // 2


@pytest.mark.parametrize("lg", [3, 6, 10, 16])
def test_capacity_of_one_root(lg, record):
    """Full bisection: wires of a switch of the single tree, by level; ports of a 2-ary n-tree."""
    cap = universal(1 << lg, 1 << lg).tolist()  # of the channel above each level, root first
    wires = [above + 2 * below for above, below in pairwise(cap)]
    growth = [high / low for high, low in pairwise(wires)]
    tree = kary(2, lg)
    record(growth_least=min(growth), growth_most=max(growth), wires_of_root=wires[0])
    record(fixed_ports=max(tree.radix(level) for level in range(1, lg + 1)), lg=lg)
    assert set(growth) == {2.0}


@pytest.mark.parametrize(("k", "n"), SMALL)
def test_links_up_are_no_faster(k, n, record):
    """Capacity of the links between levels: with links alike, and each k times those below it."""
    levels = [sum(min(edge)[0] == level for edge in graph(kary(k, n)).edges) for level in range(n)]
    faster = [links * k**level for level, links in enumerate(levels)]
    record(alike_least=min(levels), alike_most=max(levels))
    record(faster_least=min(faster), faster_most=max(faster))
    assert len(set(levels)) == 1 < len(set(faster))
