"""How networks grow with their leaves, in a table: exponents of N."""

from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console

from fattree_bench.explore.study.folded import print_rows, tell
from fattree_bench.explore.study.scaling import grows
from fattree_bench.explore.sweep import Curve

TITLE = "growth with the leaves N, as the exponent of N (whole network; latency of a packet):"
FIGURES: dict[str, Callable[[Curve], float]] = {
    "most accepted": lambda curve: curve.leaves * curve.saturation.throughput.mean,
    "no load": lambda curve: curve.zero_load,
    "gates": lambda curve: curve.hardware.gates if curve.hardware else 0,
    "queue bits": lambda curve: curve.hardware.memory if curve.hardware else 0,
    "wires": lambda curve: curve.hardware.wires if curve.hardware else 0,
}


def growth(curves: Sequence[Curve]) -> list[dict[str, str]]:
    """A row a network of several sizes; empty where a size has no figure."""
    measured = [curve for curve in curves if curve.points]
    if not grows(measured):
        return []
    rows = []
    for kind in dict.fromkeys(curve.variables["NETWORK"] for curve in measured):
        own = sorted(
            (c for c in measured if c.variables["NETWORK"] == kind), key=lambda c: c.leaves
        )
        if len(own) > 1:
            sizes = [curve.leaves for curve in own]
            row = {"": kind, "leaves": ", ".join(map(str, sizes))}
            row |= {
                name: _exponent(sizes, [of(one) for one in own]) for name, of in FIGURES.items()
            }
            rows.append(row)
    kept = [title for title in rows[0] if any(row[title] for row in rows)]
    return [{title: row[title] for title in kept} for row in rows]


def print_growth(console: Console, curves: Sequence[Curve]) -> None:
    """The table, if there is anything in it."""
    if rows := growth(curves):
        console.print()
        tell(console, TITLE)
        print_rows(console, rows)


def _exponent(sizes: Sequence[int], values: Sequence[float]) -> str:
    """By least squares of the logarithms; empty if a value is none."""
    if not all(value > 0 for value in values):  # nor NaN
        return ""
    return f"{np.polyfit(np.log(sizes), np.log(values), 1)[0] + 0.0:.2f}"
