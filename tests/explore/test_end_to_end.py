"""Small sweeps in RTL, on both simulators, and in designs that lose something only under load."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]

SMALL = ("NETWORK=xgft", "M=2,2", "W=1,2", "FLITS=2", "WARMUP=0", "PERIODS=1")
SWEEP = (*SMALL, "LOADS=0.02,0.4,1", "REFINE=1", "SEEDS=2", "JOBS=1")


def written(done: subprocess.CompletedProcess[str]) -> Path:
    """The folder of a sweep, as it was told."""
    (path,) = [Path(t) for t in done.stdout.splitlines() if t.endswith("/sweep.csv")]
    return path.parent


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "sweep.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.usefixtures("icarus")
def test_both_simulators_measure_the_same(tb_cli: Cli) -> None:
    """And so does a load on its own: what is measured depends on nothing that was before."""
    found = []
    for sim in ("verilator", "icarus"):
        done = tb_cli("explore", *SWEEP, f"SIM={sim}")
        assert done.returncode == 0, done.stdout + done.stderr
        found.append(written(done))
    verilator, icarus = (rows(folder) for folder in found)
    assert [{**row, "SIM": ""} for row in verilator] == [{**row, "SIM": ""} for row in icarus]

    # Nothing in the way at the least load: the quickest packet passes one switch, 3 + 1 clocks.
    assert float(verilator[0]["latency_minimum"]) == 1 + 1 * 4 + 2 - 1
    assert float(verilator[0]["latency_mean"]) == pytest.approx(11.3, abs=0.6)  # 7/3 switches
    assert verilator[0]["saturated"] == "0"
    assert verilator[-1]["saturated"] == verilator[-1]["seeds"] == "2"
    offered, accepted = (float(verilator[-1][name]) for name in ("offered", "accepted"))
    assert accepted < 0.95 * offered

    alone = tb_cli("sim", *SMALL, "TEST=sweep", "LOADS=0.4", "SEED=2", "SIM=icarus")
    assert alone.returncode == 0, alone.stdout
    log = Path(alone.stdout.rpartition("log: ")[2].strip())
    (result,) = (log.parent / "results.jsonl").read_text().splitlines()
    (figures,) = json.loads(result)["measurements"]
    points = (found[0] / "points" / "0-2.jsonl").read_text().splitlines()
    assert figures in [json.loads(point) for point in points]


LOSES_PACKETS = (  # of one flit each, after a clock in which three links of a level were busy
    "valid_o <= rst ? {CREDITS{1'b0}} : send_i;",
    "valid_o <= rst | (|valid_o[1:0] & |valid_o[3:2] & |valid_o[5:4]) ? {CREDITS{1'b0}} : send_i;",
)
KEEPS_A_CREDIT = (  # for ever, the last of a virtual channel: it goes on with one less
    "n = credit_i[i] ? n + 1'b1 : n - 1'b1;",
    "n = credit_i[i] ? (n + 1'b1 == FULL[COUNT_W-1:0] ? n : n + 1'b1) : n - 1'b1;",
)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("fault", "name"),
    [(LOSES_PACKETS, "lost"), (KEEPS_A_CREDIT, "credits")],
    ids=["loses-packets", "keeps-a-credit"],
)
def test_a_measured_run_is_checked_to_its_end(
    fault: tuple[str, str], name: str, rtl_copy: Path, tb_cli: Cli
) -> None:
    """What is lost is a fault, and no saturation; figures of such a run do not count."""
    path = rtl_copy / "xgft" / "xgft_output_unit.v"
    text = path.read_text()
    assert text.count(fault[0]) == 1
    path.write_text(text.replace(*fault))
    words = (*SMALL, "FLITS=1", "LOADS=0.7", "REFINE=0", "SEEDS=1", "SIM=icarus", f"RTL={rtl_copy}")
    done = tb_cli("explore", *words, f"BUILD={rtl_copy.parent / 'build'}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAIL uniform seed 1: sweep: " in done.stdout
    assert "replay: make sim NETWORK=xgft M=2,2" in done.stdout
    assert "nothing was measured" in done.stdout
    replay = done.stdout.partition("replay: make ")[2].splitlines()[0].split()
    again = tb_cli(*replay, f"BUILD={rtl_copy.parent / 'build'}")
    assert again.returncode == 1
    assert f"\n  {name}: " in again.stdout
