"""Starts a simulator that serves mutants (tb.mutate.server): `python -m tb.mutate.worker FILE`."""

import json
import sys
from pathlib import Path

from tb.run import variables as v
from tb.run.build import Built
from tb.run.simulate import run_module

MODULES = "tb.mutate.server,tb.run.entry"


def main() -> None:
    """FILE is JSON: the variables of the network, its build, the plan for the server."""
    given = json.loads(Path(sys.argv[1]).read_text())
    built = Built(Path(given["folder"]), given["top"], 0.0, "verilator", given["waves"])
    folder, problem = run_module(v.check(given["values"]), built, MODULES, given["plan"])
    if problem:
        sys.exit(f"{problem}; log: {folder / 'sim.log'}")


if __name__ == "__main__":
    main()
