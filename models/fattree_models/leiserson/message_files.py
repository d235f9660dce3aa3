"""Message sets from files: .csv, .npz, and sparse matrices in Matrix Market format, .mtx."""

import io
import math
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fattree_models.common.checks import Int32Array, Int64Array, IntegerArray
from fattree_models.common.text_table import (
    Fault,
    Table,
    check_fields,
    load_plain,
    read_csv,
    read_lines,
    shown,
    text_of,
    whole,
)
from fattree_models.common.user_file import read_file
from fattree_models.leiserson.capacity import check_processors

MAX_ROWS = 2**31 - 1
MAX_PAYLOAD = 2**64 - 1
MAX_MESSAGES = 2**22
"""Of a file; a compressed one may hold far more than its size tells."""

SUFFIXES = (".csv", ".npz", ".mtx")
_HEADERS = (["source", "destination"], ["source", "destination", "payload"])
_VALUES: dict[str, list[type]] = {
    "pattern": [],
    "integer": [int],
    "real": [float],
    "complex": [float, float],
}
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


@dataclass(frozen=True, eq=False)
class MessageSet:
    """The messages of a file.

    Attributes
    ----------
    src, dst : int32 arrays [messages]
        Processors 0 ... n-1, or n: from or to the outside; in the order of the file (a matrix: by
        receiver, then by column).
    payload : uint64 array [messages] or None
        What they carry, if the file says so.
    local : int
        Messages that stay within their processor; they are left out.
    name : str
        The file's name without its folder.
    """

    src: Int32Array
    dst: Int32Array
    payload: Table | None
    local: int
    name: str


def read_messages(path: str | Path, processors: int) -> MessageSet:
    """Read a message set.

    Parameters
    ----------
    path : str or Path
        By its suffix:

        .csv
            First line `source,destination` or `source,destination,payload`, then a message a line.
            Processors are decimal numbers 0 ... n-1; `external` or n is the outside.  Payloads are
            decimal or, with 0x before them, hexadecimal, below 2^64.  Blanks around fields and
            empty lines do not matter.
        .npz
            Integer arrays source, destination [messages] and possibly payload; n is the outside.
        .mtx
            A square sparse matrix in coordinate format; what its product with a vector sends.  Rows
            are dealt out in blocks of ceil(rows / n), element j of the vector to the owner of row
            j.  Entry (i, j) means that the owner of row i needs element j: for every processor p
            and every column j in which p has an entry, one message from the owner of j to p, be it
            one entry or many.  Different columns of the same owner are different messages.  The
            other triangle of a symmetric matrix is added.  Values do not matter.

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed or without a message: one line, `path: line 7:
        reason`, or `path: reason` where there are no lines.
    """
    n = check_processors(processors)
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(
            f"{path}: has the suffix {suffix or 'none'}; allowed are {', '.join(SUFFIXES)}"
        )
    data = read_file(path)
    try:
        if suffix == ".npz":
            return _without_local(*_read_npz(data, n), file.name)
        if suffix == ".csv":
            return _without_local(*_read_csv(data, n), file.name)
        src, dst = _needs(*_read_mtx(data), n)
        return _without_local(src, dst, None, file.name)
    except Fault as fault:
        raise ValueError(f"{path}: {fault}") from None


def _without_local(
    src: IntegerArray, dst: IntegerArray, payload: Table | None, name: str
) -> MessageSet:
    """Leave out the messages that stay within their processor."""
    if src.size > MAX_MESSAGES:
        raise Fault(f"holds {src.size} messages; allowed are at most {MAX_MESSAGES}")
    away = src != dst
    return MessageSet(
        np.ascontiguousarray(src[away], dtype=np.int32),
        np.ascontiguousarray(dst[away], dtype=np.int32),
        None if payload is None else payload[away],
        int(away.size - np.count_nonzero(away)),
        name,
    )


# .npz ------------------------------------------------------------------------------------------


def _read_npz(data: bytes, n: int) -> tuple[IntegerArray, IntegerArray, Table | None]:
    if not data:
        raise Fault("is empty")
    arrays = _members(data)
    count = arrays["source"].size
    for name, array in arrays.items():
        if array.shape != (count,):
            shape = ", ".join(map(str, array.shape))
            raise Fault(f"{name} has shape [{shape}]; allowed is [messages], as long as source")
    if count == 0:
        raise Fault("holds no messages")
    for name in _HEADERS[0]:
        _check_array(name, arrays[name], n, f"0 … {n} ({n}: the outside)")
    loops = np.flatnonzero((arrays["source"] == n) & (arrays["destination"] == n))
    if loops.size:
        raise Fault(f"message {loops[0]} goes from the outside to itself")
    if "payload" not in arrays:
        return arrays["source"], arrays["destination"], None
    payload = arrays["payload"]
    _check_array("payload", payload, MAX_PAYLOAD, f"0 … {MAX_PAYLOAD}")
    return arrays["source"], arrays["destination"], payload.astype(np.uint64)


def _members(data: bytes) -> dict[str, IntegerArray]:
    """Return the arrays of an archive, which are those of a message set, by name."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            for name in _HEADERS[0]:
                if name not in found:
                    raise Fault(f"has no array {name}; it holds {', '.join(found) or 'none'}")
            extra = [name for name in found if name not in _HEADERS[1]]
            if extra:
                raise Fault(f"holds {extra[0]}; allowed are {', '.join(_HEADERS[1])}")
            return {name: _array(name, archive, entry) for name, entry in found.items()}
    except Fault:
        raise
    # A damaged archive makes zipfile and zlib raise nearly anything.
    except Exception:
        raise Fault("is no .npz file, or damaged") from None


def _array(name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IntegerArray:
    """Return one array; what its header says is checked before there is room made for it."""
    with archive.open(entry) as file:
        try:
            version = np.lib.format.read_magic(file)
            read = {
                (1, 0): np.lib.format.read_array_header_1_0,
                (2, 0): np.lib.format.read_array_header_2_0,
            }[version]
            shape, _, dtype = read(file)
        except (KeyError, ValueError):
            raise Fault(f"{name} is no array of numbers") from None
        if dtype.kind not in "iu":
            kinds = {
                "f": "real numbers",
                "c": "complex numbers",
                "b": "truth values",
                "O": "objects",
            }
            kind = kinds.get(dtype.kind, "no numbers")
            raise Fault(f"{name} holds {kind}; allowed are integers")
        count = math.prod(shape)
        if count > MAX_MESSAGES:
            raise Fault(f"{name} holds {count} numbers; allowed are at most {MAX_MESSAGES}")
        size = count * dtype.itemsize
        values = file.read(size + 1)  # to its end, where its checksum is looked at
    if len(values) != size:
        raise Fault(f"{name} is cut off, or too long")
    return np.frombuffer(values, dtype).reshape(shape)


def _check_array(name: str, values: IntegerArray, most: int, allowed: str) -> None:
    wrong = np.flatnonzero(values < 0) if values.dtype.kind == "i" else np.zeros(0, dtype=int)
    if not wrong.size and int(values.max()) > most:
        wrong = np.flatnonzero(values > most)
    if wrong.size:
        raise Fault(f"{name}[{wrong[0]}] is {values[wrong[0]]}; allowed are {allowed}")


# .csv ------------------------------------------------------------------------------------------


def _read_csv(data: bytes, n: int) -> tuple[IntegerArray, IntegerArray, Table | None]:
    def row_of(names: list[str], fields: list[str]) -> list[int]:
        row = [_place(name, field, n) for name, field in zip(names[:2], fields, strict=False)]
        if row[0] == row[1] == n:
            raise Fault("goes from the outside to itself")
        return row + [_payload(field) for field in fields[2:]]

    def good(table: Table) -> bool:
        return bool((table[:2].max() <= n) & (table[:2].min(axis=0) < n).all())

    table = read_csv(data, _HEADERS, "messages", row_of, good)
    source, destination = table[:2].astype(np.int64)
    return source, destination, table[2] if len(table) > 2 else None


def _place(name: str, field: str, n: int) -> int:
    number = n if field == "external" else whole(field, n)
    if number is None:
        raise Fault(f"{name} is {shown(field)}; allowed are 0 … {n} ({n} or external: the outside)")
    return number


def _payload(field: str) -> int:
    if re.fullmatch("0[xX][0-9a-fA-F]+", field):
        digits = field[2:].lstrip("0") or "0"
        number = int(digits, 16) if len(digits) <= 16 else None
    else:
        number = whole(field, MAX_PAYLOAD)
    if number is None:
        raise Fault(
            f"payload is {shown(field)}; allowed are 0 … {MAX_PAYLOAD}, decimal or 0x hexadecimal"
        )
    return number


# .mtx ------------------------------------------------------------------------------------------


def _needs(
    row: Int64Array, column: Int64Array, rows: int, n: int
) -> tuple[IntegerArray, IntegerArray]:
    """Return who sends a vector element and who needs it, a message each, local ones too."""
    block = -(-rows // n)
    key = np.unique(row // block * rows + column)
    return key % rows // block, key // rows


def _read_mtx(data: bytes) -> tuple[Int64Array, Int64Array, int]:
    """Return the entries, the other triangle added, and the rows; all from 0."""
    start = data.find(b"\n") + 1 or len(data)
    banner = text_of(data[:start])
    words = banner.lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise Fault.at(
            1, f"is {shown(banner)}; allowed is %%MatrixMarket matrix coordinate field symmetry"
        )
    for word, allowed in zip(words[2:], (["coordinate"], _VALUES, _SYMMETRIES), strict=True):
        if word not in allowed:
            raise Fault.at(1, f"says {shown(word)}; allowed are {', '.join(allowed)}")
    line, text, start = _sizes_line(data, start)
    rows, entries = _sizes(line, text)
    row, column = _entries(data, start, _VALUES[words[3]], line, rows, entries)
    if words[4] != "general":
        row, column = np.concatenate((row, column)), np.concatenate((column, row))
    return row, column, rows


def _sizes_line(data: bytes, start: int) -> tuple[int, str, int]:
    """Skip comments; return the next line, its text and where the one after it begins."""
    line = 2
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        text = text_of(data[start:end])
        if text and not text.startswith("%"):
            return line, text, end
        line, start = line + 1, end
    raise Fault.at(line - 1, "no sizes follow: rows columns entries")


def _sizes(line: int, text: str) -> tuple[int, int]:
    sizes = [whole(word, 2**62) for word in text.split()]
    if len(sizes) != 3 or None in sizes:
        raise Fault.at(line, f"is {shown(text)}; allowed is: rows columns entries")
    rows, columns, entries = (size or 0 for size in sizes)
    if not 1 <= rows <= MAX_ROWS:
        raise Fault.at(line, f"says {rows} rows; allowed are 1 … {MAX_ROWS}")
    if columns != rows:
        raise Fault.at(line, f"says {rows} rows and {columns} columns; allowed are as many")
    if entries < 1:
        raise Fault.at(line, "says 0 entries; allowed is at least 1")
    return rows, entries


def _entries(
    data: bytes, start: int, kinds: list[type], line: int, rows: int, entries: int
) -> tuple[Int64Array, Int64Array]:
    """Return row and column of the entries, from 0; their number stands in a `line` before."""
    values = [(f"value{i}", kind) for i, kind in enumerate(kinds)]
    table = load_plain(data[start:], [("row", np.int64), ("column", np.int64), *values], None)
    if table is not None and table.size == entries:
        row, column = table["row"].ravel() - 1, table["column"].ravel() - 1
        if min(row.min(), column.min()) >= 0 and max(row.max(), column.max()) < rows:
            return row, column
    found = read_lines(data, start, lambda text: _mtx_row(text, kinds, rows))
    if len(found) > entries:
        raise Fault.at(found[entries][0], f"is one entry too many; line {line} says {entries}")
    if len(found) < entries:
        last = found[-1][0] if found else line
        raise Fault.at(last, f"ends after {len(found)} of {entries} entries")
    row, column = np.array([place for _, place in found], dtype=np.int64).T - 1
    return row, column


def _mtx_row(text: str, kinds: list[type], rows: int) -> list[int]:
    """Read one line, an entry."""
    words = text.split()
    check_fields(words, 2 + len(kinds), "number")
    place = [whole(word, rows) or 0 for word in words[:2]]
    for name, number, word in zip(("row", "column"), place, words, strict=False):
        if number < 1:
            raise Fault(f"{name} is {shown(word)}; allowed are 1 … {rows}")
    for kind, word in zip(kinds, words[2:], strict=True):
        try:
            kind(word.replace("_", "x"))
        except ValueError:
            raise Fault(f"value is {shown(word)}; allowed are numbers") from None
    return place
