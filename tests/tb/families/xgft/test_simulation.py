"""Packet-switched fat-trees: the trace, measured runs, lists of packets."""

import csv
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.families import find
from fattree_models import xgft
from tests.cli import Cli, icarus, passes
from tests.tb.bench.wormhole.edits import LOSES_PACKETS, TAKES_ANY_SEED

MEASURED = "WARMUP=0 PERIODS=1 PERIOD=250"  # clocks: on Icarus a saturated one takes milliseconds


@icarus
def test_more_replies_than_a_leaf_has_room_for_come_one_after_the_other(tb_cli: Cli) -> None:
    """Their queue wraps: a leaf gets more requests than it has places."""
    passes(
        tb_cli,
        "NETWORK=kary K=2 LEVELS=3 ROUTING=RANDOM DEPTH=4 STAGES=1 CLASSES=2 TEST=request_reply"
        " SIM=icarus",
    )


@icarus
@pytest.mark.parametrize(("ahead", "clocks"), [(0, 3), (1, 2)])
def test_clocks_of_a_packet_of_one_flit(tb_cli: Cli, ahead: int, clocks: int) -> None:
    """With one virtual channel, and a route that is worked out while another packet waits."""
    load = f"LEVELS=1 VCS=1 FLITS=1 LOAD=1 {MEASURED} TEST=traffic"
    text = passes(tb_cli, f"NETWORK=kary K=2 {load} AHEAD={ahead} SIM=icarus")
    found = re.search(r"accepted ([\d.]+)", text)
    assert found
    assert abs(float(found[1]) - 1 / clocks) < 0.01


# ---- the trace -----------------------------------------------------------------------------------


def traced(tb_cli: Cli, variables: str) -> tuple[Wormhole, list[dict[str, int]]]:
    """A network, and the rows of the trace of its run on Icarus."""
    text = passes(tb_cli, f"{variables} TRACE=1 SIM=icarus")
    found = re.search(r"log: (\S+)/sim\.log", text)
    assert found, text
    with (Path(found[1]) / "trace.csv").open() as file:
        rows = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(file)]
    given = dict(word.split("=", 1) for word in variables.split())
    return find(given["NETWORK"]).from_variables(given), rows


@icarus
@pytest.mark.parametrize(
    "variables",
    [
        "NETWORK=kary K=2 LEVELS=2 TEST=uniform",
        *(
            pytest.param(variables, marks=pytest.mark.nightly)
            for variables in (
                "NETWORK=gft H=2 M=2 W=2 ROUTING=RANDOM STAGES=1 TEST=bursts",
                "NETWORK=kary K=2 LEVELS=2 CLASSES=2 STAGES=2 TEST=request_reply",
            )
        ),
    ],
)
def test_every_hop_is_in_the_trace(variables: str, tb_cli: Cli) -> None:
    """The hops of a packet are a way from its source to its destination, forwards in time."""
    network, rows = traced(tb_cli, variables)
    packets: dict[tuple[int, ...], list[dict[str, int]]] = {}
    for row in rows:
        key = ("item", "source", "destination", "packet", "reply")
        packets.setdefault(tuple(row[name] for name in key), []).append(row)
    assert len(packets) > 10
    least = network.switch.stages + 1
    for hops in packets.values():
        first, last = hops[0], hops[-1]
        ports = np.full((1, network.ways.max_hops), -1)
        ports[0, : len(hops)] = [hop["output_port"] for hop in hops]
        walked = xgft.walk(network.tree, [first["source"]], ports)
        assert walked.end[0] == first["destination"]
        assert walked.level[0, : len(hops)].tolist() == [hop["level"] for hop in hops]
        assert walked.node[0, : len(hops)].tolist() == [hop["switch"] for hop in hops]
        assert [hop["hop"] for hop in hops] == list(range(len(hops)))
        clocks = [hop["clock"] for hop in hops]
        assert all(b - a >= least for a, b in pairwise(clocks))
        # A clock after it began, the head is on its sender's link.
        if not first["reply"]:
            assert first["created"] <= first["injected"] <= clocks[0] - 1 - least
        assert last["clock"] + first["flits"] - 1 <= first["arrived"]
        assert all(0 <= hop["vc"] < network.switch.vcs for hop in hops)


@icarus
def test_a_packet_alone_by_hand(tb_cli: Cli, tmp_path: Path) -> None:
    """Leaf 1 to leaf 2 of a 2-ary 2-tree: three switches of 3 + 1 clocks, four flits."""
    path = tmp_path / "packets.csv"
    path.write_text("source,destination,release,flits\n1,2,20,4\n")
    _, rows = traced(tb_cli, f"NETWORK=kary K=2 LEVELS=2 MESSAGES={path}")
    same = {"item": 0, "source": 1, "packet": 0, "reply": 0, "destination": 2, "flits": 4}
    same |= {"created": 20, "injected": 20, "arrived": 36}
    hops = [(1, 0, 2), (2, 0, 1), (1, 1, 0)]  # by parent 0, as 2 is even
    assert rows == [
        same
        | {"hop": i, "level": level, "switch": switch, "output_port": port, "vc": 0}
        | {"clock": 21 + 4 * (i + 1)}
        for i, (level, switch, port) in enumerate(hops)
    ]


# ---- measured runs -------------------------------------------------------------------------------

SATURATED = f"NETWORK=kary K=2 LEVELS=2 LOAD=1 FLITS=1 {MEASURED}"


@icarus
def test_what_a_saturated_network_loses_is_named(rtl_copy: Path, tb_cli: Cli) -> None:
    """A measured run stops sending when it is over, and all that was begun must still arrive."""
    for edit in LOSES_PACKETS:
        edit.apply(rtl_copy)
    variables = f"{SATURATED} TEST=saturation RTL={rtl_copy} SIM=icarus"
    done = tb_cli("sim", *variables.split())
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"^  lost: \d+$", done.stdout, re.M), done.stdout


@icarus
def test_a_saturated_network_is_emptied(tb_cli: Cli) -> None:
    text = passes(tb_cli, f"{SATURATED} TEST=saturation SIM=icarus")
    sent, delivered = map(int, re.findall(r"packets: (\d+) sent, (\d+) delivered", text)[0])
    assert sent == delivered > 500
    assert text.count("saturated (") >= 1


# ---- random numbers ------------------------------------------------------------------------------


@icarus
def test_a_generator_that_starts_at_0_is_noticed(rtl_copy: Path, tb_cli: Cli) -> None:
    """It stays there, and its switch sends everything to the same parent."""
    TAKES_ANY_SEED.apply(rtl_copy)
    variables = f"NETWORK=kary K=2 LEVELS=2 ROUTING=RANDOM TEST=free_choice RTL={rtl_copy}"
    done = tb_cli("sim", *variables.split(), "SIM=icarus")
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"^  uneven: \d+$", done.stdout, re.M), done.stdout


# ---- whatever else users see ---------------------------------------------------------------------


@icarus
def test_a_file_of_packets_is_delivered(tb_cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "packets.csv"
    path.write_text("source,destination,release\n0,3,0\n3,0,5\n2,2,700\n")
    text = passes(tb_cli, f"NETWORK=kary K=2 LEVELS=2 SIM=icarus MESSAGES={path}")
    assert "packets: 3 sent, 3 delivered, 0 lost" in text
    assert "7 flit-hops" in text
