"""Switches of one clock, driven by what came in, do what they do in the whole network."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree import Xgft, kary
from fattree_models.ruft.routing import Ruft
from fattree_models.traffic import Packets
from fattree_models.wormhole import Domain, Network, Simulation, Trace, Traffic
from fattree_models.wormhole.kernel import SHOWN_EVERY

CLOCKS, PACKETS, SEED = 700, 400, 7
NETWORKS: dict[str, dict[str, Any]] = {
    "kary": {"tree": kary(2, 2)},
    "adaptive": {"tree": kary(2, 3), "routing": "ADAPTIVE", "stages": 2, "vcs": 3},
    "leaves of several parents": {"tree": Xgft((2, 2), (2, 2)), "arbiter": "MATRIX", "stages": 1},
    "turn-back": {"tree": kary(2, 2), "routing": "TB", "root_links": 2, "vcs": 1},
    "ruft": {"tree": Ruft(2, 3), "long": 2, "classes": 2},
    "ahead": {"tree": kary(2, 2), "ahead": 1, "vcs": 4, "ways": 2, "vc_mode": "KEEP"},
}


def traced(network: Network) -> tuple[Simulation, Trace]:
    """A network behind a reset, and what was on its links."""
    rng = np.random.default_rng(1)
    run = Simulation(network, SEED)
    run.run(1, resets=[0], may_send=False, record=False)
    source, release = rng.integers(network.leaves, size=PACKETS), rng.integers(300, size=PACKETS)
    order = np.lexsort((release, source))
    goal, flits = rng.integers(network.leaves, size=PACKETS), rng.integers(1, 9, size=PACKETS)
    kind = rng.integers(network.classes, size=PACKETS)
    run.load(Packets.of(source[order], goal, release[order], flits, kind))
    trace = run.run(CLOCKS)
    assert trace is not None
    return run, trace


def ends(rows: npt.NDArray[Any]) -> Int64Array:
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=CLOCKS))))


def of_domain(domain: Domain, run: Simulation, trace: Trace) -> tuple[Traffic, Traffic]:
    """All that was on the links of a domain, and what others put there."""
    part, shift = domain.part, domain.rules.shift
    outs = run.wiring.told_out.size
    place = np.concatenate(
        (part.outputs, np.where(part.sources < 0, outs - 1 - part.sources, part.sources))
    )
    packet, index, vc, credits = (
        each[:, place].astype(np.int64)
        for each in (trace.packet, trace.index, trace.vc, trace.credits)
    )
    row, link = np.nonzero(packet >= 0)
    packet, index = packet[row, link], index[row, link]
    tail = index + 1 == run.item.flits[packet]
    flit = packet << 17 | index << 2 | (index == 0) << 1 | tail
    flits = np.stack((domain.links[link] << shift | vc[row, link], flit), 1)
    at, back, lane = np.nonzero(credits[..., None] >> np.arange(domain.network.vcs) & 1)
    given = domain.links[back] << shift | lane
    came, lent = link >= part.outputs.size, part.wiring.target[domain.links[back]] < 0
    return (
        Traffic(flits, given, np.stack((ends(row), ends(at)), 1)),
        Traffic(flits[came], given[lent], np.stack((ends(row[came]), ends(at[lent])), 1)),
    )


def by_clock(traffic: Traffic) -> tuple[list[Any], list[Any]]:
    """Flits and credits with their clocks, in order."""
    flits, credits = (np.repeat(np.arange(CLOCKS), np.diff(e)) for e in traffic.ends.T)
    flit = [(int(c), *map(int, f)) for c, f in zip(flits, traffic.flits, strict=True)]
    return sorted(flit), sorted(zip(credits.tolist(), traffic.credits.tolist(), strict=True))


@pytest.mark.parametrize("name", NETWORKS)
def test_every_domain_is_as_in_the_whole_network(name: str) -> None:
    network = Network(**NETWORKS[name])
    run, trace = traced(network)
    for level in (None, *range(np.unique(run.wiring.switches.level).size)):
        domain = Domain(network, level)
        domain.reset(SEED)
        domain.packet = run.packet.copy()
        expected, driven = of_domain(domain, run, trace)
        found, _ = domain.run(driven)
        assert len(expected.flits) and by_clock(found) == by_clock(expected), level


def test_a_flit_that_came_a_clock_later_changes_what_goes_out() -> None:
    """The control: what is compared depends on what came in."""
    network = Network(**NETWORKS["kary"])
    run, trace = traced(network)
    domain = Domain(network, 0)
    domain.reset(SEED)
    domain.packet = run.packet.copy()
    expected, driven = of_domain(domain, run, trace)
    late = driven.ends.copy()
    late[1 + int(np.argmax(late[1:, 0] > 0)), 0] -= 1
    found, _ = domain.run(driven._replace(ends=late))
    assert by_clock(found) != by_clock(expected)


def test_states_are_those_of_the_whole_network() -> None:
    network = Network(**NETWORKS["kary"])
    run, trace = traced(network)
    domain = Domain(network)
    domain.reset(SEED)
    domain.packet = run.packet.copy()
    _, driven = of_domain(domain, run, trace)
    for clock in range(0, CLOCKS - SHOWN_EVERY, SHOWN_EVERY):
        _, state = domain.run(driven._replace(ends=driven.ends[clock : clock + SHOWN_EVERY + 1]))
        assert (state == trace.states[clock]).all()
