"""`make regress CLOSE=1`: tests, seeds and stimulus are chosen by the bins that are still open."""

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape

from fattree_bench.bench.chosen import ROWS, read, write
from fattree_bench.bench.groups import Group
from fattree_bench.campaign import Result
from fattree_bench.coverage.exclusions import load
from fattree_bench.coverage.functional import BinExclusion, exclude_bins, report_group
from fattree_bench.errors import UserError
from fattree_bench.families import cover_groups, scenarios
from fattree_bench.jobs.job import build_task, tests_of
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.regress.chooser import Arm, Chooser, counted
from fattree_bench.regress.command import Regress
from fattree_bench.regress.expand import Expansion, expand
from fattree_bench.report import regression as r
from fattree_bench.sim.variables import SEEDS
from fattree_bench.testplan import Configuration, TestpointEntry
from fattree_bench.words import plural
from fattree_models.common.checks import BoolArray

DIRECTED = "directed"  # the test whose variables are chosen, where a network has it
AT_ONCE = 4  # tests in one process
SHOWN = 8  # bins of a group that are named
KEY = re.compile(r"(?P<name>.*) (?P<sim>\S+) seed (?P<seed>\d+) (?P<tests>\S+) (?P<stimulus>\S+)")
Payload = dict[str, Any]


@dataclass
class Closing:
    """A configuration whose bins are to be hit; `payloads`: jobs of the plan by test."""

    configuration: Configuration
    groups: dict[str, Group]
    reported: list[r.Group]  # the same, with what is excluded of them
    payloads: dict[str, Payload]
    chooser: Chooser
    rounds: int = 0

    def tasks(self, seed: int) -> list[Task]:
        """The next jobs: what is chosen, in a process for each agent; none if it is over."""
        over = not self.chooser.left or self.chooser.dried_up()
        arms = [] if over else self.chooser.choose(AT_ONCE)
        number = (seed + self.rounds) % SEEDS
        self.rounds += 1
        made = []
        for agent in dict.fromkeys(self.payloads[arm.test]["agent"] for arm in arms):
            own = [arm for arm in arms if self.payloads[arm.test]["agent"] == agent]
            text = write({name: value for arm in own for name, value in arm.stimulus})
            sim, tests = self.payloads[own[0].test]["values"]["SIM"], [arm.test for arm in own]
            words = self.configuration.name, sim, "seed", str(number), ",".join(tests), text
            made.append(self.task(" ".join(words)))
        return made

    def task(self, key: str) -> Task:
        """The job that a key says."""
        said = parts(key)
        tests = said["tests"].split(",")
        own = {"SEED": said["seed"], "STIMULUS": said["stimulus"], "TEST": said["tests"]}
        payload = self.payloads[tests[0]]
        values = {**payload["values"], **own}
        payload = {**payload, "values": values, "scenarios": tests}
        return Task(key, payload, build_task(payload).key)

    def learn(self, task: Task, result: Result) -> None:
        """Take the tests of a job into account."""
        given = read(parts(task.key)["stimulus"])
        for test in tests_of(task, result):
            if not test.passed:
                self.chooser.gone.add(test.scenario)
            names = [x for x in given if (x == ROWS) != (test.scenario in self.chooser.aims)]
            arm = Arm(test.scenario, tuple((name, given[name]) for name in names))
            if test.result is not None:
                self.chooser.learn(arm, test.result.bins, test.result.steps)

    def lines(self) -> Iterator[str]:
        """What was hit, what was not, and what cannot be."""
        left, hit, runs = self.chooser.left, self.chooser.hit, self.chooser.runs.values()
        missing = counted(left)
        what = f"{plural(missing, 'bin')} not hit" if missing else "every bin that counts was hit"
        tried = f"{self.chooser.clocks} clocks, {plural(sum(map(len, runs)), 'run')}"
        yield f"{self.configuration.name}: {what} in {tried}"
        for name, bins in left.items():
            yield f"  not hit in {tried}: {name}: {labels(self.groups[name], bins)}"
        for name, group in self.groups.items():
            for reason, mask in group.excluded:
                found = hit[name] & mask & (True if group.exists is None else group.exists)
                if found.any():
                    told = f"{name}: {labels(group, found)}: {reason}"
                    yield f"  HIT, although excluded: {told}"
        for own in self.reported:
            for entry in own.excluded:
                yield f"  unreachable: {own.name}: {plural(entry.count, 'bin')}: {entry.reason}"


def parts(key: str) -> re.Match[str]:
    """The words of a job's key."""
    said = KEY.fullmatch(key)
    assert said is not None, key
    return said


def labels(group: Group, bins: BoolArray) -> str:
    """Bins of a group by their labels, the first of them."""
    named = [
        " x ".join(point.labels[x] for point, x in zip(group.points, place, strict=True))
        for place in np.argwhere(bins)
    ]
    return "; ".join(named[:SHOWN]) + f" and {len(named) - SHOWN} more" * (len(named) > SHOWN)


class Regression(Regress):
    """A regression; with CLOSE=1 one that chooses."""

    lasting = (*Regress.lasting, "CLOSE")

    def __new__(cls, _: Console, given: Mapping[str, str]) -> "Regression":
        return object.__new__(Close if given.get("CLOSE") == "1" else cls)


class Close(Regression):
    """Runs until every bin that counts is hit, or nothing new comes any more."""

    def tasks(self) -> list[Task]:
        return self.made.tasks

    @cached_property
    def made(self) -> Expansion:
        """The jobs so far; some of the tests, with chosen stimulus, decide no claim."""
        return Expansion([], [replace(point, claims=()) for point in self.points])

    @cached_property
    def offered(self) -> Expansion:
        """What it chooses from: the tests of the tier."""
        return expand(self.plan, replace(self.choice, evidence=False))

    @cached_property
    def points(self) -> list[TestpointEntry]:
        """The testpoints of the tier, and others of the same networks with cover groups."""
        names = {point.name for point in self.offered.points}
        networks = {point.network for point in self.offered.points}
        return [
            point
            for point in self.plan.testpoints.values()
            if point.name in names or (point.coverage and point.network in networks)
        ]

    @cached_property
    def closings(self) -> dict[str, Closing]:
        """By configuration."""
        payloads: dict[str, dict[str, Payload]] = {}
        for task in self.offered.runs:
            if task.payload["kind"] == "run" and not task.payload["planted"]:
                for test in task.payload["scenarios"]:
                    own = payloads.setdefault(task.payload["configuration"], {})
                    own.setdefault(test, task.payload)
        made = {name: self.closing(name, own) for name, own in payloads.items()}
        if not any(closing.groups for closing in made.values()):
            raise UserError("CLOSE=1: no testpoint of these tests names a cover group")
        return {name: closing for name, closing in made.items() if closing.groups}

    def closing(self, name: str, payloads: dict[str, Payload]) -> Closing:
        """What is to be hit of a configuration, and by which tests."""
        configuration, aims = self.plan.configurations[name], {}
        network, known = configuration.built, scenarios(configuration.built)
        points = [point for point in self.points if configuration in self.plan.of(point)]
        goals = {group for point in points for group in point.coverage}
        groups = {group.name: group for group in cover_groups(network) if group.name in goals}
        closes = {t: {g for p in points if t in p.tests for g in p.coverage} for t in payloads}
        first = next(iter(payloads.values()))
        if DIRECTED in known and not self.choice.test and not known[DIRECTED].unfit(network):
            aims[DIRECTED] = known[DIRECTED].body.aims  # type: ignore[attr-defined]
            closes[DIRECTED], payloads[DIRECTED] = set(groups), {**first, "agent": "FRAME"}
        rows = {network.traffic_rows(sim) for sim in ("icarus", first["values"]["SIM"])}
        random = np.random.default_rng([self.choice.seed, zlib.crc32(name.encode())])
        reported = [report_group(group, network.name, name, {}) for group in groups.values()]
        files = self.plan.exclusions
        entries = [entry for path in files for entry in load(path, "functional", BinExclusion)]
        exclude_bins(reported, entries)
        chooser = Chooser(groups, self.open(reported), closes, sorted(rows), aims, random)
        return Closing(configuration, groups, reported, payloads, chooser)

    def open(self, reported: Sequence[r.Group]) -> dict[str, BoolArray]:
        """The bins that count, without those that MERGE has hit."""
        earlier = self.asked.earlier.groups if self.asked.earlier is not None else []
        old = {(x.configuration, x.name, str(x.points)): x.hits for x in earlier}
        found = {}
        for group in reported:
            hits = old.get((group.configuration, group.name, str(group.points)), group.hits)
            bins = np.array(group.reachable) & (np.array(hits) == 0)
            found[group.name] = bins.reshape([len(labels) for _, labels in group.points])
        return found

    def show(self) -> None:
        for name, closing in self.closings.items():
            count = plural(counted(closing.chooser.left), "bin")
            told = f"{name}: {count} open; of {', '.join(closing.payloads)}"
            self.console.print(told, soft_wrap=True)
        self.console.print("nothing was run")

    def recall(self, header: Mapping[str, Any], lines: Sequence[dict[str, Any]]) -> None:
        if self.asked.failed:
            raise UserError(
                "FAILED=1: the last run was with CLOSE=1; its failures have replay lines"
            )

    def keep(self, lines: Sequence[dict[str, Any]]) -> None:
        """What an interrupted run has left is learnt from, in its order."""
        for line in lines:
            closing = self.closings.get(parts(line["key"])["name"])
            if closing is None:
                continue
            task = closing.task(line["key"])
            if self.settled(task, line["result"]):
                self.made.tasks.append(task)
                self.results[task.key] = line["result"]
                closing.learn(task, line["result"])
                closing.rounds += 1
        vars(self).pop("by_key", None)

    def work(self, pool: Pool) -> None:
        """Round by round, since a choice depends on all that was hit before."""
        built: set[str | None] = set()
        while todo := [t for x in self.closings.values() for t in x.tasks(self.choice.seed)]:
            made = {t.after: build_task(t.payload) for t in todo if t.after not in built}
            self.made.tasks.extend(todo)
            self.by_key = {t.key: t for t in (*made.values(), *self.made.tasks)}
            runs = [replace(t, after=t.after if t.after in made else None) for t in todo]
            with self.progress.watch([*made.values(), *runs], self.asked.jobs):
                pool.run([*made.values(), *runs], self)
            built |= set(made)
            for task in (t for t in todo if t.key in self.results):
                closing = self.closings[task.payload["configuration"]]
                closing.learn(task, self.results[task.key])
            if self.fail_fast and not all(test.passed for test in self.tests()):
                break
        self.reruns.run(pool, self.made.runs, self.results, self.progress.say)

    def write(self, report: r.Report) -> None:
        super().write(report)
        for line in (line for closing in self.closings.values() for line in closing.lines()):
            self.console.print(escape(line), soft_wrap=True, highlight=False)
