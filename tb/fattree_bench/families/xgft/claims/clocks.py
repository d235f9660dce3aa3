"""Measures of networks whose leaves or levels have clocks of their own."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Measured, found
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import results
from fattree_bench.words import number, plural

FULL_RATE = "equal_clocks"  # the scoreboard judges it: a flit a clock


def clocks_apart(tests: Sequence[Test]) -> Measured:
    """Every packet arrives, once and unchanged, and between equal clocks at full rate."""
    sent = delivered = faults = 0
    networks: set[str] = set()
    full: set[str] = set()
    for test, result in results(tests, "uniform", FULL_RATE):
        sent += result.sent
        delivered += result.delivered
        faults += sum(result.faults.values())
        (full if result.scenario == FULL_RATE else networks).add(test.configuration)
    if not networks or not full:
        return NOTHING
    text = (
        f"{number(delivered)} of {number(sent)} packets in {plural(len(networks), 'network')}, "
        f"at full rate in {len(full)}; {plural(faults, 'fault')}"
    )
    return found(text, sent == delivered > 0 and not faults)
