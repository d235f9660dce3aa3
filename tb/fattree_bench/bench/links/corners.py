"""Payload words that a tag never is, or hardly ever: packets that carry them bring them along.

Designers take such words for idle links, or for the word before.
"""

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.groups import Group, Point
from fattree_bench.bench.links.payload import Payload, Words
from fattree_models.common.checks import BoolArray, Int64Array

PAYLOADS = "payload words"
KINDS = (
    *("zero", "all ones", "one bit set", "one bit clear"),
    *("the sender's word before", "its neighbour's word"),
)
BEFORE, BESIDE, ANY = 4, 5, 6  # KINDS are numbered; ANY: a random word


def group(kinds: int = len(KINDS)) -> Group:
    """The cover group of these words, or of the first kinds of them."""
    return Group(PAYLOADS, (Point("word", KINDS[:kinds]),))


def corner_words(rng: np.random.Generator, payload: Payload, rows: int, senders: int) -> Words:
    """Words [rows, senders]: in half of the rows one kind for all, else one for each sender.

    Bits that are set, or clear, alone walk: by one from row to row, and from sender to sender.
    """
    width, dtype = payload.width, payload.dtype
    made = rng.integers(0, int(payload.mask), (rows, senders), np.uint64, True).astype(dtype)
    kinds = rng.integers(ANY + 1, size=(rows, senders))
    alike = rng.random(rows) < 0.5
    kinds[alike] = kinds[alike, :1]
    bit = (np.arange(rows)[:, None] + np.arange(senders)) % width
    walking = dtype.type(1) << bit.astype(dtype)
    for kind, word in enumerate((dtype.type(0), payload.mask, walking, payload.mask ^ walking)):
        np.copyto(made, word, where=kinds == kind)
    for row in range(rows):
        np.copyto(made[row], made[row - 1], where=kinds[row] == BEFORE)
        np.copyto(made[row], np.roll(made[row], 1), where=kinds[row] == BESIDE)
    return made


def kinds_of(words: Words, sent: BoolArray, width: int) -> Int64Array:
    """Numbers in KINDS of what was sent, once for each word and kind; words, sent: [rows, senders].

    Only what was sent just before, or at the same time, counts as such.
    """
    ones = np.bitwise_count(words)
    before, beside = np.zeros((2, *words.shape), np.bool_)
    before[1:] = (words[1:] == words[:-1]) & sent[:-1]
    beside[:, 1:] = (words[:, 1:] == words[:, :-1]) & sent[:, :-1]
    found = (ones == 0, ones == width, ones == 1, ones == width - 1, before, beside)
    counts: list[npt.NDArray[np.intp]] = [
        np.full(np.count_nonzero(kind & sent), i) for i, kind in enumerate(found)
    ]
    return np.concatenate(counts).astype(np.int64)
