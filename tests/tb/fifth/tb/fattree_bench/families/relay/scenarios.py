"""Tests of the relay."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.scenario import Registry, Stimulus, crowded

SCENARIOS = Registry()


@SCENARIOS.add()
def uniform(s: Stimulus) -> Iterator[SlotFrame]:
    """Every leaf sends to a random one, or to none."""
    dst = s.rng.integers(-1, s.network.leaves, (s.rows, s.network.leaves))
    yield SlotFrame(dst.astype(np.int32), "uniform")


@SCENARIOS.add()
def crowds(s: Stimulus) -> Iterator[SlotFrame]:
    """Some leaves are in demand."""
    leaves = s.network.leaves
    yield SlotFrame(crowded(s.rng, s.rows, leaves, leaves), "crowds")
