"""What a campaign says while it runs: bars on a terminal, a line now and then elsewhere."""

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

EVERY = 15.0  # seconds between lines where there is no terminal, or a twentieth of the time
TICK = 1.0  # seconds between looks at the clock, also while nothing starts or ends
TRUST = 0.1  # of all time expected: so much of it must be over to count as much as the guesses
NAMED = 2  # jobs under way of which the name is told


class Progress:
    """Counts tests, guesses the time left, names what runs, tells of failures at once."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.replays = False  # tell of failures also how to replay them
        self.passed = self.failed = 0
        self._seconds: dict[str, float] = {}
        self._running: dict[str, float] = {}
        self._ended = self._total = 0
        self._left = 0.0
        self._expected = self._took = 0.0  # of the jobs that have ended
        self._jobs = 1
        self._start = self._said = 0.0
        self._lock = threading.Lock()
        self._bars: Bars | None = None

    @contextmanager
    def watch(self, tasks: Sequence[Task], jobs: int) -> Iterator[None]:
        """Tell of these tasks while they run."""
        self._seconds = {task.key: task.seconds for task in tasks}
        self._left, self._total, self._jobs = sum(self._seconds.values()), len(tasks), jobs
        self._ended, self._running = 0, {}
        self._expected = self._took = TRUST * self._left
        self._start = self._said = time.monotonic()
        if not self.console.is_terminal:
            self.console.print(f"{len(tasks)} jobs, about {clock(self._left / jobs)} …")
            with self._ticking():
                yield
            return
        columns = TextColumn("{task.description}"), BarColumn()
        with Bars(*columns, console=self.console, transient=True) as self._bars:
            self._bar = self._bars.add_task(self.text(), total=max(1.0, self._left))
            with self._ticking():
                yield
        self._bars = None

    @property
    def _pace(self) -> float:
        """How many times longer than expected jobs take here."""
        return self._took / self._expected if self._expected else 1.0

    def text(self) -> str:
        """Where it stands, in a line."""
        running = list(self._running.items())  # the longest first; the clock looks at it, too
        failed = f", {self.failed} failed" if self.failed else ""
        tests = f", {self.passed} tests passed{failed}" if self.passed or self.failed else ""
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
        """A job is done; its failures are told at once."""
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
        """A line that stays."""
        (self._bars.console if self._bars else self.console).print(line, soft_wrap=True)

    def show(self) -> None:
        """Where it stands; without a terminal only now and then."""
        with self._lock:
            now = time.monotonic()
            if self._bars is not None:
                total = max(1.0, sum(self._seconds.values()))
                done = total - max(0.0, self._left)
                self._bars.update(self._bar, description=escape(self.text()), completed=done)
            elif now - self._said > max(EVERY, (now - self._start) / 20):
                self._said = now
                self.console.print(escape(self.text()), soft_wrap=True)

    @contextmanager
    def _ticking(self) -> Iterator[None]:
        """Show where it stands also while one job takes long."""
        over = threading.Event()

        def tick() -> None:
            while not over.wait(TICK):
                self.show()

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def clock(seconds: float) -> str:
    """As in 1:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
