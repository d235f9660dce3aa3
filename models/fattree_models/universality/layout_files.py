"""Layouts from .csv files: processors, wires and buses of a network of one's own, in voxels."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fattree_models.common.columns import Column, Fault, read_rows
from fattree_models.common.user_file import read_file
from fattree_models.universality.layout import Layout, Paths

KINDS = ("processor", "wire", "bus", "to")
PROCESSOR, WIRE, BUS, TO = range(len(KINDS))
MOST = 255
"""The greatest coordinate: a cube has at most 2^24 voxels."""
COLUMNS = (
    *(Column(axis, 0, MOST) for axis in "xyz"),
    Column("kind", 0, -1, dict(zip(KINDS, range(4), strict=True)), allowed=", ".join(KINDS)),
)

Voxel = tuple[int, ...]


@dataclass(frozen=True)
class _Path:
    """A path of a file: its kind, its corners, and the lines that they stand in."""

    kind: int
    corners: list[Voxel]
    lines: list[int]

    def steps(self) -> Iterator[tuple[int, Voxel, Voxel]]:
        """Return each step from a voxel to the next one, with its line."""
        pairs = zip(self.corners, self.corners[1:], self.lines[1:], strict=False)
        for start, end, line in pairs:
            step = [int(np.sign(b - a)) for a, b in zip(start, end, strict=True)]
            here = start
            while here != end:
                after = tuple(a + s for a, s in zip(here, step, strict=True))
                yield line, here, after
                here = after


def read_layout(path: str | Path, name: str = "") -> Layout:
    """Read the layout of a network.

    Parameters
    ----------
    path : str or Path
        First line `x,y,z,kind`, then a voxel a line: decimal coordinates 0 ... 255, and

        processor
            is there; processors are numbered in this order, from 0.
        wire
            begins there, in the voxel of a processor or of a bus, and ends in another one's.
        bus
            begins there, in the voxel of a processor.  Wires may end on it, and take turns.
        to
            is the next corner of the wire or bus above, straight on from the one before.

        Blanks around fields and empty lines do not matter.
    name : str
        What error messages call it; by default its path.

    Returns
    -------
    Layout
        Moved to the origin, so that its volume is just what it takes.

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed, or is not a layout: two things in a voxel, a wire
        that joins no two processors, or twice the same face of two neighbours.  One line, `name:
        line 7: reason`, or `name: reason` where there are no lines.
    """
    data = read_file(path, name=name)
    try:
        return _layout(*_parsed(data))
    except Fault as fault:
        raise ValueError(f"{name or path}: {fault}") from None


def _parsed(data: bytes) -> tuple[dict[Voxel, int], list[_Path]]:
    """Return the number of the processor of each voxel, and the paths."""
    owner: dict[Voxel, int] = {}
    paths: list[_Path] = []
    for line, (*place, kind) in read_rows(data, COLUMNS):
        voxel = tuple(place)
        if kind == PROCESSOR:
            if voxel in owner:
                raise Fault.at(line, f"processor {owner[voxel]} is there already")
            owner[voxel] = len(owner)
        elif kind != TO:
            paths.append(_Path(kind, [voxel], [line]))
        elif not paths:
            raise Fault.at(line, "to follows no wire and no bus")
        else:
            before = paths[-1].corners[-1]
            if sum(a != b for a, b in zip(voxel, before, strict=True)) != 1:
                raise Fault.at(line, f"is not straight on from {_told(before)}")
            paths[-1].corners.append(voxel)
            paths[-1].lines.append(line)
    return owner, paths


def _layout(owner: dict[Voxel, int], paths: list[_Path]) -> Layout:
    """Return the layout, its buses and wires checked."""
    home = list(owner)
    wires = [path for path in paths if path.kind == WIRE]
    buses = [path for path in paths if path.kind == BUS]
    if not wires:
        raise Fault("has no wire")
    for path in paths:
        if len(path.corners) < 2:
            raise Fault.at(path.lines[0], f"the {KINDS[path.kind]} goes nowhere: no to follows")
    with_bus: set[int] = set()
    for bus in buses:
        _claim_bus(bus, owner, with_bus)
    taken: set[Voxel] = set()
    faces: set[frozenset[Voxel]] = set()
    edges = [_claim_wire(wire, owner, taken, faces) for wire in wires]
    every = [*home, *(corner for path in paths for corner in path.corners)]
    least = np.array(every).min(axis=0)
    return Layout(
        (np.array(home) - least).astype(np.int32),
        np.array(edges, dtype=np.int32),
        _paths(wires, least),
        _paths(buses, least),
    )


def _claim_bus(bus: _Path, owner: dict[Voxel, int], with_bus: set[int]) -> None:
    """Give the voxels of a bus to its processor."""
    own = owner.get(bus.corners[0])
    if own is None or own in with_bus:
        told = "begins at no processor" if own is None else f"is the second of processor {own}"
        raise Fault.at(bus.lines[0], f"the bus {told}")
    with_bus.add(own)
    for line, _, voxel in bus.steps():
        if voxel in owner:
            raise Fault.at(line, _meets("bus", voxel))
        owner[voxel] = own


def _claim_wire(
    wire: _Path, owner: dict[Voxel, int], taken: set[Voxel], faces: set[frozenset[Voxel]]
) -> tuple[int, int]:
    """Take the voxels of a wire, and the face at its end; return the processors it joins."""
    begin, end = owner.get(wire.corners[0]), owner.get(wire.corners[-1])
    if begin is None:
        raise Fault.at(wire.lines[0], "the wire begins at no processor and no bus")
    if end is None:
        raise Fault.at(wire.lines[-1], "the wire ends at no processor and no bus")
    if begin == end:
        raise Fault.at(wire.lines[-1], f"the wire joins processor {begin} to itself")
    *inner, last = wire.steps()
    for line, _, voxel in inner:
        if voxel in taken or voxel in owner:
            raise Fault.at(line, _meets("wire", voxel))
        taken.add(voxel)
    line, *step = last
    if frozenset(step) in faces:
        raise Fault.at(line, _meets("wire", step[1]))
    faces.add(frozenset(step))
    return begin, end


def _told(voxel: Voxel) -> str:
    return ",".join(map(str, voxel))


def _meets(name: str, voxel: Voxel) -> str:
    return f"the {name} meets what is in use at {_told(voxel)}"


def _paths(paths: list[_Path], least: npt.NDArray[np.int64]) -> Paths:
    """Return paths as arrays, moved to the origin."""
    if not paths:
        return Paths.none()
    corners = np.concatenate([path.corners for path in paths]) - least
    starts = np.cumsum([0, *(len(path.corners) for path in paths)])
    return Paths(corners.astype(np.int32), starts.astype(np.int64))
