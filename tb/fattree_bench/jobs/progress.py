"""Progress of a campaign: bars on a terminal, occasional lines elsewhere."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bars

from fattree_bench.bench.result import Test
from fattree_bench.jobs.pool import Task
from fattree_bench.sim.pulse import ticking
from fattree_bench.words import plural

EVERY = 8.0  # seconds between lines without a terminal: before a pulse says less
TICK = 1.0  # seconds between updates while nothing starts or ends
TRUST = 0.1  # share of the expected time after which measured times weigh as much as the estimate
NAMED = 2  # running jobs shown by name


class Progress:
    """Counts tests, estimates the time left, names running jobs, prints failures at once."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.replays = False  # print replay commands with failures
        self.passed = self.failed = 0
        self._seconds: dict[str, float] = {}
        self._running: dict[str, float] = {}
        self._ended = self._total = 0
        self._left = 0.0
        self._expected = self._took = 0.0  # seconds of ended jobs
        self._jobs = 1
        self._start = self._said = 0.0
        self._lock = threading.Lock()
        self._bars: Bars | None = None

    @contextmanager
    def watch(self, tasks: Sequence[Task], jobs: int) -> Iterator[None]:
        """Show the progress of these tasks."""
        self._seconds = {task.key: task.seconds for task in tasks}
        self._left, self._total, self._jobs = sum(self._seconds.values()), len(tasks), jobs
        self._ended, self._running = 0, {}
        self._expected = self._took = TRUST * self._left
        self._start = self._said = time.monotonic()
        if not self.console.is_terminal:
            self.console.print(f"{plural(len(tasks), 'job')}, about {clock(self._left / jobs)} …")
            with ticking(self.show, lambda: TICK):
                yield
            return
        columns = TextColumn("{task.description}", markup=False), BarColumn()
        with Bars(*columns, console=self.console, transient=True) as self._bars:
            self._bar = self._bars.add_task(self.text(), total=max(1.0, self._left))
            with ticking(self.show, lambda: TICK):
                yield
        self._bars = None

    @property
    def _pace(self) -> float:
        """Measured time of jobs relative to the expected time."""
        return self._took / self._expected if self._expected else 1.0

    def text(self) -> str:
        """The progress in one line."""
        running = list(self._running.items())  # a copy, oldest first: the ticker reads it as well
        failed = f", {self.failed} failed" if self.failed else ""
        passed = f", {plural(self.passed, 'test')} passed{failed}"
        tests = passed if self.passed or self.failed else ""
        now = time.monotonic()
        pace = self._pace
        spent = ((now - start) / pace if pace else 0.0 for _, start in running)
        under_way = sum(
            min(seconds, self._seconds.get(key, 0.0))
            for (key, _), seconds in zip(running, spent, strict=True)
        )
        left = clock(pace * max(0.0, self._left - under_way) / self._jobs)
        names = ", ".join(key for key, _ in running[:NAMED])
        more = f" and {len(running) - NAMED} more" if len(running) > NAMED else ""
        return f"{self._ended} of {self._total} jobs{tests}, about {left} left" + (
            f"; running: {names}{more}" if running else ""
        )

    def started(self, key: str) -> None:
        self._running.setdefault(key, time.monotonic())
        self.show()

    def ended(self, key: str, tests: Sequence[Test] = ()) -> None:
        """A job has ended; print its failures."""
        started, expected = self._running.pop(key, None), self._seconds.get(key, 0.0)
        if started is not None and expected:
            self._expected += expected
            self._took += time.monotonic() - started
        self._left -= expected
        self._ended += 1
        for test in tests:
            self.passed += test.passed
            self.failed += not test.passed
            if not test.passed:
                self.say(f"[red]FAIL[/] {escape(f'{key}: {test.scenario}: {test.message}')}")
                if self.replays:
                    self.say(f"  replay: {escape(test.replay)}")
        self.show()

    def say(self, line: str) -> None:
        """Print a line above the bars."""
        (self._bars.console if self._bars else self.console).print(line, soft_wrap=True)

    def show(self) -> None:
        """Show the progress; without a terminal now and then."""
        with self._lock:
            now = time.monotonic()
            if self._bars is not None:
                total = max(1.0, sum(self._seconds.values()))
                done = total - max(0.0, self._left)
                self._bars.update(self._bar, description=self.text(), completed=done)
            elif now - self._said >= EVERY:
                self._said = now
                self.console.print(escape(self.text()), soft_wrap=True)


def clock(seconds: float) -> str:
    """Seconds as minutes, as in 1:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
