"""How a report comes onto the disk: whole, or not at all."""

import os
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Write a file and the folders above it; OSError leaves what was there before.

    UTF-8; half a surrogate pair (bytes of a log that were no text) is spelt out.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(text.encode("utf-8", "backslashreplace"))
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def append_line(path: Path, line: str, head: str = "") -> None:
    """Add a line in one write: others may do so at the same time, or have been killed in it.

    `head` : the first line of a new file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        size = file.seek(0, os.SEEK_END)
        if not size:
            line = head + line
        elif file.seek(size - 1) and file.read(1) != b"\n":  # half a line of one that was killed
            line = "\n" + line
        file.write(line.encode())
