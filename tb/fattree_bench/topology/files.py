"""Users' files, which must be regular, not too large, and text; faults with their line."""

from fattree_bench.errors import UserError
from fattree_models.common.user_file import read_file

SHOWN = 40  # characters of a line in a message


def read_text(name: str) -> str:
    """A user's file; UserError if it is missing, too large, empty, or not text."""
    try:
        data = read_file(name)
    except ValueError as error:
        raise UserError(str(error)) from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # as PowerShell saves
        data = data.decode("utf-16", errors="replace").encode()
    if not data.strip():
        raise UserError(f"{name}: is empty")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise UserError(f"{name}:{line}: is not text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{name}:{line}: is not text in UTF-8") from None


class Wrong(Exception):
    """A fault in a line of a text."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


def shown(words: str) -> str:
    """A piece of a file for a message."""
    words = " ".join(words.split())
    return repr(words if len(words) <= SHOWN else words[:SHOWN] + "…")
