"""A journal of results that survives Ctrl-C, kill -9 and a full disk.

JSON Lines: a header that identifies the plan, then one object per result.
"""

import contextlib
import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout

from fattree_bench.errors import UserError
from fattree_bench.paths import call

FULL = (errno.ENOSPC, errno.EDQUOT)


class JournalFull(UserError):
    """A result could not be written; earlier results are intact."""


class Journal:
    """An append-only file of results, locked against a second process.

    Open it with `start` or `resume`, or use it as a context manager.

    Parameters
    ----------
    path : the file; its folder is created.
    target : make target that continues it with RESUME=1.

    Raises
    ------
    UserError : another process has it open, or the file cannot be opened.
    """

    def __init__(self, path: Path, target: str = "regress") -> None:
        self.path = path
        self.target = target
        self._file = -1
        self._size = 0  # bytes of complete lines
        self._lock = FileLock(f"{path}.lock", timeout=0)
        try:
            self._lock.acquire()
        except Timeout:
            raise UserError(f"{path}: another {call()} {target} is writing it") from None
        except OSError as error:
            raise UserError(f"{path}: cannot be opened: {error.strerror}") from None

    def start(self, header: dict[str, Any], results: Iterable[dict[str, Any]] = ()) -> None:
        """Start a new file; an existing one is kept as NAME.old."""
        new = self.path.with_name(f"{self.path.name}.new")
        self._open(new, os.O_CREAT | os.O_TRUNC)
        self._size = 0
        for line in (header, *results):
            self.append(line)
        if self.path.exists():
            self.path.replace(f"{self.path}.old")
        new.replace(self.path)
        self._sync_folder()

    def resume(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Header and results of an interrupted run; new results are appended.

        A truncated last line is removed.  UserError: there is nothing to continue, or another line
        is damaged.
        """
        if not self.path.exists():
            raise UserError(f"{self.path}: no such file: nothing to continue")
        self._open(self.path, 0)
        data = self.path.read_bytes()
        lines, length = _whole(data, self.path)
        if not lines:
            raise UserError(f"{self.path}: was cut off before its first result; start again")
        if length < len(data):
            os.ftruncate(self._file, length)
            os.fsync(self._file)
        self._size = length
        return lines[0], lines[1:]

    def append(self, result: dict[str, Any]) -> None:
        """Write one line, synced to disk on return; JournalFull if that fails."""
        line = json.dumps(result, separators=(",", ":")).encode() + b"\n"
        try:
            self._drop_torn()
            # A single write: after a death between two writes, halves could look like two lines.
            if os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
            self._size += len(line)
        except OSError as error:
            # If this fails as well, the next append or resume repeats it.
            with contextlib.suppress(OSError):
                self._drop_torn()
            what = "disk full" if error.errno in FULL else "cannot write"
            raise JournalFull(
                f"{what}: {self.path}: {error.strerror}; earlier results are kept: "
                f"{call()} {self.target} RESUME=1 continues"
            ) from None

    def close(self) -> None:
        """Close the file and release the lock."""
        self._close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, path: Path, how: int) -> None:
        self._close()
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | how, 0o666)
        except OSError as error:
            raise UserError(f"{self.path}: cannot be opened: {error.strerror}") from None

    def _close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _drop_torn(self) -> None:
        if os.fstat(self._file).st_size > self._size:
            os.ftruncate(self._file, self._size)

    def _sync_folder(self) -> None:
        """Make a new file name survive a power cut."""
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _whole(data: bytes, path: Path) -> tuple[list[dict[str, Any]], int]:
    """The complete lines of a file and their length in bytes."""
    lines: list[dict[str, Any]] = []
    *pieces, cut_off = data.split(b"\n")
    length = 0
    for number, piece in enumerate(pieces, 1):
        try:
            line = json.loads(piece)
            if not isinstance(line, dict):
                raise ValueError("not an object")
        except ValueError:
            if number == len(pieces) and not cut_off:
                break
            raise UserError(
                f"{path}: line {number} is damaged, and not the last: repair or remove the file"
            ) from None
        lines.append(line)
        length += len(piece) + 1
    return lines, length
