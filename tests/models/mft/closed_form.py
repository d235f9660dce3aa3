"""IMFT's one path of every pair: the routers, up links and lanes that it takes, in closed form.

A packet that came in at port q of a router climbs by up link q.  In row r the packet of source s is
then at column (s >> 1) XOR (s mod 2^r): bit i < r of it is s_i XOR s_{i+1}, the others are those
of s.  So in each row every up link serves one source.

Lanes are numbered by their wiring: in each direction of a router of row r with D lanes a direction
in the row above, p D + j continues lane j of the parent at up link p, and 2 D belongs to the packet
that turns.  With the exact lanes every lane of a client then serves one source.
"""

from types import SimpleNamespace

import numpy as np

from fattree_models.mft import lane_counts, turn_row


def paths(n, src, dst):
    """Row of the turn by pair; then, by pair and row, what a path takes, -1 where it does not go.

    `up_column`, `up_link` on the way up; `down_column`, `down_side`, `down_lane` on the way down:
    the lane of row 0 is the client's.
    """
    sources, targets = (np.ravel(x)[:, None] for x in np.broadcast_arrays(src, dst))
    turn, row = turn_row(n, sources, targets), np.arange(n)
    below = (1 << row) - 1
    up = (sources >> 1) ^ (sources & below)
    # On the way down bits from the row on are the destination's, those below still the source's.
    top = (sources >> 1) ^ (sources & ((1 << turn) - 1))
    down = ((targets >> 1) & ~below) | (top & below)
    lane, above = np.full_like(down, -1), lane_counts(n)
    for r in range(n - 1, -1, -1):
        if r < n - 1:
            lane[:, r] = (down[:, r] != down[:, r + 1]) * above[r + 1] + lane[:, r + 1]
        lane[turn[:, 0] == r, r] = above[r] - 1
    taken = {"up_column": up, "down_column": down, "down_lane": lane}
    taken["down_side"] = (targets >> row) & 1
    found = {name: np.where(row <= turn, values, -1) for name, values in taken.items()}
    up_link = np.where(row < turn, (sources >> row) & 1, -1)
    return SimpleNamespace(turn=turn[:, 0], up_link=up_link, **found)
