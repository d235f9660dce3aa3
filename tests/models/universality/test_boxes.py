"""Theorem 4's cube, put together by halves: figures for its claim, and what its boxes hold."""

import math

import pytest

from fattree_models.leiserson.capacity import least_root, universal
from fattree_models.universality.boxes import A_WIRE, sides

ROOTS = (2 / 3, 3 / 4, 5 / 6, 11 / 12, 1)  # lg w / lg n


@pytest.mark.parametrize("lg", range(6, 85, 3))
def test_theorem_4(lg, record_property):
    """The worst of five roots; with h = 1 in all slabs it varies, so it is not asserted."""
    found = {"lg_n": lg}
    for name, flattest in (("cube", 8), ("cube_of_cubic_nodes", 1)):
        volumes = [max(sides(lg, lg * root, flattest)) ** 3 for root in ROOTS]
        bounds = [(2 ** (lg * root) * max(1, lg * (1 - root))) ** 1.5 for root in ROOTS]
        found[name] = max(v / bound for v, bound in zip(volumes, bounds, strict=True))
    for name, value in found.items():
        record_property(name, float(value))
    assert found["cube"] <= found["cube_of_cubic_nodes"]


@pytest.mark.parametrize("lg", range(1, 21))
def test_boxes_hold_all_components(lg):
    """Counted by exact capacities; a box is at least as large as its tree without slabs."""
    for w in (least_root(1 << lg), 1 << lg):
        cap = [int(c) for c in universal(1 << lg, w)]
        components = [A_WIRE * 2 * (cap[k] + 2 * cap[k + 1]) << k for k in range(lg)]
        assert math.prod(sides(lg, math.log2(w))) >= sum(components) + (1 << lg)
