"""Results of a load sweep: curves of points with confidence over seeds, tables and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from fattree_bench.explore.study.hardware import Hardware, ordered
from fattree_bench.words import Units, known
from fattree_models.traffic import (
    Estimate,
    Measurement,
    Spread,
    across_seeds,
    estimate,
    saturation_load,
)

Runs = dict[int, dict[float, Measurement]]  # by seed, by load
SHOWN = 4  # loads with a latency in the table


@dataclass(frozen=True)
class Point:
    """A point of a curve; `steady` and `saturated` count seeds."""

    load: float
    figures: dict[str, Estimate]
    seeds: int
    steady: int
    saturated: int


@dataclass(frozen=True)
class Saturation:
    """Where a curve saturates: mean over seeds, and between which loads all of them do.

    Attributes
    ----------
    load : mean of the middles of the seeds' intervals; the half width includes half an interval;
        NaN if no seed saturates.
    low, high : lower end of the lowest interval, upper end of the highest; high is NaN if one seed
        does not saturate.
    throughput : the most that was accepted.
    end, end_least : accepted at the last load, on average and by the worst node.
    """

    load: Estimate
    low: float
    high: float
    throughput: Estimate
    end: Estimate
    end_least: Estimate


@dataclass(frozen=True)
class Curve:
    """A network under one kind of traffic.

    Attributes
    ----------
    variables : all variables that decide the figures.
    varied : variables in which the curves of the sweep differ.
    labelled : variables whose values need their name to be understood.
    units : of its figures.
    zero_load, explained : mean latency in an empty network, and where it comes from.
    loads : requested loads; others were added near saturation.
    laws : latencies in closed form, (load, latency) by name.
    cost : sum of squared ports over all switches; None: not counted.
    leaves : nodes that send and receive.
    hardware : what synthesis makes of the network; None: not asked for, or it failed.
    """

    variables: dict[str, str]
    varied: tuple[str, ...]
    units: Units
    zero_load: float
    explained: str
    loads: tuple[float, ...]
    runs: Runs = field(default_factory=dict)
    laws: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    cost: int | None = None
    labelled: frozenset[str] = frozenset()
    leaves: int = 0
    hardware: Hardware | None = None

    @property
    def traffic(self) -> str:
        return self.variables["TRAFFIC"]

    @property
    def label(self) -> str:
        """What distinguishes it from the other curves; its traffic if it is the only one."""
        return self._words(self.varied) or self.traffic

    @property
    def short(self) -> str:
        """The same among curves with the same traffic."""
        return self._words([name for name in self.varied if name != "TRAFFIC"])

    def _words(self, names: Iterable[str]) -> str:
        return " ".join(
            f"{name}={self.variables[name]}" if name in self.labelled else self.variables[name]
            for name in names
            if self.variables.get(name)
        )

    @cached_property
    def points(self) -> list[Point]:
        """One point per load, ascending, over the seeds measured there."""
        loads = sorted({load for run in self.runs.values() for load in run})
        return [self._point(load) for load in loads]

    def _point(self, load: float) -> Point:
        found = [run[load] for run in self.runs.values() if load in run]
        return Point(
            load,
            across_seeds(found),
            len(found),
            sum(m.stable for m in found),
            sum(m.saturated for m in found),
        )

    @property
    def drawn(self) -> list[Point]:
        """Points of requested loads; near saturation each seed has its own."""
        return [p for p in self.points if p.load in self.loads or p.seeds == len(self.runs)]

    def at(self, load: float) -> Point | None:
        return next((p for p in self.points if p.load == load), None)

    @cached_property
    def saturation(self) -> Saturation:
        """See `Saturation`; ValueError without measurements."""
        runs = [dict(sorted(run.items())) for run in self.runs.values() if run]
        found = [saturation_load(list(run), list(run.values())) for run in runs]
        last = [list(run.values())[-1] for run in runs]
        highs = [s.above for s in found]
        load = estimate([s.load for s in found])
        widths = [s.above - s.below for s in found if not np.isnan(s.above)]
        return Saturation(
            load=load._replace(half_width=load.half_width + max(widths, default=0.0) / 2),
            low=min(s.below for s in found),
            high=float(np.max(highs)),  # NaN if one seed has NaN
            throughput=estimate([s.throughput for s in found]),
            end=estimate([m.accepted for m in last]),
            end_least=estimate([m.accepted_minimum for m in last]),
        )


def measurement(figures: dict[str, Any], kind: type[Measurement]) -> Measurement:
    """A measurement from the figures of a bench (bench.result, measurements)."""
    return kind(**{f.name: _value(figures, f.name, str(f.type)) for f in fields(kind)})


def _value(figures: dict[str, Any], name: str, kind: str) -> Any:
    """A field of a measurement from the figures by name."""
    if "Spread" in kind:
        return Spread(*(figures[f"{name}_{part.name}"] for part in fields(Spread)))
    return int(figures[name]) if "int" in kind else figures[name]


# ---- a table for people --------------------------------------------------------------------------


def table(curves: Sequence[Curve]) -> list[dict[str, str]]:
    """The main figures of each measured curve, column title to text."""
    measured = [curve for curve in curves if curve.points]
    loads, priced = _shown(measured), costs_differ(measured)
    sized = len({curve.leaves for curve in measured}) > 1
    rows = [_row(curve, loads, priced, sized) for curve in measured]
    titles = ordered([title for row in rows for title in row])
    return [{title: row.get(title, "") for title in titles} for row in (*rows, *ideal(measured))]


def _shown(curves: Sequence[Curve]) -> list[float]:
    """The lowest load and further ones below saturation."""
    loads = sorted(
        {p.load for c in curves for p in c.points if p.load in c.loads and not p.saturated}
    )
    if len(loads) <= SHOWN:
        return loads
    steps = np.linspace(0, len(loads) - 1, SHOWN).round().astype(int)
    return [loads[i] for i in steps]


def costs_differ(curves: Iterable[Curve]) -> bool:
    """Whether the networks differ in cost."""
    return len({curve.cost for curve in curves} - {None}) > 1


def _row(curve: Curve, loads: Sequence[float], priced: bool, sized: bool) -> dict[str, str]:
    found = curve.saturation
    if np.isnan(found.load.mean):
        load, bracket = f"> {found.low:g}", ""
    else:
        load = with_half(found.load)
        high = "" if np.isnan(found.high) else f"{found.high:g}"
        bracket = f"{found.low:g} … {high}"
    return {
        "": curve.label,
        **({"leaves": str(curve.leaves)} if sized else {}),
        **({"cost": str(curve.cost or "")} if priced else {}),
        "no load": "" if np.isnan(curve.zero_load) else f"{curve.zero_load:.2f}",
        **{f"at {load:g}": _latency(curve.at(load)) for load in loads},
        "saturates at": load,
        "between": bracket,
        "accepts": with_half(found.throughput),
        "at the end": with_half(found.end),
        "least node": with_half(found.end_least),
        **_order(curve),
        **(curve.hardware.columns() if curve.hardware else {}),
    }


def _order(curve: Curve) -> dict[str, str]:
    """Share of packets that a later one of their flow overtook, at most; by how many cells."""
    share = max(np.nan_to_num(p.figures["overtaken"].mean) for p in curve.points)
    most = [
        p.figures["overtaken_cells"].mean for p in curve.points if "overtaken_cells" in p.figures
    ]
    return {"overtaken": f"{share:.1%}", **({"by cells": f"{max(most):.0f}"} if most else {})}


def ideal(curves: Sequence[Curve]) -> list[dict[str, str]]:
    """Delays of the ideal switch under the same arrivals, one row per kind of traffic."""
    rows, loads = [], _shown([curve for curve in curves if curve.points])
    for curve in {c.traffic: c for c in curves if c.points}.values():
        points = {load: curve.at(load) for load in loads}
        told = {
            f"at {load:g}": with_half(point.figures["ideal_mean"], 2)
            for load, point in points.items()
            if point is not None and "ideal_mean" in point.figures
        }
        if told:
            rows.append({"": f"ideal switch, {curve.traffic}", **told})
    return rows


def _latency(point: Point | None) -> str:
    if point is None or point.saturated:
        return "saturated"
    return with_half(point.figures["latency_mean"], 2)


def with_half(figure: Estimate, digits: int = 3) -> str:
    """As in "0.745 ± 0.012"; with a single seed without half width."""
    mean = known(figure.mean, f".{digits}f")
    return mean if np.isnan(figure.half_width) else f"{mean} ± {figure.half_width:.{digits}f}"


# ---- a table for programs ------------------------------------------------------------------------


def to_csv(curves: Sequence[Curve]) -> str:
    """One row per curve and load: each figure's mean, and half its 95 % interval as NAME_ci95."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    rows: list[dict[str, Any]] = []
    names = dict.fromkeys(name for curve in curves for name in curve.variables)
    for curve in curves:
        for point in curve.points:
            row = {
                **{name: curve.variables.get(name, "") for name in names},
                "cost": curve.cost or "",
                "load": f"{point.load:g}",
                "seeds": point.seeds,
                "steady": point.steady,
                "saturated": point.saturated,
                "leaves": curve.leaves,
                **(vars(curve.hardware) if curve.hardware else {}),
                "zero_load": _told(curve.zero_load),
            }
            for name, figure in point.figures.items():
                row[name] = _told(figure.mean)
                row[f"{name}_ci95"] = _told(figure.half_width)
            rows.append(row)
    header = list(dict.fromkeys(name for row in rows for name in row))
    if rows:
        writer.writerow(header)
    writer.writerows([row.get(name, "") for name in header] for row in rows)
    return out.getvalue()


def _told(value: float) -> str:
    """A figure for programs; empty for NaN."""
    return "" if np.isnan(value) else f"{value:.6g}"
