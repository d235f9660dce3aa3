"""Layouts: every voxel holds one conductor, every wire joins what it should, folding keeps both."""

import numpy as np
import pytest

from fattree_models.universality.folding import fold, folded
from fattree_models.universality.layout import Layout, Paths
from fattree_models.universality.networks import NETWORKS, lopsided, random_matching
from fattree_models.universality.routing import routed

EDGES = {
    "mesh2d": lambda n, h: 2 * n - (1 << h // 2) - (1 << (h + 1) // 2),
    "torus2d": lambda n, h: 2 * n,
    "tree": lambda n, h: n - 1,
    "hypercube": lambda n, h: n * h // 2,
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("n", [16, 64, 128, 1024])
def test_networks(name, n, record_property):
    layout = NETWORKS[name](n)
    layout.check_ends()
    x, y, z = layout.dimensions
    voxels = layout.occupied()
    record_property("voxels", voxels)
    assert layout.processors <= voxels <= x * y * z <= layout.side**3
    assert layout.processors == n or name == "butterfly"
    if name in EDGES:
        assert len(layout.wires) == EDGES[name](n, n.bit_length() - 1)
    assert layout.time in (1, layout.degree)
    neighbours = [set() for _ in range(layout.processors)]
    for a, b in layout.edges.tolist():
        assert a != b and b not in neighbours[a]
        neighbours[a].add(b)
        neighbours[b].add(a)
    reached, new = {0}, {0}
    while new := set().union(*(neighbours[v] for v in new)) - reached:
        reached |= new
    apart = 1 << max(2, (n.bit_length() - 1) // 3) if name == "clusters" else layout.processors
    assert len(reached) == apart


def test_what_the_networks_are():
    """The edges, by another definition."""
    cube = NETWORKS["hypercube"](64).edges
    assert set((cube[:, 0] ^ cube[:, 1]).tolist()) == {1 << k for k in range(6)}
    degrees = np.bincount(NETWORKS["torus2d"](64).edges.ravel())
    assert (degrees == 4).all()
    degrees = np.bincount(NETWORKS["butterfly"](64).edges.ravel())
    assert (degrees == 4).all()
    assert (np.abs(np.diff(NETWORKS["mesh3d"](64).edges)) % 4 <= 1).all()
    for one, other in NETWORKS["tree"](64).edges.tolist():
        assert one // 2 == other


@pytest.mark.parametrize("axes", [(0, 1), (0, 2), (1, 2), (2, 1)])
@pytest.mark.parametrize("name", ["hypercube", "butterfly", "tree"])
def test_folding_keeps_a_layout(name, axes):
    flat = NETWORKS[name](64)
    once = fold(flat, *axes)
    once.check_ends()
    once.occupied()
    twice = fold(once, *reversed(axes))
    twice.check_ends()
    twice.occupied()
    assert folded(flat).side <= flat.side


@pytest.mark.parametrize("layout", [random_matching(64), lopsided(256)], ids=["random", "lopsided"])
def test_any_network_is_routed(layout):
    layout.check_ends()
    layout.occupied()


def test_more_layers_are_made_when_they_run_out():
    n = 16
    pairs = np.array([(a, b) for a in range(n) for b in range(a)] * 3)
    layout = routed(np.arange(n), np.zeros(n, dtype=int), pairs)
    layout.occupied()
    layout.check_ends()


def crossing() -> Layout:
    home = np.array([[0, 1, 0], [2, 1, 0], [1, 0, 0], [1, 2, 0]], dtype=np.int32)
    edges = np.array([[0, 1], [2, 3]], dtype=np.int32)
    return Layout(home, edges, Paths.straight(home[edges]), Paths.none())


def test_wires_that_cross_are_seen():
    with pytest.raises(ValueError, match=r"^layout: wire 1 runs through a voxel in use"):
        crossing().occupied()


def test_wires_to_the_wrong_place_are_seen():
    good = crossing()
    swapped = Layout(good.home, good.edges[::-1], good.wires, good.buses)
    with pytest.raises(ValueError, match=r"^layout: wire 0 does not join 2 and 3"):
        swapped.check_ends()
    home = good.home.copy()
    home[1] = [2, 2, 0]
    with pytest.raises(ValueError, match=r"^layout: wire 0 runs through a voxel in use"):
        Layout(home, good.edges, good.wires, good.buses).occupied()
