"""Results of load-balanced switches, and what measures must say of them."""

from typing import Any

from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Quantity, ScenarioResult, Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided

USUAL: dict[str, Any] = {
    "family": "diagonal, load 0.95",
    "burst": 1.0,
    "load": 0.95,
    "throughput": 1.0,
    "unevenness": 1.0,
    "overtaken": 0.0,
    "most_resequenced": 0,
    "latency_mean": 10.0,
    "ideal_mean": 5.0,
    "theory": None,
}


def run(
    scenario: str,
    *figures: dict[str, Any],
    configuration: str = "basic",
    seed: int = 1,
    tries: int | None = None,
    transit: int = 5,
    settings: int | None = None,
) -> Test:
    """A test of a switch of 16 line cards on Verilator."""
    result = ScenarioResult(scenario, sent=16, delivered=16)
    result.figures = {
        "leaves": Quantity(16, "line cards"),
        "tries": Quantity(tries, "places"),
        "transit": Quantity(transit, "slots"),
        "settings": Quantity(settings, "rows"),
    }
    result.measurements = [{**USUAL, **own} for own in figures]
    return Test("lbbvn_switch", configuration, {}, "verilator", seed, scenario, True, result)


def delay(latency: float, law: float, name: str = "smooth") -> dict[str, Any]:
    return {"family": name, "latency_mean": latency, "theory": law}


def heavy(latency: float, ideal: float, burst: float = 1.0) -> dict[str, Any]:
    means = {"latency_mean": latency, "ideal_mean": ideal}
    return {"family": f"bursts of {burst}", "burst": burst, "load": 0.9, **means}


def full(tries: int, accepted: float) -> Test:
    return run("saturation", *[{"accepted": accepted}] * SEEDS, tries=tries)


def in_step(throughput: float) -> Test:
    figures = {"throughput": throughput, "unevenness": 1 / throughput, "family": "in step"}
    return run("phase_locked", figures)


def scheduled(throughput: float, rows: int = 32) -> Test:
    return run("throughput", {"throughput": throughput}, settings=rows)


OTHER = run("uniform", {})
SMOOTH = heavy(75.0, 4.2)
LONG = heavy(75.0, 67.0, 16.0)


def both(scenario: str, seed: int = 1, latency: float = 10.0) -> list[Test]:
    """A run with one fabric, and with two."""
    return [
        run(scenario, {}, configuration="lbbvn_switch-4-foff-gaps", seed=seed),
        run(
            scenario, {"latency_mean": latency}, configuration="lbbvn_switch-4-unfolded", seed=seed
        ),
    ]


CASES: Cases = {
    "all_delivered": (
        corrected(
            "as printed: delivered / offered at least 6.2%; as corrected: delivered / offered at "
            "least 100.0% (basic, diagonal, load 0.95), 1 mean over seeds",
            run("throughput", {}),
            run("throughput", {}),
            in_step(0.0625),
        ),
        holds("printed: delivered / offered", run("throughput", {}), in_step(1.0)),
        fails(
            "printed: delivered / offered at least 90.0%; as corrected: delivered / offered at "
            "least 90.0% (basic, x)",
            run("throughput", {}),
            run("throughput", {"family": "x", "throughput": 0.9}),
            in_step(1.0),
        ),
        undecided(run("throughput", {})),
        # One configuration must not hide behind another.
        fails(
            "90.0% (ufs",
            run("throughput", {"throughput": 1.1}),
            run("throughput", {"throughput": 0.9}, configuration="ufs"),
            in_step(0.0625),
        ),
        undecided(OTHER),
    ),
    "balanced": (
        corrected(
            "as printed: chi-square / degrees of freedom at most 1000.00 (in step); as corrected: "
            "chi-square / degrees of freedom at most 1.20 (x)",
            run("throughput", {}, {"family": "x", "unevenness": 1.2}),
            in_step(0.001),
        ),
        holds("at most 1.00", run("throughput", {}), in_step(1.0)),
        fails("most 16.00", run("throughput", {"unevenness": 16.0}), in_step(0.001)),
        # the traffic that contradicts it is left out
        undecided(run("throughput", {})),
        undecided(OTHER),
    ),
    "settings_in_advance": (
        holds(
            "delivered / offered at least 99.0% in 2 runs by settings written before; 0 of 2 tests",
            scheduled(1.0),
            scheduled(0.99),
            run("throughput", {"throughput": 0.5}),
        ),
        fails("at least 90.0%", scheduled(0.9)),
        fails("1 of 1 test with other", scheduled(1.0, 33)),
        undecided(run("throughput", {})),
    ),
    "delay_law": (
        holds(
            "slots: 10.1 (law: 10.0)",
            run("delays", delay(10.4, 10.0)),
            run("delays", delay(9.8, 10.0), seed=2),
        ),
        fails(
            "11.0 (law: 10.0)",
            run("delays", delay(11.0, 10.0)),
            run("delays", delay(11.01, 10.0), seed=2),
        ),
        undecided(run("delays", {})),
    ),
    "comparable": (
        corrected(
            "as printed: load 0.9: 1.34 times the ideal delay at most, bursts of 10 … 16 cells; "
            "as corrected: load 0.9: 1.12 times the ideal delay at most, bursts of 16 … 16 cells",
            run("delays", *[LONG, SMOOTH] * SEEDS),
            run("burst_lengths", *[heavy(75.0, 56.0, 10.0)] * SEEDS),
        ),
        holds(
            "as printed: load 0.9: 1.12 times",
            run("delays", *[LONG, SMOOTH] * SEEDS),
            run("burst_lengths", *[heavy(75.0, 67.0, 10.0)] * SEEDS),
        ),
        fails(
            "corrected: load 0.9: 1.88 times the ideal delay at most, bursts of 16 … 50",
            run("delays", *[LONG, SMOOTH] * SEEDS),
            run("burst_lengths", *[heavy(75.0, 56.0, 10.0), heavy(75.0, 40.0, 50.0)] * SEEDS),
        ),
        # no shorter bursts
        undecided(run("delays", *[LONG, SMOOTH] * SEEDS)),
        undecided(run("delays", SMOOTH)),
    ),
    "fabric_alike": (
        corrected(
            "as printed: from input to output 1.40 times as long at most on either fabric, 2 runs; "
            "as corrected: from input to output 1.08 times as long at most on either fabric, load "
            "0.9",
            run("delays", {}, heavy(70.0, 67.0), transit=11),
            run("delays", {}, heavy(70.0, 67.0), configuration="crossbar"),
        ),
        holds(
            "1.00 times",
            run("delays", {}, heavy(70.0, 67.0)),
            run("delays", {}, heavy(70.0, 67.0), configuration="crossbar"),
        ),
        fails(
            "corrected: from input to output 1.33 times",
            run("delays", heavy(95.0, 67.0)),
            run("delays", heavy(70.0, 67.0), configuration="crossbar"),
        ),
        undecided(run("delays", SMOOTH), run("delays", SMOOTH, configuration="crossbar", seed=2)),
    ),
    "order_kept": (
        holds("0.00% of the cells overtaken in 2 runs", run("throughput", {}, {})),
        fails("0.10%", run("throughput", {"overtaken": 0.001})),
        undecided(run("throughput")),
    ),
    "resequencer_bound": (
        holds("cells at most: N = 16: 61 of 257", run("delays", {"most_resequenced": 61})),
        fails("258 of 257", run("delays", {"most_resequenced": 258})),
        undecided(run("delays")),
    ),
    "mailbox_saturation": (
        corrected(
            "as printed: accepted by tries: 1: 60%, 2: 75%, 8: 90%; as corrected: "
            "accepted by tries: 1: 60%, 2: 75%",
            full(1, 0.6),
            full(2, 0.75),
            full(8, 0.9),
        ),
        holds("8: 75%; as corr", full(2, 0.7), full(8, 0.75)),
        fails("accepted by tries: 2: 60%", full(2, 0.6), full(8, 0.65)),
        # One configuration must not stand for those that carry more.
        fails("tries: 1: 85%", full(1, 0.85), full(2, 0.75), full(8, 0.9)),
        undecided(full(2, 0.75)),
        undecided(OTHER),
    ),
    "two_fabrics": (
        holds("2 of 2 runs alike in all their figures", *both("uniform"), *both("bursts", 2)),
        fails("1 of 2 runs alike", *both("uniform"), *both("bursts", 2, 11.0)),
        undecided(*both("uniform")[:1]),
    ),
}
