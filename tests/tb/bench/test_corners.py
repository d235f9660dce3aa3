"""Payloads that cannot be tags: all kinds are made and recognised; a table says what was sent."""

import numpy as np
import pytest

from fattree_bench.bench.links.corners import BEFORE, BESIDE, KINDS, corner_words, kinds_of
from fattree_bench.bench.links.payload import Payload, SentWords


@pytest.mark.parametrize("width", [5, 7, 8, 20, 32, 63, 64])
def test_all_kinds_are_made(width: int) -> None:
    words = corner_words(np.random.default_rng(1), Payload(1, width), 64, 2)
    assert words.shape == (64, 2) and int(words.max()) == (1 << width) - 1
    found = kinds_of(words, np.ones(words.shape, np.bool_), width)
    assert set(found.tolist()) == set(range(len(KINDS)))


def test_kinds_by_hand() -> None:
    """Zero, ones, a bit set, a bit clear; the same again; the word of the idle neighbour."""
    words = np.array([[0, 31], [4, 29], [4, 9], [9, 9]], np.uint8)
    sent = np.array([[1, 1], [1, 1], [1, 1], [0, 1]], np.bool_)
    assert sorted(kinds_of(words, sent, 5).tolist()) == [0, 1, 2, 2, 3, BEFORE, BEFORE]
    sent[3, 0] = True
    assert sorted(kinds_of(words, sent, 5).tolist())[-3:] == [BEFORE, BEFORE, BESIDE]


def test_the_table_of_sent_words() -> None:
    payload, sent = Payload(1, 16), SentWords()
    number, source = np.array([3, 4, 5, 6]), np.array([0, 1, 1, 0])
    tags = payload.words(number, source)
    assert sent.instead(tags, number, source) is tags
    sent.note(4, np.array([[1, 2], [3, 4]], np.uint16))
    assert sent.instead(tags, number, source).tolist() == [tags[0], 2, 4, tags[3]]
