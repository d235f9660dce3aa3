"""Folders for the time of a job.  What a killed process has left, the next one removes."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "tb-job-"
BEGUN = "tb-new-"  # until it is locked
LOCK = ".lock"
LATE = 3600.0  # seconds after which nobody is still about to lock a folder


@contextmanager
def scratch() -> Iterator[Path]:
    """A fresh folder, of which nothing is left; its owner holds a lock as long as it lives."""
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
    """Remove folders whose owners are gone."""
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
