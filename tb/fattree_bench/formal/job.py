"""`python -m fattree_bench.formal.job PAYLOAD RESULT`: one proof in a separate process."""

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_bench.errors import UserError
from fattree_bench.families.proof import FAILED, Proof, Verdict
from fattree_bench.formal import bdd, pdr, prepare, smt
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.formal.trace import Witness, keep, play
from fattree_bench.sim.yosys import YosysError


def verdicts(proof: Proof, folder: Path, rtl: Path) -> tuple[list[Verdict], dict[str, int]]:
    """Verdicts on all rules, and widths of the wrapper's inputs."""
    if proof.engine == "smt":
        path = prepare.smt(proof, folder, rtl)
        return smt.prove(proof, path), smt.Description.read(path).inputs
    files = prepare.aigers(proof, folder, rtl, ascii_too=proof.engine == "bdd")
    widths = prepare.input_widths(folder, proof.top)
    return (bdd if proof.engine == "bdd" else pdr).prove(proof, files, widths), widths


def run(payload: dict[str, Any]) -> dict[str, Any]:
    """Prove; keep counter-examples, with waves if Icarus is installed; the result as JSON."""
    proof, rtl = PROOFS[payload["proof"]], Path(payload["rtl"])
    folder = Path(payload["folder"])
    start = time.perf_counter()
    try:
        found, widths = verdicts(proof, folder, rtl)
    except YosysError as error:
        return {"error": str(error), "seconds": time.perf_counter() - start, "verdicts": []}
    witnesses = {}
    for verdict in found:
        if verdict.result == FAILED:
            path = keep(proof, verdict, widths, folder, rtl)
            witnesses[verdict.rule] = str(path)
            try:
                play(Witness.load(path), folder / verdict.rule, "icarus")
            except UserError:
                continue  # no waves without Icarus; the stimulus is kept
    missing = sorted(set(proof.texts()) - {v.rule.split(".")[-1] for v in found})
    return {
        "verdicts": [asdict(verdict) for verdict in found],
        "witnesses": witnesses,
        "seconds": time.perf_counter() - start,
        "error": f"no such rule in the wrapper: {', '.join(missing)}" if missing else "",
    }


if __name__ == "__main__":
    given, left = map(Path, sys.argv[1:])
    left.write_text(json.dumps(run(json.loads(given.read_text()))))
