"""Packets from and to files: CSV, a packet a line."""

from pathlib import Path

import numpy as np

from fattree_models.common.columns import Column, Fault, read_table
from fattree_models.common.user_file import read_file
from fattree_models.traffic.packet_lengths import MAX_FLITS
from fattree_models.traffic.packets import MAX_RELEASE, Packets
from fattree_models.traffic.words import check_nodes

_COLUMNS = ("source", "destination", "release", "flits", "kind")


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
    limits = [(0, nodes - 1), (0, nodes - 1), (0, MAX_RELEASE), (1, MAX_FLITS), (0, 255)]
    columns = [Column(name, *limit) for name, limit in zip(_COLUMNS, limits, strict=True)]
    try:
        return Packets.of(*read_table(data, columns, 3, "packets").astype(np.int64))
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
