"""Which points CONFIRM=1 looks at, and what it says of them."""

import math
from typing import Any

from fattree_bench.explore.confirm import Confirmation, bracket, compared, difference, summary
from fattree_models.traffic import Measurement
from tests.tb.explore.samples import made, run


def figures(of: dict[float, Measurement]) -> list[dict[str, Any]]:
    return [{"load": load, **m.figures()} for load, m in of.items()]


def test_the_loads_between_which_a_run_saturates() -> None:
    assert bracket(run()) == (0.2, 0.3)


def test_whatever_there_is_of_them() -> None:
    assert bracket({}) == ()
    assert bracket({0.2: made(0.2, 10), 0.1: made(0.1, 9)}) == (0.2,)
    assert bracket({0.1: made(0.1, 900, 0.05, "accepted")}) == (0.1,)


def test_the_first_figure_that_differs_is_named() -> None:
    one = {"latency_mean": 10.5, "hops": 2.0, "zero_load": math.nan}
    assert difference(one, dict(one)) == ""
    assert difference(one, one | {"hops": 3.0}) == "hops is 3.0 in RTL, 2.0 in the model"
    output = difference(one, one | {"latency_mean": 11.0, "hops": 3.0})
    assert output == "latency_mean is 11.0 in RTL, 10.5 in the model; 1 more differ"
    assert difference(one, None) == "not measured in RTL"


def test_points_are_told_by_name() -> None:
    model, rtl = figures(run()), figures({**run(), 0.3: made(0.3, 301, 0.25, "accepted")})
    same, other = compared("TWO", 2, (0.2, 0.3), model, rtl)
    assert same == Confirmation("TWO", 2, 0.2)
    assert other.told.startswith("TWO seed 2, load 0.3: latency_mean is 301 in RTL, 300.0 in")
    (nothing,) = compared("TWO", 2, (0.2,), model, [])
    assert nothing.differs == "not measured in RTL"


def test_the_summary_puts_seeds_of_the_same_loads_together() -> None:
    found = [Confirmation("TWO", seed, load) for seed in (1, 2) for load in (0.2, 0.3)]
    found.append(Confirmation("DMODK", 1, 0.4, "hops is 3.0 in RTL"))
    assert summary(found) == "4 of 5 points near saturation; TWO at 0.2 and 0.3 (seed 1, 2)"
