"""Messages from files, for every network: .csv, .npz, and sparse matrices, .mtx."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from fattree_models.common.arrays import read_npz
from fattree_models.common.checks import Int32Array, Int64Array, IntegerArray
from fattree_models.common.columns import Column, Fault, Table, read_table
from fattree_models.common.user_file import read_file
from fattree_models.traffic.packet_lengths import MAX_FLITS
from fattree_models.traffic.packets import MAX_RELEASE, Packets, places_in_runs
from fattree_models.traffic.words import check_nodes

MAX_MESSAGES = 2**22
"""Of a file; a compressed one may hold far more than its size tells."""

MAX_PAYLOAD = 2**64 - 1
MAX_ROWS = 2**31 - 1

SUFFIXES = (".csv", ".npz", ".mtx")
ENDS = ("source", "destination")
FIELDS = {
    column.name: column
    for column in (
        Column("release", 0, MAX_RELEASE),
        Column("flits", 1, MAX_FLITS),
        Column("kind", 0, 255),
        Column(
            "payload",
            0,
            MAX_PAYLOAD,
            hexadecimal=True,
            allowed=f"0 … {MAX_PAYLOAD}, decimal or 0x hexadecimal",
        ),
    )
}


@dataclass(frozen=True, eq=False)
class Messages:
    """The messages of a file, in its order (a matrix: by receiver, then by column).

    Attributes
    ----------
    source, destination : int32 arrays [messages]
        Nodes 0 ... N-1, or N: the outside, where there is one.
    fields : dict of uint64 arrays [messages]
        What else the file says of them: "release", "flits", "kind" or "payload".
    name : str
        The file's name without its folder.
    """

    source: Int32Array
    destination: Int32Array
    fields: dict[str, Table] = field(default_factory=dict)
    name: str = ""

    @property
    def payload(self) -> Table | None:
        """What they carry, if the file says so."""
        return self.fields.get("payload")

    def away(self) -> "Messages":
        """Return those that do not stay within their node."""
        away = self.source != self.destination
        kept = {name: values[away] for name, values in self.fields.items()}
        return replace(
            self, source=self.source[away], destination=self.destination[away], fields=kept
        )

    def slots(self) -> Int64Array:
        """Return when each is sent, int64 [messages]: its release.

        Without releases the messages of a source follow one another, one a slot.
        """
        if "release" in self.fields:
            return self.fields["release"].astype(np.int64)
        order = np.argsort(self.source, kind="stable")
        slots = np.empty(len(order), np.int64)
        slots[order] = places_in_runs(self.source[order])
        return slots

    def packets(self, flits: int = 1) -> Packets:
        """Return them as packets; without releases all are there from the beginning.

        Parameters
        ----------
        flits : int
            How long packets are, if the file does not say it.
        """
        usual = {"release": 0, "flits": flits, "kind": 0}
        more = [
            self.fields[name].astype(np.int64) if name in self.fields else value
            for name, value in usual.items()
        ]
        return Packets.of(self.source, self.destination, *more)


def read_messages(
    path: str | Path,
    nodes: int,
    fields: Sequence[str] = tuple(FIELDS),
    outside: bool = False,
    name: str = "",
) -> Messages:
    """Read messages.

    Parameters
    ----------
    path : str or Path
        By its suffix:

        .csv
            The first line is `source,destination`, and then any of the fields; then a message a
            line.  Nodes are decimal numbers 0 ... N-1; where there is an outside, `external` or N
            is it.  Payloads are decimal or, with 0x before them, hexadecimal, below 2^64.  Blanks
            around fields and empty lines do not matter.
        .npz
            Integer arrays source, destination [messages] and possibly those of fields.
        .mtx
            A square sparse matrix in coordinate format; what its product with a vector sends.  Rows
            are dealt out in blocks of ceil(rows / N), element j of the vector to the owner of row
            j.  Entry (i, j) means that the owner of row i needs element j: for every node p and
            every column j in which p has an entry, one message from the owner of j to p, be it one
            entry or many; none if p owns j.  Different columns of the same owner are different
            messages.  The other triangle of a symmetric matrix is added.  Values do not matter.
    nodes : int
        Of the network, N.
    fields : sequence of str
        What the network can make use of, of "release" (cycle or slot in which it is there to be
        sent), "flits" (length), "kind" and "payload".
    outside : bool
        Whether messages may come from the outside, or go there.
    name : str
        What error messages call the file; by default its path.

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed or without a message: one line, `name: line 7:
        source is '9'; allowed are 0 … 7`, or `name: reason` where there are no lines.
    """
    nodes, file = check_nodes(nodes), Path(path)
    suffix = file.suffix.lower()
    try:
        if suffix not in SUFFIXES:
            raise Fault(f"has the suffix {suffix or 'none'}; allowed are {', '.join(SUFFIXES)}")
        data = read_file(path, name=name)
        own = [*_ends(nodes, outside), *(FIELDS[each] for each in fields)]
        columns: Mapping[str, IntegerArray]
        if suffix == ".mtx":
            columns = dict(zip(ENDS, _read_mtx(data, nodes), strict=True))
        elif suffix == ".npz":
            columns = _read_npz(data, own, nodes)
        else:
            columns = _read_csv(data, own, nodes)
        count = columns["source"].size
        if count > MAX_MESSAGES:
            raise Fault(f"holds {count} messages; allowed are at most {MAX_MESSAGES}")
    except Fault as fault:
        raise ValueError(f"{name or path}: {fault}") from None
    source, destination = (columns[end].astype(np.int32) for end in ENDS)
    more = {each: x.astype(np.uint64) for each, x in columns.items() if each not in ENDS}
    return Messages(source, destination, more, file.name)


def _ends(nodes: int, outside: bool) -> list[Column]:
    """Return the columns of source and destination."""
    if not outside:
        return [Column(end, 0, nodes - 1) for end in ENDS]
    allowed = f"0 … {nodes} ({nodes} or external: the outside)"
    return [Column(end, 0, nodes, {"external": nodes}, allowed=allowed) for end in ENDS]


def _read_csv(data: bytes, columns: Sequence[Column], nodes: int) -> dict[str, Table]:
    def check(table: Table) -> str:
        outside = (table[:2] == nodes).all(axis=0).any()
        return "goes from the outside to itself" if outside else ""

    return read_table(data, columns, 2, "messages", check)


def _read_npz(data: bytes, columns: Sequence[Column], nodes: int) -> dict[str, IntegerArray]:
    arrays = read_npz(data, [column.name for column in columns], 2, MAX_MESSAGES)
    count = arrays["source"].size
    for name, array in arrays.items():
        if array.shape != (count,):
            shape = ", ".join(map(str, array.shape))
            raise Fault(f"{name} has shape [{shape}]; allowed is [messages], as long as source")
    if count == 0:
        raise Fault("holds no messages")
    for column in columns:
        if column.name in arrays:
            _check_array(column, arrays[column.name])
    loops = np.flatnonzero((arrays["source"] == nodes) & (arrays["destination"] == nodes))
    if loops.size:
        raise Fault(f"message {loops[0]} goes from the outside to itself")
    return arrays


def _check_array(column: Column, values: IntegerArray) -> None:
    """Refuse numbers that a column may not hold; those of all types are compared as they are."""
    low = values < column.low if values.dtype.kind == "i" or column.low else values < 0
    most = min(column.high, int(np.iinfo(values.dtype).max))
    wrong = np.flatnonzero(low | (values > most))
    if wrong.size:
        place = wrong[0]
        allowed = column.allowed.partition(",")[0].replace(" or external", "")
        allowed = allowed or f"{column.low} … {column.high}"
        raise Fault(f"{column.name}[{place}] is {values[place]}; allowed are {allowed}")


def _read_mtx(data: bytes, nodes: int) -> tuple[Int64Array, Int64Array]:
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
    block = -(-rows // nodes)
    key = np.unique(matrix.row.astype(np.int64) // block * rows + matrix.col)
    return key % rows // block, key // rows
