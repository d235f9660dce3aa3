"""Temporary folders of jobs.  Each job removes folders left by killed processes."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "tb-job-"
BEGUN = "tb-new-"  # before it is locked
LOCK = ".lock"
LATE = 3600.0  # seconds after which an unlocked folder counts as abandoned


@contextmanager
def scratch() -> Iterator[Path]:
    """A new folder, removed at the end; its owner holds a lock while it lives."""
    root = Path(tempfile.gettempdir())
    sweep(root)
    made = Path(tempfile.mkdtemp(prefix=BEGUN, dir=root))
    lock = os.open(made / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = made.rename(made.with_name(PREFIX + made.name.removeprefix(BEGUN)))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def sweep(root: Path) -> None:
    """Remove folders whose owners have died."""
    for folder in root.glob(f"{PREFIX}*"):
        with suppress(OSError):  # another user's, or just removed
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
    for folder in root.glob(f"{BEGUN}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > LATE:
                shutil.rmtree(folder, ignore_errors=True)
