"""Points, saturation, table and CSV of a sweep, from measurements made by hand."""

import csv
import io
import json
import math

import pytest

from fattree_bench.explore.study.hardware import Hardware
from fattree_bench.explore.sweep import measurement, table, to_csv
from fattree_bench.families.xgft.network import Xgft
from fattree_models.lbbvn_switch import Comparison
from fattree_models.traffic import Measurement
from tests.tb.explore.samples import compared, curve, made, run, switch_curve

T2 = 12.706204736432095  # Student's t, 97.5 %, one degree of freedom


def test_points_have_means_and_confidence() -> None:
    first, second, third, _ = curve().points
    assert (first.load, first.seeds, first.steady, first.saturated) == (0.1, 2, 2, 0)
    latency = first.figures["latency_mean"]
    assert latency.mean == 12.5
    # Two values a unit apart: s = 1 / sqrt 2, and s / sqrt 2 is a half.
    assert latency.half_width == pytest.approx(T2 / 2)
    assert (second.steady, third.saturated) == (0, 2)


def test_seeds_may_end_at_different_loads() -> None:
    """A refined load, and what lies beyond the end of one seed, have fewer seeds."""
    short = {0.1: made(0.1, 12), 0.2: made(0.2, 90, why="latency"), 0.15: made(0.15, 13)}
    found = curve({1: run(), 2: short})
    assert [(p.load, p.seeds) for p in found.points] == [
        *((0.1, 2), (0.15, 1), (0.2, 2), (0.3, 1), (0.4, 1))
    ]
    assert [p.load for p in found.drawn] == [0.1, 0.2, 0.3, 0.4]
    assert math.isnan(found.points[1].figures["latency_mean"].half_width)


def test_saturation_over_seeds() -> None:
    """Seed 1 between 0.2 and 0.3, seed 2 between 0.15 and 0.2: means of both, and their range."""
    short = {0.2: made(0.2, 90, 0.18, "latency"), 0.1: made(0.1, 12), 0.15: made(0.15, 13)}
    found = curve({1: run(), 2: short}).saturation
    assert found.load.mean == pytest.approx((0.25 + 0.175) / 2)
    # Confidence over the seeds, and half of the wider interval.
    assert found.load.half_width == pytest.approx(T2 * (0.25 - 0.175) / 2 + 0.05)
    assert (found.low, found.high) == (0.15, 0.3)
    assert found.throughput.mean == pytest.approx((0.26 + 0.18) / 2)
    assert found.end.mean == pytest.approx((0.26 + 0.18) / 2)  # at 0.4 and at 0.2
    assert found.end_least.mean == pytest.approx(0.9 * (0.26 + 0.18) / 2)


def test_no_saturation() -> None:
    calm = {load: made(load, 12) for load in (0.1, 0.2)}
    found = curve({1: calm, 2: calm})
    assert math.isnan(found.saturation.load.mean)
    assert found.saturation.low == 0.2
    (row,) = table([found])
    assert (row["saturates at"], row["between"]) == ("> 0.2", "")


def test_some_seeds_saturate() -> None:
    calm = {load: made(load, 12) for load in (0.1, 0.2, 0.3)}
    found = curve({1: calm, 2: run()}).saturation
    assert found.load.mean == 0.25
    assert math.isnan(found.high)


def test_the_table_tells_what_matters() -> None:
    short = curve({1: run()}, ("ROUTING", "VCS"), VCS="1")
    (row,) = table([short])
    assert row == {
        "": "DMODK VCS=1",
        "no load": "14.00",
        "at 0.1": "12.00",
        "at 0.2": "15.00",
        "saturates at": "0.250",
        "between": "0.2 … 0.3",
        "accepts": "0.260",
        "at the end": "0.260",
        "least node": "0.234",
        "overtaken": "0.0%",
    }
    (row,) = table([curve()])
    assert row["at 0.1"] == f"12.50 ± {T2 / 2:.2f}"


def test_the_table_has_costs_that_differ() -> None:
    rows = table([curve(), curve(cost=90)])
    assert [row["cost"] for row in rows] == ["72", "90"]
    assert "cost" not in table([curve(), curve(cost=None)])[0]
    row, *_ = csv.DictReader(io.StringIO(to_csv([curve()])))
    assert row["cost"] == "72"


def test_the_table_has_hardware_and_sizes() -> None:
    """A network without links that are counted has no wires."""
    small, large = curve(), curve(M="4,4")
    for one, leaves, has in (
        (small, 4, Hardware(9000, 7, 64, 80)),
        (large, 16, Hardware(9, 0, 6, 0)),
    ):
        object.__setattr__(one, "leaves", leaves)
        object.__setattr__(one, "hardware", has)
    rows = table([small, large])
    titles = ("leaves", "no load", "saturates at", "overtaken", "gates", "queue bits", "wires")
    assert tuple(rows[0])[: len(titles) + 1] == ("", *titles)  # what a survey compares comes first
    few, many = ([row[title] for title in (titles[0], *titles[4:])] for row in rows)
    assert (few, many) == (["4", "9,000", "64", "80"], ["16", "9", "6", ""])
    assert rows[0]["flip-flops"] == "7"
    assert "gates" not in to_csv([curve()])


def test_the_table_has_few_loads_and_says_which_are_saturated() -> None:
    late = {load / 100: made(load / 100, 20) for load in range(1, 41)}
    early = {0.01: made(0.01, 20), 0.14: made(0.14, 99, why="latency")}
    found = [curve({1: late}), curve({1: early}, ("ROUTING",), ROUTING="TWO")]
    for one in found:
        object.__setattr__(one, "loads", tuple(late))
    rows = table(found)
    titles = [title for title in rows[0] if title.startswith("at 0")]
    assert titles == ["at 0.01", "at 0.14", "at 0.27", "at 0.4"]
    assert [rows[1][title] for title in titles] == ["20.00", "saturated", "saturated", "saturated"]


def test_zero_load_is_explained() -> None:
    variables = {"M": "4,4", "W": "1,2", "STAGES": "2", "FLITS": "4", "TRAFFIC": "bitcomp"}
    network = Xgft.from_variables(variables)
    zero_load, explained = network.swept.zero_load(network)
    assert zero_load == 1 + 3 * (2 + 1) + 4 - 1  # all turn at the top: 3 switches
    assert explained == (
        "1 + hops x (STAGES + 1) + flits - 1 = 1 + 3.000 x (2 + 1) + 4 - 1 = 13.00 clocks"
    )


def test_csv() -> None:
    text = to_csv([curve(), curve({1: run()}, ROUTING="TWO", M="4,4")])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 8
    first, *_, last = rows
    assert (first["NETWORK"], first["M"], first["load"]) == ("xgft", "2,2", "0.1")
    assert (first["seeds"], first["steady"], first["saturated"]) == ("2", "2", "0")
    assert (float(first["zero_load"]), float(first["latency_mean"])) == (14.0, 12.5)
    assert float(first["latency_mean_ci95"]) == pytest.approx(T2 / 2, rel=1e-5)
    assert float(first["accepted_minimum"]) == pytest.approx(0.09)
    assert (last["ROUTING"], last["M"], last["saturated"]) == ("TWO", "4,4", "1")
    assert last["latency_p99_ci95"] == ""  # of one seed: no number, and no NaN either
    figures = made(0.1, 12).figures()
    assert set(figures) | {f"{name}_ci95" for name in figures} <= set(first)


def test_csv_of_nothing() -> None:
    assert to_csv([]) == to_csv([curve({})]) == ""


def test_measurements_come_back_as_they_went() -> None:
    before = made(0.3, 40, 0.2, "accepted", steady=False)
    left = {**before.figures(), "stable": before.stable, "saturation": before.saturation}
    assert measurement(json.loads(json.dumps(left)), Measurement) == before


def test_the_table_of_switches_has_the_ideal_one_and_the_order() -> None:
    basic, foff, ideal = table([switch_curve("BASIC", 0.2), switch_curve("FOFF")])
    assert (basic["no load"], basic["overtaken"], basic["by cells"]) == ("", "20.0%", "3")
    assert foff["overtaken"] == "0.0%"
    assert ideal[""] == "ideal switch, uniform:self"
    assert ideal["at 0.1"].startswith("0.35 ±")  # a tenth of 3.5
    assert ideal["accepts"] == ""


def test_comparisons_come_back_as_they_went() -> None:
    before = compared(0.3, 40, 0.1)
    left = {**before.figures(), "stable": before.stable, "saturation": before.saturation}
    assert measurement(json.loads(json.dumps(left)), Comparison) == before
