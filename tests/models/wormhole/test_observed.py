"""Leaves that are observed: fed with what its own leaves do, the network does the same."""

import numpy as np
import pytest

from fattree_models.common.fat_tree import kary
from fattree_models.ruft.routing import Ruft
from fattree_models.traffic import Packets
from fattree_models.wormhole import Network, Simulation
from fattree_models.wormhole.observed import GROWTH, Observed


@pytest.mark.parametrize(
    "network",
    [
        Network(tree=kary(2, 2)),
        Network(tree=kary(2, 2), routing="RANDOM", stages=1, vcs=3, depth=2),
        Network(tree=Ruft(2, 2), routing="DMODK", long=2),
    ],
    ids=["d-mod-k", "random", "long links"],
)
def test_it_repeats_what_lists_and_sinks_lead_to(network):
    """All links in all clocks, also behind a reset; it observed those of leaves alone."""
    rng, count, clocks, reset = np.random.default_rng(5), GROWTH + 200, 1200, 500
    source = np.sort(rng.integers(4, size=count))
    goal = (source + rng.integers(1, 4, count)) % 4
    release = np.concatenate(
        [np.sort(rng.integers(1000, size=(source == x).sum())) for x in range(4)]
    )
    simulation = Simulation(network, seed=7)
    simulation.run(1, [0], record=False)
    simulation.load(Packets.of(source, goal, release, rng.integers(1, 5, count)))
    stall = rng.random((clocks, 4)) < 0.2
    whole = simulation.run(clocks, [reset], stall)
    last = simulation.item.flits

    observed, known = Observed(network), {}
    observed.reset(7)
    leaves = slice(-8, -4)  # from leaves; behind them the far ends of links to leaves
    for row in range(clocks):
        if row == reset:
            observed.reset(7)
            continue
        flits = []
        for leaf in np.flatnonzero(whole.packet[row, leaves] >= 0).tolist():
            packet, index = (int(a[row, leaves][leaf]) for a in (whole.packet, whole.index))
            if index == 0:
                known[packet] = observed.begin(leaf, int(goal[packet]))
            end = index + 1 == last[packet]
            flits.append((leaf, int(whole.vc[row, leaves][leaf]), known[packet], index, end))
        given = whole.credits[row, -4:]
        trace = observed.clock(
            flits, [(x, v) for x in range(4) for v in range(4) if given[x] >> v & 1]
        )
        wanted = [known[p] if p >= 0 else -1 for p in whole.packet[row].tolist()]
        assert trace.packet[0].tolist() == wanted, row
        for name in ("index", "vc", "credits"):
            assert (getattr(trace, name)[0] == getattr(whole, name)[row]).all(), (row, name)
    assert observed.packets == len(known) > GROWTH
    assert (observed.tails >= 0).sum() == (simulation.fates.tail >= 0).sum() > 900


def test_what_it_cannot_know_is_refused():
    run = Observed(Network(tree=kary(2, 2)))
    for wrong in ((4, 0), (0, 4), (0, 1, 2)):
        with pytest.raises(ValueError, match="allowed"):
            run.begin(*wrong)
