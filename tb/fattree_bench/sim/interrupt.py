"""Ctrl-C, SIGTERM and SIGHUP end a command within seconds, with every process that it started.

A handler of Python raises an exception, which is lost where it meets a finaliser, and never comes
while compiled code runs.  So a thread hears of each signal by itself: it repeats one that nothing
has answered, and ends the process where that does not help.
"""

import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STATUS = 130
AGAIN = 3.0  # seconds until a signal that nothing has answered is repeated
TRIES = 3  # times, then the process ends
LAST = 25.0  # seconds in which a command that has answered may write what it knows
DEATH, SUBREAPER = 1, 36  # of prctl: a signal at the parent's end; orphans become own children

_C = ctypes.CDLL(None)
_heard = threading.Event()  # there was a signal
_answered = threading.Event()  # and the command is on its way out
answered = _answered.set  # call it where the exception of a signal was met


def children(of: int) -> list[int]:
    """All processes below one, parents first."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(path.parent.name))
    found = parents.get(of, [])
    for one in found:  # which grows
        found += parents.get(one, [])
    return found


def kill_children() -> None:
    """End whatever this process has started, also what has lost its own parent; repeated."""
    for _ in range(3):  # one that was just starting another
        for child in children(os.getpid()):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    with suppress(OSError, AttributeError):
        _C.prctl(option, value, 0, 0, 0)


def tied() -> None:
    """In a process that begins: it ends with its parent, even by kill -9."""
    _prctl(DEATH, signal.SIGKILL)


def _leave(_: int, __: FrameType | None) -> None:
    if not _answered.is_set():  # a second one, of make: the command is on its way out
        raise KeyboardInterrupt


def _watch(ear: int) -> None:
    """Read numbers of signals from a pipe; return once it is closed."""
    while (said := os.read(ear, 1)) and said[0] not in SIGNALS:
        pass
    if not said:
        return
    _heard.set()
    for _ in range(TRIES):
        if _answered.wait(AGAIN):
            threading.Event().wait(LAST)
            break
        os.kill(os.getpid(), said[0])
    kill_children()
    os.write(2, b"interrupted\n")
    os._exit(STATUS)


@contextmanager
def interruptible() -> Iterator[None]:
    """For the main thread of a process of its own; nothing that it started is left after a signal.

    A signal that was ignored from the start, as under nohup, stays so.
    """
    _prctl(SUBREAPER, 1)
    ear, mouth = os.pipe()
    os.set_blocking(mouth, False)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    threading.Thread(target=_watch, args=(ear,), daemon=True).start()
    try:
        yield
    finally:
        if _heard.is_set():
            for number in SIGNALS:  # one more would change the status while the interpreter ends
                signal.signal(number, signal.SIG_IGN)
            kill_children()
