"""One source an up link and a lane: nothing waits, to the clock; ports; how many lanes."""

import itertools

import numpy as np
import pytest

from fattree_models import mft, xgft
from fattree_models.mft import Mft
from fattree_models.traffic import Packets
from tests.models.mft import closed_form
from tests.models.mft.closed_form import paths
from tests.models.mft.comparing import compare, random_packets


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_packets_turn_where_those_of_the_2_ary_n_tree_do(n):
    """So routing is as in the regular tree: up to the first common router, down by address."""
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
    way = paths(n, src, dst)
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
    for client in range(2**n):
        lanes_of = way.down_lane[dst == client, 0]
        assert sorted(lanes_of.tolist()) == list(range(2**n - 1))


def test_swapped_lanes_are_seen(monkeypatch):
    """A path whose wiring leads two parents' lanes together has two sources in a lane."""
    monkeypatch.setattr(closed_form, "lane_counts", lambda n: np.ones(n, int))
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
    way = paths(4, packets.source, packets.destination)
    assert np.array_equal(outcome.lane, way.down_lane[:, 0])
    tree_hops = xgft.hop_count(xgft.kary(2, 4), packets.source, packets.destination)
    assert np.array_equal(hops, tree_hops)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_ports(n):
    """Counted on the plain routers' wiring: inputs are outputs of others."""
    ports = mft.router_ports(n)
    lanes = mft.lane_counts(n).tolist()
    for row in range(n):
        above = 2 * lanes[row + 1] if row + 1 < n else 0
        assert ports[row].tolist() == [2 + above, 2 * lanes[row] + 2 * (row < n - 1)]
    assert ports[-1].tolist() == [2, 2]  # the topmost do not grow, the lowest do
    assert ports[0].sum() == (4 if n == 1 else 3 * 2**n)


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
    way = paths(n, np.arange(1, clients), 0)
    for row, lanes in enumerate(mft.lane_counts(n).tolist()):
        columns = way.down_column[way.turn >= row, row]
        used = way.down_lane[way.turn >= row, row]
        for c in np.unique(columns):
            assert sorted(used[columns == c].tolist()) == list(range(lanes))
