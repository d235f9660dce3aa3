"""What figures of a switch with queues say, in sentences for a person."""

from collections.abc import Iterator

from fattree_bench.bench.claims import leaves
from fattree_bench.bench.result import Record, ScenarioResult
from fattree_bench.families.lbbvn.own import sums
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch


def foretold(network: LbbvnSwitch) -> Iterator[str]:
    """Whether a frame of the user's is uniform traffic."""
    if network.own.name:
        yield f"{network.own.name}: cells of {network.own.assessed.slots} slots, again and again"
        yield sums(network.own.assessed)


def told(result: ScenarioResult) -> Iterator[str]:
    """Cells that are left, what the scheme counted, measured runs."""
    if inside := result.figure("inside"):
        yield f"{inside} cells wait in vain for a frame at the end"
    if (most := result.figure("most_resequenced")) is not None:
        bound = leaves(result) ** 2 + 1
        yield f"at most {most} cells in a resequencer (bound N² + 1 = {bound})"
    if skipped := result.figure("skipped"):
        yield f"{skipped} gaps behind lost cells skipped"
    if (fakes := result.figure("fakes")) is not None:
        yield f"{fakes} fake cells"
    if (refused := result.figure("refused")) is not None:
        yield f"{refused} offers refused"
    for one in result.measurements:
        yield from _measured(one)


def _measured(found: Record) -> list[str]:
    state = (found["saturation"] and "saturated") or ("steady" if found["stable"] else "not steady")
    return [
        f"{found['family']}: offered {found['offered']:.3f}, delivered {found['accepted']:.3f} "
        f"cells per line card and slot (throughput {found['throughput']:.1%}); {state}",
        f"  delay {_spread(found, 'latency')}{_law(found['theory'])}",
        f"  ideal output-queued switch {_spread(found, 'ideal')}{_law(found['ideal_theory'])}",
        f"  {found['overtaken']:.2%} of the cells overtaken, by {found['overtaken_cells']:.0f} "
        f"cells or {found['overtaken_slots']:.0f} slots at most",
    ]


def _spread(found: Record, name: str) -> str:
    mean, p99 = found[f"{name}_mean"], found[f"{name}_p99"]
    return f"{mean:.1f} slots, 99 % within {p99:.0f}"


def _law(value: float | None) -> str:
    return "" if value is None else f", {value:.1f} in theory"
