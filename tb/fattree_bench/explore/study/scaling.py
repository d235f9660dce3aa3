"""How networks grow with their leaves: a line a network, a point a size."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.explore.study.figures import finished
from fattree_bench.explore.sweep import Curve
from fattree_bench.report.plots import looks

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def grows(curves: Sequence[Curve]) -> bool:
    """Whether some network has several sizes, and none a size twice."""
    places = [(curve.variables["NETWORK"], curve.leaves) for curve in curves]
    return len({name for name, _ in places}) < len(places) == len(set(places))


def scaling(curves: Sequence[Curve]) -> "Figure":
    """Saturation, latency without load and, if they are known, gates of a leaf."""
    from matplotlib.figure import Figure

    units = curves[0].units
    panels: dict[str, Callable[[Curve], Sequence[float]]] = {
        f"most accepted [{units.load}]": lambda c: c.saturation.throughput[:2],
        f"latency without load [{units.time}]": lambda c: (c.zero_load, 0.0),
    }
    if any(curve.hardware for curve in curves):
        panels["gates of a leaf [NAND2]"] = _gates
    figure = Figure(figsize=(4.2 * len(panels), 4.4), layout="constrained")
    axes = figure.subplots(1, len(panels))
    kinds = dict.fromkeys(curve.variables["NETWORK"] for curve in curves)
    sizes = sorted({curve.leaves for curve in curves})
    for axis, (title, value) in zip(axes, panels.items(), strict=True):
        for number, kind in enumerate(kinds):
            own = {c.leaves: c for c in curves if c.variables["NETWORK"] == kind}
            rows = [(size, *value(own[size])) for size in sizes if size in own]
            x, y, half = np.array(rows, np.float64).T
            names = {"label": kind, "gid": f"{title.partition(' [')[0]}: {kind}"}
            axis.errorbar(x, y, np.nan_to_num(half), capsize=3, **names, **looks(number))
        axis.set(xscale="log", xlabel="leaves", ylabel=title)
        axis.set_ylim(bottom=0)
        axis.set_xticks(sizes, [str(size) for size in sizes])
        axis.minorticks_off()
    return finished(figure, axes[0], "a line a network, a point a size")


def _gates(curve: Curve) -> Sequence[float]:
    return (curve.hardware.gates / curve.leaves if curve.hardware else np.nan), 0.0
