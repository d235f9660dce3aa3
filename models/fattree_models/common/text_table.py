"""Tables of numbers in text files.

`numpy.loadtxt` reads a table that is plain and in range.  Any other one is read line by line: that
says what is wrong and where, or takes what is allowed besides plain numbers.
"""

import io
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint64]


class Fault(Exception):
    """What is wrong with a file, without its name."""

    @classmethod
    def at(cls, line: int, reason: str) -> "Fault":
        """Return a fault with the number of its line."""
        return cls(f"line {line}: {reason}")


def text_of(raw: bytes) -> str:
    """Return a line as text without blanks at its ends."""
    # Bytes that are no UTF-8 then stand in the error message, or in a comment, where they may.
    return raw.decode(errors="backslashreplace").strip()


def whole(word: str, most: int) -> int | None:
    """Return a decimal number 0 ... most, or None.

    Examples
    --------
    >>> whole("007", 10), whole("11", 10), whole("1_0", 10)
    (7, None, None)
    """
    # Python would take 1_000 and digits of other scripts too, and refuse to convert very long ones.
    if not re.fullmatch("[0-9]+", word):
        return None
    digits = word.lstrip("0") or "0"
    if len(digits) > 20 or int(digits) > most:
        return None
    return int(digits)


def shown(word: str) -> str:
    """Return a piece of a file for a message: on one line, not too long."""
    return repr(word if len(word) <= 40 else word[:40] + "…")


def check_fields(fields: list[str], allowed: int, noun: str) -> None:
    """Raise `Fault` if a line has not as many fields as are allowed."""
    if len(fields) != allowed:
        count = f"{len(fields)} {noun}{'' if len(fields) == 1 else 's'}"
        raise Fault(f"has {count}; allowed are {allowed}")


def read_csv(
    data: bytes,
    headers: tuple[list[str], ...],
    noun: str,
    row_of: Callable[[list[str], list[str]], list[int]],
    good: Callable[[Table], bool],
) -> Table:
    """Read a table whose first line names its columns.

    Parameters
    ----------
    headers : tuple of lists of str
        The names of the columns that are allowed.
    noun : str
        What a line is, in the plural.
    row_of : function (names, fields)
        Reads the fields of a line, or raises `Fault`.
    good : function (table)
        Whether all numbers of a table are allowed; of others `row_of` raises.

    Returns
    -------
    uint64 array [columns, rows]
        At least one row.
    """
    names, start = header_of(data, headers)

    def read(text: str) -> list[int]:
        fields = [field.strip() for field in text.split(",")]
        check_fields(fields, len(names), "field")
        return row_of(names, fields)

    # loadtxt would take signs, too.
    plain = re.fullmatch(rb"[0-9,\s]*", data[start:])
    table = load_plain(data[start:], np.uint64, ",") if plain else None
    if table is None or table.shape[1] != len(names) or not good(table.T):
        table = np.array([row for _, row in read_lines(data, start, read)], dtype=np.uint64)
    if table.size == 0:
        raise Fault.at(1, f"no {noun} follow")
    return table.T


def header_of(data: bytes, headers: tuple[list[str], ...]) -> tuple[list[str], int]:
    """Return the names of the columns in the first line, and where the second one begins."""
    start = data.find(b"\n") + 1 or len(data)
    header = text_of(data[:start].removeprefix(b"\xef\xbb\xbf"))
    names = [name.strip() for name in header.split(",")]
    if names not in headers:
        allowed = " and ".join(",".join(each) for each in headers)
        raise Fault.at(1, f"is {shown(header)}; allowed are {allowed}")
    return names, start


def load_plain(data: bytes, columns: Any, delimiter: str | None) -> npt.NDArray[Any] | None:
    """Return a table [rows, columns] of a dtype, or of structures; None if it is no plain one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a real number for an integer, no line at all
        try:
            file = io.BytesIO(data)
            return np.loadtxt(file, columns, None, delimiter, encoding="latin1", ndmin=2)
        except (ValueError, OverflowError, Warning):
            return None


def read_lines(
    data: bytes, start: int, row_of: Callable[[str], list[int]]
) -> list[tuple[int, list[int]]]:
    """Return the number of each line that is not empty, and what `row_of` reads from it."""
    rows = []
    for line, raw in enumerate(data[start:].split(b"\n"), data.count(b"\n", 0, start) + 1):
        if text := text_of(raw):
            try:
                rows.append((line, row_of(text)))
            except Fault as fault:
                raise Fault.at(line, str(fault)) from None
    return rows
