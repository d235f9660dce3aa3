"""Whom a difference is blamed on: unknown bits of states, and ports of turn-back nodes."""

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.wormhole.exact import model_of
from fattree_bench.bench.wormhole.states import States
from fattree_bench.families import find
from fattree_models import wormhole
from fattree_models.wormhole.words import Words
from tests.tb.bench.wormhole.test_compared import Burst
from tests.tb.bench.wormhole.test_states import TREE


def test_bits_that_are_read_as_zero_are_unknown() -> None:
    network = find("kary").from_variables(TREE)
    run = wormhole.Simulation(model_of(network))  # type: ignore[arg-type]
    trace = run.run(20)
    assert trace is not None
    states = States(network, run.view)  # type: ignore[arg-type]
    assert states.tell(trace, trace.states) == "a bit of the state of a switch is X or Z"
    assert states.kind == kind.UNKNOWN


def test_ports_count_from_one_in_both_switches_of_a_turn_back_node() -> None:
    """Heads are as the model writes them, which numbers ports switch by switch, but for one."""
    burst = Burst({"NETWORK": "turnback", "M": "2,2", "W": "1,2", "TBCH": "1", "VCS": "4"})
    words = Words(burst.run.network, burst.run.wiring, burst.run.item)
    hops = words.of(burst.trace).hops[:, : burst.side.shape[1], 0]
    burst.side = burst.side.astype(np.uint64) | hops << np.uint64(6)
    assert burst.tell() == ""
    row, link = np.argwhere(hops[:, : burst.network.ways.inputs])[-1]
    burst.side[row, link] ^= np.uint64(64)
    assert f"clock {row}: " in burst.tell() and "whose last is not this output" in burst.tell()
