"""Payload words that name their packet, so that a monitor needs nobody to tell it what it sees."""

import numpy as np
import numpy.typing as npt

from models.checks import Int64Array

Words = npt.NDArray[np.unsignedinteger]

# Odd, so that multiplication modulo 2^W is a bijection; close to 2^64 / golden ratio, so that
# neighbouring tags differ in many bits.
MIX = 0x9E3779B97F4A7C15


class Payload:
    """Words of `width` bits that carry (sequence number of the slot, source), scrambled.

    The tag is `sequence * N + source + 1` modulo 2^width; the word is that times an odd constant.
    (Without the 1 a bus stuck at zero would name a packet.)
    A frame's words are therefore those of sequence number 0 plus one number: cheap to renew.

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
        self._first: Words = np.zeros((0, 1 << n), self.dtype)

    def base(self, slots: int) -> Words:
        """Words [slots, N] of sequence numbers 0 … slots - 1."""
        if len(self._first) < slots:
            tags = np.arange(1, (slots << self.n) + 1, dtype=np.uint64).reshape(slots, -1)
            self._first = (tags * np.uint64(self._mix)).astype(self.dtype) & self.mask
        return self._first[:slots]

    def salt(self, sequence: int) -> np.unsignedinteger:
        """What to add to `base` for words that start at a sequence number."""
        return self.dtype.type((sequence << self.n) * self._mix % self._modulus)

    def words(self, sequence: Int64Array, source: npt.NDArray[np.integer]) -> Words:
        """Words that name packets, any shape."""
        tags = ((sequence << self.n) + source + 1).astype(np.uint64)
        return (tags * np.uint64(self._mix)).astype(self.dtype) & self.mask

    def named(self, words: Words) -> tuple[Int64Array, Int64Array]:
        """Sequence numbers (modulo 2^(width - n)) and sources that words name, any shape."""
        tags = words.astype(np.uint64) * np.uint64(self._unmix) - np.uint64(1)
        tags &= np.uint64(self._modulus - 1)
        tag = tags.view(np.int64) if self.width == 64 else tags.astype(np.int64)
        return tag >> self.n & ((1 << self.width - self.n) - 1), tag & ((1 << self.n) - 1)

    def decode(self, word: int) -> tuple[int, int]:
        """Sequence number (modulo 2^(width - n)) and source that a word names."""
        tag = (word * self._unmix - 1) % self._modulus
        return tag >> self.n, tag & ((1 << self.n) - 1)
