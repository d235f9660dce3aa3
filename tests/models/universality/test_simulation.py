"""Theorem 10 and what it stands on, measured over sizes; networks that are not universal."""

import math

import numpy as np
import pytest

from fattree_models.leiserson.capacity import height, universal
from fattree_models.leiserson.load import load_factor
from fattree_models.leiserson.online import run_online
from fattree_models.leiserson.serial_tree import SerialTree
from fattree_models.universality.boxes import sides
from fattree_models.universality.hosts import deliver
from fattree_models.universality.networks import NETWORKS, hypercube, mesh2d
from fattree_models.universality.simulation import Identified, simulate
from fattree_models.universality.slopes import slope
from fattree_models.universality.volume import least_volume, padded, root_capacity
from tests.models.universality.growth import LARGEST, record_growth, sizes


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("lg_largest", LARGEST)
def test_theorem_10(name, lg_largest, record, record_property):
    """Every edge carries a message each way; slopes are exponents of n with 95 % confidence.

    Next to it the same in a mesh of n processors, which is not universal.
    """
    of = sizes(lg_largest)
    found = [simulate(NETWORKS[name](n), n) for n in of]
    record(greatest_n=of[-1], connected=max(f.connected for f in found))
    record(load_over_wires=max(f.load for f in found), walk_over_wires=max(f.walk for f in found))
    record(least_hardware=min(f.hardware for f in found))
    record(greatest_hardware=max(f.hardware for f in found))
    record(routing=max(f.cycles / f.load_factor / height(f.n) for f in found))
    record(switching=max(f.ticks / f.cycles / height(f.n) for f in found))
    growth = {
        "ratio": [f.ratio for f in found],
        "array": [f.array for f in found],
        "cycles_over_load": [f.cycles / f.load_factor for f in found],
        "ticks": [f.ticks / f.time for f in found],
        "array_ticks": [f.array_steps / f.time for f in found],
    }
    most = {key: record_growth(record_property, key, of, own) for key, own in growth.items()}
    assert max(most["ratio"], most["cycles_over_load"]) < 0.2
    assert max(f.hardware for f in found) < 3 * min(f.hardware for f in found)
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
@pytest.mark.parametrize("lg_largest", LARGEST)
def test_theorem_10_on_line(name, lg_largest, record_property):
    """As off-line, without a schedule: what is not acknowledged is sent again in the next cycle.

    Delivery cycles / (t lg(n / v^(2/3)) lg n), less than the paper allows; and the steps of a mesh,
    which stores and forwards, and needs no schedule either.
    """
    of = sizes(lg_largest)
    cycles, ticks, array = [], [], []
    for n in of:
        one = Identified.of(NETWORKS[name](n), n)
        tree = SerialTree(tuple(one.capacities.tolist()))
        src, dst = one.edges()
        found = run_online(tree, queues(src, dst, tree.sources))
        assert found.finished
        by = one.layout.time * max(1.0, math.log2(n / one.volume ** (2 / 3))) * height(n)
        cycles.append(found.dst.shape[0] / by)
        ticks.append(found.dst.shape[0] * (tree.cycle_ticks - tree.data_bits) / one.layout.time)
        array.append(deliver("MESH", src, dst, n).steps / by)
    record_property("greatest_n", of[-1])
    record_growth(record_property, "online_ticks", of, ticks)
    record_growth(record_property, "array_online", of, array)
    assert record_growth(record_property, "online", of, cycles) < 0.2


def test_leaves_that_do_not_follow_the_layout_break_the_bound(record_property):
    """Processors at random leaves: more messages than wires."""
    n = 4096
    one = Identified.of(NETWORKS["mesh3d"](n), n)
    src, dst = one.edges()
    mixed = np.random.default_rng(1).permutation(n).astype(np.int32)
    share = one.load_share(mixed[src], mixed[dst], 1)
    record_property("mixed_over_wires", share)
    assert one.load_share(src, dst, 1) <= 1 < share
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


def test_volumes(record_property):
    """A planar mesh takes order n, and sqrt(n) wires between halves; a hypercube does not."""
    of = sizes(16)[::2]  # squares
    meshes = [float(mesh2d(n).side) ** 3 / n for n in of]
    halves = []
    for n in of:
        edges = mesh2d(n).edges
        side = math.isqrt(n)
        halves.append(int(((edges % side < side // 2).sum(axis=1) == 1).sum()))
    record_growth(record_property, "planar_volume", of, meshes)
    record_growth(record_property, "planar_bisection", of, halves)
    record_growth(record_property, "cubic_volume", of, [n**0.5 for n in of])
    assert halves == [math.isqrt(n) for n in of]
    assert all(v <= 8 for v in meshes)
    assert all(hypercube(n).side ** 3 == 8 * n**1.5 for n in of[:3])


@pytest.mark.parametrize("lg", range(6, 85, 6))
def test_a_root_by_volume(lg, record):
    """Section IV: w = Theta(v^(2/3) / lg(n / v^(2/3))) for the volume of Theorem 4.

    To be well defined, w >= n^(2/3), it needs n lg n volume and more, w <= n at most n^(3/2).
    """
    n = 2**lg
    roots = [n**power for power in (2 / 3, 3 / 4, 5 / 6, 11 / 12, 1)]
    areas = [w * max(1, math.log2(n / w)) for w in roots]
    own = [root_capacity(n, a**1.5) / w for w, a in zip(roots, areas, strict=True)]
    record(lg_n=lg, root_by_volume=max(own), greatest_by_n_sqrt_n=math.prod(sides(lg, lg)) / n**1.5)
    record(area_by_root=max(a / w for w, a in zip(roots, areas, strict=True)))
    record(least_by_n_lg_n=(least := least_volume(n)) / n / lg, least_by_n_lg_2_n=least / n / lg**2)


@pytest.mark.parametrize("lg", range(6, 85, 6))
def test_boxes_by_volume(lg, record):
    """A fat-tree's own box by its volume: five from the least to n^(3/2); and of a full tree."""
    n = 2**lg
    least = math.log2(least_volume(n))
    volumes = [2 ** (least + (1.5 * lg - least) * i / 4) for i in range(5)]
    own = [math.prod(sides(lg, math.log2(root_capacity(n, v)))) / v for v in volumes]
    full = math.prod(sides(lg, lg)) / volumes[0]
    record(lg_n=lg, box_by_volume=max(own), full_box_by_volume=full)


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
