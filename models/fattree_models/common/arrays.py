"""Arrays of users in numpy's .npy and .npz: integers, never pickles, and nothing huge."""

import io
import math
import zipfile
from collections.abc import Sequence
from tokenize import TokenError
from typing import IO

import numpy as np

from fattree_models.common.checks import IntegerArray
from fattree_models.common.columns import Fault

KINDS = {"f": "real numbers", "c": "complex numbers", "b": "truth values", "O": "objects"}


def read_npy(file: IO[bytes], most: int, name: str = "") -> IntegerArray:
    """Read an array of integers; what its header says is checked before there is room for it.

    Parameters
    ----------
    file : binary file
        Read to its end.
    most : int
        The greatest number of entries; a compressed file may hold far more than its size tells.
    name : str
        What messages call it.

    Raises
    ------
    Fault
        If it is malformed or too large, or holds anything but integers.
    """
    head = f"{name} " if name else ""
    try:
        version = np.lib.format.read_magic(file)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, by_columns, dtype = read(file)
    except (EOFError, KeyError, ValueError, SyntaxError, RecursionError, TokenError):
        raise Fault(f"{head}is not an array of numbers") from None
    if dtype.kind not in "iu":
        kind = KINDS.get(dtype.kind, "no numbers")
        raise Fault(f"{head}holds {kind}; allowed are integers")
    count = math.prod(shape)
    if count > most:
        raise Fault(f"{head}holds {count} numbers; allowed are at most {most}")
    size = count * dtype.itemsize
    values = file.read(size + 1)  # to its end, where an archive's checksum is looked at
    if len(values) != size:
        raise Fault(f"{head}is cut off, or too long")
    return np.frombuffer(values, dtype).reshape(shape, order="F" if by_columns else "C")


def read_npz(data: bytes, names: Sequence[str], needed: int, most: int) -> dict[str, IntegerArray]:
    """Read the arrays of an archive by name: the first `needed`, and any of the others."""
    if not data:
        raise Fault("is empty")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            for name in names[:needed]:
                if name not in found:
                    raise Fault(f"has no array {name}; it holds {', '.join(found) or 'none'}")
            extra = [name for name in found if name not in names]
            if extra:
                raise Fault(f"holds {extra[0]}; allowed are {', '.join(names)}")
            arrays = {}
            for name, entry in found.items():
                with archive.open(entry) as file:
                    arrays[name] = read_npy(file, most, name)
            return arrays
    except Fault:
        raise
    # A damaged archive makes zipfile and zlib raise nearly anything.
    except Exception:
        raise Fault("is not an .npz file, or damaged") from None
