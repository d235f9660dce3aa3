"""Networks whose cables break: fates by hand, what every run must keep, pairs that are cut."""

import networkx as nx
import numpy as np
import pytest

from fattree_models import xgft
from fattree_models.common.fat_tree import Xgft, gft, kary
from fattree_models.traffic import Packets
from fattree_models.wormhole import Network, difference
from fattree_models.wormhole.faulty import (
    CUT_SHORT,
    DISCARDED,
    ON_THE_LINK,
    TURNED,
    UNROUTABLE,
    FaultyReference,
)
from fattree_models.wormhole.faulty_run import FaultySimulation
from fattree_models.wormhole.outages import NEVER, Cables, Outages, drawn
from fattree_models.wormhole.plain.network import Reference


def played(network: Network, outages: Outages, packets: Packets, clocks: int) -> FaultyReference:
    """A run behind a reset."""
    run = FaultyReference(network, outages)
    run.run(4, [0], may_send=False)
    run.load(packets)
    run.run(clocks)
    return run


def spread(leaves: int, count: int, clocks: int, seed: int = 1) -> Packets:
    rng = np.random.default_rng(seed)
    ends = rng.integers(leaves, size=(2, count))
    return Packets.of(*ends, np.sort(rng.integers(0, clocks, count)), rng.integers(1, 9, count))


# One switch, three stages: a head that begins in clock 0 asks for its route in 2, has its VC in 3,
# crosses in 4, and is on the link to leaf 1 in 5; each flit behind it a clock later.
ONE = Network(tree=kary(2, 1), vcs=1, depth=8)


@pytest.mark.parametrize(
    ("release", "flits", "dead", "detect", "fate"),
    [
        (10, 1, 0, 4, (12, UNROUTABLE)),
        (0, 1, 0, 4, (4, DISCARDED)),  # it has its VC, and would cross
        (0, 1, 0, 3, (3, DISCARDED)),  # it has a route
        (0, 1, 0, 2, (2, UNROUTABLE)),
        (0, 1, 0, 5, (5, ON_THE_LINK)),
        (0, 1, 5, 0, (5, ON_THE_LINK)),
        (0, 4, 8, 4, (12, CUT_SHORT)),
        (0, 4, 8, 0, (8, CUT_SHORT)),
        (0, 4, 9, 0, None),  # the tail was on the link in 8
    ],
)
def test_fate_of_a_packet_to_a_leaf(
    release: int, flits: int, dead: int, detect: int, fate: tuple[int, str] | None
) -> None:
    outages = Outages.none(Cables(kary(2, 1)), detect)
    outages.break_(np.array([1]), dead)
    run = played(ONE, outages, Packets.of(0, 1, [release], flits), 60)
    assert run.lost == ({} if fate is None else {0: fate})
    assert (run.fates.tail[0] >= 0) == (fate is None)
    assert not run.inside


@pytest.mark.parametrize(
    ("dead", "detect", "fate"),
    [
        (1, 4, (1, ON_THE_LINK)),  # from the leaf to the switch in clock 1
        (3, 4, (11, CUT_SHORT)),  # the switch poisons it in 7; the queue, the link
        (0, 0, (1, ON_THE_LINK)),
    ],
)
def test_fate_of_a_packet_from_a_leaf(dead: int, detect: int, fate: tuple[int, str]) -> None:
    outages = Outages.none(Cables(kary(2, 1)), detect)
    outages.break_(np.array([0]), dead)
    run = played(ONE, outages, Packets.of(0, 1, [0], 4), 60)
    assert run.lost[0][1] == fate[1]
    if fate[1] == ON_THE_LINK:
        assert run.lost == {0: fate}
    assert not run.inside


def test_without_faults_it_is_the_plain_network() -> None:
    for stages, routing in ((1, "ADAPTIVE"), (3, "DMODK")):
        network = Network(tree=kary(2, 2), stages=stages, routing=routing, ahead=1, depth=3)
        packets = spread(4, 30, 60)
        other = Reference(network)
        other.run(4, [0], may_send=False)
        other.load(packets)
        run = FaultyReference(network, Outages.none(Cables(kary(2, 2))))
        run.run(4, [0], may_send=False)
        run.load(packets)
        assert difference(other.run(120), run.run(120)) is None


CASES = [
    (kary(2, 3), {"stages": 1, "ahead": 1, "routing": "ADAPTIVE", "vcs": 3, "ways": 3}, False),
    (kary(2, 3), {"stages": 3, "ahead": 1, "depth": 3}, True),
    (Xgft((3, 4), (1, 2)), {"stages": 2, "vc_mode": "KEEP", "vcs": 4, "routing": "SMODK"}, False),
    (gft(2, 2, 2), {"routing": "RANDOM", "vcs": 1, "depth": 2}, True),
]


@pytest.mark.parametrize(("tree", "more", "local"), CASES)
def test_every_packet_arrives_or_is_lost(tree: Xgft, more: dict[str, int], local: bool) -> None:
    """And when the cables are back all credits are home."""
    cables, network = Cables(tree), Network(tree=tree, **more)  # type: ignore[arg-type]
    outages = Outages.none(cables, 3, local)
    outages.break_(cables.both(cables.between[:2]), 20, 90)
    outages.break_(cables.both(cables.of_switch(0)), 40, 100)
    run = played(network, outages, spread(tree.leaves, 80, 120), 600)
    arrived = run.fates.tail >= 0
    lost = np.isin(np.arange(arrived.size), list(run.lost))
    assert (arrived ^ lost).all()
    assert lost.any()
    assert not run.inside
    shown = run._shown()
    assert (shown.home & shown.free).all() and not shown.waiting.any()
    late = run.item.release > 105
    assert arrived[late].all()


def test_local_recovery_takes_the_next_live_parent() -> None:
    """D-mod-k sends all to leaf 3 by parent 1; its cable is dead, and leaf 3 is below parent 0."""
    cables = Cables(kary(2, 2))
    for local in (False, True):
        outages = Outages.none(cables, 0, local)
        outages.break_(cables.both(np.array([3])), 0)
        run = played(Network(tree=kary(2, 2)), outages, Packets.of(0, 3, [5], 2), 60)
        assert (run.fates.tail[0] >= 0) == local
        assert [why for _, why in run.lost.values()] == ([] if local else [UNROUTABLE])


def test_a_packet_that_is_led_up_again_is_turned() -> None:
    tree = kary(2, 3)
    tables = xgft.opensm_tables(tree)
    for switch in range(tree.level_size(2)):
        tables.ports[2][switch, 7] = 2  # up, although leaf 7 is below two of them
    network = Network(tree=tree, routing="TABLES", tables=tables)
    run = played(network, Outages.none(Cables(tree)), Packets.of(0, [7, 6], 0, 5), 100)
    assert [why for _, why in run.lost.values()] == [TURNED]
    assert not run.inside


def test_a_burst_is_told_again() -> None:
    tree = kary(2, 2)
    run = FaultySimulation(Network(tree=tree), Outages.none(Cables(tree)))
    run.run(4, [0], may_send=False)
    run.load(spread(4, 20, 30))
    before = run.registers()
    hashes = run.hashed(40)
    run.put_back(before)
    trace = run.run(40)
    assert trace is run._last and hashes.any() and run.total.any()


def test_pairs_that_are_cut() -> None:
    """Against searches in graphs: of all ways, and of those whose climbs come first."""
    for tree in (kary(2, 3), gft(2, 2, 2), Xgft((3, 4), (1, 2))):
        cables, rng = Cables(tree), np.random.default_rng(2)
        for _ in range(3):
            dead = np.zeros(cables.ports, np.bool_)
            dead[cables.both(drawn(cables, "rate", 0.3, rng))] = True
            dead[cables.both(cables.of_switch(0))] = True
            any_way: nx.Graph = nx.Graph()
            climbs: nx.DiGraph = nx.DiGraph()
            any_way.add_nodes_from(("leaf", x) for x in range(tree.leaves))
            for port in np.flatnonzero(~dead).tolist():
                here, end = int(cables.of[port]), int(cables.end[port])
                there = ("leaf", -1 - end) if end < 0 else int(cables.of[end])
                any_way.add_edge(here, there)
                if end < 0:  # first up, then down
                    climbs.add_edge(("from", -1 - end), ("up", here))
                    climbs.add_edge(("down", here), ("to", -1 - end))
                elif end > port:
                    climbs.add_edge(("up", here), ("up", there))
                    climbs.add_edge(("down", there), ("down", here))
                climbs.add_edge(("up", here), ("down", here))
            way = dict(nx.all_pairs_shortest_path_length(any_way))
            pairs = [(a, b) for a in range(tree.leaves) for b in range(tree.leaves) if a != b]
            cut = sum(("leaf", b) not in way[("leaf", a)] for a, b in pairs)
            reach = {
                a: nx.descendants(climbs, ("from", a)) if ("from", a) in climbs else set()
                for a in range(tree.leaves)
            }
            up_down = sum(("to", b) not in reach[a] for a, b in pairs)
            assert cables.cut(dead) == (cut, up_down - cut)


def test_what_is_drawn() -> None:
    cables, rng = Cables(kary(2, 3)), np.random.default_rng(1)
    assert drawn(cables, "links", 3, rng).size == 3
    assert drawn(cables, "rate", 1, rng).tolist() == cables.between.tolist()
    assert drawn(cables, "switches", 12, rng).size == 24
    with pytest.raises(ValueError, match="there are 16 cables between switches"):
        drawn(cables, "links", 17, rng)
    assert (Outages.none(cables).back == NEVER).all()
