"""Results of load-balanced switches, and what measures must say of them."""

from typing import Any

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNDECIDED
from fattree_bench.bench.result import Quantity, ScenarioResult, Test

USUAL: dict[str, Any] = {
    "family": "diagonal, load 0.95",
    "injection": "bernoulli",
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
) -> Test:
    """A test of a switch of 16 line cards on Verilator."""
    result = ScenarioResult(scenario, sent=16, delivered=16)
    result.figures = {"leaves": Quantity(16, "line cards"), "tries": Quantity(tries, "places")}
    result.measurements = [{**USUAL, **own} for own in figures]
    return Test("lbbvn_switch", configuration, {}, "verilator", seed, scenario, True, result)


def delay(latency: float, law: float, name: str = "smooth") -> dict[str, Any]:
    return {"family": name, "latency_mean": latency, "theory": law}


def heavy(latency: float, ideal: float, injection: str = "bernoulli") -> dict[str, Any]:
    means = {"latency_mean": latency, "ideal_mean": ideal}
    return {"family": injection, "injection": injection, "load": 0.9, **means}


def full(tries: int, accepted: float) -> Test:
    return run("saturation", {"accepted": accepted}, tries=tries)


def in_step(throughput: float) -> Test:
    return run("phase_locked", {"throughput": throughput})


OTHER = run("uniform", {})
SMOOTH = heavy(75.0, 4.2)

CASES: tuple[tuple[str, list[Test], str, str], ...] = (
    (
        "all_delivered",
        [run("throughput", {}), run("throughput", {}), in_step(0.0625)],
        CORRECTED,
        "as printed: delivered / offered at least 6.2%; as corrected: delivered / offered at "
        "least 100.0% (basic, diagonal, load 0.95), 1 mean over seeds",
    ),
    ("all_delivered", [run("throughput", {}), in_step(1.0)], HOLDS, "printed: delivered / offered"),
    (
        "all_delivered",
        [
            run("throughput", {}),
            run("throughput", {"family": "x", "throughput": 0.9}),
            in_step(1.0),
        ],
        FAILS,
        "printed: delivered / offered at least 90.0%; as corrected: delivered / offered at least "
        "90.0% (basic, x)",
    ),
    ("all_delivered", [run("throughput", {})], UNDECIDED, ""),
    # One configuration must not hide behind another.
    (
        "all_delivered",
        [
            run("throughput", {"throughput": 1.1}),
            run("throughput", {"throughput": 0.9}, configuration="ufs"),
            in_step(0.0625),
        ],
        FAILS,
        "90.0% (ufs",
    ),
    ("all_delivered", [OTHER], UNDECIDED, ""),
    ("phase_locked_too", [run("phase_locked", {"throughput": 0.0625})], FAILS, "6.25%"),
    ("phase_locked_too", [run("phase_locked", {})], HOLDS, "100.00%"),
    ("phase_locked_too", [OTHER], UNDECIDED, ""),
    ("balanced", [run("throughput", {}, {"family": "x", "unevenness": 1.2})], HOLDS, "1.20 (x)"),
    ("balanced", [run("throughput", {"unevenness": 16.0})], FAILS, "at most 16.00"),
    ("balanced", [OTHER], UNDECIDED, ""),
    (
        "delay_law",
        [run("delays", delay(10.4, 10.0)), run("delays", delay(9.8, 10.0), seed=2)],
        HOLDS,
        "slots: 10.1 for 10.0",
    ),
    (
        "delay_law",
        [run("delays", delay(11.0, 10.0)), run("delays", delay(11.01, 10.0), seed=2)],
        FAILS,
        "11.0 for 10.0",
    ),
    ("delay_law", [run("delays", {})], UNDECIDED, ""),
    (
        "comparable",
        [run("delays", heavy(75.0, 67.0, "frame:16"), SMOOTH)],
        HOLDS,
        "load 0.9: 1.12 times the ideal delay in bursts, 17.9 without",
    ),
    ("comparable", [run("delays", heavy(75.0, 40.0, "frame:16"), SMOOTH)], FAILS, "1.88 times"),
    ("comparable", [run("delays", SMOOTH)], UNDECIDED, ""),
    (
        "fabric_alike",
        [run("delays", {}), run("delays", {}, configuration="crossbar")],
        HOLDS,
        "1 of 1 run have the same mean delay on basic and crossbar",
    ),
    (
        "fabric_alike",
        [run("delays", {}), run("delays", {"latency_mean": 10.1}, configuration="crossbar")],
        FAILS,
        "0 of 1 run",
    ),
    (
        "fabric_alike",
        [run("delays", {}), run("delays", {}, configuration="crossbar", seed=2)],
        UNDECIDED,
        "",
    ),
    ("order_kept", [run("throughput", {}, {})], HOLDS, "0.00% of the cells overtaken in 2 runs"),
    ("order_kept", [run("throughput", {"overtaken": 0.001})], FAILS, "0.10%"),
    ("order_kept", [OTHER], UNDECIDED, ""),
    (
        "resequencer_bound",
        [run("delays", {"most_resequenced": 61})],
        HOLDS,
        "cells at most: N = 16: 61 of 257",
    ),
    ("resequencer_bound", [run("delays", {"most_resequenced": 258})], FAILS, "258 of 257"),
    ("resequencer_bound", [run("delays")], UNDECIDED, ""),
    (
        "mailbox_saturation",
        [full(2, 0.75), full(8, 0.9)],
        CORRECTED,
        "as printed: accepted 75% with 2 tries, 90% with 8 tries; as corrected: 75% with 2 tries",
    ),
    ("mailbox_saturation", [full(2, 0.7), full(8, 0.75)], HOLDS, "75% with 8 tries; as corr"),
    ("mailbox_saturation", [full(2, 0.6), full(8, 0.65)], FAILS, "corrected: 60% with 2 tries"),
    ("mailbox_saturation", [full(2, 0.75)], UNDECIDED, ""),
    ("mailbox_saturation", [OTHER], UNDECIDED, ""),
)
