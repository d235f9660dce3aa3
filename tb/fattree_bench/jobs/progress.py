"""What a regression says while it runs: bars on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bars

from fattree_bench.bench.result import Test
from fattree_bench.jobs.pool import Task

EVERY = 15.0  # seconds between lines where there is no terminal


class Progress:
    """Counts tests, guesses the time left, tells of failures at once."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.passed = self.failed = 0
        self._seconds: dict[str, float] = {}
        self._running: dict[str, float] = {}
        self._ended = self._total = 0
        self._left = 0.0
        self._jobs = 1
        self._said = 0.0
        self._bars: Bars | None = None

    @contextmanager
    def watch(self, tasks: Sequence[Task], jobs: int) -> Iterator[None]:
        """Tell of these tasks while they run."""
        self._seconds = {task.key: task.seconds for task in tasks}
        self._left, self._total, self._jobs = sum(self._seconds.values()), len(tasks), jobs
        self._said = time.monotonic()
        if not self.console.is_terminal:
            self.console.print(f"{len(tasks)} jobs, about {clock(self._left / jobs)} …")
            yield
            return
        columns = TextColumn("{task.description}"), BarColumn()
        with Bars(*columns, console=self.console, transient=True) as self._bars:
            self._bar = self._bars.add_task(self.text(), total=max(1.0, self._left))
            yield
        self._bars = None

    def text(self) -> str:
        """Where it stands, in a line."""
        failed = f", {self.failed} failed" if self.failed else ""
        now = time.monotonic()
        under_way = sum(
            min(now - start, self._seconds.get(key, 0.0)) for key, start in self._running.items()
        )
        left = clock(max(0.0, self._left - under_way) / self._jobs)
        return (
            f"{self._ended} of {self._total} jobs, {self.passed} tests passed{failed}, "
            f"about {left} left"
        )

    def started(self, key: str) -> None:
        self._running.setdefault(key, time.monotonic())
        self._show()

    def ended(self, key: str, tests: Sequence[Test]) -> None:
        """A job is done; its failures are told at once."""
        self._running.pop(key, None)
        self._left -= self._seconds.get(key, 0.0)
        self._ended += 1
        for test in tests:
            self.passed += test.passed
            self.failed += not test.passed
            if not test.passed:
                self.say(f"[red]FAIL[/] {escape(f'{key}: {test.scenario}: {test.message}')}")
        self._show()

    def say(self, line: str) -> None:
        """A line that stays."""
        (self._bars.console if self._bars else self.console).print(line, soft_wrap=True)

    def _show(self) -> None:
        if self._bars is not None:
            total = max(1.0, sum(self._seconds.values()))
            done = total - max(0.0, self._left)
            self._bars.update(self._bar, description=self.text(), completed=done)
        elif time.monotonic() - self._said > EVERY:
            self._said = time.monotonic()
            self.console.print(self.text())


def clock(seconds: float) -> str:
    """As in 1:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
