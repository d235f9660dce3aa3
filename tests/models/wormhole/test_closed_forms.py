"""What can be worked out without a model: latency alone, full rate, credits, fairness."""

import numpy as np
import pytest

from fattree_models import ruft, turnback, xgft
from fattree_models.benes import benes_tables
from fattree_models.common.fat_tree.tables import table_routes
from fattree_models.ruft import tree as ruft_tree
from fattree_models.ruft.routing import Ruft
from fattree_models.traffic import Packets
from fattree_models.wormhole import Answer, Network, Simulation, Words, run
from fattree_models.wormhole.item import Item
from fattree_models.wormhole.wiring import wire

TREE = xgft.Xgft((3, 2, 2), (1, 2, 2))
APART = 100  # clocks: enough for one packet to be gone


def alone(leaves: int, flits: int) -> Packets:
    """Return packets of all pairs, one after the other."""
    source, destination = np.divmod(np.arange(leaves**2), leaves)
    return Packets.of(source, destination, APART * np.arange(leaves**2), flits)


def taken(network: Network, packets: Packets) -> list[list[int]]:
    """Run, and return the ports that each packet took, as its head tells them at the end."""
    result = run(network, packets, [APART * (len(packets) + 1)], seed=9, traced=True)
    words = Words(network, wire(network), Item.of(network, packets, None))
    (trace,) = result.traces
    written = words.of(trace)
    routes: list[list[int]] = [[] for _ in range(len(packets))]
    for row, link in np.argwhere(written.head[:, -network.leaves :]):
        place = trace.packet.shape[1] - network.leaves + link
        value, hops = int(written.hops[row, place, 0]), []
        while value:
            hops.append((value & (1 << words.hop_bits) - 1) - 1)
            value >>= words.hop_bits
        routes[trace.packet[row, place]] = hops[::-1]
        assert link == packets.destination[trace.packet[row, place]]
    return routes


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_latency_alone(stages: int) -> None:
    """A packet that is alone takes 1 + hops (stages + 1) + flits - 1 clocks."""
    packets = alone(TREE.leaves, 3)
    result = run(Network(tree=TREE, stages=stages), packets, [APART * (len(packets) + 1)])
    hops = xgft.hop_count(TREE, packets.source, packets.destination)
    expected = xgft.zero_load_latency(hops, 3, stages)
    assert (result.fates.tail - packets.release == expected).all()


@pytest.mark.parametrize("long", [0, 1, 4])
def test_latency_over_long_links(long: int) -> None:
    """Registers of a long link cost a clock each."""
    net, packets = Ruft(2, 3), alone(8, 2)
    result = run(Network(tree=net, stages=2, long=long), packets, [APART * (len(packets) + 1)])
    expected = ruft_tree.zero_load_latency(net, 2, 2, long)
    assert (result.fates.tail - packets.release == expected).all()


@pytest.mark.parametrize("climb", ["NCA", "TOP"])
@pytest.mark.parametrize("routing", ["DMODK", "SMODK", "RANDOM", "ADAPTIVE", "TWO"])
def test_routes_in_trees(routing: str, climb: str) -> None:
    """Hops are those of `xgft.routes`, or legal where a switch chooses."""
    for tree in (xgft.Xgft((3, 2), (1, 2)), xgft.gft(2, 2, 2)):
        packets = alone(tree.leaves, 1)
        hops = taken(Network(tree=tree, routing=routing, climb=climb), packets)
        padded = np.full((len(hops), 2 * tree.height + 1), -1)
        for row, ports in zip(padded, hops, strict=True):
            row[: len(ports)] = ports
        ends = packets.source, packets.destination
        assert xgft.legal(tree, *ends, padded, climb).all()  # type: ignore[arg-type]
        if routing in ("DMODK", "SMODK"):
            expected = xgft.routes(tree, *ends, routing, climb)  # type: ignore[arg-type]
            assert (padded[:, : expected.shape[1]] == expected).all()


@pytest.mark.parametrize("routing", ["TB", "TBWP"])
def test_routes_in_turnback_nodes(routing: str) -> None:
    """Hops are legal ones of `turnback`."""
    for tree in (xgft.kary(2, 2), xgft.gft(2, 2, 2)):
        net = turnback.Turnback(tree, 2, 2, 1, routing)  # type: ignore[arg-type]
        packets = alone(tree.leaves, 1)
        network = Network(tree=tree, routing=routing, tbch=2, root_links=2, vcs=1)
        hops = taken(network, packets)
        padded = np.full((len(hops), 8), -1)
        for row, ports in zip(padded, hops, strict=True):
            row[: len(ports)] = ports
        assert turnback.legal(net, packets.source, packets.destination, padded).all()


def test_routes_of_tables_and_of_ruft() -> None:
    """Hops are what tables say, also column by column; in a RUFT the digits."""
    packets = alone(8, 1)
    ends = packets.source, packets.destination
    for tables, folded in (
        (xgft.mlid_tables(4, 2), None),
        (benes_tables(4, 2), None),
        (benes_tables(4, 2), (4, 2)),
    ):
        network = Network(tree=tables.tree, routing="TABLES", tables=tables, folded=folded)
        expected = table_routes(tables, *ends)
        ports = expected.ports if hasattr(expected, "ports") else expected
        assert taken(network, packets) == [[p for p in row if p >= 0] for row in ports.tolist()]
    assert taken(Network(tree=Ruft(2, 3)), packets) == ruft.routes(Ruft(2, 3), ends[1]).tolist()


@pytest.mark.parametrize("stages", [1, 2, 3])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_rate_by_credits(stages: int, depth: int) -> None:
    """Of a packet, DEPTH flits go in 4 clocks, a flit a clock at most, in however many stages."""
    flits = 600
    network = Network(tree=xgft.kary(2, 1), vcs=1, stages=stages, depth=depth)
    result = run(network, Packets.of([0], 1, 0, flits), [6000])
    clocks = int(result.fates.tail[0] - result.fates.head[0])
    assert abs(clocks - flits * max(1, 4 / depth)) <= 4


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_rate_of_heads_by_credits(stages: int) -> None:
    """A packet of one flit through a queue of one place takes STAGES + 3 clocks."""
    network = Network(tree=xgft.kary(2, 1), vcs=1, stages=stages, depth=1)
    result = run(network, Packets.of(np.zeros(100, int), 1, 0, 1), [1000])
    assert (np.diff(np.sort(result.fates.tail)) == stages + 3).all()


@pytest.mark.parametrize(
    ("stages", "ahead", "clocks"), [(3, 0, 3), (3, 1, 2), (2, 0, 2), (1, 0, 1)]
)
def test_rate_of_short_packets(stages: int, ahead: int, clocks: int) -> None:
    """One VC carries a packet of one flit in so many clocks."""
    network = Network(tree=xgft.kary(2, 1), vcs=1, stages=stages, ahead=ahead)
    result = run(network, Packets.of(np.zeros(200, int), 1, 0, 1), [1000])
    gaps = np.diff(np.sort(result.fates.tail))[20:]
    assert (gaps == clocks).all()


@pytest.mark.parametrize("arbiter", ["ROUND_ROBIN", "MATRIX"])
@pytest.mark.parametrize("vc_mode", ["ANY", "KEEP"])
def test_inputs_get_equal_shares(arbiter: str, vc_mode: str) -> None:
    """Seven that want one output get equal shares, to a packet."""
    network = Network(tree=xgft.kary(8, 1), vcs=1, arbiter=arbiter, vc_mode=vc_mode)
    source = np.repeat(np.arange(1, 8), 100)
    result = run(network, Packets.of(source, 0, 0, 4), [1500])
    share = np.bincount(source[result.fates.tail >= 0], minlength=8)[1:]
    assert share.sum() > 200 and share.max() - share.min() <= 1


def test_all_credits_come_home() -> None:
    """When all has arrived, all is as after a reset, but for arbiters and random numbers."""
    network = Network(tree=xgft.kary(2, 3), routing="TWO", classes=2, depth=3)
    packets = alone(8, 5)
    simulation = Simulation(network, 3, Answer(2, 1))
    simulation.load(Packets.of(packets.source, packets.destination, 0, 5))
    trace = simulation.run(20_000)
    assert trace is not None and (simulation.fates.tail >= 0).all() and not simulation.inside
    shown = trace.shown
    assert shown.free.all() and shown.home.all() and not (shown.waiting | shown.active).any()


def test_random_routes_are_uniform() -> None:
    """Each of four parents gets a quarter of the packets, to five standard deviations."""
    tree, count = xgft.kary(4, 2), 4000
    packets = Packets.of(np.zeros(count, int), 15, 7 * np.arange(count), 1)
    result = run(Network(tree=tree, routing="RANDOM"), packets, [8 * count], traced=True)
    seen = [(part[:, 4:8] >= 0).sum() for part in (result.traces[0].packet,)]
    assert seen == [count]
    each = (result.traces[0].packet[:, 4:8] >= 0).sum(axis=0)
    assert (abs(each - count / 4) < 5 * np.sqrt(count * 3 / 16)).all()
