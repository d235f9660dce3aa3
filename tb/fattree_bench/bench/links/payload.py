"""Payload words that name their packet, so a monitor can identify every word by itself.

A packet may bring a word of its own, which does not; then a table says what was sent.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, IntegerArray

Words = npt.NDArray[np.unsignedinteger]

# Odd, so that multiplication modulo 2^W is a bijection.  Of 500 numbers in a row the multiples show
# all values of any eight neighbouring bits; in its inverse no six neighbouring bits are equal, so
# that a flipped bit of a word changes the number by a 64th of all numbers at least.
MIX = 0x7100E935FE3A771B


class Payload:
    """Words of `width` bits that carry (sequence number of the slot, source), scrambled.

    The tag is `sequence * N + source + 1` modulo 2^width.  (Without the 1 a bus stuck at zero would
    name a packet.)  The word is the tag times an odd constant, its upper half folded onto the lower
    one, and the same again: without it the lowest log2(N) bits of a leaf's words would always be
    the same, and eight neighbouring bits would not take all of their values.
    The first products of a frame are those of sequence number 0 plus one number: cheap to renew.

    Parameters
    ----------
    n : log2 of the number of leaves.
    width : payload bits, n + 4 … 64.
    """

    def __init__(self, n: int, width: int) -> None:
        self.n = n
        self.width = width
        self.stride = next(bits for bits in (8, 16, 32, 64) if bits >= width)
        self.dtype = np.dtype(f"uint{self.stride}")
        self._modulus = 1 << width
        self._mix = MIX % self._modulus
        self._unmix = pow(self._mix, -1, self._modulus)
        self.mask = self.dtype.type(self._modulus - 1)
        self._fold = self.dtype.type((width + 1) // 2)  # by which folding twice changes nothing
        self._first: Words = np.zeros((0, 1 << n), self.dtype)

    def base(self, slots: int) -> Words:
        """What `renew` makes words [slots, N] of, at sequence numbers 0 … slots - 1."""
        if len(self._first) < slots:
            tags = np.arange(1, (slots << self.n) + 1, dtype=np.uint64).reshape(slots, -1)
            self._first = (tags * np.uint64(self._mix)).astype(self.dtype) & self.mask
        return self._first[:slots]

    def renew(self, base: Words, sequence: int, out: Words) -> None:
        """Make words that start at a sequence number of `base`, or of rows or entries of it."""
        np.add(base, self.dtype.type((sequence << self.n) * self._mix % self._modulus), out=out)
        self._mixed(out)

    def frame(self, slots: int, sequence: int) -> Words:
        """Words [slots, N] that start at a sequence number."""
        made = np.empty((slots, 1 << self.n), self.dtype)
        self.renew(self.base(slots), sequence, made)
        return made

    def words(self, sequence: Int64Array, source: IntegerArray) -> Words:
        """Words that name packets, any shape."""
        tags = ((sequence << self.n) + source + 1).astype(np.uint64)
        made: Words = (tags * np.uint64(self._mix)).astype(self.dtype)
        self._mixed(made)
        return made

    def _mixed(self, products: Words) -> None:
        """Make words of products of tags, in place."""
        products &= self.mask
        products ^= products >> self._fold
        products *= self.dtype.type(self._mix)
        products &= self.mask
        products ^= products >> self._fold

    def named(self, words: Words) -> tuple[Int64Array, Int64Array]:
        """Sequence numbers (modulo 2^(width - n)) and sources that words name, any shape."""
        tags, fold, last = words.astype(np.uint64), np.uint64(self._fold), self._modulus - 1
        for _ in range(2):
            tags = (tags ^ tags >> fold) * np.uint64(self._unmix) & np.uint64(last)
        tags = tags - np.uint64(1) & np.uint64(last)
        tag = tags.view(np.int64) if self.width == 64 else tags.astype(np.int64)
        return tag >> self.n & ((1 << self.width - self.n) - 1), tag & ((1 << self.n) - 1)

    def decode(self, word: int) -> tuple[int, int]:
        """Sequence number (modulo 2^(width - n)) and source that a word names."""
        for _ in range(2):
            word = (word ^ word >> int(self._fold)) * self._unmix % self._modulus
        tag = (word - 1) % self._modulus
        return tag >> self.n, tag & ((1 << self.n) - 1)


class SentWords:
    """What was sent: tags, but for the packets that brought words of their own."""

    def __init__(self) -> None:
        self._own: list[tuple[int, Words]] = []  # number of the first slot, words [slots, N]

    def note(self, sequence: int, words: Words) -> None:
        """Packets of these slots carry words [slots, N] of their own."""
        self._own.append((sequence, words))

    def instead(self, tags: Words, sequence: Int64Array, source: IntegerArray) -> Words:
        """What packets carried, any shape, given their tags: these themselves if all did."""
        made = tags.copy() if self._own else tags
        for first, own in self._own:
            inside = (sequence >= first) & (sequence < first + len(own))
            made[inside] = own[sequence[inside] - first, source[inside]]
        return made
