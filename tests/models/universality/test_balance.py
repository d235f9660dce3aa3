"""Theorem 8 and Corollary 9: equal halves, few strings, no more bandwidth than they promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.universality.balance import balance, in_order
from fattree_models.universality.cuts import Decomposition, cut
from fattree_models.universality.forests import forest
from fattree_models.universality.networks import NETWORKS, lopsided
from fattree_models.universality.simulation import corollary_9, theorem_8

SIZES = [64, 1024]


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("n", SIZES)
def test_theorem_8(name, n, record_property):
    tree = cut(NETWORKS[name](n))
    found = balance(tree, n)
    record_property("widths_over_theorem_8", theorem_8(tree, found))
    record_property("widths_over_corollary_9", corollary_9(tree, found))
    assert theorem_8(tree, found) <= 1
    assert corollary_9(tree, found) <= 1


def check(tree, found, n):
    """Equal halves of whole sets; forests by Lemma 7."""
    leaves = np.sort(found.leaf)
    assert (np.diff(leaves) > 0).all() and leaves[0] >= 0 and leaves[-1] < n
    for level, (strings, through) in enumerate(zip(found.strings, found.through, strict=True)):
        pieces = sorted((b, e) for row in strings.tolist() for b, e in (row[:2], row[2:]) if b < e)
        assert [b for b, _ in pieces] == [0, *(e for _, e in pieces[:-1])]
        assert pieces[-1][1] == 1 << tree.depth
        for number, row in enumerate(strings.tolist()):
            assert sum(row[1::2]) - sum(row[::2]) == 1 << (tree.depth - level)
            inside = [any(b <= x < e for b, e in (row[:2], row[2:])) for x in tree.leaf.tolist()]
            own = [int(leaf) >> (n.bit_length() - 1 - level) for leaf in found.leaf]
            assert [leaf == number for leaf in own] == inside
            trees = forest(*row[:2]) + forest(*row[2:])
            total = sum(int(tree.through[tree.depth - height][i]) for height, i in trees)
            assert total == through[number]


@pytest.mark.parametrize("name", ["mesh2d", "tree", "butterfly"])
def test_sets_are_halves(name):
    tree = cut(NETWORKS[name](64))
    check(tree, balance(tree, 64), 64)


@given(st.data(), st.integers(2, 4), st.integers(0, 3))
@settings(max_examples=60)
def test_any_decomposition_tree(data, h, spare):
    """Of any placement of processors and any bandwidths."""
    n, depth = 1 << h, h + spare
    boxes = st.lists(st.integers(0, (1 << depth) - 1), min_size=1, max_size=n, unique=True)
    leaf = np.array(data.draw(boxes), dtype=np.int64)
    through = [
        np.array(data.draw(st.lists(st.integers(0, 99), min_size=1 << i, max_size=1 << i)))
        for i in range(depth + 1)
    ]
    tree = Decomposition(1, depth, leaf, through)
    found = balance(tree, n)
    check(tree, found, n)
    assert theorem_8(tree, found) <= 1


@pytest.mark.parametrize("n", [4096, 16384])
def test_an_unbalanced_tree_breaks_the_bound(n, record_property):
    """Leaves in the order of the boxes: equally many processors, but unequal volumes."""
    tree = cut(lopsided(n))
    broken, kept = theorem_8(tree, in_order(tree, n)), theorem_8(tree, balance(tree, n))
    record_property("widths_over_theorem_8_unbalanced", broken)
    record_property("widths_over_theorem_8_balanced", kept)
    assert broken > 1 >= kept


def test_errors():
    tree = cut(NETWORKS["mesh3d"](64))
    with pytest.raises(ValueError, match=r"^processors: there are 64; allowed are 32"):
        balance(tree, 32)
    with pytest.raises(ValueError, match=r"^boxes: there are 2\^6; allowed are at least 128"):
        balance(tree, 128)
    with pytest.raises(ValueError, match=r"^processors: is 48; allowed are powers of two"):
        balance(tree, 48)
