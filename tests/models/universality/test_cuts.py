"""Theorem 5 and the boxes it is about, against counting wire by wire."""

import itertools
import math

import numpy as np
import pytest

from fattree_models.universality import boxes
from fattree_models.universality.cuts import cut, share_of_bound, surface
from fattree_models.universality.layout import Layout, Paths
from fattree_models.universality.networks import NETWORKS, random_matching

SIDES = (1, 2, 3, 5, 8, 48, 100, 512)
DEPTHS = range(31)


@pytest.mark.parametrize("side", SIDES)
def test_theorem_5(side, record_property):
    """The surface is at most 4 cbrt(4) (v / 2^i)^(2/3), and that much at cuts 1, 4, 7, …"""
    shares = [share_of_bound(side, i) for i in DEPTHS]
    record_property("cuts", len(shares))
    record_property("greatest_share", float(max(shares)))
    record_property("tight_cuts", sum(share == 1 for share in shares))
    record_property("third_cuts", len(DEPTHS[1::3]))
    assert max(shares) == 1
    assert [i for i, share in enumerate(shares) if share == 1] == list(DEPTHS[1::3])


@pytest.mark.parametrize("depth", range(7))
def test_surface_of_boxes(depth):
    """Boxes cut from a cube of side 4, by counting faces."""
    sides = [4 >> (depth + 2 - axis) // 3 for axis in range(3)]
    x, y, z = sides
    assert surface(4, depth) == 2 * (x * y + y * z + z * x)


def boxes_by_hand(layout, side, depth):
    """Conductors through the surface of every box, step by step."""

    def box(voxel):
        number, low, high = 0, [0.0] * 3, [float(side)] * 3
        for i in range(depth):
            axis = i % 3
            middle = (low[axis] + high[axis]) / 2
            upper = voxel[axis] + 0.5 >= middle
            (low if upper else high)[axis] = middle
            number = 2 * number + upper
        return number

    found = np.zeros(1 << depth, dtype=np.int64)
    for paths in (layout.wires, layout.buses):
        for path in range(len(paths)):
            voxels = [box(voxel) for voxel in Layout.voxels(paths, path)]
            for a, b in itertools.pairwise(voxels):
                if a != b:
                    found[a] += 1
                    found[b] += 1
    return found, [box(voxel) for voxel in layout.home.tolist()]


@pytest.mark.parametrize("name", NETWORKS)
def test_conductors_through_boxes(name):
    layout = NETWORKS[name](64)
    tree = cut(layout)
    for depth, through in enumerate(tree.through):
        expected, homes = boxes_by_hand(layout, tree.side, depth)
        np.testing.assert_array_equal(through, expected)
        assert (tree.leaf >> (tree.depth - depth)).tolist() == homes
    assert len(set(tree.leaf.tolist())) == layout.processors
    assert len(set((tree.leaf >> 1).tolist())) < layout.processors


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("n", [64, 1024])
def test_surfaces_carry_what_they_can(name, n, record_property):
    """In a cube of side 2^k no unit of surface has two conductors; else fewer than four."""
    layout = NETWORKS[name](n)
    side = 1 << (layout.side - 1).bit_length()
    record_property("conductors_a_unit_of_surface", (whole := cut(layout, side)).gamma)
    record_property("conductors_a_unit_of_surface_any_side", cut(layout).gamma)
    assert whole.gamma <= 1
    assert cut(layout).gamma < 4


def test_two_processors_in_a_voxel():
    home = np.zeros((2, 3), dtype=np.int32)
    layout = Layout(home, np.zeros((0, 2), dtype=np.int32), Paths.none(), Paths.none())
    with pytest.raises(ValueError, match=r"^layout: two processors are in one voxel"):
        cut(layout)
    with pytest.raises(ValueError, match=r"^layout: two processors are in one voxel"):
        layout.occupied()


@pytest.mark.parametrize("m", [64, 256, 1024, 4096])
@pytest.mark.parametrize("h", [1, 2, 4, 8])
def test_lemma_3(m, h, record_property):
    """Any matching of m components fits into a box of sides O(h sqrt m) and O(sqrt m / h)."""
    layout = random_matching(m, h)
    layout.occupied()
    *flat, tall = layout.dimensions
    record_property("components", m)
    record_property("flatness", h)
    record_property("longest_side", max(flat))
    record_property("height", tall)
    assert max(flat) <= boxes.SIDE * h * m**0.5
    assert tall <= boxes.HEIGHT * m**0.5 / h


@pytest.mark.parametrize("m", [64, 256, 1024])
def test_permutations_in_the_plane(m, record_property):
    """The proof of Lemma 3: any matching in O(m^2) area and few layers, or O(m^(3/2)) volume."""
    for name, h in (("flat", math.isqrt(m)), ("cubic", 1)):
        layout = random_matching(m, h)
        layout.occupied()
        *flat, tall = layout.dimensions
        record_property(f"{name}_height", tall)
        record_property(f"{name}_area", max(flat) ** 2 / m**2)
        record_property(f"{name}_volume_by_m", max(flat) ** 2 * tall / m**1.5)
