"""The shape of a reset: 1 to 5 clocks, and often a second pulse a clock or two behind the first."""

from zlib import crc32

import numpy as np

from fattree_models.common.checks import Int32Array

BITS = 8  # of a shape
LONGEST = 5  # clocks of the first pulse


def drawn(rng: np.random.Generator) -> int:
    """A shape: bit k is set if the reset is held k clocks after its first clock."""
    first = int(rng.integers(1, LONGEST + 1))
    shape = (1 << first) - 1
    if rng.integers(2):
        begin = first + int(rng.integers(1, 3))
        shape |= (1 << int(rng.integers(begin + 1, BITS + 1))) - (1 << begin)
    return shape


def by_chance(of: Int32Array) -> int:
    """A shape that depends on what is sent alone, so that a run repeats."""
    return drawn(np.random.default_rng(crc32(np.ascontiguousarray(of).tobytes())))


def length(of: Int32Array) -> int:
    """Clocks of a reset in one pulse, by chance as well."""
    return 1 + by_chance(of) % LONGEST


def clocks(first: int | None, shape: int) -> tuple[int, ...]:
    """The clocks of a reset that begins in clock `first`; None: without one."""
    if first is None:
        return ()
    return tuple(first + k for k in range(shape.bit_length()) if shape >> k & 1)
