"""Words name their packets, and the lowest of their bits do not stand still at any leaf."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fattree_bench.bench.links.payload import Payload

SHAPES = st.integers(1, 10).flatmap(lambda n: st.tuples(st.just(n), st.integers(n + 4, 64)))


@given(SHAPES, st.integers(0, 1 << 60), st.integers(1, 40))
def test_a_word_names_its_packet(shape: tuple[int, int], sequence: int, slots: int) -> None:
    n, width = shape
    payload, wrap = Payload(n, width), 1 << (width - n)
    words = payload.frame(slots, sequence)
    assert words.shape == (slots, 1 << n) and int(words.max()) < 1 << width
    number, source = payload.named(words)
    assert (source == np.arange(1 << n)).all()
    assert number[:, 0].tolist() == [(sequence + slot) % wrap for slot in range(slots)]
    assert (number == number[:, :1]).all()
    word = int(words[-1, -1])
    assert payload.decode(word) == (int(number[-1, -1]), (1 << n) - 1)
    last = np.array([sequence % wrap + slots - 1], np.int64)
    assert payload.words(last, np.array([(1 << n) - 1])).tolist() == [word]


@given(SHAPES.filter(lambda shape: shape[1] >= 2 * shape[0]), st.integers(0, 1 << 40))
def test_the_lowest_bits_of_every_leaf_move(shape: tuple[int, int], sequence: int) -> None:
    """Without the fold the lowest n bits would not; found by mutants that survived."""
    n, width = shape
    words = Payload(n, width).frame(1024, sequence * 1024)
    moved = np.bitwise_or.reduce(words ^ words[0], axis=0)
    assert (moved & words.dtype.type((1 << n) - 1) == (1 << n) - 1).all()
