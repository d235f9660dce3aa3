"""Expands the testplan over configurations, simulators and seeds into jobs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from fattree_bench.bench.scenario import Scenario
from fattree_bench.errors import UserError
from fattree_bench.families import family, plan_names, scenarios
from fattree_bench.jobs.commands import commands
from fattree_bench.jobs.job import START_SECONDS, build_task
from fattree_bench.jobs.pool import Task
from fattree_bench.sim import variables as v
from fattree_bench.sim.variables import SEEDS, SIMS
from fattree_bench.testplan import Configuration, Effort, Testplan, TestpointEntry

TIMEOUT = 1800  # seconds that a job may take
SCENARIO_SECONDS = {"verilator": 0.3, "icarus": 0.8}  # rough guesses, for the first time


@dataclass(frozen=True)
class Choice:
    """What the user wants of the testplan.

    Attributes
    ----------
    sim : "" as the plan says, one simulator of the plan's runs, or "both": each run on both.
    reseed : so many times the seeds of the plan.
    code : count code coverage.
    only : (key of a run, test) of those that are wanted; None: all.
    item : of a paper; only what decides it.
    evidence : also run the commands that a whole tier has besides its tests.
    """

    tier: str
    network: str = ""
    test: str = ""
    sim: str = ""
    seed: int = 1
    reseed: int = 1
    code: bool = False
    rtl: str = v.Folders.rtl.default
    build: str = "build"
    only: frozenset[tuple[str, str]] | None = None
    item: str = ""
    evidence: bool = True

    @property
    def whole(self) -> bool:
        """The tier as it stands in the plan: what its goals are set for."""
        return not (self.network or self.test or self.sim or self.item) and self.only is None


@dataclass(frozen=True)
class Expansion:
    """The jobs of a regression, the testpoints that they serve, configurations NETWORK left out."""

    tasks: list[Task] = field(default_factory=list)
    points: list[TestpointEntry] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)

    @property
    def runs(self) -> list[Task]:
        """Tasks that have results: all but the builds."""
        return [t for t in self.tasks if t.payload["kind"] != "build"]


def tests_in(task: Task) -> int:
    """Tests of a job; a pytest file counts as one before it has run."""
    return len(task.payload.get("scenarios", [task]))


def expand(plan: Testplan, choice: Choice) -> Expansion:
    """All jobs of a tier: a simulator process each, builds first; UserError if there are none."""
    points = [
        p
        for p in plan.testpoints.values()
        if choice.tier in p.tiers
        and (not choice.network or p.network in plan_names(choice.network))
        and p.decides(choice.item)
    ]
    made = Expansion(points=[*points])
    points += [c.point for p in points for claim in p.claims for c in claim.controls.values()]
    builds: dict[str, Task] = {}
    for configuration in plan.configurations.values():
        effort = configuration.tiers.get(choice.tier)
        own = [p for p in points if configuration in plan.of(p)]
        names = ("", configuration.network, family(configuration.network))
        if effort is None or not own:
            continue
        if choice.network not in names:
            made.left_out.add(configuration.name)
            continue
        for task, build in _runs(configuration, effort, own, choice):
            builds.setdefault(build.key, build)
            made.tasks.append(task)
    if not choice.test:
        made.tasks.extend(_checks(points, choice))
    if choice.evidence and (choice.whole or choice.only is not None):
        made.tasks.extend(commands(plan.evidence, choice.tier, choice.build, choice.rtl))
    if choice.only is not None:
        made.tasks[:] = _narrowed(made.tasks, choice.only)
    needed = {task.after for task in made.tasks}
    made.tasks[:0] = (build for key, build in builds.items() if key in needed)
    if not made.runs and choice.only is None:
        asked = [x for x in ("network", "test", "sim", "tier") if getattr(choice, x)]
        told = " ".join(f"{name.upper()}={getattr(choice, name)}" for name in asked)
        sims = {x for c in plan.configurations.values() for e in c.tiers.values() for x in e.sims}
        only = {choice.sim} - {"", "both", *sims} and f"; it runs on {', '.join(sims)} alone"
        raise UserError(f"{told}: the testplan has no such run{only or ''}")
    return made


def _narrowed(tasks: Iterable[Task], only: frozenset[tuple[str, str]]) -> Iterator[Task]:
    """Of each job what is wanted; a pytest file runs as a whole."""
    for task in tasks:
        if "scenarios" not in task.payload:
            if any(key == task.key for key, _ in only):
                yield task
        elif names := [s for s in task.payload["scenarios"] if (task.key, s) in only]:
            yield replace(task, payload={**task.payload, "scenarios": names})


def _runs(
    configuration: Configuration, effort: Effort, points: list[TestpointEntry], choice: Choice
) -> Iterator[tuple[Task, Task]]:
    """(job, build that it needs) of a configuration."""
    sims = SIMS if choice.sim == "both" else effort.sims
    for sim in (s for s in sims if choice.sim in ("", "both", s)):
        for number in range(effort.seeds * choice.reseed):
            tests = {
                test: None
                for p in points
                if p.seeded or not number
                for test in p.tests
                if wanted(test, choice.test)
            }
            if not tests:
                continue
            network = configuration.built
            known = scenarios(network)
            fit = [s for name, s in known.items() if name in tests and not s.unfit(network)]
            for agent in dict.fromkeys(s.agent for s in fit):
                part = [s for s in fit if s.agent == agent]
                seed = (choice.seed + effort.first - 1 + number) % SEEDS
                yield _job(configuration, sim, seed, agent, part, choice)


def wanted(test: str, pattern: str) -> bool:
    """Whether one of the comma-separated globs fits a test; none: every test."""
    return not pattern or any(fnmatchcase(test, part) for part in pattern.split(","))


def _job(
    configuration: Configuration,
    sim: str,
    seed: int,
    agent: str,
    scenarios: list[Scenario],
    choice: Choice,
) -> tuple[Task, Task]:
    values = {
        "NETWORK": configuration.network,
        **configuration.variables,
        "SIM": sim,
        "SEED": str(seed),
        "CODE": str(int(choice.code and sim == "verilator" and configuration.code)),
        "RTL": configuration.rtl(choice.rtl, choice.build),
        "BUILD": choice.build,
    }
    payload: dict[str, Any] = {
        "kind": "run",
        "planted": bool(configuration.planted),
        "configuration": configuration.name,
        "network": configuration.network,
        "variables": configuration.variables,
        "values": values,
        "agent": agent,
        "scenarios": [s.name for s in scenarios],
        "timeout": TIMEOUT,
    }
    build = build_task(payload)
    key = f"{configuration.name} {sim} seed {seed}" + ("" if agent == "FRAME" else f" {agent}")
    seconds = START_SECONDS + SCENARIO_SECONDS[sim] * len(scenarios)
    return Task(key, payload, build.key, seconds), build


def with_waves(task: Task, scenario: str) -> tuple[Task, Task]:
    """The job that repeats one scenario of another and writes waves, and its build."""
    values = {**task.payload["values"], "WAVES": "1", "CODE": "0"}
    payload = {**task.payload, "values": values, "scenarios": [scenario]}
    build = build_task(payload)
    key = f"{task.key} {scenario} with waves"
    return replace(task, key=key, payload=payload, after=build.key), build


def _checks(points: list[TestpointEntry], choice: Choice) -> Iterator[Task]:
    """A job a pytest file that a testpoint names, or a part of one."""
    owners = {check: p for p in points for check in p.checks}
    for file, part, point in [(f, n + 1, p) for f, p in owners.items() for n in range(p.parts)]:
        payload = {
            "kind": "checks",
            "file": file,
            "part": f"{part}/{point.parts}",
            "network": point.network,
            "values": {"BUILD": choice.build, "RTL": choice.rtl},
            "timeout": TIMEOUT,
        }
        name = f" {payload['part']}" if point.parts > 1 else ""
        yield Task(f"pytest {file}{name}", payload, None, 20.0)
