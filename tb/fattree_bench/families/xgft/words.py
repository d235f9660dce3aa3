"""What figures of packet-switched fat-trees say, in sentences for a person."""

from collections.abc import Iterator
from typing import Any

from fattree_bench.bench.result import ScenarioResult


def told(result: ScenarioResult) -> Iterator[str]:
    """Flits, replies, packets that did not arrive in time, measured runs."""
    yield (
        f"{result.figure('flits')} flits arrived, {result.figure('flit_rate'):.3f} per leaf "
        f"and clock; {result.figure('flit_hops')} flit-hops"
    )
    if replies := result.figure("replies"):
        yield f"{replies} requests answered"
    if late := result.figure("on_their_way"):
        yield f"{late} packets were on their way when their item ended"
    yield from map(_measured, result.measurements)


def _measured(figures: dict[str, Any]) -> str:
    state = (
        f"saturated ({figures['saturation']})"
        if figures["saturation"]
        else ("steady" if figures["stable"] else "not yet steady")
    )
    return (
        f"{figures['family']}: offered {figures['offered']:.3f}, "
        f"accepted {figures['accepted']:.3f} "
        f"flits per leaf and clock (least at a leaf {figures['accepted_minimum']:.3f}); latency "
        f"{figures['latency_mean']:.1f} (99 % within {figures['latency_p99']:.0f}, without load "
        f"{figures['zero_load']:.1f}), "
        f"in the network {figures['network_latency_mean']:.1f} clocks; "
        f"{figures['hops']:.2f} switches; {state}"
    )
