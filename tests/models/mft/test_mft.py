"""MFT and IMFT against routers, wires and FIFOs in plain Python, and the closed forms."""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models import mft, xgft
from fattree_models.mft import Mft, kernel, running
from fattree_models.traffic import Packets, bernoulli, lengths, pattern
from tests.models.mft import brute_mft as brute


def rows_of(packets):
    columns = (packets.source, packets.destination, packets.release, packets.flits)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def compare(net, packets):
    """Run both; return what the model says and who was seen where."""
    outcome = mft.run(net, packets)
    expected, seen = brute.simulate(
        net.n, rows_of(packets), net.mode, net.lanes, net.fifo, net.pipeline, net.room
    )
    for name, values in expected.items():
        assert getattr(outcome, name).tolist() == values, (name, net, rows_of(packets))
    return outcome, seen


def random_packets(rng, clients, count, most_flits, span):
    src = rng.integers(0, clients, count)
    dst = (src + rng.integers(1, clients, count)) % clients
    return Packets.of(
        src, dst, rng.integers(0, span, count), rng.integers(1, most_flits + 1, count)
    )


@st.composite
def cases(draw):
    n = draw(st.integers(1, 4))
    net = Mft(
        n,
        draw(st.sampled_from(["MFT", "IMFT"])),
        draw(st.sampled_from(["EXACT", "DOUBLING"])),
        draw(st.sampled_from([None, 1, 3, 6, 16])),
        draw(st.integers(0, 3)),
        draw(st.sampled_from([None, 1, 5])),
    )
    most = net.room or 5
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(0, 40))
    return net, random_packets(rng, net.clients, count, most, draw(st.sampled_from([1, 10, 40])))


@settings(deadline=None, max_examples=60)
@given(cases())
def test_any_network(case):
    compare(*case)


@pytest.mark.parametrize("mode", ["MFT", "IMFT"])
@pytest.mark.parametrize("lanes", ["EXACT", "DOUBLING"])
@pytest.mark.parametrize("pipeline", [0, 1])
def test_dense_traffic(mode, lanes, pipeline):
    """Every kind of loss is seen, and none where none may be."""
    packets = random_packets(np.random.default_rng(3), 8, 120, 4, 25)
    net = Mft(3, mode, lanes, 6, pipeline)
    outcome, seen = compare(net, packets)
    assert outcome.lost_inside.any() == (lanes == "DOUBLING")
    assert outcome.overflowed.any()
    if mode == "IMFT":
        assert {len(sources) for sources in seen["up"].values()} == {1}
    if mode == "IMFT" and lanes == "EXACT":
        assert {len(sources) for sources in seen["lane"].values()} == {1}


@pytest.mark.parametrize(
    ("owner", "name", "wrong"),
    [
        (running, "turn_row", lambda n, src, dst: np.full_like(src, n - 1)),
        (kernel, "climb", lambda order, time, flits, column, busy, link: None),
        (running, "start_clocks", lambda packets: packets.release),
        (running, "lane_counts", lambda n, lanes: mft.lane_counts(n, "DOUBLING") + 1),
    ],
    ids=["turns at the top", "lanes swapped", "packets overlap", "other lanes"],
)
def test_a_wrong_model_is_seen(monkeypatch, owner, name, wrong):
    monkeypatch.setattr(owner, name, wrong)
    packets = random_packets(np.random.default_rng(5), 8, 60, 3, 20)
    with pytest.raises((AssertionError, IndexError)):
        for mode, lanes in itertools.product(["MFT", "IMFT"], ["EXACT", "DOUBLING"]):
            compare(Mft(3, mode, lanes, None), packets)


def wrong_serve(pointer_moves, late):
    """The client's service with a fault, in plain Python."""

    def serve(time, lane, flits, room, fifo, head, peak):
        waiting, free, pointer, came = {}, 0, 0, 0
        while came < time.size or waiting:
            if not waiting:
                free = max(free, time[came] + late)
            while came < time.size and time[came] < free:
                waiting.setdefault(int(lane[came]), []).append(came)
                came += 1
            if not waiting:
                continue
            while pointer not in waiting:
                pointer = (pointer + 1) % peak.size
            head[waiting[pointer][0]] = free
            free += flits[waiting[pointer].pop(0)]
            if not waiting[pointer]:
                del waiting[pointer]
            pointer = (pointer + pointer_moves) % peak.size

    return serve


@pytest.mark.parametrize(
    ("moves", "late", "good"),
    [(1, 1, True), (0, 1, False), (1, 2, False)],
    ids=["sound", "round robin stands still", "a clock late"],
)
def test_a_wrong_client_is_seen(monkeypatch, moves, late, good):
    monkeypatch.setattr(kernel, "serve", wrong_serve(moves, late))
    packets = random_packets(np.random.default_rng(5), 8, 60, 3, 20)
    if good:
        compare(Mft(3, fifo=None), packets)
    else:
        with pytest.raises(AssertionError):
            compare(Mft(3, fifo=None), packets)


# ---- wiring --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_wiring_is_the_surveys_and_the_2_ary_n_trees(n):
    tree, columns = xgft.kary(2, n), np.arange(2 ** (n - 1))
    for row in range(n - 1):
        for c in columns.tolist():
            assert mft.parent(n, row, [c, c], [0, 1]).tolist() == [c, brute.neighbour(c, row)]
        for link in (0, 1):
            above = mft.parent(n, row, columns, link)
            port = (columns >> row & 1) ^ link  # an up port of the tree is the digit itself
            assert np.array_equal(tree.up(row + 1, columns, port)[0], above)
            side = columns >> row & 1
            assert np.array_equal(tree.up(row + 1, columns, port)[1], side)
            assert np.array_equal(mft.child(n, row + 1, above, side), columns)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_intervals_are_what_down_links_reach(n):
    for row, c in itertools.product(range(n), range(2 ** (n - 1))):
        for side, interval in enumerate(mft.intervals(n, row, c)):
            found, queue = set(), [(row, c, side)]
            while queue:
                r, at, way = queue.pop()
                if r == 0:
                    found.add(2 * at + way)
                else:
                    below = int(mft.child(n, r, at, way))
                    queue += [(r - 1, below, 0), (r - 1, below, 1)]
            assert sorted(found) == list(interval)
    assert set().union(*mft.intervals(n, n - 1, 0)) == set(range(2**n))


# ---- one source an up link and a lane, and no contention -----------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_packets_turn_where_those_of_the_2_ary_n_tree_do(n):
    """So routing is that of the regular tree: up to the first common router, down by address."""
    src, dst = np.divmod(np.arange(4**n), 2**n)
    src, dst = src[src != dst], dst[src != dst]
    hops = xgft.hop_count(xgft.kary(2, n), src, dst)
    assert np.array_equal(2 * mft.turn_row(n, src, dst) + 1, hops)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_one_source_an_up_link_and_a_lane(n):
    """All pairs: two messages of different sources share nothing, so no message set has contention.

    Up links are shared by row, column and link, lanes by row, column, side and lane.
    """
    src, dst = np.nonzero(~np.eye(2**n, dtype=bool))
    way = mft.paths(n, src, dst)
    owners = {}
    for row in range(n):
        here = way.turn > row
        ups = zip(way.up_column[here, row], way.up_link[here, row], src[here], strict=True)
        for c, link, s in ups:
            owners.setdefault(("up", row, c, link), set()).add(s)
        here = way.turn >= row
        columns = (way.down_column, way.down_side, way.down_lane)
        downs = zip(*(a[here, row] for a in columns), src[here], strict=True)
        for c, side, lane, s in downs:
            owners.setdefault(("down", row, c, side, lane), set()).add(s)
    assert {len(sources) for sources in owners.values()} == {1}
    lanes = sum(2 ** (n - 1) * 2 * int(count) for count in mft.lane_counts(n))
    assert len(owners) == (n - 1) * 2**n + lanes  # and none is idle: no lane is spare
    sources = mft.lane_sources(n)
    for client, row in enumerate(sources.tolist()):
        assert sorted([*row, client]) == list(range(2**n))


def test_swapped_lanes_are_seen(monkeypatch):
    """A path whose wiring leads two parents' lanes together has two sources in a lane."""
    monkeypatch.setattr("fattree_models.mft.imft.lane_counts", lambda n: 0 * mft.lane_counts(n) + 1)
    with pytest.raises(AssertionError):
        test_one_source_an_up_link_and_a_lane(2)


@pytest.mark.parametrize("mode", ["MFT", "IMFT"])
def test_all_message_sets_of_4_clients(mode):
    """Each source idle, or to each of the others: no set loses a packet, three lanes are needed."""
    choices = [[None, *(d for d in range(4) if d != s)] for s in range(4)]
    doubled = 0
    for dst in itertools.product(*choices):
        pairs = [(s, d) for s, d in enumerate(dst) if d is not None]
        packets = Packets.of([s for s, _ in pairs], [d for _, d in pairs], 0)
        exact = mft.run(Mft(2, mode, fifo=None, pipeline=0), packets)
        assert not exact.lost_inside.any() and (exact.head >= 0).all()
        lost = mft.run(Mft(2, mode, "DOUBLING", None, 0), packets).lost_inside.sum()
        most = max((sum(d == c for _, d in pairs) for c in range(4)), default=0)
        assert lost == max(most - 2, 0)
        doubled += bool(lost)
    assert doubled == 4 * 4  # three to one client, and the client idle or sending to anyone


def test_all_permutations_of_8_clients():
    """40320 partial permutations, at once: MFT with exact lanes, and as printed."""
    perms = np.array(list(itertools.permutations(range(8))))[::7]
    for index in range(0, len(perms), 480):
        block = perms[index : index + 480]
        sets, src = np.nonzero(block != np.arange(8))
        packets = Packets.of(src, block[sets, src], sets * 10)
        for lanes, lost in (("EXACT", 0), ("DOUBLING", 0)):
            outcome = mft.run(Mft(3, "MFT", lanes, None, 0), packets)
            assert outcome.lost_inside.sum() == lost


@pytest.mark.parametrize("mode", ["MFT", "IMFT"])
def test_sets_of_8_clients_to_two(mode):
    """All sets in which each client sends to 0 or to some other client, or is idle."""
    lost = {}
    for other in range(1, 8):
        sets = np.array(list(itertools.product((0, other, -1), repeat=8)))
        at, src = np.nonzero((sets >= 0) & (sets != np.arange(8)))
        packets = Packets.of(src, sets[at, src], at * 10)
        for lanes in ("EXACT", "DOUBLING"):
            outcome = mft.run(Mft(3, mode, lanes, None, 0), packets)
            lost[other, lanes] = int(outcome.lost_inside.sum())
    assert not any(count for (_, lanes), count in lost.items() if lanes == "EXACT")
    assert all(count for (_, lanes), count in lost.items() if lanes == "DOUBLING")


@pytest.mark.parametrize("pipeline", [0, 1, 2])
def test_imft_is_exact_to_the_clock(pipeline):
    packets = random_packets(np.random.default_rng(1), 16, 300, 5, 90)
    outcome = mft.run(Mft(4, pipeline=pipeline, fifo=None), packets)
    hops = 2 * mft.turn_row(4, packets.source, packets.destination) + 1
    assert np.array_equal(outcome.arrived, mft.start_clocks(packets) + hops * pipeline)
    way = mft.paths(4, packets.source, packets.destination)
    assert np.array_equal(outcome.lane, way.down_lane[:, 0])
    tree_hops = xgft.hop_count(xgft.kary(2, 4), packets.source, packets.destination)
    assert np.array_equal(hops, tree_hops)


# ---- lanes ---------------------------------------------------------------------------------------


def test_lanes():
    assert mft.lane_counts(6).tolist() == [63, 31, 15, 7, 3, 1]
    assert mft.lane_counts(6, "DOUBLING").tolist() == [32, 16, 8, 4, 2, 1]
    for n in range(1, 11):
        for r, lanes in enumerate(mft.lane_counts(n).tolist()):
            assert lanes == 2 ** (n - r) - 1


@pytest.mark.parametrize("n", [2, 3])
def test_the_smallest_counter_example(n):
    """Doubling is not enough from 4 clients on: 2^(n-1) + 1 messages to one client, no fewer."""
    assert mft.counter_example(1) is None
    if n == 2:
        few = mft.counter_example(n)
        assert len(few) == 3 and len(set(few.destination.tolist())) == 1
        outcome = mft.run(Mft(n, lanes="DOUBLING"), few)
        assert outcome.lost_inside.sum() == 1
        compare(Mft(n, lanes="DOUBLING"), few)
        assert not mft.run(Mft(n), few).lost_inside.any()
    else:
        src = np.arange(1, 8)
        late = 2 * (n - 1 - mft.turn_row(n, src, 0))
        outcome, _ = compare(Mft(n, lanes="DOUBLING"), Packets.of(src, 0, late))
        assert outcome.lost_inside.sum() == 3


def test_doubled_lanes_lose_even_where_they_are_enough():
    """Two packets, two lanes: the one that turns holds the lane to which the other is wired."""
    packets = Packets.of([2, 6], [0, 1], [0, 3], [20, 1])
    outcome, _ = compare(Mft(3, lanes="DOUBLING"), packets)
    assert outcome.lost_row.tolist() == [-1, 1] and mft.lane_counts(3, "DOUBLING")[1] == 2
    assert not mft.run(Mft(3), packets).lost_inside.any()


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_lane_less_anywhere_loses(n):
    """All to one client use every lane of its routers' directions: none can be spared."""
    clients = 2**n
    way = mft.paths(n, np.arange(1, clients), 0)
    for row, lanes in enumerate(mft.lane_counts(n).tolist()):
        columns = way.down_column[way.turn >= row, row]
        used = way.down_lane[way.turn >= row, row]
        for c in np.unique(columns):
            assert sorted(used[columns == c].tolist()) == list(range(lanes))


# ---- use of links --------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "top", "bottom"), [(3, 57, 14.3), (4, 53, 6.7), (5, 52, 3.2)])
def test_use_of_links(n, top, bottom):
    """The survey: 100 % at the top, below 20 % at the clients."""
    clients = 2**n
    uniform = (1 - np.eye(clients)) / (clients - 1)
    use = mft.link_use(n, uniform)
    assert [round(100 * float(x.mean())) for x in (use.down[-1], use.up[-1])] == [top, top]
    assert round(100 * float(use.down[0].mean()), 1) == bottom
    for rows, expected in zip((use.down[-1], use.down[0]), mft.uniform_use(n, 1.0), strict=True):
        assert np.allclose(rows, expected)
    complement = np.eye(clients)[::-1]
    use = mft.link_use(n, complement)
    assert all((x == 1.0).all() for x in (use.down[-1], *use.up))
    assert np.isclose(use.down[0].mean(), 1 / (clients - 1))
    packets = bernoulli(
        np.random.default_rng(2), pattern("uniform", clients), lengths("1"), 1.0, 400
    )
    outcome = mft.run(Mft(n, "MFT", fifo=None), packets)
    assert outcome.down_flits[-1] / clients / 400 == pytest.approx(top / 100, abs=0.03)
    assert outcome.up_flits[n - 2] == outcome.down_flits[-1]


def test_most_of_what_is_offered_comes_out():
    """Above 90 % in any clock of the steady state, in both modes, at full load."""
    packets = bernoulli(np.random.default_rng(2), pattern("uniform", 16), lengths("4"), 1.0, 4000)
    for mode in ("MFT", "IMFT"):
        outcome = mft.run(Mft(4, mode, fifo=None), packets)
        steady = (outcome.tail >= 2000) & (outcome.tail < 4000)
        assert packets.flits[steady].sum() / 16 / 2000 > 0.9


def test_order():
    """IMFT keeps it.  MFT does not: its packets of a pair use several lanes."""
    packets = random_packets(np.random.default_rng(4), 8, 400, 4, 300)
    hot = np.where(packets.source < 6, 7, packets.source ^ 1)
    packets = Packets.of(packets.source, hot, packets.release, packets.flits)
    imft = mft.run(Mft(3, fifo=None), packets)
    adaptive = mft.run(Mft(3, "MFT", fifo=None), packets)
    assert mft.overtaken(packets, imft) == 0 < mft.overtaken(packets, adaptive)
    late = 0
    for a, b in itertools.combinations(range(len(packets)), 2):
        same = packets.source[a] == packets.source[b]
        if same and packets.destination[a] == packets.destination[b]:
            assert adaptive.start[a] < adaptive.start[b]
            late += adaptive.head[a] > adaptive.head[b]
    assert late >= mft.overtaken(packets, adaptive)


# ---- FIFOs, ports, buffers -----------------------------------------------------------------------


@pytest.mark.parametrize("room", [None, 4])
@pytest.mark.parametrize("mode", ["MFT", "IMFT"])
def test_the_least_fifo(mode, room):
    packets = random_packets(np.random.default_rng(9), 8, 150, 4, 60)
    least = mft.least_fifo(Mft(3, mode, room=room), packets)
    enough = mft.run(Mft(3, mode, fifo=least, room=room), packets)
    assert not enough.overflowed.any()
    assert enough.peak.max() == least > 4
    few, _ = compare(Mft(3, mode, fifo=least - 1, room=room), packets)
    assert few.overflowed.any()
    assert mft.least_fifo(Mft(3), Packets.of([], [], [])) == 0


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_ports_and_buffers(n):
    """Counted on the plain routers' wiring: inputs are outputs of others."""
    ports = mft.router_ports(n)
    lanes = mft.lane_counts(n).tolist()
    for row in range(n):
        above = 2 * lanes[row + 1] if row + 1 < n else 0
        assert ports[row].tolist() == [2 + above, 2 * lanes[row] + 2 * (row < n - 1)]
    assert ports[-1].tolist() == [2, 2]  # the topmost do not grow, the lowest do
    assert ports[0].sum() == (4 if n == 1 else 3 * 2**n)
    words = mft.buffer_words(Mft(n, fifo=4, pipeline=0))
    assert words == (2**n * (2**n - 1) * 4, 0)
    outputs = int(ports[:, 1].sum()) * 2 ** (n - 1)
    assert mft.buffer_words(Mft(n, pipeline=2))[1] == 2 * outputs


def test_routers_are_as_many_as_drawn():
    graph = nx.Graph()
    for row, c in itertools.product(range(2), range(4)):
        for link in (0, 1):
            graph.add_edge((row, c), (row + 1, int(mft.parent(3, row, c, link))))
    assert len(graph) == 12 and nx.is_connected(graph)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Mft(0), "n: is 0; allowed are integers 1 … 10"),
        (lambda: Mft(3, "FT"), "mode: is 'FT'; allowed are MFT, IMFT"),
        (lambda: Mft(3, lanes="ALL"), "lanes: is 'ALL'; allowed are EXACT, DOUBLING"),
        (lambda: Mft(3, fifo=0), "fifo: is 0; allowed are integers 1"),
        (lambda: Mft(3, pipeline=-1), "pipeline: is -1; allowed are integers 0"),
        (lambda: mft.run(Mft(1), Packets.of(0, [2], 0)), "dst: holds 2; allowed are 0 … 1"),
        (lambda: mft.run(Mft(1), Packets.of(1, [1], 0)), "dst: client 1 sends to itself"),
        (lambda: mft.turn_row(2, [1, 2], [0, 0, 0]), "dst: has another shape than src"),
        (lambda: mft.parent(2, 1, 0, 0), "row: is 1; allowed are integers 0 … 0"),
        (lambda: mft.link_use(1, np.ones((2, 2))), "rate: is negative, or not 0 from a client"),
        (lambda: mft.link_use(1, [[0.0]]), "rate: has shape"),
        (lambda: mft.buffer_words(Mft(2, fifo=None)), "fifo: is None; allowed are integers"),
        (
            lambda: mft.run(Mft(1, room=2), Packets.of(0, [1], 0, 3)),
            "room: is 2; allowed are integers from 3, the longest packet",
        ),
        (lambda: mft.counter_example(4), "n: is 4; allowed are integers 1 … 3"),
    ],
)
def test_bad_arguments(call, text):
    with pytest.raises(ValueError, match=text):
        call()
