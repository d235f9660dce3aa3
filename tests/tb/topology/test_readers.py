"""Readers of topologies and tables: round trips, and what is wrong with files, with the line."""

import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

from fattree_bench.errors import UserError
from fattree_bench.topology import edge_list, write
from fattree_bench.topology.command import entries_of, fabric_of, read
from fattree_bench.topology.files import read_text
from fattree_bench.topology.ibnetdiscover import read as ibnetdiscover_of
from fattree_models.common.user_file import MOST
from fattree_models.topology import Fabric
from fattree_models.topology.fabric import MAX_LINKS
from fattree_models.xgft import Xgft, kary
from tests.models.topology.fabrics import cables, fabric
from tests.tb.topology.samples import dump, ibnetdiscover, routes_of, table_csv

TREE = cables(kary(2, 3), ports=True)


def named(of: Fabric) -> tuple[Counter[frozenset[tuple[str, int]]], dict[str, bool]]:
    """Cables and hosts, in no order."""
    names = of.names
    links = Counter(frozenset([(names[a], p), (names[b], q)]) for a, p, b, q in of.links.tolist())
    return links, dict(zip(names, of.host.tolist(), strict=True))


def again(path: Path, text: str) -> Fabric:
    path.write_text(text)
    return fabric_of(str(path), read(str(path)))


def graphml(of: Fabric, directed: bool = True) -> str:
    """As networkx writes it; of undirected graphs it would forget which end is the source."""
    graph = nx.MultiDiGraph()
    for name, host in zip(of.names, of.host.tolist(), strict=True):
        graph.add_node(name, type="host" if host else "switch")
    for a, p, b, q in of.links.tolist():
        graph.add_edge(of.names[a], of.names[b], source_port=p, target_port=q)
    text = "\n".join(nx.generate_graphml(graph))
    return text if directed else text.replace('"directed"', '"undirected"')


MAKERS: dict[str, Callable[[Fabric], str]] = {
    "x.csv": lambda of: write.edge_list(of, of.hosts),
    "x.dot": lambda of: write.dot(of, of.hosts),
    "x.graphml": graphml,
    "x.xml": lambda of: graphml(of, directed=False),
    "x.ibnetdiscover": lambda of: ibnetdiscover(TREE),
}


@pytest.mark.parametrize("name", MAKERS)
def test_round_trip(name: str, tmp_path: Path) -> None:
    of = fabric(TREE)
    assert named(again(tmp_path / name, MAKERS[name](of))) == named(of)


@pytest.mark.parametrize("name", ["x.csv", "x.dot"])
def test_parallel_links_without_ports_and_odd_names(name: str, tmp_path: Path) -> None:
    odd = {"leaf0": 'a "b", c', "agg0": "node", "h0": "h -- 1"}
    links = [
        (odd.get(a, a), p, odd.get(b, b), q) for a, p, b, q in cables(Xgft((2, 2), (1, 2)), (1, 2))
    ]
    of = fabric(links)
    assert named(again(tmp_path / name, MAKERS[name](of))) == named(of)


def test_hosts_are_what_has_one_link(tmp_path: Path) -> None:
    text = "source,target\n" + "".join(f"{a},{b}\n" for a, _, b, _ in TREE)
    assert named(again(tmp_path / "x.csv", text))[1] == named(fabric(TREE))[1]


def test_dot_of_all_sorts(tmp_path: Path) -> None:
    text = """
        strict digraph "a graph" { // one
          /* two
             lines */ rankdir = LR; node [type=switch]
          subgraph cluster_0 { s1 s2; node [shape=box] }
          s1:1 -> s2:1; s2:1 -> s1:1
          node [type="ho" + "st"];
          { h1; h2 } -> s1 [color=red, headport=ne];
          h3 -> s2:9:n; h4 -> s2 -> h5
        }
    """
    of = again(tmp_path / "x.gv", text)
    links, hosts = named(of)
    assert {name for name, host in hosts.items() if host} == {"h1", "h2", "h3", "h4", "h5"}
    assert links[frozenset([("s1", 1), ("s2", 1)])] == 1
    assert links[frozenset([("h3", -1), ("s2", 9)])] == 1 and sum(links.values()) == 6


@pytest.mark.parametrize("mark", [":", "#"])
def test_dumped_tables(mark: str, tmp_path: Path) -> None:
    """By LIDs where the topology has them, else by names."""
    (tmp_path / "x.lfts").write_text(dump(TREE, mark))
    for name, text in (("x.ib", ibnetdiscover(TREE)), ("x.csv", MAKERS["x.csv"](fabric(TREE)))):
        (tmp_path / name).write_text(text)
        graph = read(str(tmp_path / name))
        of = fabric_of(name, graph)
        routes = routes_of(of)
        column = {node: k for k, node in enumerate(routes.order.tolist())}
        found = entries_of(str(tmp_path / "x.lfts"), graph, of)
        assert len(found) == of.switches * routes.order.size
        assert all(routes.out[node, column[goal]] == out for node, goal, out in found)


def test_tables_by_neighbours(tmp_path: Path) -> None:
    of = fabric(TREE)
    (tmp_path / "t.csv").write_text(table_csv(of))
    graph = edge_list.read(write.edge_list(of, of.hosts))
    assert len(entries_of(str(tmp_path / "t.csv"), graph, of)) == of.switches * len(of.hosts)


def test_anynet() -> None:
    of = fabric(cables(Xgft((2, 2), (1, 2))))
    assert write.anynet(of, of.hosts).splitlines() == [
        "router 0 node 0 node 1 router 2 router 3",
        "router 1 node 2 node 3 router 2 router 3",
        "router 2",
        "router 3",
    ]
    double = fabric(cables(Xgft((2, 2), (1, 2)), (1, 2)))
    with pytest.raises(UserError, match="WRITE=anynet: leaf0 and agg0 are joined twice"):
        write.anynet(double, double.hosts)
    homed = fabric(cables(Xgft((2, 2), (2, 2))))
    with pytest.raises(UserError, match="WRITE=anynet: a host has several links"):
        write.anynet(homed, homed.hosts)


IB = ibnetdiscover(TREE)
BROKEN = [
    ("x.csv", "a,b\n", ":1: is 'a,b'; columns are source, target,"),
    ("x.csv", "source,target\na\n", ":2: has 1 fields; the first line has 2"),
    ("x.csv", "source,target\na,\n", ":2: has no target"),
    ("x.csv", "source,target,speed\na,b,4xZDR\n", ":2: '4xZDR' is not a speed; known: 1x, 2x,"),
    ("x.csv", 'source,target\n"a,b\n', ":2: is not CSV: "),
    ("x.csv", "source,target,source_port\na,b,x\n", ":2: 'x' is not a port"),
    ("x.csv", "source,target,source_type\na,b,tree\n", ":2: 'tree' is not a kind of node"),
    ("x.csv", "source,target,source_type\na,b,host\na,c,switch\n", ":3: 'a' is a host and a swi"),
    ("x.csv", "source,target,source_port\na,b,1\na,c,1\n", ":3: port 1 of 'a' has a cable in lin"),
    ("x.csv", "source,target\n", ": has no link"),
    ("x.csv", "source,target\na,b\nb,c\nc,a\n", ": has 0 hosts and 3 switches; at least 2"),
    ("x.dot", "graf g {}", ":1: 'graf' does not belong here"),
    ("x.dot", "graph {\n a -- b:9 -- c\n}", ":2: port 9 of 'b' has a cable in line 2"),
    ("x.dot", "graph {\n a -- ;\n}", ":2: ';' does not belong here"),
    ("x.dot", "graph {\n a -- b\n", ":3: ends before the graph does"),
    ("x.dot", "graph {\n a [type=tree]\n}", ":2: 'tree' is not a kind of node"),
    ("x.dot", 'graph {\n a -- "b\n}', ":2: "),
    ("x.dot", "graph {} graph {}", ":1: 'graph' does not belong here"),
    ("x.dot", "graph " + "{" * 99 + "}" * 99, ":1: has more than 50 subgraphs"),
    ("x.graphml", "<graphml>\n<graph", ":2: is not XML"),
    ("x.graphml", graphml(fabric(TREE).but(fabric(TREE).links[[*range(len(TREE)), 0]])),
     "edge 'h0 – leaf0': port 1 of 'h0' has a cable in edge 'h0 – leaf0'"),
    ("x.graphml", "<html/>", ":1: is not GraphML"),
    ("x.graphml", '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', ":1: contains a DOCTYPE"),
    ("x.txt", "hello", ": is neither .csv, .dot, .gv, .graphml nor looks like "),
    ("x.ib", IB.replace("[1]", "[1", 1), ": '[1"),
    ("x.ib", IB.replace("Ca\t", "nonsense\nCa\t", 1), "'nonsense' is nothing that ibnetdiscover"),
    ("x.ib", IB + IB, "is there already, in line "),
    ("x.ib", IB.replace('"[1]', '"[9]', 1), ", which does not lead back"),
    ("x.ib", IB[: IB.index("vendid", len(IB) // 2)], ", which is missing"),
    ("x.ib", IB.replace("Switch\t4", "Switch\t2", 1), "port 3 of a node of 2 ports"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "message"), BROKEN)
def test_broken_topologies(name: str, text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(UserError) as refused:
        again(path, text)
    assert str(refused.value).startswith(f"{path}:") and message in str(refused.value)
    assert "\n" not in str(refused.value)


LFTS = dump(TREE)
BROKEN_TABLES = [
    ("x.lfts", LFTS.replace("000000000002000", "000000000002abc", 1), " is not a switch of"),
    ("x.lfts", LFTS + LFTS, "has a table already, in line 1"),
    ("x.lfts", LFTS.replace(" 001 :", " 077 :", 1), "has no cable at port 77"),
    ("x.lfts", LFTS + "0x0001 x\n", "is not a line of a forwarding table"),
    ("x.lfts", LFTS[LFTS.index("0x") :][100:], "is "),
    ("x.csv", "switch,destination,port\nleaf0,h0,nobody\n", ":2: 'leaf0' has no port and no nei"),
    ("x.csv", "switch,destination,port\nleaf0,hx,1\n", ":2: 'hx' is not a node"),
    ("x.csv", "switch,destination,port\nleaf0,agg0,1\n", ":2: 'agg0' is not a host"),
    ("x.csv", "switch,destination,port\nleaf0,h0,1\nleaf0,h0,1\n", ":3: the pair has an entry"),
    ("x.csv", "switch,destination,port\n", ": has no entry for a host"),
]


@pytest.mark.parametrize(("name", "text", "message"), BROKEN_TABLES)
def test_broken_tables(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.ib").write_text(IB)
    (tmp_path / name).write_text(text)
    graph = read(str(tmp_path / "x.ib"))
    of = fabric_of("x.ib", graph)
    with pytest.raises(UserError) as refused:
        entries_of(str(tmp_path / name), graph, of)
    assert str(refused.value).startswith(f"{tmp_path / name}:") and message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [*MAKERS, "x.lfts"])
def test_damaged_files(name: str, tmp_path: Path) -> None:
    """Pieces lost, put in, or twice: one line, whatever it is."""
    rng = random.Random(name)
    graph = ibnetdiscover_of(IB)
    of = fabric_of("x.ib", graph)
    whole = LFTS if name == "x.lfts" else MAKERS[name](fabric(TREE))
    refused = 0
    for _ in range(60):
        at, text = rng.randrange(len(whole)), whole
        if rng.random() < 0.5:
            text = text[:at] + text[at + rng.randint(1, 30) :]
        else:
            text = text[:at] + rng.choice('"{}[];:-,\n\\#<>/&é09a') + text[at:]
        (tmp_path / name).write_text(text)
        try:
            if name == "x.lfts":
                entries_of(str(tmp_path / name), graph, of)
            else:
                fabric_of(name, read(str(tmp_path / name)))
        except UserError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 5


def test_more_links_than_fit(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("source,target\n" + "a,b\n" * (MAX_LINKS + 1))
    with pytest.raises(UserError, match=rf"x\.csv:{MAX_LINKS + 2}: is one link too many"):
        read(str(path))


def test_files_that_are_none(tmp_path: Path) -> None:
    fifo, empty, binary, huge = (tmp_path / name for name in ("fifo", "empty", "bin", "huge"))
    os.mkfifo(fifo)
    empty.write_text(" \n")
    binary.write_bytes(b"source,target\na,b\n\0")
    with huge.open("wb") as file:
        file.truncate(MOST + 1)
    latin = tmp_path / "latin"
    latin.write_bytes(b"source,target\na,\xe9\n")
    regular, missing = ": is not a regular file", ": No such file or directory"
    for path, output in (
        (fifo, regular), (tmp_path, ": is"), (Path("/dev/zero"), regular),
        (tmp_path / "none", missing), (Path("a\0b"), ": "), (empty, ": is empty"),
        (binary, ":3: is not text"), (latin, ":2: is not text in UTF-8"),
        (huge, ": has 65 MB; allowed are at most 64"),
    ):  # fmt: skip
        with pytest.raises(UserError) as refused:
            read_text(str(path))
        assert str(refused.value).startswith(f"{path}{output}"), refused.value


def test_what_ibnetdiscover_has_beside_hosts(tmp_path: Path) -> None:
    """A second port is a host of its own; reduction trees inside switches are none."""
    text = "\n".join(
        [
            'Switch\t8 "S-2000"\t# "s" base port 0 lid 9 lmc 0',
            '[1]\t"H-0100"[1](101)\t# "n1 mlx" lid 1 4xEDR',
            '[2]\t"H-0100"[2](102)\t# "n1 mlx" lid 2 4xEDR',
            '[8]\t"H-0200"[1](201)\t# "Some Aggregation Node" lid 3 4xEDR',
            'Ca\t2 "H-0100"\t# "n1 mlx"',
            '[1](101) \t"S-2000"[1]\t# lid 1 lmc 0 "s" lid 9 4xEDR',
            '[2](102) \t"S-2000"[2]\t# lid 2 lmc 0 "s" lid 9 4xEDR',
            'Ca\t1 "H-0200"\t# "Some Aggregation Node"',
            '[1](201) \t"S-2000"[8]\t# lid 3 lmc 0 "s" lid 9 4xEDR',
        ]
    )
    path = tmp_path / "x"
    path.write_text(text)
    graph = read(str(path))
    assert graph.notes == ["left out: 1 aggregation nodes inside switches"]
    assert graph.nodes == {"s": False, "n1 mlx/1": True, "n1 mlx/2": True}
    assert graph.lids == {9: "s", 1: "n1 mlx/1", 2: "n1 mlx/2"}
