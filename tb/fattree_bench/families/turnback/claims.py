"""Measures of turn-back routing on the OXGFT paper's tree of 60 leaves with root links, in RTL."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found
from fattree_bench.bench.result import Number, Test
from fattree_bench.bench.wormhole.claims import accepted, results
from fattree_bench.words import number

TB = {"tb-1-60": 1, "tb-2-60": 2, "tb-4-60": 4}  # turn-back channels
FEW = ("tb-1-60", "possible-1-60")  # TB and TBWP with one channel
FLAT, VECTOR = "tb-2-60", "vector-2-60"
LEAVES = 60
MORE = 0.10  # part by which throughput rises that rises considerably


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
    """TBWP accepts no more than TB, uniform or to neighbours; corrected: uniform."""
    local = {
        test.configuration: rate
        for test, result in results(tests, "climbing_on")
        if (rate := result.figure("flit_rate")) is not None
    }
    usual, near = _gain("uniform", accepted(tests, "uniform")), _gain("neighbours", local)
    if not (usual.text and near.text):
        return NOTHING
    printed = Figure(f"{usual.text}; {near.text}", not (usual.holds or near.holds))
    return Measured(printed, Figure(usual.text, not usual.holds))


def _gain(pattern: str, rates: Mapping[str, float]) -> Figure:
    """By how much more TBWP accepts than TB."""
    if not set(FEW) <= set(rates):
        return Figure("")
    less, more = (rates[name] for name in FEW)
    text = f"accepted, {pattern}: TB {100 * less:.1f} %, TBWP {100 * more:.1f} %"
    return Figure(f"{text} ({100 * (more / less - 1):+.0f} %)", more / less - 1 > MORE)


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
