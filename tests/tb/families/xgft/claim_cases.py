"""Results of packet-switched fat-trees, and what measures must say of them."""

from typing import Any

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.report import regression as r
from fattree_bench.report.regression import FAILS, HOLDS, UNDECIDED


def routed(scenario: str, configuration: str = "kary-4", **figures: Any) -> r.Test:
    """A test of the flit link on Verilator."""
    result = ScenarioResult(scenario, **{"sent": 16, "delivered": 16, **figures})
    return r.Test("kary", configuration, {}, "verilator", 1, scenario, True, result)


def pairs(*destinations: str, packets: str = "4", delivered: int = 16) -> r.Test:
    """Every pair: destinations a link down, by level; 4 links each way and level."""
    levels = [
        {
            "level": level,
            "links down": 4,
            "destinations a link down": found,
            "packets a link up": packets,
            "packets a link down": "4",
        }
        for level, found in enumerate(destinations, 1)
    ]
    return routed("single_packets", levels=levels, delivered=delivered)


def loads(**busiest: int) -> r.Test:
    return routed("link_loads", permutations=list(busiest.items()))


def full(configuration: str, pattern: str, *accepted: float) -> r.Test:
    """More than the network carries: what it accepted of a pattern."""
    measurements = [{"family": f"{pattern}, load 1", "accepted": rate} for rate in accepted]
    return routed("saturation", configuration, measurements=measurements)


LITERATURE = {"bitcomp": 1, "tornado": 1, "shuffle": 2, "bitrev": 4, "transpose": 4}
TWO_VCS = [full("one-vc-256", "uniform", 0.34), full("two-vcs-256", "uniform", 0.5, 0.54)]
COMPLEMENT = full("four-vcs-256", "bitcomp", 0.72)

CASES: tuple[tuple[str, list[r.Test], str, str], ...] = (
    ("one_destination", [pairs("1", "1")], HOLDS, "8 of 8 links down carry packets for one leaf"),
    ("one_destination", [pairs("1", "1 … 2")], FAILS, "4 of 8 links down"),
    ("one_destination", [loads(bitcomp=1)], UNDECIDED, ""),
    (
        "shifts_alone",
        [routed("shifts", permutations=[("shifts", 1), ("shifts", 1)])],
        HOLDS,
        "2 of 2 shifts with one packet a link",
    ),
    (
        "shifts_alone",
        [routed("shifts", permutations=[("shifts", 1), ("shifts", 2)])],
        FAILS,
        "1 of 2 shifts",
    ),
    ("shifts_alone", [loads(shifts=1)], UNDECIDED, ""),
    ("permutation_loads", [loads(**LITERATURE, neighbor=4)], HOLDS, "bitrev 4, transpose 4"),
    ("permutation_loads", [loads(**{**LITERATURE, "bitrev": 3})], FAILS, "bitrev 3"),
    ("permutation_loads", [loads(bitcomp=1)], UNDECIDED, ""),
    ("even_links", [pairs("1", "1")], HOLDS, "level 1: 4, level 1: 4, level 2: 4"),
    ("even_links", [pairs("1", packets="3 … 4")], FAILS, "level 1: 3 … 4"),
    ("even_links", [loads(bitcomp=1)], UNDECIDED, ""),
    ("all_pairs", [pairs("1"), pairs("1")], HOLDS, "32 of 32 packets arrived"),
    ("all_pairs", [pairs("1", delivered=15)], FAILS, "15 of 16 packets arrived"),
    ("all_pairs", [loads(bitcomp=1)], UNDECIDED, ""),
    (
        "virtual_channels_help",
        [*TWO_VCS, full("four-vcs-256", "uniform", 0.61)],
        HOLDS,
        "accepted by virtual channels: 1: 34 %, 2: 52 %, 4: 61 %",
    ),
    ("virtual_channels_help", [*TWO_VCS, full("four-vcs-256", "uniform", 0.5)], FAILS, "4: 50 %"),
    (
        "virtual_channels_help",
        [full("one-vc-256", "uniform", 0.2), TWO_VCS[1], full("four-vcs-256", "uniform", 0.6)],
        FAILS,
        "1: 20 %",
    ),
    ("virtual_channels_help", TWO_VCS, UNDECIDED, ""),
    (
        "complement_full",
        [full("deterministic-256", "bitcomp", 0.95), COMPLEMENT],
        HOLDS,
        "accepted: deterministic-256 95 %, four-vcs-256 72 %",
    ),
    ("complement_full", [full("deterministic-256", "bitcomp", 0.8), COMPLEMENT], FAILS, "80 %"),
    ("complement_full", [COMPLEMENT], UNDECIDED, ""),
    (
        "routings_alike",
        [full("deterministic-64", "uniform", 0.7), full("adaptive-64", "uniform", 0.65)],
        HOLDS,
        "accepted: deterministic 70.0 %, adaptive 65.0 %",
    ),
    (
        "routings_alike",
        [full("deterministic-64", "uniform", 0.5), full("adaptive-64", "uniform", 0.65)],
        FAILS,
        "deterministic 50.0 %",
    ),
    ("routings_alike", [full("adaptive-64", "bitcomp", 0.65)], UNDECIDED, ""),
)
