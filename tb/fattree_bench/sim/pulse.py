"""No command is silent for long: where nothing was written for a while, a line says what it does.

`doing` names a part of a command.  The line is written by a thread, so code that keeps the
interpreter to itself, as a compiled kernel does unless it says nogil, delays it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

EVERY = 10.0  # seconds of silence at most

Told = str | Callable[[], str]  # what is done; a function: how far it is
_parts: list[tuple[Told, float]] = []  # that are under way, and since when


@contextmanager
def doing(what: Told) -> Iterator[None]:
    """Name what is done inside; of several parts the innermost is named."""
    part = (what, time.monotonic())
    _parts.append(part)
    try:
        yield
    finally:
        _parts.remove(part)


@contextmanager
def phase(console: Console, what: str) -> Iterator[Callable[[str], None]]:
    """The same with a line at the start, or a spinner on a terminal; the caller may change it."""
    if console.is_terminal:
        with console.status(Text(what)) as status:
            yield lambda text: status.update(Text(text))
        return
    words = [what]
    console.print(f"{what} …", markup=False, soft_wrap=True)
    with doing(lambda: words[0]):
        yield lambda text: words.__setitem__(0, text)


def line() -> str:
    """What is done, and for how long, as in "merging code coverage, run 30 of 830 … 20 s"."""
    what, since = _parts[-1]
    return f"{what if isinstance(what, str) else what()} … {time.monotonic() - since:.0f} s"


@contextmanager
def ticking(tick: Callable[[], None], wait: Callable[[], float]) -> Iterator[None]:
    """Call `tick` from a thread, again and again after so many seconds."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(wait()):
            tick()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def pulse(command: str, written: Callable[[], float], every: float = EVERY) -> Iterator[None]:
    """Break the silence of a command; `written`: the time.monotonic of the last output."""

    def beat() -> None:
        if time.monotonic() - written() >= every:
            print(line(), flush=True)

    wait = lambda: max(every / 100, written() + every - time.monotonic())  # noqa: E731
    with doing(command), ticking(beat, wait):
        yield
