"""Counts, the survey's equations, and latency, against graphs and by hand."""

import networkx as nx
import pytest
from hypothesis import given, settings

from fattree_models.xgft import (
    Xgft,
    bisection,
    counts,
    ftree_mn,
    gft,
    hop_count,
    kary,
    zero_load_latency,
)
from tests.models.xgft import survey
from tests.models.xgft.brute_xgft import FAMILIES, graph, small_trees
from tests.models.xgft.labels import switch_label


def cut(net, group, others):
    """Fewest links that part two groups of nodes, by a maximum flow."""
    flow = nx.DiGraph(net)
    nx.set_edge_attributes(flow, 1, "capacity")
    flow.add_edges_from(("from", node) for node in group)  # no capacity: without limit
    flow.add_edges_from((node, "to") for node in others)
    return nx.maximum_flow_value(flow, "from", "to")


def check_counts(tree):
    net, found = graph(tree), counts(tree)
    switches = [node for node in net if node[0] > 0]
    leaves = [(0, leaf) for leaf in range(tree.leaves)]
    assert found.leaves == tree.leaves and found.switches == len(switches)
    assert found.links == net.number_of_edges()
    assert found.ports == sum(net.degree(node) for node in switches)
    lengths = nx.single_source_shortest_path_length(net, (0, 0))
    assert found.diameter == max(lengths[leaf] for leaf in leaves)
    farthest = next(leaf for leaf in leaves if lengths[leaf] == found.diameter)
    paths = len(list(nx.all_shortest_paths(net, (0, 0), farthest)))
    assert found.paths == paths
    check_bisection(tree, net, leaves, found.bisection)


def check_bisection(tree, net, leaves, expected):
    if tree.leaves == 1:
        assert expected == 0
        return
    top = max(level for level, m in enumerate(tree.m, start=1) if m > 1)
    half = tree.m[top - 1] // 2 * tree.subtree_leaves(top - 1)
    assert expected == cut(net, leaves[:half], leaves[half:])


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_counts(tree):
    check_counts(tree)


@settings(max_examples=50, deadline=None)
@given(small_trees(leaves=24, nodes=40))
def test_counts_of_any_tree(tree):
    check_counts(tree)


def test_bisection_of_known_networks():
    """Full bisection: half the leaves; and a neck below the top, which the top does not show."""
    assert bisection(kary(4, 3)) == 32 and bisection(ftree_mn(8, 3)) == 64
    assert bisection(Xgft((4, 4, 4), (1, 4, 2))) == 16
    assert bisection(Xgft((4, 4, 4), (1, 1, 8))) == 8


@pytest.mark.parametrize(("k", "d"), [(2, 3), (4, 2), (4, 3), (3, 2), (8, 2)])
def test_equations_3_to_6(k, d):
    tree = kary(k, d)
    net = graph(tree)
    assert survey.kary_nodes(k, d) == tree.leaves
    assert survey.kary_switches(k, d) == tree.switches
    assert survey.kary_height(d) == tree.height + 1 == len({level for level, _ in net})
    assert survey.kary_bandwidth(k, d, 2.5) == 2 * 2.5 * net.number_of_edges()
    between = [edge for edge in net.edges if min(edge)[0] > 0]
    assert survey.kary_links(k, d) == len(between)


@pytest.mark.parametrize(("k", "d"), [(2, 3), (4, 2), (4, 3), (3, 2), (8, 2)])
def test_equations_1_and_2(k, d):
    """Against the mesh itself: Eq. (2) is the nodes' links and nothing else."""
    mesh = nx.grid_graph([k] * d)
    assert survey.mesh_switches(k, d) == mesh.number_of_nodes()
    assert survey.mesh_links(k, d) == mesh.number_of_edges()
    assert survey.mesh_bandwidth(k, d, 2.5) == 2 * 2.5 * mesh.number_of_nodes()
    tree = graph(kary(k, d))
    between = sum(min(edge)[0] > 0 for edge in tree.edges)
    assert survey.mesh_ratio(k, d) == pytest.approx(between / mesh.number_of_edges())
    assert survey.mesh_ratio(k, d) == pytest.approx((d - 1) * k / (d * (k - 1)))


@pytest.mark.parametrize(("k", "d"), [(2, 2), (4, 2), (2, 3), (4, 3), (8, 2)])
def test_bisections_of_mesh_and_tree(k, d):
    mesh = nx.grid_graph([k] * d)
    half = [node for node in mesh if node[0] < k // 2]
    assert survey.mesh_bisection(k, d) == cut(mesh, half, set(mesh) - set(half))
    assert bisection(kary(k, d)) == k**d // 2


def test_the_survey_s_d_times_is_of_unlike_things():
    """Eq. (5) over Eq. (2) is d; like with like, an 8 x 8 mesh has more than the tree."""
    assert survey.kary_bandwidth(8, 2, 1) / survey.mesh_bandwidth(8, 2, 1) == 2
    assert round(survey.mesh_ratio(8, 2), 2) == 0.57


@pytest.mark.parametrize(("m", "n"), [(4, 1), (4, 3), (6, 2), (8, 3), (2, 4)])
def test_equation_7(m, n):
    tree = ftree_mn(m, n)
    assert survey.ftree_nodes(m, n) == tree.leaves
    assert survey.ftree_switches(m, n) == tree.switches
    total = 0
    for level in range(n):
        labels = survey.ftree_switch_labels(m, n, level)
        total += len(labels)
        numbers = range(tree.level_size(n - level))
        expected = switch_label(m, n, n - level, list(numbers)).tolist()
        assert sorted(labels) == sorted(map(tuple, expected))
    assert total == tree.switches


def test_figures_of_the_survey():
    """Fig. 2: 8 nodes, 12 switches; Fig. 6: 1, 4 + 2 and 12 + 6 + 4; Fig. 7: 16 and 20."""
    assert (survey.kary_nodes(2, 3), survey.kary_switches(2, 3)) == (8, 12)
    assert [Xgft((4,), (1,)).switches, Xgft((4, 4), (1, 2)).switches] == [1, 6]
    assert Xgft((4, 4, 3), (1, 2, 2)).switches == 22
    assert (survey.ftree_nodes(4, 3), survey.ftree_switches(4, 3)) == (16, 20)
    assert survey.gft_nodes(3, 4) == gft(3, 4, 2).leaves == 64


@pytest.mark.parametrize(
    ("hops", "flits", "stages", "clocks"),
    [
        (1, 1, 1, 3),  # interface, switch, link
        (1, 1, 3, 5),
        (1, 4, 1, 6),  # three flits more, three clocks more
        (5, 1, 1, 11),
        (5, 16, 3, 36),
    ],
)
def test_zero_load_latency(hops, flits, stages, clocks):
    assert zero_load_latency(hops, flits, stages) == clocks


def test_zero_load_latency_of_routes():
    tree = kary(4, 3)
    found = zero_load_latency(hop_count(tree, 0, [1, 5, 63]), [[1], [16]], 1)
    assert found.tolist() == [[3, 7, 11], [18, 22, 26]]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: zero_load_latency(0, 1, 1), "hops: holds 0"),
        (lambda: zero_load_latency(1, 0, 1), "flits: holds 0"),
        (lambda: zero_load_latency(1, 1, 1.5), "stages: has dtype float64; allowed are integers"),
        (lambda: survey.ftree_nodes(5, 2), "m: is 5; allowed are even numbers"),
        (lambda: survey.ftree_switch_labels(4, 3, 3), "level: is 3; allowed are integers 0 … 2"),
        (lambda: survey.mesh_ratio(1, 2), "k: is 1; allowed are integers from 2"),
        (lambda: survey.mesh_bisection(3, 2), "k: is 3; allowed are even numbers"),
        (lambda: survey.kary_switches(2, 0), "d: is 0; allowed are integers from 1"),
    ],
)
def test_bad_arguments(call, text):
    with pytest.raises(ValueError, match=text):
        call()
