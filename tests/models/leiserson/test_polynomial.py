"""How long it takes to find paths through partial concentrators: steps counted, not seconds."""

import itertools

import networkx as nx
import numpy as np
import pytest

from fattree_models.leiserson import partial
from fattree_models.leiserson.partial_settings import _match

STAGES = [(8, 6), (16, 11), (32, 22), (64, 43), (96, 64)]


class Counted:
    """A graph that counts how often an edge is looked at."""

    def __init__(self, graph):
        self.graph, self.steps = graph, 0

    def __getitem__(self, edge):
        self.steps += 1
        return self.graph[edge]


def matched(r, s, inputs):
    """Inputs that get an output, and the edges looked at to match them."""
    graph = Counted(partial.adjacency(r, s))
    line = np.full(r, -1, dtype=np.int32)
    line[inputs] = inputs
    taken, edge = np.zeros((2, r), dtype=np.int64)
    _match.py_func(graph, line, r, s, taken, edge)
    used = [int(taken[i]) for i in inputs if edge[i] >= 0]
    assert len(set(used)) == len(used)
    return len(used), graph.steps


def by_flow(r, s, inputs):
    """As many by Ford and Fulkerson: the most flow through nodes of capacity 1."""
    net = nx.DiGraph()
    for i in inputs:
        net.add_edge("from", ("in", i), capacity=1)
        for output in partial.adjacency(r, s)[i].tolist():
            if output >= 0:
                net.add_edge(("in", i), ("out", output), capacity=1)
                net.add_edge(("out", output), "to", capacity=1)
    return nx.maximum_flow_value(net, "from", "to") if inputs else 0


def enumerated(r, s, inputs):
    """Trials of a search that takes back its last choice, until no input has one left."""
    graph, steps = partial.adjacency(r, s), 0

    def search(at, used):
        nonlocal steps
        if at == len(inputs):
            return
        for output in graph[inputs[at]].tolist():
            steps += 1
            if output >= 0 and output not in used:
                search(at + 1, used | {output})

    search(0, frozenset())
    return steps


@pytest.mark.parametrize(("r", "s"), STAGES)
def test_paths_are_found_within_r_times_the_edges(r, s):
    """Each input looks at no edge twice: at most 6 r of them, 6 r^2 in all; flows find as many."""
    rng = np.random.default_rng(1985)
    guarantee = partial.guarantee(r, s)
    sets = [[*range(r)], [*range(guarantee)], [*range(r - guarantee, r)]]
    sets += [sorted(rng.choice(r, guarantee, replace=False).tolist()) for _ in range(20)]
    sets += [sorted(rng.choice(r, s, replace=False).tolist()) for _ in range(20)]
    for inputs in sets:
        found, steps = matched(r, s, inputs)
        assert steps <= len(inputs) * partial.DEGREE * r
        assert found == by_flow(r, s, inputs)
        assert found == len(inputs) or len(inputs) > guarantee


def test_steps_grow_as_a_power_and_those_of_a_search_do_not():
    """From 8 to 96 inputs below r^2, all at once; a search by all choices doubles by each input."""
    most = {r: matched(r, s, [*range(r)])[1] for r, s in STAGES}
    rates = [np.log(most[b] / most[a]) / np.log(b / a) for a, b in itertools.pairwise(sorted(most))]
    assert max(rates) <= 2 + 0.5  # r^2, and the start of the series
    search = [enumerated(16, 11, [*range(k)]) for k in range(3, 8)]
    assert min(b / a for a, b in itertools.pairwise(search)) > 2
