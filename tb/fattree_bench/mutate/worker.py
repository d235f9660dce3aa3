"""Starts a simulator for many mutants: `python -m fattree_bench.mutate.worker FILE`."""

import json
import sys
from pathlib import Path

from fattree_bench.sim import variables as v
from fattree_bench.sim.build import Built
from fattree_bench.sim.simulate import run_module

MODULES = "fattree_bench.mutate.server,fattree_bench.sim.entry"


def main() -> None:
    """Start it; FILE is JSON: the network's variables, its build, the server's module and plan."""
    given = json.loads(Path(sys.argv[1]).read_text())
    settings = v.check(given["values"])
    built = Built(Path(given["folder"]), given["top"], 0.0, settings.sim, given["waves"])
    folder, ending = run_module(settings, built, given.get("module", MODULES), given["plan"])
    if ending.problem:
        sys.exit(f"{ending.problem}; log: {folder / 'sim.log'}")


if __name__ == "__main__":
    main()
