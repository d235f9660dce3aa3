"""Files of users: regular, not too large, text; and what is wrong with them, with the line."""

import os
import stat
from pathlib import Path

from fattree_bench.errors import UserError

MOST = 64 << 20  # bytes
SHOWN = 40  # characters of a line in a message


def read_text(name: str) -> str:
    """A user's file; UserError if it is none, too large, empty, or no text."""
    path = Path(name)
    try:
        # Whoever opens a FIFO waits for its writer.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise UserError(f"{name}: is no regular file")
            if about.st_size > MOST:
                raise UserError(f"{name}: has {about.st_size >> 20} MB; at most {MOST >> 20}")
            data = file.read(MOST + 1)
    except (OSError, ValueError) as error:
        told = (getattr(error, "strerror", None) or str(error)).lower()
        raise UserError(f"{name}: {told}") from None
    if not data.strip():
        raise UserError(f"{name}: is empty")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise UserError(f"{name}:{line}: is no text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{name}:{line}: is no text in UTF-8") from None


class Wrong(Exception):
    """What is wrong in a line of a text."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


def shown(words: str) -> str:
    """A piece of a file for a message."""
    words = " ".join(words.split())
    return repr(words if len(words) <= SHOWN else words[:SHOWN] + "…")
