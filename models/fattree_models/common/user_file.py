"""Files that users name: regular ones, not too large, read once."""

import os
import stat
from pathlib import Path

MOST = 64 << 20  # bytes


def read_file(path: str | Path, most: int = MOST, name: str = "") -> bytes:
    """Return what stands in a file.

    Neither a FIFO nor a device is waited for, and no more is read than allowed.

    Raises
    ------
    ValueError
        If it cannot be read, is not a regular file, or has more than `most` bytes: one line,
        `path: reason`, or `name: reason`.

    Examples
    --------
    >>> read_file("/dev/zero")
    Traceback (most recent call last):
    ...
    ValueError: /dev/zero: is not a regular file
    """
    try:
        # To open a FIFO is to wait for its writer; O_NONBLOCK does not matter to regular files.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ValueError("is not a regular file")
            data = file.read(most + 1)
            size = max(len(data), os.fstat(file.fileno()).st_size)
    except IsADirectoryError:
        raise ValueError(f"{name or path}: is a directory") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{name or path}: {getattr(error, 'strerror', None) or error}") from None
    if size > most:
        megabytes = -(-size >> 20)
        raise ValueError(f"{name or path}: has {megabytes} MB; allowed are at most {most >> 20}")
    return data
