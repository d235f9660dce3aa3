"""Packets from and to files: CSV, a packet a line."""

from pathlib import Path

import numpy as np

from fattree_models.common.checks import BoolArray
from fattree_models.common.text_table import (
    PLACE,
    Fault,
    UInt64Array,
    counted,
    read_table,
    shown,
    text_of,
    whole,
)
from fattree_models.traffic.packet_lengths import MAX_FLITS
from fattree_models.traffic.packets import MAX_RELEASE, Packets
from fattree_models.traffic.words import check_nodes

_COLUMNS = ("source", "destination", "release", "flits", "kind")
_HEADERS = tuple(list(_COLUMNS[:columns]) for columns in (3, 4, 5))


def read_packets(path: str | Path, nodes: int) -> Packets:
    """Read a list of packets.

    Parameters
    ----------
    path : str or Path
        The first line is `source,destination,release`, or that with `,flits` or `,flits,kind`; then
        a packet a line, in any order, in decimal numbers.  Without them packets have 1 flit and are
        of kind 0.  Blanks around fields and empty lines do not matter.
    nodes : int
        Sources and destinations are 0 ... nodes - 1.

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed or without a packet: one line, `path: line 7:
        source is '9'; allowed are 0 … 7`.

    Notes
    -----
    Less than a microsecond a line.
    """
    nodes = check_nodes(nodes)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    try:
        return _parsed(data, nodes)
    except Fault as fault:
        raise ValueError(f"{path}: {fault}") from None


def write_packets(path: str | Path, packets: Packets) -> None:
    """Write packets as `read_packets` reads them, with all columns.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    table = np.column_stack([getattr(packets, name).astype(np.int64) for name in _COLUMNS])
    np.savetxt(path, table, fmt="%d", delimiter=",", header=",".join(_COLUMNS), comments="")


def _parsed(data: bytes, nodes: int) -> Packets:
    """Read the text of a file."""
    start = data.find(b"\n") + 1 or len(data)
    header = text_of(data[:start].removeprefix(b"\xef\xbb\xbf"))
    names = [name.strip() for name in header.split(",")]
    if names not in _HEADERS:
        raise Fault.at(
            1, f"is {shown(header)}; allowed are {' and '.join(','.join(h) for h in _HEADERS)}"
        )
    limits = _limits(nodes)[: len(names)]

    def row_of(text: str) -> list[int]:
        return _row(text, names, limits)

    def wrong(table: UInt64Array) -> BoolArray:
        result = np.zeros(table.shape[1], dtype=np.bool_)
        for column, (low, high) in zip(table, limits, strict=True):
            result |= (column < low) | (column > high)
        return result

    kinds = [PLACE] * len(names)
    table, _ = read_table(data, start, ord(","), kinds, -1, row_of, wrong)
    if table.shape[1] == 0:
        raise Fault.at(1, "no packets follow")
    return Packets.of(*table.astype(np.int64))


def _limits(nodes: int) -> list[tuple[int, int]]:
    """Return the least and the greatest number of each column."""
    return [(0, nodes - 1), (0, nodes - 1), (0, MAX_RELEASE), (1, MAX_FLITS), (0, 255)]


def _row(text: str, names: list[str], limits: list[tuple[int, int]]) -> list[int]:
    """Read one line, a packet."""
    fields = [field.strip() for field in text.split(",")]
    if len(fields) != len(names):
        raise Fault(f"has {counted(len(fields), 'field')}; allowed are {len(names)}")
    row = []
    for name, field, (low, high) in zip(names, fields, limits, strict=True):
        number = whole(field, high)
        if number is None or number < low:
            raise Fault(f"{name} is {shown(field)}; allowed are {low} … {high}")
        row.append(number)
    return row
