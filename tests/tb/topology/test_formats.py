"""Formats of other tools: iblinkinfo, ibsim, htsim, anynet, SimGrid; mistakes in their files."""

import random
from collections import defaultdict
from pathlib import Path

import pytest

from fattree_bench.errors import UserError
from fattree_bench.topology import write
from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.command import entries_of, fabric_of, read
from fattree_models import topology
from fattree_models.xgft import Xgft, kary
from tests.cli import Cli, check_refused, succeeds
from tests.models.topology.fabrics import Cables, cables, fabric
from tests.tb.topology.samples import dump, guid, ibnetdiscover, lids
from tests.tb.topology.test_readers import named

TREE = cables(kary(2, 3), ports=True)
AGGREGATION = "Mellanox Technologies Aggregation Node"
EDR = "4X      25.78125 Gbps Active/  LinkUp"
NARROW = "1X            53.125 Gbps Active/  LinkUp"
DOWN = '==(                Down/ Polling)==>             [  ] "" ( )'


def iblinkinfo(links: Cables, by_line: bool = False, hosts: bool = True) -> str:
    """As it is printed; switches have a port without a cable; with or without blocks of hosts."""
    ends: dict[str, list[tuple[int, str, int]]] = defaultdict(list)
    for a, p, b, q in links:
        ends[a].append((p, b, q))
        ends[b].append((q, a, p))
    lid, lines = lids(list(ends)), []
    for name in sorted(ends, key=lambda x: (not x.startswith("h"), guid(x))):
        host, own = name.startswith("h"), guid(name) + name.startswith("h")
        if host and not hosts:
            continue
        if not by_line:
            lines += [f"CA: {name}:" if host else f"Switch: {own:#018x} {name}:"]
        front = f'{own:#018x} "{name:>30}" ' if by_line else f"      {own:#018x} " * host
        for port, far, there in sorted(ends[name]):
            at = f"{guid(far) + far.startswith('h'):#018x} " if by_line else ""
            away = f'{at}{lid[far]:6d} {there:4d}[  ] "{far}" ( )'
            lines.append(f"{front}{lid[name]:6d} {port:4d}[  ] ==( {EDR})==>  {away}")
        if not host:
            lines.append(f"{front}{lid[name]:6d}   40[  ] {DOWN}")
    return "\n".join(lines) + "\n"


def again(path: Path, text: str) -> tuple[Cabling, topology.Fabric]:
    path.write_text(text)
    found = read(str(path))
    return found, fabric_of(str(path), found)


@pytest.mark.parametrize("by_line", [False, True])
@pytest.mark.parametrize("hosts", [False, True])
def test_iblinkinfo_is_what_ibnetdiscover_says(by_line: bool, hosts: bool, tmp_path: Path) -> None:
    """The same fabric, names, LIDs and speeds; tables of OpenSM fit both."""
    found, of = again(tmp_path / "a", iblinkinfo(TREE, by_line, hosts))
    other, wanted = again(tmp_path / "b", ibnetdiscover(TREE))
    assert named(of) == named(wanted)
    assert found.lids == other.lids and found.guids == other.guids
    assert set(found.speeds) == set(other.speeds) == {100.0}
    (tmp_path / "x.lfts").write_text(dump(TREE))
    assert len(entries_of(str(tmp_path / "x.lfts"), found, of)) == of.switches * of.hosts.size


def test_iblinkinfo_of_a_terminal(tmp_path: Path) -> None:
    """A prompt, a narrow cable, a hint, an adapter with two ports, an aggregation node."""
    text = f"""[root@sm ~]# iblinkinfo
CA: n1 mlx5_0:
      0x0101      1    1[  ] ==( {EDR})==>       9    1[  ] "s" ( )
CA: n1 mlx5_0:
      0x0102      2    2[  ] ==( {NARROW})==>       9    2[  ] "s" ( )
CA: {AGGREGATION}:
      0x0201      3    1[  ] ==( {EDR})==>       9    8[  ] "s" ( )
Switch: 0x0000000000000900 s:
           9    1[  ] ==( {EDR})==>       1    1[  ] "n1 mlx5_0" ( )
           9    2[  ] ==( {NARROW})==>       2    2[  ] "n1 mlx5_0" (Could be 4X )
           9    3[  ] ==( {EDR})==>       4    1[  ] "n2" ( )
           9    8[ 8] ==( {EDR})==>       3    1[  ] "{AGGREGATION}" ( )
[root@sm ~]#
"""
    found, of = again(tmp_path / "x", text)
    assert found.nodes == {"s": False, "n1 mlx5_0/1": True, "n1 mlx5_0/2": True, "n2": None}
    assert found.lids == {9: "s", 1: "n1 mlx5_0/1", 2: "n1 mlx5_0/2", 4: "n2"}
    assert sorted(found.speeds) == [50.0, 100.0, 100.0] and of.host.sum() == 3
    assert found.notes[1:] == ["could be faster, iblinkinfo says: s port 2"]


def test_speeds_as_they_are_signalled(tmp_path: Path) -> None:
    rates = {"2.5": 10.0, "5.0": 20.0, "10.0": 40.0, "14.0625": 56.0, "25.78125": 100.0,
             "53.125": 200.0, "106.25": 400.0, "212.5": 800.0}  # fmt: skip
    lines = [
        f'9 {k}[  ] ==( 4X {x} Gbps Active/  LinkUp)==> {k} 1[  ] "h{k}" ( )'
        for k, x in enumerate(rates, start=1)
    ]
    found, _ = again(tmp_path / "x", "Switch: 0x9 s:\n" + "\n".join(lines))
    assert found.speeds == list(rates.values())


NET = """
# ibsim: names are names, and speeds are not there
module "east"
switchguid=0x100
Switch 8 "s1"   # "one"
[1] "h1"[1] s=4 w=2
[2] "h2"
[3]\t"west#s2"[3]

Hca 2 "h1"
[1] "s1"[1]
Hca\t2 "h2"
[1] "s1"[2]
module ""
do show
Switch\t8 "west#s2"
[3] "east#s1"[3]
[4] "h3" [1]
Ca 1 "h3"
[1]  "west#s2"[4]
"""


def test_ibsim(tmp_path: Path) -> None:
    """Modules, ports that are left out, cables both ways."""
    found, of = again(tmp_path / "net", NET)
    assert found.nodes == {"one": False, "east#h1": True, "east#h2": True, "west#s2": False,
                           "h3": True}  # fmt: skip
    assert ("one", 3, "west#s2", 3) in found.links and len(of.links) == 4


def test_full_information_of_ibnetdiscover_has_speeds(tmp_path: Path) -> None:
    """With -f widths and speeds that are possible follow the one that is."""
    text = ibnetdiscover(TREE).replace("4xEDR", "4xEDR s=4 w=2 v=4 e=4")
    assert set(again(tmp_path / "x", text)[0].speeds) == {100.0}


TOPO = """# three tiers
Nodes {nodes}
Tiers 3
Podsize 4
Tier 0
Downlink_speed_Gbps 100
Radix_Down 2
Radix_Up 2
Tier 1
Downlink_speed_Gbps 400
Radix_Down 2
Radix_Up 4

Tier 2
Downlink_latency_ns 1000
Radix_Down 6
Bundle 2
Downlink_speed_Gbps 100
"""
LEAF_SPINE = "\n".join(
    ["Nodes 12", "Tiers 2", "Podsize 12", "Tier 0", "Radix_Down 3", "Radix_Up 2",
     "Oversubscribed 2", "Tier 1", "Radix_Down 4", ""]
)  # fmt: skip
SIMGRID = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"> <zone id="w" routing="Full">
  <cluster id="c" prefix="n-" suffix=".x" radical="0-5,10-15" speed="1Gf" bw="125MBps" lat="50us"
     topology="FAT_TREE" topo_parameters="{0}"/>
  <cluster id="d" prefix="m" suffix="" radical="0-1" speed="1Gf" bw="125MBps" lat="50us"/>
</zone></platform>
"""


def kinds(of: topology.Fabric) -> list[str]:
    ranked = topology.rank(of)
    assert ranked is not None
    found = topology.match(of, ranked)
    assert found is not None
    return topology.kinds(found)


NUMBERED = {
    "PGFT(3; 2,2,3; 1,2,2; 1,1,2)": TOPO.format(nodes=12), "XGFT(2; 3,4; 1,2)": LEAF_SPINE,
    "PGFT(2; 3,4; 1,2; 1,2)": SIMGRID.format("2;3,4;1,2;1,2"),
    "XGFT(4; 1,3,2,2; 1,1,2,1)": SIMGRID.format("4;1,3,2,2;1,1,2,1;1,1,1,1"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), NUMBERED.items(), ids=NUMBERED)
def test_trees_that_are_given_by_numbers(text: str, name: str, tmp_path: Path) -> None:
    found, of = again(tmp_path / "x.xml", text)
    assert kinds(of)[0] == name and of.host.sum() == 12
    assert ("n-10.x" in found.nodes) == ("simgrid" in text)
    if "Podsize 4" in text:
        assert of.ratio.tolist() == [4] * 12 + [1] * 12 + [4] * 24


@pytest.mark.parametrize("tree", [Xgft((2, 2), (1, 2)), kary(2, 3)])
def test_anynet_round_trip(tree: Xgft, tmp_path: Path) -> None:
    """As it is written; and with latencies, and each cable at both of its ends."""
    of = fabric(cables(tree))
    text = write.anynet(of, of.hosts)
    assert kinds(again(tmp_path / "x.anynet", text)[1]) == kinds(of)
    both = text.replace("router", "router ").replace("node", " node")
    both += "".join(f"node {k} router {k // tree.m[0]} 7\n" for k in range(tree.leaves))
    assert kinds(again(tmp_path / "y", both)[1]) == kinds(of)


INFO, LINES = iblinkinfo(TREE), iblinkinfo(TREE, by_line=True)
ONE = f'Switch: 0x9 s:\n 9 1[  ] ==( {EDR})==> 1 1[  ] "h" ( )\n'
BROKEN = [
    (INFO.replace("CA: h0:\n", "", 1), ":1: is a port of no node"),
    (INFO.replace("CA: h1:\n", "nonsense\nCA: h1:\n"), "'nonsense' is nothing that iblinkinfo"),
    (INFO.replace("Gbps Act", "Gbps Act", 1).replace("25.78125", "26.9", 1), "is not a speed of"),
    (INFO.replace('[  ] "leaf0" ( )', "leaf0", 1), "is not the far end of a cable"),
    (ONE.replace(" 9 1[", " 0 1["), ":2: 's' has LID 0: the fabric has no subnet manager"),
    (ONE.replace("==> 1 1", "==> 0 1"), ":2: leads to 'h', which has LID 0"),
    (ONE + ONE.split("\n")[1], ":3: port 1 of 's' has a cable in line 2"),
    (ONE + ONE.replace("0x9 s", "0x8 t"), ":4: LID 9 belongs to 's', and to 't'"),
    (LINES.replace('   1[  ] "leaf0"', '   2[  ] "leaf0"', 1), "which does not lead back"),
    (NET.replace('[4] "h3"', '[4] "h9"'), "leads to 'h9', which is missing"),
    (NET.replace("module \"\"", 'include "more"'), "'include \"more\"' is not read; ibsim alone"),
    (NET.replace('[4] "h3"', '@[4] "port"'), "is not read; ibsim alone does"),
    (TOPO.format(nodes=16), "has 16 nodes in pods of 4; its radix is for 12 in pods of 4"),
    (TOPO.format(nodes=12).replace("Tiers 3", "Tiers 4"), "has 4 tiers, described [0, 1, 2]"),
    (TOPO.format(nodes=12).replace("Bundle 2", "Bundle 4"), "they do not divide the radix"),
    (TOPO.format(nodes=12).replace("Radix_Up 4", ""), "has no radix_up of tier 1"),
    (TOPO.format(nodes=12).replace("Podsize 4", ""), "does not say podsize"),
    (TOPO.format(nodes=12).replace("Bundle 2", "Bundle 0"), ":17: Bundle is 0; allowed"),
    (TOPO.format(nodes=12).replace("Bundle 2", "Bundles 2"), ":17: 'Bundles' is unknown here"),
    (TOPO.format(nodes=12).replace("Bundle 2", "Bundle two"), "is not a word and a number"),
    (TOPO.format(nodes=12) + "Bundle 2\n", ":19: has Bundle a second time"),
    ("router 0 node 0 node 1\nrouter 1 leaf 2\n", ":2: 'router 1 leaf 2' is not router or node"),
    ("router 0 node 0\nrouter 1 node 0\n", ":2: node0 is joined to router0 and to router1"),
    ("router 0 node 0\nnode 0 node 1\n", ":2: joins node0 and node1, two nodes"),
    (SIMGRID.format("2;3,4;1,2"), ":4: topo_parameters '2;3,4;1,2' is not levels;down;up;cables"),
    (SIMGRID.format("3;3,4;1,2;1,2"), ":4: topo_parameters are not 3 numbers from 1, three times"),
    (SIMGRID.format("2;4,4;1,2;1,2"), ":4: radical names 12 hosts; the tree has 16"),
    (SIMGRID.format("2;3,4;1,2;1,2").replace("FAT_TREE", "TORUS"), "is cluster 0 of a FAT_TREE"),
    (SIMGRID.format("2;3,4;1,2;1,2").replace("0-5,", "x,"), "radical 'x' is not a range"),
    (SIMGRID.format("2;3,4;1,2;1,70000"), "links; at most "),
    (SIMGRID.format("1;12;1;1").replace("</zone>", ""), ":7: is not XML: mismatched tag"),
    ('<!DOCTYPE a [<!ENTITY b "c">]><cluster/>', ":1: defines 'b'; entities are not read"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_what_is_wrong_with_a_file(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        again(tmp_path / "x", text)
    assert message in str(refused.value) and "\n" not in str(refused.value)
    assert str(refused.value).startswith(f"{tmp_path / 'x'}:")


def test_the_format_can_be_given(tb_cli: Cli, tmp_path: Path) -> None:
    """Whatever the contents look like: as it is asked for, or one line."""
    (tmp_path / "x").write_text(LEAF_SPINE)
    output = succeeds(tb_cli("topology", str(tmp_path / "x"), "FORMAT=htsim"))
    assert "this is XGFT(2; 3,4; 1,2)" in output
    done = tb_cli("topology", str(tmp_path / "x"), "FORMAT=anynet")
    check_refused(done, f"{tmp_path / 'x'}:1: 'Nodes 12' is not router or node with numbers")


WHOLE = {
    "iblinkinfo": INFO, "line by line": LINES, "ibsim": NET, "htsim": TOPO.format(nodes=12),
    "simgrid": SIMGRID.format("2;3,4;1,2;1,2"), "anynet": "router 0 node 0 node 1 router 1\n" * 3,
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    """Pieces lost or put in: one line, whatever it is."""
    rng, refused = random.Random(name), 0
    for _ in range(60):
        at, text = rng.randrange(len(WHOLE[name])), WHOLE[name]
        more, lost = rng.choice('"{}[];:-,\n\\#<>/&é09a'), rng.randint(1, 30)
        try:
            again(tmp_path / "x", text[:at] + rng.choice((more + text[at:], text[at + lost :])))
        except UserError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 5
