"""`make explore`: sweeps the load of networks in RTL, and draws latency and accepted load."""

import contextlib
import hashlib
import itertools
import json
import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fattree_bench.bench.loads import load_list
from fattree_bench.errors import UserError
from fattree_bench.explore.plot import draw
from fattree_bench.explore.sweep import Curve, Runs, measurement, table, to_csv
from fattree_bench.explore.sweep_page import write_sweep_page
from fattree_bench.families import DEFAULT_SWEPT, NETWORKS, scenarios
from fattree_bench.families.family import SweptNetwork
from fattree_bench.jobs.journal import Journal, JournalFull, same_sources
from fattree_bench.jobs.pool import LocalPool, Task
from fattree_bench.jobs.progress import Progress
from fattree_bench.paths import MODELS, PACKAGE, ROOT
from fattree_bench.regress import assemble
from fattree_bench.regress.expand import START_SECONDS, build_task, fingerprint
from fattree_bench.report.files import write_text
from fattree_bench.settings import Parameter, choice, integer
from fattree_bench.sim import variables as v
from fattree_models.traffic import split_list

OWN = ("LOAD", "LOADS", "REFINE", "PACKETS", "TRACE")  # of a network, and not to be given, or here
PARAMETERS = (
    Parameter("NETWORK", DEFAULT_SWEPT, "one with LOADS, with all its variables but LOAD, PACKETS"),
    Parameter("LOADS", "0.05,0.1:1:0.1", "in what LOAD is in, ascending; from:to:step"),
    Parameter("REFINE", "3", "halves so often the interval in which it saturates"),
    Parameter("SEEDS", "", "runs of each curve, 1 … 100; empty: as many as its method needs"),
    Parameter("SEED", "1", "the first of them"),
    Parameter("SIM", "verilator", "verilator or icarus"),
    Parameter("JOBS", "", "runs at once; empty: one a core"),
    Parameter("DRYRUN", "0", "1: say what would be run, and run nothing"),
    Parameter("RESUME", "0", "1: keep the runs of the same sweep that are done already"),
    *v.FOLDERS,
)
# What stands between several values of a variable, if not a comma alone: each makes a curve.  A
# comma in FLITS mixes packets of different lengths.
LISTS: dict[str, Callable[[str], list[str]]] = {
    "TRAFFIC": split_list,
    "INJECTION": split_list,
    "FLITS": lambda text: [word.strip() for word in text.split("/")],
}
TIMEOUT = 24 * 3600  # seconds that a run may take
CLOCK_SECONDS = {"verilator": 2e-6, "icarus": 1e-4}  # of a leaf: rough guesses


@dataclass(frozen=True)
class Request:
    """The checked variables of a sweep; a grid entry is a curve."""

    network: type[SweptNetwork]
    grid: list[SweptNetwork]
    varied: tuple[str, ...]
    seeds: range
    common: dict[str, str]  # SIM, RTL, BUILD
    jobs: int
    dry_run: bool
    resume: bool
    command: str
    build: Path

    @property
    def folder(self) -> Path:
        """Where the results go: another sweep has another one; more seeds go to the same."""
        first = self.grid[0]
        made_of = [self.common["SIM"], self.common["RTL"], *(n.variables() for n in self.grid)]
        key = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:8]
        return self.build / "explore" / f"{first.name}-{first.size_text}-{key}"


def request(arguments: list[str]) -> Request:
    """The checked variables; UserError names the first that is wrong."""
    given = v.collect(arguments)
    for name in ("TEST", "WAVES"):  # of the environment
        if not any(argument.startswith(f"{name}=") for argument in arguments):
            given.pop(name, None)
    own = {p.name: p.default for p in PARAMETERS}
    network = _network(given.get("NETWORK", own["NETWORK"]))
    usual = {p.name: p.default for p in network.parameters if p.name not in OWN}
    for name in given:
        if name not in own and name not in usual:
            raise UserError(f"{name}: no such variable; there is {', '.join([*own, *usual])}")
    value = {**own, **usual, **given}
    count = integer("SEEDS", value["SEEDS"] or str(network.seeds), "1 … 100", 1, 100)
    first = v.seed_number(value["SEED"])
    if first + count > v.SEEDS:
        raise UserError(f"SEED={first} SEEDS={count}: the last must be {v.SEEDS - 1} at most")
    cores = len(os.sched_getaffinity(0))
    words = [f"{k}={shlex.quote(x)}" for k, x in given.items() if k not in ("BUILD", "RESUME")]
    common = {name: value[name] for name in ("SIM", "RTL", "BUILD")}
    checked = v.check({"NETWORK": network.name, **common})
    grid = _grid(network, value)
    return Request(
        network=network,
        grid=grid,
        varied=_varied(grid),
        seeds=range(first, first + count),
        common=common,
        jobs=integer("JOBS", value["JOBS"] or str(cores), "1 … 1000", 1, 1000),
        dry_run=v.flag("DRYRUN", value["DRYRUN"]),
        resume=v.flag("RESUME", value["RESUME"]),
        command=" ".join(["make explore", *words]),
        build=checked.build,
    )


def _network(name: str) -> type[SweptNetwork]:
    known = {name: cast("type[SweptNetwork]", NETWORKS[name]) for name in NETWORKS if _swept(name)}
    return known[choice("NETWORK", name, tuple(known))]


def _swept(name: str) -> bool:
    """Whether a network's load can be swept."""
    return "sweep" in scenarios(name)


def _grid(network: type[SweptNetwork], value: Mapping[str, str]) -> list[SweptNetwork]:
    """A network a curve: every combination of the values in lists, checked."""
    names = [p.name for p in network.parameters if p.name not in ("LOAD", "PACKETS", "TRACE")]
    texts = [_values(network, name, value[name]) for name in names]
    try:
        first, *_ = load_list(value["LOADS"])
    except ValueError as error:
        raise UserError(f"LOADS={value['LOADS']}: {error}") from None
    made: dict[tuple[str, ...], SweptNetwork] = {}
    for combination in itertools.product(*texts):
        variables = dict(zip(names, combination, strict=True))
        variables["LOAD"] = str(first)  # of no use here, but it must be one that can be
        one = network.from_variables(variables)
        made.setdefault(tuple(one.variables().values()), one)
    return list(made.values())


def _values(network: type[SweptNetwork], name: str, text: str) -> list[str]:
    """The values of a variable, one a curve."""
    if name in LISTS:
        return LISTS[name](text)
    return [word.strip() for word in text.split(",")] if name in network.lists else [text]


def _varied(grid: list[SweptNetwork]) -> tuple[str, ...]:
    """The variables in which the curves differ."""
    first, *others = [network.variables() for network in grid]
    return tuple(name for name in first if any(o[name] != first[name] for o in others))


# ---- runs ----------------------------------------------------------------------------------------


def tasks_of(wanted: Request) -> list[Task]:
    """A simulation a curve and seed, in the order of the curves."""
    return [
        _task(wanted, number, seed) for number in range(len(wanted.grid)) for seed in wanted.seeds
    ]


def _task(wanted: Request, number: int, seed: int) -> Task:
    network, sim = wanted.grid[number], wanted.common["SIM"]
    values = {
        "NETWORK": network.name,
        **network.variables(),
        **wanted.common,
        "SEED": str(seed),
        "COVERAGE": "0",
    }
    payload = {
        "kind": "run",
        "configuration": curve_of(wanted, network).label,
        "network": network.name,
        "variables": {name: values[name] for name in wanted.varied},
        "values": values,
        "agent": "FRAME",
        "scenarios": ["sweep"],
        "timeout": TIMEOUT,
        "points": str(wanted.folder / "points" / f"{number}-{seed}.jsonl"),
    }
    build = build_task(payload)
    work = network.workload
    clocks = work.window.end * (len(work.loads) + work.refine) * network.leaves
    seconds = START_SECONDS + CLOCK_SECONDS[sim] * clocks
    return Task(f"{payload['configuration']} seed {seed}", payload, build.key, seconds)


def curve_of(wanted: Request, network: SweptNetwork, runs: Runs | None = None) -> Curve:
    """A curve with what was measured of it."""
    zero_load, explained = network.zero_load()
    kept = {k: x for k, x in network.variables().items() if k not in OWN}
    return Curve(
        variables={"NETWORK": network.name, **kept, "SIM": wanted.common["SIM"]},
        varied=wanted.varied,
        units=network.units,
        zero_load=zero_load,
        explained=explained,
        loads=network.workload.loads,
        runs=runs or {},
        laws=network.laws(),
    )


def run(console: Console, arguments: list[str]) -> int:
    """Sweep; 0: every check passed, 1: one failed, 130: interrupted."""
    wanted = request(arguments)
    tasks = tasks_of(wanted)
    if wanted.dry_run:
        show(console, wanted, tasks)
        return 0
    with Journal(wanted.folder / "runs.jsonl", "explore") as journal:
        header = {"command": wanted.command, "sources": _sources(wanted)}
        old: list[dict[str, Any]] = []
        if wanted.resume:
            before, old = journal.resume()
            same_sources(before, header["sources"])
        else:
            journal.start(header)
            shutil.rmtree(wanted.folder / "points", ignore_errors=True)
        (wanted.folder / "points").mkdir(exist_ok=True)
        session = Session(console, wanted, tasks, journal, Progress(console))
        session.keep(old)
        return session.run()


def _sources(wanted: Request) -> str:
    """A hash of what decides the results."""
    return fingerprint([MODELS, PACKAGE, ROOT / wanted.common["RTL"]])


def show(console: Console, wanted: Request, tasks: list[Task]) -> None:
    """What would be run."""
    for network in wanted.grid:
        curve = curve_of(wanted, network)
        told = f"{curve.label}: {curve.explained}".removesuffix(": ")
        console.print(escape(told), soft_wrap=True)
    designs = {task.after for task in tasks}
    console.print(
        f"{len(wanted.grid)} curves x {len(wanted.seeds)} seeds, {len(designs)} designs, "
        f"loads {wanted.grid[0].workload.loads_text}; nothing was run"
    )


@dataclass
class Session:
    """A sweep under way: hears of the runs (`jobs.pool.Sink`), keeps their results, reports."""

    console: Console
    request: Request
    tasks: list[Task]
    journal: Journal
    progress: Progress
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)  # builds, and what was said of them
    failed: int = 0
    stopped: str = ""
    commit: str = field(default_factory=assemble.commit)  # when it began

    def keep(self, old: list[dict[str, Any]]) -> None:
        """Take over the runs that an earlier sweep has finished well."""
        known = {task.key: task for task in self.tasks}
        for line in old:
            key, result = line["key"], line["result"]
            if key in known and all(t.passed for t in assemble.tests_of(known[key], result)):
                self.results[key] = result
        if self.results:
            self.console.print(f"continuing: {len(self.results)} runs are done")

    def run(self) -> int:
        """Run what is left, report, and return the exit status."""
        left = [task for task in self.tasks if task.key not in self.results]
        builds = {t.after: build_task(t.payload) for t in left}
        self.by_key = {task.key: task for task in (*builds.values(), *left)}
        todo = list(self.by_key.values())
        ended_early: BaseException | None = None
        try:
            with LocalPool(self.request.jobs) as pool, self.progress.watch(todo, self.request.jobs):
                pool.run(todo, self)
        except (KeyboardInterrupt, SystemExit, JournalFull) as stop:
            ended_early = stop
            self.stopped = str(stop) if isinstance(stop, JournalFull) else "interrupted"
        try:
            self.report()
        except OSError as error:
            self.console.print(f"[red]no report: {escape(str(error))}[/]", soft_wrap=True)
            return 1
        if isinstance(ended_early, KeyboardInterrupt | SystemExit):
            return 130
        return 1 if self.failed or self.stopped else 0

    # ---- Sink ----------------------------------------------------------------------------------

    def started(self, key: str) -> None:
        """A run measures anew what an interrupted one may have left."""
        points = self.by_key[key].payload.get("points")
        if points:
            Path(points).unlink(missing_ok=True)
        self.progress.started(key)

    def ended(self, key: str, result: dict[str, Any]) -> bool:
        """Keep a result."""
        task = self.by_key[key]
        if task.payload["kind"] == "build":
            self.broken[key] = result.get("message", "")
            self.progress.ended(key, [])
            return True
        if "blocked" in result and self.broken.get(task.after or ""):
            result = {"blocked": f"{result['blocked']}: {self.broken[task.after or '']}"}
        self.journal.append({"key": key, "result": result})
        self.results[key] = result
        tests = assemble.tests_of(task, result)
        self.failed += sum(not test.passed for test in tests)
        self.progress.ended(key, tests)
        for test in tests:
            if not test.passed:
                self.progress.say(f"  replay: {escape(test.replay)}")
        return True

    # ---- report --------------------------------------------------------------------------------

    def curves(self) -> list[Curve]:
        """All that was measured, also by runs that were interrupted."""
        runs: list[Runs] = [{} for _ in self.request.grid]
        places = itertools.product(range(len(self.request.grid)), self.request.seeds)
        for task, (number, seed) in zip(self.tasks, places, strict=True):
            lines = measured(task, self.results.get(task.key))
            kind = self.request.grid[number].measured_as
            found = {line["load"]: measurement(line, kind) for line in lines}
            if found:
                runs[number][seed] = found
        pairs = zip(self.request.grid, runs, strict=True)
        return [curve_of(self.request, network, own) for network, own in pairs]

    def report(self) -> None:
        """Write every rendering, and print the one for a terminal."""
        folder, curves = self.request.folder, self.curves()
        if not any(curve.points for curve in curves):
            self.console.print("[red]nothing was measured[/]")
            return
        write_text(folder / "sweep.csv", to_csv(curves))
        pictures = draw(curves, folder, self.request.build / "matplotlib")
        problems = [f"{self.failed} runs failed: they do not count"] if self.failed else []
        problems += [self.stopped] if self.stopped else []
        page = folder / "index.html"
        write_sweep_page(page, curves, self.facts(), problems)
        print_sweep(self.console, curves, self.facts())
        for problem in problems:
            self.console.print(f"[red]{escape(problem)}[/]", soft_wrap=True)
        if self.stopped:
            self.console.print("the same with RESUME=1 continues")
        for path in (folder / "sweep.csv", *pictures, page):
            self.console.print(str(path), soft_wrap=True)

    def facts(self) -> dict[str, str]:
        """What was measured how."""
        first, seeds = self.request.grid[0], self.request.seeds
        window = first.workload.window
        kept = {k: x for k, x in first.variables().items() if k not in self.request.varied}
        same = {k: x for k, x in kept.items() if x and k not in OWN}
        return {
            "network": first.outline(),
            "the same in all": "  ".join(f"{k}={x}" for k, x in same.items()),
            "measured": f"{window.cycles} {first.units.time} after {window.begin}, "
            f"seeds {seeds[0]} … {seeds[-1]}, on {self.request.common['SIM']}",
            "command": self.request.command,
            "commit": self.commit,
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
        }


def measured(task: Task, result: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Figures of a run that passed, or of one that has not ended; of one that failed none."""
    if result is not None:
        tests = assemble.tests_of(task, result)
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
