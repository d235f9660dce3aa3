"""The tree against walks from node to parent, and what the models show."""

import pkgutil
from importlib import import_module

import numpy as np
import pytest

import fattree_models
from fattree_models import lbbvn
from fattree_models.common.tree import DOWN, UP, FatTree, bit_lengths
from tests.models.refused import refused

PACKAGE = fattree_models.__path__, "fattree_models."
PARTS = (import_module(m.name) for m in pkgutil.walk_packages(*PACKAGE))
FACES = [part for part in PARTS if hasattr(part, "__all__")]


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_public_names(face):
    assert all(hasattr(face, name) for name in face.__all__)
    assert len(face.__all__) == len(set(face.__all__))


def ancestors(n, leaf):
    """Heap indices from a leaf to the root."""
    node, chain = 2**n + leaf, []
    while node:
        chain.append(node)
        node //= 2
    return chain


@pytest.mark.parametrize("n", range(1, 7))
def test_subtrees_and_ancestors(n):
    tree = FatTree(n)
    assert (tree.leaves, tree.levels) == (2**n, n + 1)
    for j in range(n + 1):
        for k in range(2**j):
            first, last = tree.subtree_leaves(j, k)
            inside = [x for x in range(2**n) if 2**j + k in ancestors(n, x)]
            assert inside == list(range(first, last + 1))
            assert tree.heap_index(j, k) == 2**j + k
    x = np.arange(2**n)
    level = tree.lca_level(x[:, None], x)
    for src in range(2**n):
        for dst in range(2**n):
            shared = max(set(ancestors(n, src)) & set(ancestors(n, dst)))
            assert level[src, dst] == shared.bit_length() - 1


@pytest.mark.parametrize("n", range(1, 6))
def test_paths(n):
    tree = FatTree(n)
    for src in range(2**n):
        for dst in range(2**n):
            up, down = ancestors(n, src), ancestors(n, dst)
            climb = [v for v in up if v not in down]
            descent = [v for v in reversed(down) if v not in up]
            rows = [(v.bit_length() - 1, UP, v) for v in climb]
            rows += [(v.bit_length() - 1, DOWN, v) for v in descent]
            expected = [[j, v - 2**j, direction] for j, direction, v in rows]
            assert tree.path(src, dst).tolist() == expected
            assert tree.path(src, dst).shape == (len(expected), 3)


@pytest.mark.parametrize("n", [1, 4, 20])
def test_arrays_over_channels(n):
    tree = FatTree(n)
    assert bit_lengths(n).tolist() == [i.bit_length() for i in range(2**n)]
    levels = tree.channel_levels()
    assert levels.shape == (2 * tree.leaves,)
    heap = np.unique(np.random.default_rng(0).integers(1, 2 * tree.leaves, 1000))
    assert levels[heap].tolist() == [int(v).bit_length() - 1 for v in heap]
    c = lbbvn.lower_bound(n)
    assert tree.channel_lanes(c)[heap].tolist() == c[levels[heap]].tolist()
    assert tree.channel_lanes(c)[:2].tolist() == [0, 0]


def test_mixed_integer_types():
    for dtype in (np.uint8, np.uint64, np.int16, np.int32):
        src = np.array([1, 2], dtype=dtype)
        assert FatTree(2).lca_level(src, np.array([0, 0], dtype=np.int64)).tolist() == [1, 0]


def test_the_table_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        bit_lengths(3)[0] = 1


test_errors = refused(
    (lambda: FatTree(0), "n: is 0; allowed are integers 1 … 20$"),
    (lambda: FatTree(21), "n: is 21; allowed are integers 1 … 20$"),
    (lambda: FatTree(3).heap_index(4, 0), "level: is 4; allowed are integers 0 … 3$"),
    (
        lambda: FatTree(3).subtree_leaves(2, 4),
        "index at level 2: is 4; allowed are integers 0 … 3$",
    ),
    (lambda: FatTree(3).lca_level(0, 8), "dst: holds 8; allowed are 0 … 7$"),
    (lambda: FatTree(3).lca_level([-1], 0), "src: holds -1; allowed are 0 … 7$"),
    (lambda: FatTree(3).path(0, 9), "dst: is 9; allowed are integers 0 … 7$"),
    (lambda: FatTree(3).channel_lanes([0, 1]), r"c: has shape \(2,\); allowed is \(4,\)$"),
)
