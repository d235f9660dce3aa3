"""Traffic patterns: against the definitions bit by bit, and what is drawn against the matrix."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fattree_models.lbbvn.permutation import bit_reverse
from fattree_models.traffic import PATTERN_FORMS, pattern, permutation, split_list, uniform
from fattree_models.traffic.choice import Choice

ANY = [2, 3, 4, 7, 16, 36, 60, 64]
RANDOM = [
    "uniform",
    "uniform:self",
    "hotspot:0,5:0.1",
    "hotspot:5",
    "hotspot:0=3,5=0.5:0.7",
    "hotspot:3:0.01",
    "asymmetric",
    "diagonal",
    "logdiagonal",
    "unbalanced:0.5",
    "unbalanced:0",
    "background:0,3",
]
FIXED = ["bitcomp", "bitrev", "shuffle", "rotation", "transpose", "tornado", "neighbor", "randperm"]


def fixed(text, nodes, **options):
    """The destinations, checked: int32, at most one source each, as drawn, as in the matrix."""
    made = pattern(text, nodes, **options)
    to = made.fixed
    assert to.dtype == np.int32 and to.shape == (nodes,) and to.max() < nodes
    sent = to[to >= 0]
    assert len(set(sent.tolist())) == sent.size
    assert made.senders.tolist() == np.flatnonzero(to >= 0).tolist()
    drawn = made.draw(made.senders, np.random.default_rng(0), np.zeros(sent.size, dtype=np.int64))
    assert drawn.dtype == np.int32 and drawn.tolist() == sent.tolist()
    assert np.argwhere(made.matrix() == 1.0).tolist() == [[s, to[s]] for s in made.senders]
    assert made.matrix().sum() == sent.size
    return to.tolist()


def by_bits(nodes, rule):
    """d_i = s_rule(i), digit by digit; -1 where no such node exists."""
    bits = (nodes - 1).bit_length()
    result = []
    for s in range(nodes):
        d = sum((s >> rule(i, bits) % bits & 1) << i for i in range(bits))
        result.append(d if d < nodes else -1)
    return result


# Permutations ------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", ANY)
def test_bit_patterns(nodes):
    assert fixed("bitrev", nodes) == by_bits(nodes, lambda i, b: b - 1 - i)
    assert fixed("shuffle", nodes) == by_bits(nodes, lambda i, b: i - 1)
    assert fixed("rotation", nodes) == by_bits(nodes, lambda i, b: i + 1)
    assert fixed("bitcomp", nodes) == [nodes - 1 - s for s in range(nodes)]


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 8, 10])
def test_powers_of_two(bits):
    nodes = 1 << bits
    assert fixed("bitcomp", nodes) == [~s & nodes - 1 for s in range(nodes)]
    assert fixed("bitrev", nodes) == bit_reverse(bits).tolist()
    if bits % 2 == 0:
        half = by_bits(nodes, lambda i, b: i + b // 2)
        assert fixed("transpose", nodes) == half == fixed(f"transpose:{1 << bits // 2}", nodes)


def test_who_is_left_out():
    assert fixed("bitrev", 6) == [0, 4, 2, -1, 1, 5]
    assert fixed("shuffle", 6) == [0, 2, 4, -1, 1, 3]
    assert fixed("rotation", 6) == [0, 4, 1, 5, 2, -1]


@given(st.integers(2, 300))
def test_shuffle_and_rotation_are_inverse(nodes):
    there, back = fixed("shuffle", nodes), fixed("rotation", nodes)
    pairs = {(s, d) for s, d in enumerate(there) if d >= 0}
    assert pairs == {(d, s) for s, d in enumerate(back) if d >= 0}


@given(st.integers(2, 300))
def test_symmetric_ones_are_their_own_inverse(nodes):
    for name in ("bitcomp", "bitrev"):
        to = fixed(name, nodes)
        assert all(to[to[s]] == s for s in range(nodes) if to[s] >= 0)


@given(st.integers(1, 20), st.integers(2, 20))
def test_transpose(rows, columns):
    nodes = rows * columns
    to = fixed(f"transpose:{rows}", nodes)
    matrix = np.arange(nodes).reshape(rows, columns)
    assert np.array(to)[matrix].T.ravel().tolist() == list(range(nodes))
    back = fixed(f"transpose:{columns}", nodes)
    assert [back[d] for d in to] == list(range(nodes))


@pytest.mark.parametrize(("nodes", "rows"), [(36, 6), (60, 6), (8, 2), (128, 8), (10, 2)])
def test_transpose_is_nearly_square(nodes, rows):
    assert fixed("transpose", nodes) == fixed(f"transpose:{rows}", nodes)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4).filter(lambda k: max(k) > 2))
def test_digits(digits):
    nodes = int(np.prod(digits))
    tornado = fixed("tornado", nodes, radix=digits)
    neighbor = fixed("neighbor", nodes, radix=digits)
    for s in range(nodes):
        weight = 1
        for k in digits:
            digit = s // weight % k
            assert tornado[s] // weight % k == (digit + -(-k // 2) - 1) % k
            assert neighbor[s] // weight % k == (digit + 1) % k
            weight *= k


def test_radix():
    assert fixed("tornado", 64, radix=4) == fixed("tornado", 64, radix=[4, 4, 4])
    assert (
        fixed("tornado:4", 64) == fixed("tornado:4", 64, radix=8) == fixed("tornado", 64, radix=4)
    )
    assert fixed("tornado", 8) == fixed("shift:3", 8)
    assert fixed("neighbor", 7) == fixed("shift:1", 7) == fixed("neighbor:7", 7)
    assert fixed("tornado", 9, radix=3) == fixed("neighbor", 9, radix=3)  # ceil(3/2) - 1 = 1


@given(st.integers(2, 100), st.integers(-(2**31), 2**31))
def test_shift(nodes, places):
    assert fixed(f"shift:{places}", nodes) == [(s + places) % nodes for s in range(nodes)]


@given(st.integers(2, 300), st.integers(0, 2**32 - 1))
def test_random_permutation(nodes, seed):
    to = fixed("randperm", nodes, seed=seed)
    assert sorted(to) == list(range(nodes))
    assert to == fixed(f"randperm:{seed}", nodes, seed=1)


def test_random_permutations_differ_and_are_equally_likely():
    seen = {}
    for seed in range(1200):
        key = tuple(fixed("randperm", 3, seed=seed))
        seen[key] = seen.get(key, 0) + 1
    assert len(seen) == 6
    assert min(seen.values()) > 200 - 5 * 200**0.5


def test_given_permutation():
    assert fixed("permutation:1,0,-1,3", 4) == [1, 0, -1, 3]
    assert permutation(np.array([2, 0, 1], dtype=np.int64)).fixed.dtype == np.int32


# What is drawn -----------------------------------------------------------------------------------


def check_draws(made, each=4000):
    """What is drawn has the frequencies of the matrix, within 5 sigma."""
    nodes = made.nodes
    matrix = made.matrix()
    assert matrix.shape == (nodes, nodes) and matrix.dtype == np.float64
    sends = np.isin(np.arange(nodes), made.senders)
    assert np.allclose(matrix.sum(axis=1), sends)
    source = np.repeat(made.senders, each)
    count = np.tile(np.arange(each), made.senders.size)
    drawn = made.draw(source, np.random.default_rng(1), count)
    assert drawn.dtype == np.int32
    seen = np.zeros((nodes, nodes))
    np.add.at(seen, (source, drawn), 1)
    sigma = np.sqrt(each * matrix * (1 - matrix))
    wrong = np.argwhere(np.abs(seen - each * matrix) > 5 * sigma + 1e-6)
    assert not wrong.size, f"{made.name}: {wrong[:3].tolist()}"


@pytest.mark.parametrize("text", RANDOM)
@pytest.mark.parametrize("nodes", [6, 16])
def test_draws(text, nodes):
    made = pattern(text, nodes)
    assert made.fixed is None
    check_draws(made)


def test_round_robin_is_uniform_and_regular():
    made = pattern("round_robin", 5)
    check_draws(made)
    count = np.arange(8)
    drawn = made.draw(np.full(8, 3, dtype=np.int32), np.random.default_rng(0), count)
    assert drawn.tolist() == [4, 0, 1, 2, 4, 0, 1, 2]


def test_a_wrong_share_is_seen():
    true = pattern("hotspot:0:0.3", 6)
    false = replace(true, share=0.35)
    object.__setattr__(false, "matrix", true.matrix)
    with pytest.raises(AssertionError, match="hotspot"):
        check_draws(false)


def test_one_that_never_sends_to_itself_is_seen():
    true, false = pattern("uniform:self", 6), pattern("uniform", 6)
    object.__setattr__(false, "matrix", true.matrix)
    with pytest.raises(AssertionError, match="uniform"):
        check_draws(false)


# Matrices, from the words of the definitions -----------------------------------------------------


def test_uniform_matrix():
    assert np.allclose(pattern("uniform", 4).matrix(), (1 - np.eye(4)) / 3)
    assert np.allclose(pattern("uniform:self", 4).matrix(), np.full((4, 4), 0.25))
    assert np.allclose(pattern("round_robin", 4).matrix(), (1 - np.eye(4)) / 3)


def test_hotspot_matrix():
    booksim = pattern("hotspot:1=3,2", 4).matrix()
    assert np.allclose(booksim, [[0, 0.75, 0.25, 0]] * 4)
    classic = pattern("hotspot:1:0.1", 4).matrix()
    assert np.allclose(classic[0], [0, 0.3 + 0.1, 0.3, 0.3])
    assert np.allclose(classic[1], [0.3, 0.1, 0.3, 0.3])


def test_other_matrices():
    third = pattern("diagonal", 3).matrix() * 3
    assert np.allclose(third, [[2, 1, 0], [0, 2, 1], [1, 0, 2]])
    half = pattern("asymmetric", 4).matrix() * 2
    assert np.allclose(half, [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1]])
    log = pattern("logdiagonal", 3).matrix() * 7
    assert np.allclose(log, [[4, 2, 1], [1, 4, 2], [2, 1, 4]])
    unbalanced = pattern("unbalanced:0.4", 3).matrix()
    assert np.allclose(unbalanced, 0.4 * np.eye(3) + 0.2)
    background = pattern("background:0", 3).matrix()
    assert np.allclose(background, [[0, 0.5, 0.5], [0, 0, 1], [0, 1, 0]])


def test_a_node_without_anyone_to_send_to_has_no_traffic():
    made = pattern("background:0,1", 3)
    assert made.senders.tolist() == [0, 1]
    assert np.allclose(made.matrix(), [[0, 0, 1], [0, 0, 1], [0, 0, 0]])


def test_shares_of_many_nodes_do_not_vanish():
    assert np.allclose(pattern("logdiagonal", 2048).matrix().sum(axis=1), 1.0)


# What a user may write ---------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*RANDOM, *FIXED, "round_robin", "shift:3", "transpose:4"])
def test_name_is_the_text(text):
    assert pattern(f" {text} ", 16).name == text


def test_forms_name_all_patterns():
    names = {form.partition(":")[0].partition("[")[0] for form in PATTERN_FORMS}
    texts = [*RANDOM, *FIXED, "round_robin", "shift:3", "permutation:1,0"]
    assert names == {text.partition(":")[0] for text in texts}


@pytest.mark.parametrize(
    ("text", "nodes", "message"),
    [
        ("", 8, f"unknown pattern ''; allowed are {', '.join(PATTERN_FORMS)}"),
        ("Uniform", 8, f"unknown pattern 'Uniform'; allowed are {', '.join(PATTERN_FORMS)}"),
        ("bitcomp:3", 8, "'bitcomp:3' is not a pattern; allowed is bitcomp"),
        ("bitcomp:", 8, "'bitcomp:' is not a pattern; allowed is bitcomp"),
        ("uniform:", 8, "'uniform:' is not a pattern; allowed is uniform[:self]"),
        ("uniform:me", 8, "uniform: has 'me'; allowed is self"),
        ("shift", 8, "'shift' is not a pattern; allowed is shift:PLACES"),
        ("shift:1.5", 8, "places: is '1.5'; allowed are -2147483648 … 2147483648"),
        ("hotspot", 8, "'hotspot' is not a pattern; allowed is hotspot:NODE[=WEIGHT],…[:SHARE]"),
        ("hotspot:8", 8, "node: is '8'; allowed are 0 … 7"),
        ("hotspot:-1", 8, "node: is '-1'; allowed are 0 … 7"),
        ("hotspot:1,", 8, "node: is ''; allowed are 0 … 7"),
        ("hotspot:1:", 8, "share: is ''; allowed are 0 … 1"),
        ("hotspot:1:1.5", 8, "share: is '1.5'; allowed are 0 … 1"),
        ("hotspot:1:nan", 8, "share: is 'nan'; allowed are 0 … 1"),
        ("hotspot:1=x", 8, "weight: is 'x'; allowed are 0 … 1e+06"),
        ("hotspot:1=0", 8, "weights: allowed are numbers >= 0, not all of them 0"),
        ("transpose", 7, "transpose: 7 is prime; allowed are rows x columns nodes"),
        ("transpose:3", 8, "transpose: has 3 rows; allowed are divisors of 8"),
        ("tornado:2", 8, "tornado: every node would send to itself; allowed is a radix >= 3"),
        ("tornado:3", 8, "radix: is 3; allowed are those whose digits number 8 nodes"),
        ("neighbor:1", 8, "radix: is '1'; allowed are 2 … 8"),
        ("randperm:x", 8, "seed: is 'x'; allowed are 0 … 4294967295"),
        ("asymmetric", 7, "asymmetric: there are 7 nodes; allowed are even numbers"),
        ("unbalanced:2", 8, "share: is '2'; allowed are 0 … 1"),
        ("background:0,1", 2, "without: holds all nodes; allowed are fewer"),
        ("permutation:1,0", 3, "permutation: lists 2 nodes; allowed are 3"),
        ("permutation:1,1,0", 3, "permutation: holds 1 more than once; allowed is once"),
        ("permutation:-1,-1", 2, "permutation: holds only -1; allowed is at least one destination"),
        ("uniform", 1, "nodes: is 1; allowed are integers 2 … 1048576"),
        ("uniform", 2**20 + 1, "nodes: is 1048577; allowed are integers 2 … 1048576"),
    ],
)
def test_refused(text, nodes, message):
    with pytest.raises(ValueError) as caught:
        pattern(text, nodes)
    assert str(caught.value) == message


@pytest.mark.parametrize("radix", [1, 0, [], [4, 3], [0, 8], [-2, -4]])
def test_refused_radix(radix):
    with pytest.raises(ValueError, match=r"radix: is .*; allowed are"):
        pattern("neighbor", 8, radix=radix)


@pytest.mark.parametrize("wrong", [[0, 2], [-2, 0], [0.5, 1.0]])
def test_refused_permutation(wrong):
    with pytest.raises(ValueError, match=r"permutation: (holds|has) .*; allowed are"):
        permutation(wrong)


@pytest.mark.parametrize("wrong", [[4], [-1], [0, 1, 2, 3]])
def test_refused_exclusion(wrong):
    with pytest.raises(ValueError, match=r"without: holds .*; allowed are"):
        uniform(4, without=wrong)


def test_lists():
    words = ["hotspot:0=2,5:0.1", "permutation:1,-1,0", "round_robin", "burst:-,0.1,1", "uniform"]
    assert split_list(",".join(words)) == split_list(" , ".join(words)) == words


# Choices -----------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0, 10)), min_size=1, max_size=8))
def test_choice(pairs):
    values, weights = zip(*pairs, strict=True)
    if sum(weights) <= 1e-300:
        return
    made = Choice.of(values, weights)
    assert all(a < b for a, b in pairwise(made.values.tolist()))
    assert made.shares.sum() == pytest.approx(1.0)
    mean = sum(v * w for v, w in pairs) / sum(weights)
    assert made.mean == pytest.approx(mean)
    assert set(made.draw(np.random.default_rng(0), 50).tolist()) <= set(values)


@pytest.mark.parametrize("weights", [[0, 0], [1, -1], [1, np.nan], [1, np.inf]])
def test_refused_weights(weights):
    with pytest.raises(ValueError, match="weights: allowed are"):
        Choice.of([1, 2], weights)
