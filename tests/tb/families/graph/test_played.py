"""A user's fabric in RTL and in the model: loads, the worst traffic, deadlocks, what is refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.cli import main
from fattree_bench.errors import UserError
from fattree_bench.families.graph.network import GraphNetwork
from fattree_bench.paths import ROOT
from fattree_models import topology
from fattree_models.topology.proofs import carried

FABRIC = ROOT / "examples" / "fabric-6.csv"
SMALL = ("VCS=1", "DEPTH=2", "STAGES=1", "SIM=icarus")
RING = "source,target,source_type,target_type\n" + "".join(
    f"h{a},{a},host,switch\n{a},{b},switch,switch\n" for a, b in ("ab", "bc", "ca")
)
AROUND = "switch,destination,port\n" + "".join(
    f"{a},h{x},{f'h{x}' if x == a else b}\n" for a, b in ("ab", "bc", "ca") for x in "abc"
)
Told = tuple[int, str]


@pytest.fixture
def ftb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """Status and output of a command that writes into a folder of its own."""

    def run(*words: str) -> Told:
        status = main([*words, f"BUILD={tmp_path}"])
        return status, capsys.readouterr().out

    return run


def network(*words: str) -> GraphNetwork:
    return GraphNetwork.from_variables(dict(word.split("=", 1) for word in words))


def network_of(tmp_path: Path, text: str, *words: str) -> GraphNetwork:
    (tmp_path / "net.csv").write_text(text)
    return network(f"FILE={tmp_path / 'net.csv'}", *words)


@pytest.mark.usefixtures("icarus")
def test_every_cable_carries_what_was_computed(tmp_path: Path, ftb: Callable[..., Told]) -> None:
    """Parallel cables and the second one of a host among them; by tables that were written."""
    ftb("topology", str(FABRIC), "ROUTES=left", "WRITE=tables")
    tables = f"TABLES={tmp_path / 'topology' / 'fabric-6-tables.csv'}"
    _, output = ftb("topology", str(FABRIC), tables, "PLAY=1", "SIM=icarus")
    assert "30 packets sent, 30 delivered, 0 faults" in output
    assert "all 22 link loads are as computed, most 5" in output


@pytest.mark.usefixtures("icarus")
def test_the_worst_traffic_loads_its_link(ftb: Callable[..., Told]) -> None:
    _, output = ftb(
        "topology", str(FABRIC), "ROUTES=left", "PLAY=worst", "WRITE=worst", "SIM=icarus"
    )
    assert "2 packets of a permutation on leaf1 port 5 → top port 4" in output
    assert "5 packets sent, 5 delivered, 0 faults" in output
    assert "all 22 link loads are as computed, most 2" in output


def test_the_load_of_the_worst_traffic_is_the_matching() -> None:
    graph = network(f"FILE={FABRIC}", "ROUTES=balanced").shape.tree
    packets, channel, goal = topology.worst(graph.routes)
    loads = carried(graph.routes, goal)
    assert packets == 2 == loads[channel]
    # Together the shifts are all pairs.
    every = sum(carried(graph.routes, np.roll(np.arange(6), shift)) for shift in range(1, 6))
    ranked = topology.rank(graph.routes.fabric)
    assert ranked is not None
    assert (every == topology.follow(graph.routes, ranked).loads).all()


def test_parallel_cables_and_both_of_a_host_are_used() -> None:
    graph = network(f"FILE={FABRIC}", "ROUTES=left").shape.tree
    ranked = topology.rank(graph.routes.fabric)
    assert ranked is not None
    loads = topology.follow(graph.routes, ranked).loads
    assert loads.min() >= 1 and graph.ratio.max() == 4
    assert [(k.rank, k.nodes.size, k.down, k.up) for k in graph.kinds] == [
        *((0, 1, 1, 2), (1, 2, 3, 2), (2, 1, 5, 0))
    ]


@pytest.mark.usefixtures("icarus")
def test_a_deadlock_is_played(tmp_path: Path, ftb: Callable[..., Told]) -> None:
    """The verdict on routes in a ring; in RTL, and in the model to the clock."""
    for name, text in (("ring.csv", RING), ("around.csv", AROUND)):
        (tmp_path / name).write_text(text)
    (tmp_path / "to.csv").write_text(
        "source,destination,release,flits\n0,2,0,20\n1,0,0,20\n2,1,0,20\n"
    )
    named = (f"FILE={tmp_path / 'ring.csv'}", f"TABLES={tmp_path / 'around.csv'}")
    assert "packets can deadlock" in ftb("topology", *named)[1]
    words = ("NETWORK=graph", *named, *SMALL, f"MESSAGES={tmp_path / 'to.csv'}", "TEST=file")
    status, output = ftb("sim", *words)
    assert status == 1 and "a cycle of 6 waits" in " ".join(output.split())
    assert "a (level 1 switch 0) input 2 VC 0 waits for" in output
    assert "link_mismatch" not in output
    assert ftb("sim", *words, "VCS=2", "DEPTH=32")[0] == 0  # queues that hold whole packets


LOST = "source,target\n"
LINK = "source,target,source_type,target_type,speed\n"
LEFT = ("ROUTES=left",)


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (f"{LOST}a,s\nb,s\nc,t\nd,t\n", (), "some of its nodes are not joined"),
        (FABRIC.read_text(), (), "5 of 30 pairs do not arrive: no entry: h0 to h5 at leaf0"),
        (f"{LINK}a,b,host,host,1\na,s,host,switch,1\nb,s,host,switch,1\n", LEFT, "a and b share"),
        (f"{LINK}a,s,host,switch,1\nb,s,host,switch,65536\n", (), "a cable is 65536 times as slow"),
        (LOST + "".join(f"h{x},s\n" for x in range(300)), (), "300 hosts, 1 switches, 300 ports"),
        (f"{LINK}a,s,host,switch,1\nb,s,host,switch,2\n", ("EXACT=0",), "EXACT=0: not for hosts"),
    ],
)
def test_what_is_refused(text: str, words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        network_of(tmp_path, text, *words).verilog()
    assert message in str(refused.value) and "\n" not in str(refused.value)
    assert "net.csv: " in str(refused.value) or message.startswith(("300", "EXACT"))


def test_a_large_fabric_has_a_model_alone(tmp_path: Path) -> None:
    """1024 hosts: 32 leaf switches below 8 tops, two cables each, one of them slow."""
    rows = [f"h{x},leaf{x // 32},host,switch,100" for x in range(1024)]
    rows += [f"leaf{a},top{b},switch,switch,100" for a in range(32) for b in range(8)]
    rows += [f"leaf{a},top{b},switch,switch,50" for a in range(32) for b in range(8)]
    network = network_of(tmp_path, "\n".join([LINK.strip(), *rows, ""]), "WIDTH=40")
    assert network.ways.max_hops == 3
    with pytest.raises(
        UserError, match=r"1024 hosts, 40 switches, 2048 ports; RTL has at most 256"
    ):
        network.verilog()
    from fattree_bench.bench.wormhole.exact import model_of
    from fattree_models.traffic import Packets
    from fattree_models.wormhole import begun

    leaves = np.arange(1024)
    run = begun(model_of(network), Packets.of(leaves, np.roll(leaves, 32), 0, 8))
    run.run(3000, record=False)
    assert (run.fates.tail > 0).all()
