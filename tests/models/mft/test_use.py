"""Use of links, throughput and order."""

import itertools

import numpy as np
import pytest

from fattree_models import mft
from fattree_models.mft import Mft
from fattree_models.traffic import Packets, bernoulli, lengths, pattern
from tests.models.mft.closed_form import paths
from tests.models.mft.comparing import random_packets


def link_use(n, rates):
    """Flits a clock of up links and of lanes, by the row that sends, from each client to each."""
    src, dst = np.nonzero(~np.eye(2**n, dtype=bool))
    way, each = paths(n, src, dst), rates[src, dst]
    up, down = [], []
    for row, lanes in enumerate(mft.lane_counts(n)):
        here = way.turn > row
        use = np.zeros((2 ** (n - 1), 2))
        np.add.at(use, (way.up_column[here, row], way.up_link[here, row]), each[here])
        up.append(use)
        here = way.turn >= row
        use = np.zeros((2 ** (n - 1), 2, int(lanes)))
        place = (way.down_column[here, row], way.down_side[here, row], way.down_lane[here, row])
        np.add.at(use, place, each[here])
        down.append(use)
    return up[:-1], down


@pytest.mark.parametrize(("n", "top", "bottom"), [(3, 57, 14.3), (4, 53, 6.7), (5, 52, 3.2)])
def test_use_of_links(n, top, bottom):
    """The survey: 100 % at the top, below 20 % at the clients."""
    clients = 2**n
    uniform = (1 - np.eye(clients)) / (clients - 1)
    up, down = link_use(n, uniform)
    assert [round(100 * float(x.mean())) for x in (down[-1], up[-1])] == [top, top]
    assert round(100 * float(down[0].mean()), 1) == bottom
    # half of all clients, but of N - 1 others, are across the top; a lane at a client is a source
    assert np.allclose(down[-1], clients / (2 * (clients - 1)))
    assert np.allclose(down[0], 1 / (clients - 1))
    complement = np.eye(clients)[::-1]
    up, down = link_use(n, complement)
    assert all((x == 1.0).all() for x in (down[-1], *up))
    assert np.isclose(down[0].mean(), 1 / (clients - 1))
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
    pairs = [
        (a, b)  # sent in this order, from one client to one
        for a, b in itertools.combinations(range(len(packets)), 2)
        if packets.source[a] == packets.source[b]
        if packets.destination[a] == packets.destination[b]
    ]
    for mode in ("IMFT", "MFT"):
        outcome = mft.run(Mft(3, mode, fifo=None), packets)
        assert all(outcome.start[a] < outcome.start[b] for a, b in pairs)
        overtaken = sum(outcome.head[a] > outcome.head[b] for a, b in pairs)
        assert (overtaken > 0) == (mode == "MFT")
