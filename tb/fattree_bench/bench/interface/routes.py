"""What a sender says of the way of a packet: `link.route`, for designs that look ahead.

A switch that looks ahead finds its output port in the word, and works out the next switch's; so
the sender must know the port of the first switch.
"""

from collections.abc import Sequence

import numpy as np

from fattree_bench.bench.interface.description import Wrong
from fattree_bench.bench.interface.pairs import ruled
from fattree_models.common.checks import BoolArray, Int64Array

MOST = 1 << 31
MUST = "a number for each source and destination, or an expression of both, as destination % 2"


def routes(
    wrong: Wrong, said: str | Sequence[Sequence[int]], legal: BoolArray, letters: Sequence[str]
) -> Int64Array:
    """The number that goes with a packet, int64 [inputs, outputs], 0 where no packet may go.

    UserError for what does not fit.
    """
    if isinstance(said, str):
        found = ruled(wrong, f"link.route = {said!r}", said, MUST, letters, legal.shape)
    else:
        rows, columns = legal.shape
        if len(said) != rows or any(len(row) != columns for row in said):
            raise wrong(f"link.route: must be {rows} rows, one a source, of {columns} numbers")
        found = np.array(said, np.int64)
    found = np.where(legal, found, 0)
    if found.min() < 0 or found.max() >= MOST:
        where = np.argwhere((found < 0) | (found >= MOST))[0]
        told = f"{found[*where]} from {letters[where[0]]} to {letters[where[1]]}"
        raise wrong(f"link.route: {told}: must be 0 … 2^31 - 1")
    return found
