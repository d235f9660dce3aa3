"""Makes the report of a regression out of the results of its jobs."""

import os
import platform
import re
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.claims import Claim
from fattree_bench.bench.groups import OVER_CAPACITY
from fattree_bench.bench.result import Test
from fattree_bench.claims import judge, unmeasured
from fattree_bench.coverage.code import files, files_of
from fattree_bench.coverage.exclusions import CodeExclusion, exclude_code, load
from fattree_bench.coverage.functional import (
    BinExclusion,
    Hits,
    add_hits,
    exclude_bins,
    report_group,
)
from fattree_bench.errors import UserError
from fattree_bench.families import cover_groups
from fattree_bench.jobs.pool import Task
from fattree_bench.paths import ROOT
from fattree_bench.regress.expand import Expansion, wanted
from fattree_bench.report import regression as r
from fattree_bench.report.tree_svg import tree_svg
from fattree_bench.sim.toolchain import simulator_version
from fattree_bench.sim.verilator_dat import merge
from fattree_bench.testplan import Testplan, TestpointEntry
from fattree_models.common.checks import Int64Array

Results = dict[str, dict[str, Any]]  # key of a job to what it left
PICTURES = 4  # of a network
DRAWN_LEVELS = 4


def testpoints(
    plan: Testplan, points: Iterable[TestpointEntry], tests: Sequence[Test], groups: list[r.Group]
) -> list[r.Testpoint]:
    """What came of each testpoint."""
    made = []
    for point in points:
        own = list(tests_for(plan, point, tests))
        names = {c.name for c in plan.of(point)}
        covers = [g for g in groups if g.configuration in names and g.name in point.coverage]
        made.append(
            r.Testpoint(
                name=point.name,
                network=point.network,
                source=point.source,
                goal=point.goal,
                stimulus=point.stimulus,
                check=point.check,
                tests=[*point.tests, *point.checks],
                coverage=list(point.coverage),
                passed=sum(t.passed for t in own),
                failed=sum(not t.passed for t in own),
                seeds=len({t.seed for t in own if t.sim != "pytest"}),
                covered=sum(g.covered for g in covers),
                bins=sum(g.bins for g in covers),
                networks=sorted({c.network for c in plan.of(point)}),
            )
        )
    return made


def tests_for(plan: Testplan, point: TestpointEntry, tests: Iterable[Test]) -> Iterable[Test]:
    """The tests that prove a testpoint."""
    names = {c.name for c in plan.of(point)}
    for test in tests:
        scenario = test.scenario in point.tests and test.configuration in names
        if scenario or (test.sim == "pytest" and test.configuration in point.checks):
            yield test


def claims(
    plan: Testplan, made: Expansion, results: Results, tests: Sequence[Test], pattern: str
) -> list[Claim]:
    """What the papers say, measured; a part of the evidence decides nothing."""

    def evidence(point: TestpointEntry) -> list[Test]:
        chosen = all(wanted(test, pattern) for test in point.tests)
        chosen = chosen and not (pattern and point.checks)
        chosen = chosen and made.left_out.isdisjoint(c.name for c in plan.of(point))
        whole = chosen and all(t.key in results for t in made.runs if serves(plan, point, t))
        return list(tests_for(plan, point, tests)) if whole else []

    judged = []
    for point in made.points:
        own = evidence(point)
        for entry in point.claims:
            of = {name: evidence(control.point) for name, control in entry.controls.items()}
            judged += judge(unmeasured(point, entry), entry, own, of)
    return judged


def serves(plan: Testplan, point: TestpointEntry, task: Task) -> bool:
    """Whether a job brings evidence for a testpoint."""
    payload = task.payload
    if payload["kind"] == "checks":
        return payload["file"] in point.checks
    own = any(c.name == payload["configuration"] for c in plan.of(point))
    return own and bool(set(point.tests) & set(payload["scenarios"]))


def functional(
    plan: Testplan, points: Sequence[TestpointEntry], tasks: Sequence[Task], results: Results
) -> tuple[list[r.Group], list[str]]:
    """The cover groups that testpoints of a configuration close, with the hits of its runs.

    And what is wrong with files of hits, a line each.
    """
    hits: dict[str, Hits] = {}
    problems = []
    for task in tasks:
        if task.payload["kind"] == "run":
            total = hits.setdefault(task.payload["configuration"], {})
            for path in results.get(task.key, {}).get("hits", []):
                try:
                    add_hits(total, ROOT / path)
                except ValueError as error:
                    problems.append(str(error))
    made = []
    for name, own in hits.items():
        configuration = plan.configurations[name]
        closing = {g for p in points if configuration in plan.of(p) for g in p.coverage}
        for group in cover_groups(configuration.built):
            if group.name not in closing:
                continue
            try:
                made.append(report_group(group, configuration.network, name, own))
            except ValueError as error:
                problems.append(str(error))
    return made, problems


def code(
    tasks: Sequence[Task], results: Results, rtl: Path, own: Sequence[Path] = ()
) -> tuple[list[r.CodeFile], list[str]]:
    """Code coverage of all runs that counted it, and what is wrong with their files.

    `own`: the sources of a design from elsewhere, in place of those in `rtl`.
    """
    paths = [ROOT / path for task in tasks for path in results.get(task.key, {}).get("code", [])]
    try:
        if not paths:
            return [], []
        points = merge(paths)
        return files_of(points, own, ROOT) if own else files(points, rtl, ROOT), []
    except ValueError as error:
        return [], [str(error)]


def exclude(report: r.Report, files: Iterable[Path], held: bool) -> list[str]:
    """Apply files of exclusions; what is wrong with their entries, if that is held against them."""
    try:
        bins = [entry for path in files for entry in load(path, "functional", BinExclusion)]
        points = [entry for path in files for entry in load(path, "code", CodeExclusion)]
    except ValueError as error:
        raise UserError(str(error)) from None
    problems = exclude_bins(report.groups, bins)
    if report.code:
        problems += exclude_code(report.code, points)
    return problems if held else []


def pictures(plan: Testplan, tests: Sequence[Test], groups: Iterable[r.Group]) -> list[r.Picture]:
    """Networks of 16 leaves, their channels coloured by the mean of the lanes in use."""
    made: dict[str, list[r.Picture]] = {}
    for group in groups:
        configuration = plan.configurations.get(group.configuration)
        if configuration is None or group.points[-1][1][-1] != OVER_CAPACITY:
            continue
        network = configuration.built
        drawn = made.setdefault(configuration.network, [])
        lanes = network.drawn_lanes()
        if len(drawn) == PICTURES or len(lanes) != DRAWN_LEVELS + 1:
            continue
        count = sum(t.configuration == configuration.name for t in tests)
        words = (f"{k}={v}" for k, v in configuration.variables.items())
        title = " ".join([configuration.network, *words])
        caption = f"{configuration.name}, {count} tests of all kinds"
        used = mean_lanes(group, lanes)
        drawn.append(r.Picture(title, caption, tree_svg(lanes, used)))
    return [picture for drawn in made.values() for picture in drawn]


def mean_lanes(group: r.Group, lanes: Int64Array) -> npt.NDArray[np.float64]:
    """Mean lanes of a channel in use by level, both ways, from the hits of level x way x lanes."""
    shape = [len(labels) for _, labels in group.points]
    hits = np.array(group.hits, np.int64).reshape(shape).sum(axis=1)
    used = np.minimum(np.arange(shape[-1]), lanes[:, None])  # over capacity all are in use
    mean: npt.NDArray[np.float64] = (hits * used).sum(axis=1) / np.maximum(1, hits.sum(axis=1))
    return mean


def goals_missed(report: r.Report) -> list[str]:
    """Goals that the coverage does not reach, a line each."""
    totals = {"functional": report.functional_total(), **{k: report.code_total(k) for k in r.KINDS}}
    return [
        f"{kind} coverage: {100 * totals[kind][0] / max(1, totals[kind][1]):.2f} %, "
        f"the goal is {goal:g} %"
        for kind, goal in report.goals.items()
        if 100 * totals[kind][0] < goal * totals[kind][1]
    ]


def tools(sims: Iterable[str]) -> dict[str, str]:
    """Versions of what made the results."""
    found = {"Python": platform.python_version()}
    for sim in sorted(set(sims)):
        words = re.search(r"\d+(\.\d+)+", simulator_version(sim))
        found[sim.capitalize()] = words[0] if words else simulator_version(sim)
    return found | {name: version(name) for name in ("cocotb", "pyuvm", "numpy")}


def machine() -> dict[str, str]:
    """Where it ran."""
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.exists() else ""
    model = re.search(r"model name\s*: (.*)", text)
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "CPU": model[1] if model else platform.processor() or platform.machine(),
        "cores": str(len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()),
        "memory": f"{pages / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
    }
