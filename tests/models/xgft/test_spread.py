"""Hashes, prefixes and renumbered leaves, held against published or computed shares."""

import numpy as np
import pytest

from fattree_models.common.checks import Int64Array
from fattree_models.xgft import (
    Ecmp,
    Xgft,
    dmodk_tables,
    kary,
    legal,
    prefix_tables,
    rnca_tables,
    routes,
    table_routes,
    walk,
)
from fattree_models.xgft.spread import flow_hash

# Mean over the flows of random permutations of 1 / (most flows on a link of their way), from the
# specification, where choices were drawn at random.
SHARES = {
    Xgft((4, 4), (1, 4)): (0.738, 0.855),
    kary(4, 3): (0.515, 0.658),
    kary(4, 4): (0.411, 0.531),
    Xgft((8, 8), (1, 8)): (0.610, 0.751),
    Xgft((16, 16), (1, 16)): (0.545, 0.692),
    Xgft((32, 32), (1, 32)): (0.509, 0.663),
    Xgft((16, 8, 8), (1, 16, 8)): (0.417, 0.551),
    kary(8, 3): (0.426, 0.559),
}
TREES = (kary(2, 3), kary(4, 3))


def share(tree: Xgft, source: Int64Array, target: Int64Array, ports: Int64Array) -> float:
    """Mean over flows of 1 / the most flows on a link of their way."""
    way = walk(tree, source, ports)
    link = (way.level * tree.leaves**2 + way.node) * 1024 + ports
    link[ports < 0] = -1
    _, back, count = np.unique(link, return_inverse=True, return_counts=True)
    load = np.where(ports < 0, 0, count[back.reshape(link.shape)])
    return float(np.mean(1 / load.max(axis=1)))


def mean_share(tree: Xgft, rule: Ecmp | str, permutations: int) -> float:
    found = []
    for seed in range(permutations):
        target = np.random.default_rng(seed).permutation(tree.leaves)
        source = np.flatnonzero(target != np.arange(tree.leaves))
        ports = routes(tree, source, target[source], rule)  # type: ignore[arg-type]
        found.append(share(tree, source, target[source], ports.astype(np.int64)))
    return float(np.mean(found))


@pytest.mark.parametrize("tree", SHARES, ids=str)
def test_shares_of_random_permutations(tree: Xgft) -> None:
    many = 200 if tree.leaves < 100 else 20
    assert mean_share(tree, Ecmp(tree), many) == pytest.approx(SHARES[tree][0], rel=0.03)
    assert mean_share(tree, "DMODK", many) == pytest.approx(SHARES[tree][1], rel=0.03)


def test_a_common_salt_polarises() -> None:
    tree = kary(4, 3)
    source, target = np.divmod(np.arange(tree.leaves**2), tree.leaves)
    far = source // 16 != target // 16
    used = {}
    for own in (True, False):
        ports = routes(tree, source[far], target[far], Ecmp(tree, own))
        tops = walk(tree, source[far], ports).node[:, 2]
        used[own] = len(np.unique(tops))
        assert (ports[:, 0] == ports[:, 1]).all() != own  # both choices agree
    assert used == {True: 16, False: 4}


def test_hashes_are_even() -> None:
    """Of all pairs of 64 leaves: entries by the low bits, four and sixteen parents by the high."""
    pair = np.arange(64 * 64)
    for salt in range(200):
        hashes = flow_hash(pair // 64, pair % 64, pair * 0 + salt)
        for group, off in ((hashes & 15, 0.25), (hashes >> 30, 0.1), (hashes >> 28, 0.35)):
            count = np.bincount(group)
            assert abs(count / count.mean() - 1).max() < off


@pytest.mark.parametrize("tree", TREES, ids=str)
@pytest.mark.parametrize("seed", (0, 1, 7))
def test_renumbered_parents_serve_as_many_leaves_as_before(tree: Xgft, seed: int) -> None:
    made, plain = rnca_tables(tree, seed), dmodk_tables(tree)
    for one, other in zip(made.ports, plain.ports, strict=True):
        for row, before in zip(one, other, strict=True):
            assert sorted(row) == sorted(before)
    source, target = np.divmod(np.arange(tree.leaves**2), tree.leaves)
    assert legal(tree, source, target, table_routes(made, source, target)).all()


def test_seeds_differ() -> None:
    tree = kary(4, 3)
    ports = [rnca_tables(tree, seed).ports[1].tolist() for seed in range(5)]
    assert len({str(each) for each in ports}) == 5


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_suffixes_fan_out(tree: Xgft) -> None:
    """The leaves of one leaf switch are spread over all parents, at each switch of a level."""
    tables, k = prefix_tables(tree), tree.m[0]
    for level in range(1, tree.height):
        for ports in tables.ports[level]:
            for leaf in range(0, tree.leaves, k):
                up = ports[leaf : leaf + k]
                if (up >= k).all():
                    assert sorted(up - k) == list(range(k))


def test_too_many_leaves() -> None:
    with pytest.raises(ValueError, match="allowed are 65536"):
        Ecmp(kary(2, 17))
