"""Certificates of fabrics: at 1,024 leaves, and with faults in the routes and in the numbers."""

import csv
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.prove import fabric
from fattree_bench.sim import variables as v
from tests.cli import Cli, check_refused, succeeds
from tests.night import some

SIZES = (
    ("NETWORK=kary K=4 LEVELS=5 WIDTH=48", "1,024 leaves, 10,240 channels: 10 numbers rise along"),
    ("NETWORK=graph", "along every way of all pairs"),
    ("NETWORK=kary ROUTING=ADAPTIVE", "along all ways that do not climb again"),
    ("NETWORK=ruft", "along every way of all pairs"),
    ("NETWORK=xgft ROUTING=SMODK", "along every way of all pairs"),
)


@pytest.mark.parametrize("size", some(SIZES, 3), ids=lambda x: x[0])
def test_numbers_rise(size: tuple[str, str], tmp_path: Path, tb_cli: Cli) -> None:
    words, line = size
    done = tb_cli("prove", *words.split(), "RULES=F1", f"BUILD={tmp_path}")
    assert line in succeeds(done)


def test_routes_round_a_ring_are_refuted(tmp_path: Path, tb_cli: Cli) -> None:
    """Clockwise, so each channel waits for the next."""
    cables = [("host", f"h{i}", "switch", f"s{i}") for i in range(4)]
    cables += [("switch", f"s{i}", "switch", f"s{(i + 1) % 4}") for i in range(4)]
    rows = [("source_type", "source", "target_type", "target"), *cables]
    (tmp_path / "ring.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    turns = [
        (f"s{i}", f"h{j}", f"h{j}" if i == j else f"s{(i + 1) % 4}")
        for i in range(4)
        for j in range(4)
    ]
    entries = [("switch", "destination", "port"), *turns]
    (tmp_path / "tables.csv").write_text("".join(",".join(row) + "\n" for row in entries))
    given = [f"FILE={tmp_path}/ring.csv", f"TABLES={tmp_path}/tables.csv", f"BUILD={tmp_path}"]
    done = tb_cli("prove", "NETWORK=graph", *given, "RULES=F1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAIL F1  4 leaves, 16 channels: packets can wait in a cycle: " in done.stdout
    assert done.stdout.count(" → ") == 4


@pytest.mark.parametrize("routing", ["DMODK", "ADAPTIVE"])
def test_a_number_that_does_not_rise_is_named(routing: str, tmp_path: Path) -> None:
    """By the second program, which reads the certificate alone."""
    given = {"NETWORK": "kary", "K": "2", "LEVELS": "2", "ROUTING": routing}
    network = v.check(given | {"BUILD": str(tmp_path)}).network
    assert isinstance(network, fabric.Wormhole)
    lines, status = fabric.certified(network, tmp_path)
    assert status == 0, lines
    path = tmp_path / "channels.csv"
    assert fabric.falls(network, path) == ""
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    last = max(rows[1:], key=lambda row: int(row[1]))
    last[1] = "0"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    assert "does not rise" in fabric.falls(network, path)


def test_a_cycle_has_no_numbers() -> None:
    held, wanted = np.array([0, 1, 2, 0]), np.array([1, 2, 0, 3])
    assert fabric.rising(4, held, wanted) is None
    found = fabric.rising(4, held[[0, 1, 3]], wanted[[0, 1, 3]])
    assert found is not None
    assert found.tolist() == [0, 1, 2, 1]


def test_the_switch_is_chosen_that_is_like_the_network() -> None:
    """The whole one, with the virtual channels and stages of the network."""
    network = v.check({"NETWORK": "kary", "VCS": "1", "STAGES": "2"}, write=False).network
    assert isinstance(network, fabric.Wormhole)
    whole = [x for x in fabric.switches(network) if x.top == "xgft_switch_proof"]
    assert {(x.parameters["VCS"], x.parameters["STAGES"]) for x in whole} == {(1, 2)}


def test_a_mistake_is_one_line(tb_cli: Cli) -> None:
    check_refused(tb_cli("prove", "NETWORK=lbbvn"), "NETWORK=lbbvn: switches without wormhole")
    check_refused(tb_cli("prove", "NETWORK=kary", "RULES=F3"), "RULES=F3: F3: there is F1, F2")
    check_refused(tb_cli("prove", "NETWORK=kary", "FOO=1"), "FOO: no such variable")


FOREIGN = Path(__file__).parents[1] / "families" / "foreign" / "designs"
HOPS = "range((destination - source) % LEAVES)"
ROUTED = (  # pairs, text of the user's Python and what stands for it, status, line
    ("", "", "", 3, "undecided, packets may wait in a cycle: ring"),
    ("[traffic]\npairs = [[0, 2], [1, 3], [0, 3]]", "", "", 0, "ok   F1  4 leaves, 4 channels: 3"),
    (
        "",
        HOPS,
        HOPS.replace("source)", "source + 1)"),
        1,
        "FAIL F1  4 leaves, 4 channels: route(0, 0)",
    ),
    ("", "(source + i)", "(source + i + 1)", 1, "route(0, 1): no way leads to ring1"),
    ("", "def route", "def way", 3, "undecided, route(source, destination) is missing"),
    ("", "return [f", "return 1 / 0 or [f", 2, "loop.toml: route(): ZeroDivisionError: division"),
)


@pytest.mark.parametrize("case", ROUTED, ids=lambda x: x[-1])
def test_a_network_of_a_user(
    case: tuple[str, str, str, int, str], tmp_path: Path, tb_cli: Cli
) -> None:
    """By its taps, `graph()` and `route()`."""
    said, old, new, status, line = case
    for name in ("loop.toml", "loop.v", "loop_of_mine.py"):
        text = (FOREIGN / name).read_text()
        assert old in text or not name.endswith(".py")
        text = text.replace(old, new) if old and name.endswith(".py") else text
        (tmp_path / name).write_text(f"{text}\n{said}\n" if name.endswith(".toml") else text)
    done = tb_cli("prove", str(tmp_path / "loop.toml"), "RULES=F1")
    assert done.returncode == status, done.stdout + done.stderr
    assert line in done.stdout + done.stderr


def test_a_number_that_sinks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "channels.csv"
    path.write_text("channel,number\na,0\nb,1\nc,1\n")
    assert fabric.sinks({(0, 1): ["a", "b"]}, path) == ""
    assert fabric.sinks({(0, 1): ["a", "b", "c"]}, path) == "b → c does not rise"
