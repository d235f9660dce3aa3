"""Pools that run jobs: the interface, and the pool of this machine."""

import contextlib
import heapq
import queue
import signal
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, Protocol, Self

from fattree_bench.jobs.child import JOB, TIMEOUT, Children, run_task

Result = dict[str, Any]
TRIES = 2  # runs of a task that vanishes


@dataclass(frozen=True)
class Task:
    """A job and when it may start.

    Attributes
    ----------
    key : unique name.
    payload : JSON for `fattree_bench.jobs.child.run_task`; "timeout": limit in seconds.
    after : key of a task that must succeed first (a build).
    seconds : expected duration.
    """

    key: str
    payload: dict[str, Any]
    after: str | None = None
    seconds: float = 60.0


class Sink(Protocol):
    """Receives events, in the thread that called `run`, never concurrently."""

    def started(self, key: str) -> None:
        """Called once per task, even if it runs again."""

    def ended(self, key: str, result: Result) -> bool:
        """Called once per task; return False to start no further tasks.

        The result is the job's own, {"vanished": why}, or {"blocked": why} if the task it waits
        for failed.
        """


class Pool(Protocol):
    """Runs tasks, longest first; a context manager."""

    def run(self, tasks: Sequence[Task], sink: Sink) -> None:
        """Run all tasks and report each to the sink.

        A vanished task runs once more.  No process outlives an exception, Ctrl-C, SIGTERM or
        SIGHUP; the latter two raise SystemExit.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Agenda:
    """Chooses the next task: the one with the longest chain of tasks behind it.

    Raises
    ------
    ValueError : duplicate keys, or a task that waits for itself or for an unknown key.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = {task.key: task for task in tasks}
        if len(self._tasks) < len(tasks):
            raise ValueError("two tasks have the same key")
        self._waiting: dict[str, list[str]] = defaultdict(list)
        self._chain = {task.key: 0.0 for task in tasks}
        for task in tasks:
            self._lengthen(task)
            if task.after is not None:
                self._waiting[task.after].append(task.key)
        self._number = {task.key: number for number, task in enumerate(tasks)}
        self._ready: list[tuple[float, int, str]] = []
        self._free(task.key for task in tasks if task.after is None)

    def _lengthen(self, last: Task) -> None:
        """Account for the chain that ends with a task."""
        length, task = last.seconds, last
        chain = {last.key}
        while True:
            self._chain[task.key] = max(self._chain[task.key], length)
            if task.after is None:
                return
            if task.after not in self._tasks:
                raise ValueError(f"{task.key} waits for {task.after}, which is not a task")
            if task.after in chain:
                raise ValueError(f"{task.key} waits for itself")
            task = self._tasks[task.after]
            chain.add(task.key)
            length += task.seconds

    def _free(self, keys: Iterable[str]) -> None:
        for key in keys:
            heapq.heappush(self._ready, (-self._chain[key], self._number[key], key))

    def __bool__(self) -> bool:
        """Whether a task may start now."""
        return bool(self._ready)

    def next(self) -> Task:
        """The task to start now."""
        return self._tasks[heapq.heappop(self._ready)[2]]

    def ended(self, key: str, result: Result) -> list[str]:
        """Record the end of a task; returns the tasks that it blocks."""
        waiting = self._waiting.pop(key, [])
        if _trouble(result):
            return waiting
        self._free(waiting)
        return []


def _trouble(result: Result) -> str:
    """Why tasks that wait for this one must not start; empty if they may."""
    if "vanished" in result:
        return f"vanished: {result['vanished']}"
    if "blocked" in result:
        return "did not start"
    return "failed" if result.get("failed_build") else ""


class Backend(Protocol):
    """Runs tasks for a dispatcher."""

    def slots(self) -> int:
        """How many tasks it can run now."""

    def start(self, task: Task) -> None:
        """Start a task."""

    def wait(self) -> tuple[Task, Result] | None:
        """A task that ended; None after a while without one."""


class Dispatcher:
    """Runs tasks on a backend as `Pool.run` promises."""

    def __init__(self, tasks: Sequence[Task], sink: Sink, backend: Backend) -> None:
        self._agenda = Agenda(tasks)
        self._sink = sink
        self._backend = backend
        self._going = True
        self._running = 0
        self._tries: Counter[str] = Counter()

    def run(self) -> None:
        """Return once all tasks have been reported; after a False, once running ones have ended."""
        while self._running or (self._going and self._agenda):
            self._fill()
            if (event := self._backend.wait()) is not None:
                self._ended(*event)

    def _fill(self) -> None:
        while self._going and self._agenda and self._running < self._backend.slots():
            task = self._agenda.next()
            self._sink.started(task.key)
            self._start(task)

    def _start(self, task: Task) -> None:
        self._tries[task.key] += 1
        self._running += 1
        self._backend.start(task)

    def _ended(self, task: Task, result: Result) -> None:
        self._running -= 1
        final = result.pop("final", False)
        if "vanished" in result:
            if self._going and not final and self._tries[task.key] < TRIES:
                self._start(task)
                return
            if self._tries[task.key] > 1:
                result["vanished"] += " (again)"
        self._tell(task.key, result)

    def _tell(self, key: str, result: Result) -> None:
        if not self._sink.ended(key, result):
            self._going = False
        for blocked in self._agenda.ended(key, result):
            self._tell(blocked, {"blocked": f"{key} {_trouble(result)}"})


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """Make SIGTERM and SIGHUP end the main thread in an orderly way, as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup
            signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class LocalPool:
    """Runs `jobs` tasks at once on this machine."""

    def __init__(self, jobs: int, timeout: float = TIMEOUT, command: Sequence[str] = JOB) -> None:
        self.jobs = jobs
        self.timeout = timeout
        self.command = tuple(command)

    def run(self, tasks: Sequence[Task], sink: Sink) -> None:
        """See `Pool.run`."""
        with terminable(), _Threads(self) as backend:
            Dispatcher(tasks, sink, backend).run()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to do: no process outlives `run`."""


class _Threads:
    """One thread per running task, which waits for the task's process."""

    def __init__(self, pool: LocalPool) -> None:
        self._pool = pool
        self._children = Children()
        self._threads: set[threading.Thread] = set()
        self._ended: queue.SimpleQueue[tuple[threading.Thread, Task, Result]] = queue.SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._children.kill()
        for thread in self._threads:
            thread.join()
        self._children.close()

    def slots(self) -> int:
        return self._pool.jobs

    def start(self, task: Task) -> None:
        thread = threading.Thread(target=self._work, args=(task,), daemon=True)
        thread.start()
        self._threads.add(thread)

    def _work(self, task: Task) -> None:
        pool = self._pool
        result = run_task(task.payload, pool.timeout, pool.command, self._children)
        self._ended.put((threading.current_thread(), task, result))

    def wait(self) -> tuple[Task, Result]:
        thread, task, result = self._ended.get()
        self._threads.discard(thread)
        return task, result
