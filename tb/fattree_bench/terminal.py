"""Where all output goes: tables are whole, and whatever becomes of stdout, the run continues."""

import codecs
import errno
import io
import os
import sys
import textwrap
import time
from typing import Any, TextIO

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

WIDE = 10_000  # columns, more than any table has
PIPED = 100  # columns of text that goes into a file or another program
PLAIN = "fattree_bench.plain"  # how characters are written that an encoding does not have
LIKE = {
    **{"…": "...", "–": "-", "—": "-", "→": "->", "←": "<-", "×": "x", "·": ".", "−": "-"},
    **{"≤": "<=", "≥": ">=", "±": "+-", "⌈": "ceil(", "⌉": ")", "✔": "yes", "✘": "no", "√": "sqrt"},
    "\N{NO-BREAK SPACE}": " ",
}


class Terminal(Console):
    """rich's console, but that it never cuts a table: what is too wide, the terminal wraps."""

    def __init__(self, **how: Any) -> None:
        """Where output is no terminal, lines are as long as they need to be."""
        super().__init__(highlight=False, emoji=False, **how)
        if not self.is_terminal and "COLUMNS" not in os.environ:
            self.width = PIPED

    def print(self, *objects: Any, **how: Any) -> None:
        needed = 0
        for shown in objects:
            # Columns that fold lose nothing.
            if isinstance(shown, Table) and any(c.overflow != "fold" for c in shown.columns):
                options = self.options.update(max_width=WIDE)
                needed = max(needed, Measurement.get(self, options, shown).maximum)
        own, self._width = self._width, max(self.width, needed) if needed else self._width
        try:
            super().print(*objects, **how)
        finally:
            self._width = own

    def entry(self, head: str, text: str, column: int) -> None:
        """A row of a list: its head, then a text from a column on, as many lines as it needs."""
        below = " " * column
        wrapper = textwrap.TextWrapper(
            self.width, subsequent_indent=below, break_long_words=False, break_on_hyphens=False
        )
        rows = wrapper.wrap(f"{head:<{column - 1}} {text}")
        self.print("\n".join(rows), markup=False, soft_wrap=True)


class _Patient(io.FileIO):
    """A stream whose reader may leave, and whose disk may fill up: what does not fit is gone."""

    failed: OSError | None = None
    written = time.monotonic()

    def write(self, data: Any, /) -> int:
        self.written = time.monotonic()
        if self.failed is None:
            try:
                return super().write(data) or 0
            except OSError as error:
                self.failed = error
        return len(memoryview(data).cast("B"))


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(LIKE.get(letter, "?") for letter in letters), error.end


def _open(descriptor: int, old: TextIO | None) -> _Patient:
    """A stream in the place of sys.stdout or sys.stderr."""
    raw = _Patient(descriptor, "w", closefd=False)
    encoding = getattr(old, "encoding", None) or "utf-8"
    text = io.TextIOWrapper(io.BufferedWriter(raw), encoding, PLAIN, line_buffering=True)
    setattr(sys, ("stdin", "stdout", "stderr")[descriptor], text)
    return raw


class Streams:
    """Standard output and errors that nothing can break, from here to the end of the process."""

    def __init__(self) -> None:
        codecs.register_error(PLAIN, _plain)
        for descriptor in range(3):  # a file that is opened must not get the number of one of these
            try:
                os.fstat(descriptor)
            except OSError:
                os.open(os.devnull, os.O_RDWR)
        self._out, self._err = _open(1, sys.stdout), _open(2, sys.stderr)

    def written(self) -> float:
        """The time, by time.monotonic, at which anything was written last."""
        return max(self._out.written, self._err.written)

    def close(self) -> int:
        """Write what is left; 1 if output was lost, but not for a reader that had enough."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        lost = self._out.failed
        if lost is None or lost.errno == errno.EPIPE:
            return 0
        print(f"error: the output is not whole: {lost.strerror}", file=sys.stderr, flush=True)
        return 1
