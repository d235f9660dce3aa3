"""Measures CLOSE=1 against the order of the testplan: `python -m tests.tb.regress.closing`.

Words: CASES, SEEDS=n, FAULTS=n (faulty designs of a case).  ± is half an interval of 95 %.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from tempfile import mkdtemp

import numpy as np
from rich.console import Console

from fattree_bench.bench.chosen import unpacked
from fattree_bench.families import scenarios
from fattree_bench.paths import ROOT
from fattree_bench.regress.chooser import Arm, counted
from fattree_bench.regress.close import AT_ONCE, Closing, Regression
from fattree_bench.shrink.tries import Simulators
from fattree_bench.sim import variables as v
from tests.tb.faults.faulty import Faulty, families

CASES = {  # configuration of the testplan and variables of its faults; or a description
    "lbbvn": ("lbbvn-8", "N=8"),
    "leiserson": ("leiserson-4", "NETWORK=leiserson N=4"),
    "xgft": ("kary-4", "NETWORK=kary K=2 LEVELS=2 FORM=HARDWARE"),
    "router": ("tests/tb/families/foreign/designs/router.toml", ""),
}
NONE = '{"bins": {}, "steps": 0, "faults": {}, "sent": 0}'
Ran = tuple[Mapping[str, str], int, bool]  # bins, clocks, whether it passed
Play = Callable[[Arm, int], Ran]


@cache
def closing(name: str) -> tuple[Closing, list[str]]:
    given = {"CLOSE": "1", "SIM": "icarus", "TIER": "nightly", "BUILD": "build"}
    design = {"DESIGN": name, "NETWORK": "foreign"} if name.endswith(".toml") else {}
    given |= design or {"NETWORK": name.partition("-")[0]}
    regress = Regression(Console(quiet=True), given)
    if not design:  # the others take long to be made
        for other in {*regress.plan.configurations} - {name}:
            del regress.plan.configurations[other]
    (made,) = regress.closings.values()
    made.payloads = {t: x for t, x in made.payloads.items() if x["agent"] == "FRAME"}
    made.chooser.closes = {t: x for t, x in made.chooser.closes.items() if t in made.payloads}
    return made, [test for test in made.payloads if test != "directed"]


@contextmanager
def player(name: str, fault: Faulty | None = None) -> Iterator[Play]:
    values = next(iter(closing(name)[0].payloads.values()))["values"]
    folder = Path(mkdtemp())
    if fault is not None:
        fault.apply(Path(shutil.copytree(ROOT / "rtl", folder / "rtl")))
        values = values | {"RTL": str(folder / "rtl")}
    settings, place, simulators = v.check(values), folder / "try", Simulators(values, folder)
    known = scenarios(settings.network)

    def play(arm: Arm, seed: int) -> Ran:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        stimulus = dict(arm.stimulus) or {"rows": str(settings.rows)}
        asked = {"place": str(place), "limit": 60, "recorded": "", "seed": seed}
        asked |= {"variables": settings.network.variables(), "coverage": True}
        asked |= {"rows": int(stimulus.get("rows", settings.rows)), "stimulus": stimulus}
        line = simulators._line(settings, known[arm.test].agent, known[arm.test].agent)
        line.send(asked | {"scenarios": [arm.test]})
        line.recv()
        left = place / "results.jsonl"
        found = json.loads(left.read_text() if left.exists() else NONE)
        return found["bins"], found["steps"], not found["faults"] and found["sent"] > 0

    try:
        yield cache(play)
    finally:
        simulators.close()
        shutil.rmtree(folder)


def planned(name: str, play: Play, seed: int) -> Iterator[Ran]:
    for turn in range(3):  # seeds, one after the other
        yield from (play(Arm(test), seed + turn) for test in closing(name)[1])


def until_closed(made: Closing, play: Play, seed: int) -> Iterator[Ran]:
    chooser, turn = made.chooser, 0
    chooser.rng = np.random.default_rng(seed)
    while chooser.left and not chooser.dried_up() and (arms := chooser.choose(AT_ONCE)):
        for arm in arms:
            ran = play(arm, seed + turn)
            chooser.learn(arm, *ran[:2])
            chooser.gone |= set() if ran[2] else {arm.test}
            yield ran
        turn += 1


def measure(name: str, play: Play, seed: int) -> tuple[int, int, int, int]:
    """Bins that the plan hits, its clocks until the last is new, those of CLOSE=1, what it left."""
    made, last, spent = deepcopy(closing(name)[0]), 0, 0
    goals = {name: bins.copy() for name, bins in made.chooser.open.items()}
    for bins, clocks, _ in planned(name, play, seed):
        spent, before = spent + clocks, counted(goals)
        for group, left in goals.items():
            hit = unpacked(bins.get(group, ""), left.size).reshape(left.shape)
            goals[group] = left & ~hit
        last = spent if counted(goals) < before else last
    for group, missed in goals.items():
        made.chooser.open[group] &= ~missed
    wanted = counted(made.chooser.open)
    assert all(passed for _, _, passed in until_closed(made, play, seed))
    return wanted, last, made.chooser.clocks, counted(made.chooser.left)


def until_failed(runs: Iterator[Ran]) -> tuple[int, bool]:
    clocks, passed = 0, True
    while passed and (ran := next(runs, None)):
        clocks, passed = clocks + ran[1], ran[2]
    return clocks, not passed


def found(name: str, play: Play, seed: int) -> tuple[int, int] | None:
    first, failed = until_failed(planned(name, play, seed))
    clocks, sooner = until_failed(until_closed(deepcopy(closing(name)[0]), play, seed))
    return (first, clocks + first * (not sooner)) if failed or sooner else None


def spread(some: list[float]) -> str:
    half = 1.96 * stdev(some) / len(some) ** 0.5 if len(some) > 1 else float("nan")
    return f"{mean(some):.0f} ± {half:.0f}"


def closed_bins(case: str, seeds: int) -> None:
    with player(CASES[case][0]) as play:
        rows = [measure(CASES[case][0], play, 1 + 100 * number) for number in range(seeds)]
    fewer = [100 * (1 - close / plan) for _, plan, close, _ in rows]
    plan, close = (spread([float(row[column]) for row in rows]) for column in (1, 2))
    left = sum(row[3] for row in rows)
    print(f"| {case} | {rows[0][0]} | {plan} | {close} | {spread(fewer)} | {left} |", flush=True)


def found_faults(case: str, count: int) -> None:
    name, variables = CASES[case]
    own = [f for f in families().get(case, []) if f.variables.split(" TEST=")[0] == variables]
    both = []
    for fault in own[:: -(-len(own) // count) or 1]:
        with player(name, fault) as play:
            both += [times] if (times := found(name, play, 1)) else []
    if both:
        plan, close = (spread([float(x[column]) for x in both]) for column in (0, 1))
        sooner, later = sum(b < a for a, b in both), sum(b > a for a, b in both)
        print(f"| {case} | {len(both)} | {plan} | {close} | {sooner} | {later} |", flush=True)


def main(words: list[str]) -> None:
    given = dict(word.split("=") for word in words if "=" in word)
    cases = [word for word in words if "=" not in word] or [*CASES]
    for job, count in (
        (closed_bins, given.get("SEEDS", 3)),
        (found_faults, given.get("FAULTS", 8)),
    ):
        for case in cases if int(count) else ():
            job(case, int(count))


if __name__ == "__main__":
    main(sys.argv[1:])
