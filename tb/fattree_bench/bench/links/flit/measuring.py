"""Measures an item with a window: the figures as they stand, and whether there are enough."""

import json
from pathlib import Path

import numpy as np
from pyuvm import uvm_component, uvm_subscriber

from fattree_bench.bench.created import Created
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.links.flit.sent import FlitOver, FlitPlan
from fattree_bench.bench.result import Record
from fattree_models import traffic

# A measurement gives up so many windows after its own: the network is saturated.
DRAIN = 2
SATURATED = 3.0  # mean latency, in latencies without load (Dally and Towles, section 23.1)


def measure(plan: FlitPlan, window: traffic.Window) -> traffic.Measurement:
    """The listed packets as they stand: times in clocks, rates in flits per sender and clock."""
    seen, listed, usual = plan.seen, slice(0, plan.sent.packets), plan.zero_load
    limit = {} if usual is None else {"latency_limit": SATURATED * usual}
    return traffic.measure(
        plan.item.packets,
        plan.link.leaves,
        seen.tails(listed).astype(np.int64),
        window,
        injected=seen.injected[listed],
        hops=plan.hops,
        senders=plan.item.senders,
        **limit,
    )


def enough(plan: FlitPlan, now: int, window: traffic.Window) -> bool:
    """Whether all tagged packets have arrived; a saturated network need not deliver them."""
    tagged = window.holds(plan.item.packets.release)
    if bool((plan.seen.tails()[: len(tagged)][tagged] >= 0).all()):
        return True
    return now >= window.end + DRAIN * window.cycles or measure(plan, window).saturated


def figures(plan: FlitPlan) -> Record | None:
    """Figures of an item with a window; None of others.

    Times in clocks, rates in flits per sending leaf and clock.
    """
    found = plan.item.measurement
    if found is None:
        return None
    return {
        "family": plan.item.family,
        "pattern": plan.item.pattern,
        "load": plan.item.load,
        "zero_load": float("nan") if plan.zero_load is None else plan.zero_load,
        **found.figures(),
        "stable": found.stable,
        "saturation": found.saturation,
    }


def keep(found: Record, file: str) -> None:
    """Add the figures of an item to a file at once: who is killed later has left them."""
    if file:
        with Path(file).open("a") as lines:
            lines.write(json.dumps(found) + "\n")


class Measurements(Created, uvm_subscriber):
    """Collects the figures of items that are over, and adds them to a file while nothing fails."""

    def __init__(self, name: str, parent: uvm_component, faults: Faults, file: str) -> None:
        super().__init__(name, parent)
        self.found: list[Record] = []
        self.faults = faults
        self.file = file

    def write(self, over: FlitOver) -> None:
        """Note what was measured, if anything was, at once where `file` says."""
        if (found := figures(over.plan)) is None:
            return
        self.found.append(found)
        if not self.faults:
            keep(found, self.file)
