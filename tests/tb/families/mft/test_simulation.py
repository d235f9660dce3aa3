"""Modified fat-trees: packet sets, the least FIFO, wiring, what tests reach."""

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.scenarios import reset
from fattree_bench.families.mft.traffic import in_step
from fattree_models import mft
from fattree_models.traffic import read_packets
from tests.cli import Cli, passes
from tests.models.mft.brute_mft import neighbour
from tests.night import some
from tests.tb.faults.test_players_replayed import blame


def sim(tb_cli: Cli, variables: str) -> str:
    text = passes(tb_cli, "NETWORK=mft VERBOSE=1", variables)
    assert "L3 exact" in text
    return text


@pytest.mark.usefixtures("icarus")
def test_the_smallest_set_that_doubled_lanes_lose(tb_cli: Cli) -> None:
    """Three packets on four clients, one is lost in RTL; with exact lanes none."""
    few = mft.counter_example(2)
    assert few is not None and len(few) == 3
    text = sim(tb_cli, "N=4 LANES=DOUBLING TEST=needed_lanes SIM=icarus")
    assert "packets: 6 sent, 4 delivered, 2 lost (2 in routers, as predicted)" in text
    text = sim(tb_cli, "N=4 TEST=needed_lanes SIM=icarus")
    assert "packets: 6 sent, 6 delivered, 0 lost" in text


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("more", some([0, 1], 1))
def test_the_least_fifo_is_that_of_the_model(tb_cli: Cli, tmp_path: Path, more: int) -> None:
    """With as many flits as the model says nothing is lost; with one less a packet is."""
    path = tmp_path / "packets.csv"
    lines = [f"{source},0,{release},3" for release in range(0, 60, 3) for source in range(1, 4)]
    path.write_text("\n".join(["source,destination,release,flits", *lines]) + "\n")
    net = mft.Mft(2, fifo=1000, room=3)
    least = mft.least_fifo(net, read_packets(path, 4))
    fifo = least - 1 + more
    text = sim(tb_cli, f"N=4 ROOM=3 FLITS=3 FIFO={fifo} MESSAGES={path} SIM=icarus")
    lost = re.search(r"packets: 60 sent, \d+ delivered, (\d+) lost", text)
    assert lost and (int(lost[1]) == 0) == bool(more), text


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_rows_are_joined_as_the_survey_says(n: int) -> None:
    """The second up link leads to another column; each side reaches its interval of clients."""
    made: Any = MftNetwork.from_variables({"N": str(1 << n)}).structure
    ports = zip(made.tail.tolist(), made.tail_port.tolist(), made.head.tolist(), strict=True)
    leads = {(made.nodes[tail], port): made.nodes[head] for tail, port, head in ports}

    def reached(place: str) -> set[int]:
        if place.startswith("client"):
            return {int(place.split()[1])}
        return reached(leads[place, 0]) | reached(leads[place, 1])

    for row, c in itertools.product(range(n), range(2 ** (n - 1))):
        here, half = f"router ({row}, {c})", 2**row
        for side in (0, 1):
            first = c // half * 2 * half + side * half
            assert reached(leads[here, side]) == {*range(first, first + half)}
        for link, above in enumerate((c, neighbour(c, row)) if row < n - 1 else ()):
            assert leads[here, 2 + link] == f"router ({row + 1}, {above})"
            assert leads[f"router ({row + 1}, {above})", c // half % 2] == here


@pytest.mark.parametrize("mode", ["IMFT", "MFT"])
@pytest.mark.parametrize("pipeline", [1, 2])
@pytest.mark.parametrize("clients", [4, 8, 16])
def test_in_step_each_side_below_the_top_loses_a_packet_at_once(
    clients: int, pipeline: int, mode: str
) -> None:
    variables = {"N": clients, "MODE": mode, "LANES": "DOUBLING", "PIPELINE": pipeline}
    network = MftNetwork.from_variables({k: str(v) for k, v in variables.items()})
    packets = in_step(np.random.default_rng(1), network, 512)
    outcome = mft.run(network.model, packets)
    below = network.n - 2
    lost = outcome.lost_row == below
    hops = 2 * mft.turn_row(network.n, packets.source, packets.destination) - below
    clock = outcome.start + hops * pipeline
    assert np.bincount(clock[lost]).max() == clients


@pytest.mark.parametrize("clients", [4, 8])
def test_each_client_is_in_a_packet_in_one_of_the_resets(clients: int) -> None:
    network = MftNetwork.from_variables({"N": str(clients)})
    inside = np.zeros(clients, np.bool_)
    for item in reset(Stimulus(network, np.random.default_rng(1), 200)):
        out = mft.run(network.model, item.packets)
        inside[item.packets.destination[(out.head < item.reset) & (item.reset <= out.tail)]] = True
    assert inside.all()


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(offer_i[15:0] <= now_i)", "(offer_i[15:0] < now_i)", "nothing instead of flit 0"),
        (
            ": offer_i[16 +: ADDR_W];",
            ": offer_i[16 +: ADDR_W] ^ {{(ADDR_W-1){1'b0}}, count == 2};",
            r"a flit 0x\w+ with marks \d in VC 0 instead of flit 0 of packet 2",
        ),
    ],
    ids=["late", "elsewhere"],
)
def test_a_player_s_fault_is_its_own(
    old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = "NETWORK=mft N=4 TEST=uniform"
    told = rf"clock \d+: leaf \d sent {said}"
    blame((run, "flit_source.v", old, new, told), tmp_path, monkeypatch)
