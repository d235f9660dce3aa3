"""The random numbers of randomised retry: which word each wire draws, and what it decides.

Written from the contract in docs/leiserson.md, section "Draws".  A delivery cycle has a number,
counted from the last restart.  It alone, with the seed and the number of the wire, decides the word
that the wire draws, and the guess of the load factor that all wires share.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, check_integer, check_levels

UInt32Array = npt.NDArray[np.uint32]

ROUNDS = 4
"""Cycles of a phase, in units of the guess."""
MOST_EXPONENT = 15
MAX_SEED = 2**32 - 1
GOLDEN = 0x9E3779B9
"""2^32 over the golden ratio: sets the start values of neighbours apart."""


def guess_exponents(h: int, cycles: int) -> Int64Array:
    """Return the exponent e of the guess 2^e in the first delivery cycles.

    Parameters
    ----------
    h : int
        lg n, 1 ... 20.
    cycles : int

    Returns
    -------
    int64 array [cycles]
        0 in cycle 0, in which all send.

    Notes
    -----
    Doubling e squares the guess; that ends at the power of two from h ceil(lg h) on, about
    lg n lg lg n.

    Examples
    --------
    >>> guess_exponents(2, 16)
    array([0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2])
    """
    levels = check_levels(h)
    cycles = check_integer("cycles", cycles, 0)
    # ceil(log2 x) in integers is the length of x - 1.
    limit = levels * max(1, (max(levels, 2) - 1).bit_length())
    exponents = np.full(cycles, MOST_EXPONENT, dtype=np.int64)
    exponents[:1] = 0
    first, e = 1, 1
    while first < cycles and e < MOST_EXPONENT:
        beyond = first + (ROUNDS << e)
        exponents[first:beyond] = e
        first = beyond
        squared = min(2 * e, (limit - 1).bit_length())
        e = min(squared if 1 << e < limit else e + 1, MOST_EXPONENT)
    return exponents


def lfsr(seed: int, sources: int, cycles: int) -> UInt32Array:
    """Return the random words of every source in the first delivery cycles.

    Parameters
    ----------
    seed : int
        0 ... 2^32 - 1.
    sources, cycles : int

    Returns
    -------
    uint32 array [cycles, sources]
        Never 0.

    Notes
    -----
    Marsaglia's 32-bit xorshift (13, 17, 5), period 2^32 - 1, one step a cycle.  Source q starts
    with seed XOR ((q + 1) GOLDEN mod 2^32), or 1 where that is 0.

    Examples
    --------
    >>> lfsr(GOLDEN ^ 1, 1, 3)[:, 0]
    array([       1,   270369, 67634689], dtype=uint32)
    """
    seed = check_integer("seed", seed, 0, MAX_SEED)
    sources, cycles = check_integer("sources", sources, 0), check_integer("cycles", cycles, 0)
    words = np.zeros((cycles, sources), dtype=np.uint32)
    if cycles:
        words[0] = _first_words(seed, sources)
    for c in range(1, cycles):
        words[c] = _next_words(words[c - 1])
    return words


class Coins:
    """Decides, cycle by cycle, which sources may send.

    Makes the words as they are needed: how many cycles there will be is not known before.  `cycle`
    is the number of the first of them.
    """

    def __init__(self, h: int, sources: int, seed: int, cycle: int = 0) -> None:
        self.h = h
        self.cycle = cycle
        self.exponents = guess_exponents(h, 256)
        self.words = _first_words(seed, sources)
        for _ in range(cycle):
            self.words = _next_words(self.words)

    def toss(self, undelivered: Int64Array) -> BoolArray:
        """Return who may send in the next cycle, by how many messages each has."""
        if self.cycle >= self.exponents.size:
            self.exponents = guess_exponents(self.h, 2 * self.cycle)
        may = lucky(self.words, int(self.exponents[self.cycle]), undelivered)
        self.words = _next_words(self.words)
        self.cycle += 1
        return may


def lucky(
    words: UInt32Array, exponent: npt.ArrayLike, messages: npt.NDArray[np.integer]
) -> BoolArray:
    """Return who may send: those whose word, modulo the guess, is less than their messages.

    Parameters
    ----------
    words : uint32 array
        That were drawn.
    exponent : int or int array
        The guess is 2 to the power of it, 0 ... 15.
    messages : int array
        That wait at the wire, the one that it holds included.
    """
    mask = (np.int64(1) << np.asarray(exponent, dtype=np.int64)) - 1
    return np.asarray((words.astype(np.int64) & mask) < messages)


def _first_words(seed: int, sources: int) -> UInt32Array:
    """Return the start values."""
    steps = np.arange(1, sources + 1, dtype=np.uint64) * np.uint64(GOLDEN)
    words = np.uint32(seed) ^ steps.astype(np.uint32)
    words[words == 0] = 1
    return words


def _next_words(words: UInt32Array) -> UInt32Array:
    """Return the words one step on."""
    x = words ^ (words << np.uint32(13))
    x = x ^ (x >> np.uint32(17))
    return np.asarray(x ^ (x << np.uint32(5)))
