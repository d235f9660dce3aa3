"""Packets that are to be sent: who, to whom, when and how long."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    BoolArray,
    Int32Array,
    Int64Array,
    UInt8Array,
    check_integers,
    check_range,
)
from fattree_models.traffic.packet_lengths import MAX_FLITS, Int16Array
from fattree_models.traffic.words import MAX_NODES, check_nodes

MAX_RELEASE = 2**40 - 1
"""Cycles beyond this are refused: no simulation lasts as long, and no sum of times overflows."""

_LIMITS = {
    "source": (np.int32, 0, MAX_NODES - 1),
    "destination": (np.int32, 0, MAX_NODES - 1),
    "release": (np.int64, 0, MAX_RELEASE),
    "flits": (np.int16, 1, MAX_FLITS),
    "kind": (np.uint8, 0, 255),
}


@dataclass(frozen=True, eq=False)
class Packets:
    """Packets, sorted by source, those of a source by release.

    Attributes
    ----------
    source, destination : int32 arrays [packets]
        Nodes.
    release : int64 array [packets]
        Cycle (or slot) in which the packet is created and queues at its source.
    flits : int16 array [packets]
        Length.
    kind : uint8 array [packets]
        0: a request or an ordinary packet; others as the user of the packets likes.
    """

    source: Int32Array
    destination: Int32Array
    release: Int64Array
    flits: Int16Array
    kind: UInt8Array

    def __post_init__(self) -> None:
        for name, (dtype, low, high) in _LIMITS.items():
            array = getattr(self, name)
            if array.dtype != dtype or array.shape != (self.source.size,):
                raise ValueError(
                    f"{name}: is {array.dtype} {array.shape}; allowed is {np.dtype(dtype)} "
                    f"({self.source.size},)"
                )
            check_range(name, array, low, high)
        if not _in_order(self.source, self.release):
            raise ValueError("packets: are not sorted; allowed is by source, then by release")

    @classmethod
    def of(
        cls,
        source: npt.ArrayLike,
        destination: npt.ArrayLike,
        release: npt.ArrayLike,
        flits: npt.ArrayLike = 1,
        kind: npt.ArrayLike = 0,
    ) -> "Packets":
        """Make packets of arrays in any order, or of one value for all.

        Packets of the same source and release stay in the order given.

        Examples
        --------
        >>> Packets.of([1, 0], [0, 1], [7, 9], flits=5).release
        array([9, 7])
        """
        given = (source, destination, release, flits, kind)
        columns = []
        for (name, (dtype, low, high)), values in zip(_LIMITS.items(), given, strict=True):
            columns.append(check_integers(name, values, low, high).astype(dtype))
        try:
            columns = [np.ascontiguousarray(c) for c in np.broadcast_arrays(*columns)]
        except ValueError:
            shapes = ", ".join(str(c.shape) for c in columns)
            raise ValueError(f"packets: have shapes {shapes}; allowed is [packets]") from None
        if not _in_order(columns[0], columns[2]):
            order = np.lexsort((columns[2], columns[0]))
            columns = [c[order] for c in columns]
        return cls(*columns)

    def __len__(self) -> int:
        return self.source.size

    @property
    def total_flits(self) -> int:
        """Flits of all packets."""
        return int(self.flits.sum(dtype=np.int64))

    def starts(self, nodes: int) -> Int64Array:
        """Return where the packets of each source begin.

        Returns
        -------
        int64 array [nodes + 1]
            Those of s are starts[s] ... starts[s+1] - 1.

        Examples
        --------
        >>> Packets.of([0, 0, 2], 1, 0).starts(3)
        array([0, 2, 2, 3])
        """
        return np.searchsorted(self.source, np.arange(check_nodes(nodes) + 1)).astype(np.int64)

    def counts(self) -> Int64Array:
        """Return how many packets of the same source come before each, int64 [packets]."""
        return places_in_runs(self.source)

    def select(self, which: BoolArray) -> "Packets":
        """Return the packets for which `which`, bool [packets], is set."""
        return self._each(which)

    def _each(self, part: slice | BoolArray) -> "Packets":
        return Packets(*(getattr(self, field.name)[part] for field in fields(self)))


def concatenate(parts: Iterable[Packets]) -> Packets:
    """Return the packets of all parts, sorted; of the same source and cycle: in order of parts.

    Examples
    --------
    >>> early, late = Packets.of([0, 1], 1, 5), Packets.of(0, 1, [8])
    >>> concatenate([late, early]).release
    array([5, 8, 5])
    """
    parts = [Packets.of([], [], []), *parts]
    return Packets.of(
        *(
            np.concatenate([getattr(part, field.name) for part in parts])
            for field in fields(Packets)
        )
    )


def places_in_runs(values: npt.NDArray[np.integer]) -> Int64Array:
    """Return the place of each entry in its run of equal values, int64 [entries].

    Examples
    --------
    >>> places_in_runs(np.array([3, 3, 3, 5, 3]))
    array([0, 1, 2, 0, 0])
    """
    place = np.arange(values.size, dtype=np.int64)
    begins = np.flatnonzero(np.diff(values, prepend=values[:1] - 1))
    return place - np.repeat(begins, np.diff(begins, append=values.size))


def _in_order(source: Int32Array, release: Int64Array) -> bool:
    """Whether the packets are sorted."""
    later = (source[1:] == source[:-1]) & (release[1:] >= release[:-1])
    return bool((later | (source[1:] > source[:-1])).all())
