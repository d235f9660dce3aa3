"""Figures of a measured run, beside those of the ideal switch and of theory."""

from typing import Any

from fattree_bench.families.lbbvn_switch.cells import Run
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch, traffic_kind
from fattree_models import lbbvn_switch as switch


def figures(network: LbbvnSwitch, run: Run, most_resequenced: int) -> dict[str, Any]:
    """What was measured: delays in slots, rates in cells a line card and slot.

    `theory` and `ideal_theory` are mean delays in closed form, None where there is none.
    """
    found = switch.compare(run.packets, run.dst, run.departures(), run.window)
    law, ideal_law = theory(network, run)
    return {
        "family": run.name,
        "load": run.load,
        **found.figures(),
        "stable": found.stable,
        "saturation": found.saturation,
        "most_resequenced": most_resequenced,
        "theory": law,
        "ideal_theory": ideal_law,
    }


def theory(network: LbbvnSwitch, run: Run) -> tuple[float | None, float | None]:
    """Mean delays of BASIC, and of the ideal switch, in closed form; None where nobody knows."""
    kind = traffic_kind(run.pattern, run.injection, network.leaves)
    if kind is None or run.load >= 1:
        return None, None
    own = switch.mean_delay(network.n, run.load, kind) if network.scheme == "BASIC" else None
    return own, switch.ideal_mean_delay(network.n, run.load, kind)


def told(found: dict[str, Any]) -> list[str]:
    """A measurement in lines."""
    state = (found["saturation"] and "saturated") or ("steady" if found["stable"] else "not steady")
    return [
        f"{found['family']}: offered {found['offered']:.3f}, delivered {found['accepted']:.3f} "
        f"cells a line card and slot (throughput {found['throughput']:.1%}); {state}",
        f"  delay {_spread(found, 'latency')}{_law(found['theory'])}",
        f"  ideal output-queued switch {_spread(found, 'ideal')}{_law(found['ideal_theory'])}",
        f"  {found['overtaken']:.2%} of the cells overtaken, by {found['overtaken_cells']:.0f} "
        f"cells or {found['overtaken_slots']:.0f} slots at most",
    ]


def _spread(found: dict[str, Any], name: str) -> str:
    mean, p99 = found[f"{name}_mean"], found[f"{name}_p99"]
    return f"{mean:.1f} slots, 99 % within {p99:.0f}"


def _law(value: float | None) -> str:
    return "" if value is None else f", {value:.1f} in theory"
