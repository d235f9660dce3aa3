"""Measures of the OXGFT paper's trends: its trees of 36 and 60 leaves against plain ones.

A seed gives both trees the same packets, so figures are compared seed by seed; a difference is one
if its 95 % interval says so.  The paper's clock, packets and loads of figures 8 and 10 are not
known: "equal", "alike" and "much" are of parts, and a claim about patterns is judged at each load.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found
from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import results
from fattree_models.traffic import estimate

EQUAL = 0.05  # part by which figures differ that are called equal
ALIKE = 0.15  # that are called similar
APART = 0.10  # that differ noticeably
MUCH = 2.0  # times as much
LOW, NEAR, HIGH = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5), 0.5, 0.6  # loads
SLOWER_TO = 0.2  # up to this load shorter ways matter more than more of them
HARD = ("bitcomp", "transpose")
FULL = 1.0  # load of TEST=saturation


class Pair(NamedTuple):
    """Means of the plain tree and of the optimised one; ends of the second less the first."""

    plain: float
    better: float
    low: float
    high: float

    def within(self, part: float) -> bool:
        """The whole interval is within this part of the plain tree's figure."""
        return max(-self.low, self.high) < part * self.plain

    @property
    def text(self) -> str:
        digits, mean = 3 if self.plain < 1 else 1, (self.low + self.high) / 2
        return f"{self.plain:.{digits}f} {mean:+.{digits}f} ± {self.high - mean:.{digits}f}"


def _pairs(
    tests: Sequence[Test], scenario: str, leaves: int, figure: str
) -> dict[tuple[float, str], Pair]:
    """Pairs by load and pattern, in order of the load, where both trees have enough seeds."""
    runs: dict[tuple[float, str], dict[str, dict[int, float]]] = {}
    for test, result in results(tests, scenario):
        kind, _, size = test.configuration.removesuffix("-light").partition("-")
        for one in result.measurements if size == str(leaves) else ():
            place = float(one.get("load", FULL)), str(one.get("pattern", ""))
            runs.setdefault(place, {}).setdefault(kind, {})[test.seed] = float(one[figure])
    made: dict[tuple[float, str], Pair] = {}
    for place, own in sorted(runs.items(), key=lambda item: item[0][0]):
        plain, better = own.get("plain", {}), own.get("optimised", {})
        seeds = plain.keys() & better.keys()
        if len(seeds) >= SEEDS:
            first, second = ([tree[seed] for seed in seeds] for tree in (plain, better))
            mean, half, _ = estimate([b - a for a, b in zip(first, second, strict=True)])
            made[place] = Pair(fmean(first), fmean(second), mean - half, mean + half)
    return made


def by_load(tests: Sequence[Test], leaves: int, figure: str) -> dict[float, Pair]:
    return {place[0]: pair for place, pair in _pairs(tests, "sweep", leaves, figure).items()}


def _by_pattern(tests: Sequence[Test], leaves: int, figure: str) -> dict[float, dict[str, Pair]]:
    """Patterns by load; the greatest is that at which all leaves send whatever they can."""
    made: dict[float, dict[str, Pair]] = {}
    for scenario, at in (("patterns", 0.0), ("saturation", FULL)):
        for (load, pattern), pair in _pairs(tests, scenario, leaves, figure).items():
            made.setdefault(at or load, {})[pattern] = pair
    return made


def _told(pairs: dict[Any, Pair]) -> str:
    return ", ".join(f"{key}: {pair.text}" for key, pair in pairs.items())


def alike_at_low_loads(tests: Sequence[Test]) -> Measured:
    """36 leaves: delays are similar from 5 to 50 %, and lower in OXGFT."""
    delays = by_load(tests, 36, "latency_mean")
    if not set(LOW) <= set(delays):
        return NOTHING
    own = [delays[load] for load in LOW]
    lower, alike = sum(pair.high < 0 for pair in own), sum(pair.within(ALIKE) for pair in own)
    ends = _told({load: delays[load] for load in (LOW[0], LOW[-1])})
    text = f"lower at {lower} of {len(own)} loads, alike at {alike}; XGFT's clocks, OXGFT's less"
    return found(f"{text}: {ends}", lower == alike == len(own))


def apart_at_high_load(tests: Sequence[Test]) -> Measured:
    """36 leaves: from 60 % on, not before, throughput is less and delay far higher in XGFT.

    As corrected: delay from 50 % on, throughput from 60 % on.
    """
    rates, delays = (by_load(tests, 36, figure) for figure in ("accepted", "latency_mean"))
    if not {NEAR, HIGH} <= set(rates):
        return NOTHING
    far = {load: delays[load].plain > MUCH * delays[load].better for load in (NEAR, HIGH)}
    low, high = rates[NEAR], rates[HIGH]
    more = high.low > APART * high.plain
    times = ", ".join(f"{delays[x].plain / delays[x].better:.1f} times at {x:g}" for x in far)
    text = f"accepted {NEAR:g}: {low.text}, {HIGH:g}: {high.text}; delay {times}"
    then = low.within(APART) and more and far[HIGH]
    return Measured(
        Figure(text, then and not far[NEAR]),
        Figure(f"delay from {NEAR:g} on, accepted from {HIGH:g} on", then and far[NEAR]),
    )


def lower_delays(tests: Sequence[Test]) -> Measured:
    """36 leaves: at a load, delays lower under all patterns but round robin, equal there."""
    delays = _by_pattern(tests, 36, "latency_mean")
    own = {load: pairs for load, pairs in delays.items() if load < FULL and "round_robin" in pairs}
    if len(own) < 2:
        return NOTHING
    good = []
    for load, pairs in own.items():
        others = [pair for name, pair in pairs.items() if name != "round_robin"]
        if all(p.high < 0 and not p.within(EQUAL) for p in others):
            good += [load] if pairs["round_robin"].within(EQUAL) else []
    first = next(iter(own))
    shown = {name: own[first][name] for name in ("uniform", "round_robin") if name in own[first]}
    text = f"so at loads: {good or 'none'}, of {[*own]}; clocks at {first:g}: {_told(shown)}"
    return found(text, bool(good))


def equal_throughputs(tests: Sequence[Test]) -> Measured:
    """36 leaves: at a load, throughput equal under all patterns but bit reversal, higher there."""
    own = {k: x for k, x in _by_pattern(tests, 36, "accepted").items() if "bitrev" in x}
    if FULL not in own or len(own) < 2:
        return NOTHING
    good = [
        load
        for load, pairs in own.items()
        if pairs["bitrev"].low > EQUAL / 5 * pairs["bitrev"].plain
        and all(pair.within(EQUAL) for name, pair in pairs.items() if name != "bitrev")
    ]
    shown = {name: own[FULL][name] for name in ("bitrev", "uniform") if name in own[FULL]}
    return found(f"so at loads: {good or 'none'}, of {[*own]}; full: {_told(shown)}", bool(good))


def better_at_all_loads(tests: Sequence[Test]) -> Measured:
    """60 leaves: lower delay at all loads; as corrected: above 20 %."""
    delays = by_load(tests, 60, "latency_mean")
    late = {load: pair for load, pair in delays.items() if load > SLOWER_TO}
    if len(late) < 2 or len(late) == len(delays):
        return NOTHING
    first, lower = next(iter(delays)), [pair.high < 0 for pair in delays.values()]
    text = f"lower at {sum(lower)} of {len(lower)} loads; {first:g}: {delays[first].text}"
    return Measured(
        Figure(text, all(lower)),
        Figure(f"above {SLOWER_TO:g}: {_told(late)}", all(p.high < 0 for p in late.values())),
    )


def complement_hurts(tests: Sequence[Test]) -> Measured:
    """60 leaves: at a load, complement and transpose raise XGFT's delay, not OXGFT's."""
    delays = _by_pattern(tests, 60, "latency_mean")
    own = {x: p for x, p in delays.items() if x < FULL and {"uniform", *HARD} <= set(p)}
    if len(own) < 2:
        return NOTHING
    good, told = [], []
    for load, pairs in own.items():
        usual, flat, *_ = pairs["uniform"]
        plain = [pairs[name].plain for name in HARD]
        better = [pairs[name].better for name in HARD]
        if min(plain) > MUCH * usual and all(abs(x - flat) < ALIKE * flat for x in better):
            good.append(load)
        told.append(f"{load:g}: {usual:.1f}, {plain[0]:.1f}, {plain[1]:.1f}")
    text = "XGFT's clocks under uniform, complement, transpose"
    return found(f"so at loads: {good or 'none'}; {text}: {'; '.join(told)}", bool(good))


def higher_throughputs(tests: Sequence[Test]) -> Measured:
    """60 leaves: OXGFT accepts more, under every pattern that is not to one leaf."""
    own = _by_pattern(tests, 60, "accepted").get(FULL, {})
    if not {"uniform", *HARD} <= set(own):
        return NOTHING
    told = {name: own[name] for name in ("uniform", "bitcomp")}
    text = f"higher under {sum(p.low > 0 for p in own.values())} of {len(own)}: {_told(told)}"
    return found(text, all(p.low > 0 and not p.within(APART) for p in own.values()))


def hot_spot_alike(tests: Sequence[Test]) -> Measured:
    """60 leaves: both accept the same if all send to one leaf; not so under uniform traffic."""
    every = _by_pattern(tests, 60, "accepted")
    loads = [load for load, pairs in every.items() if {"hotspot:0", "uniform"} <= set(pairs)]
    if not loads:
        return NOTHING
    load = max(loads)
    pair, usual = every[load]["hotspot:0"], every[load]["uniform"]
    text = f"accepted at {load:g}: hot spot {pair.text}, uniform {usual.text}; 1/60 = {1 / 60:.4f}"
    return found(text, pair.within(EQUAL) and not usual.within(EQUAL))
