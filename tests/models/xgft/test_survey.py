"""The survey's equations against graphs; the numbers are kept for the claims."""

import networkx as nx
import pytest

from fattree_models.xgft import Xgft, bisection, ftree_mn, gft, kary
from tests.models.refused import refused
from tests.models.xgft import survey
from tests.models.xgft.brute_xgft import FAMILIES, graph, recursive_edges
from tests.models.xgft.labels import switch_label
from tests.models.xgft.test_counts import cut
from tests.models.xgft.test_topology import link_set

SIZES = [(2, 3), (4, 2), (4, 3), (3, 2), (8, 2)]


def between(tree):
    """Links between switches."""
    return sum(min(edge)[0] > 0 for edge in graph(tree).edges)


@pytest.mark.parametrize(("k", "d"), SIZES)
def test_counts_of_trees(k, d, record):
    """Eq. (3), (4), (6)."""
    net = graph(kary(k, d))
    nodes = sum(level == 0 for level, _ in net)
    record(kary_nodes=k**d, kary_nodes_counted=nodes)
    record(kary_switches=d * k ** (d - 1), kary_switches_counted=len(net) - nodes)
    record(kary_levels=d + 1, kary_levels_counted=len({level for level, _ in net}))
    assert survey.kary_nodes(k, d) == nodes
    assert survey.kary_switches(k, d) == len(net) - nodes
    assert survey.kary_height(d) == len({level for level, _ in net})
    assert survey.kary_links(k, d) == between(kary(k, d))


@pytest.mark.parametrize(("k", "d"), SIZES)
def test_bandwidth_of_mesh_and_tree(k, d, record):
    """Eq. (1), (2), (5); Eq. (2) is the nodes' links and nothing else."""
    mesh, tree = nx.grid_graph([k] * d), graph(kary(k, d))
    switches, links = mesh.number_of_nodes(), mesh.number_of_edges()
    record(mesh_switches=k**d, mesh_switches_counted=switches)
    record(mesh_bandwidth=2 * k**d, mesh_node_links=2 * switches)
    record(mesh_bandwidth_counted=2 * (switches + links))
    record(tree_bandwidth=2 * k**d * d, tree_bandwidth_counted=2 * tree.number_of_edges())
    record(dimensions=d, mesh_links=links, tree_links=between(kary(k, d)))
    assert survey.mesh_switches(k, d) == switches and survey.mesh_links(k, d) == links
    assert survey.mesh_bandwidth(k, d, 2.5) == 2 * 2.5 * switches
    assert survey.kary_bandwidth(k, d, 2.5) == 2 * 2.5 * tree.number_of_edges()
    assert survey.mesh_ratio(k, d) == pytest.approx(between(kary(k, d)) / links)
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


@pytest.mark.parametrize(("k", "d"), [(2, 2), (2, 4), *SIZES])
def test_switches_on_the_way(k, d, record):
    """Mean over pairs of different nodes; a mesh is shorter where it is a hypercube."""
    mesh = 1 + nx.average_shortest_path_length(nx.grid_graph([k] * d))
    net, leaves = graph(kary(k, d)), k**d
    from_one = nx.single_source_shortest_path_length(net, (0, 0))  # all leaves are alike
    tree = sum(from_one[0, leaf] - 1 for leaf in range(1, leaves)) / (leaves - 1)
    record(side=k, mesh_way=mesh, tree_way=tree)
    # A node hangs on each of a mesh's switches, and on those of a tree are the leaves that it has.
    alone = nx.grid_graph([k] * d)
    ports = [links + 1 for _, links in alone.degree]
    record(mesh_wires=alone.number_of_edges() + len(alone), tree_wires=net.number_of_edges())
    record(mesh_cost=sum(x**2 for x in ports))
    record(tree_cost=sum(links**2 for (level, _), links in net.degree if level))
    assert (tree < mesh - 1e-9) == (k > 2)


def fly(k, n):
    """A k-ary n-fly: between stages i and i + 1 digits 0 and i + 1 of a position are exchanged."""
    net = nx.Graph()
    for stage in range(n):
        for one in range(k**n):
            net.add_node((stage, one // k), level=stage)
            if stage + 1 < n:
                digit = one // k ** (stage + 1) % k
                other = one + (digit - one % k) + (one % k - digit) * k ** (stage + 1)
                net.add_edge((stage, one // k), (stage + 1, other // k))
    return net


@pytest.mark.parametrize(("k", "n"), [(2, 2), (2, 3), (2, 4), (3, 2), (4, 2)])
def test_a_tree_is_a_folded_fly(k, n, record):
    tree = graph(kary(k, n))
    tree.remove_nodes_from([node for node in list(tree) if node[0] == 0])
    nx.set_node_attributes(tree, {node: node[0] - 1 for node in tree}, "level")
    same = nx.is_isomorphic(fly(k, n), tree, node_match=lambda a, b: a["level"] == b["level"])
    record(fly_switches=len(fly(k, n)), fly_tree_switches=len(tree), fly_is_the_tree=int(same))
    assert same
    wrong = nx.relabel_nodes(fly(k, n), {(0, 0): (0, -1)})
    wrong.remove_edges_from(list(wrong.edges((0, -1)))[:1])
    assert not nx.is_isomorphic(wrong, tree)


@pytest.mark.parametrize(("m", "n"), [(4, 1), (4, 3), (6, 2), (8, 3), (2, 4), (4, 4), (6, 3)])
def test_counts_and_labels_of_m_port_trees(m, n, record):
    """Section 2.3; Eq. (7) as printed has two digits at most, and one at the root."""
    tree, half = ftree_mn(m, n), m // 2
    net = graph(tree)
    nodes = sum(level == 0 for level, _ in net)
    record(ftree_nodes=2 * half**n, ftree_nodes_counted=nodes)
    record(ftree_switches=(2 * n - 1) * half ** (n - 1), ftree_switches_counted=len(net) - nodes)
    record(ftree_levels=n + 1, ftree_levels_counted=len({level for level, _ in net}))
    assert survey.ftree_nodes(m, n) == nodes
    assert survey.ftree_switches(m, n) == len(net) - nodes
    total = 0
    for level in range(n):
        labels = survey.ftree_switch_labels(m, n, level)
        total += len(labels)
        numbers = range(tree.level_size(n - level))
        expected = switch_label(m, n, n - level, list(numbers)).tolist()
        assert sorted(labels) == sorted(map(tuple, expected))
    assert total == tree.switches
    record(labels_printed=half + (n - 1) * m * half, labels_corrected=total)
    record(labelled_switches=len(net) - nodes)


@pytest.mark.parametrize(("h", "m", "w"), [(1, 4, 2), (2, 4, 2), (3, 4, 2), (2, 3, 1), (3, 2, 3)])
def test_leaves_of_gft(h, m, w, record):
    net = graph(gft(h, m, w))
    leaves = sum(level == 0 for level, _ in net)
    record(gft_leaves_printed=m, gft_leaves_corrected=m**h, gft_leaves_counted=leaves)
    assert survey.gft_nodes(h, m) == leaves


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_recursive_construction(tree, record):
    """Copies of the next smaller tree under new tops: the same links as by digits."""
    recursive, digits = recursive_edges(tree), link_set(tree)
    record(links_by_digits=len(digits), links_recursive=len(recursive))
    record(links_in_both=len(digits & recursive))
    assert recursive == digits


def test_figures_of_the_survey():
    """Fig. 2: 8 nodes, 12 switches; Fig. 6: 1, 4 + 2 and 12 + 6 + 4; Fig. 7: 16 and 20."""
    assert (survey.kary_nodes(2, 3), survey.kary_switches(2, 3)) == (8, 12)
    assert [Xgft((4,), (1,)).switches, Xgft((4, 4), (1, 2)).switches] == [1, 6]
    assert Xgft((4, 4, 3), (1, 2, 2)).switches == 22
    assert (survey.ftree_nodes(4, 3), survey.ftree_switches(4, 3)) == (16, 20)
    assert survey.gft_nodes(3, 4) == gft(3, 4, 2).leaves == 64


test_bad_arguments = refused(
    (lambda: survey.ftree_nodes(5, 2), "m: is 5; allowed are even numbers"),
    (lambda: survey.ftree_switch_labels(4, 3, 3), "level: is 3; allowed are integers 0 … 2"),
    (lambda: survey.mesh_ratio(1, 2), "k: is 1; allowed are integers from 2"),
    (lambda: survey.mesh_bisection(3, 2), "k: is 3; allowed are even numbers"),
    (lambda: survey.kary_switches(2, 0), "d: is 0; allowed are integers from 1"),
)
