"""`make regress` and `make coverage`: run a tier of the testplan, lose nothing, report."""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console
from rich.markup import escape

from fattree_bench import flaky
from fattree_bench.bench.network import Network
from fattree_bench.bench.result import Test
from fattree_bench.campaign import Campaign, Common, Result
from fattree_bench.coverage.functional import merge_earlier
from fattree_bench.coverage.lcov import write_lcov
from fattree_bench.errors import UserError
from fattree_bench.extras import require
from fattree_bench.families import find, planned
from fattree_bench.history import Asked
from fattree_bench.jobs.farm import FarmPool
from fattree_bench.jobs.farm_cluster import KINDS
from fattree_bench.jobs.farm_options import FarmOptions
from fattree_bench.jobs.job import tests_of
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.papers.registry import papers
from fattree_bench.paths import MODELS, PACKAGE, ROOT
from fattree_bench.regress import assemble
from fattree_bench.regress.buckets import buckets
from fattree_bench.regress.expand import TIMEOUT, Choice, Expansion, expand, tests_in
from fattree_bench.regress.reruns import Reruns
from fattree_bench.report import regression as r
from fattree_bench.report.artefacts import keep
from fattree_bench.report.database import read_json, write_json
from fattree_bench.report.evidence import collect
from fattree_bench.report.files import write_text
from fattree_bench.report.history import NAME, append, row
from fattree_bench.report.junit import write_junit
from fattree_bench.report.markdown import markdown, write_markdown
from fattree_bench.report.page import write_page
from fattree_bench.report.sarif import write_sarif
from fattree_bench.settings import Variable, choice, flag, number, parsed, word
from fattree_bench.shrink.command import FIRST, shrink
from fattree_bench.sim import variables as v
from fattree_bench.sim.sources import fingerprint
from fattree_bench.testplan import PLAN, Testplan, described, read
from fattree_bench.words import duration, plural

DURATIONS = "durations.json"
CHOSEN = ("tier", "network", "test", "sim", "seed", "reseed")  # variables that choose jobs


class Wanted(Common):
    """What of the testplan, and where it runs."""

    tier = word("TIER", "smoke", r.TIERS, "{allowed} (make coverage: nightly)")
    network = parsed("NETWORK", "", "only this network", lambda n: find(n).name if n else "")
    test = v.Variables.test.but(help="only these tests: names or globs, comma-separated")
    sim = word("SIM", "", (*v.SIMS, "both"), "only runs on {allowed} (each on both)")
    sim = sim.but(usual=lambda _: "", environment=True)
    seed = v.Variables.seed.but(
        help=f"first seed, 0 … {v.SEEDS - 1} or random; a run with n seeds counts up from it"
    )
    reseed = number("RESEED", 1, 1, 1000, "so many times the seeds of the testplan")
    ucis = flag("UCIS", 0, "also write coverage.xml, in the format of UCIS 1.0")
    failed = flag("FAILED", 0, "only what failed, or was not run, in the last run")
    close = flag("CLOSE", 0, "choose tests, seeds and STIMULUS by the open bins")
    evidence = flag("EVIDENCE", 1, "also run the proofs, mutants and areas of a whole tier")
    fail_fast = flag("FAILFAST", 0, "start nothing more after the first failure")
    earlier = parsed(
        *("MERGE", "", "coverage.json of an earlier run, to be added to the coverage"),
        lambda path: read_json(ROOT / path) if path else None,
    )
    shrink = FIRST
    history = Asked.history
    item = parsed("ITEM", "", "of make claim", str).but(fixed=True)
    farm = parsed(
        *("FARM", "", "slurm, lsf, pbs, sge or local-cluster; empty: this machine"),
        lambda kind: kind and choice("FARM", kind, KINDS),
    )
    testplan = parsed(
        *("TESTPLAN", "", "a testplan; empty: those of all families"),
        lambda path: ROOT / path if path else PLAN,
    )


class WantedCoverage(Wanted):
    """The same, of another tier."""

    tier = Wanted.tier.but(default="nightly")
    close = Wanted.close.but(fixed=True)


class Regress(Campaign):
    """A tier of the testplan."""

    target = "regress"
    variables: ClassVar[type[Common]] = Wanted
    asked: Wanted
    # How and where the rest runs may change.
    lasting: tuple[str, ...] = (
        *("TIER", "NETWORK", "TEST", "SIM", "SEED", "RESEED", "MERGE", "TESTPLAN", "EVIDENCE"),
        "RTL",
    )
    timeout = TIMEOUT
    code = False

    def __init__(self, console: Console, given: Mapping[str, str]) -> None:
        super().__init__(console, given)
        asked = self.asked
        self.choice = Choice(
            **{name: getattr(asked, name) for name in CHOSEN},
            code=self.code,
            rtl=self.text["RTL"],
            build=self.text["BUILD"],
            item=asked.item,
            evidence=bool(asked.evidence),
        )
        self.farm_options = FarmOptions.from_variables(self.text)
        if asked.ucis:
            require("ucis")
        self.network = self._described(given)
        self.fail_fast = asked.fail_fast
        self.reruns, self.start = Reruns(), time.monotonic()
        self.durations = durations(self.asked.build / DURATIONS)

    @classmethod
    def declared(cls, given: Mapping[str, str]) -> tuple[Variable[Any], ...]:
        mine = (*cls.variables.parameters, *FarmOptions.parameters)
        known = {p.name for p in mine}
        return (*mine, *(p for p in _own(given) if p.name not in known))

    def _described(self, given: Mapping[str, str]) -> Network | None:
        """The network that the variables describe, where its promises are the testplan."""
        if not _own(given):
            return None
        if "TESTPLAN" in given:
            raise UserError("TESTPLAN: the testplan is made of what the design promises")
        self.lasting = (*type(self).lasting, *(p.name for p in _own(given)))
        return find(given["NETWORK"]).from_variables(self.text)

    def sources(self) -> str:
        own = [] if self.network is None else self.network.rtl.sources(self.asked.rtl)
        ours = [MODELS, PACKAGE, *(ROOT / name for name in ("prover", "tests"))]
        return fingerprint([*ours, self.asked.rtl, self.asked.testplan, *own])

    def design_sources(self) -> list[Path]:
        """Of a design from elsewhere: what its code coverage is of."""
        return [] if self.network is None else self.network.rtl.synthesized(self.asked.rtl)[0]

    @cached_property
    def plan(self) -> Testplan:
        if self.network is not None:
            return described(self.network)
        try:
            plan = read(self.asked.testplan)
            if not plan.testpoints:
                raise UserError(f"{self.asked.testplan.name}: holds no testpoint")
            return plan
        except UserError as error:
            given = self.text["TESTPLAN"]
            raise UserError(f"TESTPLAN={given}: {error}" if given else str(error)) from None

    @cached_property
    def made(self) -> Expansion:
        return expand(self.plan, self.choice)

    @property
    def follows(self) -> str:
        if self.asked.failed and self.asked.resume:
            raise UserError("FAILED=1: starts a run of its own; RESUME=1 alone continues one")
        return "FAILED" if self.asked.failed else super().follows

    def noted(self) -> dict[str, Any]:
        only = self.choice.only
        return {} if only is None else {"only": sorted(only)}

    def recall(self, header: Mapping[str, Any], lines: Sequence[dict[str, Any]]) -> None:
        """FAILED=1 after FAILED=1 runs what is left of what was left."""
        if "only" in header:
            self._narrow({(key, name) for key, name in header["only"]})
        if self.asked.failed:
            found = {line["key"]: line["result"] for line in lines}
            self._narrow(
                {
                    (task.key, test.scenario)
                    for task in self.made.runs
                    for test in tests_of(task, found.get(task.key, {}))
                    if not test.passed
                }
            )

    def idle(self) -> str:
        return "FAILED=1: nothing failed in the last run" if self.choice.only == frozenset() else ""

    def _narrow(self, only: set[tuple[str, str]]) -> None:
        self.choice = replace(self.choice, only=frozenset(only))
        for made in ("made", "by_key"):
            vars(self).pop(made, None)

    def tasks(self) -> list[Task]:
        return [replace(t, seconds=self.durations.get(t.key, t.seconds)) for t in self.made.tasks]

    def show(self) -> None:
        left = [task for task in self.made.runs if task.key not in self.results]
        for task in left:
            names = ", ".join(task.payload.get("scenarios", ["all"]))
            self.console.print(f"{task.key}: {names}", soft_wrap=True)
        tests, designs = sum(map(tests_in, left)), {task.after for task in left} - {None}
        counts = f"{plural(tests, 'test')} in {plural(len(left), 'run')}"
        self.console.print(f"{counts}, {plural(len(designs), 'design')}; nothing was run")

    def settled(self, task: Task, result: Result) -> bool:
        """Whether it has ended, and its files are still there."""
        paths = [*result.get("hits", []), *result.get("code", [])]
        return "tests" in result and all((ROOT / path).exists() for path in paths)

    def done(self) -> str:
        return f"{plural(sum(len(x['tests']) for x in self.results.values()), 'test')} done"

    def pool(self) -> Pool:
        """This machine or a farm; UserError names a mistake in FARM…."""
        if not self.asked.farm:
            return super().pool()
        return FarmPool(
            *(self.asked.farm, self.asked.jobs, self.farm_options),
            logs=self.asked.build / "farm",
            timeout=self.timeout,
            say=self.progress.say,
        )

    def work(self, pool: Pool) -> None:
        try:
            super().work(pool)
            self.reruns.run(pool, self.made.runs, self.results, self.progress.say)
        finally:
            with suppress(OSError):  # they are only guesses
                write_text(self.asked.build / DURATIONS, json.dumps(self.durations))

    def ended(self, key: str, result: Result) -> bool:
        if "took" in result:
            self.durations[key] = round(result["took"], 2)
        return super().ended(key, result)

    def heard(self, task: Task, result: Result) -> list[Test]:
        return tests_of(task, result)

    def tests(self) -> list[Test]:
        """All tests so far, in the order of the plan."""
        return [
            test
            for task in self.made.runs
            if task.key in self.results
            for test in tests_of(task, self.results[task.key])
        ]

    def report(self) -> bool:
        report = self.found()
        shrink(self.console, report.tests, self.asked, bool(self.stopped))
        self.write(report)
        self.remember(report)
        return report.passed

    def remember(self, report: r.Report) -> None:
        """Add a line to the history; a disk that is full must not cost the report."""
        path = self.asked.history or self.asked.build / "history" / NAME
        built = sum(result.get("seconds", 0.0) for result in self.results.values())
        try:
            append(row(report, built), path)
            flaky.append(report, self.header["sources"], path)
        except OSError as error:
            told = f"the history was not written: {path}: {error.strerror}"
            self.console.print(f"[yellow]{escape(told)}[/]", soft_wrap=True)

    def found(self) -> r.Report:
        """All that was found."""
        plan, points, choice = self.plan, self.made.points, self.choice
        tests = self.reruns.joined(self.tests())
        groups, damaged = assemble.functional(plan, points, self.made.runs, self.results)
        code, broken = assemble.code(
            self.made.runs, self.results, self.asked.rtl, self.design_sources()
        )
        report = r.Report(
            tier=choice.tier,
            seed=choice.seed,
            command=self.header["command"],
            when=self.header["when"],
            seconds=time.monotonic() - self.start,
            commit=self.commit,
            tools=assemble.tools({t.sim for t in tests} & {*v.SIMS}),
            machine=assemble.machine(),
            tests=tests,
            claims=assemble.claims(plan, self.made, self.results, tests, choice.test),
            groups=groups,
            code=code,
            pictures=assemble.pictures(plan, tests, groups),
            buckets=buckets(tests),
            missing=sum(tests_in(t) for t in self.made.runs if t.key not in self.results),
            evidence=collect(self.asked.build),
            papers=list(papers()),
            problems=[*damaged, *broken],
        )
        if self.stopped:
            report.problems.append(self.stopped)
        complete = not (report.problems or report.missing)
        # Goals and exclusions are made for a whole tier with code coverage.
        if choice.code and choice.whole and complete:
            report.goals = plan.goals.get(choice.tier, {})
        if self.asked.earlier is not None:
            for line in merge_earlier(report, self.asked.earlier):
                self.console.print(f"[yellow]not merged: {escape(line)}[/]", soft_wrap=True)
        report.problems += assemble.exclude(report, plan.exclusions, bool(report.goals))
        report.testpoints = assemble.testpoints(plan, points, tests, report.groups)
        report.problems += assemble.goals_missed(report)
        return report

    def write(self, report: r.Report) -> None:
        """Write every rendering, and print the one for a terminal."""
        choice = self.choice
        folder = self.asked.build / ("report" if choice.code else "regress/report")
        folder.mkdir(parents=True, exist_ok=True)
        keep(report, folder)
        write_page(report, folder)
        write_json(report, folder / "coverage.json")
        write_junit(report, folder / "junit.xml")
        write_sarif(report, folder / "failures.sarif", self.asked.testplan)
        write_markdown(report, folder / "summary.md")
        if report.code:
            write_lcov(report.code, folder / "coverage.lcov", ROOT)
        if self.asked.ucis:
            from fattree_bench.report.ucis import write_ucis

            write_ucis(report, folder / "coverage.xml")
        self.console.print(markdown(report), markup=False, soft_wrap=True)
        self.verdict(report, folder / "index.html")

    def verdict(self, report: r.Report, page: Path) -> None:
        """The last lines: verdict, counts and time, where the report is."""
        if report.missing:
            told = f"{plural(report.missing, 'test')} not run: {self.continued('RESUME')} continues"
            self.console.print(f"[yellow]{told}[/]", soft_wrap=True)
        tests = report.tests
        failed = sum(not test.passed for test in tests)
        counts = f"{len(tests) - failed} of {len(tests) + report.missing} tests passed"
        if failed:
            self.console.print(f"{self.continued('FAILED')} runs only what failed", soft_wrap=True)
            counts += f", {failed} failed"
        verdict = "[green]PASS[/]" if report.passed else "[red]FAIL[/]"
        self.console.print(
            f"{verdict}  {counts}, seed {report.seed}, {duration(report.seconds)}", soft_wrap=True
        )
        self.console.print(f"report: {page}", soft_wrap=True)


class Coverage(Regress):
    """The same with code coverage."""

    target = "coverage"
    variables = WantedCoverage
    code = True


def _own(given: Mapping[str, str]) -> tuple[Variable[Any], ...]:
    """Variables of a network whose testplan is made of its promises; none of others."""
    name = given.get("NETWORK", "")
    return find(name).parameters if planned(name) and given.get("DESIGN") else ()


def durations(path: Path) -> dict[str, float]:
    """How long jobs took in earlier regressions: the best guess for this one."""
    try:
        known: dict[str, float] = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return known
