"""Results of SPIN, and what measures must say of them."""

from dataclasses import replace
from typing import Any

from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Quantity, ScenarioResult, Test, table
from fattree_bench.families.spin.environment import LEVELS
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided


def run(
    scenario: str,
    terminals: int = 16,
    *,
    routers: int = 8,
    roots: int = 4,
    parents: int = 4,
    children: int = 1,
    flits: int = 1000,
    shared: int = 1,
    requests: int = 0,
    answered: int = 0,
    ways: bool = True,
    **figures: Any,
) -> Test:
    """A test of SPIN: what its packets took, and what was counted."""
    result = ScenarioResult(scenario, **{"sent": 100, "delivered": 100, **figures})
    counts = {"leaves": terminals, "routers": routers, "flits": flits, "shared": shared}
    counts |= {"requests": requests, "answered": answered}
    result.figures = {name: Quantity(value, "") for name, value in counts.items()}
    rows = [(1, 4, parents, children), (2, roots, 0, 1)]
    result.tables = {"levels": table(LEVELS, rows)} if ways else {}
    return Test("spin", "spin-16-two", {}, "verilator", 1, scenario, True, result)


def full(accepted: float, shared: int, terminals: int = 16) -> Test:
    found = [{"pattern": "uniform", "accepted": accepted}, {"pattern": "bitcomp", "accepted": 0.1}]
    test = run("saturation", terminals, shared=shared, measurements=found * SEEDS)
    return replace(test, configuration=f"{shared}-{terminals}")


def stuck(one: float, two: float) -> list[Test]:
    """What the check by pytest leaves."""
    left = {"stuck_on_1": one}, {"stuck_on_2": two}
    return [
        Test("spin", "test_one_network.py", {}, "pytest", 0, f"case {i}", True, recorded=each)
        for i, each in enumerate(left)
    ]


def asked(answered: int) -> Test:
    return run("crossfire", requests=100, answered=answered, ways=False)


CASES: Cases = {
    "several_roots": (
        holds("packets used 4 of 4 routers at the top", run("uniform")),
        fails("of 1 routers at the top", run("uniform", roots=1, parents=1)),
        fails("packets used 3 of 4", run("uniform", parents=3)),
        undecided(run("uniform", 64)),
    ),
    "spin_ways": (
        holds("at least 4 parents and at most 1 children", run("uniform")),
        fails("at least 1 parents", run("uniform"), run("uniform", parents=1)),
        fails("at most 2 children", run("uniform", children=2)),
        undecided(run("uniform", ways=False)),
    ),
    "words_of_packets": (
        holds("100 of 100 packets and commands whole", run("uniform")),
        fails("99 of 100", run("uniform", delivered=99)),
        undecided(run("uniform", flits=0)),
    ),
    "routers_by_terminals": (
        corrected(
            "as printed: 8 routers for 16 terminals, 48 routers for 64 terminals; as corrected: 8 ",
            run("x"),
            run("x", 64, routers=48),
        ),
        holds("48 routers for 64 terminals", run("x", 64, routers=48)),
        fails("9 routers for 16 terminals", run("x", routers=9)),
        undecided(run("x", routers=0)),
    ),
    "gain_of_buffers": (
        holds("N=16: 54 % of what terminals can send, without 46 %", full(0.54, 1), full(0.46, 0)),
        fails("47 %", full(0.47, 1), full(0.46, 0)),
        undecided(full(0.54, 1), full(0.46, 0, 64)),
    ),
    "out_of_order": (
        holds("3 of 100 packets overtaken", run("uniform", overtaken=3)),
        fails("0 of 100", run("uniform")),
        undecided(),
    ),
    "own_networks": (
        holds("100 of 100 requests answered; on one the", asked(100), *stuck(1, 0)),
        fails("99 of 100", asked(99), *stuck(1, 0)),
        fails("goes on", asked(100), *stuck(0, 0)),
        fails("is stuck", asked(100), *stuck(1, 1)),
        undecided(asked(100)),
    ),
}
