"""The regular folded network and what MFT and IMFT make of it: wiring, intervals, turning, lanes.

N = 2^n clients below n rows of 2^(n-1) routers.  Client 2 c + s hangs at port s of router (0, c).
Router (r, c) has the up link 0 to (r+1, c) and the up link 1 to (r+1, c XOR 2^r), which the survey
writes c - 2^r if floor(c / 2^r) is odd, else c + 2^r.  The router of the lower row with bit r of
its column clear is the left one: it arrives at port 0 above, the other at port 1.  With
b = c mod 2^r cleared, (r, c) reaches to the left the clients 2b ... 2b + 2^r - 1, to the right the
2^r after them.  Numbers are those of the 2-ary n-tree: row r is its level r + 1.

A packet climbs to the first row whose intervals hold its destination: the row of the highest bit in
which the two addresses differ.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integer, check_integers, check_word

Mode = Literal["MFT", "IMFT"]
Lanes = Literal["EXACT", "DOUBLING"]

MOST_ROWS = 10
MOST_WORDS = 1 << 20
"""Of a FIFO, and of registers behind a router."""


def check_rows(n: int) -> int:
    """Return `n` as an int if it is a number of rows, 1 ... 10."""
    return check_integer("n", n, 1, MOST_ROWS)


def lane_counts(n: int, lanes: Lanes = "EXACT") -> Int64Array:
    """Return the lanes of each down direction of a router, by row.

    Parameters
    ----------
    n : int
        Rows, 1 ... 10.
    lanes : {"EXACT", "DOUBLING"}
        What is needed, or what the survey prints.

    Returns
    -------
    int64 array [n]

    Notes
    -----
    One at the top.  Below, all lanes of two parents may turn to the same side, and one packet may
    turn: 2 D + 1, so 2^(n-r) - 1.  The survey doubles: 2^(n-1-r).

    Examples
    --------
    >>> lane_counts(4), lane_counts(4, "DOUBLING")
    (array([15,  7,  3,  1]), array([8, 4, 2, 1]))
    """
    check_word("lanes", lanes, "EXACT", "DOUBLING")
    power = 2 ** (check_rows(n) - 1 - np.arange(n, dtype=np.int64))
    return np.asarray(2 * power - 1 if lanes == "EXACT" else power)


@dataclass(frozen=True)
class Mft:
    """A modified fat-tree.

    Parameters
    ----------
    n : int
        Rows, 1 ... 10; there are 2^n clients.
    mode : {"IMFT", "MFT"}
        How packets climb.  IMFT: from port q by up link q.  MFT, adaptive: by link 0 unless a
        packet holds it, else by link 1; of two heads in one clock the one at port 0 chooses first.
    lanes : {"EXACT", "DOUBLING"}
        As of `lane_counts`.
    fifo : int or None
        Flits in the FIFO of each lane at a client; None: no limit.
    pipeline : int
        Clocks from the input of a router to the input of the next, or of a FIFO; 0: wires.
    room : int or None
        Flits that must be free in a FIFO for a packet to be taken, at least those of the longest
        packet; None: as many as the packet has.

    Examples
    --------
    >>> net = Mft(3)
    >>> net.clients, net.columns, net.client_lanes
    (8, 4, 7)
    """

    n: int
    mode: Mode = "IMFT"
    lanes: Lanes = "EXACT"
    fifo: int | None = 16
    pipeline: int = 1
    room: int | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "n", check_rows(self.n))
        check_word("mode", self.mode, "MFT", "IMFT")
        check_word("lanes", self.lanes, "EXACT", "DOUBLING")
        for name in ("fifo", "room"):
            value = getattr(self, name)
            if value is not None:
                put(self, name, check_integer(name, value, 1, MOST_WORDS))
        put(self, "pipeline", check_integer("pipeline", self.pipeline, 0, MOST_WORDS))

    @property
    def clients(self) -> int:
        """Clients, 2^n."""
        return 1 << self.n

    @property
    def columns(self) -> int:
        """Routers of a row, 2^(n-1)."""
        return 1 << (self.n - 1)

    @property
    def client_lanes(self) -> int:
        """Lanes, and FIFOs, of a client."""
        return int(lane_counts(self.n, self.lanes)[0])


def check_ends(n: int, src: npt.ArrayLike, dst: npt.ArrayLike) -> tuple[Int64Array, Int64Array]:
    """Return sources and destinations as int64 arrays of one shape, at least one axis; they differ.

    Examples
    --------
    >>> check_ends(2, 3, [0, 3])
    Traceback (most recent call last):
    ...
    ValueError: dst: client 3 sends to itself; allowed are other clients
    """
    most = 2 ** check_rows(n) - 1
    ends = [check_integers(name, x, 0, most) for name, x in (("src", src), ("dst", dst))]
    try:
        sources, targets = np.broadcast_arrays(*(np.atleast_1d(x).astype(np.int64) for x in ends))
    except ValueError:
        raise ValueError("dst: has another shape than src; allowed is one shape") from None
    if (sources == targets).any():
        own = int(sources[sources == targets].flat[0])
        raise ValueError(f"dst: client {own} sends to itself; allowed are other clients")
    return sources, targets


def turn_row(n: int, src: npt.ArrayLike, dst: npt.ArrayLike) -> Int64Array:
    """Return the row in which packets turn, the highest bit in which the addresses differ.

    A packet passes 2 row + 1 routers.

    Examples
    --------
    >>> turn_row(3, 0, [1, 2, 7])
    array([0, 1, 2])
    """
    sources, targets = check_ends(n, src, dst)
    return np.asarray(np.frexp((sources ^ targets).astype(np.float64))[1] - 1, dtype=np.int64)
