"""Frames from files: .csv, a slot a line, or an array in .npy."""

import io
from pathlib import Path

import numpy as np

from fattree_models.common.arrays import read_npy
from fattree_models.common.checks import Int32Array, IntegerArray, levels_of
from fattree_models.common.columns import Column, Fault, read_grid
from fattree_models.common.user_file import read_file

SUFFIXES = (".csv", ".npy")
MOST = 2**22
"""Entries of a frame, slots times leaves."""


def read_frame(path: str | Path, leaves: int, name: str = "") -> Int32Array:
    """Read a frame: any number of slots, each a permutation in which leaves may be idle.

    Parameters
    ----------
    path : str or Path
        By its suffix:

        .csv
            A slot a line, N columns: the output of each input, 0 ... N-1; empty or -1 is idle.
            Blanks around fields and empty lines do not matter.
        .npy
            An integer array [slots, N] of the same numbers; -1 is idle.
    leaves : int
        N, a power of two.
    name : str
        What error messages call the file; by default its path.

    Returns
    -------
    int32 array [slots, N]

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed, or has a slot in which two inputs want one output:
        one line, `name: line 3: slot 2: output 5 twice, from inputs 1 and 4`.
    """
    levels_of("leaves", leaves)
    suffix = Path(path).suffix.lower()
    try:
        if suffix not in SUFFIXES:
            raise Fault(f"has the suffix {suffix or 'none'}; allowed are {', '.join(SUFFIXES)}")
        data = read_file(path, name=name)
        if suffix == ".csv":
            cell = Column("output of input {}", 0, leaves - 1, allowed=f"{_allowed(leaves)}, empty")
            frame: IntegerArray = read_grid(data, cell, leaves, "slots", repeated)
        else:
            frame = _checked(read_npy(io.BytesIO(data), MOST), leaves)
        if frame.size > MOST:
            raise Fault(f"has {len(frame)} slots; allowed are at most {MOST // leaves}")
        if (frame < 0).all():
            raise Fault("is idle in all slots")
    except Fault as fault:
        raise ValueError(f"{name or path}: {fault}") from None
    return np.ascontiguousarray(frame, dtype=np.int32)


def repeated(rows: IntegerArray, first: int = 0) -> str:
    """Name the first output that two inputs want in one slot; "" if there is none.

    Parameters
    ----------
    rows : int array [slots, N]
        Destinations, -1 = idle.
    first : int
        Number of the first of these slots.

    Examples
    --------
    >>> repeated(np.array([[0, 1], [1, 1]]))
    'slot 1: output 1 twice, from inputs 0 and 1'
    """
    ordered = np.sort(rows, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)
    for slot, place in np.argwhere(twice)[:1]:
        output = ordered[slot, place]
        one, other = np.flatnonzero(rows[slot] == output)[:2]
        return f"slot {first + slot}: output {output} twice, from inputs {one} and {other}"
    return ""


def _allowed(leaves: int) -> str:
    return f"0 … {leaves - 1}, -1"


def _checked(frame: IntegerArray, leaves: int) -> IntegerArray:
    """Return an array of a file if it is a frame."""
    if frame.ndim != 2 or frame.shape[1] != leaves:
        shape = ", ".join(map(str, frame.shape))
        raise Fault(f"has shape [{shape}]; allowed is [slots, {leaves}]")
    if not len(frame):
        raise Fault("holds no slots")
    wrong = frame >= leaves
    if frame.dtype.kind == "i":
        wrong |= frame < -1
    for slot, place in np.argwhere(wrong)[:1]:
        told = f"output of input {place} is {frame[slot, place]}"
        raise Fault(f"slot {slot}: {told}; allowed are {_allowed(leaves)}")
    if fault := repeated(frame.astype(np.int64)):
        raise Fault(fault)
    return frame
