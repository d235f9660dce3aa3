"""Every rule of concentrators and trees is seen to fail, and its counter-example to play."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from proving import broken_rules, edited, plays

from tb.formal import job, session
from tb.formal.catalogue import PROOFS
from tb.formal.proof import BOUNDED, FAILED, PROVED, UNDECIDED, Proof

CONCENTRATOR, NODE, TREE = "concentrator-5-3", "node-8-level-1-lower-bound", "tree-4-lower-bound"
ADD_LOST = "lost_o = lost_o + {{(LOST_W-1){1'b0}}, packed_valid[l]};"

# (proof, rule, file, text that is there, what stands there instead)
FAULTS = (
    (CONCENTRATOR, "C1", "common/concentrator.v",
     "select_o[(k*S + l)*SELECT_W +: SELECT_W] = select;",
     "select_o[(k*S + l)*SELECT_W +: SELECT_W] = select ^ (packed_valid == 1);"),
    (CONCENTRATOR, "C2", "common/concentrator.v",
     "select_o[(k*S + l)*SELECT_W +: SELECT_W] = select;",
     "select_o[(k*S + (l < 2 && packed_valid[1] ? 1 - l : l))*SELECT_W +: SELECT_W] = select;"),
    (CONCENTRATOR, "C3", "common/concentrator.v",
     "valid_o[k*S +: KEPT] = packed_valid[KEPT-1:0];",
     "valid_o[k*S +: KEPT] = packed_valid[KEPT-1:0] & ~{valid_i[4], {(KEPT-1){1'b0}}};"),
    (CONCENTRATOR, "C4", "common/concentrator.v", ADD_LOST, "lost_o = packed_valid[l] | lost_o;"),
    (CONCENTRATOR, "C5", "common/concentrator.v",
     "valid         = valid_i[k*R +: R];",
     "valid         = &valid_i[k*R +: R] ? ~{{(R-1){1'b0}}, 1'b1} : valid_i[k*R +: R];"),
    (NODE, "N1", "lbbvn/lbbvn_node.v", "assign request = up_valid_i & outside;",
     "assign request = up_valid_i & (outside | {BELOW{&up_valid_i}});"),
    (NODE, "N2", "lbbvn/lbbvn_node.v", "bits[i] = down_header_i[i*H + FIELD - 1];",
     "bits[i] = down_header_i[i*H + FIELD - 1] ^ (&up_valid_i);"),
    (NODE, "N3", "common/concentrator.v", ADD_LOST, "lost_o = lost_o | packed_valid[l];"),
    (TREE, "T1", "lbbvn/lbbvn_leaves.v",
     "assign up_data_o[x*W +: W] = data_i[x*W +: W]",
     "assign up_data_o[x*W +: W] = (data_i[x*W +: W] ^ (valid_i == {N{1'b1}}))"),
    (TREE, "T2", "lbbvn/lbbvn_leaves.v",
     "(looped_data[x*W +: W] & {W{~down_valid_i[x]}})",
     "(data_i[x*W +: W] & {W{valid_i[x] & ~down_valid_i[x]}})"),
    (TREE, "T3", "lbbvn/lbbvn_node.v",
     "bits[i] = down_header_i[i*H + FIELD - 1];",
     "bits[i] = down_header_i[i*H + FIELD - 1] ^ (&up_valid_i);"),
    (TREE, "T4", "lbbvn/lbbvn_leaves.v",
     "{{N_LOG{1'b0}}, down_valid_i[i] & looped[i]}",
     "{{N_LOG{1'b0}}, down_valid_i[i] & looped[i] & ~&valid_i}"),
    (TREE, "T5", "lbbvn/lbbvn_leaves.v",
     "delivered_o = delivered_o + {{N_LOG{1'b0}}, valid_o[i]};",
     "delivered_o = delivered_o | {{N_LOG{1'b0}}, valid_o[i]};"),
    (TREE, "T6", "common/concentrator.v", ADD_LOST, "lost_o = {{(LOST_W-1){1'b0}}, 1'b1};"),
)  # fmt: skip


SOME = ("C2", "N3", "T1", "T6")  # the others have their turn at night


def test_every_rule_has_a_fault() -> None:
    for name in (CONCENTRATOR, NODE, TREE):
        assert {rule for proof, rule, *_ in FAULTS if proof == name} == set(PROOFS[name].texts())


@pytest.mark.parametrize(
    "fault",
    [pytest.param(f, id=f[1], marks=() if f[1] in SOME else pytest.mark.nightly) for f in FAULTS],
)
def test_a_fault_is_found(
    fault: tuple[str, ...], rtl_copy: Path, tmp_path: Path, icarus: None
) -> None:
    name, rule, file, old, new = fault
    edited(rtl_copy, file, old, new)
    found = broken_rules(name, rtl_copy, tmp_path, rule)
    assert rule in found
    assert rule in plays(name, found[rule], rtl_copy, tmp_path)


@pytest.mark.parametrize("proof", [p for p in PROOFS.values() if p.small], ids=lambda p: p.name)
def test_small_proofs(proof: Proof, tmp_path: Path) -> None:
    found, _ = job.verdicts(proof, tmp_path, Path(__file__).resolve().parents[2] / "rtl")
    assert {v.rule: v.result for v in found} == dict.fromkeys(proof.texts(), PROVED)


def test_what_is_trouble(tmp_path: Path) -> None:
    """A bound is enough only where no more is claimed; the rest is named, and fails the run."""
    whole, part = PROOFS[TREE], next(p for p in PROOFS.values() if p.bounded)
    wanted = replace(session.request([f"BUILD={tmp_path}"]), proofs=[whole, part])

    def troubles(proof: Proof, result: str) -> list[str]:
        one = {"rule": "N1", "result": result, "seconds": 1.0, "note": "14 clocks"}
        found = {proof.name: {"verdicts": [one], "error": "", "seconds": 1.0}}
        evidence = session.report(wanted, found)
        assert [row[6] for row in evidence.rows] == [result]
        assert evidence.passed == (not evidence.trouble)
        return evidence.trouble

    assert troubles(whole, PROVED) == troubles(part, PROVED) == troubles(part, BOUNDED) == []
    for proof, result in ((whole, BOUNDED), (part, FAILED), (part, UNDECIDED), (whole, UNDECIDED)):
        assert troubles(proof, result) == [f"{proof.name}, rule N1: {result} (14 clocks)"]


def test_the_command(
    tb_cli: Callable[..., CompletedProcess[str]], rtl_copy: Path, tmp_path: Path, icarus: None
) -> None:
    """A broken rule: exit status 1, a stimulus that make sim plays; then mended, with RESUME."""
    given = ("TASK=concentrator-5-3,concentrator-2-1", f"RTL={rtl_copy}", f"BUILD={tmp_path}")
    path = rtl_copy / "common/concentrator.v"
    sound = path.read_text()
    edited(rtl_copy, "common/concentrator.v", ADD_LOST, "lost_o = lost_o;")
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
    (("formal", "N=4"), "N: no such variable; there is NETWORK"),
    (("formal", "RTL=docs"), "RTL=docs: no such folder, or no common/ in it"),
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
