"""What measures of the OXGFT paper must say of plain and optimised trees."""

from fattree_bench.bench.claims import CORRECTED, HOLDS, UNDECIDED
from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Case, Cases, corrected, fails, holds, undecided
from tests.tb.families.xgft.load_claim_cases import carried, run
from tests.tb.families.xgft.model_claim_cases import left


def swept(name: str, delays: dict[float, float], rates: dict[float, float] | None = None) -> Test:
    measured = [
        {"load": load, "latency_mean": delay, "accepted": (rates or {}).get(load, load)}
        for load, delay in delays.items()
    ]
    return run("sweep", name, *measured)


def kinds(name: str, delays: dict[str, float], rate: float = 0.3, **rates: float) -> Test:
    measured = [
        {"pattern": pattern, "latency_mean": delay, "accepted": rates.get(pattern, rate)}
        for pattern, delay in delays.items()
    ]
    return run("patterns", name, *measured)


def shape(name: str, leaves: int, *switches: int) -> Test:
    return run("sweep", name, leaves=leaves, switches=switches)


SHAPES = [
    shape("plain-36", 36, 6, 4),
    shape("optimised-36", 36, 12, 3),
    shape("plain-60", 60, 15, 10, 4),
    shape("parents-60", 60, 60, 30, 20, 8),
    shape("optimised-60", 60, 20, 30, 6),
]
PLAIN = {0.05: 15.0, 0.1: 16.0, 0.2: 17.5, 0.3: 19.5, 0.4: 23.5, 0.5: 115.0, 0.6: 580.0}
BETTER = {0.05: 16.0, 0.1: 16.2, 0.2: 17.4, 0.3: 19.0, 0.4: 21.0, 0.5: 25.0, 0.6: 39.0}
BELOW = {load: delay - 1 for load, delay in PLAIN.items()}
SATURATED = {0.5: 0.487, 0.6: 0.497}
WIDE = {0.05: 22.6, 0.1: 23.7, 0.2: 27.4, 0.3: 316.0}
NARROW = {0.05: 23.4, 0.1: 23.9, 0.2: 25.0, 0.3: 26.6}
KINDS = {"uniform": 20.0, "bitcomp": 20.0, "round_robin": 20.0}
HARD = {"uniform": 1200.0, "transpose": 200.0, "bitcomp": 300.0, "hotspot:0": 900.0}
FLAT = {"uniform": 29.0, "transpose": 27.0, "bitcomp": 30.0, "hotspot:0": 900.0}


def trend(plain: Test, better: Test, verdict: str, text: str) -> tuple[Case, ...]:
    """A case with both trees, and without one of them."""
    return Case(verdict, text, (plain, better)), undecided(plain), undecided(better)


PLAIN_36 = {"cost_optimum": 864, "cost_plain_least": 744, "cost_plain_most": 744}
PLAIN_60 = {"cost_optimum": 1800, "cost_plain_least": 890, "cost_plain_most": 1780}

CASES: Cases = {
    "less_power": (
        fails(
            "cost by processors: 36: 864 against 744, 60: 1800 against 890 … 1780",
            left(processors=36, **PLAIN_36),
            left(processors=60, **PLAIN_60),
        ),
        holds(
            "890 … 1801",
            left(processors=36, **PLAIN_36),
            left(processors=60, **{**PLAIN_60, "cost_plain_most": 1801}),
        ),
        undecided(left(processors=60, **PLAIN_60)),
        undecided(left(processors=36, **PLAIN_36)),
    ),
    "shapes_of_oxgft": (
        holds(
            "36: 6 + 4; 36: 12 + 3; 60: 15 + 10 + 4; 60: 60 + 30 + 20 + 8; 60: 20 + 30 + 6", *SHAPES
        ),
        fails("36: 6 + 3", *SHAPES[1:], shape("plain-36", 36, 6, 3)),
        fails("20 + 30 + 6", *SHAPES[:4], shape("optimised-60", 72, 20, 30, 6)),
        fails("15 + 10 + 5", *SHAPES, shape("plain-60", 60, 15, 10, 5)),
        undecided(*SHAPES[:4]),
    ),
    "alike_at_low_loads": (
        *trend(
            swept("plain-36", PLAIN),
            swept("optimised-36", BETTER),
            CORRECTED,
            "as printed: clocks by load: 0.05: 15.0/16.0, 0.1: 16.0/16.2, 0.2: 17.5/17.4, 0.3: "
            "19.5/19.0, 0.4: 23.5/21.0, 0.5: 115.0/25.0; as corrected: within 15 % up to 0.4",
        ),
        holds("0.5: 115.0/114.0", swept("plain-36", PLAIN), swept("optimised-36", BELOW)),
        fails(
            "0.4: 23.5/19.0", swept("plain-36", PLAIN), swept("optimised-36", {**BETTER, 0.4: 19.0})
        ),
    ),
    "apart_at_high_load": (
        *trend(
            swept("plain-36", PLAIN, SATURATED),
            swept("optimised-36", BETTER),
            HOLDS,
            "OXGFT accepts 3 % more at 0.5, 21 % at 0.6, where delays are 580/39 clocks",
        ),
        fails(
            "25 % more at 0.5",
            swept("plain-36", PLAIN, {0.5: 0.4, 0.6: 0.4}),
            swept("optimised-36", BETTER),
        ),
        fails("0 % at 0.6", swept("plain-36", PLAIN), swept("optimised-36", BETTER)),
        fails(
            "delays are 70/39",
            swept("plain-36", {**PLAIN, 0.6: 70.0}, SATURATED),
            swept("optimised-36", BETTER),
        ),
    ),
    "lower_delays": (
        *trend(
            kinds("plain-36", KINDS),
            kinds("optimised-36", {**KINDS, "uniform": 19.4, "bitcomp": 18.0}),
            CORRECTED,
            "as printed: clocks: uniform 20.0/19.4, bitcomp 20.0/18.0, round_robin 20.0/20.0; as "
            "corrected: higher in 0, lower by over 5 % in 1 of 3",
        ),
        holds(
            "round_robin 20.0/19.5",
            kinds("plain-36", KINDS),
            kinds("optimised-36", {"uniform": 18.0, "bitcomp": 18.0, "round_robin": 19.5}),
        ),
        fails(
            "higher in 1",
            kinds("plain-36", KINDS),
            kinds("optimised-36", {**KINDS, "bitcomp": 20.1}),
        ),
    ),
    "equal_throughputs": (
        *trend(
            kinds("plain-36", {**KINDS, "bitrev": 15.0}),
            kinds("optimised-36", {**KINDS, "bitrev": 15.0}),
            UNDECIDED,
            "",
        ),
        corrected(
            "as printed: at full load: uniform 0.50/0.60, bitrev 0.80/0.90; as corrected: at low "
            "load equal in 4 of 4",
            *(kinds(f"{name}-36", {**KINDS, "bitrev": 15.0}) for name in ("plain", "optimised")),
            carried("plain-36", uniform=0.5, bitrev=0.8),
            carried("optimised-36", uniform=0.6, bitrev=0.9),
        ),
        holds(
            "uniform 0.50/0.51",
            *(kinds(f"{name}-36", {**KINDS, "bitrev": 15.0}) for name in ("plain", "optimised")),
            carried("plain-36", uniform=0.5, bitrev=0.8),
            carried("optimised-36", uniform=0.51, bitrev=0.9),
        ),
        fails(
            "equal in 3 of 4",
            kinds("plain-36", {**KINDS, "bitrev": 15.0}, uniform=0.2),
            kinds("optimised-36", {**KINDS, "bitrev": 15.0}),
            carried("plain-36", uniform=0.5, bitrev=0.8),
            carried("optimised-36", uniform=0.51, bitrev=0.81),
        ),
    ),
    "better_at_all_loads": (
        *trend(
            swept("plain-60", WIDE),
            swept("optimised-60", NARROW),
            CORRECTED,
            "as printed: clocks by load: 0.05: 22.6/23.4, 0.1: 23.7/23.9, 0.2: 27.4/25.0, 0.3: "
            "316.0/26.6; as corrected: lower from 0.2 on in 2 of 2",
        ),
        holds(
            "0.05: 22.6/20.0",
            swept("plain-60", WIDE),
            swept("optimised-60", {load: 20.0 for load in WIDE}),
        ),
        fails("in 1 of 2", swept("plain-60", WIDE), swept("optimised-60", {**NARROW, 0.2: 27.5})),
        fails("in 2 of 2", swept("plain-60", {**WIDE, 0.3: 27.0}), swept("optimised-60", NARROW)),
    ),
    "complement_hurts": (
        *trend(
            kinds("plain-60", HARD),
            kinds("optimised-60", FLAT),
            CORRECTED,
            "as printed: clocks: uniform 1200.0/29.0, transpose 200.0/27.0, bitcomp 300.0/30.0; as "
            "corrected: OXGFT within 15 %, XGFT over 2 times as slow in 3 of 3",
        ),
        holds(
            "uniform 60.0/29.0",
            kinds("plain-60", {**HARD, "uniform": 60.0}),
            kinds("optimised-60", FLAT),
        ),
        fails(
            "OXGFT not within 15 %",
            kinds("plain-60", HARD),
            kinds("optimised-60", {**FLAT, "bitcomp": 40.0}),
        ),
        fails(
            "as slow in 2 of 3",
            kinds("plain-60", {**HARD, "bitcomp": 40.0}),
            kinds("optimised-60", FLAT),
        ),
    ),
    "hot_spot_alike": (
        *trend(
            kinds("plain-60", HARD, 0.0166),
            kinds("optimised-60", FLAT, 0.0167),
            HOLDS,
            "accepted: 0.0166/0.0167 flits per leaf and clock",
        ),
        fails(
            "accepted: 0.0156/0.0167",
            kinds("plain-60", HARD, 0.0156),
            kinds("optimised-60", FLAT, 0.0167),
        ),
    ),
}
