"""Turn-back routing on the bench: routes as flits note them, ports of nodes, who waits for whom."""

import csv
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.path.deadlock import waits
from fattree_bench.bench.wormhole.routes import Routes, encode_hops
from fattree_bench.bench.wormhole.states import place
from fattree_bench.families.turnback.network import TurnbackNetwork
from fattree_models.common.structure import cycle
from fattree_models.turnback.dependencies import deadlock
from tests.cli import Cli, succeeds
from tests.tb.bench.wormhole.test_flit_deadlock import sends, wants
from tests.tb.faults.faulty import Edit


def network(**variables: object) -> TurnbackNetwork:
    """Four leaves, two tops; a node of level 1 has ports 0, 1 down, 2, 3 up and a channel, 4."""
    given = {"M": "2,2", "W": "1,2", "VCS": 1, "ROUTING": "TBWP", "TBCH": 1, "ROOT_LINKS": 1}
    return TurnbackNetwork.from_variables({k: str(x) for k, x in (given | variables).items()})


def follow(made: TurnbackNetwork, source: int, destination: int, *hops: int) -> Routes:
    code = encode_hops(np.array([hops]), made.ways.hop_bits)
    return made.ways.read(np.array([source]), np.array([destination]), code)


def test_outputs_of_switches_become_ports_of_nodes() -> None:
    """Up to top 1 (output 1 of the up switch), over its root link, turn, down twice."""
    found = follow(network(), 0, 3, 1, 0, 1, 1, 1)
    assert found.legal.all()
    assert found.hops[0].tolist() == [3, 2, 3, 1, 1, -1]
    assert found.level[0].tolist() == [1, 2, 2, 2, 1, -1]
    assert found.node[0].tolist() == [0, 1, 0, 0, 1, -1]
    assert found.turn.tolist() == [2]


@pytest.mark.parametrize(
    ("variables", "hops", "legal"),
    [
        ({}, (2, 1), True),  # at once
        ({}, (0, 1, 0, 1), True),  # higher than it must
        ({}, (0, 0, 0, 1, 0, 1), False),  # two root links
        ({"LATERAL": "MANY"}, (0, 0, 0, 1, 0, 1), True),
        ({"ROUTING": "TB", "ROOT_LINKS": 0}, (0, 0, 0, 1), False),
        ({"ROUTING": "TB", "ROOT_LINKS": 0}, (2, 1), True),
        ({}, (2, 0), False),  # at another leaf
    ],
    ids=str,
)
def test_legal_ways(variables: dict[str, object], hops: tuple[int, ...], legal: bool) -> None:
    assert follow(network(**variables), 0, 1, *hops).legal.tolist() == [legal]


def test_of_many_root_links_the_latest_hops_count() -> None:
    made = network(LATERAL="MANY")
    laterals = [0] * (made.ways.max_hops - 3)
    found = follow(made, 0, 3, *laterals, 1, 1, 1)
    assert found.legal.all()
    assert found.level[0].tolist() == [-1] * len(laterals) + [2, 2, 1]
    assert (found.node == -1).all()
    assert not follow(made, 0, 3, *laterals, 1, 0, 1).legal.any()
    assert not follow(made, 0, 3, *laterals, 0, 1, 1).legal.any()


def test_places_of_a_node() -> None:
    made = network()
    assert [made.ways.ports(level) for level in (1, 2)] == [5, 4]
    assert {exit: list(ports) for exit, ports in made.ways.exits[2].items()} == {
        "DOWN": [0, 1],
        "UP": [],
        "LATERAL": [2],
        "TURN": [3],
    }
    ports = [int(place(made, i).split()[5]) for i in range(made.layout.inputs)]
    assert ports == [*range(5)] * 2 + [*range(4)] * 2
    assert place(made, 12) == "level 2 switch 0 input 2 VC 0"


def test_round_the_tops_is_a_cycle_in_the_graph_too() -> None:
    """From root link to root link: inputs 12 and 16 of the state; turn-back channels break it."""
    made = network(LATERAL="MANY")
    shown = np.zeros(made.layout.inputs, np.uint16)
    shown[[12, 16]] = sends(2), sends(2)
    allowed = made.switch.allowed
    assert set(cycle(waits(made.structure, shown, allowed))) == {12, 16}
    shown[[12, 10, 13]] = wants(3), sends(3), sends(0)  # turns, behind one whose way down is free
    assert cycle(waits(made.structure, shown, allowed)) == []
    assert {channel.kind for channel in deadlock(made.routing.nodes(made.tree)) or []} == {
        "LATERAL"
    }
    plain = network()
    assert deadlock(plain.routing.nodes(plain.tree)) is None


def hops(tb_cli: Cli, rtl: Path, build: Path) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """Pairs of hops that follow each other, of packets on a tree of four tops with root links."""
    words = ("M=2,2,2", "W=1,2,2", "ROUTING=TBWP", "TBCH=1", "ROOT_LINKS=3", "VCS=1", "TRACE=1")
    where = (f"RTL={rtl}", f"BUILD={build}", "SIM=icarus", "TEST=uniform", "EXACT=0")
    succeeds(tb_cli("sim", "NETWORK=turnback", *words, *where))
    (path,) = build.glob("runs/*/trace.csv")
    rows = [{k: int(x) for k, x in row.items()} for row in csv.DictReader(path.open())]
    yield from ((one, two) for one, two in pairwise(rows) if two["hop"] == one["hop"] + 1)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("right", [True, pytest.param(False, marks=pytest.mark.nightly)])
def test_root_links_lead_where_the_model_says(
    tb_cli: Cli, rtl_copy: Path, tmp_path: Path, right: bool
) -> None:
    """Packets arrive over any root link; that it leads to the right top the links' taps show."""
    if not right:
        one_top = Edit("xgft/xgft_level.v", "(k / 2 + 1);      // to", "1;      // to")
        one_top.apply(rtl_copy)
    made = network(M="2,2,2", W="1,2,2", ROOT_LINKS=3)
    nodes = made.routing.nodes(made.tree)
    seen = {
        (one["switch"], one["output_port"] - 2): two["switch"]
        for one, two in hops(tb_cli, rtl_copy, tmp_path)
        if one["level"] == two["level"] == 3 and one["output_port"] in (2, 3, 4)
    }
    assert {number for _, number in seen} == {0, 1, 2}
    expected = {link: nodes.neighbour(*link) for link in seen}
    assert (seen == expected) == right
