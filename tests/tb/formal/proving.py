"""Proofs of a faulty design, as tests ask for them."""

from dataclasses import replace
from pathlib import Path

from fattree_bench.families.proof import FAILED, Verdict
from fattree_bench.formal import job, smt
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.formal.trace import Witness, keep, play


def broken_rules(name: str, rtl: Path, folder: Path, *rules: str) -> dict[str, Verdict]:
    """Those of some rules of a proof that do not hold for this RTL."""
    proof = replace(PROOFS[name], rules=rules)
    found, _ = job.verdicts(proof, folder / name, rtl)
    return {verdict.rule: verdict for verdict in found if verdict.result == FAILED}


def plays(name: str, verdict: Verdict, rtl: Path, folder: Path, sim: str = "icarus") -> list[str]:
    """Rules that the counter-example breaks in a simulator."""
    proof = PROOFS[name]
    where = folder / name
    widths = _widths(where, proof.engine, proof.top)
    return play(Witness.load(keep(proof, verdict, widths, where, rtl)), where / verdict.rule, sim)


def _widths(folder: Path, engine: str, top: str) -> dict[str, int]:
    from fattree_bench.formal import prepare

    if engine == "smt":
        return smt.Description.read(folder / "model.smt2").inputs
    return prepare.input_widths(folder, top)
