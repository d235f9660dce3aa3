"""Loads of a sweep, as a user writes them: `0.05,0.1:1:0.1`."""

import math
from decimal import Decimal
from itertools import pairwise

from fattree_bench.settings import plain_real

MOST = 1000  # loads of a list
WRONG = "must be loads > 0 … 1, ascending, as 0.05,0.1:1:0.1 (from:to:step)"


def load_list(text: str) -> tuple[float, ...]:
    """Loads, ascending; ValueError says what is allowed.

    Examples
    --------
    >>> load_list("0.05,0.1:0.3:0.1")
    (0.05, 0.1, 0.2, 0.3)
    """
    loads = [load for part in text.split(",") for load in _part(part)]
    rising = all(a < b for a, b in pairwise(loads))
    if not loads or not rising or not 0 < loads[0] <= loads[-1] <= 1 or len(loads) > MOST:
        raise ValueError(WRONG)
    return tuple(map(float, loads))


def _part(text: str) -> list[Decimal]:
    """The loads of `load` or `from:to:step`, exact: 0.1 three times is 0.3."""
    words = text.split(":")
    try:
        numbers = [Decimal(word) for word in words if math.isfinite(plain_real(word.strip()))]
    except ValueError:
        raise ValueError(WRONG) from None
    if len(words) == len(numbers) == 1:
        return numbers
    if len(words) != 3 or len(numbers) != 3:
        raise ValueError(WRONG)
    first, last, step = numbers
    if step <= 0 or first > last or last > 1:
        raise ValueError(WRONG)
    count = int((last - first) / step) + 1
    if count > MOST:
        raise ValueError(WRONG)
    return [first + i * step for i in range(count)]
