"""One job as a process group of its own that never outlives the job or its starter."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from fattree_bench.jobs.scratch import scratch
from fattree_bench.paths import ROOT
from fattree_bench.words import killer

JOB = (sys.executable, "-m", "fattree_bench.jobs.job")
TIMEOUT = 3600.0  # seconds, where the payload holds none
LOG = 64 << 20  # bytes of output per job
LOOK = 0.5  # seconds between checks of time and output
SHOWN = 4000  # last bytes of output kept from a vanished job

# Leader of the job's group.  Its guard reads a pipe that only the starting process holds open: when
# that dies, even by kill -9, the guard kills the whole group, simulators included.  The leader
# reaps the guard, because in many containers no init process does.
LEADER = """\
exec 3<&0 4>&2 </dev/null 2>/dev/null
{ read -r _ <&3; kill -9 0; } 4>&- &
guard=$!
"$@" 3<&- 2>&4 4>&-
status=$?
kill -9 $guard
wait $guard
exit $status
"""


class Children:
    """The running jobs of this process.  `kill` ends them all and prevents new ones.

    Methods may be called from any thread.
    """

    def __init__(self) -> None:
        self.killed = False
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._watched, self._held = os.pipe()

    def start(self, command: Sequence[str], log: BinaryIO) -> "subprocess.Popen[bytes] | None":
        """Start a command in the project root; None after `kill`."""
        with self._lock:
            if self.killed:
                return None
            child = subprocess.Popen(
                ["/bin/sh", "-c", LEADER, "job", *command],
                cwd=ROOT,
                stdin=self._watched,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            self._groups.add(child.pid)
            return child

    def wait(self, child: "subprocess.Popen[bytes]", timeout: float, log: Path) -> str:
        """Wait for the end and clean up; the limit that killed it, or ""."""
        reached: list[str] = []
        ended = threading.Event()

        def watch() -> None:
            end = time.monotonic() + timeout
            while not ended.wait(max(0.0, min(LOOK, end - time.monotonic()))):
                if time.monotonic() >= end:
                    limit = f"time limit of {timeout:g} s"
                elif _size(log) > LOG:
                    limit = f"limit of {LOG >> 20} MiB of output"
                else:
                    continue
                with self._lock:
                    if child.pid in self._groups:
                        reached.append(limit)
                        _kill_group(child.pid)
                return

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        # Not reaped yet, so that its number still identifies this group.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        ended.set()
        with self._lock:
            self._groups.discard(child.pid)
            _kill_group(child.pid)
        child.wait()
        return "".join(reached)

    def kill(self) -> None:
        """Kill all jobs with all their processes."""
        with self._lock:
            self.killed = True
            for group in self._groups:
                _kill_group(group)

    def close(self) -> None:
        """Close the pipe, once nothing runs anymore."""
        os.close(self._watched)
        os.close(self._held)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


CHILDREN = Children()  # for processes that run only jobs, such as workers of a farm


def run_task(
    payload: dict[str, Any],
    timeout: float = TIMEOUT,
    command: Sequence[str] = JOB,
    children: Children = CHILDREN,
) -> dict[str, Any]:
    """Run `command PAYLOAD RESULT`, two JSON files, in the project root.

    Parameters
    ----------
    payload : written to the first file; its "timeout" overrides `timeout`.
    timeout : seconds.

    Returns
    -------
    The content of the second file.  Without one, `{"vanished": "why, in one line"}`, the last
    output as "output", and "final" if another run is useless.
    """
    try:
        with scratch() as folder:
            seconds = float(payload.get("timeout", timeout))
            return _run(payload, seconds, command, children, folder)
    except OSError as error:
        return {"vanished": f"could not be started: {error.strerror}"}


def _run(
    payload: dict[str, Any],
    timeout: float,
    command: Sequence[str],
    children: Children,
    folder: Path,
) -> dict[str, Any]:
    given, left, said = folder / "payload.json", folder / "result.json", folder / "output.txt"
    given.write_text(json.dumps(payload))
    with said.open("wb") as log:
        child = children.start([*command, str(given), str(left)], log)
    if child is None:
        return {"vanished": "stopped", "final": True}
    limit = children.wait(child, timeout, said)
    if limit:
        why = limit
    elif children.killed:
        why = "stopped"
    elif (signal_ := killer(child.returncode)) == "SIGXCPU":
        why = limit = "limit of CPU time"
    elif signal_:
        why = f"killed by {signal_}"
    else:
        result = _read(left)
        if isinstance(result, dict):
            return result
        why = f"ended with status {child.returncode} and {result}"
    output = _tail(said)
    if output and why.startswith("ended"):
        why += f": {output.splitlines()[-1]}"
    vanished: dict[str, Any] = {"vanished": why, "output": output}
    return vanished | ({"final": True} if limit or children.killed else {})


def _read(path: Path) -> dict[str, Any] | str:
    """A result, or what is wrong with it, in words."""
    try:
        result = json.loads(path.read_bytes())
    except FileNotFoundError:
        return "left no result"
    except ValueError:
        return "left a broken result"
    return result if isinstance(result, dict) else "left a result that is not an object"


def _tail(path: Path) -> str:
    """The last whole lines of a file, at most SHOWN bytes."""
    size = _size(path)
    with path.open("rb") as file:
        file.seek(max(0, size - SHOWN))
        data = file.read()
    if size > SHOWN:
        data = data.partition(b"\n")[2]
    return data.decode(errors="replace").strip()
