"""Message sets from files, as `fattree_models.traffic.read_messages` reads them."""

from dataclasses import dataclass
from pathlib import Path

from fattree_models.common.checks import Int32Array
from fattree_models.common.columns import Table
from fattree_models.leiserson.capacity import check_processors
from fattree_models.traffic import message_files


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


def read_messages(path: str | Path, processors: int, name: str = "") -> MessageSet:
    """Read a message set: with payloads, and with messages from the outside and to it.

    Parameters
    ----------
    path, name : str or Path, str
        As of `fattree_models.traffic.read_messages`.
    processors : int
        n, a power of two.

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed or without a message: one line.
    """
    n = check_processors(processors)
    found = message_files.read_messages(path, n, ("payload",), outside=True, name=name)
    away = found.away()
    local = found.source.size - away.source.size
    return MessageSet(away.source, away.destination, away.payload, local, found.name)
