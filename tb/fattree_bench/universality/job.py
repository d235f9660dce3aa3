"""Measures one network in a process: `… universality.job PAYLOAD RESULT`.

PAYLOAD is JSON: "network", "n".  RESULT is {"figures": …} or {"failed": why}.
"""

import json
import sys
from pathlib import Path
from typing import Any

from fattree_bench.universality.experiment import EXPERIMENT


def run(payload: dict[str, Any]) -> dict[str, Any]:
    """The result of a payload."""
    try:
        return {"figures": EXPERIMENT.run(payload["network"], payload["n"])}
    except ValueError as error:
        return {"failed": str(error)}


if __name__ == "__main__":
    given, left = map(Path, sys.argv[1:])
    left.write_text(json.dumps(run(json.loads(given.read_text()))))
