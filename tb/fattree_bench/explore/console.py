"""What a sweep prints on a terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Console

from fattree_bench.explore.study.figures import tables
from fattree_bench.explore.study.folded import print_rows, tell
from fattree_bench.explore.study.growth import print_growth
from fattree_bench.explore.study.reading import PaperFigure
from fattree_bench.explore.sweep import Curve, table


def print_sweep(
    console: Console,
    curves: list[Curve],
    facts: Mapping[str, str],
    figures: Sequence[PaperFigure] = (),
) -> None:
    """The table of a sweep; where a study asks for figures, theirs, and that only with hardware."""
    tell(console, facts["network"], "bold")
    tell(console, f"  {facts['the same in all']}")
    tell(console, f"  {facts['measured']}; ± is half the 95 % confidence interval")
    for figure in figures:
        console.print()
        tell(console, f"figure {figure.name}: {figure.title}", "bold")
        for sentence in figure.says:
            tell(console, f"  the paper: {sentence}")
        for what, rows in tables(figure, curves).items():
            tell(console, f"  {what}:")
            print_rows(console, rows)
    if figures and not any(curve.hardware for curve in curves):
        return
    console.print("\nlatency without load, in theory:")
    for curve in curves:
        if curve.explained:
            tell(console, f"  {curve.label}: {curve.explained}")
    units = curves[0].units
    console.print()
    tell(console, f"latency in {units.time} by load, load at saturation, accepted {units.load}:")
    print_rows(console, table(curves))
    print_growth(console, curves)
