"""Measures of the OXGFT paper's trends: its trees of 36 and 60 leaves against plain ones, in RTL.

Its clock and packets are not known, so "equal", "lower" and "apart" are of parts.
"""

from collections.abc import Sequence
from itertools import pairwise

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, recorded
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import Means, means, results

SWITCHES = {
    "plain-36": [6, 4],
    "optimised-36": [12, 3],
    "plain-60": [15, 10, 4],
    "optimised-60": [20, 30, 6],
    "parents-60": [60, 30, 20, 8],  # with two parents a leaf is also a switch
}
EQUAL = 0.05  # part by which figures differ that are called equal
ALIKE = 0.15  # that are called similar
APART = 0.10  # that differ noticeably
MUCH = 2.0  # times as much
LOW, NEAR, HIGH = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5), 0.5, 0.6  # loads
SLOWER_TO = 0.2  # from this load on fewer ways matter more than shorter ones


def _pairs(found: Means, leaves: int, figure: str) -> dict[object, tuple[float, float]]:
    """A figure of the plain tree and of the optimised one, by pattern or load that both have."""
    plain, better = (found.get(f"{kind}-{leaves}", {}) for kind in ("plain", "optimised"))
    return {key: (plain[key][figure], better[key][figure]) for key in plain if key in better}


def _sweep(tests: Sequence[Test], leaves: int, figure: str) -> dict[float, tuple[float, float]]:
    pairs = _pairs(means(tests, "sweep", "load"), leaves, figure)
    return {load: pair for load, pair in pairs.items() if isinstance(load, float)}


def _patterns(tests: Sequence[Test], leaves: int, figure: str) -> dict[str, tuple[float, float]]:
    pairs = _pairs(means(tests, "patterns", "pattern"), leaves, figure)
    return {name: pair for name, pair in pairs.items() if isinstance(name, str)}


def _told(pairs: dict[str, tuple[float, float]], digits: int = 1) -> str:
    """As in "uniform 19.4/18.8, bitcomp 20.1/18.4"."""
    return ", ".join(f"{k} {a:.{digits}f}/{b:.{digits}f}" for k, (a, b) in pairs.items())


def shapes_of_oxgft(tests: Sequence[Test]) -> Measured:
    """The trees have the paper's leaves and switches."""
    own = {
        test.configuration: (
            int(result.figure("leaves") or 0),
            [int(row["switches"] or 0) for row in result.rows("levels")],
        )
        for test, result in results(tests, "sweep")
        if test.configuration in SWITCHES
    }
    if set(own) != set(SWITCHES) or not all(switches for _, switches in own.values()):
        return NOTHING
    text = "; ".join(f"{n}: {' + '.join(map(str, switches))}" for n, switches in own.values())
    right = all(own[name] == (int(name[-2:]), SWITCHES[name]) for name in SWITCHES)
    return found(f"switches by leaves: {text}", right)


def alike_at_low_loads(tests: Sequence[Test]) -> Measured:
    """36 leaves: delays are similar from 5 to 50 %, and lower in OXGFT; corrected: to 40 %."""
    delays = _sweep(tests, 36, "latency_mean")
    if not set(LOW) <= set(delays):
        return NOTHING
    own = {load: delays[load] for load in LOW}
    alike = {load: abs(better - plain) < ALIKE * plain for load, (plain, better) in own.items()}
    lower = all(better < plain for plain, better in own.values())
    text = ", ".join(f"{load:g}: {a:.1f}/{b:.1f}" for load, (a, b) in own.items())
    before = [load for load in LOW if load < NEAR]
    return Measured(
        Figure(f"clocks by load: {text}", lower and all(alike.values())),
        Figure(
            f"within {100 * ALIKE:.0f} % up to {before[-1]:g}", all(alike[load] for load in before)
        ),
    )


def apart_at_high_load(tests: Sequence[Test]) -> Measured:
    """36 leaves: from 60 % on, and not before, throughputs differ, and delay is far higher."""
    rates, delays = (_sweep(tests, 36, figure) for figure in ("accepted", "latency_mean"))
    if not {NEAR, HIGH} <= set(rates):
        return NOTHING
    apart = {load: better / plain - 1 for load, (plain, better) in rates.items()}
    plain, better = delays[HIGH]
    text = (
        f"OXGFT accepts {100 * apart[NEAR]:.0f} % more at {NEAR:g}, {100 * apart[HIGH]:.0f} % at "
        f"{HIGH:g}, where delays are {plain:.0f}/{better:.0f} clocks"
    )
    return found(text, apart[NEAR] < APART < apart[HIGH] and plain > MUCH * better)


def lower_delays(tests: Sequence[Test]) -> Measured:
    """36 leaves: lower delays under all patterns, equal in round robin; corrected: never higher."""
    delays = _patterns(tests, 36, "latency_mean")
    if not {"round_robin", "bitcomp"} <= set(delays):
        return NOTHING
    lower = {name: better < (1 - EQUAL) * plain for name, (plain, better) in delays.items()}
    plain, better = delays["round_robin"]
    equal = abs(better - plain) < EQUAL * plain
    others = all(low for name, low in lower.items() if name != "round_robin")
    higher = sum(better > plain for plain, better in delays.values())
    return Measured(
        Figure(f"clocks: {_told(delays)}", equal and others),
        Figure(
            f"higher in {higher}, lower by over {100 * EQUAL:.0f} % in {sum(lower.values())} of "
            f"{len(delays)}",
            not higher and any(lower.values()),
        ),
    )


def equal_throughputs(tests: Sequence[Test]) -> Measured:
    """36 leaves: equal throughputs but under bit reversal; corrected: equal until one saturates."""
    full = _pairs(means(tests, "saturation", "pattern"), 36, "accepted")
    full_named = {str(name): pair for name, pair in full.items()}
    light = _patterns(tests, 36, "accepted")
    if "bitrev" not in full_named or "bitrev" not in light:
        return NOTHING

    def equal(pair: tuple[float, float]) -> bool:
        return abs(pair[1] - pair[0]) < EQUAL * pair[0]

    others = all(equal(pair) for name, pair in full_named.items() if name != "bitrev")
    same = sum(map(equal, light.values()))
    return Measured(
        Figure(f"at full load: {_told(full_named, 2)}", others and not equal(full_named["bitrev"])),
        Figure(f"at low load equal in {same} of {len(light)}", same == len(light)),
    )


def better_at_all_loads(tests: Sequence[Test]) -> Measured:
    """60 leaves: lower delay at all loads; as corrected: from 20 % on, and more so with load."""
    delays = dict(sorted(_sweep(tests, 60, "latency_mean").items()))
    late = {load: pair for load, pair in delays.items() if load >= SLOWER_TO}
    if len(late) < 2 or len(late) == len(delays):
        return NOTHING
    text = ", ".join(f"{load:g}: {a:.1f}/{b:.1f}" for load, (a, b) in delays.items())
    more = all(one < other for one, other in pairwise(a / b for a, b in late.values()))
    return Measured(
        Figure(f"clocks by load: {text}", all(b < a for a, b in delays.values())),
        Figure(
            f"lower from {SLOWER_TO:g} on in {sum(b < a for a, b in late.values())} of {len(late)}",
            more and all(b < a for a, b in late.values()),
        ),
    )


def complement_hurts(tests: Sequence[Test]) -> Measured:
    """60 leaves: complement and transpose raise XGFT's delay over uniform traffic's, not OXGFT's.

    As corrected: where XGFT is overloaded, under these and under uniform traffic.
    """
    delays = _patterns(tests, 60, "latency_mean")
    if not {"uniform", "bitcomp", "transpose"} <= set(delays):
        return NOTHING
    kept = {name: delays[name] for name in ("uniform", "transpose", "bitcomp")}
    usual, flat = kept["uniform"]
    hard = [kept["transpose"], kept["bitcomp"]]
    steady = all(abs(better - flat) < ALIKE * flat for _, better in hard)
    return Measured(
        Figure(
            f"clocks: {_told(kept)}",
            steady and all(plain > MUCH * usual for plain, _ in hard),
        ),
        Figure(
            f"OXGFT {'within' if steady else 'not within'} {100 * ALIKE:.0f} %, XGFT over "
            f"{MUCH:g} times as slow in {sum(a > MUCH * b for a, b in kept.values())} of 3",
            steady and kept["bitcomp"][0] > MUCH * kept["bitcomp"][1],
        ),
    )


def hot_spot_alike(tests: Sequence[Test]) -> Measured:
    """60 leaves: both accept the same if all send to one leaf."""
    rates = _patterns(tests, 60, "accepted").get("hotspot:0")
    if rates is None:
        return NOTHING
    plain, better = rates
    text = f"accepted: {plain:.4f}/{better:.4f} flits per leaf and clock"
    return found(text, abs(better - plain) < EQUAL * plain)


def less_power(tests: Sequence[Test]) -> Measured:
    """By (1) the optimum of 60 costs less than the plain tree, in a reading of its vectors."""
    names = ("processors", "cost_optimum", "cost_plain_least", "cost_plain_most")
    rows = {int(row[0]): tuple(map(int, row[1:])) for row in recorded(tests, *names)}
    if not {36, 60} <= set(rows):
        return NOTHING
    told = ", ".join(
        f"{p}: {optimum} against {least}" + (f" … {most}" if most > least else "")
        for p, (optimum, least, most) in sorted(rows.items())
    )
    optimum, _, most = rows[60]
    return found(f"cost by processors: {told}", optimum < most)
