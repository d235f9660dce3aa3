"""Loaded by cocotb before the bench's entry; forks a simulation for each try before time 0."""

import json
import os
import sys
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

from fattree_bench.bench.forked import ended
from fattree_bench.mutate.forking import become, preload
from fattree_bench.shrink.recording import record


def serve(plan: dict[str, Any]) -> None:
    """Run what is asked for until nothing more can be; returns only in the children."""
    sys.dont_write_bytecode = True  # tests of tries have one name, and often one size and second
    preload(plan)
    with Client(plan["socket"]) as line:
        line.send(sum(os.times()[:2]))
        while True:
            try:
                asked = line.recv()
            except (EOFError, OSError):
                os._exit(0)
            place = Path(asked["place"])
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                line.close()
                become(plan | asked, 0, place)
                if asked["recorded"]:
                    record(Path(asked["recorded"]))
                return
            line.send(ended(child, asked["limit"]))


serve(json.loads(Path(os.environ["TB_PLAN"]).read_text()))
