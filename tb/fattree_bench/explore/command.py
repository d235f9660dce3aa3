"""`make explore`: sweeps the load of networks, and draws latency and accepted load."""

import contextlib
import itertools
import json
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
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
from fattree_bench.explore.confirm import Confirmation, bracket, compared, summary
from fattree_bench.explore.plot import draw
from fattree_bench.explore.sweep import Curve, Runs, measurement, table, to_csv
from fattree_bench.explore.sweep_page import write_sweep_page
from fattree_bench.families import DEFAULT_SWEPT
from fattree_bench.families.family import SweptNetwork
from fattree_bench.families.modelling import modelling
from fattree_bench.jobs.job import START_SECONDS, build_task, tests_of
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.paths import MODELS, PACKAGE
from fattree_bench.report.files import write_text
from fattree_bench.settings import Variable
from fattree_bench.sim import variables as v
from fattree_bench.sources import fingerprint, key
from fattree_models.traffic import Measurement, split_list

# What stands between several values of a variable, if not a comma alone: each makes a curve.  A
# comma in FLITS mixes packets of different lengths.
LISTS: dict[str, Callable[[str], list[str]]] = {
    "TRAFFIC": split_list,
    "INJECTION": split_list,
    "FLITS": lambda text: [word.strip() for word in text.split("/")],
}
TIMEOUT = 24 * 3600  # seconds that a run may take
CLOCK_SECONDS = {"verilator": 2e-6, "icarus": 1e-4, "model": 5e-7}  # of a leaf: rough guesses


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
    engine = declare.word(
        "ENGINE", "rtl", {"rtl": "in a simulator", "model": "on the clock-exact model"}
    )
    confirm = declare.flag(
        "CONFIRM", 0, "with ENGINE=model, points near saturation are run in RTL, and must be equal"
    )
    sim = v.Variables.sim

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The networks, one if there is no COMPARE."""
        return self.compare or (Shape(self.network, {}),)

    def check(self) -> None:
        if self.seed + self.count > v.SEEDS:
            told = f"SEED={self.seed} SEEDS={self.count}: the last must be {v.SEEDS - 1} at most"
            raise UserError(told)
        if self.confirm and self.engine == "rtl":
            raise UserError("CONFIRM=1: only with ENGINE=model")

    @property
    def measured_on(self) -> str:
        """What the figures come from."""
        return self.sim if self.engine == "rtl" else "model"


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
        self._check_engine(given)
        self.failed = 0
        self.confirmed: list[Confirmation] = []
        self.progress.replays = True

    def _check_engine(self, given: Mapping[str, str]) -> None:
        """UserError for a network that the engine cannot run."""
        if self.asked.engine == "model" and "SIM" in given and not self.asked.confirm:
            raise UserError(f"SIM={given['SIM']}: ENGINE=model needs no simulator, but for CONFIRM=1")
        for network in self.grid:
            if self.asked.engine == "model":
                modelling(network)
            if self.asked.engine == "rtl" or self.asked.confirm:
                network.verilog_parameters("FRAME")

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
        made_of = [self.asked.measured_on, self.text["RTL"], *kinds]
        name = "compare" if self.asked.compare else f"{first.name}-{first.size_text}"
        return self.asked.build / "explore" / f"{name}-{key(made_of)[:8]}"

    def sources(self) -> str:
        return fingerprint([MODELS, PACKAGE, self.asked.rtl])

    # ---- runs ------------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        return built([self._task(number, seed) for number, seed in self.places])

    @property
    def places(self) -> list[tuple[int, int]]:
        """Number of the curve, and seed, of each run."""
        return list(itertools.product(range(len(self.grid)), self.seeds))

    @property
    def runs(self) -> list[Task]:
        """In the order of the curves, and of the seeds of each."""
        tasks = self.by_key.values()
        return [t for t in tasks if not is_build(t) and "confirms" not in t.payload]

    def _task(self, number: int, seed: int) -> Task:
        payload = self._payload(number, seed)
        name = f"{payload['configuration']} seed {seed}"
        if self.asked.engine == "rtl":
            return Task(name, payload, build_task(payload).key, self._seconds(number, payload))
        network = self.grid[number].changed()
        own = {k: x for k, x in network.items() if k not in OWN or k in ("LOADS", "REFINE")}
        words = {"NETWORK": self.grid[number].name, **own, "ENGINE": "model"}
        replay = " ".join(f"{k}={shlex.quote(x)}" for k, x in words.items())
        more = {"kind": "model", "replay": f"make explore {replay} SEED={seed} SEEDS=1"}
        return Task(name, payload | more, None, self._seconds(number, payload))

    def confirmations(self) -> list[Task]:
        """Points near saturation to be run in RTL, a run for each that the model has measured."""
        found = []
        for task, (number, seed) in zip(self.runs, self.places, strict=True):
            loads = bracket(self._run(task, number))
            if not loads:
                continue
            values = {"LOADS": ",".join(f"{Decimal(repr(x)):f}" for x in loads), "REFINE": "0"}
            payload = self._payload(number, seed, values, "-rtl") | {"confirms": task.key}
            name = f"{task.key} at {values['LOADS']} in RTL on {self.asked.sim}"
            after, seconds = build_task(payload).key, self._seconds(number, payload)
            found.append(Task(name, payload, after, seconds))
        return found

    def _seconds(self, number: int, payload: Mapping[str, Any]) -> float:
        """How long a run is expected to take."""
        work = self.grid[number].workload
        loads = load_list(payload["values"]["LOADS"])
        on = self.asked.sim if "confirms" in payload else self.asked.measured_on
        clocks = work.window.end * (len(loads) + int(payload["values"]["REFINE"]))
        return START_SECONDS + CLOCK_SECONDS[on] * clocks * self.grid[number].leaves

    def _payload(
        self, number: int, seed: int, changed: Mapping[str, str] = {}, name: str = ""
    ) -> dict[str, Any]:
        """A run in RTL; `name` tells its points from those of others of the curve and seed."""
        network = self.grid[number]
        values = {
            "NETWORK": network.name,
            **network.variables(),
            **{name: self.text[name] for name in ("SIM", "RTL", "BUILD")},
            "SEED": str(seed),
            "COVERAGE": "0",
            "NATIVE": "1",
            **changed,
        }
        return {
            "kind": "run",
            "configuration": self.curve(network).label,
            "network": network.name,
            "variables": {name: values[name] for name in self.varied if name in values},
            "values": values,
            "agent": "FRAME",
            "scenarios": ["sweep"],
            "timeout": TIMEOUT,
            "points": str(self.folder / "points" / f"{number}-{seed}{name}.jsonl"),
        }

    def curve(self, network: SweptNetwork, runs: Runs | None = None) -> Curve:
        """A curve with what was measured of it."""
        zero_load, explained = network.zero_load()
        kept = {k: x for k, x in network.variables().items() if k not in OWN}
        return Curve(
            variables={"NETWORK": network.name, **kept, **self._engine()},
            varied=self.varied,
            units=network.units,
            zero_load=zero_load,
            explained=explained,
            loads=network.workload.loads,
            runs=runs or {},
            laws=network.laws(),
            cost=network.cost,
        )

    def _engine(self) -> dict[str, str]:
        """What the figures come from, as a variable."""
        if self.asked.engine == "rtl":
            return {"SIM": self.asked.sim}
        return {"ENGINE": self.asked.engine}

    def show(self) -> None:
        for network in self.grid:
            curve = self.curve(network)
            told = f"{curve.label}: {curve.explained}".removesuffix(": ")
            self.console.print(escape(told), soft_wrap=True)
        how = f"{len({task.after for task in self.runs})} designs"
        if self.asked.engine == "model":
            how = "on the clock-exact model"
        if self.asked.confirm:
            how += f", points near saturation in RTL on {self.asked.sim}, too"
        self.console.print(
            f"{len(self.grid)} curves x {len(self.seeds)} seeds, {how}, "
            f"loads {self.grid[0].workload.loads_text}; nothing was run",
            soft_wrap=True,
        )

    def settled(self, task: Task, result: Result) -> bool:
        return all(test.passed for test in tests_of(task, result))

    def work(self, pool: Pool) -> None:
        if not self.asked.resume:
            shutil.rmtree(self.folder / "points", ignore_errors=True)
        (self.folder / "points").mkdir(exist_ok=True)
        super().work(pool)
        if self.asked.confirm:
            self.by_key.update((task.key, task) for task in built(self.confirmations()))
            lines, self.others = self.others, []
            self.keep(lines)
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
        for task, (number, seed) in zip(self.runs, self.places, strict=True):
            if found := self._run(task, number):
                runs[number][seed] = found
        return [self.curve(network, own) for network, own in zip(self.grid, runs, strict=True)]

    def _run(self, task: Task, number: int) -> dict[float, Measurement]:
        """What was measured of a run, by load."""
        kind = self.grid[number].measured_as
        lines = measured(task, self.results.get(task.key))
        return {line["load"]: measurement(line, kind) for line in lines}

    def _confirm(self) -> None:
        """Compare what RTL did with what the model said; a run that has not ended said nothing."""
        for task in self.by_key.values():
            payload = task.payload
            if "confirms" not in payload or is_build(task):
                continue
            tests = tests_of(task, self.results.get(task.key, {}))
            rtl = [line for t in tests if t.result is not None for line in t.result.measurements]
            model = measured(self.by_key[payload["confirms"]], self.results[payload["confirms"]])
            about = payload["configuration"], int(payload["values"]["SEED"])
            self.confirmed += compared(*about, load_list(payload["values"]["LOADS"]), model, rtl)

    def report(self) -> bool:
        self._confirm()
        problems = [f"{self.failed} runs failed: they do not count"] if self.failed else []
        problems += [point.told for point in self.confirmed if point.differs]
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
        return not self.failed and not any(point.differs for point in self.confirmed)

    def _write(self, curves: list[Curve], problems: list[str]) -> list[Path]:
        table, page = self.folder / "sweep.csv", self.folder / "index.html"
        write_text(table, to_csv(curves))
        pictures = draw(curves, self.folder, self.asked.build / "matplotlib", self.asked.bars)
        write_sweep_page(page, curves, self.facts(), problems, self.asked.bars)
        return [table, *pictures, page]

    @property
    def _told_engine(self) -> str:
        """What the figures come from."""
        return self.asked.sim if self.asked.engine == "rtl" else "the clock-exact model"

    @property
    def _told_confirmed(self) -> str:
        return f"{summary(self.confirmed)}, on {self.asked.sim}" if self.confirmed else ""

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
            f"seeds {seeds[0]} … {seeds[-1]}, on {self._told_engine}",
            "the same in RTL": self._told_confirmed,
            "command": self.command,
            "commit": self.commit,
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
        }


def built(runs: list[Task]) -> list[Task]:
    """The runs, behind the builds that they need."""
    builds = {run.after: build_task(run.payload) for run in runs if run.after is not None}
    return [*builds.values(), *runs]


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
    if same := facts["the same in RTL"]:
        console.print(f"  the same in RTL: {escape(same)}", soft_wrap=True)
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
