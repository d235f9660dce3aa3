"""IMFT's one path of every pair: the routers, up links and lanes that it takes, in closed form.

A packet that came in at port q of a router climbs by up link q.  In row r the packet of source s is
then at column (s >> 1) XOR (s mod 2^r): bit i < r of it is s_i XOR s_{i+1}, the others are those
of s.  So in each row every up link serves one source.

Lanes are numbered by their wiring: in each direction of a router of row r with D lanes a direction
in the row above, p D + j continues lane j of the parent at up link p, and 2 D belongs to the packet
that turns.  With the exact lanes every lane of a client then serves one source.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array
from fattree_models.mft.network import check_ends, check_rows, lane_counts, turn_row


@dataclass(frozen=True)
class Paths:
    """Paths of pairs, in IMFT with exact lanes.

    Parameters
    ----------
    turn : int64 array [pairs]
        Row in which they turn.
    up_column : int64 array [pairs, n]
        Column in each row 0 ... turn on the way up, then -1.
    up_link : int64 array [pairs, n]
        Up link taken in each row below the turn, else -1.
    down_column, down_side, down_lane : int64 arrays [pairs, n]
        In each row 0 ... turn: column on the way down, side and lane taken; above, -1.  The lane
        of row 0 is the client's.
    """

    turn: Int64Array
    up_column: Int64Array
    up_link: Int64Array
    down_column: Int64Array
    down_side: Int64Array
    down_lane: Int64Array


def paths(n: int, src: npt.ArrayLike, dst: npt.ArrayLike) -> Paths:
    """Return IMFT's paths from `src` to `dst`.

    Parameters
    ----------
    n : int
        Rows, 1 ... 10.
    src, dst : int arrays [pairs]

    Examples
    --------
    >>> way = paths(2, [3], [0])
    >>> way.up_column.tolist(), way.up_link.tolist()
    ([[1, 0]], [[1, -1]])
    >>> way.down_column.tolist(), way.down_side.tolist(), way.down_lane.tolist()
    ([[0, 0]], [[0, 0]], [[0, 0]])
    """
    sources, targets = (np.ravel(x)[:, None] for x in check_ends(n, src, dst))
    turn = turn_row(n, sources, targets)
    row = np.arange(check_rows(n), dtype=np.int64)
    below = (1 << row) - 1
    up = (sources >> 1) ^ (sources & below)
    # On the way down bits from the row on are the destination's, those below still the source's.
    top = (sources >> 1) ^ (sources & ((1 << turn) - 1))
    down = ((targets >> 1) & ~below) | (top & below)
    lane, above = np.full_like(down, -1), lane_counts(n)
    for r in range(n - 1, -1, -1):
        if r < n - 1:
            crossed = (down[:, r] != down[:, r + 1]).astype(np.int64)
            lane[:, r] = crossed * above[r + 1] + lane[:, r + 1]
        turns = turn[:, 0] == r
        lane[turns, r] = above[r] - 1
    seen = row <= turn
    return Paths(
        turn=turn[:, 0],
        up_column=np.where(seen, up, -1),
        up_link=np.where(row < turn, (sources >> row) & 1, -1),
        down_column=np.where(seen, down, -1),
        down_side=np.where(seen, (targets >> row) & 1, -1),
        down_lane=np.where(seen, lane, -1),
    )
