"""Results of packet-switched fat-trees, and what measures must say of them."""

from typing import Any

from fattree_bench.bench.result import Quantity, ScenarioResult, Test, table
from fattree_bench.bench.wormhole.environment import LEVELS
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided
from tests.tb.families.xgft import (
    load_claim_cases,
    optimised_claim_cases,
    route_claim_cases,
    scale_claim_cases,
)


def routed(scenario: str, configuration: str = "kary-4", **figures: Any) -> Test:
    """A test of the flit link on Verilator."""
    result = ScenarioResult(scenario, **{"sent": 16, "delivered": 16, **figures})
    result.figures["leaves"] = Quantity(4, "leaves")
    return Test("kary", configuration, {}, "verilator", 1, scenario, True, result)


def pairs(*destinations: int, packets: int = 4, delivered: int = 16) -> Test:
    """Every pair: destinations at most of a link down, by level; 4 links each way and level.

    The least packets of a link up are 4.
    """
    rows = [
        (level, 1, 4, 16, 4, packets, 1, 4, 0, 4, 16, 4, 4, 1, found, 4 if found == 1 else 2)
        for level, found in enumerate(destinations, 1)
    ]
    tables = {"levels": table(LEVELS, rows)}
    return routed("single_packets", tables=tables, delivered=delivered)


def printed(reached: int) -> Test:
    """What became of the pairs over tables by the slides' code."""
    recorded = {"pairs": 56, "pairs_as_printed": reached}
    return Test("benes", "file.py", {}, "pytest", 0, "case", True, recorded=recorded)


def loads(**busiest: int) -> Test:
    return routed("link_loads", permutations=list(busiest.items()))


LITERATURE = {"bitcomp": 1, "tornado": 1, "shuffle": 2, "bitrev": 4, "transpose": 4}

CASES: Cases = {
    **load_claim_cases.CASES,
    **optimised_claim_cases.CASES,
    **route_claim_cases.CASES,
    **scale_claim_cases.CASES,
    "clocks_apart": (
        holds(
            "32 of 32 packets in 1 network, at full rate in 1; 0 faults",
            routed("uniform"),
            routed("equal_clocks", "kary-4-equal"),
        ),
        fails("31 of 32", routed("uniform", delivered=15), routed("equal_clocks")),
        fails("1 fault", routed("uniform"), routed("equal_clocks", faults={"late": 1})),
        undecided(routed("uniform")),
    ),
    "one_destination": (
        holds("8 of 8 links down carry packets for one leaf", pairs(1, 1)),
        fails("6 of 8 links down", pairs(1, 2)),
        undecided(loads(bitcomp=1)),
    ),
    "shifts_alone": (
        holds(
            "2 of 2 shifts with one packet per link",
            routed("shifts", permutations=[("shifts", 1), ("shifts", 1)]),
        ),
        fails("1 of 2 shifts", routed("shifts", permutations=[("shifts", 1), ("shifts", 2)])),
        undecided(routed("shifts")),
    ),
    "permutation_loads": (
        holds("bitrev 4, transpose 4", loads(**LITERATURE, neighbor=4)),
        fails("bitrev 3", loads(**{**LITERATURE, "bitrev": 3})),
        undecided(loads(bitcomp=1)),
    ),
    "even_links": (
        holds("level 1: 4, level 1: 4, level 2: 4", pairs(1, 1)),
        fails("level 1: 4 … 5", pairs(1, packets=5)),
        undecided(loads(bitcomp=1)),
    ),
    "all_pairs": (
        corrected(
            "as printed: 28 of 56 pairs reached; as corrected: 32 of 32 packets arrived",
            pairs(1),
            pairs(1),
            printed(28),
        ),
        holds("as printed: 56 of 56 pairs reached", pairs(1), printed(56)),
        fails("15 of 16 packets arrived", pairs(1, delivered=15), printed(28)),
        undecided(pairs(1)),
        undecided(loads(bitcomp=1)),
    ),
}
