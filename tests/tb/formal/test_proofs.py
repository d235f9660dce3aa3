"""Small proofs hold; what is not proved is named; `make formal` as a user calls it."""

import subprocess
from pathlib import Path

import pytest
from rich.console import Console

from fattree_bench.families.proof import BOUNDED, FAILED, PROVED, UNDECIDED, Proof
from fattree_bench.formal import job
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.formal.command import Formal, made_of
from tests.cli import Cli, succeeds
from tests.conftest import ROOT
from tests.tb.faults.faulty import Edit
from tests.tb.formal.tree_faults import ADD_LOST, TREE

TREES = "serial-tree-4-3-2-1-0"  # a whole tree, of many modules


def cases() -> list[object]:
    """Small proofs by day, at night all but those that take an hour."""
    usual = [proof for proof in PROOFS.values() if not proof.long]
    return [pytest.param(p, id=p.name, marks=() if p.small else pytest.mark.nightly) for p in usual]


@pytest.mark.parametrize("proof", cases())
def test_proofs_hold(proof: Proof, tmp_path: Path) -> None:
    found, _ = job.verdicts(proof, tmp_path, ROOT / "rtl")
    assert {v.rule: v.result for v in found} == dict.fromkeys(proof.texts(), PROVED)


def refused(name: str, rtl: Path) -> str:
    """What Icarus says against a wrapper and its modules; empty: it elaborates them."""
    proof = PROOFS[name]
    given = [f"-P{proof.top}.{key}={value}" for key, value in proof.parameters.items()]
    options = ["-g2005", "-tnull", "-DSYNTHESIS", f"-s{proof.top}"]
    includes = [f"-I{folder}" for folder in proof.includes(rtl)]
    command = ["iverilog", *options, *given, *includes, *map(str, proof.files(rtl))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("name", {proof.top: proof.name for proof in PROOFS.values()}.values())
def test_every_wrapper_elaborates(name: str) -> None:
    """Also by day: that a module is missing, or a port of it, is seen without a solver."""
    assert refused(name, ROOT / "rtl") == ""


@pytest.mark.usefixtures("icarus")
def test_a_missing_module_is_refused(rtl_copy: Path) -> None:
    (rtl_copy / "common" / "event_counter.v").unlink()
    assert "event_counter" in refused(TREES, rtl_copy)


def test_what_is_trouble(tmp_path: Path) -> None:
    """What is not proved, be it that a bound was reached, is named, and fails the run."""
    campaign = Formal(Console(quiet=True), {"BUILD": str(tmp_path)})

    def troubles(result: str) -> list[str]:
        one = {"rule": "N1", "result": result, "seconds": 1.0, "note": "14 clocks"}
        campaign.results = {TREE: {"verdicts": [one], "error": "", "seconds": 1.0}}
        evidence = campaign.evidence()
        assert [row[6] for row in evidence.rows] == [result]
        assert evidence.passed == (not evidence.trouble)
        return evidence.trouble

    assert troubles(PROVED) == []
    for result in (BOUNDED, FAILED, UNDECIDED):
        assert troubles(result) == [f"{TREE}, rule N1: {result} (14 clocks)"]


def test_a_proof_without_a_verdict_is_not_proved(tmp_path: Path) -> None:
    """Its rules count; and a later run of other proofs is not blamed for it."""
    campaign = Formal(Console(quiet=True), {"BUILD": str(tmp_path)})
    rules = PROOFS[TREES].texts()
    campaign.results = {TREES: {"verdicts": [], "error": "no such module", "seconds": 1.0}}
    evidence = campaign.evidence()
    assert evidence.trouble == [f"{TREES}: no such module"]
    assert evidence.summary[0].startswith(f"0 of {len(rules)} rules proved")
    assert f"{len(rules)} without a verdict" in evidence.summary[0]
    assert not campaign.report()
    campaign.others = [
        {"key": TREES, "result": result, "fingerprint": made_of(PROOFS[TREES], ROOT / "rtl")}
        for result in campaign.results.values()
    ]
    campaign.results = {}
    assert campaign.report()
    assert campaign.evidence().trouble == [f"in an earlier run: {TREES}: no such module"]


def test_the_command(tb_cli: Cli, rtl_copy: Path, tmp_path: Path, icarus: None) -> None:
    """A broken rule: exit status 1, a stimulus that make sim plays; then mended, with RESUME."""
    given = ("TASK=concentrator-5-3,concentrator-2-1", f"RTL={rtl_copy}", f"BUILD={tmp_path}")
    path = rtl_copy / "common/concentrator.v"
    sound = path.read_text()
    Edit("common/concentrator.v", ADD_LOST, "lost_o = lost_o;").apply(rtl_copy)
    done = tb_cli("formal", *given)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "C4 failed" in done.stdout
    witness = next(w for w in done.stdout.split() if w.startswith("WITNESS="))
    assert (tmp_path / "formal/concentrator-5-3/C4/waves.vcd").exists()
    played = tb_cli("sim", witness, "SIM=icarus", f"BUILD={tmp_path}")
    assert played.returncode == 1 and "broken within 1 clock on icarus: C4" in played.stdout
    path.write_text(sound)
    text = succeeds(tb_cli("formal", *given, "RESUME=1"))
    assert "10 of 10 rules proved" in text
    assert tb_cli("sim", witness, "SIM=icarus", f"BUILD={tmp_path}").returncode == 0
    third = tb_cli("formal", *given, "RESUME=1")
    assert "continuing: 2 proofs done" in third.stdout and third.returncode == 0


def test_both_simulators_play_a_counter_example(
    tb_cli: Cli, rtl_copy: Path, tmp_path: Path, icarus: None
) -> None:
    """Rules that a later clock breaks, by name: as inputs change, registers of the proof do."""
    taken = "else if (taken_i)\n            ahead_q"
    Edit("common/arbiter.v", taken, taken.replace("taken_i", "|request_i")).apply(rtl_copy)
    done = tb_cli("formal", "TASK=arbiter-matrix-4", f"RTL={rtl_copy}", f"BUILD={tmp_path}")
    assert done.returncode == 1 and "rule A4: failed (in clock 3)" in done.stdout
    witness = f"WITNESS={tmp_path}/formal/arbiter-matrix-4/A4.json"
    for sim in ("icarus", "verilator"):
        played = tb_cli("sim", witness, f"SIM={sim}", f"BUILD={tmp_path}")
        assert played.returncode == 1 and f"broken within 4 clocks on {sim}: A4" in played.stdout
