"""Fat-trees of other capacities, roots and volumes (Leiserson 1985, Sections IV and VII)."""

import math

import numpy as np
import pytest

from fattree_models.leiserson.capacity import height, least_root, universal
from fattree_models.leiserson.load import level_loads
from fattree_models.universality.boxes import sides
from fattree_models.universality.networks import NETWORKS, clusters
from fattree_models.universality.simulation import Identified
from fattree_models.universality.volume import root_capacity
from tests.models.universality.growth import LARGEST, record_growth, sizes


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
