"""Who waits for whom, on states made by hand."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

from fattree_bench.bench.path.deadlock import tell, waits
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.states import place
from fattree_models.common.structure import cycle
from tests.tb.bench.wormhole.software import kary

# Inputs of a 2-ary 2-tree with one virtual channel: switches 0 and 1 of level 1 have four each (two
# children, two parents), from 0 and 4 on; those of level 2 two each, from 8 and 10 on.
FLIT, HOLDS = 1, 2


def sends(port: int, vc: int = 1) -> int:
    """A channel that has a flit and a virtual channel of a port, and waits for a credit."""
    return FLIT | HOLDS | port << 2 | vc << 11


def wants(port: int) -> int:
    """A channel whose head waits for a virtual channel of a port."""
    return FLIT | port << 2


@dataclass
class Waiting:
    """Waits of a network, and the cycle in them."""

    network: Wormhole
    edges: list[Any]

    def cycle(self) -> list[Any]:
        return cycle(self.edges)

    def tell(self) -> list[str]:
        return tell(self.cycle(), partial(place, self.network))


def waiting(
    states: dict[int, int], network: Wormhole | None = None, answers: bool = False
) -> Waiting:
    network = network or kary()
    shown = np.zeros(network.layout.inputs, np.uint16)
    shown[list(states)] = list(states.values())
    replies = network.switch.class_vcs(1) if answers else None
    return Waiting(network, [*waits(network.structure, shown, network.switch.allowed, replies)])


def test_every_channel_has_its_place() -> None:
    network = kary(K=3, VCS=2)
    places = [place(network, i) for i in range(network.layout.inputs)]
    expected = [
        f"level {level} switch {switch} input {port} VC {vc}"
        for level in (1, 2)
        for switch in range(3)
        for port in range(6 if level == 1 else 3)
        for vc in range(2)
    ]
    assert places == expected


def test_an_empty_network_waits_for_nobody() -> None:
    assert waiting({}).cycle() == []


def test_a_chain_is_no_cycle() -> None:
    """From leaf 0 up, over, down, to leaf 2 that takes nothing: saturated, not dead."""
    found = waiting({0: sends(2), 8: sends(1), 6: sends(0)})
    assert found.edges == [(0, 8), (8, 6)]
    assert found.cycle() == []


UP_AND_DOWN = {2: sends(2), 8: sends(0)}  # from above, up again; and down again from there


def test_a_turn_upwards_closes_a_cycle() -> None:
    found = waiting(UP_AND_DOWN)
    assert found.cycle() in ([2, 8], [8, 2])
    assert sorted(found.tell()) == [
        "level 1 switch 0 input 2 VC 0 waits for level 2 switch 0 input 0 VC 0",
        "level 2 switch 0 input 0 VC 0 waits for level 1 switch 0 input 2 VC 0",
    ]


def test_what_hangs_on_a_cycle_is_not_told() -> None:
    found = waiting(UP_AND_DOWN | {0: wants(2), 1: wants(2), 9: sends(0)})
    assert set(found.cycle()) == {2, 8}


def test_a_channel_that_has_gone_on_breaks_the_cycle() -> None:
    assert waiting({2: sends(2)}).cycle() == []


def test_heads_wait_for_those_who_hold_the_port() -> None:
    found = waiting({0: wants(3), 1: sends(3), 2: sends(0)})
    assert set(found.edges) == {(0, 1), (1, 10)}
    assert found.cycle() == []


# Four virtual channels: input 2 of switch 0, on its own second, wants one of port 2; each
# is held by the same number at input 0.
ALL_HELD = {vc: sends(2, 1 << vc) for vc in range(4)} | {2 * 4 + 1: wants(2)}


@pytest.mark.parametrize(
    ("variables", "holders"),
    [
        ({}, {0, 1, 2, 3}),
        ({"CLASSES": 2}, {0, 1}),
        ({"VC_MODE": "KEEP"}, {1}),
        ({"CLASSES": 2, "VC_MODE": "KEEP"}, {1}),
    ],
    ids=str,
)
def test_heads_wait_for_channels_that_they_may_have(
    variables: dict[str, object], holders: set[int]
) -> None:
    found = waiting(ALL_HELD, kary(VCS=4, **variables))
    assert {free for one, free in found.edges if one == 9} == holders


@pytest.mark.parametrize(("classes", "dead"), [(1, False), (2, True)])
def test_another_class_is_no_way_out(classes: int, dead: bool) -> None:
    """A request waits in a cycle for the one holder of its class; the other class's continues."""
    network = kary(VCS=2, CLASSES=classes)
    # Input 2 of switch 0 wants port 2; its holders lead up, to 16 and 17: one of them back down.
    states = {4: wants(2), 0: sends(2, 1), 2: sends(2, 2), 16: sends(0, 1), 17: sends(1, 2)}
    assert bool(waiting(states, network).cycle()) == dead


def test_a_way_out_is_no_deadlock() -> None:
    """Two virtual channels: the one holder waits in a cycle, the other continues to a leaf."""
    network = kary(VCS=2)
    # Inputs twice as many: channel 2 i + v.  Input 2 of switch 0 wants the port that both hold.
    cycle = {4: wants(2), 0: sends(2, 1), 2: sends(2, 2), 16: sends(0, 1)}
    assert waiting(cycle | {17: sends(1, 2)}, network).cycle() == []
    dead = waiting(cycle | {17: sends(0, 1)}, network)
    assert {(4, 0), (4, 2)} <= set(dead.edges)
    assert set(dead.cycle()) in ({4, 0, 16}, {4, 2, 17})


# ---- replies -------------------------------------------------------------------------------------

# Leaves 0 and 1 send each other requests; both are full of replies that wait behind requests.
EACH_OTHER = {0: sends(1), 1: sends(0)}


def test_replies_behind_requests_close_a_cycle() -> None:
    found = waiting(EACH_OTHER, answers=True)
    assert set(found.cycle()) == {0, ("replies", 1), 1, ("replies", 0)}
    assert "the queue of replies at leaf 1 waits for level 1 switch 0 input 1 VC 0" in found.tell()


def test_nobody_answers_nobody_waits() -> None:
    assert waiting(EACH_OTHER).cycle() == []


def test_replies_with_a_channel_of_their_own_go_on() -> None:
    network = kary(VCS=2, CLASSES=2)
    requests = {0: sends(1, 1), 2: sends(0, 1)}
    found = waiting(requests, network, answers=True)
    assert (("replies", 1), 3) in found.edges  # its own channel, in which nothing waits
    assert found.cycle() == []


@pytest.mark.parametrize("w", [1, 2])
def test_leaves_with_one_and_with_several_parents(w: int) -> None:
    """With w_1 = 2 leaf 1 is switch 1 of level 0, and its receiver port 0 there."""
    from fattree_bench.families.xgft.network import Gft

    network = Gft.from_variables({"H": "1", "M": "2", "W": str(w), "VCS": "1"})
    first = network.tree.first
    assert first == (0 if w == 2 else 1)
    channel = (
        3 + 1 if w == 2 else 0
    )  # of switch 1, from its parent; or of leaf 0, in the one switch
    port = 0 if w == 2 else 1
    found = waiting({channel: sends(port)}, network, answers=True)
    assert found.edges[0] == (channel, ("replies", 1))
