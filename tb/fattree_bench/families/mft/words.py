"""What figures of modified fat-trees say, in sentences for a person."""

from collections.abc import Iterator

from fattree_bench.bench.links.flit.sentences import arrived, measured
from fattree_bench.bench.result import ScenarioResult


def told(result: ScenarioResult) -> Iterator[str]:
    """Flits, FIFOs, use of links, measured runs."""
    yield arrived(result)
    yield (
        f"the least FIFO that loses nothing here: {result.figure('least_fifo')} flits, "
        f"there are {result.figure('fifo')}"
    )
    if rows := result.rows("rows"):
        up = ", ".join(f"{row['use_up']:.1f}" for row in rows[:-1]) or "none"
        down = ", ".join(f"{row['use_down']:.1f}" for row in rows)
        yield f"use of links, % of a client's, from the clients: up {up}; lanes {down}"
    yield from map(measured, result.measurements)
