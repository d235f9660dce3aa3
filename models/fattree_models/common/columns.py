"""Tables of users in CSV: typed columns, and what is wrong with a file, with its line."""

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array

Table = npt.NDArray[np.uint64]
BOM = b"\xef\xbb\xbf"  # before what some editors write


class Fault(Exception):
    """What is wrong with a file, without its name."""

    @classmethod
    def at(cls, line: int, reason: str) -> "Fault":
        """Return a fault with the number of its line."""
        return cls(f"line {line}: {reason}")


@dataclass(frozen=True)
class Column:
    """A column of numbers.

    Attributes
    ----------
    low, high : int
        The least and the greatest number, below 2^64.
    words : mapping
        What is allowed instead of a number, and which number it stands for.
    hexadecimal : bool
        Whether numbers may also be written like 0x1f.
    allowed : str
        What is allowed, for messages; empty: low … high.
    """

    name: str
    low: int = 0
    high: int = 2**63 - 1
    words: Mapping[str, int] = field(default_factory=dict)
    hexadecimal: bool = False
    allowed: str = ""

    def number(self, text: str, place: int = 0) -> int:
        """Return what a field says; `Fault`, which may say its place, if it is not allowed."""
        if text in self.words:
            return self.words[text]
        number = whole(text, self.high)
        if self.hexadecimal and re.fullmatch("0[xX][0-9a-fA-F]+", text):
            digits = text[2:].lstrip("0") or "0"
            number = int(digits, 16) if len(digits) <= 16 else None
        if number is None or not self.low <= number <= self.high:
            allowed = self.allowed or f"{self.low} … {self.high}"
            raise Fault(f"{self.name.format(place)} is {shown(text)}; allowed are {allowed}")
        return number


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


def read_table(
    data: bytes,
    columns: Sequence[Column],
    needed: int,
    noun: str,
    check: Callable[[npt.NDArray[Any]], str] = lambda _: "",
) -> dict[str, Table]:
    """Read a table in which only the numbers matter.

    Parameters
    ----------
    columns, needed : sequence of Column, int
        The first line names the first `needed` of them, then any others in any order.
    noun : str
        What a line is, in the plural.
    check : function (table or row) -> str
        What is wrong with numbers that are all allowed, if something is; "" otherwise.  Its
        argument begins with the needed columns.

    Returns
    -------
    uint64 arrays [rows] by the name of their column
        At least one row; columns that the file does not have are missing.
    """
    there, start = _header(data, columns, needed)
    table = _plain(data[start:])
    if table is not None and table.shape[1] == len(there):
        limits = np.array([(c.low, c.high) for c in there], dtype=np.uint64).T
        if (limits[0] <= table).all() and (table <= limits[1]).all() and not check(table.T):
            return _named(there, table)
    # Not plain, or not allowed: line by line, which says where.
    rows = []
    for line, row in read_rows(data, columns, needed):
        if wrong := check(np.array(row, dtype=np.uint64)[:, None]):
            raise Fault.at(line, wrong)
        rows.append(row)
    if not rows:
        raise Fault.at(1, f"no {noun} follow")
    return _named(there, np.array(rows, dtype=np.uint64))


def _named(there: Sequence[Column], table: Table) -> dict[str, Table]:
    return {column.name: values for column, values in zip(there, table.T, strict=True)}


IDLE = 2**64 - 1


def read_grid(
    data: bytes, cell: Column, width: int, noun: str, check: Callable[[Int64Array, int], str]
) -> Int64Array:
    """Read a table without names of columns: numbers, or nothing, or -1, which mean the same.

    Parameters
    ----------
    cell : Column
        Of all columns; its name may say which one, as in `output of input {}`.
    width, noun : int, str
        How many columns there are; what a line is, in the plural.
    check : function (rows, number of the first) -> str
        What is wrong with rows whose numbers are all allowed, if something is; "" otherwise.

    Returns
    -------
    int64 array [rows, width]
        At least one row; -1 for nothing.
    """
    text = data.removeprefix(BOM).replace(b"\r\n", b"\n")
    if not re.search(b"[0-9]{19}", text):  # what stands for nothing must stand nowhere
        filled = re.sub(b"(?<=[,\n])(-1)?(?=[,\n])", b"%d" % IDLE, b"\n" + text.strip() + b"\n")
        table = _plain(filled)
        if table is not None and table.shape[1] == width:
            inside = (table <= cell.high) | (table == IDLE)
            grid = table.astype(np.int64)  # IDLE becomes -1
            if inside.all() and not check(grid, 0):
                return grid
    # Not plain, or not allowed: line by line, which says where.
    nothing = replace(cell, words={"": -1, "-1": -1})
    rows: list[list[int]] = []
    for line, raw in enumerate(text.split(b"\n"), 1):
        if not (words := _text(raw)):
            continue
        try:
            fields = words.split(",")
            if len(fields) != width:
                columns = f"{len(fields)} column{'' if len(fields) == 1 else 's'}"
                raise Fault(f"has {columns}; allowed are {width}")
            row = [nothing.number(each.strip(), place) for place, each in enumerate(fields)]
            if wrong := check(np.array([row]), len(rows)):
                raise Fault(wrong)
        except Fault as fault:
            raise Fault.at(line, str(fault)) from None
        rows.append(row)
    if not rows:
        raise Fault(f"holds no {noun}")
    return np.array(rows)


def read_rows(
    data: bytes, columns: Sequence[Column], needed: int = 0
) -> list[tuple[int, list[int]]]:
    """Return the number of each line that is not empty, and what it says; see `read_table`."""
    there, start = _header(data, columns, needed)
    rows = []
    for line, raw in enumerate(data[start:].split(b"\n"), 2):
        text = _text(raw)
        fields = [each.strip() for each in text.split(",")]
        try:
            if text and len(fields) != len(there):
                count = f"{len(fields)} field{'' if len(fields) == 1 else 's'}"
                raise Fault(f"has {count}; allowed are {len(there)}")
            if text:
                named = zip(there, fields, strict=True)
                rows.append((line, [column.number(each) for column, each in named]))
        except Fault as fault:
            raise Fault.at(line, str(fault)) from None
    return rows


def _header(data: bytes, columns: Sequence[Column], needed: int) -> tuple[list[Column], int]:
    """Return the columns that the first line names, and where the second one begins."""
    start = data.find(b"\n") + 1 or len(data)
    header = _text(data[:start].removeprefix(BOM))
    names = [name.strip() for name in header.split(",")]
    every = {column.name: column for column in columns}
    first = list(every)[: needed or len(every)]
    if names[: len(first)] != first or len({*names} & {*every}) != len(names):
        more = "".join(f"[,{name}]" for name in list(every)[len(first) :])
        raise Fault.at(1, f"is {shown(header)}; allowed are {','.join(first)}{more}")
    return [every[name] for name in names], start


def _text(raw: bytes) -> str:
    """Return a line as text without blanks at its ends."""
    # Bytes that are no UTF-8 then stand in the error message.
    return raw.decode(errors="backslashreplace").strip()


def _plain(data: bytes) -> Table | None:
    """Return a table [rows, columns] of decimal numbers by numpy, fast; None if it is another."""
    if not re.fullmatch(rb"[0-9,\s]*", data):  # loadtxt would also take signs
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a real number for an integer, no line at all
        try:
            return np.loadtxt(io.BytesIO(data), np.uint64, None, ",", encoding="latin1", ndmin=2)
        except (ValueError, OverflowError, Warning):
            return None
