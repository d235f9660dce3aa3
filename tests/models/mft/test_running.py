"""MFT and IMFT, clock by clock, against routers, wires and FIFOs in plain Python."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models import mft
from fattree_models.mft import Mft, kernel, running
from fattree_models.traffic import Packets
from tests.models.mft.comparing import compare, random_packets
from tests.models.refused import refused


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


@settings(max_examples=60)
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


test_bad_arguments = refused(
    (lambda: Mft(0), "n: is 0; allowed are integers 1 … 10"),
    (lambda: Mft(3, "FT"), "mode: is 'FT'; allowed are MFT, IMFT"),
    (lambda: Mft(3, lanes="ALL"), "lanes: is 'ALL'; allowed are EXACT, DOUBLING"),
    (lambda: Mft(3, fifo=0), "fifo: is 0; allowed are integers 1"),
    (lambda: Mft(3, pipeline=-1), "pipeline: is -1; allowed are integers 0"),
    (lambda: mft.run(Mft(1), Packets.of(0, [2], 0)), "dst: holds 2; allowed are 0 … 1"),
    (lambda: mft.run(Mft(1), Packets.of(1, [1], 0)), "dst: client 1 sends to itself"),
    (lambda: mft.turn_row(2, [1, 2], [0, 0, 0]), "dst: has another shape than src"),
    (
        lambda: mft.run(Mft(1, room=2), Packets.of(0, [1], 0, 3)),
        "room: is 2; allowed are integers from 3, the longest packet",
    ),
    (lambda: mft.counter_example(4), "n: is 4; allowed are integers 1 … 3"),
)
