"""Lengths of packets."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.traffic.choice import Choice
from fattree_models.traffic.words import check_text, integer, real

Int16Array = npt.NDArray[np.int16]

MAX_FLITS = 2**15 - 1


@dataclass(frozen=True)
class Lengths:
    """How long packets are, in flits.

    Attributes
    ----------
    name : str
        As the user wrote it.
    choice : Choice
        Which lengths, and how often.
    """

    name: str
    choice: Choice

    def draw(self, rng: np.random.Generator, size: int) -> Int16Array:
        """Return the random lengths of `size` packets, int16 [size], flits."""
        return self.choice.draw(rng, size).astype(np.int16)

    @property
    def mean(self) -> float:
        """Flits per packet in the mean."""
        return self.choice.mean

    @property
    def longest(self) -> int:
        """Flits of the longest packets."""
        return int(self.choice.values[-1])


def lengths(text: str) -> Lengths:
    """Return the lengths that a user describes.

    Parameters
    ----------
    text : str
        Items separated by commas.  An item is a length, `5`, or a range of equally likely ones,
        `1-16`; after a colon its probability.  Items without one share equally what the others
        leave: `1,5:0.3` is 1 flit in 70 % of the packets, 5 in 30 %.

    Raises
    ------
    ValueError
        If the text is malformed, or the probabilities cannot sum to 1.

    Examples
    --------
    >>> lengths("5").mean, lengths("1-16").mean, lengths("1,5:0.25").mean
    (5.0, 8.5, 2.0)
    """
    items = [_item(word.strip()) for word in check_text("lengths", text).split(",")]
    shares = _shared([share for _, _, share in items])
    values = np.concatenate([np.arange(low, high + 1) for low, high, _ in items])
    sizes = np.array([high - low + 1 for low, high, _ in items])
    return Lengths(text, Choice.of(values, np.repeat(np.array(shares) / sizes, sizes)))


def _item(word: str) -> tuple[int, int, float | None]:
    """Return the shortest and the longest length of an item, and its probability."""
    span, colon, share = word.partition(":")
    first, dash, last = span.partition("-")
    low = integer("length", first.strip(), 1, MAX_FLITS)
    high = integer("length", last.strip(), low, MAX_FLITS) if dash else low
    return low, high, real("probability", share.strip(), 1.0) if colon else None


def _shared(shares: list[float | None]) -> list[float]:
    """Return the probabilities, those that are not given filled in."""
    given = sum(share for share in shares if share is not None)
    missing = shares.count(None)
    left = max(1.0 - given, 0.0)
    if abs(1.0 - given) > 1e-9 if not missing else left < 1e-9:
        raise ValueError(f"lengths: have probabilities that sum to {given:g}; allowed is 1 in all")
    return [left / missing if share is None else share for share in shares]
