"""Results of the bit-serial fat-tree, as claims are measured by them."""

from fattree_bench.bench.result import Quantity, ScenarioResult, Test, table
from fattree_bench.families.leiserson.environment import LEVELS


def cycles(
    wires: list[int] | None = None,
    scenario: str = "offline",
    lost: int = 0,
    used: list[int] | None = None,
    deliveries: tuple[tuple[str, float, int], ...] = (),
    family: str = "8-relation",
    loads: list[int] | None = None,
    clocks: int = 56,
    down: list[int] | None = None,
    down_used: list[int] | None = None,
) -> Test:
    """A test of 1200 messages; (how, load factor, cycles) of its deliveries.

    Downwards there are as many wires, all of them in use, unless others are given.
    """
    wires = wires or [7, 5, 3, 2, 1]
    loads = loads or wires
    down = down or wires
    rows = [
        (k, cap, down[k], loads[k], 0, (used or wires)[k], (down_used or down)[k], lost, 0)
        for k, cap in enumerate(wires)
    ]
    output = [
        {
            "family": family,
            "how": how,
            "offline": how not in ("RETRY", "RANDOMISED"),
            "messages": 100,
            "load_factor": factor,
            "cycles": number,
            "least": 1,
            "bound": None,
        }
        for how, factor, number in deliveries
    ]
    result = ScenarioResult(
        scenario,
        unit="delivery cycles",
        noun="messages",
        steps=40,
        sent=1200,
        delivered=1200 - lost,
        figures={
            "leaves": Quantity(1 << len(wires) - 1, "processors"),
            "cycle": Quantity(clocks, "clocks"),
            "data": Quantity(32, "bits"),
        },
        tables={"levels": table(LEVELS, rows)},
        deliveries=output,
    )
    return Test("leiserson", "tree", {}, "icarus", 1, scenario, True, result)


def scheduled(*deliveries: tuple[str, float, int], wires: list[int] | None = None) -> Test:
    return cycles(wires, deliveries=deliveries)


def check(passed: bool = True, **recorded: float) -> Test:
    file = "tests/models/test_address.py"
    return Test("leiserson", file, {}, "pytest", 0, "test_all[0]", passed, recorded=recorded)
