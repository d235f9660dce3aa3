"""Checks survivors: `python -m fattree_bench.mutate.prove PAYLOAD RESULT`, JSON files.

Before the first of them it finds what is always true of the sound network: a payload with no
mutants.
"""

import json
import resource
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_bench.mutate import known
from fattree_bench.mutate.btor import Netlist, parse
from fattree_bench.mutate.equivalence import UNDECIDED, Checker, Finding
from fattree_bench.mutate.lemmas import Vacuous
from fattree_bench.mutate.netlist import terms_file


def main() -> None:
    """A payload: the folder of the netlists, the mutants, seconds for each, a flit's bits.

    `cpu`: seconds after which SIGXCPU ends a solver that does not look at its own limit.
    """
    payload = json.loads(Path(sys.argv[1]).read_text())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (payload["cpu"], resource.RLIM_INFINITY))
    folder = Path(payload["folder"])
    sound = parse(terms_file(folder, 0).read_text())
    result = found(folder, sound, payload) if payload["mutants"] else learn(folder, sound, payload)
    Path(sys.argv[2]).write_text(json.dumps(result))


def learn(folder: Path, sound: Netlist, payload: dict[str, Any]) -> dict[str, Any]:
    """Find lemmas, and keep them for those who check mutants."""
    try:
        made = known.find(sound, payload["seconds"], tuple(payload["recorded"]))
    except Vacuous as error:
        return {"findings": [], "refused": str(error)}
    known.write(folder, made)
    return {"findings": [], "lemmas": len(made)}


def found(folder: Path, sound: Netlist, payload: dict[str, Any]) -> dict[str, Any]:
    """What became of mutants."""
    checker = Checker(sound, payload["seconds"], tuple(payload["recorded"]), known.read(folder))
    findings: list[Finding] = []
    for number in payload["mutants"]:
        mutant = parse(terms_file(folder, number).read_text())
        try:
            findings.append(checker.check(number, mutant))
        except ValueError as error:  # a register of one bit that is stuck is gone
            findings.append(Finding(number, UNDECIDED, str(error)))
    return {"findings": [asdict(f) for f in findings]}


if __name__ == "__main__":
    main()
