"""What figures of modified fat-trees say, in sentences for a person."""

from collections.abc import Iterator
from typing import Any

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.words import known


def told(result: ScenarioResult) -> Iterator[str]:
    """Flits, FIFOs, use of links, measured runs."""
    yield (
        f"{result.figure('flits')} flits arrived, {result.figure('flit_rate'):.3f} per leaf "
        f"and clock"
    )
    yield (
        f"the least FIFO that loses nothing here: {result.figure('least_fifo')} flits, "
        f"there are {result.figure('fifo')}"
    )
    if rows := result.rows("rows"):
        up = ", ".join(f"{row['use_up']:.1f}" for row in rows[:-1]) or "none"
        down = ", ".join(f"{row['use_down']:.1f}" for row in rows)
        yield f"use of links, % of that of a client's, from the clients: up {up}; lanes {down}"
    yield from map(_measured, result.measurements)


def _measured(figures: dict[str, Any]) -> str:
    state = (
        f"saturated ({figures['saturation']})"
        if figures["saturation"]
        else ("steady" if figures["stable"] else "not yet steady")
    )
    if figures["missing"] == figures["tagged"]:
        times = "none of the packets created then arrived; "
    else:
        times = (
            f"latency {figures['latency_mean']:.1f} (99 % within {figures['latency_p99']:.0f}, "
            f"without load {figures['zero_load']:.1f}); {figures['missing']:.0f} of "
            f"{figures['tagged']:.0f} packets did not arrive; "
        )
    return (
        f"{figures['family']}: offered {figures['offered']:.3f}, accepted "
        f"{figures['accepted']:.3f} flits per sending leaf and clock "
        f"(least at a leaf {known(figures['accepted_minimum'])}); {times}{state}"
    )
