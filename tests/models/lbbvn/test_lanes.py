"""Who is on which lane: as many as the model counts, in the order that the RTL keeps."""

import numpy as np
import pytest

from fattree_models import lbbvn


def counted(lanes: dict[int, np.ndarray], leaves: int) -> np.ndarray:
    """Lanes in use by heap index."""
    used = np.zeros((len(next(iter(lanes.values()))), 2 * leaves), np.int32)
    for level, grid in lanes.items():
        used[:, 1 << level : 2 << level] = (grid >= 0).sum(axis=2)
    return used


@pytest.mark.parametrize(
    ("static", "n"),
    [*((False, n) for n in (1, 2, 3, 4, 5)), *((True, n) for n in (2, 3, 4, 5))],  # n = 1: no half
)
def test_lanes_are_those_in_use(static, n):
    rng = np.random.default_rng(n)
    leaves, c = 1 << n, lbbvn.lower_bound(n)
    dst = rng.integers(-1, leaves, (40, leaves)).astype(np.int32)
    outcome = lbbvn.predict(dst, c, static)
    lanes = lbbvn.occupied(dst, outcome, c, static)
    for found, used in ((lanes.up, outcome.used_up), (lanes.down, outcome.used_down)):
        assert np.array_equal(counted(found, leaves), used)
    last = lanes.down[n][:, :, 0]
    loops = np.where(outcome.arrived == np.arange(leaves), -1, outcome.arrived)
    assert np.array_equal(last, loops)


@pytest.mark.parametrize("static", [False, True])
def test_a_schedule_leads_over_as_many_lanes(static):
    frame, c = lbbvn.bit_reverse_shifts(4), lbbvn.lower_bound(4)
    settings = lbbvn.compile_settings(frame, c, static)
    led = lbbvn.scheduled(settings, frame >= 0)
    free = lbbvn.occupied(frame, lbbvn.predict(frame, c, static), c, static)
    for one, other in zip(led, free, strict=True):
        assert np.array_equal(counted(one, 16), counted(other, 16))
