"""`make bench`: what the environment costs, beside a bare Verilated model that nobody checks."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.table import Table

from fattree_bench.errors import UserError
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn_switch.traffic import BENCH_CELLS
from fattree_bench.families.xgft.traffic import BENCH_LOAD
from fattree_bench.paths import ROOT
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, Built, build
from fattree_bench.sim.simulate import run_module
from fattree_bench.speed.bare import Bare, build_bare
from fattree_models.leiserson.measure import mean_ratios


@dataclass(frozen=True)
class Case:
    """A network and simulator to measure, and which kinds of stimulus."""

    sim: str
    values: dict[str, str]
    kinds: tuple[str, ...] = ("repeated", "fresh")

    def __str__(self) -> str:
        return f"{self.sim} " + " ".join(f"{k}={v}" for k, v in self.values.items())

    def chosen(self, wanted: dict[str, str]) -> bool:
        """Whether the variables that were given leave it."""
        own = {"SIM": self.sim, "NETWORK": "lbbvn", **self.values}
        return all(own.get(name) == value for name, value in wanted.items())


def _lbbvn(sim: str, leaves: int, control: str, *kinds: str) -> Case:
    return Case(sim, {"N": str(leaves), "CONTROL": control}, kinds)


def _kary(sim: str, k: int, levels: int) -> Case:
    return Case(sim, {"NETWORK": "kary", "K": str(k), "LEVELS": str(levels)})


def _leiserson(sim: str, processors: int, root: int) -> Case:
    return Case(sim, {"NETWORK": "leiserson", "N": str(processors), "W": str(root)})


def _switch(sim: str, leaves: int, scheme: str) -> Case:
    return Case(sim, {"NETWORK": "lbbvn_switch", "N": str(leaves), "SCHEME": scheme})


CASES = (
    *(_lbbvn("verilator", n, "SCHEDULED", "repeated") for n in (16, 64, 256, 1024)),
    *(_lbbvn("verilator", n, "SELF", "repeated", "fresh", "classic") for n in (16, 64)),
    *(_lbbvn("verilator", n, "SELF", "repeated", "fresh") for n in (256, 1024)),
    *(_lbbvn("icarus", n, "SELF", "repeated", "fresh", "classic") for n in (16, 64)),
    *(_switch("verilator", n, scheme) for n in (16, 64) for scheme in ("BASIC", "FOFF")),
    _switch("icarus", 16, "FOFF"),
    *(_leiserson("verilator", n, w) for n, w in ((16, 16), (64, 16), (64, 64), (256, 64))),
    _leiserson("icarus", 16, 16),
    *(_kary("verilator", 4, levels) for levels in (2, 3, 4)),
    _kary("icarus", 4, 2),
)


ROUNDS = 3
COVERAGE_LEAVES = 64  # the size at which the cost of functional coverage is measured


def positive(name: str, value: str) -> float:
    """A positive number; UserError otherwise."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 3600:
        raise UserError(f"{name}={value}: must be a number of seconds, above 0 and below 3600")
    return number


def better(figures: dict[str, Any], kind: str, new: dict[str, Any]) -> None:
    """Keep the faster of two measurements; one that found a fault is never faster."""
    old = figures.get(kind)
    if old is None or (
        old["passed"]
        and (not new["passed"] or new["packets"] / new["seconds"] > old["packets"] / old["seconds"])
    ):
        figures[kind] = new


def run(console: Console, values: dict[str, str]) -> int:
    """Measure all cases, or those that the variables in `names` leave."""
    seconds = positive("SECONDS", values.pop("SECONDS", "1.5"))
    names = ("NETWORK", "SIM", "N", "CONTROL", "SCHEME", "W", "K", "LEVELS")
    wanted = {k: values.pop(k) for k in names if k in values}
    cases = [case for case in CASES if case.chosen(wanted)]
    if not cases:
        given = " ".join(f"{k}={w}" for k, w in wanted.items())
        raise UserError(f"{given}: no such case; there is {'; '.join(map(str, CASES))}")
    parts: list[tuple[str, dict[str, Any]]] = []
    failed = False
    folder = ROOT / values.get("BUILD", "build") / "bench"
    shutil.rmtree(folder, ignore_errors=True)  # builds are measured cold
    tables: dict[str, Table] = {}
    for case in cases:
        console.print(f"measuring {case} …", soft_wrap=True)
        settings = v.check({**values, "SIM": case.sim, **case.values, "BUILD": str(folder)})
        built = build(settings, "FRAME")
        bare = build_bare(settings) if case.sim == "verilator" else None
        figures: dict[str, Any] = {}
        for _ in range(ROUNDS):  # in turns, and the best of each: the machine is shared
            if bare:
                bare.measure(seconds)
            for kind in case.kinds:
                if kind != "classic":
                    better(figures, kind, measure(settings, built, kind, seconds))
                    if settings.network.leaves == COVERAGE_LEAVES:
                        blind = replace(settings, coverage=False)
                        better(figures, f"{kind} blind", measure(blind, built, kind, seconds))
        if "classic" in case.kinds:
            figures["classic"] = measure(settings, build(settings, "CLASSIC"), "classic", seconds)
        failed |= not all(f["passed"] for f in figures.values())
        table = tables.setdefault(settings.network.name, rates(settings.network.name))
        table.add_row(case.sim, *list(case.values.values())[-2:], *columns(bare, figures, built))
        parts += [(f"{case} {k}", f) for k, f in figures.items()]
    for table in tables.values():
        console.print(table)
    console.print(breakdown(parts))
    if "lbbvn" in tables:
        console.print(
            "lbbvn: LOWER_BOUND; fresh: a random permutation a slot, all losses predicted"
        )
    if "lbbvn_switch" in tables:
        console.print(f"lbbvn_switch: uniform traffic, {BENCH_CELLS:g} cells a line card and slot")
    if "kary" in tables:
        console.print(
            f"kary: uniform traffic, {BENCH_LOAD:g} flits a leaf and clock, 1 … 16 flits a packet; "
            "a flit-hop is a flit that leaves a switch"
        )
    if "leiserson" in tables:
        console.print("leiserson: random permutations, each sent once, all losses predicted")
        if not wanted or wanted == {"NETWORK": "leiserson"}:
            for table in schedulers():
                console.print(table)
    return 1 if failed else 0


def rates(network: str) -> Table:
    """The table of one network, without rows."""
    named = {"leiserson": "messages", "kary": "flit-hops", "lbbvn_switch": "cells"}
    what = named.get(network, "packets")
    sizes = {
        "leiserson": ("leaves", "W"),
        "kary": ("K", "levels"),
        "lbbvn_switch": ("line cards", "scheme"),
    }
    first, second = sizes.get(network, ("leaves", "control"))
    table = Table(title=f"{network}: millions of {what} a CPU second, all verified", box=None)
    for title in (
        "simulator",
        first,
        second,
        "bare",
        "verified",
        "ratio",
        "fresh",
        "ratio",
        "coverage costs %",
        "classic",
        "frame/classic",
        "build s",
        "bare build s",
        "MiB",
        "bare MiB",
    ):
        table.add_column(title, justify="right")
    return table


def schedulers() -> Iterator[Table]:
    """Off-line scheduling: time and memory against the number of messages; how good they are."""
    title = "off-line scheduling of random messages among 65,536 processors, W = 1626, one core"
    growth = Table(title=title, box=None)
    for name in ("scheduler", "messages", "least", "cycles", "CPU s", "peak MiB"):
        growth.add_column(name, justify="right")
    for scheduler in ("THEOREM1", "PER_LEVEL", "GREEDY"):
        for count in (10_000, 100_000, 1_000_000):
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "fattree_bench.families.leiserson.schedule_speed",
                    scheduler,
                    str(count),
                ],
                check=True,
                capture_output=True,
                text=True,
                cwd=ROOT,
            )
            growth.add_row(scheduler, f"{count:,}", *done.stdout.split())
    yield growth
    names = ("THEOREM1", "PER_LEVEL", "GREEDY", "ITERATED", "BALANCED")
    quality = Table(title="mean of d / ceil(load factor), 20 random 8-relations", box=None)
    for name in ("n", "W", *names):
        quality.add_column(name, justify="right")
    for n, root in ((16, 7), (64, 16), (64, 64)):
        means = mean_ratios(n, root, 20, names, seed=1)
        quality.add_row(str(n), str(root), *(f"{means[name]:.2f}" for name in names))
    yield quality


def columns(bare: Bare | None, figures: dict[str, Any], built: Built) -> Iterator[str]:
    """The figures of one case, in the order of the table."""
    rate = {k: f["packets"] / f["seconds"] for k, f in figures.items()}

    def ratio(name: str) -> str:
        return f"{rate[name] / bare.rate:.2f}" if bare and name in rate else ""

    def millions(name: str) -> str:
        return f"{rate[name] / 1e6:.3g}" if name in rate else ""

    yield f"{bare.rate / 1e6:.3g}" if bare else ""
    yield millions("repeated")
    yield ratio("repeated")
    yield millions("fresh")
    yield ratio("fresh")
    yield " / ".join(
        f"{100 * (1 - rate[kind] / rate[f'{kind} blind']):.0f}"
        for kind in ("repeated", "fresh")
        if f"{kind} blind" in rate
    )
    yield millions("classic")
    yield f"{rate['repeated'] / rate['classic']:.0f}" if "classic" in rate else ""
    yield f"{built.seconds:.0f}"
    yield f"{bare.build_seconds:.0f}" if bare else ""
    yield f"{max(f['memory_kib'] for f in figures.values()) / 1024:.0f}"
    yield f"{bare.memory_mib:.0f}" if bare else ""


def breakdown(parts: list[tuple[str, dict[str, Any]]]) -> Table:
    """Where the time of a frame goes."""
    names = [
        "simulator",
        "stimulus to memory",
        "random stimulus",
        "prediction",
        "scoreboard",
        "coverage",
    ]
    table = Table(title="where the CPU time of a frame goes, per cent", box=None)
    table.add_column("")
    for name in [*names, "pyuvm and cocotb"]:
        table.add_column(name, justify="right")
    for label, figures in parts:
        if "classic" in label or "blind" in label:
            continue
        spent = dict(figures["parts"])
        spent["scoreboard"] = spent.get("scoreboard", 0.0) - spent.get("coverage", 0.0)
        share = [100 * spent.get(name, 0.0) / figures["seconds"] for name in names]
        table.add_row(label, *(f"{s:.1f}" for s in share), f"{max(0.0, 100 - sum(share)):.1f}")
    return table


def measure(settings: v.Variables, built: Built, stimulus: str, seconds: float) -> Any:
    """Play one kind of stimulus through the whole pyuvm environment."""
    network = settings.network
    rows = 16 if stimulus == "classic" else network.traffic_rows(settings.sim)
    if isinstance(network, Lbbvn) and network.control == "SCHEDULED" and rows >= network.leaves:
        rows = -(-rows // network.leaves) * network.leaves
    folder, problem = run_module(
        settings,
        built,
        "fattree_bench.speed.entry",
        {
            "scenarios": [],
            "rows": rows,
            "stimulus": stimulus,
            "cpu_seconds": seconds,
        },
    )
    figures = folder / "figures.json"
    if problem or not figures.exists():
        raise BuildError(f"the benchmark did not finish: {problem}; log: {folder / 'sim.log'}")
    return json.loads(figures.read_text())
