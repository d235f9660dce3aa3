"""`make regress` and `make coverage`: run a tier of the testplan, lose nothing, report."""

import json
import os
import shlex
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench.coverage.functional import merge_earlier
from fattree_bench.coverage.lcov import write_lcov
from fattree_bench.errors import UserError
from fattree_bench.families import find
from fattree_bench.jobs.farm import PARAMETERS as FARM
from fattree_bench.jobs.farm import FarmOptions, FarmPool
from fattree_bench.jobs.journal import Journal, JournalFull, same_sources
from fattree_bench.jobs.pool import LocalPool, Pool, Task
from fattree_bench.jobs.progress import Progress
from fattree_bench.paths import MODELS, PACKAGE, ROOT
from fattree_bench.regress import assemble
from fattree_bench.regress.expand import (
    TIMEOUT,
    Choice,
    Expansion,
    expand,
    fingerprint,
    tests_in,
    with_waves,
)
from fattree_bench.regress.testplan import PLAN, TIERS, Testplan, read
from fattree_bench.report import regression as r
from fattree_bench.report.database import read_json, write_json
from fattree_bench.report.evidence import collect
from fattree_bench.report.junit import write_junit
from fattree_bench.report.markdown import markdown, write_markdown
from fattree_bench.report.page import write_page
from fattree_bench.report.ucis import write_ucis
from fattree_bench.settings import Parameter, choice, integer
from fattree_bench.sim import variables as v

RERUNS = 5  # failures that are run again with waves

PARAMETERS = (
    Parameter("TIER", "smoke", "smoke, nightly or full (make coverage: nightly)"),
    Parameter("NETWORK", "", "only this network"),
    Parameter("TEST", "", "only these tests: names or globs, comma-separated"),
    Parameter("SIM", "", "verilator, icarus: only its runs; both: all runs on both"),
    Parameter("SEED", "1", "first seed, 0 … 4294967295; a run with n seeds counts up from it"),
    Parameter("RESEED", "1", "so many times the seeds of the testplan"),
    Parameter("JOBS", "", "runs at once; empty: one a core"),
    Parameter("FAILFAST", "0", "1: start nothing more after the first failure"),
    Parameter("DRYRUN", "0", "1: say what would be run, and run nothing"),
    Parameter("RESUME", "0", "1: go on with the regression that was interrupted last"),
    Parameter("MERGE", "", "coverage.json of an earlier run, to be added to the coverage"),
    Parameter("FARM", "", "slurm, lsf, pbs, sge or local-cluster; empty: this machine"),
    Parameter("TESTPLAN", "", "a testplan; empty: those of all families"),
    *v.FOLDERS,
)
# What RESUME=1 takes from the interrupted regression: how and where the rest runs may change.
LASTING = ("TIER", "NETWORK", "TEST", "SIM", "SEED", "RESEED", "MERGE", "TESTPLAN", "RTL")
SWITCHES = {"--dry-run": "DRYRUN=1", "--fail-fast": "FAILFAST=1", "--resume": "RESUME=1"}


@dataclass(frozen=True)
class Request:
    """The checked variables of a regression."""

    choice: Choice
    jobs: int
    fail_fast: bool
    dry_run: bool
    resume: bool
    earlier: r.Report | None  # whose coverage is to be merged
    farm: str
    farm_values: Mapping[str, str]
    testplan: Path
    lasting: Mapping[str, str]  # LASTING
    command: str
    build: Path


def named(arguments: list[str]) -> dict[str, str]:
    """The variables that are given, by name; UserError if there is no such variable."""
    given = v.collect([SWITCHES.get(a, a) for a in arguments])
    given.pop("WAVES", None)  # of the environment; failures are run again with waves anyway
    known = [p.name for p in (*PARAMETERS, *FARM)]
    for name in given:
        if name not in known:
            raise UserError(f"{name}: no such variable; there is {', '.join(known)}")
    return given


def request(given: Mapping[str, str], code: bool) -> Request:
    """The checked variables; UserError names the first that is wrong."""
    value = {p.name: p.default for p in (*PARAMETERS, *FARM)}
    value |= {"TIER": "nightly"} if code else {}
    value |= given
    if value["NETWORK"]:
        find(value["NETWORK"])
    if value["SIM"]:
        choice("SIM", value["SIM"], (*v.SIMS, "both"))
    try:
        earlier = read_json(ROOT / value["MERGE"]) if value["MERGE"] else None
    except ValueError as error:
        raise UserError(f"MERGE={error}") from None
    cores = len(os.sched_getaffinity(0))
    words = [f"{k}={shlex.quote(x)}" for k, x in given.items() if k not in ("BUILD", "RESUME")]
    return Request(
        choice=Choice(
            tier=choice("TIER", value["TIER"], TIERS),
            network=value["NETWORK"],
            test=value["TEST"],
            sim=value["SIM"],
            seed=v.seed_number(value["SEED"]),
            reseed=integer("RESEED", value["RESEED"], "1 … 1000", 1, 1000),
            code=code,
            rtl=value["RTL"],
            build=value["BUILD"],
        ),
        jobs=integer("JOBS", value["JOBS"] or str(cores), "1 … 10000", 1, 10_000),
        fail_fast=v.flag("FAILFAST", value["FAILFAST"]),
        dry_run=v.flag("DRYRUN", value["DRYRUN"]),
        resume=v.flag("RESUME", value["RESUME"]),
        earlier=earlier,
        farm=value["FARM"],
        farm_values={p.name: value[p.name] for p in FARM},
        testplan=ROOT / value["TESTPLAN"] if value["TESTPLAN"] else PLAN,
        lasting={name: value[name] for name in LASTING},
        command=" ".join([f"make {'coverage' if code else 'regress'}", *words]),
        build=v.writable(value["BUILD"]),
    )


def run(console: Console, arguments: list[str], code: bool) -> int:
    """Run a tier; 0: all passed, 1: something failed or is missing."""
    given = named(arguments)
    wanted = request(given, code)
    if wanted.dry_run:
        show(console, expand(read(wanted.testplan), wanted.choice))
        return 0
    progress = Progress(console)
    pool = make_pool(wanted, progress)  # before the journal: a mistake leaves the old one alone
    folder = wanted.build / ("coverage" if code else "regress")
    with Journal(folder / "results.jsonl") as journal:
        header, old = journal.resume() if wanted.resume else (new_header(wanted), [])
        if wanted.resume:
            wanted = request(continued(given, header), code)
            same_sources(header, sources(wanted))
        plan = read(wanted.testplan)
        made = expand(plan, wanted.choice)
        if not wanted.resume:
            journal.start(header)
        session = Session(console, wanted, plan, made, journal, header, pool, progress)
        session.keep(old)
        return session.run()


def make_pool(wanted: Request, progress: Progress) -> Pool:
    """This machine or a farm, nothing started yet; UserError names a mistake in FARM…."""
    if not wanted.farm:
        return LocalPool(wanted.jobs)
    return FarmPool(
        wanted.farm,
        wanted.jobs,
        FarmOptions.from_variables(wanted.farm_values),
        logs=wanted.build / "farm",
        timeout=TIMEOUT,
        say=progress.say,
    )


def new_header(wanted: Request) -> dict[str, Any]:
    """The first line of the journal: all that is needed to continue."""
    return {
        "values": wanted.lasting,
        "command": wanted.command,
        "sources": sources(wanted),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def continued(given: Mapping[str, str], header: dict[str, Any]) -> dict[str, str]:
    """The variables of the interrupted regression; UserError names one that is given otherwise."""
    values: dict[str, str] = header.get("values", {})
    for name, value in given.items():
        if value != values.get(name, value):
            raise UserError(
                f"{name}={value}: RESUME=1 continues {header['command']!r}: it must be "
                f"{values[name] or 'empty'}"
            )
    return {**given, **values}


def sources(wanted: Request) -> str:
    """A hash of what decides the results."""
    rtl = ROOT / wanted.choice.rtl
    return fingerprint([MODELS, PACKAGE, ROOT / "tests", rtl, wanted.testplan])


def show(console: Console, made: Expansion) -> None:
    """What would be run."""
    for task in made.runs:
        names = ", ".join(task.payload.get("scenarios", ["all"]))
        console.print(f"{task.key}: {names}", soft_wrap=True)
    builds = len(made.tasks) - len(made.runs)
    console.print(f"{made.tests} tests in {len(made.runs)} runs, {builds} designs; nothing was run")


@dataclass
class Session:
    """A regression under way: hears of the jobs (`Sink`), keeps their results, reports."""

    console: Console
    request: Request
    plan: Testplan
    made: Expansion
    journal: Journal
    header: dict[str, Any]
    pool: Pool
    progress: Progress
    results: assemble.Results = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)  # builds, and what was said of them
    again: list[r.Test] = field(default_factory=list)  # failures that were run with waves
    stopped: str = ""

    def __post_init__(self) -> None:
        self.tasks = {task.key: task for task in self.made.tasks}
        self.start = time.monotonic()
        self.times = Times(self.request.build / "durations.json")

    def keep(self, old: list[dict[str, Any]]) -> None:
        """Take over what an interrupted regression has finished, if its files are still there."""
        for line in old:
            key, result = line["key"], line["result"]
            paths = [*result.get("hits", []), *result.get("code", [])]
            whole = all((ROOT / path).exists() for path in paths)
            if key in self.tasks and whole and "tests" in result:
                self.results[key] = result
        if old:
            tests = sum(len(result["tests"]) for result in self.results.values())
            self.console.print(f"continuing: {tests} tests are done")

    def run(self) -> int:
        """Run what is left, report, and return the exit status."""
        left = [t for t in self.made.runs if t.key not in self.results]
        builds = {t.after for t in left}
        todo = [t for t in self.made.tasks if t.key in builds or t in left]
        todo = [replace(t, seconds=self.times.expected(t)) for t in todo]
        ended_early: BaseException | None = None
        try:
            with self.pool as pool, self.progress.watch(todo, self.request.jobs):
                pool.run(todo, self)
                self.rerun(pool)
        except (KeyboardInterrupt, SystemExit, JournalFull) as stop:
            ended_early = stop
            self.stopped = str(stop) if isinstance(stop, JournalFull) else "interrupted"
        finally:
            self.times.save()
        try:
            report = self.report()
            self.write(report)
        except OSError as error:
            self.console.print(f"[red]no report: {escape(str(error))}[/]", soft_wrap=True)
            return 1
        if isinstance(ended_early, KeyboardInterrupt | SystemExit):
            return 130
        return 0 if report.passed else 1

    # ---- Sink ----------------------------------------------------------------------------------

    def started(self, key: str) -> None:
        self.progress.started(key)

    def ended(self, key: str, result: dict[str, Any]) -> bool:
        """Keep a result; False after a failure, if that is to be the end."""
        task = self.tasks[key]
        if "took" in result:
            self.times.note(task, result)
        if task.payload["kind"] == "build":
            self.broken[key] = result.get("message", "")
            self.progress.ended(key, [])
            return True  # what waits for it is told of next
        if "blocked" in result and self.broken.get(task.after or ""):
            result = {"blocked": f"{result['blocked']}: {self.broken[task.after or '']}"}
        self.journal.append({"key": key, "result": result})
        self.results[key] = result
        tests = assemble.tests_of(task, result)
        self.progress.ended(key, tests)
        return not self.request.fail_fast or all(test.passed for test in tests)

    # ---- failures ------------------------------------------------------------------------------

    def tests(self) -> list[r.Test]:
        """All tests so far, in the order of the plan."""
        return [
            test
            for task in self.made.runs
            if task.key in self.results
            for test in assemble.tests_of(task, self.results[task.key])
        ]

    def rerun(self, pool: Pool) -> None:
        """Repeat failures with waves, one of each kind of message first."""
        kinds: Counter[str] = Counter()
        failed: list[tuple[int, Task, str]] = []
        for task in self.made.runs:
            for test in assemble.tests_of(task, self.results.get(task.key, {"tests": []})):
                if not test.passed and test.log and task.payload["kind"] == "run":
                    kind = assemble.normalised(test.message)
                    failed.append((kinds[kind], task, test.scenario))
                    kinds[kind] += 1
        chosen = sorted(failed, key=lambda entry: entry[0])[:RERUNS]
        if not chosen:
            return
        self.progress.say(f"running {len(chosen)} of {len(failed)} failures again, with waves")
        pairs = [with_waves(task, scenario) for _, task, scenario in chosen]
        builds = {build.key: build for _, build in pairs}
        pool.run([*builds.values(), *(task for task, _ in pairs)], Waves(self.again))

    def with_reruns(self, tests: list[r.Test]) -> list[r.Test]:
        """Add what came of the reruns to the tests that failed."""
        again = {identity(test): test for test in self.again}
        for test in tests:
            if not test.passed and identity(test) in again:
                test.waves = again[identity(test)].waves
                if again[identity(test)].passed:
                    test.details.append("it passed when it was run again")
        return tests

    # ---- report --------------------------------------------------------------------------------

    def report(self) -> r.Report:
        """All that was found."""
        plan, points, choice = self.plan, self.made.points, self.request.choice
        tests = self.with_reruns(self.tests())
        groups, damaged = assemble.functional(plan, points, self.made.runs, self.results)
        rtl = (ROOT / choice.rtl).resolve()
        code, broken = assemble.code(self.made.runs, self.results, rtl) if choice.code else ([], [])
        damaged += broken
        report = r.Report(
            tier=choice.tier,
            seed=choice.seed,
            command=self.header["command"],
            when=self.header["when"],
            seconds=time.monotonic() - self.start,
            commit=assemble.commit(),
            tools=assemble.tools({t.sim for t in tests} - {"pytest"}),
            machine=assemble.machine(),
            tests=tests,
            claims=assemble.claims(plan, self.made, self.results, tests, choice.test),
            groups=groups,
            code=code,
            pictures=assemble.pictures(plan, tests, groups),
            buckets=assemble.buckets(tests),
            missing=sum(tests_in(t) for t in self.made.runs if t.key not in self.results),
            evidence=collect(self.request.build),
        )
        report.problems += damaged
        if self.stopped:
            report.problems.append(self.stopped)
        goals = plan.goals.get(choice.tier, {})
        complete = not (self.stopped or report.missing or damaged)
        # Goals and exclusions are made for a whole tier with code coverage.
        held = bool(goals) and choice.code and choice.whole and complete
        if self.request.earlier is not None:
            for line in merge_earlier(report, self.request.earlier):
                self.console.print(f"[yellow]not merged: {escape(line)}[/]", soft_wrap=True)
        report.problems += assemble.exclude(report, plan.exclusions, held)
        report.testpoints = assemble.testpoints(plan, points, tests, report.groups)
        if held:
            report.problems += assemble.goals_missed(report, goals)
        return report

    def write(self, report: r.Report) -> None:
        """Write every rendering, and print the one for a terminal."""
        choice = self.request.choice
        folder = self.request.build / ("report" if choice.code else "regress/report")
        folder.mkdir(parents=True, exist_ok=True)
        write_page(report, folder)
        write_json(report, folder / "coverage.json")
        write_junit(report, folder / "junit.xml")
        write_ucis(report, folder / "coverage.xml")
        write_markdown(report, folder / "summary.md")
        if report.code:
            write_lcov(report.code, folder / "coverage.lcov", ROOT)
        self.console.print(markdown(report), markup=False, emoji=False, soft_wrap=True)
        self.console.print(f"report: {folder / 'index.html'}", soft_wrap=True)
        if report.missing:
            target = "coverage" if choice.code else "regress"
            self.console.print(
                f"[yellow]{report.missing} tests were not run: make {target} RESUME=1 continues[/]"
            )


@dataclass
class Waves:
    """Hears of the runs that write waves."""

    tests: list[r.Test]

    def started(self, key: str) -> None:
        """Nobody waits for it."""

    def ended(self, key: str, result: dict[str, Any]) -> bool:
        self.tests += map(r.Test.from_json, result.get("tests", []))
        return True


def identity(test: r.Test) -> tuple[str, str, int, str]:
    """What tells a test from all others of a regression."""
    return test.configuration, test.sim, test.seed, test.scenario


class Times:
    """How long jobs took in earlier regressions: the best guess for this one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.known: dict[str, float] = json.loads(path.read_text())
        except (OSError, ValueError):
            self.known = {}

    def expected(self, task: Task) -> float:
        """Seconds; a build that is there already takes none worth mentioning."""
        return self.known.get(task.key, task.seconds)

    def note(self, task: Task, result: dict[str, Any]) -> None:
        self.known[task.key] = round(result["took"], 2)

    def save(self) -> None:
        """It is only a guess: a full disk is no reason to stop."""
        try:
            scratch = self.path.with_suffix(f".{os.getpid()}")
            scratch.write_text(json.dumps(self.known))
            scratch.replace(self.path)
        except OSError:
            pass
