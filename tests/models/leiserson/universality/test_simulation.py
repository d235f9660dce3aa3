"""Theorem 10 and what it stands on, measured over sizes; networks that are not universal."""

import math

import numpy as np
import pytest

from fattree_models.leiserson.capacity import universal
from fattree_models.leiserson.load import load_factor
from fattree_models.leiserson.online import run_online
from fattree_models.leiserson.serial_tree import SerialTree
from fattree_models.leiserson.universality.networks import NETWORKS, hypercube, mesh2d
from fattree_models.leiserson.universality.simulation import Identified, simulate
from fattree_models.leiserson.universality.slopes import slope
from fattree_models.leiserson.universality.volume import least_volume, padded, root_capacity
from tests.models.leiserson.universality.arrays import ARRAYS

LARGEST = [12, pytest.param(16, marks=pytest.mark.nightly)]


def sizes(lg_largest):
    return [1 << h for h in range(6, lg_largest + 1)]


def record_growth(record, name, of, values):
    mean, half = slope(of, values)
    record(f"{name}_growth", mean)
    record(f"{name}_growth_half", half)
    return mean + half


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("lg_largest", LARGEST)
def test_theorem_10(name, lg_largest, record_property):
    """Every edge carries a message each way; slopes are exponents of n with 95 % confidence."""
    of = sizes(lg_largest)
    found = [simulate(NETWORKS[name](n), n) for n in of]
    record_property("greatest_n", of[-1])
    record_property("load_over_wires", max(f.load for f in found))
    record_property("walk_over_wires", max(f.walk for f in found))
    record_property("connected", max(f.connected for f in found))
    assert record_growth(record_property, "ratio", of, [f.ratio for f in found]) < 0.2
    assert record_growth(record_property, "slowdown", of, [f.slowdown for f in found]) < 0.2
    assert max(f.connected for f in found) <= 8
    assert max(f.load for f in found) <= 1 and max(f.walk for f in found) <= 1
    assert all(f.theorem_5 <= 1 >= f.theorem_8 and f.corollary_9 <= 1 for f in found)
    assert all(f.root >= f.n ** (2 / 3) - 1e-6 and f.volume <= f.n**1.5 for f in found)


def queues(src, dst, sources):
    """The messages of each source one after the other."""
    order = np.argsort(src, kind="stable")
    src, dst = src[order], dst[order]
    row = np.arange(src.size) - np.searchsorted(src, src)
    made = np.full((row.max() + 1, sources), -1, dtype=np.int32)
    made[row, src] = dst
    return made


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("lg_largest", [13, pytest.param(16, marks=pytest.mark.nightly)])
def test_theorem_10_on_line(name, lg_largest, record_property):
    """As off-line, without a schedule: what is not acknowledged is sent again in the next cycle."""
    of = sizes(lg_largest)
    shares = []
    for n in of:
        one = Identified.of(NETWORKS[name](n), n)
        tree = SerialTree(tuple(one.capacities.tolist()))
        found = run_online(tree, queues(*one.edges(), tree.sources))
        assert found.finished
        ticks = found.dst.shape[0] * (tree.cycle_ticks - tree.data_bits)
        shares.append(ticks / one.layout.time / (tree.h**3 * math.log2(tree.h)))
    record_property("greatest_n", of[-1])
    assert record_growth(record_property, "online_slowdown", of, shares) < 0.2


def test_leaves_that_do_not_follow_the_layout_break_the_bound(record_property):
    """Processors at random leaves: more messages than wires."""
    n = 4096
    one = Identified.of(NETWORKS["mesh3d"](n), n)
    src, dst = one.edges()
    mixed = np.random.default_rng(1).permutation(n).astype(np.int32)
    assert one.load_share(src, dst, 1) <= 1 < one.load_share(mixed[src], mixed[dst], 1)
    assert load_factor(mixed[src], mixed[dst], one.capacities) > 2 * load_factor(
        src, dst, one.capacities
    )


def test_walks_are_messages_that_the_network_delivers():
    one = Identified.of(NETWORKS["mesh2d"](16), 16)
    leaf = one.balanced.leaf
    distance = np.full((16, 16), 99)
    distance[np.arange(16), np.arange(16)] = 0
    for a, b in leaf[one.layout.edges].tolist():
        distance[a, b] = distance[b, a] = 1
    for k in range(16):
        distance = np.minimum(distance, distance[:, k : k + 1] + distance[k])
    src, dst = one.walks(1, seed=3)
    assert src.size == 2 * len(one.layout.wires) and (distance[src, dst] == 1).all()
    src, dst = one.walks(3, seed=3)
    assert (distance[src, dst] <= 3).all() and distance[src, dst].max() == 3


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("lg_largest", LARGEST)
def test_arrays_are_not_universal(array, lg_largest, record_property):
    """An array of as many nodes as a hypercube has volume needs polynomial time for its step."""
    of = sizes(lg_largest)[::2]  # squares
    steps = [n / 2 / ARRAYS[array](float(hypercube(n).side) ** 3) for n in of]
    growth = record_growth(record_property, "array_steps", of, steps)
    record_property("array_steps_most", steps[-1])
    assert growth > 0.2


def test_volumes(record_property):
    """The hypercube takes order n^(3/2), a planar mesh order n and sqrt(n) wires between halves."""
    of = sizes(16)[::2]  # squares
    cubes = [float(hypercube(n).side) ** 3 for n in of]
    meshes = [float(mesh2d(n).side) ** 3 for n in of]
    halves = []
    for n in of:
        edges = mesh2d(n).edges
        side = math.isqrt(n)
        halves.append(int(((edges % side < side // 2).sum(axis=1) == 1).sum()))
    record_growth(record_property, "hypercube_volume", of, cubes)
    record_growth(record_property, "planar_volume", of, meshes)
    record_growth(record_property, "planar_bisection", of, halves)
    over = [a / b for a, b in zip(cubes, meshes, strict=True)]
    record_growth(record_property, "volume_over_planar", of, over)
    assert halves == [math.isqrt(n) for n in of]
    assert all(v == 8 * n**1.5 for v, n in zip(cubes, of, strict=True))
    assert all(v <= 8 * n for v, n in zip(meshes, of, strict=True))


@pytest.mark.parametrize("lg", [16, 32, 64, 128, 256])
def test_a_root_by_volume(lg, record_property):
    """Section IV says of volume n lg n that it makes a universal fat-tree: its root gets too thin.

    In logarithms: v^(2/3) / lg(n / v^(2/3)) wires, n^(2/3) at least; below it from 2^64 on.  With
    n lg^(3/2) n it does not.
    """
    roots = []
    for power in (1, 1.5):
        area = 2 / 3 * (lg + power * math.log2(lg))
        roots.append(area - math.log2(max(1, lg - area)))
        if lg <= 20:
            n = 1 << lg
            assert math.log2(root_capacity(n, n * lg**power)) == pytest.approx(roots[-1], abs=1e-6)
    least = 2 / 3 * lg
    record_property("lg_n", lg)
    record_property("lg_root_by_volume", roots[0])
    record_property("lg_root_by_more", roots[1])
    record_property("lg_root_least", least)
    assert (roots[0] < least) == (lg >= 64) and roots[1] >= least


@pytest.mark.parametrize("h", range(4, 17))
def test_least_volume(h):
    """The volume is padded so that w is n^(2/3), and no more."""
    n = 1 << h
    v = least_volume(n)
    assert root_capacity(n, v) == pytest.approx(n ** (2 / 3), abs=1e-5)
    assert root_capacity(n, v * 0.99) < n ** (2 / 3)
    assert padded(n, 1.0) == v <= padded(n, 1e99) == n**1.5
    assert universal(n, math.ceil(root_capacity(n, v) - 1e-5))[0] >= n ** (2 / 3) - 1e-5


def test_slopes():
    """A slope's interval holds the exponent; too few sizes say nothing."""
    noisy = [n**0.25 * (1.1 if i % 2 else 1) for i, n in enumerate(sizes(16))]
    found = slope(sizes(16), noisy)
    assert found.low < 0.25 < found.high and found.half > 0
    for count in (2, 15):
        with pytest.raises(ValueError, match=rf"^sizes: there are {count}; allowed are 3 … 14"):
            slope([2.0] * count, [1.0] * count)
