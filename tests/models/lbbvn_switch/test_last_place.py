"""Which cells a mailbox refuses because they may not leave before its last place does."""

import numpy as np
import pytest

from fattree_models.lbbvn_switch import Switch, SwitchShape, connections
from tests.models.lbbvn_switch.cases import LEGAL


def falls_back(schedule: str, n: int) -> bool:
    """Whether place 0 leaves earlier for a later offer of the same flow.

    The cell before has the last place at most, so it leaves no later than the last place of its own
    middle.  If place 0 never leaves earlier for a later offer, neither does the last place, and the
    next cell always finds a place that leaves late enough.
    """
    nodes = 1 << n
    phases = connections(schedule, n)
    meets = np.empty((nodes, nodes), np.int64)  # slot in which a middle meets an output
    meets[np.arange(nodes), phases.to_output] = np.arange(nodes)[:, None]
    slot = np.arange(2 * nodes)
    for source in range(nodes):
        middle = phases.to_middle[slot % nodes, source]
        leaves = slot[:, None] + (meets[middle] - slot[:, None]) % nodes
        if (np.diff(leaves, axis=0) <= 0).any():
            return True
    return False


@pytest.mark.parametrize("n", range(1, 9))
@pytest.mark.parametrize("schedule", LEGAL["MAILBOX"])
def test_only_xor_from_four_cards_on_refuses_them(schedule: str, n: int) -> None:
    assert falls_back(schedule, n) == (schedule == "XOR" and n >= 2)


@pytest.mark.parametrize("schedule", LEGAL["MAILBOX"])
def test_a_flow_alone(schedule: str) -> None:
    """It sends in every slot; nothing is in its way but its own cells, which keep their order."""
    shape = SwitchShape(2, "MAILBOX", schedule, ingress=16, middle=2, tries=2)
    switch = Switch(shape)
    arrivals = np.full((40, 4), -1)
    arrivals[:8, 0] = 3
    left = switch.run(arrivals)
    came = left.arrival[:, 3]
    assert came[came >= 0].tolist() == list(range(8))
    assert bool(switch.counters.refused.sum()) == (schedule == "XOR")
