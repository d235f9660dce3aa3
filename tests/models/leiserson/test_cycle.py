"""Delivery cycles against the machine simulated tick by tick, and against theorems."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.leiserson.capacity import universal
from fattree_models.leiserson.codec import encode
from fattree_models.leiserson.cycle import CycleOutcome, deliver
from fattree_models.leiserson.partial import adjacency
from fattree_models.leiserson.serial_tree import SerialTree, source_processor
from tests.models.leiserson import brute_serial
from tests.models.leiserson.latency import path_latency

KINDS = list(itertools.product(("IDEAL", "PARTIAL"), ("FIXED", "ROTATING"), (0, 1)))


def run_brute(tree, dst, words, edges, number):
    """Send one row through the machine, bit by bit; the bits are those of `encode`."""
    rules = brute_serial.Rules(
        tree.cap, tree.concentrator, tree.priority, tree.pipeline, tree.data_bits
    )
    (source,) = np.nonzero(dst >= 0)
    decisions = None if edges is None else edges[source]
    frames = {}
    for q, image in zip(
        source.tolist(), encode(tree, source, dst[source], words[source], decisions), strict=True
    ):
        bits = format(int.from_bytes(image.tobytes(), "little"), f"0{tree.frame_bits}b")
        frames[q] = [int(bit) for bit in bits]
    return brute_serial.Cycle(rules, number).run(frames, tree.cycle_ticks)


def assert_matches_machine(tree, dst, edges=None, first_cycle=0):
    """Compare every field of the outcome with the machine, row by row."""
    dst = np.asarray(dst)
    outcome = deliver(tree, dst, edges, first_cycle)
    rng = np.random.default_rng(dst.size)
    words = rng.integers(0, 1 << tree.data_bits, dst.shape, dtype=np.uint64)
    for c, row in enumerate(dst):
        output = None if edges is None else edges[c]
        result = run_brute(tree, row, words[c], output, first_cycle + c)
        said = (tree, row.tolist(), first_cycle + c)
        # Independent of the machine's own tracing: the words tell who sent them.
        sinks = np.flatnonzero(outcome.arrived[c] >= 0)
        arrived = {
            y: (int(outcome.tick[c, y]), int(words[c, outcome.arrived[c, y]]))
            for y in sinks.tolist()
        }
        assert arrived == result.arrived, said
        assert {y: int(outcome.arrived[c, y]) for y in sinks.tolist()} == result.source_of, said
        assert (outcome.tick[c][outcome.arrived[c] < 0] == -1).all()
        acknowledged = np.flatnonzero(outcome.ack_tick[c] >= 0).tolist()
        assert {q: int(outcome.ack_tick[c, q]) for q in acknowledged} == result.ack, said
        assert np.flatnonzero(outcome.delivered[c]).tolist() == sorted(result.ack)
        lost = np.flatnonzero(outcome.lost_at[c])
        assert {q: int(outcome.lost_at[c, q]) for q in lost.tolist()} == result.lost, said
        levels = [abs(v).bit_length() - 1 for v in result.lost.values()]
        ups = [v > 0 for v in result.lost.values()]
        for k in range(tree.h + 1):
            here = [up for level, up in zip(levels, ups, strict=True) if level == k]
            assert outcome.lost_up[c, k] == sum(here)
            assert outcome.lost_down[c, k] == len(here) - sum(here)
        for used, expected in (
            (outcome.used_up[c], result.used_up),
            (outcome.used_down[c], result.used_down),
        ):
            assert used.tolist() == [0] + [expected[v] for v in range(1, 2 * tree.n)], said
        assert len(acknowledged) + lost.size == np.count_nonzero(row >= 0)


def all_traffic(tree):
    """Return every row there is."""
    own = source_processor(tree).tolist()
    return np.array(
        list(itertools.product(*([j for j in range(-1, tree.n + 1) if j != i] for i in own)))
    )


def some_traffic(rng, tree, rows):
    """Return rows of random density, in part with few destinations."""
    own = source_processor(tree)
    size = (rows, tree.sources)
    few = rng.choice(tree.n + 1, rng.integers(1, tree.n + 1), replace=False)
    dst = np.where(
        rng.random(size) < rng.random(), rng.choice(few, size), rng.integers(0, tree.n + 1, size)
    )
    dst[dst == own] = -1
    dst[rng.random(size) > rng.random() + 0.3] = -1
    return dst


@pytest.mark.parametrize(("concentrator", "priority", "pipeline"), KINDS)
@pytest.mark.parametrize("cap", [(1, 1), (2, 1), (3, 1)])
def test_all_traffic_of_two_processors(cap, concentrator, priority, pipeline):
    tree = SerialTree(cap, concentrator, priority, pipeline, data_bits=3)
    assert_matches_machine(tree, all_traffic(tree))


@pytest.mark.parametrize(("concentrator", "priority", "pipeline"), KINDS)
def test_all_traffic_of_two_processors_with_two_wires(concentrator, priority, pipeline):
    tree = SerialTree((1, 2), concentrator, priority, pipeline, data_bits=3)
    dst = all_traffic(tree)
    assert dst.shape == (3**5, 5)
    assert_matches_machine(tree, dst, first_cycle=5)


@pytest.mark.parametrize(
    ("kind", "cap", "step"),
    [
        (("IDEAL", "FIXED", 0), (1, 1, 1), 1),
        (("IDEAL", "ROTATING", 1), (1, 1, 1), 7),
        (("PARTIAL", "FIXED", 0), (1, 2, 1), 7),
        (("PARTIAL", "ROTATING", 1), (1, 1, 1), 7),
        (("IDEAL", "FIXED", 1), (2, 1, 1), 31),
    ],
)
def test_all_traffic_of_four_processors(kind, cap, step):
    """All of it in one case, every so-manieth row in the others."""
    tree = SerialTree(cap, *kind, data_bits=1)
    assert_matches_machine(tree, all_traffic(tree)[::step])


@st.composite
def trees(draw, most_levels=4):
    """Any tree of up to 16 processors."""
    h = draw(st.integers(1, most_levels))
    cap = draw(st.lists(st.integers(1, 7), min_size=h, max_size=h))
    ports = draw(st.integers(1, 3))
    concentrator, priority, pipeline = draw(st.sampled_from(KINDS))
    data_bits = draw(st.integers(1, 4))
    return SerialTree((*cap, ports), concentrator, priority, pipeline, data_bits)


@settings(max_examples=150)
@given(trees(), st.integers(0, 2**32 - 1), st.integers(0, 40), st.booleans())
def test_any_traffic_in_any_tree(tree, seed, first_cycle, message):
    rng = np.random.default_rng(seed)
    dst = some_traffic(rng, tree, 2)
    edges = None
    if message:
        # Half of the stages take the first free edge, or hardly anything would get through.
        edges = rng.choice(8, (*dst.shape, tree.stages_most), p=[0.08] * 6 + [0.02, 0.5])
        edges = edges.astype(np.uint8)
    assert_matches_machine(tree, dst, edges, first_cycle)


@pytest.mark.parametrize("concentrator", ["IDEAL", "PARTIAL"])
def test_wide_trees(concentrator):
    """Cascades of several stages, and ports that are asked by many at once."""
    rng = np.random.default_rng(3)
    for cap in ((9, 14, 9, 5), (2, 20, 3, 4)):
        tree = SerialTree(cap, concentrator, "ROTATING", 1, 4)
        dst = some_traffic(rng, tree, 3)
        edges = rng.choice([0, 1, 7, 7], (*dst.shape, tree.stages_most)).astype(np.uint8)
        assert_matches_machine(tree, dst, edges, 11)


@pytest.mark.parametrize(("concentrator", "priority", "pipeline"), KINDS)
def test_every_pair_alone_arrives_in_time(concentrator, priority, pipeline):
    for h in range(1, 6):
        tree = SerialTree((3, 4, 2, 3, 2, 1)[5 - h :], concentrator, priority, pipeline, 8)
        n = tree.n
        i, j = np.nonzero(~np.eye(n + 1, dtype=bool))
        dst = np.full((i.size, tree.sources), -1)
        source = np.searchsorted(source_processor(tree), i)
        rows = np.arange(i.size)
        dst[rows, source] = j
        outcome = deliver(tree, dst)
        assert (np.count_nonzero(outcome.arrived >= 0, axis=1) == 1).all()
        row, sink = np.nonzero(outcome.arrived >= 0)
        assert (outcome.arrived[row, sink] == source).all()
        assert (source_processor(tree)[sink] == j).all()
        tick = outcome.tick[row, sink]
        assert (tick == 1 + path_latency(tree, i, j)).all()
        inside = (i < n) & (j < n)
        height = np.array([int(x).bit_length() for x in i ^ j])
        if concentrator == "IDEAL":
            # The formula of the paper's protocol, from the first tick of M on.
            delay = np.where(inside, 2 * height - 1, h) * (1 + pipeline)
            assert (tick - 1 == delay).all()
        nodes = np.where(inside, 2 * height - 1, h)
        ack = outcome.ack_tick[rows, source]
        assert (ack == tick + 8 + 1 + pipeline * nodes).all()
        assert ack.max() < tree.cycle_ticks
        if path_latency(tree, i, j)[nodes == 2 * h - 1].max() == tree.latency_most:
            assert ack.max() == tree.cycle_ticks - 1


def path(tree, i, j):
    """Return the channels of a message, +v up and -v down, walked to where the ways meet."""
    ups, downs = [], []
    if tree.n in (i, j):
        x = j if i == tree.n else i
        v = tree.n + x
        while v:
            (downs if i == tree.n else ups).append(v)
            v //= 2
    else:
        a, b = tree.n + i, tree.n + j
        while a != b:
            ups.append(a)
            downs.append(b)
            a, b = a // 2, b // 2
    return ups + [-v for v in downs]


def one_cycle_set(rng, tree):
    """Return a row to which no message can be added that would still leave load <= capacity."""
    own = source_processor(tree)
    dst = np.full(tree.sources, -1)
    load = {}
    pairs = [(q, j) for q in range(tree.sources) for j in range(tree.n + 1) if own[q] != j]
    for place in rng.permutation(len(pairs)):
        q, j = pairs[place]
        channels = path(tree, int(own[q]), j)
        room = all(load.get(v, 0) < tree.cap[abs(v).bit_length() - 1] for v in channels)
        if dst[q] < 0 and room:
            dst[q] = j
            for v in channels:
                load[v] = load.get(v, 0) + 1
    return dst, load


@pytest.mark.parametrize("priority", ["FIXED", "ROTATING"])
def test_one_cycle_sets_lose_nothing(priority):
    """The paper, Section II: without congestion an ideal concentrator loses no message."""
    rng = np.random.default_rng(4)
    for cap in (universal(16, 7), universal(16, 16), universal(8, 4), (3, 2, 5, 1, 2)):
        tree = SerialTree(cap, "IDEAL", priority)
        rows, loads = zip(*(one_cycle_set(rng, tree) for _ in range(12)), strict=True)
        dst = np.array(rows)
        assert np.count_nonzero(dst >= 0) > 6 * tree.n
        outcome = deliver(tree, dst, first_cycle=3)
        assert (outcome.delivered == (dst >= 0)).all()
        for c, load in enumerate(loads):
            for v in range(1, 2 * tree.n):
                assert outcome.used_up[c, v] == load.get(v, 0)
                assert outcome.used_down[c, v] == load.get(-v, 0)
        # One more than a channel can take, and something is lost.
        full = np.array(rows)
        own = source_processor(tree)
        for c, row in enumerate(full):
            idle = np.flatnonzero((row < 0) & (own < tree.n))
            row[idle] = (own[idle] + 1) % tree.n
            if idle.size:
                assert deliver(tree, full[c : c + 1]).lost_at.any()


def test_ideal_ports_serve_the_first_in_time_then_by_input():
    """By hand, n = 4, all to processor 0: its sibling is there first, then what is from far."""
    tree = SerialTree((1, 2, 2), pipeline=0, data_bits=4)
    dst = np.full((1, tree.sources), -1)
    dst[0, [3, 5, 7, 8]] = 0
    outcome = deliver(tree, dst)
    # External M: tick 1, 2, 3 (two nodes).  Sibling: 2.  Far side: 1, 2, 3, 4.
    assert outcome.arrived[0].tolist() == [3, 8, -1, -1, -1, -1, -1, -1, -1]
    assert outcome.tick[0, :2].tolist() == [2, 3]
    assert outcome.ack_tick[0, [3, 8]].tolist() == [7, 8]
    # The root's port to the left has two wires: the external message and the lower input take
    # them; the external one is earlier.
    assert outcome.lost_at[0].tolist() == [0, 0, 0, 0, 0, -4, 0, -2, 0]


def test_rotating_priority_by_hand():
    """Both processors want out through one wire: input 0, then input 1 first, and so on."""
    tree = SerialTree((1, 1), priority="ROTATING")
    dst = np.array([[2, 2, -1]] * 4)
    assert deliver(tree, dst).arrived[:, 2].tolist() == [0, 1, 0, 1]
    assert deliver(tree, dst, first_cycle=3).arrived[:, 2].tolist() == [1, 0, 1, 0]
    numbers = np.array([0, 2, 5, 7])
    assert deliver(tree, dst, first_cycle=numbers).arrived[:, 2].tolist() == [0, 0, 1, 1]
    fixed = SerialTree((1, 1))
    assert deliver(fixed, dst, first_cycle=1).arrived[:, 2].tolist() == [0] * 4


STAGE_8_4 = SerialTree((4, 4), "PARTIAL", pipeline=0, data_bits=2)


def test_decisions_by_hand():
    """One message into the machine, through the stage of 8 inputs and 4 outputs."""
    tree = STAGE_8_4
    assert tree.plan(8, 4) == ((8, 4),)
    graph = adjacency(8, 4)
    degree = graph.shape[1]
    dst = np.full((8, tree.sources), -1)
    dst[:, 8] = 1  # external wire 0: input 4 of the port, after the four wires of processor 0
    edges = np.full((8, tree.sources, tree.stages_most), 7, dtype=np.uint8)
    edges[:, 8, 0] = range(8)
    outcome = deliver(tree, dst, edges)
    for choice in range(8):
        sinks = np.flatnonzero(outcome.arrived[choice] == 8)
        if choice < degree:
            assert sinks.tolist() == [4 + graph[4, choice]]
        elif choice >= 6:
            assert sinks.tolist() == [4 + graph[4, 0]]
        else:
            assert outcome.lost_at[choice, 8] == -3


def test_a_named_edge_that_is_taken_loses_and_a_free_choice_does_not():
    tree = STAGE_8_4
    graph = adjacency(8, 4)
    # Two inputs of one port, 4 and 5, both external wires, that share an output.
    shared = next(iter(set(graph[4]) & set(graph[5])))
    edges = np.full((2, tree.sources, tree.stages_most), 7, dtype=np.uint8)
    edges[:, 8, 0] = graph[4].tolist().index(shared)
    edges[0, 9, 0] = graph[5].tolist().index(shared)
    dst = np.full((2, tree.sources), -1)
    dst[:, [8, 9]] = 0
    outcome = deliver(tree, dst, edges)
    assert outcome.lost_at[0, [8, 9]].tolist() == [0, -2]
    assert outcome.delivered[1, [8, 9]].all()


@settings(max_examples=25)
@given(trees(5), st.integers(0, 2**32 - 1))
def test_cycles_are_independent(tree, seed):
    rng = np.random.default_rng(seed)
    dst = some_traffic(rng, tree, 6)
    together = deliver(tree, dst, first_cycle=2)
    for c in range(6):
        alone = deliver(tree, dst[c : c + 1], first_cycle=2 + c)
        for name in CycleOutcome.__dataclass_fields__:
            assert (getattr(alone, name)[0] == getattr(together, name)[c]).all(), name


def test_a_big_tree_keeps_its_books():
    """n = 1024: every message is delivered or lost once, and the channels' figures agree."""
    rng = np.random.default_rng(5)
    for concentrator in ("IDEAL", "PARTIAL"):
        # Capped: the tables of the partial concentrators end at 96 inputs.
        tree = SerialTree(np.minimum(universal(1024, 128), 48), concentrator)
        dst = some_traffic(rng, tree, 3)
        outcome = deliver(tree, dst)
        sends = dst >= 0
        assert ((outcome.lost_at != 0) == (sends & ~outcome.delivered)).all()
        assert outcome.lost_at.any() and outcome.delivered.any()
        for c in range(3):
            v = outcome.lost_at[c][outcome.lost_at[c] != 0]
            level = np.log2(np.abs(v)).astype(int)
            for lost, mask in ((outcome.lost_up, v > 0), (outcome.lost_down, v < 0)):
                expected = np.bincount(level[mask], minlength=tree.h + 1)
                assert (lost[c] == expected).all()
            sinks = np.flatnonzero(outcome.arrived[c] >= 0)
            source = outcome.arrived[c, sinks]
            assert sorted(source) == np.flatnonzero(outcome.delivered[c]).tolist()
            own = source_processor(tree)
            assert (own[sinks] == dst[c, source]).all()
            tick = 1 + path_latency(tree, own[source], own[sinks])
            assert (outcome.tick[c, sinks] == tick).all()
        sent = outcome.used_up[:, tree.n :].sum() + outcome.used_down[:, 1].sum()
        assert sent == np.count_nonzero(sends)
        for used in (outcome.used_up, outcome.used_down):
            for k in range(tree.h + 1):
                assert used[:, 1 << k : 2 << k].max() <= tree.cap[k]


def test_no_cycles_and_read_only_arrays():
    tree = SerialTree((1, 1))
    assert deliver(tree, np.zeros((0, 3), dtype=int)).arrived.shape == (0, 3)
    dst = np.array([[1, -1, -1]], dtype=np.int32)
    dst.setflags(write=False)
    assert deliver(tree, dst).arrived.tolist() == [[-1, 0, -1]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, -1, -1],), r"^dst: has shape \(3,\); allowed is \[cycles, 3\]"),
        (([[1, -1]],), r"^dst: has shape \(1, 2\); allowed"),
        (([[3, -1, -1]],), "^dst: holds 3; allowed are -1 … 2$"),
        (([[-2, -1, -1]],), "^dst: holds -2; allowed are -1 … 2$"),
        (([[2**32 + 1, -1, -1]],), "^dst: holds 4294967297; allowed are -1 … 2$"),
        (([[1, -1, -1], [1, 1, -1]],), "^dst: is 1 for source 1 of processor 1; allowed"),
        (([[1, -1, 2]],), "^dst: is 2 for source 2 of the external channel; allowed"),
        (([[1, -1, -1]], np.zeros((1, 3, 1), int)), r"^edges: has shape \(1, 3, 1\); allowed is"),
        (([[1, -1, -1]], None, -1), "^first_cycle: holds -1; allowed"),
        (([[1, -1, -1]], None, [0, 1]), r"^first_cycle: has shape \(2,\); allowed"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message) as caught:
        deliver(SerialTree((1, 1)), *arguments)
    assert "\n" not in str(caught.value)
