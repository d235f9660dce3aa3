"""What a regression says while it runs, by a clock of our own."""

import io
import time
from types import SimpleNamespace

import pytest
from rich.console import Console

from fattree_bench.bench.result import Test
from fattree_bench.jobs import progress
from fattree_bench.jobs.pool import Task
from fattree_bench.jobs.progress import EVERY, Progress

TASKS = [Task(key, {}, None, seconds) for key, seconds in (("a", 60.0), ("b", 30.0), ("c", 30.0))]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(seconds=1000.0)
    clock.monotonic = lambda: clock.seconds
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setenv("TERM", "xterm")  # a dumb one has no bars
    return clock


def printed(progress: Progress) -> str:
    file = progress.console.file
    assert isinstance(file, io.StringIO)
    text = file.getvalue()
    file.seek(0)
    file.truncate()
    return text


def made(terminal: bool = False) -> Progress:
    console = Console(
        file=io.StringIO(), width=120, force_terminal=terminal, color_system=None, highlight=False
    )
    return Progress(console)


def ended(*passed: bool, message: str = "") -> list[Test]:
    return [Test("lbbvn", "c", {}, "icarus", 1, "frame", p, message=message) for p in passed]


def test_it_counts_and_guesses_the_time_left(now: SimpleNamespace) -> None:
    shown = made()
    with shown.watch(TASKS, 2):
        assert printed(shown) == "3 jobs, about 1:00 …\n"
        shown.started("a")
        now.seconds += 10
        shown.started("b")
        assert shown.text() == "0 of 3 jobs, about 0:55 left; running: a, b"
        now.seconds += 100  # both take longer than they should: no less than c is left
        assert shown.text() == "0 of 3 jobs, about 0:15 left; running: a, b"
        # a took 110 s, not 60: with a tenth of all as a prior, 122 for 72, and 15 s become 25.
        shown.ended("a", ended(True, True))
        assert shown.text() == "1 of 3 jobs, 2 tests passed, about 0:25 left; running: b"
        shown.ended("b", ended(True, False))  # 100 s for 30: 222 for 102
        assert shown.text() == "2 of 3 jobs, 3 tests passed, 1 failed, about 0:32 left"
        shown.ended("c", [])
        assert shown.text() == "3 of 3 jobs, 3 tests passed, 1 failed, about 0:00 left"


def test_without_a_terminal_a_line_now_and_then(now: SimpleNamespace) -> None:
    shown = made()
    with shown.watch(TASKS, 1):
        printed(shown)
        shown.started("a")
        now.seconds += EVERY - 1
        shown.started("b")
        assert printed(shown) == ""
        now.seconds += 1
        shown.started("c")
        assert printed(shown) == f"{shown.text()}\n"
        shown.ended("c", ended(True))
        assert printed(shown) == ""


def test_it_names_what_has_run_longest(now: SimpleNamespace) -> None:
    shown = made()
    with shown.watch(TASKS, 3):
        for key in "cab":
            shown.started(key)
        assert shown.text().endswith("left; running: c, a and 1 more")
        shown.ended("c")
        assert shown.text().endswith("left; running: a, b")


def test_one_long_job_is_told_of_while_nothing_ends(now: SimpleNamespace) -> None:
    """A line each ten seconds, however long it takes."""
    shown = made()
    with shown.watch(TASKS, 1):
        shown.started("a")
        printed(shown)
        lines = 0
        for _ in range(3600):
            now.seconds += 1
            shown.show()
            lines += printed(shown).count("running: a")
    assert lines == 3600 // EVERY


@pytest.mark.parametrize("terminal", [False, True])
def test_failures_are_told_at_once_and_as_they_are(now: SimpleNamespace, terminal: bool) -> None:
    shown = made(terminal)
    with shown.watch(TASKS, 1):
        printed(shown)
        shown.ended("a", ended(True, False, message="lost (1): [red]slot 3[/]"))
        text = printed(shown)
    assert "FAIL" in text and "a: frame: lost (1): [red]slot 3[/]" in text
    assert text.count("frame") == 1


def test_on_a_terminal_there_is_a_bar(now: SimpleNamespace) -> None:
    shown = made(terminal=True)
    with shown.watch(TASKS, 1):
        shown.ended("a", ended(True))
    assert "1 of 3 jobs, 1 test passed, about 1:00 left" in printed(shown)


def test_the_clock_looks_at_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while the one thread that starts and ends jobs waits for one of them."""
    monkeypatch.setattr(progress, "TICK", 0.01)
    monkeypatch.setattr(progress, "EVERY", 0.02)
    shown = made()
    with shown.watch(TASKS, 1):
        shown.started("a")
        printed(shown)
        time.sleep(0.5)
    assert "running: a" in printed(shown)
