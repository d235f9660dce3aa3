"""Figures of a measured run, beside those of the ideal switch and of theory."""

import re
from typing import Any

from models import lbbvn_switch as switch
from models.traffic import Measurement
from tb.links.cell import Run
from tb.networks.lbbvn_switch import LbbvnSwitch


def figures(network: LbbvnSwitch, run: Run) -> dict[str, Any]:
    """What was measured: delays in slots, rates in cells a line card and slot.

    The ideal switch is an output-queued one with the same arrivals.  `theory` and `ideal_theory`
    are mean delays in closed form, None where there is none.
    """
    found = run.measurement()
    ideal = switch.as_measurement(run.packets, switch.output_queued(run.dst), run.window)
    order = switch.reordering(run.departures())
    law, ideal_law = theory(network, run)
    return {
        "family": run.name,
        "load": run.load,
        "zero_load": law if law is not None else 0.0,
        **found.figures(),
        "stable": found.stable,
        "saturation": found.saturation,
        "throughput": found.accepted / found.offered if found.offered else 0.0,
        "reordered": order.share,
        "reordered_most_cells": order.most_cells,
        "reordered_most_slots": order.most_slots,
        "theory": law,
        **{f"ideal_{name}": value for name, value in _delay(ideal).items()},
        "ideal_theory": ideal_law,
    }


def _delay(found: Measurement) -> dict[str, float]:
    return {
        "accepted": found.accepted,
        "latency_mean": found.latency.mean,
        "latency_p99": found.latency.p99,
    }


def theory(network: LbbvnSwitch, run: Run) -> tuple[float | None, float | None]:
    """Mean delays of BASIC, and of the ideal switch, in closed form; None where nobody knows."""
    kind = law_of(run.pattern, run.injection, network.leaves)
    if kind is None or run.load >= 1:
        return None, None
    own = switch.mean_delay(network.n, run.load, kind) if network.scheme == "BASIC" else None
    return own, switch.ideal_mean_delay(network.n, run.load, kind)


def law_of(pattern: str, injection: str, leaves: int) -> str | None:
    """The kind of traffic whose delays are known, or None."""
    if pattern != "uniform:self":
        return None
    if injection == "bernoulli":
        return "bernoulli"
    frame = re.fullmatch(r"frame:(\d+)", injection)
    return "frame" if frame and int(frame[1]) == leaves else None


def told(found: dict[str, Any]) -> list[str]:
    """A measurement in lines."""
    state = found["saturation"] and "saturated" or ("steady" if found["stable"] else "not steady")
    return [
        f"{found['family']}: offered {found['offered']:.3f}, delivered {found['accepted']:.3f} "
        f"cells a line card and slot (throughput {found['throughput']:.1%}); {state}",
        f"  delay {_spread(found, '')}{_law(found['theory'])}",
        f"  ideal output-queued switch {_spread(found, 'ideal_')}{_law(found['ideal_theory'])}",
        f"  {found['reordered']:.2%} of the cells overtaken, by {found['reordered_most_cells']} "
        f"cells or {found['reordered_most_slots']} slots at most",
    ]


def _spread(found: dict[str, Any], prefix: str) -> str:
    mean, p99 = found[f"{prefix}latency_mean"], found[f"{prefix}latency_p99"]
    return f"{mean:.1f} slots, 99 % within {p99:.0f}"


def _law(value: float | None) -> str:
    return "" if value is None else f", {value:.1f} in theory"
