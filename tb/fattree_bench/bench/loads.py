"""Loads of a sweep, as a user writes them: `0.05,0.1:1:0.1`."""

from decimal import Decimal, InvalidOperation
from itertools import pairwise

MOST = 1000  # loads of a list
WRONG = "must be loads > 0 … 1, ascending, as 0.05,0.1:1:0.1 (from:to:step)"


def load_list(text: str) -> tuple[float, ...]:
    """Loads, ascending; ValueError says what is allowed.

    Examples
    --------
    >>> load_list("0.05,0.1:0.3:0.1")
    (0.05, 0.1, 0.2, 0.3)
    """
    try:
        loads = [load for part in text.split(",") for load in _part(part)]
    except InvalidOperation:
        raise ValueError(WRONG) from None
    rising = all(a < b for a, b in pairwise(loads))
    if not loads or not rising or not 0 < loads[0] <= loads[-1] <= 1 or len(loads) > MOST:
        raise ValueError(WRONG)
    return tuple(map(float, loads))


def _part(text: str) -> list[Decimal]:
    """The loads of `load` or `from:to:step`, exact: 0.1 three times is 0.3."""
    numbers = [Decimal(word) for word in text.split(":")]
    if len(numbers) == 1:
        return numbers if numbers[0].is_finite() else [Decimal(0)]
    first, last, step = numbers if len(numbers) == 3 else (Decimal(0),) * 3
    if not all(number.is_finite() for number in numbers) or step <= 0 or first > last:
        raise ValueError(WRONG)
    count = int((last - first) / step) + 1
    if count > MOST:
        raise ValueError(WRONG)
    return [first + i * step for i in range(count)]
