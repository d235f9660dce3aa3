"""Delta debugging, after Zeller and Hildebrandt, IEEE TSE 28(2), 2002.

Of PyPI's libraries picire is of 2021, and Shrink Ray reduces the bytes of files by commands.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

Part = TypeVar("Part")


def ddmin(parts: Sequence[Part], fails: Callable[[list[Part]], bool]) -> list[Part]:
    """Parts that fail together, and none of them can be left out alone.

    `fails` is asked of fewer and fewer of them, in their order; never of all, nor of none.
    """
    left, pieces = list(parts), 2
    while len(left) > 1:
        edges = [len(left) * i // pieces for i in range(pieces + 1)]
        spans = list(pairwise(edges))
        tries = [left[a:b] for a, b in spans] if pieces == 2 else []
        tries += [left[:a] + left[b:] for a, b in spans] if pieces > 2 else []
        smaller = next((kept for kept in tries if fails(kept)), None)
        if smaller is not None:
            pieces = 2 if len(smaller) <= len(left) // 2 else pieces - 1
            left, pieces = smaller, max(2, min(pieces, len(smaller)))
        elif pieces == len(left):
            break
        else:
            pieces = min(len(left), 2 * pieces)
    return left


def least(high: int, low: int, fails: Callable[[int], bool]) -> int:
    """A number from low to `high`, which fails, such that one less does not fail."""
    if high > low and fails(low):
        return low
    step = (high - low) // 2
    while high > low:
        step = max(1, min(step, high - low))
        if fails(high - step):
            high -= step
        elif step == 1:
            break
        else:
            step //= 2
    return high
