"""What a difference of states is called: where, when, what is shown."""

import numpy as np
import pytest

from fattree_bench.bench.wormhole.exact import model_of
from fattree_bench.bench.wormhole.states import States
from fattree_bench.families import find
from fattree_models import wormhole
from fattree_models.traffic import Packets

TREE = {"NETWORK": "kary", "K": "2", "LEVELS": "2", "STAGES": "1"}
DRAWN = {"NETWORK": "benes", "PORTS": "4", "LEVELS": "2", "UNFOLDED": "1", "STAGES": "1"}
# Level 2 comes last: its first switch has inputs 8 and 9 of the tree's ports; VCs are two.


@pytest.mark.parametrize("given", [TREE, DRAWN])
def test_a_difference_is_told(given: dict[str, str]) -> None:
    where, held = "level 1 switch 0 input 0 VC 0", "port 3, VC 0"
    network = find(given["NETWORK"]).from_variables(given)
    run = wormhole.Simulation(model_of(network))  # type: ignore[arg-type]
    run.load(Packets.of([0], [3], [20], 60))
    trace = run.run(60)
    assert trace is not None
    states = States(network, run.view)  # type: ignore[arg-type]
    seen = trace.states.copy()
    seen[32, 0] ^= np.uint64(1)
    seen[33:] ^= np.uint64(1)  # in a clock that is not looked at
    assert states.tell(trace, seen).startswith(
        f"clock 32: {where}: expected flits wait, has its VC ({held}), "
        f"seen no flit waits, has its VC ({held})"
    )
    # The earliest is reported, of several the first; others are counted.
    seen[0] ^= np.uint64(3)
    seen[0, run.view.home // 64] ^= np.uint64(1) << np.uint64(run.view.home % 64)
    output = states.tell(trace, seen)
    assert output.startswith(f"clock 0: {where}: expected no flit waits")
    assert output.endswith("others in this clock)")


def test_an_output_is_told() -> None:
    network = find("kary").from_variables(TREE)
    run = wormhole.Simulation(model_of(network))  # type: ignore[arg-type]
    run.load(Packets.of([0], [3], 0, 4))
    trace = run.run(20)
    assert trace is not None
    bit = run.view.home + 5
    seen = trace.states.copy()
    seen[0, bit // 64] ^= np.uint64(1) << np.uint64(bit % 64)
    assert States(network, run.view).tell(trace, seen) == (  # type: ignore[arg-type]
        "clock 0: level 1 switch 0 output 2 VC 1: expected free, with all credits, "
        "seen busy, or credits away"
    )
