"""Theorem 10 and what it stands on, measured over sizes; networks that are not universal."""

import math

import networkx
import numpy as np
import pytest

from fattree_models.leiserson.capacity import height, least_root, universal
from fattree_models.leiserson.load import level_loads, load_factor
from fattree_models.leiserson.online import run_online
from fattree_models.leiserson.serial_tree import SerialTree
from fattree_models.universality.boxes import sides
from fattree_models.universality.elements import times, volumes
from fattree_models.universality.hosts import HOSTS, deliver
from fattree_models.universality.networks import NETWORKS, clusters, hypercube, mesh2d
from fattree_models.universality.simulation import Identified, simulate
from fattree_models.universality.slopes import slope
from fattree_models.universality.volume import least_volume, padded, root_capacity

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
def test_theorem_10(name, lg_largest, record, record_property):
    """Every edge carries a message each way; slopes are exponents of n with 95 % confidence.

    Next to it the same in a mesh of n processors, which is not universal, and a tree with a wire at
    the root for every processor, which has not this volume.
    """
    of = sizes(lg_largest)
    found = [simulate(NETWORKS[name](n), n) for n in of]
    full = [math.prod(sides(height(f.n), height(f.n))) / f.volume for f in found]
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
        "hardware": [f.hardware for f in found],
        "full_hardware": full,
    }
    most = {key: record_growth(record_property, key, of, own) for key, own in growth.items()}
    assert max(most["ratio"], most["cycles_over_load"]) < 0.2
    assert max(f.hardware for f in found) < 3 * min(f.hardware for f in found)
    assert max(f.connected for f in found) <= 8
    assert max(f.load for f in found) <= 1 and max(f.walk for f in found) <= 1
    assert all(f.theorem_5 <= 1 >= f.theorem_8 and f.corollary_9 <= 1 for f in found)
    assert all(f.root >= f.n ** (2 / 3) - 1e-6 and f.volume <= f.n**1.5 for f in found)


def steady(n, growth, wires):
    """Capacities that grow by the same factor a level, with as many wires in all."""
    shape = growth ** np.arange(height(n), -1, -1)
    scale = wires / (shape * 2.0 ** np.arange(height(n) + 1)).sum()
    return np.ceil(scale * shape)


@pytest.mark.parametrize("name", ["mesh3d", "torus2d", "clusters", "hypercube"])
@pytest.mark.parametrize("lg_largest", LARGEST)
def test_capacities_are_robust(name, lg_largest, record_property):
    """Section VII: load factors with every level a third thicker or thinner at random, 20 times.

    As controls, as many wires that grow by sqrt(2) a level, or not at all.
    """
    rng = np.random.default_rng(5)
    of = sizes(lg_largest)
    found = {"robust": [], "root_2": [], "flat": []}
    for n in of:
        one = Identified.of(NETWORKS[name](n), n)
        loads = np.maximum(*level_loads(*one.edges(), n))[1:]
        cap = one.capacities
        wires = (cap << np.arange(cap.size)).sum()
        others = [np.ceil(cap * rng.uniform(2 / 3, 4 / 3, cap.size)) for _ in range(20)]
        trees = {"robust": others, "root_2": [steady(n, 2**0.5, wires)]}
        trees["flat"] = [steady(n, 1.0, wires)]
        usual = (loads / cap[1:]).max()
        for key, some in trees.items():
            found[key].append(max(float((loads / c[1:]).max() / usual) for c in some))
    most = {key: record_growth(record_property, key, of, own) for key, own in found.items()}
    record_property("robust_most", max(found["robust"]))
    record_property("greatest_n", of[-1])
    assert most["robust"] < 0.2 and max(found["robust"]) <= 1.5


@pytest.mark.parametrize("low", [0, 2, 4, 6, 8, 14])
def test_the_range_of_volumes(low, record_property):
    """Section VII: 2^14 processors from a mesh to a hypercube, by hypercubes of 2^low."""
    n = 1 << 14
    one = Identified.of(clusters(n, low) if low else NETWORKS["mesh3d"](n), n)
    loads = np.maximum(*level_loads(*one.edges(), n))[1:]
    by = one.layout.time * max(1.0, math.log2(n / one.volume ** (2 / 3)))
    record_property("lg_volume", math.log2(one.volume))
    for name, cap in (("range", one.capacities), ("least_root", universal(n, least_root(n)))):
        record_property(f"{name}_ratio", (loads / cap[1:]).max() / by)


@pytest.mark.parametrize("name", ["mesh2d", "mesh3d", "torus2d"])
@pytest.mark.parametrize("lg_largest", LARGEST)
def test_a_root_of_less_than_the_least(name, lg_largest, record_property):
    """Section IV, remark: without n^(2/3) <= w there are trees of volume n, as universal.

    For networks of order n volume.  lambda / (t lg n), which is the bound's logarithm for v = n.
    """
    of, ratios = sizes(lg_largest), []
    for n in of:
        one = Identified.of(NETWORKS[name](n), n)
        loads = np.maximum(*level_loads(*one.edges(), n))[1:]
        root, k = root_capacity(n, n), np.arange(1, height(n) + 1)
        cap = np.minimum(n / 2.0**k, np.ceil(root / 4 ** (k / 3)))
        ratios.append((loads / cap).max() / max(1, math.log2(n) / 3))
        assert root < n ** (2 / 3)
    name = "thin_ratio" if lg_largest == 16 else "thin_ratio_to_4096"  # still settling there
    record_growth(record_property, name, of, ratios)


@pytest.mark.parametrize("lg", range(6, 85, 6))
def test_volume_of_a_root_of_less_than_the_least(lg, record):
    """Its box is of order n; with n^(2/3) wires at the root it is not."""
    least, less = 2 * lg / 3, math.log2(max(1, lg / 3))
    thin, thick = (math.prod(sides(lg, root, 32)) / 2**lg for root in (least - less, least))
    record(lg_n=lg, thin_volume=thin, least_root_volume=thick)


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


@pytest.mark.parametrize("host", HOSTS)
def test_hosts(host, record_property):
    """What networks of order n^(3/2) volume do in a step, by arrays, a tree and a hypercube.

    Arrays and the tree keep halves together; the hypercube's processors are identified at random.
    Steps by lg n, the worst of three networks.
    """
    of, worst = sizes(12), []
    for n in of:
        found = []
        for name in ("hypercube", "butterfly", "shuffle_exchange"):
            one = Identified.of(NETWORKS[name](n), n)
            place = np.arange(n, dtype=np.int32)
            if host == "CUBE":
                place = np.random.default_rng(n).permutation(n).astype(np.int32)
            found.append(deliver(host, *(place[end] for end in one.edges()), n).steps)
            found[-1] /= one.layout.time * height(n)
        worst.append(max(found))
    name = "cube_slowdown" if host == "CUBE" else "array_slowdown"
    most = record_growth(record_property, name, of, worst)
    assert (most < 0.2) == (host == "CUBE")


def needed(layout, n):
    """Wires between any two halves, at least: all pairs spread over their shortest ways."""
    graph = networkx.Graph(layout.edges.tolist())
    busiest = max(networkx.edge_betweenness_centrality(graph, normalized=False).values())
    return n * n / 4 / busiest


@pytest.mark.parametrize("name", NETWORKS)
def test_volume_that_is_needed(name, record_property):
    """Section I: halves of a hypercube and its kin are joined by n / lg n wires and more.

    A cube of volume v has a plane, with a step in it, of area v^(2/3) between halves.
    """
    of = [16, 32, 64, 128, 256]
    if name == "clusters":  # is not connected
        pytest.skip("has halves with no wire between them")
    layouts = [NETWORKS[name](n) for n in of]
    if name == "butterfly":  # has 24, 64, 160, 384 processors
        layouts = [NETWORKS[name](n) for n in (32, 64, 256, 512)]
    halves = [needed(one, one.processors) for one in layouts]
    if name == "hypercube":
        assert halves == pytest.approx([n / 2 for n in of])
    kind = "cubic" if name in ("hypercube", "butterfly", "shuffle_exchange") else "other"
    own = [one.processors for one in layouts]
    found = slope(own, [h * math.log2(p) / p for h, p in zip(halves, own, strict=True)])
    record_property(f"{kind}_halves", found.low)
    record_property(f"{kind}_volume_needed", slope(own, [h**1.5 for h in halves]).mean)


@pytest.mark.parametrize("lg", [*range(6, 17, 2), 24, 32])
def test_hardware_for_finite_elements(lg, record_property):
    """Abstract, Section I: boxes by the same constants; the fat-tree has n^(2/3) wires at the root.

    One with n wires there, as many as a hypercube has between halves, is the control.
    """
    found = volumes(lg)
    record_property("lg_n", lg)
    for name in ("fat_tree", "full_tree", "mesh"):
        record_property(f"{name}_by_hypercube", found[name] / found["hypercube"])


@pytest.mark.parametrize("lg_largest", [10, pytest.param(14, marks=pytest.mark.nightly)])
def test_time_for_finite_elements(lg_largest, record_property):
    """Delivery cycles grow as no power of n in the fat-tree; steps in a mesh, if others ask, do."""
    of = sizes(lg_largest)
    found = [times(n) for n in of]
    assert (
        record_growth(record_property, "elements_cycles", of, [f["fat_tree"] for f in found]) < 0.2
    )
    record_growth(record_property, "mesh_elements_steps", of, [f["mesh"] for f in found])


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
