"""The table of a sweep on a terminal."""

from collections.abc import Mapping

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fattree_bench.explore.sweep import Curve, table


def print_sweep(console: Console, curves: list[Curve], facts: Mapping[str, str]) -> None:
    """The table of a sweep for a terminal."""
    console.print(f"[bold]{escape(facts['network'])}[/]", soft_wrap=True)
    console.print(f"  {escape(facts['the same in all'])}", soft_wrap=True)
    console.print(f"  {facts['measured']}; ± is half the 95 % confidence interval", soft_wrap=True)
    if same := facts["the same in RTL"]:
        console.print(f"  the same in RTL: {escape(same)}", soft_wrap=True)
    console.print("\nlatency without load, in theory:")
    for curve in curves:
        if curve.explained:
            console.print(f"  {escape(f'{curve.label}: {curve.explained}')}", soft_wrap=True)
    units = curves[0].units
    told = f"latency in {units.time} by load, load at saturation, accepted {units.load}:"
    console.print(f"\n{told}", soft_wrap=True)
    rows = table(curves)
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in rows[0]:
        grid.add_column(title, justify="right" if title else "left", no_wrap=True)
    for row in rows:
        grid.add_row(*map(escape, row.values()))
    console.print(grid)
