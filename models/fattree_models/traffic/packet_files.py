"""Packets from and to files: CSV, a packet a line."""

from pathlib import Path

import numpy as np

from fattree_models.common.text_table import Fault, Table, read_csv, shown, whole
from fattree_models.common.user_file import read_file
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
    """
    nodes = check_nodes(nodes)
    data = read_file(path)
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
    limits = [(0, nodes - 1), (0, nodes - 1), (0, MAX_RELEASE), (1, MAX_FLITS), (0, 255)]

    def row_of(names: list[str], fields: list[str]) -> list[int]:
        row = []
        for name, field, (low, high) in zip(names, fields, limits, strict=False):
            number = whole(field, high)
            if number is None or number < low:
                raise Fault(f"{name} is {shown(field)}; allowed are {low} … {high}")
            row.append(number)
        return row

    def good(table: Table) -> bool:
        low, high = np.array(limits[: len(table)], dtype=np.uint64).T[:, :, None]
        return bool(((table >= low) & (table <= high)).all())

    return Packets.of(*read_csv(data, _HEADERS, "packets", row_of, good).astype(np.int64))
