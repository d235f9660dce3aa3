"""Small sweeps in RTL, on both simulators, and in designs that lose something only under load."""

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.bench.links.flit.playing import DRAIN_BURST
from tests.cli import Cli
from tests.tb.bench.wormhole.edits import LOSES_PACKETS
from tests.tb.faults.faulty import Edit

SMALL = ("NETWORK=xgft", "M=2,2", "W=1,2", "FLITS=2", "WARMUP=0", "PERIODS=1")
SWEEP = (*SMALL, "PERIOD=500", "LOADS=0.02,1", "REFINE=1", "JOBS=1")


def written(done: subprocess.CompletedProcess[str]) -> Path:
    """The folder of a sweep, as the output names it."""
    (path,) = [Path(t) for t in done.stdout.splitlines() if t.endswith("/sweep.csv")]
    return path.parent


@pytest.mark.nightly
@pytest.mark.usefixtures("icarus")
def test_both_simulators_measure_the_same(tb_cli: Cli) -> None:
    """To the last digit, since both are given the same packets."""
    found = []
    for words in (("SIM=verilator", "SEEDS=2"), ("SIM=icarus", "SEEDS=1")):
        done = tb_cli("explore", *SWEEP, *words)
        assert done.returncode == 0, done.stdout + done.stderr
        found.append(written(done))
    verilator, icarus = ((folder / "points" / "0-1.jsonl").read_text() for folder in found)
    assert verilator == icarus
    assert verilator.count("\n") == 3

    with (found[0] / "sweep.csv").open() as file:
        first, *_, last = csv.DictReader(file)
    # Nothing in the way at the least load: the quickest packet passes one switch, 3 + 1 clocks.
    assert float(first["latency_minimum"]) == 1 + 1 * 4 + 2 - 1
    assert float(first["latency_mean"]) == pytest.approx(11.3, abs=0.6)  # 7/3 switches
    assert first["saturated"] == "0"
    assert last["saturated"] == last["seeds"] == "2"
    assert float(last["accepted"]) < 0.95 * float(last["offered"])


@pytest.mark.nightly
@pytest.mark.usefixtures("icarus")
def test_a_load_depends_on_nothing_that_was_before(tb_cli: Cli) -> None:
    """Neither the packets nor the random choices of the switches do."""

    def swept(loads: str) -> dict[str, Any]:
        words = (*SMALL, "ROUTING=TWO", f"LOADS={loads}", "SEED=2", "SIM=icarus")
        done = tb_cli("sim", *words, "TEST=sweep")
        assert done.returncode == 0, done.stdout
        log = Path(done.stdout.rpartition("log: ")[2].strip())
        (result,) = (log.parent / "results.jsonl").read_text().splitlines()
        return json.loads(result)

    alone, after = swept("0.6"), swept("0.3,0.6")
    assert alone["measurements"] == after["measurements"][1:]
    # The window, until its last packets have arrived, and until the last credits are home.
    assert 1000 < alone["steps"] < 1000 + 4 * DRAIN_BURST


KEEPS_A_CREDIT = Edit(  # for ever, the last of a virtual channel: it continues with one less
    "wormhole/xgft_output_unit.v",
    "credit_i[v] ? credit_q + 1'b1 :",
    "credit_i[v] ? (credit_q + 1'b1 == FULL[COUNT_W-1:0] ? credit_q : credit_q + 1'b1) :",
)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("edits", "name"),
    [
        pytest.param((KEEPS_A_CREDIT,), "credits", id="keeps-a-credit"),
        pytest.param(LOSES_PACKETS, "lost", id="loses-packets", marks=pytest.mark.nightly),
    ],
)
def test_a_measured_run_is_checked_to_its_end(
    edits: tuple[Edit, ...], name: str, rtl_copy: Path, tb_cli: Cli
) -> None:
    """What is lost is a fault, and no saturation; figures of such a run do not count."""
    for edit in edits:
        edit.apply(rtl_copy)
    words = (*SMALL, "FLITS=1", "LOADS=0.7", "REFINE=0", "SEEDS=1", "SIM=icarus", f"RTL={rtl_copy}")
    build = f"BUILD={rtl_copy.parent / 'build'}"
    if edits == (KEEPS_A_CREDIT,):  # which is not in the other form
        fast = tb_cli("explore", *words, f"{build}-fast")
        assert fast.returncode == 1 and "; FORM=HARDWARE may have it" in fast.stdout, fast.stdout
    done = tb_cli("explore", *words, build, "FORM=HARDWARE")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAIL uniform seed 1: sweep: " in done.stdout
    assert "replay: make sim NETWORK=xgft M=2,2" in done.stdout
    assert "nothing was measured" in done.stdout
    (journal,) = (rtl_copy.parent / "build" / "explore").glob("*/runs.jsonl")
    _, line = journal.read_text().splitlines()
    (test,) = json.loads(line)["result"]["tests"]
    assert name in test["result"]["faults"]
