"""Measures of turn-back routing on the OXGFT paper's tree of 60 leaves with root links, in RTL."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found
from fattree_bench.bench.means import SEEDS, Mean, shares, spread
from fattree_bench.bench.result import Number, Test
from fattree_bench.bench.wormhole.claims import accepted_by, results
from fattree_bench.words import number

TB = {"tb-1-60": 1, "tb-2-60": 2, "tb-4-60": 4}  # turn-back channels
FEW = {"tb-1-60": 0, "possible-1-60": 1}  # TB and TBWP with one channel
FLAT, VECTOR = "tb-2-60", "vector-2-60"
LEAVES = 60
MORE = 0.10  # part by which throughput rises that rises considerably


def more_turnback_channels(tests: Sequence[Test]) -> Measured:
    """What TB accepts under uniform traffic grows with the turn-back channels of a node."""
    own = accepted_by(tests, "uniform", TB)
    if not own:
        return NOTHING
    grows = all(less.high < more.low for less, more in pairwise(own.values()))
    return found(f"accepted by turn-back channels {shares(own, 1)}", grows)


def when_possible(tests: Sequence[Test]) -> Measured:
    """TBWP accepts no more than TB, uniform or to neighbours; corrected: uniform."""
    local: dict[str, list[float]] = {name: [] for name in FEW}
    for test, result in results(tests, "climbing_on"):
        if (rate := result.figure("flit_rate")) is not None and test.configuration in local:
            local[test.configuration].append(rate)
    rates = accepted_by(tests, "uniform", FEW)
    if not rates or min(map(len, local.values())) < SEEDS:
        return NOTHING
    usual = _hardly_more("accepted, uniform", rates.values())
    near = _hardly_more("neighbours", map(Mean, local.values()))
    return Measured(Figure(f"{usual.text}; {near.text}", usual.holds and near.holds), usual)


def _hardly_more(pattern: str, rates: Iterable[Mean]) -> Figure:
    """TBWP accepts no more than TB, or hardly."""
    less, more = rates
    text = f"{pattern}: TB {100 * less:.1f} %, TBWP {100 * more:.1f} %"
    text = f"{text} ({100 * (more / less - 1):+.0f} %), {spread((less, more))}"
    return Figure(text, more.high <= (1 + MORE) * less.low)


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
