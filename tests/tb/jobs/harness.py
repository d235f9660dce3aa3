"""What the tests of the pools share: jobs, a sink that notes everything, who is still alive."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fattree_bench.jobs.pool import Task
from fattree_bench.paths import ROOT

COMMAND = (sys.executable, "-I", "-S", str(Path(__file__).with_name("job.py")))
OURS = (b"job.py", b"sleep\x00600", b"spawn_main", b"/script.")  # jobs, children, workers, farms
PATIENCE = 20.0  # seconds until a test gives up


def make_task(
    folder: Path, name: str, after: str | None = None, seconds: float = 1.0, **payload: Any
) -> Task:
    """A task that runs job.py; all of one folder write one trace."""
    return Task(name, {"name": name, "trace": str(folder / "trace"), **payload}, after, seconds)


def traced(folder: Path, name: str | None = None) -> list[int]:
    """Processes of all jobs, or of one, in the order of their start."""
    path = folder / "trace"
    lines = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
    return [int(pid) for who, pid in lines if name in (None, who)]


def state(pid: int) -> tuple[str, int]:
    """State letter and parent of a process; Z if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "Z", 0
    return fields[0], int(fields[1])


def alive(pid: int) -> bool:
    return state(pid)[0] != "Z"


def parent(pid: int) -> int:
    return state(pid)[1]


def kill(process: int) -> None:
    """SIGKILL for a process, or for the group -process; nothing else may be hit by a mistake."""
    number = abs(process)
    assert number > 1
    assert number != os.getpgrp()
    arguments = Path(f"/proc/{number}/cmdline").read_bytes()
    if arguments:  # none: it is dead already
        assert any(word in arguments for word in OURS), arguments
        os.kill(process, signal.SIGKILL)


def wait_until(condition, what: str, patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"waited {patience:g} s for: {what}"
        time.sleep(0.02)


def wait_for_death(*pids: int, patience: float = PATIENCE) -> None:
    wait_until(lambda: not any(map(alive, pids)), f"the end of {pids}", patience)


class Notes:
    """A sink that notes what it hears, and refuses calls from another thread."""

    def __init__(self, stop_after: str | None = None) -> None:
        self.stop_after = stop_after
        self.events: list[tuple[str, str]] = []
        self.results: dict[str, dict[str, Any]] = {}
        self.thread = threading.current_thread()

    def started(self, key: str) -> None:
        assert threading.current_thread() is self.thread
        self.events.append(("started", key))

    def ended(self, key: str, result: dict[str, Any]) -> bool:
        assert threading.current_thread() is self.thread
        assert key not in self.results, "reported twice"
        self.events.append(("ended", key))
        self.results[key] = result
        return key != self.stop_after

    def started_keys(self) -> list[str]:
        return [key for what, key in self.events if what == "started"]


@contextlib.contextmanager
def driver(
    kind: str, folder: Path, jobs: int = 2, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """driver.py, when all its jobs and their children are running."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.tb.jobs.driver", kind, str(folder)],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            wait_until(lambda: len(traced(folder)) == 2 * jobs, "all jobs to run")
            yield process
        finally:
            process.kill()
            for pid in traced(folder):
                if alive(pid):
                    kill(pid)
