"""Tables of numbers in text files, more than a million lines a second.

They are read by a compiled parser that knows the plain grammar.  A line that it does not
understand, or with a number out of range, is given to a reader in Python, which defines what is
allowed: it says what is wrong, or takes the line after all.
"""

import re
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int8Array, Int64Array

UInt8Array = npt.NDArray[np.uint8]
UInt64Array = npt.NDArray[np.uint64]

MAX_PAYLOAD = 2**64 - 1
PLACE, PAYLOAD, REAL, INTEGER = range(4)
"""What a field holds: a number that counts something, an unsigned 64-bit one (both are returned),
a real and a signed number (which are only checked)."""


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


def counted(count: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "field"), counted(2, "field")
    ('1 field', '2 fields')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def line_number(data: bytes, at: int) -> int:
    """Return the number of the line, from 1, in which a byte stands."""
    return data.count(b"\n", 0, at) + 1


def read_table(
    data: bytes,
    start: int,
    separator: int,
    kinds: list[int],
    outside: int,
    row_of: Callable[[str], list[int]],
    wrong: Callable[[UInt64Array], BoolArray],
) -> tuple[UInt64Array, Int64Array]:
    """Read the places and payloads of a table of text.

    Parameters
    ----------
    start : int
        Where the table begins.
    separator : int
        Code of "," or " ".
    kinds : list of int
        What is in each field.
    outside : int
        What the word "external" stands for, -1 if it is not allowed.
    row_of : function
        Reads a line, or raises `Fault`.
    wrong : function
        Tells which rows of a table are out of range, bool [rows]; `row_of` will raise.

    Returns
    -------
    (table, begins) : uint64 [columns, rows], int64 [rows]
        The numbers, and where the lines begin.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    lines = data.count(b"\n", start) + 1
    columns = sum(kind in (PLACE, PAYLOAD) for kind in kinds)
    table = np.zeros((columns, lines), dtype=np.uint64)
    begins = np.zeros(lines, dtype=np.int64)
    kind = np.array(kinds, dtype=np.int8)
    at, count = start, 0

    def read_line(begin: int) -> tuple[list[int], int]:
        end = data.find(b"\n", begin) + 1 or len(data)
        try:
            return row_of(text_of(data[begin:end])), end
        except Fault as fault:
            raise Fault.at(line_number(data, begin), str(fault)) from None

    while True:
        done = count
        at, count = _parse_lines(text, at, separator, kind, outside, table, begins, count)
        for row in np.flatnonzero(wrong(table[:, done:count])).tolist():
            read_line(int(begins[done + row]))
        if at == len(data):
            return table[:, :count], begins[:count]
        begins[count] = at
        table[:, count], at = read_line(at)
        count += 1


_NEWLINE, _RETURN, _BLANK, _TAB = 10, 13, 32, 9
_MINUS, _PLUS, _POINT, _ZERO, _SMALL_A, _SMALL_E, _SMALL_X = (ord(c) for c in "-+.0aex")
_EXTERNAL = np.frombuffer(b"external", dtype=np.uint8)
_LOWER = 32  # this bit makes a letter small


@njit(cache=True)
def _parse_lines(
    text: UInt8Array,
    start: int,
    separator: int,
    kinds: Int8Array,
    outside: int,
    table: UInt64Array,
    begins: Int64Array,
    count: int,
) -> tuple[int, int]:
    """Fill the table from row `count` on; return where a line begins that is not plain, or the end.

    Returns
    -------
    (int, int)
        The place, and the rows in the table.
    """
    at = start
    while True:
        begin = at
        at = _skip_blanks(text, at)
        if at == text.size:
            return at, count
        if text[at] in (_NEWLINE, _RETURN):
            at += 1
            continue
        column = 0
        for f in range(kinds.size):
            if f > 0:
                at = _skip_separator(text, at, separator)
            if at < 0:
                break
            if kinds[f] in (REAL, INTEGER):
                at = _skip_number(text, at, kinds[f] == REAL)
            elif kinds[f] == PLACE and outside >= 0 and _is_external(text, at):
                at += _EXTERNAL.size
                table[column, count] = outside
                column += 1
            else:
                at, value = _take_number(text, at, kinds[f] == PAYLOAD)
                table[column, count] = value
                column += 1
            if at < 0:
                break
        if at < 0:
            return begin, count
        at = _skip_blanks(text, at)
        if at < text.size and text[at] == _RETURN:
            at += 1
        if at < text.size and text[at] != _NEWLINE:
            return begin, count
        at = min(at + 1, text.size)
        begins[count] = begin
        count += 1


@njit(cache=True)
def _skip_blanks(text: UInt8Array, at: int) -> int:
    while at < text.size and text[at] in (_BLANK, _TAB):
        at += 1
    return at


@njit(cache=True)
def _skip_separator(text: UInt8Array, at: int, separator: int) -> int:
    """Return where the next field begins, -1 if there is no separator."""
    after = _skip_blanks(text, at)
    if separator == _BLANK:
        return after if after > at else -1
    if after == text.size or text[after] != separator:
        return -1
    return _skip_blanks(text, after + 1)


@njit(cache=True)
def _is_external(text: UInt8Array, at: int) -> bool:
    same = 0
    while same < _EXTERNAL.size and at + same < text.size and text[at + same] == _EXTERNAL[same]:
        same += 1
    return same == _EXTERNAL.size


@njit(cache=True)
def _take_number(text: UInt8Array, at: int, hexadecimal: bool) -> tuple[int, np.uint64]:
    """Read an unsigned 64-bit number; return where it ends, -1 if there is none, and its value."""
    begin = at
    base = np.uint64(10)
    hexed = at + 1 < text.size and text[at] == _ZERO and text[at + 1] | _LOWER == _SMALL_X
    if hexadecimal and hexed:
        base = np.uint64(16)
        begin = at = at + 2
    limit = np.uint64(MAX_PAYLOAD)
    value = np.uint64(0)
    while at < text.size:
        digit = np.int64(text[at]) - _ZERO
        if base == 16 and digit > 9:
            digit = np.int64(text[at] | _LOWER) - _SMALL_A + 10
            if digit < 10:
                break
        if digit < 0 or digit >= np.int64(base):
            break
        if value > (limit - np.uint64(digit)) // base:
            return -1, value
        value = value * base + np.uint64(digit)
        at += 1
    return at if at > begin else -1, value


@njit(cache=True)
def _skip_number(text: UInt8Array, at: int, real: bool) -> int:
    """Return where a number that begins at `at` ends, -1 if there is none."""
    if at < text.size and text[at] in (_MINUS, _PLUS):
        at += 1
    begin = at
    at = _skip_digits(text, at)
    digits = at - begin
    if real and at < text.size and text[at] == _POINT:
        begin = at + 1
        at = _skip_digits(text, begin)
        digits += at - begin
    if digits == 0:
        return -1
    if real and at < text.size and text[at] | _LOWER == _SMALL_E:
        at += 1
        if at < text.size and text[at] in (_MINUS, _PLUS):
            at += 1
        begin = at
        at = _skip_digits(text, begin)
        if at == begin:
            return -1
    return at


@njit(cache=True)
def _skip_digits(text: UInt8Array, at: int) -> int:
    while at < text.size and _ZERO <= text[at] < _ZERO + 10:
        at += 1
    return at
