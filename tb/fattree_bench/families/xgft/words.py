"""What figures of packet-switched fat-trees say, in sentences for a person."""

from collections.abc import Iterator
from typing import Any

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.words import known


def told(result: ScenarioResult) -> Iterator[str]:
    """Flits, replies, packets that did not arrive in time, measured runs."""
    yield (
        f"{result.figure('flits')} flits arrived, {result.figure('flit_rate'):.3f} per leaf "
        f"and clock; {result.figure('flit_hops')} flit-hops"
    )
    if replies := result.figure("replies"):
        yield f"{replies} requests answered"
    if longer := result.figure("longer_ways"):
        yield f"{longer} packets took longer ways than the shortest"
    if late := result.figure("on_their_way"):
        yield f"{late} packets were on their way when their item ended"
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
            f"without load {figures['zero_load']:.1f}), in the network "
            f"{figures['network_latency_mean']:.1f} clocks; {figures['hops']:.2f} switches; "
        )
    return (
        f"{figures['family']}: offered {figures['offered']:.3f}, "
        f"accepted {figures['accepted']:.3f} flits per sending leaf and clock "
        f"(least at a leaf {known(figures['accepted_minimum'])}); {times}{state}"
    )
