"""Addresses as vectors against division of flat numbers, for every node of many trees."""

import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models.common.fat_tree import vectors
from fattree_models.xgft import Xgft, ftree_mn, kary
from tests.models.refused import refused
from tests.models.xgft.brute_xgft import FAMILIES, small_trees


def check(tree):
    leaves = np.arange(tree.leaves)
    code = vectors.encode(tree, leaves)
    assert (vectors.decode(tree, code) == leaves).all()
    assert len(set(code.tolist())) == tree.leaves
    assert (code >= 0).all() and (code < 1 << vectors.bits(tree)).all()
    assert (np.diff(code) > 0).all()  # fields are in the order of the digits' weights
    differences = 0
    for level in range(tree.height + 1):
        node = np.arange(tree.level_size(level))[:, None]
        flat = leaves // tree.subtree_leaves(level) == node // tree.w_span(level)
        differences += int((vectors.inside(tree, level, node, code) != flat).sum())
        if level:
            flat = leaves // tree.subtree_leaves(level - 1) % tree.m[level - 1]
            differences += int((vectors.field(tree, level, code) != flat).sum())
    return differences


@pytest.mark.parametrize("tree", [*FAMILIES, kary(4, 3), ftree_mn(12, 2)], ids=str)
def test_as_flat_numbers(tree):
    assert check(tree) == 0


@settings(max_examples=60)
@given(small_trees())
def test_as_flat_numbers_in_any_tree(tree):
    assert check(tree) == 0


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("mask", lambda tree, level: right["mask"](tree, max(level - 1, 0))),
        ("mask", lambda tree, level: right["mask"](tree, min(level + 1, tree.height))),
        ("field", lambda tree, level, code: right["field"](tree, 1, code)),
    ],
    ids=["a field too many", "a field too few", "the field of another level"],
)
def test_a_wrong_comparison_is_seen(monkeypatch, name, wrong):
    monkeypatch.setattr(vectors, name, wrong)
    with pytest.raises((AssertionError, ValueError)):
        assert check(Xgft((4, 3, 5), (1, 2, 2))) == 0


right = {name: getattr(vectors, name) for name in ("mask", "field")}


def test_widths():
    """Flat numbers take 6 bits for 60 leaves, fields 7; where m_i is a power of two, as many."""
    tree = Xgft((4, 3, 5), (1, 2, 2))
    assert vectors.widths(tree) == (2, 2, 3) and vectors.bits(tree) == 7
    assert vectors.widths(Xgft((1, 2, 8, 9), (1, 1, 1, 1))) == (0, 1, 3, 4)
    assert (vectors.encode(kary(4, 3), np.arange(64)) == np.arange(64)).all()


test_bad_arguments = refused(
    (lambda t: vectors.decode(t, 0b000_11_00), "digit 2: holds 3; allowed are 0 … 2"),
    (lambda t: vectors.decode(t, 128), "vector: holds 128; allowed are 0 … 127"),
    (lambda t: vectors.encode(t, 60), "index: holds 60"),
    (lambda t: vectors.field(t, 0, 0), "level: is 0; allowed are integers 1 … 3"),
    (lambda t: vectors.mask(t, 4), "level: is 4; allowed are integers 0 … 3"),
    (lambda t: vectors.prefix(t, 3, 4), "index: holds 4"),
    given=lambda: Xgft((4, 3, 5), (1, 2, 2)),
)
