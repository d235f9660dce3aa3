"""Frames, and the sizes and times that follow from them, against a walk of the tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.leiserson.codec import decode, encode
from fattree_models.leiserson.serial_tree import SerialTree, source_processor
from tests.models.leiserson import brute_serial
from tests.models.leiserson.latency import path_latency

TREES = [
    SerialTree((1, 1), data_bits=1),
    SerialTree((2, 1, 3), pipeline=0, data_bits=9),
    SerialTree((7, 5, 4, 2, 1), data_bits=33),
    SerialTree((5, 7, 2, 6, 3, 2), data_bits=64),
    SerialTree((1, 6, 4, 9), "PARTIAL", data_bits=32),
    SerialTree((2, 12, 9, 5, 2, 1), "PARTIAL", "ROTATING", 0, 17),
    # The way out of the machine is the longest one.
    SerialTree((1, 12, 12), "PARTIAL", data_bits=5),
    # An address of more than 64 bits.
    SerialTree((2, 24, 8, 26, 6, 9), "PARTIAL", data_bits=63),
]


def rules_of(tree):
    return brute_serial.Rules(
        tree.cap, tree.concentrator, tree.priority, tree.pipeline, tree.data_bits
    )


def all_pairs(tree):
    """Return (sources, destinations) of everything that may be sent, one wire a processor."""
    first = [x * tree.ports for x in range(tree.n)] + [tree.n * tree.ports]
    pairs = [
        (q, j)
        for x, q in enumerate(first)
        for j in range(tree.n + 1)
        if j != x and not (x == tree.n and j == tree.n)
    ]
    return np.array(pairs).T


def test_the_trees_are_what_they_are_meant_to_be():
    out, long = TREES[-2:]
    assert path_latency(out, 0, 4) == out.latency_most > path_latency(out, 0, 3)
    assert long.address_bits > 64


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("message", [False, True])
def test_frames_are_what_a_walk_says_bit_by_bit(tree, message):
    rng = np.random.default_rng(1)
    source, dst = all_pairs(tree)
    words = rng.integers(0, 1 << tree.data_bits, source.size, dtype=np.uint64, endpoint=False)
    edges = rng.integers(0, 8, (source.size, tree.stages_most), dtype=np.uint8)
    if not message:
        edges[:] = 7
    frames = encode(tree, source, dst, words, edges if message else None)
    assert frames.shape == (source.size, tree.frame_bytes)
    for i, (q, j) in enumerate(zip(source.tolist(), dst.tolist(), strict=True)):
        bits = brute_serial.frame(rules_of(tree), q, j, int(words[i]), edges[i].tolist())
        assert len(bits) <= tree.frame_bits
        image = int.from_bytes(frames[i].tobytes(), "little")
        assert format(image, f"0{tree.frame_bits}b") == "".join(map(str, bits)).ljust(
            tree.frame_bits, "0"
        )
        stages = (len(bits) - 1 - tree.data_bits - nodes_of(tree, q, j)) // 3
        assert decode(tree, q, frames[i]) == (j, int(words[i]), tuple(edges[i, :stages].tolist()))


def nodes_of(tree, q, j):
    """Return the nodes that a message passes: 2d - 1, or h to or from outside."""
    if q >= tree.n * tree.ports or j == tree.n:
        return tree.h
    return 2 * (q // tree.ports ^ j).bit_length() - 1


@pytest.mark.parametrize("tree", TREES)
def test_sizes_are_the_most_that_any_pair_needs(tree):
    source, dst = all_pairs(tree)
    processor = source_processor(tree)[source]
    rules = rules_of(tree)
    sevens = [7] * tree.stages_most
    address, stages = [], []
    for q, j in zip(source.tolist(), dst.tolist(), strict=True):
        address.append(len(brute_serial.frame(rules, q, j, 0, sevens)) - 1 - tree.data_bits)
        stages.append((address[-1] - nodes_of(tree, q, j)) // 3)
    latency = path_latency(tree, processor, dst)
    nodes = [nodes_of(tree, q, j) for q, j in zip(source.tolist(), dst.tolist(), strict=True)]
    assert latency.tolist() == [a + tree.pipeline * x for a, x in zip(address, nodes, strict=True)]
    assert tree.address_bits == max(address)
    assert tree.stages_most == max(stages)
    assert tree.latency_most == latency.max()
    assert tree.frame_bits == 1 + max(address) + tree.data_bits
    back = tree.pipeline * (2 * tree.h - 1)
    assert tree.cycle_ticks == 3 + latency.max() + tree.data_bits + back


def test_addresses_by_hand():
    """n = 8: up, up, turn, then 01; out of the machine; into it; idle."""
    tree = SerialTree((1,) * 4, data_bits=2)
    frames = encode(tree, [0, 6, 8, 1], [5, 8, 6, -1], [3, 1, 2, 3])
    assert [format(int(x), "08b") for x in frames[:, 0]] == [
        "11100111",
        "11110100",
        "11101000",
        "00000000",
    ]


def test_frames_do_not_depend_on_their_neighbours():
    tree = TREES[3]
    rng = np.random.default_rng(2)
    source = rng.permutation(tree.sources)
    dst = (source_processor(tree)[source] + 1 + rng.integers(0, tree.n, source.size)) % (tree.n + 1)
    dst[::3] = -1
    words = rng.integers(0, 1 << 63, source.size)
    together = encode(tree, source, dst, words)
    for i in range(source.size):
        alone = encode(tree, source[i : i + 1], dst[i : i + 1], words[i : i + 1])
        assert (alone[0] == together[i]).all()
        assert (dst[i] >= 0) == together[i].any()


@settings(max_examples=60)
@given(st.sampled_from(TREES), st.data())
def test_frames_that_no_message_has_are_refused(tree, data):
    q = data.draw(st.integers(0, tree.sources - 1))
    own = int(source_processor(tree)[q])
    j = data.draw(st.integers(0, tree.n).filter(lambda x: x != own))
    (frame,) = encode(tree, [q], [j], [0])
    with pytest.raises(ValueError, match=r"^frame: has shape"):
        decode(tree, q, frame[:-1])
    without_m = frame.copy()
    without_m[-1] &= ~(1 << (tree.frame_bits - 1) % 8) & 0xFF
    if without_m.any():
        with pytest.raises(ValueError, match=r"^frame: is .* M = bit"):
            decode(tree, q, without_m)
    used = len(brute_serial.frame(rules_of(tree), q, j, 0, [7] * tree.stages_most))
    if used < tree.frame_bits:
        frame[0] |= 1
        with pytest.raises(ValueError, match=r"^frame: is .* zeros behind"):
            decode(tree, q, frame)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": [-1]}, "^source: holds -1; allowed are 0 … 8$"),
        ({"source": [9]}, "^source: holds 9; allowed are 0 … 8$"),
        ({"dst": [5]}, "^dst: holds 5; allowed are -1 … 4$"),
        ({"dst": [-2]}, "^dst: holds -2; allowed are -1 … 4$"),
        ({"dst": [1]}, "^dst: is 1 for source 2 of processor 1; allowed"),
        ({"source": [8], "dst": [4]}, "^dst: is 4 for source 8 of the external channel; allowed"),
        ({"words": [8]}, r"^words: holds 8; allowed are 0 … 2\^3 - 1$"),
        ({"words": [1 << 63]}, "^words: holds 9223372036854775808; allowed"),
        ({"words": [-1]}, "^words: holds -1; allowed"),
        ({"words": [1, 2]}, "^words: has shape"),
        ({"dst": [1, 2]}, "^dst: has shape"),
        ({"edges": [[7]]}, r"^edges: has shape \(1, 1\); allowed is \(1, 3\)"),
        ({"edges": [[7, 8, 7]]}, "^edges: holds 8; allowed are 0 … 7$"),
        ({"edges": [[-1, 0, 0]]}, "^edges: holds -1; allowed are 0 … 7$"),
    ],
)
def test_bad_messages_are_refused(change, message):
    tree = SerialTree((1, 2, 2), "PARTIAL", data_bits=3)
    assert tree.stages_most == 3
    good = {"source": [2], "dst": [0], "words": [7]}
    assert encode(tree, **good).any()
    with pytest.raises(ValueError, match=message):
        encode(tree, **{**good, **change})


@pytest.mark.parametrize("source", [-1, 3])
def test_frames_of_no_source_are_refused(source):
    with pytest.raises(ValueError, match=rf"^source: is {source}; allowed are integers 0 … 2$"):
        decode(SerialTree((1, 1)), source, [0] * 5)
