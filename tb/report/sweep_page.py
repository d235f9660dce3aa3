"""A sweep on one page: both pictures, the table, where the latency without load comes from."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tb.report.files import write_text
from tb.report.html import environment
from tb.report.sweep import Curve, table

LATENCY = "latency: mean of all packets, from creation to the tail's arrival, over offered load"
ACCEPTED = "accepted load over offered load, in the mean and at the node that got the least"


def write_sweep_page(
    path: Path, curves: Sequence[Curve], facts: Mapping[str, str], problems: Sequence[str]
) -> None:
    """Write the page; the pictures and sweep.csv lie beside it."""
    text = (
        environment()
        .get_template("sweep.html.j2")
        .render(
            curves=[curve for curve in curves if curve.points],
            panels=len({curve.traffic for curve in curves}),
            rows=table(curves),
            facts={name: text for name, text in facts.items() if text},
            problems=problems,
            pictures={"latency.svg": LATENCY, "accepted.svg": ACCEPTED},
        )
    )
    write_text(path, text)
