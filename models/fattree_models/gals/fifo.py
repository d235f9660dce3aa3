"""An asynchronous FIFO: pointers that cross in a code, flags from what the synchronisers show.

A FIFO of D words has a write pointer and a read pointer, counts mod 2 D.  Each is kept in a
register of its own clock, in a code, and sampled by a chain of flip-flops of the other clock.  At
an edge of the write clock a word is taken if it is offered and the FIFO is not full: if the last
flip-flop does not show the read pointer D behind.  At an edge of the read clock a word leaves if it
is wanted and the FIFO is not empty: if the last flip-flop does not show the read pointer's own
value.  With `stages` flip-flops an edge acts on what the source was `stages` edges of its own clock
ago, or, if the edge then met a change, on the value before or after it.

Codes of the counts 0 ... 2 D - 1:

BINARY    the count itself: up to all bits change at once
GRAY      of count c, c XOR c / 2: one bit, but at the wrap only if D is a power of two
CENTRED   the Gray code of c + 2^(k-1) - D in k bits: one bit for every D (ours)
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fattree_models.common.checks import BoolArray, Int64Array, check_integer, check_word

Code = Literal["BINARY", "GRAY", "CENTRED"]

MOST_DEPTH = 1 << 16
MOST_STAGES = 8


def codes(depth: int, code: Code = "GRAY") -> Int64Array:
    """Return the code words of all counts.

    Parameters
    ----------
    depth : int
        Words of the FIFO, 1 or more.
    code : {"BINARY", "GRAY", "CENTRED"}

    Returns
    -------
    int64 array [2 depth]

    Examples
    --------
    >>> codes(2), codes(3, "CENTRED")
    (array([0, 1, 3, 2]), array([1, 3, 2, 6, 7, 5]))
    """
    depth = check_integer("depth", depth, 1, MOST_DEPTH)
    check_word("code", code, "BINARY", "GRAY", "CENTRED")
    count = np.arange(2 * depth, dtype=np.int64)
    if code == "BINARY":
        return count
    if code == "CENTRED":
        count += (1 << ((2 * depth - 1).bit_length() - 1)) - depth
    return np.asarray(count ^ (count >> 1))


def bits_changed(depth: int, code: Code = "GRAY") -> Int64Array:
    """Return how many bits change from each count to the next, the wrap last, [2 depth].

    Examples
    --------
    >>> bits_changed(3), bits_changed(3, "CENTRED")
    (array([1, 1, 1, 1, 1, 3]), array([1, 1, 1, 1, 1, 1]))
    """
    words = codes(depth, code)
    return np.asarray(np.bitwise_count(words ^ np.roll(words, -1)), dtype=np.int64)


@dataclass(frozen=True)
class AsyncFifo:
    """An asynchronous FIFO.

    Parameters
    ----------
    depth : int
        Words, 1 or more.
    stages : int
        Flip-flops of each synchroniser, 1 ... 8.
    code : {"BINARY", "GRAY", "CENTRED"}
        Of the pointers that cross.
    """

    depth: int
    stages: int = 2
    code: Code = "GRAY"

    def __post_init__(self) -> None:
        codes(self.depth, self.code)
        object.__setattr__(self, "depth", int(self.depth))
        object.__setattr__(self, "stages", check_integer("stages", self.stages, 1, MOST_STAGES))

    @property
    def safe(self) -> bool:
        """Whether one bit a step changes, and synchronisers let a flip-flop settle."""
        return self.stages >= 2 and int(bits_changed(self.depth, self.code).max()) == 1


@dataclass(frozen=True)
class Crossing:
    """What edges did.

    Parameters
    ----------
    taken : bool array [edges]
        Whether a word was written.
    word : int64 array [edges]
        Number of the word that was read, -1 if none.
    full, empty : bool arrays [edges]
        The flags as the edge found them, at edges of their clock, else False.
    """

    taken: BoolArray
    word: Int64Array
    full: BoolArray
    empty: BoolArray
