"""A job for the tests of the pools: `job.py PAYLOAD RESULT` does what its payload says.

Payload: "name", "trace" (a file that gets a line "name pid" a start), "sleep" (seconds), "child"
(start a process that outlives any test, traced as well), "do" (below), "result".
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def main(given: Path, left: Path) -> None:
    payload = json.loads(given.read_text())
    first = trace(payload, payload["name"], os.getpid())
    if payload.get("child"):
        trace(payload, "child", subprocess.Popen(["sleep", "600"]).pid)
    time.sleep(payload.get("sleep", 0))
    match payload.get("do"):
        case "kill once" if not first:
            pass
        case "kill" | "kill once":
            os.kill(os.getpid(), signal.SIGKILL)
        case "kill the parent":  # the worker of a farm: above this job and its shell
            kill_worker(os.getppid())
            time.sleep(600)
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "silence":
            print("Traceback (most recent call last):\nImportError: no such module", flush=True)
            sys.exit(3)
        case "babble":
            print("a line\n" * 1000, flush=True)
            time.sleep(600)
        case "cut off":
            left.write_text('{"passed": tr')
            return
        case "list":
            left.write_text("[1, 2]")
            return
        case "status":
            left.write_text(json.dumps(payload["result"]))
            sys.exit(1)
    left.write_text(json.dumps(payload.get("result", {"passed": True, "folder": os.getcwd()})))


def kill_worker(shell: int) -> None:
    worker = int(Path(f"/proc/{shell}/stat").read_text().rpartition(")")[2].split()[1])
    if worker > 1 and b"spawn_main" in Path(f"/proc/{worker}/cmdline").read_bytes():
        os.kill(worker, signal.SIGKILL)


def trace(payload: dict, name: str, pid: int) -> bool:
    """Note a process; whether it is the first of this name."""
    path = Path(payload["trace"])
    known = path.read_text().split() if path.exists() else []
    with path.open("a") as file:
        file.write(f"{name} {pid}\n")
    return name not in known


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
