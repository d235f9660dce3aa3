"""`make bench`: what the environment costs, beside a bare Verilated model that nobody checks."""

import json
import shutil
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from fattree_bench.errors import UserError
from fattree_bench.families import DEFAULT, find, offered
from fattree_bench.families.speed import Case, Speed, speed_of
from fattree_bench.paths import ROOT
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, Built, build
from fattree_bench.sim.simulate import run_module
from fattree_bench.speed.bare import Bare, build_bare

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


def label(case: Case) -> str:
    """As a user would write it."""
    named = {} if case.network == DEFAULT else {"NETWORK": case.network}
    return " ".join([case.sim, *(f"{k}={x}" for k, x in {**named, **case.values}.items())])


def choose(values: dict[str, str]) -> tuple[list[Case], dict[str, str]]:
    """The cases that the variables leave, and the variables that are for all of them.

    A network without cases has one: with whatever variables are given.
    """
    cases = [case for _, speed in offered("speed", "SPEED") for case in speed.cases]
    network = values.get("NETWORK", "")
    if network and not any(case.network == network for case in cases):
        own = {p.name: values[p.name] for p in find(network).parameters if p.name in values}
        rest = {k: x for k, x in values.items() if k not in ("NETWORK", "SIM", *own)}
        return [Case(values.get("SIM", v.SIMS[0]), network, own)], rest
    names = {"NETWORK", "SIM", *(name for case in cases for name in case.values)}
    wanted = {k: x for k, x in values.items() if k in names}
    chosen = []
    for case in cases:
        own = {"SIM": case.sim, "NETWORK": case.network, **case.values}
        if all(own.get(name) == value for name, value in wanted.items()):
            chosen.append(case)
    if not chosen:
        given = " ".join(f"{k}={w}" for k, w in wanted.items())
        raise UserError(f"{given}: no such case; there is {'; '.join(map(label, cases))}")
    return chosen, {k: x for k, x in values.items() if k not in names}


def run(console: Console, values: dict[str, str]) -> int:
    """Measure all cases, or those that the variables leave."""
    seconds = positive("SECONDS", values.pop("SECONDS", "1.5"))
    cases, rest = choose(values)
    parts: list[tuple[str, dict[str, Any]]] = []
    failed = False
    folder = ROOT / rest.get("BUILD", "build") / "bench"
    shutil.rmtree(folder, ignore_errors=True)  # builds are measured cold
    tables: dict[str, Table] = {}
    for case in cases:
        console.print(f"measuring {label(case)} …", soft_wrap=True)
        own = {"SIM": case.sim, "NETWORK": case.network, **case.values}
        settings = v.check({**rest, **own, "BUILD": str(folder)})
        speed = speed_of(case.network)
        built, bare, figures = measured(settings, speed, case.kinds, seconds)
        failed |= not all(f["passed"] for f in figures.values())
        table = tables.setdefault(case.network, rates(case.network, speed))
        variables = settings.network.variables()
        sizes = (variables.get(name, "") for _, name in speed.sizes)
        table.add_row(case.sim, *sizes, *columns(bare, figures, built))
        parts += [(f"{label(case)} {k}", f) for k, f in figures.items()]
    for table in tables.values():
        console.print(table)
    console.print(breakdown(parts))
    for network in tables:
        if note := speed_of(network).note:
            console.print(f"{network}: {note}")
    if set(values) <= {"NETWORK", *rest}:
        for speed in dict.fromkeys(map(speed_of, tables)):
            for table in speed.tables():
                console.print(table)
    return 1 if failed else 0


def measured(
    settings: v.Variables, speed: Speed, kinds: tuple[str, ...], seconds: float
) -> tuple[Built, Bare | None, dict[str, Any]]:
    """Build a network and measure it: figures by kind of stimulus."""
    built = build(settings, "FRAME")
    bare = build_bare(settings, speed) if settings.sim == "verilator" else None
    figures: dict[str, Any] = {}
    for _ in range(ROUNDS):  # in turns, and the best of each: the machine is shared
        if bare:
            bare.measure(seconds)
        for kind in kinds:
            if kind != "classic":
                better(figures, kind, measure(settings, built, speed, kind, seconds))
                if settings.network.leaves == COVERAGE_LEAVES:
                    blind = settings.but(coverage=False)
                    new = measure(blind, built, speed, kind, seconds)
                    better(figures, f"{kind} blind", new)
    if "classic" in kinds:
        classic = build(settings, "CLASSIC")
        figures["classic"] = measure(settings, classic, speed, "classic", seconds)
    return built, bare, figures


def rates(network: str, speed: Speed) -> Table:
    """The table of one network, without rows."""
    title = f"{network}: millions of {speed.counted} a CPU second, all verified"
    table = Table(title=title, box=None)
    for name in (
        "simulator",
        *(title for title, _ in speed.sizes),
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
        table.add_column(name, justify="right")
    return table


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


def measure(
    settings: v.Variables, built: Built, speed: Speed, stimulus: str, seconds: float
) -> Any:
    """Play one kind of stimulus through the whole pyuvm environment."""
    network = settings.network
    rows = 16 if stimulus == "classic" else network.traffic_rows(settings.sim)
    folder, ending = run_module(
        settings,
        built,
        "fattree_bench.speed.entry",
        {
            "scenarios": [],
            "rows": speed.rows(network, rows),
            "stimulus": stimulus,
            "cpu_seconds": seconds,
        },
    )
    figures = folder / "figures.json"
    if ending.problem or not figures.exists():
        raise BuildError(
            f"the benchmark did not finish: {ending.problem}; log: {folder / 'sim.log'}"
        )
    return json.loads(figures.read_text())
