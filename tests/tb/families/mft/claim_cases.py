"""Results of modified fat-trees, and what measures must say of them."""

from typing import Any

from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Quantity, ScenarioResult, Test, table
from fattree_bench.families.mft.environment import ROWS
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided


def run(
    scenario: str,
    n: int = 3,
    configuration: str = "improved-8",
    *,
    doubled: bool = False,
    missed: int = 0,
    lost: int = 0,
    use: tuple[float, float] | None = None,
    growing_top: bool = False,
    lowest: int = 0,
    sources: int = 1,
    **figures: Any,
) -> Test:
    """A test of 2^n clients: flits that found no up link, packets lost, top and bottom in %."""
    top, bottom = use or (57.0, 14.3)
    rows = []
    for row in range(n):
        lanes = 2 ** (n - 1 - row) if doubled else 2 ** (n - row) - 1
        if growing_top and row == n - 1:
            lanes = n
        if lowest and row == 0:
            lanes = lowest
        up = None if row == n - 1 else top
        climbing = 100 if row < n - 1 else 0
        down, gone, found = (top, 0, climbing) if row else (bottom, lost, climbing - missed)
        rows.append((row, 2 ** (n - 1), lanes, climbing, found, up, 200, down, gone))
    result = ScenarioResult(scenario, **{"sent": 100, "delivered": 100 - lost, **figures})
    result.figures = {
        "leaves": Quantity(1 << n, "leaves"),
        "most_sources": Quantity(sources, "sources"),
        "client_lanes": Quantity(rows[0][2], "lanes"),
        "lost_in_routers": Quantity(lost, "packets"),
    }
    result.tables = {"rows": table(ROWS, rows)}
    return Test("mft", configuration, {}, "verilator", 1, scenario, True, result)


def full(n: int, top: float, bottom: float, complement: float = 100.0) -> list[Test]:
    """Use of links under uniform and complement traffic."""
    return [
        run("full_rate", n, use=(top, bottom)),
        run("full_complement", n, use=(complement, bottom)),
    ]


def measured(accepted: float, configuration: str = "improved-16") -> Test:
    found = [{"pattern": "uniform", "accepted": accepted}, {"pattern": "bitcomp", "accepted": 0.1}]
    return run("saturation", 4, configuration, measurements=found * SEEDS)


def regular(accepted: float) -> Test:
    recorded = {"accepted_by_a_regular_tree": accepted}
    return Test("mft", "test_regular.py", {}, "pytest", 0, "case", True, recorded=recorded)


DOUBLED = run("uniform", doubled=True, lost=3)

CASES: Cases = {
    "only_down": (
        holds("200 of 200 flits that climb found an up link", run("uniform", lost=2)),
        fails("199 of 200 flits", run("uniform", lost=2, missed=1)),
        undecided(run("uniform")),
    ),
    "doubling_is_enough": (
        corrected(
            "as printed: 3 of 100 packets lost in routers; as corrected: 0 of 100 packets lost",
            DOUBLED,
            run("uniform"),
        ),
        holds("0 of 100", run("uniform", doubled=True), run("uniform")),
        fails("as corrected: 1 of 100", DOUBLED, run("uniform", lost=1)),
        undecided(DOUBLED),
    ),
    "one_lane_a_source": (
        holds("at most 1 sources a lane", run("uniform"), run("bursts")),
        fails("at most 2 sources", run("uniform"), run("bursts", sources=2)),
        fails("1 of 100 packets overtaken", run("uniform", overtaken=1)),
        fails("at most 1 sources", run("uniform", ordered=False)),
        undecided(regular(0.4)),
    ),
    "top_and_bottom": (
        corrected(
            "uniform N=8: top 57.5 %, bottom 14.3 %, N=16: top 53.0 %, bottom 6.7 %; as corrected: "
            "top N/(2(N-1)) met, complement 100 %; bottom at most 14.3 %",
            *full(3, 57.5, 14.3),
            *full(4, 53.0, 6.7),
        ),
        holds("top 100.0 %", *full(3, 100.0, 14.3)),
        fails("top N/(2(N-1)) not met", *full(3, 65.0, 14.3)),
        fails("complement 90 %", *full(3, 57.0, 14.3, 90.0)),
        fails("not met", *full(3, 57.0, 17.0)),
        undecided(*full(3, 57.0, 14.3)[:1]),
    ),
    "arity_grows": (
        corrected(
            "lanes a side of a topmost router 1, 1, 1 with N = 4, 8, 16; as corrected: of a lowest "
            "router 3, 7, 15",
            *[run("single_packets", n) for n in (2, 3, 4)],
        ),
        holds("topmost router 2, 3", *[run("single_packets", n, growing_top=True) for n in (2, 3)]),
        corrected(
            "of a lowest router 3, 4",
            run("single_packets", 3, doubled=True),
            run("single_packets", 2),
        ),
        fails("lowest router 7, 7", run("x", 3, lowest=7), run("x", 4, lowest=7)),
        undecided(run("single_packets")),
    ),
    "nearly_full": (
        holds(
            "improved-16: 95 %, adaptive-16: 93 %, ± 0.0 points; a regular tree 45 %",
            measured(0.95),
            measured(0.93, "adaptive-16"),
            regular(0.45),
        ),
        corrected("more than a regular tree's 65 %", measured(0.95), regular(0.65)),
        fails("45 %, 96 %", measured(0.95), regular(0.45), regular(0.96)),
        fails("improved-16: 89 %", measured(0.89), regular(0.45)),
        undecided(measured(0.95)),
    ),
}
