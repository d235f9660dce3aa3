"""Small proofs hold; what is not proved is named; `make formal` as a user calls it."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from rich.console import Console

from fattree_bench.families.proof import BOUNDED, FAILED, PROVED, UNDECIDED, Proof
from fattree_bench.formal import job
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.formal.command import Formal
from tests.conftest import ROOT
from tests.tb.faults.faulty import Edit
from tests.tb.formal.tree_faults import ADD_LOST, TREE


@pytest.mark.parametrize("proof", [p for p in PROOFS.values() if p.small], ids=lambda p: p.name)
def test_small_proofs(proof: Proof, tmp_path: Path) -> None:
    found, _ = job.verdicts(proof, tmp_path, ROOT / "rtl")
    assert {v.rule: v.result for v in found} == dict.fromkeys(proof.texts(), PROVED)


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


def test_the_command(
    tb_cli: Callable[..., CompletedProcess[str]], rtl_copy: Path, tmp_path: Path, icarus: None
) -> None:
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
    again = tb_cli("formal", *given, "RESUME=1")
    assert again.returncode == 0, again.stdout + again.stderr
    assert "10 of 10 rules proved" in again.stdout
    assert tb_cli("sim", witness, "SIM=icarus", f"BUILD={tmp_path}").returncode == 0
    third = tb_cli("formal", *given, "RESUME=1")
    assert "continuing: 2 proofs are done" in third.stdout and third.returncode == 0


MISTAKES = (
    (("formal", "TASK=nothing"), "TASK=nothing: no such proof; DRYRUN=1 lists them"),
    (("formal", "NETWORK=mesh"), "NETWORK=mesh: must be"),
    (("formal", "TIER=all"), "TIER=all: must be small, default or full"),
    (("sim", "WITNESS=nothing.json"), "WITNESS="),
    (("sim", "WITNESS=README.md"), "is no counter-example of make formal"),
    (("sim", "WITNESS=README.md", "N=4"), "N: goes with tests, not with WITNESS=…"),
)


@pytest.mark.parametrize("arguments, said", MISTAKES)
def test_mistakes(
    tb_cli: Callable[..., CompletedProcess[str]], arguments: tuple[str, ...], said: str
) -> None:
    done = tb_cli(*arguments)
    assert done.returncode == 2
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_the_documents_count_what_there_is() -> None:
    usual = sum(not proof.long for proof in PROOFS.values())
    assert f"{usual} proofs of" in (ROOT / "docs" / "evidence.md").read_text()
    formal = (ROOT / "docs" / "formal.md").read_text()
    assert f"{usual} proofs of" in formal
    assert f"with `TIER=full` {len(PROOFS)}." in formal
