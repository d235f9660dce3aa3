"""Sizes of networks, and how what was measured grows over them."""

import pytest

from fattree_models.universality.slopes import slope

LARGEST = [12, pytest.param(16, marks=pytest.mark.nightly)]


def sizes(lg_largest):
    return [1 << h for h in range(6, lg_largest + 1)]


def record_growth(record, name, of, values):
    mean, half = slope(of, values)
    record(f"{name}_growth", mean)
    record(f"{name}_growth_half", half)
    return mean + half
