"""The compiled network against the plain one: every link, every clock."""

import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models import xgft
from fattree_models.wormhole import Network, Simulation, difference
from fattree_models.wormhole.plain.network import Reference
from tests.models.wormhole.cases import Burst, Case, cases, compare, traffic


@settings(max_examples=150)
@given(cases())
def test_both_do_the_same(case: Case) -> None:
    """Flits, credits, VCs, routes, draws and states are the same, resets and stalls included."""
    assert compare(case) is None


@pytest.mark.nightly
@settings(max_examples=3000)
@given(cases())
def test_both_do_the_same_in_many_cases(case: Case) -> None:
    """As above, in many more cases."""
    assert compare(case) is None


def test_a_wide_switch_needs_several_words() -> None:
    """Bits of input lanes fill more than one word of 64 bits."""
    network = Network(tree=xgft.kary(40, 1), vcs=3, stages=1, depth=2)
    rng = np.random.default_rng(4)
    bursts = [Burst(60, [], None, True)]
    assert compare(Case(network, 1, None, traffic(rng, 40, 300, 20, 5), bursts)) is None


def test_bursts_and_logs_do_not_matter() -> None:
    """What is recorded, and in which pieces a run goes, changes nothing."""
    network = Network(tree=xgft.kary(2, 3), routing="ADAPTIVE")
    packets = traffic(np.random.default_rng(3), 8, 200, 2000, 9)
    whole, parts, quiet = (Simulation(network, 7) for _ in range(3))
    for each in (whole, parts, quiet):
        each.load(packets)
    expected = whole.run(2500)
    assert expected is not None
    begin = 0
    for clocks in (1, 2, 997, 1500):
        seen = parts.run(clocks)
        assert seen is not None
        for name in ("packet", "index", "vc", "credits", "draws"):
            rows = getattr(expected, name)[begin : begin + clocks]
            assert (getattr(seen, name) == rows).all(), name
        begin += clocks
    quiet.run(2500, record=False)
    assert (quiet.fates.tail == whole.fates.tail).all() and (quiet.fates.tail >= 0).all()
    assert quiet.worked < 2500 == quiet.clock


def test_nothing_moves_nothing_is_simulated() -> None:
    """Quiet clocks are skipped, and the random numbers go on as if they were not."""
    network = Network(tree=xgft.kary(2, 2), routing="RANDOM")
    slow, fast = Simulation(network, 3), Simulation(network, 3)
    for each in (slow, fast):
        each.load(traffic(np.random.default_rng(1), 4, 5, 1, 3))
    fast.run(10_000, record=False)
    assert fast.worked < 100
    for _ in range(100):
        slow.run(100, record=False)
    a, b = slow.run(5), fast.run(5)
    assert a is not None and b is not None and (a.draws == b.draws).all()


def test_items_follow_each_other() -> None:
    """Dropped packets are forgotten, a second item continues from there."""
    network = Network(tree=xgft.kary(2, 3), routing="ADAPTIVE")
    models = Reference(network, 5), Simulation(network, 5)
    rng = np.random.default_rng(8)
    for packets in (traffic(rng, 8, 300, 100, 9), traffic(rng, 8, 50, 30, 4)):
        for each in models:
            each.load(packets)
        for clocks in (60, 100):
            expected, seen = (each.run(clocks) for each in models)
            assert expected is not None and seen is not None
            assert difference(expected, seen) is None
            for each in models:
                each.drop()
        begun = models[1].fates.began >= 0
        assert (models[0].fates.began == models[1].fates.began).all()
        assert ((models[1].fates.tail >= 0) == begun).all()
    assert begun.all()
