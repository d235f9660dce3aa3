"""`make topology` with routes of its own: what it prints and writes, and what it refuses."""

import csv
from pathlib import Path

import pytest

from fattree_bench.topology.command import entries_of, fabric_of, read
from fattree_models import topology
from fattree_models.xgft import Xgft
from tests.cli import Cli, check_refused, succeeds
from tests.models.topology.fabrics import cables
from tests.tb.topology.samples import ibnetdiscover

TREE = cables(Xgft((4, 4), (1, 4)), ports=True)
CUT = [link for link in TREE if link[::2] != ("leaf2", "agg1")]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("routes", ["left", "balanced"])
def test_what_is_written_can_be_read_again(routes: str, tb_cli: Cli, tmp_path: Path) -> None:
    """Tables in both forms give the same loads; the order rises; the worst is a permutation."""
    path = tmp_path / "x.ib"
    path.write_text(ibnetdiscover(TREE))
    words = (f"ROUTES={routes}", "WRITE=tables,lfts,order,worst", f"BUILD={tmp_path}")
    first = succeeds(tb_cli("topology", str(path), *words))
    assert "written: " in first and "the numbers rise along all 240 routes" in first
    assert "3 packets of a permutation on " in first
    folder = tmp_path / "topology"
    loads = first[first.index("link loads") : first.index("written")]
    for name in ("x-tables.csv", "x.lfts"):
        again = succeeds(tb_cli("topology", str(path), f"TABLES={folder / name}"))
        assert loads.strip() in again
    cabling = read(str(path))
    of = fabric_of("x", cabling)
    assert len(entries_of(str(folder / "x.lfts"), cabling, of)) == 8 * 16
    ranked = topology.rank(of)
    assert ranked is not None
    made = topology.table_routes(of, of.hosts, entries_of(str(folder / "x.lfts"), cabling, of))
    end = {(of.names[a], p): c for c, (a, p) in enumerate(zip(of.tail, of.port, strict=True))}
    number = [0] * of.tail.size
    for row in rows(folder / "x-order.csv"):
        number[end[row["source"], int(row["source_port"])]] = int(row["number"])
    for source in made.order.tolist():
        for goal in made.order.tolist():
            way = topology.way(made, source, goal)
            column = made.order.tolist().index(goal)
            seen = [number[made.out[node, column]] for node in way[:-1]]
            assert seen == sorted(set(seen))
    pairs = {row["source"]: row["destination"] for row in rows(folder / "x-worst.csv")}
    assert len(set(pairs.values())) == len(pairs)


def test_a_damaged_tree_says_what_each_routing_makes_of_it(tb_cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "x.ib"
    path.write_text(ibnetdiscover(CUT))
    names = {"dmodk": "D-mod-k", "left": "D-mod-k on what is left", "balanced": "balanced"}
    for routes, name in names.items():
        done = tb_cli("topology", str(path), f"ROUTES={routes}")
        assert done.returncode == 1 and f"routes: {name}\n" in done.stdout
        assert "240 of 240 pairs arrive" in done.stdout and "deadlock-free" in done.stdout


def test_hosts_on_spines_climb_again_if_asked(tb_cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    links = [*TREE, ("hx", -1, "agg0", -1), ("hy", -1, "agg1", -1)]
    text = "source,target,source_type,target_type\n"
    for a, _, b, _ in links:
        kinds = ("host" if x.startswith("h") else "switch" for x in (a, b))
        text += ",".join([a, b, *kinds]) + "\n"
    path.write_text(text)
    done = tb_cli("topology", str(path), "ROUTES=left")
    assert done.returncode == 1 and "304 of 306 pairs arrive" in done.stdout
    done = tb_cli("topology", str(path), "ROUTES=left", "REVERSE=1")
    assert "306 of 306 pairs arrive" in done.stdout
    assert "2 of them climb again (REVERSE=1)" in done.stdout
    assert "FAIL  breaks LEAF_RANK" in done.stdout and "pairs: down and up" not in done.stdout


def test_routes_that_can_deadlock_have_no_order(tb_cli: Cli, tmp_path: Path) -> None:
    """A ring that all go round the same way: the fabric fails, the call does not."""
    ring, tables = "source,target\n", "switch,destination,port\n"
    for k in range(4):
        ring += f"s{k},s{(k + 1) % 4}\nh{k},s{k}\n"
        for goal in range(4):
            tables += f"s{k},h{goal},{f'h{k}' if goal == k else f's{(k + 1) % 4}'}\n"
    (tmp_path / "x.csv").write_text(ring)
    (tmp_path / "t.csv").write_text(tables)
    words = (f"TABLES={tmp_path / 't.csv'}", "WRITE=order", f"BUILD={tmp_path}")
    done = tb_cli("topology", str(tmp_path / "x.csv"), *words)
    assert done.returncode == 1 and "order.csv: empty, as packets can deadlock" in done.stdout
    assert "packets can deadlock" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("REVERSE=1", "REVERSE=1: needs ROUTES=left or balanced"),
        ("ROUTES=left TABLES=x", "ROUTES=left: TABLES=x are the routes"),
        ("ROUTES=best", "ROUTES=best: must be dmodk, left or balanced"),
        ("WRITE=nothing", "WRITE=nothing: must be dot, anynet, csv, tables, lfts, order, worst"),
        ("WRITE=lfts", "WRITE=lfts: FILE has no LID of h0"),
    ],
)
def test_mistakes(words: str, said: str, tb_cli: Cli) -> None:
    check_refused(tb_cli("topology", "examples/topology-16.csv", *words.split()), said)
