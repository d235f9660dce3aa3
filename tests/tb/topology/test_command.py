"""`ftb topology`: what it prints, its exit status, and routes in RTL."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.cli import main
from fattree_bench.fabric import play as playing
from fattree_bench.paths import ROOT
from fattree_bench.sim.simulate import Outcome
from fattree_bench.topology import write
from fattree_bench.topology.command import fabric_of, read
from fattree_models import topology
from fattree_models.xgft import Xgft, dmodk_tables, ftree_mn, kary, read_tables
from tests.cli import Cli, check_refused
from tests.models.topology.fabrics import Cables, cables, crossed, fabric
from tests.tb.topology.own_tables import write_tables
from tests.tb.topology.samples import dump, ibnetdiscover, table_csv

Told = tuple[int, str]
FAULT = ("row[address_i] <= entry_i;", "row[address_i == 2 ? 3 : address_i] <= entry_i;")
SMALL = cables(Xgft((2, 2), (1, 2)), ports=True)


@pytest.fixture
def ftb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """`ftb(cables, "WRITE=dot")`: exit status, and what is printed."""

    def run(links: Cables, *words: str) -> Told:
        of = fabric(links)
        (tmp_path / "net.csv").write_text(write.edge_list(of, of.hosts))
        status = main(["topology", str(tmp_path / "net.csv"), f"BUILD={tmp_path}", *words])
        return status, capsys.readouterr().out

    return run


def without(links: Cables, one: str, other: str) -> Cables:
    return [cable for cable in links if cable[::2] != (one, other)]


def test_a_sound_tree(ftb: Callable[..., Told]) -> None:
    status, output = ftb(cables(kary(4, 3)))
    assert status == 0 and "SOUND" in output
    assert "this is XGFT(3; 4,4,4; 1,4,4), 4-ary 3-tree" in output
    assert "4032 of 4032 pairs arrive, over at most 6 links" in output
    assert "deadlock-free: no cyclic waiting" in output
    assert "cyclic shifts of the 64 hosts, packets on the busiest link: 1, ideal 1" in output


def test_a_slim_and_a_fat_one(ftb: Callable[..., Told]) -> None:
    status, output = ftb(cables(Xgft((4, 4), (1, 2))))
    assert status == 0 and "slimmed 2:1 at level 1: 4 links down, 2 up" in output
    status, output = ftb(cables(Xgft((4, 4), (1, 2)), (1, 2)))
    assert status == 0 and "this is PGFT(2; 4,4; 1,2; 1,2)" in output


def test_a_missing_cable(ftb: Callable[..., Told]) -> None:
    status, output = ftb(without(cables(kary(4, 3)), "leaf1", "agg2"))
    assert status == 1 and "FAIL  breaks UP_PORTS, DOWN_PORTS and SUBTREES" in output
    assert "UP_PORTS: switch leaf1 has 3 links up, its 15 peers have 4" in output
    assert "missing cable: leaf1 – agg2\nelse this is XGFT(3; 4,4,4; 1,4,4)" in output
    assert "agg1 → leaf1: 120, 40 too many" in output


def test_much_damage_and_what_it_costs(ftb: Callable[..., Told]) -> None:
    """A leaf switch with three cables of four: 4 x 61 pairs leave by three, else by four."""
    cut = [("agg1", "spine1"), ("agg1", "spine5"), ("leaf1", "agg2")]
    links = [x for x in cables(kary(4, 3), ports=True) if x[::2] not in cut]
    links += [("leaf3", 9, "agg2", 9), ("hx", 1, "spine0", 9)]
    status, output = ftb(links, "ROUTES=left", "REVERSE=1")
    missing = "\n".join(f"missing: {a} – {b}, 0 of 1 there" for a, b in cut)
    doubled = "doubled: leaf3 port 9 – agg2 port 9, 2 where peers have 1"
    assert status == 1 and f"{missing}\n{doubled}\n" in output
    assert "LEAF_RANK: host hx hangs on spine0 port 9, higher than the other hosts" in output
    assert "damage costs 3 of 129 cables between switches:\n  one must carry 82 of all" in output
    assert "pairs, 61 if none were missing\n  0 pairs have no way on these routes\n" in output


def test_crossed_cables(ftb: Callable[..., Told]) -> None:
    links = cables(kary(4, 3))
    place = {cable[::2]: k for k, cable in enumerate(links)}
    swap = place["leaf1", "agg1"], place["leaf6", "agg4"]
    status, output = ftb(crossed(links, *swap))
    assert status == 1 and "crossed cables: " in output


def test_rules_kept_by_what_is_no_tree_of_the_family(ftb: Callable[..., Told]) -> None:
    """Tops that join the wrong switches of pods: OpenSM does not mind, exact numbers do."""
    links = cables(kary(4, 3))
    place = {cable[::2]: k for k, cable in enumerate(links)}
    links = crossed(links, place["agg1", "spine1"], place["agg2", "spine2"])
    status, output = ftb(links)
    assert status == 1
    assert "FAIL  keeps the rules, but is not an XGFT or PGFT" in output
    assert "crossed cables" in output


def test_what_is_not_connected(ftb: Callable[..., Told]) -> None:
    status, output = ftb([*SMALL, ("hx", 1, "sx", 1)])
    assert status == 1 and "CONNECTED: no way between" in output and "routes" not in output


def test_radix(ftb: Callable[..., Told]) -> None:
    assert ftb(SMALL, "PORTS=4")[0] == 0
    status, output = ftb(SMALL, "PORTS=3")
    assert status == 1 and "RADIX: switch leaf0 has 4 links, at most 3 fit" in output


def test_opensm_asks_for_less(ftb: Callable[..., Told]) -> None:
    links = cables(kary(2, 3))[1:]
    assert ftb(links)[0] == 1
    status, output = ftb(links, "RULES=opensm")
    assert status == 0 and "missing host: at leaf0" in output and "SOUND" in output


def test_tables_of_opensm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    links = cables(ftree_mn(4, 2), ports=True)
    (tmp_path / "net").write_text(ibnetdiscover(links))
    (tmp_path / "lfts").write_text(dump(links))
    words = [str(tmp_path / "net"), f"TABLES={tmp_path / 'lfts'}"]
    assert main(["topology", *words]) == 0
    output = capsys.readouterr().out
    assert "this is XGFT(2; 2,4; 1,2), FT(4, 2), the 4-port 2-tree" in output
    assert f"routes: {tmp_path / 'lfts'}" in output and "56 of 56 pairs arrive" in output


def changed(tmp_path: Path, links: Cables, *edits: tuple[str, str]) -> str:
    """Tables of D-mod-k with lines exchanged; a line is gone if nothing is in its place."""
    lines = table_csv(fabric(links)).splitlines()
    for old, new in edits:
        at = next(k for k, line in enumerate(lines) if line.startswith(old))
        lines[at] = new
    (tmp_path / "t.csv").write_text("\n".join(filter(None, lines)) + "\n")
    return f"TABLES={tmp_path / 't.csv'}"


def test_faulty_tables(tmp_path: Path, ftb: Callable[..., Told]) -> None:
    status, output = ftb(SMALL, changed(tmp_path, SMALL, ("leaf0,h3,", "")))
    assert status == 1 and "no entry: h0 to h3 at leaf0" in output
    assert "FAIL  2 pairs: no entry" in output
    status, output = ftb(SMALL, changed(tmp_path, SMALL, ("leaf0,h3,", "leaf0,h3,h1")))
    assert status == 1 and "wrong host: h0 to h3 ends at h1: h0 → leaf0 → h1" in output
    loop = changed(tmp_path, SMALL, ("leaf0,h3,", "leaf0,h3,agg0"), ("agg0,h3,", "agg0,h3,leaf0"))
    status, output = ftb(SMALL, loop)
    assert status == 1 and "loop: h0 to h3: h0 → leaf0 → agg0 → leaf0" in output


def test_a_deadlock(tmp_path: Path, ftb: Callable[..., Told]) -> None:
    """All of two trees' tops, to the next leaf switch: three channels down and up again."""
    links = cables(Xgft((2, 4), (1, 2)), ports=True)
    edits = []
    for k in range(4):  # to the leaf switch after the next over the next
        for host in (2 * ((k + 2) % 4), 2 * ((k + 2) % 4) + 1):
            top = f"agg{k % 2}"
            edits.append((f"leaf{k},h{host},", f"leaf{k},h{host},{top}"))
    for host in range(8):
        home = host // 2
        for top in (0, 1):
            before = (home - 1) % 4
            if before % 2 != top:  # this top belongs to the switch two before
                edits.append((f"agg{top},h{host},", f"agg{top},h{host},leaf{before}"))
                edits.append((f"leaf{before},h{host},", f"leaf{before},h{host},agg{1 - top}"))
    status, output = ftb(links, changed(tmp_path, links, *edits))
    assert status == 1 and "down and up: " in output and "climbs again at leaf" in output
    assert "DEADLOCK: " in output and "packets can deadlock" in output
    circle = output.split("in a cycle:\n")[1].split("\n\n")[0].split("\n")
    assert len(circle) >= 4 and all(" → " in channel for channel in circle)


def test_files_for_others(tmp_path: Path, ftb: Callable[..., Told]) -> None:
    status, output = ftb(SMALL, "WRITE=dot,anynet,csv")
    assert status == 0
    assert all(f"{tmp_path / 'topology' / 'net'}.{x}" in output for x in ("dot", "anynet", "csv"))
    back = fabric_of("net", read(str(tmp_path / "topology" / "net.dot")))
    assert sorted(back.names) == sorted(fabric(SMALL).names)
    assert (tmp_path / "topology" / "net.anynet").read_text().startswith("router 0 node 0 node 1")


# ---- in RTL --------------------------------------------------------------------------------------


def test_own_tables_round_trip(tmp_path: Path) -> None:
    tables = dmodk_tables(kary(3, 2))
    write_tables(tmp_path / "t.csv", tables)
    again = read_tables(tmp_path / "t.csv", kary(3, 2))
    assert all((a == b).all() for a, b in zip(again.ports, tables.ports, strict=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("level,switch,leaf,port\n1,0,0,0\n1,0,0,1\n", "level 1 switch 0 has two entries for leaf"),
        ("level,switch,leaf,port\n1,0,9,0\n", "line 2: leaf is '9'; allowed are 0 … 3"),
        ("level,switch,leaf,port\n0,0,1,0\n", "line 2: level is '0'; allowed are 1 … 2"),
        ("level,switch,leaf,port\n2,0,1,2\n", "line 2: port is '2'; allowed are 0 … 1"),
        ("level,switch,leaf\n", "line 1: is 'level,switch,leaf'; allowed are"),
    ],
)
def test_broken_own_tables(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(ValueError, match=r"t\.csv: ") as refused:
        read_tables(tmp_path / "t.csv", Xgft((2, 2), (1, 2)))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ((("1,0,2,2", "1,0,2,0"),), "0 to 2: MISDELIVERED"),
        ((("1,0,2,2", ""),), "0 to 2: NO_PORT"), ((("2,0,2,1", "2,0,2,0"),), "0 to 2: LOOPS"),
        ((("2,0,4,2", "2,0,4,1"), ("1,1,4,2", "1,1,4,3")), "leaf 0 to 4: must turn once, at the"),
    ],
)  # fmt: skip
def test_own_tables_that_lead_astray(
    edits: tuple[tuple[str, str], ...], message: str, tmp_path: Path, tb_cli: Cli
) -> None:
    tree = Xgft((2, 3), (1, 2))
    write_tables(tmp_path / "t.csv", dmodk_tables(tree))
    text = (tmp_path / "t.csv").read_text()
    for old, new in edits:
        assert f"\n{old}\n" in text
        text = text.replace(f"\n{old}\n", f"\n{new}\n")
    (tmp_path / "t.csv").write_text(text)
    words = ("NETWORK=xgft", "M=2,3", "W=1,2", "ROUTING=FILE", f"TABLES={tmp_path / 't.csv'}")
    check_refused(tb_cli("sim", *words), f"TABLES={tmp_path / 't.csv'}: ", message)


@pytest.mark.skipif(not shutil.which("iverilog"), reason="needs Icarus")
def test_routes_in_rtl(tmp_path: Path, ftb: Callable[..., Told]) -> None:
    """Not D-mod-k: all of leaf0 climbs to agg1, so no network of ours would choose it."""
    edits = [(f"leaf0,h{k},", f"leaf0,h{k},agg1") for k in (2, 3)]
    status, output = ftb(SMALL, changed(tmp_path, SMALL, *edits), "PLAY=1", "SIM=icarus")
    assert status == 0, output
    assert "12 packets sent, 12 delivered, 0 faults" in output
    assert "all 16 link loads are as computed, most 4" in output


@pytest.mark.nightly
@pytest.mark.skipif(not shutil.which("iverilog"), reason="needs Icarus")
def test_a_faulty_table_in_rtl(tmp_path: Path, ftb: Callable[..., Told]) -> None:
    """Entries for leaf 2 are taken from leaf 3: other links up, and the wrong leaf."""
    shutil.copytree(ROOT / "rtl", tmp_path / "rtl")
    table = tmp_path / "rtl" / "wormhole" / "xgft_table.v"
    text = table.read_text()
    assert FAULT[0] in text
    table.write_text(text.replace(*FAULT))
    status, output = ftb(SMALL, "PLAY=1", "SIM=icarus", f"RTL={tmp_path / 'rtl'}")
    assert status == 1 and "FAIL  the RTL does otherwise" in output
    assert " packets in RTL, " in output and "link loads differ" in output


def test_other_loads_in_rtl_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    of = fabric(SMALL)
    ranked = topology.rank(of)
    assert ranked is not None
    found = topology.match(of, ranked)
    assert found is not None
    routes = topology.dmodk_routes(of, ranked, found.nodes(0), found.index)
    loads = topology.follow(routes, ranked).loads
    (tmp_path / "trace.csv").touch()
    outcome = Outcome(log=tmp_path / "sim.log", results=[ScenarioResult("file")])
    console = Console(width=120)
    other = loads + (np.arange(loads.size) == 3)
    assert not playing.compare(console, of, loads, outcome, lambda _: other)
    output = capsys.readouterr().out
    channel, load = of.channel_name(3), int(loads[3])
    assert f"{channel}: {load + 1} packets in RTL, {load} computed" in output
    assert "1 of 16 link loads differ" in output


def test_what_is_not_played(ftb: Callable[..., Told]) -> None:
    output = ftb(cables(Xgft((20, 20), (1, 2))), "PLAY=1")[1]
    assert "not played in RTL: NETWORK=graph: 400 hosts, 22 switches, 480 ports" in output
