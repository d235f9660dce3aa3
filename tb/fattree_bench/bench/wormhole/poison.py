"""Poison, which ends packets that are cut short: how to see it, and how to look past it."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_models.common.checks import BoolArray


def poison(side: npt.NDArray[np.integer]) -> BoolArray:
    """Which sides are of poison: no heads, but with a list of hops, which no other body has."""
    return np.asarray(((side & side.dtype.type(2)) == 0) & (side >> side.dtype.type(6) != 0))


def without(captured: FlitCaptured) -> FlitCaptured:
    """The same burst without poison."""
    ends = poison(captured.side)
    if not ends.any():
        return captured
    kept = captured.side.copy()
    kept[ends] = 0
    return replace(captured, side=kept)
