"""Made-up measurements for the tests of what a sweep reports."""

from fattree_bench.explore.sweep import Curve, Runs
from fattree_bench.words import Units
from fattree_models.lbbvn_switch import Comparison
from fattree_models.traffic import Measurement, Spread

LOADS = (0.1, 0.2, 0.3, 0.4)


def made(
    load: float, latency: float, accepted: float | None = None, why: str = "", steady: bool = True
) -> Measurement:
    """A measurement with these means; accepted is offered if it is not given."""
    got = load if accepted is None else accepted
    whole = Spread(latency, 10.0, 3 * latency, latency, 2 * latency)
    return Measurement(load, got, 0.9 * got, whole, whole, 2.0, 1000, 0, steady, why, 0.0)


def run(shift: float = 0.0) -> dict[float, Measurement]:
    """A run of one seed that saturates between 0.2 and 0.3; `shift` moves its latencies."""
    return {
        0.1: made(0.1, 12 + shift),
        0.2: made(0.2, 15 + shift, steady=False),
        0.3: made(0.3, 300 + shift, 0.25, "accepted"),
        0.4: made(0.4, 400 + shift, 0.26, "accepted"),
    }


def curve(
    runs: Runs | None = None, varied: tuple[str, ...] = (), cost: int | None = 72, **variables: str
) -> Curve:
    """A curve with these runs, or with two; 14 clocks without load."""
    usual = {"NETWORK": "xgft", "M": "2,2", "ROUTING": "DMODK", "STAGES": "3", "TRAFFIC": "uniform"}
    found = {1: run(), 2: run(1.0)} if runs is None else runs
    about = ({**usual, **variables}, varied, Units(), 14.0, "14 clocks", LOADS)
    return Curve(*about, found, cost=cost, labelled=frozenset({"M", "STAGES", "VCS"}))


def compared(load: float, latency: float, overtaken: float = 0.0) -> Comparison:
    """A measurement of a load-balanced switch; the ideal one takes a tenth of the time."""
    ideal = Spread(latency / 10, 0.0, latency, latency / 10, latency / 2)
    return Comparison(
        **{**vars(made(load, latency)), "overtaken": overtaken},
        throughput=1.0,
        ideal=ideal,
        overtaken_cells=3,
        overtaken_slots=40,
        unevenness=1.0,
    )


def switch_curve(scheme: str, overtaken: float = 0.0) -> Curve:
    """A curve of a load-balanced switch, two seeds."""
    runs: Runs = {
        seed: {load: compared(load, 20 * load + seed, overtaken) for load in LOADS}
        for seed in (1, 2)
    }
    variables = {"NETWORK": "lbbvn_switch", "SCHEME": scheme, "TRAFFIC": "uniform:self"}
    law = {"BASIC in theory": [(0.1, 1.0), (0.9, 9.0)]}
    units = Units("slots", "cells", "line card")
    return Curve(variables, ("SCHEME",), units, float("nan"), "", LOADS, runs, law)
