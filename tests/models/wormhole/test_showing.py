"""What switches show of themselves in each clock, as bits."""

import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models import xgft
from fattree_models.traffic import Packets
from fattree_models.wormhole import Network, Simulation
from fattree_models.wormhole.kernel import SHOWN_EVERY
from fattree_models.wormhole.wiring import UP
from tests.models.wormhole.cases import Case, cases


def test_the_contracts_example() -> None:
    """A packet of two flits, STAGES=3 VCS=1 DEPTH=4, leaf 0 to leaf 1 (docs/wormhole.md)."""
    run = Simulation(Network(tree=xgft.kary(2, 1), vcs=1, depth=4))
    run.load(Packets.of([0], [1], 0, 2))
    trace = run.run(9)
    assert trace is not None
    row = trace.states[:, 0].astype(int)  # from bit 0: waits, has a VC, port, VC; of two inputs
    assert (run.view.first.tolist(), run.view.home, run.view.bits) == ([0, 4], 8, 10)
    port = 4
    waits, has = 1, 2 | 8
    mine = [0, 0, waits, waits | port, waits | has | port, waits | has | port, port | 8]
    assert (row & 15).tolist() == [*mine, port | 8, port | 8]
    assert not (row >> 4 & 15).any()
    # The output VC of leaf 1 is not home while a packet holds it, or credits are away.
    assert (row >> 8 & 3).tolist() == [3, 3, 3, 3, 1, 1, 1, 1, 3]


@settings(max_examples=80)
@given(cases())
def test_rows_are_the_states_clock_by_clock(case: Case) -> None:
    """What a run shows is what single steps show; so is the weighted total."""
    whole, parts, quick = (Simulation(case.network, case.seed, case.answer) for _ in range(3))
    for each in (whole, parts, quick):
        each.load(case.packets)
    for burst in case.bursts:
        given = burst.resets, burst.stall, burst.may_send
        trace = whole.run(burst.clocks, *given)
        quick.hashed(burst.clocks, *given)
        assert trace is not None
        total = np.zeros(whole.view.words, np.uint64)
        for at in range(burst.clocks):
            stall = None if burst.stall is None else burst.stall[at : at + 1]
            reset = [0] if at in burst.resets else []
            one = parts.run(1, reset, stall, burst.may_send)
            assert one is not None
            row = parts.view.row(one.shown)
            assert (trace.states[at] == row).all()
            if at % SHOWN_EVERY == 0:
                low, high = (np.uint64(each) for each in weights(at))
                total += (row & np.uint64(2**32 - 1)) * low + (row >> np.uint64(32)) * high
        assert (quick.total == total).all()


def weights(row: int) -> list[int]:
    """Of the lower and the upper halves of the words of a clock, in plain integers."""
    found = [row + 1]
    for _ in range(3):
        x = found[-1] * 0x9E3779B97F4A7C15 % 2**64
        found.append((x ^ x >> 32) | 1)
    return found[2:]


def test_quiet_clocks_count() -> None:
    """Clocks that the model skips are also shown."""
    run = Simulation(Network(tree=xgft.kary(2, 2)))
    run.load(Packets.of([0], [3], [500], 2))
    trace = run.run(1000)
    assert trace is not None and run.worked < 200
    assert trace.states.any(axis=1).all()
    assert (trace.states[:400] == trace.states[0]).all()
    assert len(np.unique(trace.states, axis=0)) > 4


@pytest.mark.parametrize("routing", ["DMODK", "TB"])
def test_every_bit_has_one_place(routing: str) -> None:
    """No two overlap, and none is left out; ports are as wide as those of a node."""
    run = Simulation(Network(tree=xgft.kary(2, 3), vcs=3, routing=routing))
    view = run.view
    used = np.zeros(view.bits, int)
    for first, port in zip(view.first, view.port_bits, strict=True):
        used[first : first + 2 + port + 3] += 1
    used[view.home :] += 1
    assert (used == 1).all()
    up = run.wiring.switches.role == UP
    assert up.any() == (routing == "TB")
    widest = 3 if routing == "TB" else 2  # children, parents, and two channels
    assert view.port_bits.max() == widest
