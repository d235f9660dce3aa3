"""`make explore`: sweeps the load of networks and plots latency and accepted load."""

import itertools
import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench import settings as declare
from fattree_bench.bench.network import Network
from fattree_bench.bench.result import Test
from fattree_bench.campaign import Campaign, Common, Result
from fattree_bench.errors import UserError
from fattree_bench.explore.compare import Shape, swept
from fattree_bench.explore.console import print_sweep
from fattree_bench.explore.grid import networks, varied
from fattree_bench.explore.plot import draw
from fattree_bench.explore.runs import Jobs, built, measured
from fattree_bench.explore.study.figures import chosen
from fattree_bench.explore.study.hardware import Synthesis
from fattree_bench.explore.study.reading import PaperFigure, study
from fattree_bench.explore.sweep import Curve, Runs, measurement, to_csv
from fattree_bench.explore.sweep_page import write_sweep_page
from fattree_bench.families import DEFAULT_SWEPT
from fattree_bench.families.modelling import modelling
from fattree_bench.jobs.job import tests_of
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.paths import MODELS, PACKAGE
from fattree_bench.report.files import write_text
from fattree_bench.settings import Variable
from fattree_bench.sim import variables as v
from fattree_bench.sim.sources import fingerprint, key
from fattree_bench.words import plural
from fattree_models.traffic import Measurement


def bar_load(text: str) -> float | None:
    """A load; None for an empty text."""
    try:
        return declare.plain_real(text) if text else None
    except ValueError:
        raise ValueError("must be a number") from None


class Wanted(Common):
    """What to sweep."""

    network = declare.parsed(
        "NETWORK", DEFAULT_SWEPT, "one with LOADS, and all its variables but LOAD, MESSAGES", swept
    )
    compare = declare.parsed(
        "COMPARE", "", "networks between semicolons, each with its variables; or a .toml", study
    )
    loads = declare.text("LOADS", "0.05,0.1:1:0.1", "in what LOAD is in, ascending; from:to:step")
    refine = declare.text("REFINE", "3", "halves so often the interval in which it saturates")
    bars = declare.parsed(
        "BARS", "", "one of LOADS: all patterns at this load get a picture, bar by bar", bar_load
    )
    count = declare.number(
        *("SEEDS", "", 1, 100, "runs of each curve, {allowed}; empty: as many as its method needs"),
        usual=lambda s: s.shapes[0].kind.swept.seeds,
    )
    seed = v.Variables.seed.but(help="the first of them")
    engine = declare.word(
        "ENGINE", "rtl", {"rtl": "in a simulator", "model": "clock-exact, without RTL"}
    )
    area = declare.flag("AREA", 0, "synthesize the networks: gates, bits of queues, wires")
    sim = v.Variables.sim

    @property
    def figures(self) -> tuple[PaperFigure, ...]:
        """Those of the file, and the bars of all patterns."""
        if self.bars is None:
            return self.compare.figures
        title = f"all patterns at load {self.bars:g}"
        return (*self.compare.figures, PaperFigure("bars", title, loads=(self.bars,)))

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The networks; a single one without COMPARE."""
        return self.compare.shapes or (Shape(self.network, {}),)

    def check(self) -> None:
        if self.seed + self.count > v.SEEDS:
            told = f"SEED={self.seed} SEEDS={self.count}: the last must be {v.SEEDS - 1} at most"
            raise UserError(told)

    @property
    def measured_on(self) -> str:
        """The simulator, or "model"."""
        return self.sim if self.engine == "rtl" else "model"


class Explore(Campaign):
    """A sweep: one curve per network of the grid, one run per curve and seed."""

    target = "explore"
    variables = Wanted
    asked: Wanted
    file = "runs.jsonl"

    def __init__(self, console: Console, given: Mapping[str, str]) -> None:
        usual = Wanted.compare.read_from(given, None).shared(self.declared(given))
        super().__init__(console, given, usual)
        given, asked = {**usual, **given}, self.asked
        self.seeds = range(asked.seed, asked.seed + asked.count)
        if asked.compare.shapes and "NETWORK" in given:
            raise UserError(f"NETWORK={given['NETWORK']}: COMPARE names the networks")
        mine = {name: self.text[name] for name in ("LOADS", "REFINE")}
        self.grid = networks(asked.shapes, {**given, **mine})
        self.varied = varied(self.grid, {x for shape in asked.shapes for x in shape.variables})
        if asked.bars not in (None, *self.grid[0].workload.loads):
            raise UserError(f"BARS={given['BARS']}: must be one of LOADS={self.text['LOADS']}")
        self._check_engine(given)
        made = self.grid if asked.area else []
        self.synthesis = Synthesis(made, asked.rtl, self.folder / "blocks")
        self.failed = 0
        self.progress.replays = True

    def _check_engine(self, given: Mapping[str, str]) -> None:
        """Raise UserError for a network that the engine cannot run."""
        if self.asked.engine == "model" and "SIM" in given:
            raise UserError(f"SIM={given['SIM']}: ENGINE=model needs no simulator")
        for network in self.grid:
            if self.asked.engine == "model":
                modelling(network)
            else:
                network.verilog()

    @classmethod
    def declared(cls, given: Mapping[str, str]) -> tuple[Variable[Any], ...]:
        """Variables of the command and those that all its networks share."""
        compared = Wanted.compare.read_from(given, None)
        kinds = [shape.kind for shape in compared.shapes] or [Wanted.network.read_from(given, None)]
        shared = set.intersection(*({p.name for p in kind.parameters} for kind in kinds))
        own = (p for p in kinds[0].parameters if p.name in shared and not p.per_run)
        return (*Wanted.parameters, *own)

    @property
    def folder(self) -> Path:
        """Folder of results, one per sweep; more seeds use the same."""
        first = self.grid[0]
        kinds = [{"NETWORK": n.name, **n.variables()} for n in self.grid]
        made_of = [self.asked.measured_on, self.text["RTL"], *kinds]
        one = f"{first.name}-{first.swept.size_text(first)}"
        name = "compare" if self.asked.compare.shapes else one
        return self.asked.build / "explore" / f"{name}-{key(made_of)[:8]}"

    def sources(self) -> str:
        return fingerprint([MODELS, PACKAGE, self.asked.rtl])

    # ---- runs ------------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        runs = [self.jobs.run(number, seed) for number, seed in self.places]
        return [*built(runs), *self.synthesis.tasks()]

    @cached_property
    def jobs(self) -> Jobs:
        return Jobs(
            self.grid,
            [self.curve(network).label for network in self.grid],
            shown=self.varied,
            on=self.asked.measured_on,
            sim=self.asked.sim,
            folders={name: self.text[name] for name in ("RTL", "BUILD")},
            points=self.folder / "points",
        )

    @property
    def places(self) -> list[tuple[int, int]]:
        """(number of the curve, seed) of each run."""
        return list(itertools.product(range(len(self.grid)), self.seeds))

    @property
    def runs(self) -> list[Task]:
        """The runs in order of curves, then seeds."""
        return [task for task in self.by_key.values() if "points" in task.payload]

    def curve(self, network: Network, runs: Runs | None = None) -> Curve:
        """A curve with its measurements."""
        zero_load, explained = network.swept.zero_load(network)
        kept = _of_the_network(network)
        in_rtl = self.asked.engine == "rtl"
        engine = {"SIM": self.asked.sim} if in_rtl else {"ENGINE": self.asked.engine}
        return Curve(
            variables={"NETWORK": network.name, **kept, **engine},
            varied=self.varied,
            labelled=frozenset(p.name for p in network.parameters if p.labelled),
            units=network.swept.units,
            zero_load=zero_load,
            explained=explained,
            loads=network.workload.loads,
            runs=runs or {},
            laws=network.swept.laws(network),
            cost=network.swept.cost(network),
            leaves=network.leaves,
        )

    def show(self) -> None:
        for network in self.grid:
            curve = self.curve(network)
            told = f"{curve.label}: {curve.explained}".removesuffix(": ")
            self.console.print(escape(told), soft_wrap=True)
        how = plural(len({task.after for task in self.runs}), "design")
        if self.asked.engine == "model":
            how = "on the clock-exact model"
        if blocks := self.synthesis.blocks:
            how += f", {plural(len(blocks), 'block')} to synthesize"
        self.console.print(
            f"{plural(len(self.grid), 'curve')} x {plural(len(self.seeds), 'seed')}, {how}, "
            f"loads {self.grid[0].workload.loads_text}; nothing was run",
            soft_wrap=True,
        )

    def settled(self, task: Task, result: Result) -> bool:
        if "block" in task.payload:
            return "cost" in result
        return all(test.passed for test in tests_of(task, result))

    def work(self, pool: Pool) -> None:
        if not self.asked.resume:
            shutil.rmtree(self.folder / "points", ignore_errors=True)
        (self.folder / "points").mkdir(exist_ok=True)
        super().work(pool)

    def started(self, key: str) -> None:
        """Remove points of an interrupted run, which measures them again."""
        if points := self.by_key[key].payload.get("points"):
            Path(points).unlink(missing_ok=True)
        super().started(key)

    def heard(self, task: Task, result: Result) -> list[Test]:
        if "block" in task.payload:
            return super().heard(task, result)
        tests = tests_of(task, result)
        self.failed += sum(not test.passed for test in tests)
        return tests

    # ---- report ----------------------------------------------------------------------------------

    def curves(self) -> list[Curve]:
        """All measurements, including those of interrupted runs."""
        runs: list[Runs] = [{} for _ in self.grid]
        for task, (number, seed) in zip(self.runs, self.places, strict=True):
            if found := self._run(task, number):
                runs[number][seed] = found
        made = self.synthesis.hardware(self.results)
        return [
            replace(self.curve(network, runs[number]), hardware=made.get(number))
            for number, network in enumerate(self.grid)
        ]

    def _run(self, task: Task, number: int) -> dict[float, Measurement]:
        """Measurements of a run by load."""
        kind = self.grid[number].swept.measured_as
        lines = measured(task, self.results.get(task.key))
        return {line["load"]: measurement(line, kind) for line in lines}

    def report(self) -> bool:
        problems = [f"{self.failed} runs failed: they do not count"] if self.failed else []
        problems += [self.stopped] if self.stopped else []
        problems += self.trouble
        written: list[Path] = []
        curves = self.curves()
        figures = [figure for figure in self.asked.figures if chosen(figure, curves)]
        empty = [figure.name for figure in self.asked.figures if figure not in figures]
        problems += [f"figure {name}: nothing was measured for it" for name in empty]
        if any(curve.points for curve in curves):
            written = self._write(curves, problems, figures)
            print_sweep(self.console, curves, self.facts(), figures)
        else:
            problems.append("nothing was measured")
        for problem in problems:
            self.console.print(f"[red]{escape(problem)}[/]", soft_wrap=True)
        for path in written:
            self.console.print(str(path), soft_wrap=True)
        return not self.failed and not self.trouble

    def _write(
        self, curves: list[Curve], problems: list[str], figures: list[PaperFigure]
    ) -> list[Path]:
        table, page = self.folder / "sweep.csv", self.folder / "index.html"
        write_text(table, to_csv(curves))
        pictures = draw(curves, self.folder, self.asked.build / "matplotlib", figures)
        write_sweep_page(page, curves, self.facts(), problems, figures)
        return [table, *pictures, page]

    def facts(self) -> dict[str, str]:
        """Facts for the report: what was measured, and how."""
        first, seeds = self.grid[0], self.seeds
        window = first.workload.window
        kept = _of_the_network(first).items()
        same = {k: x for k, x in kept if x and k not in self.varied}
        engine = "the clock-exact model" if self.asked.engine == "model" else self.asked.sim
        own = dict.fromkeys((network.name, network.outline()) for network in self.grid)
        each, many = "; ".join(dict.fromkeys(outline for _, outline in own)), len(own) > 2
        sizes = ", ".join(map(str, sorted({network.leaves for network in self.grid})))
        return {
            "network": f"{len(own)} networks of {sizes} leaves" if many else each,
            "networks": each if many else "",
            "the same in all": "  ".join(f"{k}={x}" for k, x in same.items()),
            "measured": f"{window.cycles} {first.swept.units.time} after {window.begin}, "
            f"seeds {seeds[0]} … {seeds[-1]}, on {engine}",
            "command": self.command,
            "commit": self.commit,
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
        }


def _of_the_network(network: Network) -> dict[str, str]:
    """Variables with the same meaning in each run."""
    per_run = {p.name for p in network.parameters if p.per_run}
    return {k: x for k, x in network.variables().items() if k not in per_run}
