"""Synthesizes one block in a process: `python -m fattree_bench.area.job PAYLOAD RESULT`.

PAYLOAD is JSON: "block", "rtl", "folder".  RESULT is {"cost": …} or {"failed": why}.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_bench.area.synthesis import SECONDS, synthesize
from fattree_bench.bench.revive import revived
from fattree_bench.families.design import Block
from fattree_bench.sim.yosys import YosysError


def run(payload: dict[str, Any]) -> dict[str, Any]:
    """The result of a payload."""
    block = revived(Block, payload["block"])
    try:
        cost = synthesize(block, Path(payload["rtl"]), Path(payload["folder"]), SECONDS)
    except YosysError as error:
        return {"failed": str(error)}
    return {"cost": asdict(cost)}


if __name__ == "__main__":
    given, left = map(Path, sys.argv[1:])
    left.write_text(json.dumps(run(json.loads(given.read_text()))))
