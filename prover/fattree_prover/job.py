"""A process of the prover: `python -m fattree_prover.job PAYLOAD RESULT`, two JSON files.

Payload: "sound", a BTOR2 file; "lemmas", the file of its lemmas; "hints"; "seconds", CPU time of
the prover; "cpu", CPU seconds after which SIGXCPU ends a solver that ignores its own limit.  With
"mutant", a BTOR2 file, the result holds a "finding"; without, lemmas are found and written.
"""

import json
import resource
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_prover import known
from fattree_prover.btor import System, parse
from fattree_prover.equivalence import UNDECIDED, Finding, compare
from fattree_prover.hints import Hints
from fattree_prover.lemmas import Vacuous


def main() -> None:
    """Do what the payload asks for."""
    payload = json.loads(Path(sys.argv[1]).read_text())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (payload["cpu"], resource.RLIM_INFINITY))
    sound = parse(Path(payload["sound"]).read_text())
    hints = Hints(**payload["hints"])
    work = prove if "mutant" in payload else learn
    Path(sys.argv[2]).write_text(json.dumps(work(sound, hints, payload)))


def learn(sound: System, hints: Hints, payload: dict[str, Any]) -> dict[str, Any]:
    """Find lemmas and write them for the proofs."""
    try:
        made = known.find(sound, payload["seconds"], hints)
    except Vacuous as error:
        return {"refused": str(error)}
    known.write(Path(payload["lemmas"]), made)
    return {"lemmas": len(made)}


def prove(sound: System, hints: Hints, payload: dict[str, Any]) -> dict[str, Any]:
    """Compare a mutant with the sound system."""
    mutant, lemmas = parse(Path(payload["mutant"]).read_text()), known.read(Path(payload["lemmas"]))
    try:
        finding = compare(sound, mutant, payload["seconds"], hints, lemmas)
    except ValueError as error:  # other registers than the sound system has
        finding = Finding(UNDECIDED, str(error))
    return {"finding": asdict(finding)}


if __name__ == "__main__":
    main()
