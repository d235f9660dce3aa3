"""Measures of turn-back routing on the OXGFT paper's tree of 60 leaves with root links, in RTL."""

from collections.abc import Sequence
from itertools import pairwise

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, named
from fattree_bench.bench.result import Number, Test
from fattree_bench.families.xgft.claims.shared import accepted, means, results
from fattree_bench.words import number

TB = {"turnback-1-60": 1, "turnback-2-60": 2, "turnback-4-60": 4}  # turn-back channels
WP = {"possible-1-60": "turnback-1-60", "possible-2-60": "turnback-2-60"}  # TBWP, and TB
FLAT, VECTOR = "turnback-2-60", "vector-2-60"
LEAVES = 60
FEW = "possible-1-60"
MORE = 0.10  # part by which throughput rises that rises considerably
EQUAL = 0.05  # by which figures differ that are called equal


def more_turnback_channels(tests: Sequence[Test]) -> Measured:
    """What TB accepts under uniform traffic grows with the turn-back channels of a node."""
    rates = accepted(tests, "uniform")
    if not set(TB) <= set(rates):
        return NOTHING
    own = {channels: rates[name] for name, channels in TB.items()}
    text = ", ".join(f"{channels}: {100 * rate:.1f} %" for channels, rate in own.items())
    grows = all(less < more for less, more in pairwise(own.values()))
    return found(f"accepted by turn-back channels {text}", grows)


def shortest_turns(tests: Sequence[Test]) -> Measured:
    """TB: every pair arrives, none by a longer way than the shortest."""
    runs = [r for test, r in results(tests, "single_packets") if test.configuration in TB]
    longer = [run.figure("longer_ways") for run in runs]
    if not runs or None in longer:
        return NOTHING
    sent, arrived = (sum(getattr(run, name) for run in runs) for name in ("sent", "delivered"))
    far = sum(int(count or 0) for count in longer)
    text = f"{number(arrived)} of {number(sent)} packets arrived, {far} by longer ways"
    return found(text, arrived == sent == LEAVES**2 * len(runs) and far == 0)


def when_possible(tests: Sequence[Test]) -> Measured:
    """TBWP accepts considerably more than TB if turn-back channels are few; corrected: not less."""
    found_rates = means(tests, "saturation", "pattern")
    if not {*WP, *WP.values()} <= set(found_rates) or "uniform" not in found_rates[FEW]:
        return NOTHING
    gains = {
        (name, str(pattern)): figures["accepted"] / found_rates[other][pattern]["accepted"] - 1
        for name, other in WP.items()
        for pattern, figures in found_rates[name].items()
        if pattern in found_rates[other]
    }
    told = ", ".join(
        f"{100 * gains[name, 'uniform']:+.0f} %" for name in WP if (name, "uniform") in gains
    )
    least = min(gains.values())
    return Measured(
        Figure(f"uniform, 1 and 2 channels: {told}", gains[FEW, "uniform"] > MORE),
        Figure(f"least of {len(gains)} pairs: {100 * least:+.0f} %", least >= -EQUAL),
    )


def vectors_lead(tests: Sequence[Test]) -> Measured:
    """With addresses that are vectors the same packets take the same links."""
    own = {test.configuration: run for test, run in results(tests, "single_packets")}
    if not {FLAT, VECTOR} <= set(own) or not own[VECTOR].rows("levels"):
        return NOTHING
    flat, vector = own[FLAT], own[VECTOR]
    same = [_flits(row) for row in flat.rows("levels")] == [
        _flits(row) for row in vector.rows("levels")
    ]
    text = (
        f"{number(vector.delivered)} of {number(vector.sent)} packets arrived, "
        f"{'as many' if same else 'not as many'} flits on the links as with numbers"
    )
    return found(text, same and vector.delivered == vector.sent == LEAVES**2)


def _flits(row: dict[str, Number]) -> tuple[Number, Number]:
    return row["flits_up"], row["flits_down"]


MEASURES = named(more_turnback_channels, shortest_turns, when_possible, vectors_lead)
