"""CONFIRM=1: points of the model near saturation are measured in RTL as well and must be equal."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fattree_models.traffic import Measurement, saturation_load

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Confirmation:
    """A point to be measured in RTL.

    Attributes
    ----------
    curve, seed, load : which point.
    differs : how RTL differs from the model; empty: they are equal.
    """

    curve: str
    seed: int
    load: float
    differs: str = ""

    @property
    def told(self) -> str:
        return f"{self.curve} seed {self.seed}, load {self.load:g}: {self.differs}"


def bracket(run: Mapping[float, Measurement]) -> tuple[float, ...]:
    """The loads between which a run saturates; the last load if it does not."""
    if not run:
        return ()
    loads = sorted(run)
    below, above, _ = saturation_load(loads, [run[load] for load in loads])
    return tuple(load for load in (below, above) if load > 0 and not np.isnan(load))


def difference(model: Figures, rtl: Figures | None) -> str:
    """How the figures of a point differ; empty: they are equal."""
    if rtl is None:
        return "not measured in RTL"
    names = dict.fromkeys([*model, *rtl])
    # As text, because NaN is not equal to itself.
    one, two = ({k: json.dumps(x.get(k)) for k in names} for x in (model, rtl))
    first, *more = [k for k in names if one[k] != two[k]] or [""]
    others = f"; {len(more)} more differ" if more else ""
    return f"{first} is {two[first]} in RTL, {one[first]} in the model{others}" if first else ""


def compared(
    curve: str, seed: int, loads: Iterable[float], model: Sequence[Figures], rtl: Sequence[Figures]
) -> list[Confirmation]:
    """(load, figures of the model, figures of RTL) as far as both exist."""
    by_load = [{line["load"]: line for line in lines} for lines in (model, rtl)]
    return [
        Confirmation(curve, seed, load, difference(by_load[0][load], by_load[1].get(load)))
        for load in loads
    ]


def summary(found: Sequence[Confirmation]) -> str:
    """Which points were equal, by curve, loads and seeds."""
    same = [each for each in found if not each.differs]
    seeds: dict[tuple[str, tuple[float, ...]], list[int]] = {}
    for curve, seed in dict.fromkeys((each.curve, each.seed) for each in same):
        loads = (each.load for each in same if (each.curve, each.seed) == (curve, seed))
        seeds.setdefault((curve, tuple(loads)), []).append(seed)
    told = [
        f"{curve} at {' and '.join(f'{load:g}' for load in loads)} (seed {listed(own)})"
        for (curve, loads), own in seeds.items()
    ]
    return "; ".join([f"{len(same)} of {len(found)} points near saturation", *told])


def listed(seeds: Sequence[int]) -> str:
    return ", ".join(map(str, seeds))
