"""What figures of the flit link say, in sentences for a person."""

from math import isnan

from fattree_bench.bench.result import Record, ScenarioResult
from fattree_bench.words import known


def arrived(result: ScenarioResult) -> str:
    """How many flits, and how many in a clock."""
    return (
        f"{result.figure('flits')} flits arrived, {result.figure('flit_rate'):.3f} per leaf "
        f"and clock"
    )


def measured(figures: Record) -> str:
    """A run with a window: what was offered, what was accepted, how long it took."""
    missing, tagged = figures["missing"], figures["tagged"]
    if missing == tagged:
        times = "all packets created then came too late"
    else:
        times = (
            f"latency {figures['latency_mean']:.1f} (99 % within {figures['latency_p99']:.0f}, "
            f"without load {known(figures['zero_load'], '.1f')}), in the network "
            f"{figures['network_latency_mean']:.1f} clocks"
        )
        if not isnan(figures["hops"]):
            times += f"; {figures['hops']:.2f} switches"
        if missing:
            times += f"; {missing:.0f} of {tagged:.0f} packets created then came too late"
    state = "steady" if figures["stable"] else "not yet steady"
    if figures["saturation"]:
        state = f"saturated ({figures['saturation']})"
    return (
        f"{figures['family']}: offered {figures['offered']:.3f}, "
        f"accepted {figures['accepted']:.3f} flits per sending leaf and clock "
        f"(least at a leaf {known(figures['accepted_minimum'])}); {times}; {state}"
    )
