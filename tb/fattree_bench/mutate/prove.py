"""Checks survivors: `python -m fattree_bench.mutate.prove PAYLOAD RESULT`, JSON files."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from fattree_bench.mutate.btor import parse
from fattree_bench.mutate.equivalence import UNDECIDED, Checker, Finding
from fattree_bench.mutate.netlist import terms_file


def main() -> None:
    """A payload: the folder of the netlists, the mutants, seconds for each, a flit's bits."""
    payload = json.loads(Path(sys.argv[1]).read_text())
    folder = Path(payload["folder"])
    sound = parse(terms_file(folder, 0).read_text())
    checker = Checker(sound, payload["seconds"], tuple(payload["recorded"]))
    findings: list[Finding] = []
    for number in payload["mutants"]:
        mutant = parse(terms_file(folder, number).read_text())
        try:
            findings.append(checker.check(number, mutant))
        except ValueError as error:  # a register of one bit that is stuck is gone
            findings.append(Finding(number, UNDECIDED, str(error)))
    Path(sys.argv[2]).write_text(json.dumps({"findings": [asdict(f) for f in findings]}))


if __name__ == "__main__":
    main()
