"""What figures of a foreign design say, in sentences for the terminal."""

from fattree_bench.bench.levels import PROMISES
from fattree_bench.bench.links.flit.sentences import arrived, measured
from fattree_bench.bench.result import ScenarioResult


def alone(result: ScenarioResult) -> list[str]:
    """How long a first word takes through the design, if that was seen."""
    least, most = result.figure("least_alone"), result.figure("most_alone")
    if least is None:
        return []
    span = f"{least}" if least == most else f"{least} … {most}"
    return [f"a first word alone takes {span} clocks, as promises.latency counts"]


def told(result: ScenarioResult) -> list[str]:
    """How many flits, what was measured, and what could not be checked."""
    unknown = [name for name in PROMISES if name not in result.promises]
    followed, model, left = map(result.figure, ("followed", "predicted", "skipped"))
    ways = []
    if followed is not None:
        used, taps = result.figure("taps_used"), result.figure("taps")
        least, most = result.figure("least_load"), result.figure("greatest_load")
        ways.append(
            f"ways of {followed} packets followed; {used} of {taps} taps used, "
            f"{least} … {most} words each"
        )
    inside = [] if followed is not None else ["no graph of the routes"]
    inside += [] if model else ["no model of the clocks"]
    without = f"no promise of {', '.join(unknown)}; " if unknown else ""
    return [
        arrived(result),
        *alone(result),
        *map(measured, result.measurements),
        *([f"{left:.0%} of TRAFFIC is of illegal pairs, and not sent"] if left else []),
        *ways,
        *([f"not checked: {without}{', '.join(inside)}".rstrip("; ")] * bool(without or inside)),
    ]
