"""A sweep on one page: pictures, table, and the derivation of zero-load latency."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fattree_bench.explore.plot import pictures
from fattree_bench.explore.study.figures import tables
from fattree_bench.explore.study.reading import PaperFigure
from fattree_bench.explore.sweep import Curve, table
from fattree_bench.report.files import write_text
from fattree_bench.report.html import environment

CAPTIONS = {
    "latency": "latency: mean of all packets, from creation to the tail's arrival, over offered "
    "load",
    "delay": "mean delay over offered load, with the ideal output-queued switch under the same "
    "arrivals and the closed forms, where there are any",
    "accepted": "accepted load over offered load, in the mean and at the node that got the least",
    "cost": "the most that is accepted, over the cost of the network: switches by the square of "
    "their ports",
    "scaling": "what each kind of network accepts at most, takes without load, and costs, over its "
    "leaves",
    "reordering": "share of the cells that leave after a later one of their flow",
}


def write_sweep_page(
    path: Path,
    curves: Sequence[Curve],
    facts: Mapping[str, str],
    problems: Sequence[str],
    figures: Sequence[PaperFigure] = (),
) -> None:
    """Write the page into the folder of the pictures and sweep.csv."""
    measured = [curve for curve in curves if curve.points]
    text = (
        environment()
        .get_template("sweep.html.j2")
        .render(
            curves=measured,
            panels=len({curve.traffic for curve in curves}),
            rows=table(curves),
            facts={name: text for name, text in facts.items() if text},
            problems=problems,
            figures=[(figure, tables(figure, measured)) for figure in figures],
            pictures={f"{name}.svg": CAPTIONS[name] for name in pictures(measured)},
            units=measured[0].units,
        )
    )
    write_text(path, text)
