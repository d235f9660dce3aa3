"""Results of SPIN, and what measures must say of them."""

from typing import Any

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNDECIDED
from fattree_bench.bench.result import Quantity, ScenarioResult, Test, table
from fattree_bench.families.spin.environment import LEVELS

Case = tuple[str, list[Test], str, str]


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
    return run("saturation", terminals, shared=shared, measurements=found)


def stuck(one: float, two: float) -> list[Test]:
    """What the check by pytest leaves."""
    left = {"stuck_on_1": one}, {"stuck_on_2": two}
    return [
        Test("spin", "test_one_network.py", {}, "pytest", 0, f"case {i}", True, recorded=each)
        for i, each in enumerate(left)
    ]


def asked(answered: int) -> Test:
    return run("crossfire", requests=100, answered=answered, ways=False)


CASES: tuple[Case, ...] = (
    ("several_roots", [run("uniform")], HOLDS, "4 routers at the top; packets took 4 of them"),
    ("several_roots", [run("uniform", roots=1, parents=1)], FAILS, "1 routers at the top"),
    ("several_roots", [run("uniform", parents=3)], FAILS, "packets took 3 of them"),
    ("several_roots", [run("uniform", 64)], UNDECIDED, ""),
    ("spin_ways", [run("uniform")], HOLDS, "4 parents at least, and 1 children at most"),
    ("spin_ways", [run("uniform"), run("uniform", parents=1)], FAILS, "1 parents at least"),
    ("spin_ways", [run("uniform", children=2)], FAILS, "2 children at most"),
    ("spin_ways", [run("uniform", ways=False)], UNDECIDED, ""),
    ("words_of_packets", [run("uniform")], HOLDS, "100 of 100 packets and commands whole"),
    ("words_of_packets", [run("uniform", delivered=99)], FAILS, "99 of 100"),
    ("words_of_packets", [run("uniform", flits=0)], UNDECIDED, ""),
    (
        "routers_by_terminals",
        [run("x"), run("x", 64, routers=48)],
        CORRECTED,
        "as printed: 8 for 16 terminals, 48 for 64 terminals; as corrected: 8 for 16",
    ),
    ("routers_by_terminals", [run("x", 64, routers=48)], HOLDS, "48 for 64 terminals"),
    ("routers_by_terminals", [run("x", routers=9)], FAILS, "9 for 16 terminals"),
    ("routers_by_terminals", [run("x", routers=0)], UNDECIDED, ""),
    (
        "gain_of_buffers",
        [full(0.54, 1), full(0.46, 0)],
        HOLDS,
        "N=16: 54 % of what terminals can send, without 46 %",
    ),
    ("gain_of_buffers", [full(0.47, 1), full(0.46, 0)], FAILS, "47 %"),
    ("gain_of_buffers", [full(0.54, 1), full(0.46, 0, 64)], UNDECIDED, ""),
    ("out_of_order", [run("uniform", overtaken=3)], HOLDS, "3 of 100 packets overtaken"),
    ("out_of_order", [run("uniform")], FAILS, "0 of 100"),
    ("out_of_order", [], UNDECIDED, ""),
    ("own_networks", [asked(100), *stuck(1, 0)], HOLDS, "100 of 100 requests answered; on one the"),
    ("own_networks", [asked(99), *stuck(1, 0)], FAILS, "99 of 100"),
    ("own_networks", [asked(100), *stuck(0, 0)], FAILS, "goes on"),
    ("own_networks", [asked(100), *stuck(1, 1)], FAILS, "is stuck"),
    ("own_networks", [asked(100)], UNDECIDED, ""),
)
