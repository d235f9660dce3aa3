"""Packets from and to files."""

from pathlib import Path

import numpy as np

from fattree_models.traffic.message_files import read_messages
from fattree_models.traffic.packets import Packets

FIELDS = ("release", "flits", "kind")
_COLUMNS = ("source", "destination", *FIELDS)


def read_packets(path: str | Path, nodes: int, flits: int = 1, name: str = "") -> Packets:
    """Read packets.

    Parameters
    ----------
    path, nodes, name : str or Path, int, str
        As of `read_messages`; fields are release, flits and kind.
    flits : int
        How long packets are if the file does not say it.  Their release and kind are 0 then.

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed or without a packet: one line, `path: line 7:
        source is '9'; allowed are 0 … 7`.
    """
    return read_messages(path, nodes, FIELDS, name=name).packets(flits)


def write_packets(path: str | Path, packets: Packets) -> None:
    """Write packets as `read_packets` reads them, with all columns.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    table = np.column_stack([getattr(packets, name).astype(np.int64) for name in _COLUMNS])
    np.savetxt(path, table, fmt="%d", delimiter=",", header=",".join(_COLUMNS), comments="")
