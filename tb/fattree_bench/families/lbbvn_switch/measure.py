"""Figures of a measured run, next to those of the ideal switch and of theory."""

from fattree_bench.bench.result import Record
from fattree_bench.families.lbbvn_switch.cells import Run
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.settings import burst_cells, traffic_kind
from fattree_models import lbbvn_switch as switch


def figures(network: LbbvnSwitch, run: Run, most_resequenced: int) -> Record:
    """What was measured: delays in slots, rates in cells a line card and slot.

    `burst`: cells of a burst in the mean.  `theory` and `ideal_theory` are mean
    delays in closed form, None where there is none.
    """
    found = switch.compare(run.packets, run.dst, run.departures(), run.window)
    law, ideal_law = theory(network, run)
    return {
        "family": run.name,
        "pattern": run.pattern,
        "injection": run.injection,
        "burst": burst_cells(run.injection),
        "load": run.load,
        **found.figures(),
        "stable": found.stable,
        "saturation": found.saturation,
        "most_resequenced": most_resequenced,
        "theory": law,
        "ideal_theory": ideal_law,
    }


def theory(network: LbbvnSwitch, run: Run) -> tuple[float | None, float | None]:
    """Mean delays of BASIC, and of the ideal switch, in closed form; None where unknown."""
    kind = traffic_kind(run.pattern, run.injection, network.leaves)
    if kind is None or run.load >= 1:
        return None, None
    own = switch.mean_delay(network.n, run.load, kind) if network.scheme == "BASIC" else None
    return own, switch.ideal_mean_delay(network.n, run.load, kind)
