"""Steps, wires and volume of other hosts, and hardware for finite elements (Leiserson 1985, I)."""

import math

import networkx
import numpy as np
import pytest

from fattree_models.leiserson.capacity import height
from fattree_models.universality.elements import times, volumes
from fattree_models.universality.hosts import HOSTS, deliver
from fattree_models.universality.networks import NETWORKS
from fattree_models.universality.simulation import Identified
from fattree_models.universality.slopes import slope
from tests.models.universality.growth import record_growth, sizes


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


@pytest.mark.parametrize("name", sorted({*NETWORKS} - {"clusters"}))  # they are not connected
def test_volume_that_is_needed(name, record_property):
    """Section I: halves of a hypercube and its kin are joined by n / lg n wires and more.

    A cube of volume v has a plane, with a step in it, of area v^(2/3) between halves.
    """
    of = [16, 32, 64, 128, 256]
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
