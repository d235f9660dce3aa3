"""The clock-exact model against the RTL: every hop of every packet, in its clock, VC and port."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.scenario import generator
from fattree_bench.bench.wormhole.exact import model_of
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.places import output
from fattree_bench.bench.wormhole.plan import link_of
from fattree_bench.families import find
from fattree_models import wormhole
from fattree_models.traffic import Packets
from fattree_models.wormhole.item import Item
from fattree_models.wormhole.wiring import wire
from fattree_models.wormhole.words import address_bits
from tests.cli import Cli, succeeds
from tests.night import some
from tests.tb.bench.wormhole.edits import OTHER_CHOICES
from tests.tb.faults.faulty import Edit

pytestmark = pytest.mark.usefixtures("icarus")

SEED, CLOCKS = 5, 1500
RANDOM = "NETWORK=kary K=2 LEVELS=2 ROUTING=RANDOM"
CORNERS = (
    "NETWORK=kary K=2 LEVELS=3 ROUTING=ADAPTIVE STAGES=1 VCS=3 DEPTH=3",
    "NETWORK=xgft M=3,2 W=2,3 ROUTING=TWO AHEAD=1 WAYS=2 VCS=4 ARBITER=MATRIX",
    "NETWORK=turnback M=2,2 W=1,2 ROUTING=TBWP TBCH=1 ROOT_LINKS=1 LATERAL=MANY VCS=1",
    "NETWORK=turnback M=3,2 W=1,2 ROUTING=TB ADDRESS=VECTOR VC_MODE=KEEP STAGES=2 DEPTH=2",
    "NETWORK=benes PORTS=4 LEVELS=2 UNFOLDED=1 ROUTING=MLID",
    "NETWORK=ruft K=2 LEVELS=3 LONG=5 VC_MODE=KEEP DEPTH=4",
)


def network_of(variables: str) -> Wormhole:
    """The bench's network."""
    given = dict(word.split("=", 1) for word in variables.split())
    network = find(given["NETWORK"]).from_variables(given)
    assert isinstance(network, Wormhole)
    return network


def traffic(leaves: int) -> Packets:
    """Many packets of many lengths between any leaves: more than the network can take at once."""
    rng = np.random.default_rng(SEED)
    source, destination = rng.integers(leaves, size=(2, 12 * leaves))
    release = np.sort(rng.integers(100, size=source.size))
    return Packets.of(source, destination, release, rng.integers(1, 10, source.size))


def seen(tb_cli: Cli, variables: str, packets: Packets, path: Path) -> set[tuple[int, ...]]:
    """What the RTL does: source, packet, injected, arrived, level, switch, port, VC, clock."""
    columns = (packets.source, packets.destination, packets.release, packets.flits)
    lines = "\n".join(",".join(map(str, row)) for row in zip(*columns, strict=True))
    path.write_text(f"source,destination,release,flits\n{lines}\n")
    asked = f"{variables} MESSAGES={path} SEED={SEED} TRACE=1 EXACT=0 SIM=icarus"
    text = succeeds(tb_cli("sim", *asked.split()))
    found = re.search(r"log: (\S+)/sim\.log", text)
    assert found
    names = ("source", "packet", "injected", "arrived", "level", "switch", "output_port", "vc")
    with (Path(found[1]) / "trace.csv").open() as file:
        rows = {tuple(int(row[n]) for n in (*names, "clock")) for row in csv.DictReader(file)}
    return rows


def expected(network: Wormhole, packets: Packets) -> set[tuple[int, ...]]:
    """The same of the model."""
    ran = wormhole.run(
        model_of(network),
        packets,
        [CLOCKS],
        seed=int(generator(SEED, "file").integers(1 << 32)),
        tables=0 if network.layout.entries is None else len(network.layout.entries),
        traced=True,
    )
    (trace,) = ran.traces
    assert (ran.fates.tail >= 0).all()
    links = network.ways.inputs
    place = np.array([output(network, link) for link in range(links)])
    clock, link = np.nonzero(trace.index[:, :links] == 0)
    packet, vc = trace.packet[clock, link], trace.vc[clock, link]
    number = np.arange(len(packets)) - packets.starts(network.leaves)[packets.source]
    who = packets.source, number, ran.fates.began, ran.fates.tail
    rows = np.stack([*(each[packet] for each in who), *place[link].T, vc, clock], axis=1)
    return {tuple(row) for row in rows.tolist()}


@pytest.mark.parametrize("variables", some((RANDOM, *CORNERS), 2))
def test_every_hop_is_the_models(tb_cli: Cli, variables: str, tmp_path: Path) -> None:
    network = network_of(variables)
    packets = traffic(network.leaves)
    rows = seen(tb_cli, variables, packets, tmp_path / "packets.csv")
    assert len(rows) > len(packets) > 40
    assert sorted(rows ^ expected(network, packets)) == []


@pytest.mark.parametrize("fault", some(OTHER_CHOICES, 1))
def test_a_right_network_that_chooses_otherwise_is_seen(
    tb_cli: Cli, rtl_copy: Path, tmp_path: Path, fault: Edit
) -> None:
    """All packets arrive, and no other check says a word."""
    fault.apply(rtl_copy)
    network = network_of(RANDOM)
    packets = traffic(network.leaves)
    rows = seen(tb_cli, f"{RANDOM} RTL={rtl_copy}", packets, tmp_path / "packets.csv")
    assert rows != expected(network, packets)


@pytest.mark.parametrize("variables", (RANDOM, *CORNERS))
def test_words_are_those_that_the_bench_awaits(variables: str) -> None:
    """Widths of all fields, and the word of every flit on every link."""
    network = network_of(variables)
    model, packets = model_of(network), traffic(network.leaves)
    words = wormhole.Words(model, wire(model), Item.of(model, packets, None))
    assert address_bits(model) == network.words.address_bits
    assert (words.leaf_bits, words.number_bits) == (
        network.words.node_bits,
        network.words.number_bits,
    )
    assert (words.hop_bits, words.hops_bits) == (network.ways.hop_bits, network.ways.hops_bits)
    (trace,) = wormhole.run(model, packets, [CLOCKS], traced=True).traces
    at = trace.packet >= 0
    packet, index = trace.packet[at], trace.index[at].astype(np.int64)
    source = packets.source.astype(np.int64)
    address = link_of(network).address(source, packets.destination.astype(np.int64))
    number = np.arange(len(packets)) - packets.starts(network.leaves)[source]
    none = np.zeros(packet.size, np.bool_)
    sender = source[packet]
    data = network.words.write(number[packet], index, none, sender, sender, address[packet])
    assert (words.of(trace).data[at] == data).all()
