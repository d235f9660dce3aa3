"""Ports of routers; how many lanes are needed."""

import numpy as np
import pytest

from fattree_models import mft
from fattree_models.mft import Mft
from fattree_models.traffic import Packets
from tests.models.mft.closed_form import paths
from tests.models.mft.comparing import compare


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
