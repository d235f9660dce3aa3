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
