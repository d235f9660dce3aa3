"""Results of routes in RTL, and what measures must say of them."""

from typing import Any

from fattree_bench.bench.result import Column, Quantity, ScenarioResult, Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided

Rows = list[dict[str, float | None]]


def level(switches: int, **numbers: float | None) -> dict[str, float | None]:
    """A row of the table of levels."""
    row: dict[str, float | None] = {"level": 1, "switches": switches}
    for way in ("up", "down"):
        own = {"links": 4, "flits": 0, "packets_least": 4, "packets_most": 4}
        own |= {"destinations_least": 1, "destinations_most": 1}
        for name, value in own.items():
            first, _, end = name.partition("_")
            row["_".join(filter(None, (first, way, end)))] = value
    return {**row, "links_down_to_one": 4, **numbers}


def ran(rows: Rows, scenario: str = "single_packets", configuration: str = "x", **has: Any) -> Test:
    numbered = [{**row, "level": number} for number, row in enumerate(rows, 1)]
    columns = {name: Column("", [row[name] for row in numbered]) for name in numbered[0]}
    has = {"sent": 16, "delivered": 16, "leaves": 16, **has}
    figures = {n: Quantity(has.pop(n), "") for n in ("leaves", "flits", "flit_hops") if n in has}
    result = ScenarioResult(scenario, figures=figures, tables={"levels": columns}, **has)
    return Test("kary", configuration, {}, "verilator", 1, scenario, True, result)


NO_TABLE = ran([level(1)])
assert NO_TABLE.result is not None
NO_TABLE.result.tables.clear()


def climbed(up: int, down: int, **has: Any) -> Test:
    return ran([level(2, flits_up=up, flits_down=99), level(2, flits_down=down)], **has)


def drawn(configuration: str, leaves: int, *switches: int, **has: Any) -> Test:
    return ran([level(n) for n in switches], configuration=configuration, leaves=leaves, **has)


FIGURE_6 = [drawn("fig-6a", 4, 1), drawn("fig-6b", 16, 4, 2), drawn("xgft-48", 48, 12, 6, 4)]
OXGFT = [
    drawn("plain-36", 36, 6, 4),
    drawn("optimised-36", 36, 12, 3),
    drawn("plain-60", 60, 15, 10, 4),
    drawn("parents-60", 60, 60, 30, 20, 8),
    drawn("optimised-60", 60, 20, 30, 6),
]


def radix(ports: int, most: int = 4, delivered: int = 16) -> Test:
    rows = [level(2, links_up=ports, links_down=ports, packets_up_most=most)]
    return ran(rows, delivered=delivered)


def hops(flit_hops: int) -> Test:
    return ran([level(4)] * 3, flits=100, flit_hops=flit_hops)


def adaptive(least: int, alone: int = 16) -> Test:
    row = level(4, links_up=16, links_down=16, links_down_to_one=alone)
    row["destinations_up_least"] = least
    return ran([row], "uniform")


CASES: Cases = {
    "up_then_down": (
        holds(
            "32 of 32 packets arrived; 35 flits went up between switches, 35 down",
            climbed(30, 30),
            climbed(5, 5),
        ),
        fails("30 flits went up between switches, 29 down", climbed(30, 29)),
        fails("15 of 16 packets", climbed(30, 30, delivered=15)),
        fails("0 flits went up", climbed(0, 0)),
        undecided(NO_TABLE),
    ),
    "trees_as_drawn": (
        holds("4: 1; 16: 4 + 2; 48: 12 + 6 + 4", *FIGURE_6, FIGURE_6[0]),
        fails("48: 12 + 6 + 3", *FIGURE_6, drawn("xgft-48", 48, 12, 6, 3)),
        fails("16: 4 + 2", *FIGURE_6, drawn("fig-6b", 16, 4, 2, delivered=15)),
        undecided(*FIGURE_6[:2]),
        undecided(*FIGURE_6, drawn("x", 64, 16)),
        holds("60: 15 + 10 + 4; 60: 60 + 30 + 20 + 8;", *OXGFT),
        fails("36: 6 + 3", *OXGFT, drawn("plain-36", 36, 6, 3)),
        fails("72: 20 + 30 + 6", *OXGFT, drawn("optimised-60", 72, 20, 30, 6)),
        undecided(*OXGFT[:4]),
    ),
    "any_even_radix": (
        corrected(
            "as printed: m = 6; as corrected: 16 of 16 pairs arrived, the links of each level have",
            radix(6),
        ),
        holds("as printed: m = 8", radix(8)),
        fails("the links of each level differ", radix(6, most=5)),
        fails("15 of 16 pairs arrived", radix(6, delivered=15)),
        undecided(NO_TABLE),
    ),
    "same_hops": (
        holds("500 switches for 100 flits, 5.00 each", hops(500)),
        fails("4.99 each", hops(499)),
        undecided(NO_TABLE),
    ),
    "adaptive_up": (
        holds(
            "a link up leads to 9 or more of 12 leaves elsewhere (3 under D-mod-k), 16 of 16 down "
            "to",
            adaptive(9),
            adaptive(9),
        ),
        fails("leads to 3 or more of 12", adaptive(3)),
        fails("15 of 16 down to one", adaptive(12, 15)),
        undecided(hops(500)),
    ),
}
