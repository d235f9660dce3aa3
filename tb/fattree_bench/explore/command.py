"""`make explore`: sweeps the load of networks in RTL, and draws latency and accepted load."""

import contextlib
import itertools
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fattree_bench import settings as declare
from fattree_bench.bench.loads import load_list
from fattree_bench.bench.result import Test
from fattree_bench.campaign import Campaign, Common, Result, is_build
from fattree_bench.errors import UserError
from fattree_bench.explore.compare import OWN, Shape, shapes, swept
from fattree_bench.explore.plot import draw
from fattree_bench.explore.sweep import Curve, Runs, measurement, table, to_csv
from fattree_bench.explore.sweep_page import write_sweep_page
from fattree_bench.families import DEFAULT_SWEPT
from fattree_bench.families.family import SweptNetwork
from fattree_bench.jobs.job import START_SECONDS, build_task, tests_of
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.paths import MODELS, PACKAGE
from fattree_bench.report.files import write_text
from fattree_bench.settings import Variable
from fattree_bench.sim import variables as v
from fattree_bench.sources import fingerprint, key
from fattree_models.traffic import split_list

# What stands between several values of a variable, if not a comma alone: each makes a curve.  A
# comma in FLITS mixes packets of different lengths.
LISTS: dict[str, Callable[[str], list[str]]] = {
    "TRAFFIC": split_list,
    "INJECTION": split_list,
    "FLITS": lambda text: [word.strip() for word in text.split("/")],
}
TIMEOUT = 24 * 3600  # seconds that a run may take
CLOCK_SECONDS = {"verilator": 2e-6, "icarus": 1e-4}  # of a leaf: rough guesses


def bar_load(text: str) -> float | None:
    """A load, or None of an empty text."""
    try:
        return float(text) if text else None
    except ValueError:
        raise ValueError("must be a number") from None


class Wanted(Common):
    """What to sweep."""

    network = declare.parsed(
        "NETWORK", DEFAULT_SWEPT, "one with LOADS, and all its variables but LOAD, PACKETS", swept
    )
    compare = declare.parsed(
        "COMPARE", "", "networks between semicolons, each with variables of its own", shapes, str
    )
    loads = declare.text("LOADS", "0.05,0.1:1:0.1", "in what LOAD is in, ascending; from:to:step")
    refine = declare.text("REFINE", "3", "halves so often the interval in which it saturates")
    bars = declare.parsed(
        "BARS", "", "one of LOADS: all patterns at this load get a picture, bar by bar", bar_load
    )
    count = declare.number(
        *("SEEDS", "", 1, 100, "runs of each curve, {allowed}; empty: as many as its method needs"),
        usual=lambda s: s.shapes[0].kind.seeds,
    )
    seed = v.Variables.seed.but(help="the first of them")
    sim = v.Variables.sim

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The networks, one if there is no COMPARE."""
        return self.compare or (Shape(self.network, {}),)

    def check(self) -> None:
        if self.seed + self.count > v.SEEDS:
            told = f"SEED={self.seed} SEEDS={self.count}: the last must be {v.SEEDS - 1} at most"
            raise UserError(told)


class Explore(Campaign):
    """A sweep: a curve a network of the grid, a simulation a curve and seed."""

    target = "explore"
    variables = Wanted
    asked: Wanted
    file = "runs.jsonl"

    def __init__(self, console: Console, given: Mapping[str, str]) -> None:
        super().__init__(console, given)
        asked = self.asked
        self.seeds = range(asked.seed, asked.seed + asked.count)
        if asked.compare and "NETWORK" in given:
            raise UserError(f"NETWORK={given['NETWORK']}: COMPARE names the networks")
        mine = {name: self.text[name] for name in ("LOADS", "REFINE")}
        self.grid = _grid(asked.shapes, {**given, **mine})
        self.varied = _varied(self.grid)
        if asked.bars not in (None, *self.grid[0].workload.loads):
            raise UserError(f"BARS={given['BARS']}: must be one of LOADS={self.text['LOADS']}")
        self.failed = 0
        self.progress.replays = True

    @classmethod
    def declared(cls, given: Mapping[str, str]) -> tuple[Variable[Any], ...]:
        """Its own, and those that all of its networks have."""
        compared = Wanted.compare.read_from(given, None)
        kinds = [shape.kind for shape in compared] or [Wanted.network.read_from(given, None)]
        shared = set.intersection(*({p.name for p in kind.parameters} for kind in kinds))
        own = (p for p in kinds[0].parameters if p.name in shared - set(OWN))
        return (*Wanted.parameters, *own)

    @property
    def folder(self) -> Path:
        """Where the results go: another sweep has another one; more seeds go to the same."""
        first = self.grid[0]
        kinds = [{"NETWORK": n.name, **n.variables()} for n in self.grid]
        made_of = [self.asked.sim, self.text["RTL"], *kinds]
        name = "compare" if self.asked.compare else f"{first.name}-{first.size_text}"
        return self.asked.build / "explore" / f"{name}-{key(made_of)[:8]}"

    def sources(self) -> str:
        return fingerprint([MODELS, PACKAGE, self.asked.rtl])

    # ---- runs ------------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        places = itertools.product(range(len(self.grid)), self.seeds)
        runs = [self._task(number, seed) for number, seed in places]
        builds = {run.after: build_task(run.payload) for run in runs}
        return [*builds.values(), *runs]

    @property
    def runs(self) -> list[Task]:
        """In the order of the curves, and of the seeds of each."""
        return [task for task in self.by_key.values() if not is_build(task)]

    def _task(self, number: int, seed: int) -> Task:
        network = self.grid[number]
        values = {
            "NETWORK": network.name,
            **network.variables(),
            **{name: self.text[name] for name in ("SIM", "RTL", "BUILD")},
            "SEED": str(seed),
            "COVERAGE": "0",
            "NATIVE": "1",
        }
        payload = {
            "kind": "run",
            "configuration": self.curve(network).label,
            "network": network.name,
            "variables": {name: values[name] for name in self.varied if name in values},
            "values": values,
            "agent": "FRAME",
            "scenarios": ["sweep"],
            "timeout": TIMEOUT,
            "points": str(self.folder / "points" / f"{number}-{seed}.jsonl"),
        }
        work = network.workload
        clocks = work.window.end * (len(work.loads) + work.refine) * network.leaves
        seconds = START_SECONDS + CLOCK_SECONDS[self.asked.sim] * clocks
        name = f"{payload['configuration']} seed {seed}"
        return Task(name, payload, build_task(payload).key, seconds)

    def curve(self, network: SweptNetwork, runs: Runs | None = None) -> Curve:
        """A curve with what was measured of it."""
        zero_load, explained = network.zero_load()
        kept = {k: x for k, x in network.variables().items() if k not in OWN}
        return Curve(
            variables={"NETWORK": network.name, **kept, "SIM": self.asked.sim},
            varied=self.varied,
            units=network.units,
            zero_load=zero_load,
            explained=explained,
            loads=network.workload.loads,
            runs=runs or {},
            laws=network.laws(),
            cost=network.cost,
        )

    def show(self) -> None:
        for network in self.grid:
            curve = self.curve(network)
            told = f"{curve.label}: {curve.explained}".removesuffix(": ")
            self.console.print(escape(told), soft_wrap=True)
        self.console.print(
            f"{len(self.grid)} curves x {len(self.seeds)} seeds, "
            f"{len({task.after for task in self.runs})} designs, "
            f"loads {self.grid[0].workload.loads_text}; nothing was run"
        )

    def settled(self, task: Task, result: Result) -> bool:
        return all(test.passed for test in tests_of(task, result))

    def work(self, pool: Pool) -> None:
        if not self.asked.resume:
            shutil.rmtree(self.folder / "points", ignore_errors=True)
        (self.folder / "points").mkdir(exist_ok=True)
        super().work(pool)

    def started(self, key: str) -> None:
        """A run measures anew what an interrupted one may have left."""
        if points := self.by_key[key].payload.get("points"):
            Path(points).unlink(missing_ok=True)
        super().started(key)

    def heard(self, task: Task, result: Result) -> list[Test]:
        tests = tests_of(task, result)
        self.failed += sum(not test.passed for test in tests)
        return tests

    # ---- report ----------------------------------------------------------------------------------

    def curves(self) -> list[Curve]:
        """All that was measured, also by runs that were interrupted."""
        runs: list[Runs] = [{} for _ in self.grid]
        places = itertools.product(range(len(self.grid)), self.seeds)
        for task, (number, seed) in zip(self.runs, places, strict=True):
            lines = measured(task, self.results.get(task.key))
            kind = self.grid[number].measured_as
            found = {line["load"]: measurement(line, kind) for line in lines}
            if found:
                runs[number][seed] = found
        return [self.curve(network, own) for network, own in zip(self.grid, runs, strict=True)]

    def report(self) -> bool:
        problems = [f"{self.failed} runs failed: they do not count"] if self.failed else []
        problems += [self.stopped] if self.stopped else []
        written: list[Path] = []
        curves = self.curves()
        if any(curve.points for curve in curves):
            written = self._write(curves, problems)
            print_sweep(self.console, curves, self.facts())
        else:
            problems.append("nothing was measured")
        for problem in problems:
            self.console.print(f"[red]{escape(problem)}[/]", soft_wrap=True)
        for path in written:
            self.console.print(str(path), soft_wrap=True)
        return not self.failed

    def _write(self, curves: list[Curve], problems: list[str]) -> list[Path]:
        table, page = self.folder / "sweep.csv", self.folder / "index.html"
        write_text(table, to_csv(curves))
        pictures = draw(curves, self.folder, self.asked.build / "matplotlib", self.asked.bars)
        write_sweep_page(page, curves, self.facts(), problems, self.asked.bars)
        return [table, *pictures, page]

    def facts(self) -> dict[str, str]:
        """What was measured how."""
        first, seeds = self.grid[0], self.seeds
        window = first.workload.window
        kept = {k: x for k, x in first.variables().items() if k not in self.varied}
        same = {k: x for k, x in kept.items() if x and k not in OWN}
        return {
            "network": "; ".join(dict.fromkeys(network.outline() for network in self.grid)),
            "the same in all": "  ".join(f"{k}={x}" for k, x in same.items()),
            "measured": f"{window.cycles} {first.units.time} after {window.begin}, "
            f"seeds {seeds[0]} … {seeds[-1]}, on {self.asked.sim}",
            "command": self.command,
            "commit": self.commit,
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
        }


def _grid(shapes: Iterable[Shape], given: Mapping[str, str]) -> list[SweptNetwork]:
    """A network a curve: every shape with every combination of values in lists, checked."""
    try:
        first, *_ = load_list(given["LOADS"])
    except ValueError as error:
        raise UserError(f"LOADS={given['LOADS']}: {error}") from None
    made: dict[tuple[str, ...], SweptNetwork] = {}
    for shape in shapes:
        usual = {p.name: p.default for p in shape.kind.parameters}
        value = {**usual, **given, **shape.variables}
        names = [name for name in usual if name not in ("LOAD", "PACKETS", "TRACE")]
        texts = [_values(shape.kind, name, value[name]) for name in names]
        for combination in itertools.product(*texts):
            variables = dict(zip(names, combination, strict=True))
            variables["LOAD"] = str(first)  # of no use here, but it must be one that can be
            one = shape.kind.from_variables(variables)
            made.setdefault((one.name, *one.variables().values()), one)
    return list(made.values())


def _values(network: type[SweptNetwork], name: str, text: str) -> list[str]:
    """The values of a variable, one a curve."""
    if name in LISTS:
        return LISTS[name](text)
    return [word.strip() for word in text.split(",")] if name in network.lists else [text]


def _varied(grid: list[SweptNetwork]) -> tuple[str, ...]:
    """The variables in which the curves differ, those that not all of them have first.

    What only some networks have differs if it is their shape, or has several values among them.
    """
    all_of = [{"NETWORK": network.name, **network.variables()} for network in grid]
    options = {name for network in grid for name in network.lists}
    names = dict.fromkeys(name for own in all_of for name in own)
    partial = [name for name in names if not all(name in own for own in all_of)]

    def differs(name: str) -> bool:
        values = {own.get(name) for own in all_of}
        return len(values - {None} if name in options else values) > 1

    return tuple(name for name in dict.fromkeys(["NETWORK", *partial, *names]) if differs(name))


def measured(task: Task, result: Result | None) -> list[dict[str, Any]]:
    """Figures of a run that passed, or of one that has not ended; of one that failed none."""
    if result is not None:
        tests = tests_of(task, result)
        return [
            line
            for test in tests
            if test.passed and test.result is not None
            for line in test.result.measurements
        ]
    path = Path(task.payload["points"])
    return list(_whole(path.read_text())) if path.exists() else []


def _whole(text: str) -> Iterator[dict[str, Any]]:
    """Lines of JSON; what was being written when a run was killed is left out."""
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            yield json.loads(line)


def print_sweep(console: Console, curves: list[Curve], facts: Mapping[str, str]) -> None:
    """The table of a sweep for a terminal."""
    console.print(f"[bold]{escape(facts['network'])}[/]", soft_wrap=True)
    console.print(f"  {escape(facts['the same in all'])}", soft_wrap=True)
    console.print(f"  {facts['measured']}; ± is half the 95 % confidence interval", soft_wrap=True)
    console.print("\nlatency without load, in theory:")
    for curve in curves:
        if curve.explained:
            console.print(f"  {escape(f'{curve.label}: {curve.explained}')}", soft_wrap=True)
    units = curves[0].units
    told = f"latency in {units.time} by load, load at saturation, accepted {units.load}:"
    console.print(f"\n{told}", soft_wrap=True)
    rows = table(curves)
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in rows[0]:
        grid.add_column(title, justify="right" if title else "left", no_wrap=True)
    for row in rows:
        grid.add_row(*map(escape, row.values()))
    console.print(grid)
