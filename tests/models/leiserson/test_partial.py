"""Stages and graphs of partial concentrators: the frozen table, written out."""

import itertools

import networkx
import numpy as np
import pytest

from fattree_models.leiserson import partial
from tests.models.refused import refused

LARGEST = max(partial.table_rows())
TABLE_STAGES = [
    (r, s) for r in sorted(partial.table_rows()) for s in range(partial.first_outputs(r), r)
]
COMPLETE_STAGES = [(r, s) for r in range(2, 10) for s in range(1, min(r, 7))]


@pytest.mark.parametrize(
    ("port", "plan"),
    [
        ((2, 1), [(2, 1)]),
        ((9, 1), [(9, 1)]),
        ((9, 6), [(9, 6)]),
        ((9, 7), [(9, 7)]),
        ((10, 1), [(10, 7), (7, 1)]),
        ((14, 8), [(14, 10), (10, 8)]),
        ((27, 12), [(27, 18), (18, 12)]),
        ((96, 32), [(96, 64), (64, 43), (43, 32)]),
        ((12, 12), []),
        ((6, 9), []),
    ],
)
def test_stages(port, plan):
    assert partial.stages(*port) == tuple(plan)


def test_cascades_need_only_stages_that_exist():
    needed = set()
    for r, s in itertools.product(range(1, LARGEST + 1), repeat=2):
        plan = partial.stages(r, s)
        assert [r, *(out for _, out in plan)] == [*(into for into, _ in plan), min(s, r)]
        needed.update(plan)
    assert needed == set(TABLE_STAGES) | set(COMPLETE_STAGES)


def test_the_table_reaches_the_ports_of_64_processors():
    assert sorted(partial.table_rows()) == list(range(8, 97))


@pytest.mark.parametrize("r", sorted(partial.table_rows()))
def test_degrees(r):
    row = partial.table_rows()[r]
    for s in range(partial.first_outputs(r), r):
        graph = partial.adjacency(r, s)
        assert graph.dtype == np.int32
        assert graph.shape == (r, 6)
        assert not graph.flags.writeable
        stubs = np.bincount(graph.ravel(), minlength=s)
        assert stubs.size == s
        assert set(stubs.tolist()) <= {6 * r // s, -(-6 * r // s)}
        assert stubs.max() <= 9
        for i, e in ((0, 0), (r - 1, 5), (r // 2, 3)):
            place = e * r + (row.multipliers[e] * i + row.shifts[e]) % r
            assert graph[i, e] == place % s


@pytest.mark.parametrize(("r", "s"), COMPLETE_STAGES)
def test_complete_graphs(r, s):
    graph = partial.adjacency(r, s)
    assert graph.tolist() == [[(i + e) % s for e in range(s)] for i in range(r)]
    assert partial.guarantee(r, s) == s


@pytest.mark.parametrize("r", range(9, LARGEST + 1, 3))
def test_the_paper_s_concentrators(r):
    s = 2 * r // 3
    assert partial.guarantee(r, s) >= r // 2


def test_every_guarantee_is_at_least_three_quarters():
    for r, s in TABLE_STAGES + COMPLETE_STAGES:
        assert 3 * s // 4 <= partial.guarantee(r, s) <= s


test_errors = refused(
    (lambda: partial.stages(0, 1), r"r: is 0; allowed are integers from 1"),
    (lambda: partial.adjacency(12, 7), r"stage: is \(12, 7\); allowed are ceil\(2r/3\) <= s"),
    (lambda: partial.adjacency(6, 6), r"stage: is \(6, 6\); allowed are"),
    (lambda: partial.guarantee(97, 65), r"stage: is \(97, 65\); allowed are at most 96 inp"),
    (lambda: partial.parse_table("8 1 1:0"), "table: has 2 numbers and 1 digits for r = 8"),
)


# ---- concentrators of any depth (Pippenger 1977) -------------------------------------------------


def superconcentrator(n):
    """The recursion: (inputs, outputs) of partial concentrators; then a complete graph."""
    plan = []
    while n > 8:
        plan.append((n, -(-2 * n // 3)))
        n = plan[-1][1]
    return plan, n


def as_graph(n):
    """Vertices in halves, so that each is on one path: ("in" or "out", stage, number)."""
    graph = networkx.DiGraph()
    plan, least = superconcentrator(n)

    def vertex(name):
        graph.add_edge((name, "begin"), (name, "end"), capacity=1)

    def edge(one, other):
        graph.add_edge((one, "end"), (other, "begin"), capacity=1)

    for stage, (r, s) in enumerate([*plan, (least, 0)]):
        for i in range(r):
            vertex(("in", stage, i))
            vertex(("out", stage, i))
            for j in [i] if s else range(r):
                edge(("in", stage, i), ("out", stage, j))
        for i, row in enumerate(partial.adjacency(r, s).tolist() if s else []):
            for j in row:
                edge(("in", stage, i), ("in", stage + 1, j))
                edge(("out", stage + 1, j), ("out", stage, i))
    return graph


@pytest.mark.parametrize("n", [9, 12, 18, 24])
def test_concentrators_of_partial_ones(n):
    """Any k inputs reach any k outputs by disjoint paths; without the edges across they do not."""
    rng, graph = np.random.default_rng(n), as_graph(n)
    for k in range(1, n + 1):
        ends = rng.permutation(n)[:k], rng.permutation(n)[:k]
        for name, side, own in (("source", "in", ends[0]), ("sink", "out", ends[1])):
            if name in graph:
                graph.remove_node(name)
            for i in own.tolist():
                one, other = ((side, 0, i), "begin" if side == "in" else "end"), name
                graph.add_edge(*((other, one) if side == "in" else (one, other)), capacity=1)
        assert networkx.maximum_flow_value(graph, "source", "sink") == k
    across = [(("in", 0, i), "end") for i in range(n)]
    graph.remove_edges_from([(one, (("out", 0, one[0][2]), "begin")) for one in across])
    assert networkx.maximum_flow_value(graph, "source", "sink") < n


@pytest.mark.parametrize("lg", range(3, 15))
def test_edges_of_concentrators(lg, record):
    """Section IV: O(r) components, without a bound on the depth; a crossbar has r^2, in one."""
    plan, least = superconcentrator(2**lg)
    edges = sum(r + 12 * r for r, _ in plan) + least**2
    record(lg_inputs=lg, edges_an_input=edges / 2**lg, crossbar_edges_an_input=2**lg)
    record(concentrator_depth=2 * len(plan) + 1)
    assert edges <= 40 * 2**lg  # as Pippenger has it
