"""Off-line settings of partial concentrators: by walking them, and against scipy's matchings."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from fattree_models.leiserson import partial, partial_settings
from fattree_models.leiserson.serial_tree import SerialTree
from tests.models.refused import refused


def universal(h, w):
    """Return ceil(min(2^(h-k), w / 4^(k/3))), exactly."""
    cap = []
    for k in range(h + 1):
        wires = 1
        while wires**3 * 4**k < w**3:
            wires += 1
        cap.append(min(1 << (h - k), wires))
    return cap


def route(h, src, dst):
    """Return the channels of a message's path, in order: (direction, level, index)."""
    n = 1 << h
    top = 0 if n in (src, dst) else h - (src ^ dst).bit_length() + 1
    up = [] if src == n else [("up", k, src >> (h - k)) for k in range(h, top - 1, -1)]
    down = [] if dst == n else [("down", k, dst >> (h - k)) for k in range(top, h + 1)]
    return up + down


def owner(cap, source):
    """Return where a source sits, n = outside, and its wire there."""
    n = 1 << (len(cap) - 1)
    if source >= n * cap[-1]:
        return n, source - n * cap[-1]
    return divmod(source, cap[-1])


def walk(cap, row, decided):
    """Follow the edges decided for one cycle; return the messages that arrive, {source: wire}.

    Asserts that no output of any stage of any port is taken twice, and that the path ends where the
    decisions do.
    """
    h = len(cap) - 1
    taken = set()
    arrived = {}
    for source, dst in enumerate(row.tolist()):
        if dst < 0:
            assert (decided[source] == 7).all()
            continue
        src, wire = owner(cap, source)
        edges = iter(decided[source].tolist())
        path = route(h, src, dst)
        for here, there in itertools.pairwise(path):
            wire = cross(cap, here, there, wire, edges, taken)
            if wire is None:
                break
        assert all(edge == 7 for edge in edges)
        if wire is not None:
            assert wire < cap[path[-1][1]]
            arrived[source] = wire
    return arrived


def cross(cap, here, there, wire, edges, taken):
    """Take a message from a wire of one channel through a node to the next; None: lost."""
    (way, level, index), (out_way, out_level, _) = here, there
    if out_way == "up":
        r, place = 2 * cap[level], wire + cap[level] * (index & 1)
    elif way == "up":
        r, place = cap[level] + cap[level - 1], wire
    else:
        r, place = cap[level] + cap[level + 1], wire + cap[level + 1]
    for number, (into, out) in enumerate(partial.stages(r, cap[out_level])):
        assert place < into
        edge = next(edges)
        if edge == 7:
            return None
        place = int(partial.adjacency(into, out)[place, edge])
        assert (there, number, place) not in taken
        taken.add((there, number, place))
    return place


def one_cycle_set(rng, cap, limits):
    """Return a row of random messages, as many as fit in so many on each channel of a level."""
    h = len(cap) - 1
    n = 1 << h
    row = np.full(n * cap[-1] + cap[0], -1)
    load = {}
    for source in rng.permutation(row.size).tolist():
        src, _ = owner(cap, source)
        for _ in range(8):
            # Half of the tries go out of the machine or come in, or the root ports stay empty.
            dst = n if src < n and rng.random() < 0.3 else int(rng.integers(n))
            if dst == src:
                continue
            path = route(h, src, dst)
            if all(load.get(channel, 0) < limits[channel[1]] for channel in path):
                for channel in path:
                    load[channel] = load.get(channel, 0) + 1
                row[source] = dst
                break
    return row


TREES = [(h, w) for h in range(3, 7) for w in sorted({round(2 ** (2 * h / 3)), 2 ** (h - 1), 2**h})]


@pytest.mark.parametrize(("h", "w"), TREES)
def test_nothing_is_lost_within_the_effective_capacities(h, w):
    cap = universal(h, w)
    limits = partial_settings.effective_capacity(cap)
    rng = np.random.default_rng(h * 1000 + w)
    dst = np.stack([one_cycle_set(rng, cap, limits) for _ in range(12)])
    decided = partial_settings.decisions(cap, dst)
    for row, edges in zip(dst, decided, strict=True):
        assert set(walk(cap, row, edges)) == set(np.flatnonzero(row >= 0).tolist())


def test_a_wrong_edge_is_noticed():
    cap = universal(5, 32)
    row = one_cycle_set(np.random.default_rng(3), cap, partial_settings.effective_capacity(cap))
    decided = partial_settings.decisions(cap, row[None])[0]
    noticed = 0
    for source in np.flatnonzero(decided[:, 0] != 7):
        wrong = decided.copy()
        wrong[source, 0] = (wrong[source, 0] + 1) % 6
        try:
            walk(cap, row, wrong)
        except (AssertionError, IndexError):
            noticed += 1
    assert noticed > 0


@settings(max_examples=60)
@given(st.lists(st.integers(1, 24), min_size=2, max_size=5), st.integers(0, 2**32 - 1))
def test_any_capacities(cap, seed):
    limits = partial_settings.effective_capacity(cap)
    assert (limits <= cap).all()
    for level, wires in enumerate(cap[:-1]):
        assert limits[level] >= min(3 * wires // 4, 2 * cap[level + 1])
    assert limits[-1] >= 3 * cap[-1] // 4
    rng = np.random.default_rng(seed)
    row = one_cycle_set(rng, cap, limits)
    arrived = walk(cap, row, partial_settings.decisions(cap, row[None])[0])
    assert len(arrived) == (row >= 0).sum()


@pytest.mark.parametrize(("h", "w"), [(3, 4), (4, 7), (5, 32), (6, 64)])
def test_overload_loses_but_never_shares_an_output(h, w):
    cap = universal(h, w)
    n = 1 << h
    rng = np.random.default_rng(w)
    dst = rng.integers(0, n, (20, n * cap[-1] + cap[0]))
    dst[:, : n * cap[-1]][dst[:, : n * cap[-1]] == np.arange(n).repeat(cap[-1])] = n
    decided = partial_settings.decisions(cap, dst)
    arrived = [len(walk(cap, row, edges)) for row, edges in zip(dst, decided, strict=True)]
    assert n // 4 < min(arrived) <= max(arrived) < dst.shape[1]


def matched(graph, s, inputs):
    """Return the size of a maximum matching of some inputs, by scipy's Hopcroft-Karp."""
    rows = np.repeat(np.arange(len(inputs)), graph.shape[1])
    columns = graph[inputs].ravel()
    sparse = csr_array((np.ones(rows.size), (rows, columns)), shape=(len(inputs), s))
    return int((maximum_bipartite_matching(sparse, perm_type="column") >= 0).sum())


@pytest.mark.parametrize(("r", "s"), [(32, 22), (48, 32), (64, 43), (96, 64)])
def test_guarantees_are_reached_on_random_inputs(r, s):
    rng = np.random.default_rng(r)
    k = partial.guarantee(r, s)
    graph = partial.adjacency(r, s)
    for _ in range(200):
        assert matched(graph, s, rng.choice(r, k, replace=False)) == k


@pytest.mark.parametrize(("r", "s"), [(10, 7), (24, 16), (48, 40), (64, 43), (64, 20), (30, 3)])
def test_matchings_are_maximum(r, s):
    """Up to the root of a tree of two processors, all out of the machine: one port, (r, s)."""
    cap = [s, r // 2]
    rng = np.random.default_rng(r)
    (into, out), *_ = partial.stages(r, s)
    assert partial.guarantee_port(r, s) >= 3 * s // 4
    for k in (partial.guarantee_port(r, s), (s + r) // 2, r):
        inputs = np.sort(rng.choice(r, k, replace=False))
        row = np.full(r + s, -1)
        row[inputs] = 2
        decided = partial_settings.decisions(cap, row[None])[0]
        first = decided[inputs, 0] != 7
        assert first.sum() == matched(partial.adjacency(into, out), out, inputs)
        arrived = walk(cap, row, decided)
        if k <= partial.guarantee_port(r, s):
            assert len(arrived) == k


def test_a_cascade_takes_any_inputs_within_its_guarantee():
    """Two stages, (18, 12) and (12, 9): all sets of one size of an adversary's choice of inputs."""
    assert partial.stages(18, 9) == ((18, 12), (12, 9))
    k = partial.guarantee_port(18, 9)
    assert k == min(partial.guarantee(18, 12), partial.guarantee(12, 9))
    every = np.array(list(itertools.combinations(range(18), k)))
    dst = np.full((len(every), 18 + 9), -1, dtype=np.int32)
    np.put_along_axis(dst, every, 2, axis=1)
    decided = partial_settings.decisions([9, 9], dst)
    assert decided.shape == (len(every), 27, 2)
    assert ((decided != 7).all(axis=2) == (dst >= 0)).all()
    outputs = np.broadcast_to(np.arange(27), dst.shape)
    for number, stage in enumerate(partial.stages(18, 9)):
        graph = np.full((27, 8), -1)
        graph[: stage[0], :6] = partial.adjacency(*stage)
        outputs = np.where(dst >= 0, graph[np.maximum(outputs, 0), decided[:, :, number]], -1)
    sent = np.sort(outputs, axis=1)[:, -k:]
    assert (np.diff(sent, axis=1) > 0).all()
    assert sent.min() >= 0
    assert sent.max() < 9


def test_effective_capacity_by_hand():
    # Root: U_o (16, 7), L_o (15, 8); level 1: U_o (12, 8), L_o (14, 6).
    limits = partial_settings.effective_capacity([7, 8, 6])
    assert limits.tolist() == [
        partial.guarantee_port(16, 7),
        min(partial.guarantee_port(12, 8), partial.guarantee_port(15, 8)),
        partial.guarantee_port(14, 6),
    ]


def test_no_stages_no_decisions():
    dst = [[1, 0, -1, -1], [-1, -1, -1, 0]]
    assert SerialTree((2, 1, 1), "PARTIAL").stages_up == (0, 1)
    tree = SerialTree((2, 1), "PARTIAL")
    assert (tree.stages_up, tree.stages_down) == ((0,), (1,))
    decided = partial_settings.decisions([2, 1], dst)
    # Only L_o and R_o, (3, 1), have a stage: edge 0 of its only output.
    assert decided.tolist() == [[[0], [0], [7], [7]], [[7], [7], [7], [0]]]


def test_arguments_are_not_changed_and_any_integer_type():
    cap = np.array([2, 2, 1])
    dst = np.array([[1, 0, 3, 4, -1, 2]])
    expected = partial_settings.decisions(cap, dst)
    for dtype in (np.int8, np.int32):
        assert (
            partial_settings.decisions(cap.astype(dtype), dst.astype(dtype)).tolist()
            == expected.tolist()
        )
    assert cap.tolist() == [2, 2, 1]
    assert dst.tolist() == [[1, 0, 3, 4, -1, 2]]
    assert partial_settings.decisions(cap, dst[:0]).shape == (0, 6, expected.shape[2])


test_errors = refused(
    (
        lambda: partial_settings.decisions([1], [[0]]),
        r"CAPACITY: has shape \(1,\); allowed is \(h \+ 1,\)",
    ),
    (
        lambda: partial_settings.effective_capacity([1, 0]),
        "CAPACITY: level 1 has 0 wires; allowed are 1 … ",
    ),
    (
        lambda: partial_settings.decisions([1, 1], [[1, 0]]),
        r"dst: has shape \(1, 2\); allowed is \[cy",
    ),
    (lambda: partial_settings.decisions([1, 1], [[3, 0, 1]]), "dst: holds 3; allowed are -1 … 2"),
    (
        lambda: partial_settings.decisions([1, 1], np.array([[1, -2, 1]], dtype=np.int32)),
        "dst: holds -2; allowed are -1 … 2",
    ),
    (
        lambda: partial_settings.decisions([1, 1], [[1, 0, 1 << 32]]),
        "dst: holds 4294967296; allowed are -1 … 2",
    ),
    (
        lambda: partial_settings.decisions([1, 1], [[1, 1, 1]]),
        "dst: is 1 for source 1 of processor 1; allowed are others",
    ),
    (
        lambda: partial_settings.decisions([1, 1], [[1, 0, 2]]),
        "dst: is 2 for source 2 of the external channel; allowed are others",
    ),
)
