"""Message sets from files: .csv, .npz, and sparse matrices in Matrix Market format, .mtx."""

import io
import math
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fattree_models.common.checks import Int32Array, IntegerArray
from fattree_models.common.columns import Column, Fault, Table, read_table
from fattree_models.common.user_file import read_file
from fattree_models.leiserson.capacity import check_processors

MAX_ROWS = 2**31 - 1
MAX_PAYLOAD = 2**64 - 1
MAX_MESSAGES = 2**22
"""Of a file; a compressed one may hold far more than its size tells."""

SUFFIXES = (".csv", ".npz", ".mtx")
_COLUMNS = ("source", "destination", "payload")


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
        return _without_local(*_read_mtx(data, n), None, file.name)
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
    for name in _COLUMNS[:2]:
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
            for name in _COLUMNS[:2]:
                if name not in found:
                    raise Fault(f"has no array {name}; it holds {', '.join(found) or 'none'}")
            extra = [name for name in found if name not in _COLUMNS]
            if extra:
                raise Fault(f"holds {extra[0]}; allowed are {', '.join(_COLUMNS)}")
            return {name: _array(name, archive, entry) for name, entry in found.items()}
    except Fault:
        raise
    # A damaged archive makes zipfile and zlib raise nearly anything.
    except Exception:
        raise Fault("is not an .npz file, or damaged") from None


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
            raise Fault(f"{name} is not an array of numbers") from None
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
    place = f"0 … {n} ({n} or external: the outside)"
    ends = [Column(name, 0, n, {"external": n}, allowed=place) for name in _COLUMNS[:2]]
    numbers = f"0 … {MAX_PAYLOAD}, decimal or 0x hexadecimal"
    payload = Column(_COLUMNS[2], 0, MAX_PAYLOAD, hexadecimal=True, allowed=numbers)

    def check(table: Table) -> str:
        outside = (table[:2] == n).all(axis=0).any()
        return "goes from the outside to itself" if outside else ""

    table = read_table(data, [*ends, payload], 2, "messages", check)
    source, destination = table[:2].astype(np.int64)
    return source, destination, table[2] if len(table) > 2 else None


# .mtx ------------------------------------------------------------------------------------------


def _read_mtx(data: bytes, n: int) -> tuple[IntegerArray, IntegerArray]:
    """Return who sends a vector element and who needs it, a message each, local ones too."""
    import scipy.io

    try:
        rows, columns, entries, form, *_ = scipy.io.mminfo(io.BytesIO(data))
        if form != "coordinate":
            raise Fault(f"has the format {form}; allowed is coordinate")
        if columns != rows or not 1 <= rows <= MAX_ROWS:
            raise Fault(
                f"has {rows} rows and {columns} columns; allowed are as many, 1 … {MAX_ROWS}"
            )
        # mmread makes room for what the file announces: an entry takes four bytes at least.
        if not 1 <= entries <= len(data) // 4:
            raise Fault(f"announces {entries} entries; allowed are as many as follow, at least 1")
        matrix = scipy.io.mmread(io.BytesIO(data))
    except (ValueError, OverflowError) as error:  # as in "Line 4: Row index out of bounds"
        reason = " ".join(str(error).split())
        raise Fault(reason[:1].lower() + reason[1:].removesuffix(".")) from None
    block = -(-rows // n)
    key = np.unique(matrix.row.astype(np.int64) // block * rows + matrix.col)
    return key % rows // block, key // rows
