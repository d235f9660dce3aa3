"""What a write of the player's has for data, and what its words of an answer say."""

from __future__ import annotations

from fattree_models import spin

MIX = 0x9E3779B1  # see spin_player.v
NUMBERS = 1 << 12  # so many commands of an initiator have different data
FILLS = (None, 0, spin.codec.DATA)  # all words of a write; None: each differs
LAST, DAMAGED, ERROR, WRITE = (1 << 62, 1 << 61, 1 << 60, 1 << 59)  # of a word of a response
HEADER = (1 << 61) - (1 << 43)  # of it: what is shown of the header


def written(initiator: int, number: int, words: int, fill: int) -> tuple[int, ...]:
    """The data of the command of that number."""
    first, alike = (initiator << 12 | number % NUMBERS) << 4, FILLS[fill]
    mixed = ((first | j) * MIX & spin.codec.DATA for j in range(words))
    return tuple(word if alike is None else alike for word in mixed)


def answer(initiator: int, came: list[int]) -> tuple[spin.Message, str]:
    """The response that these words of the player make; what is wrong with them, or "".

    One without data is shown as one word, 0.  If data are too many or too few, or headers
    differ, it is an error.
    """
    last, data = came[-1], [word & spin.codec.DATA for word in came]
    write, error, words = bool(last & WRITE), bool(last & ERROR), last >> 55 & 15
    due = 0 if write or error else words
    data = [] if not due and data == [0] else data
    odd = "" if len(data) == due else f"has {len(data)} words instead of {due}"
    if any((word ^ last) & HEADER for word in came):
        odd = "has words with different headers"
    response = spin.Message(
        dst=initiator,
        src=last >> 43 & 255,
        tag=last >> 51 & 15,
        write=write,
        response=True,
        error=error or bool(odd),
        words=max(1, words),
        data=() if odd else tuple(data),
    )
    return response, odd
