"""From the results of jobs to a report: buckets, lost runs, claims, testpoints, goals, pictures."""

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.claims import FAILS, NOTHING, UNMEASURED, Claim
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.errors import UserError
from fattree_bench.families import cover_groups
from fattree_bench.jobs import job
from fattree_bench.papers.registry import items
from fattree_bench.regress import assemble
from fattree_bench.regress.buckets import buckets
from fattree_bench.regress.expand import Choice, Expansion, expand, with_waves
from fattree_bench.regress.expand import tests_in as counted
from fattree_bench.report import regression as r
from fattree_bench.sim import variables
from fattree_bench.sim.sources import fingerprint
from fattree_bench.testplan import Testplan, read

PLAN = """
[goals.smoke]
functional = 50
line = 90

[configurations]
tree-16 = { network = "lbbvn", variables = "N=16", smoke = { sims = ["icarus"], seeds = 2 } }

[testpoint."rotators"]
network = "lbbvn"
source = "Chueh et al. 2013"
goal = "Rotators conflict."
stimulus = "Rotators."
check = "Scoreboard."
tests = ["rotators", "symmetric_tdm"]
seeded = false
coverage = ["lanes in use: level x direction x lanes"]
tiers = ["smoke", "nightly", "full"]

[testpoint.rotators.claim]
measure = "former frames need more"
verdict = "holds"
items = ["B17", "B28"]
"""


@pytest.fixture
def plan(tmp_path: Path) -> Testplan:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.replace("former frames need more", "nothing_lost"))
    return read(path)


@pytest.fixture
def made(plan: Testplan, tmp_path: Path) -> Expansion:
    return expand(plan, Choice("smoke", build=str(tmp_path)))


def test_unseeded_tests_run_with_the_first_seed_only(made: Expansion) -> None:
    assert [t.key for t in made.runs] == ["tree-16 icarus seed 1"]
    assert sum(map(counted, made.runs)) == 2
    assert made.runs[0].after == made.tasks[0].key


def test_the_rerun_writes_waves_and_replays_one_test(made: Expansion) -> None:
    task, build = with_waves(made.runs[0], "rotators")
    assert task.payload["scenarios"] == ["rotators"]
    assert task.payload["values"]["WAVES"] == "1"
    assert build.key == task.after != made.runs[0].after


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"vanished": "killed by SIGKILL", "output": "last words"}, "the run vanished: killed by"),
        ({"blocked": "build x failed"}, "build x failed"),
        ({"failed_build": True, "message": "the build failed; log: x"}, "the build failed; log: x"),
        ({}, "the job left no results"),
    ],
)
def test_a_job_without_results_fails_all_its_tests(
    made: Expansion, result: dict, message: str
) -> None:
    tests = job.tests_of(made.runs[0], result)
    assert [t.scenario for t in tests] == ["rotators", "symmetric_tdm"]
    assert not any(t.passed for t in tests)
    assert all(t.message.startswith(message) for t in tests)
    assert "TEST=rotators" in tests[0].replay and "SEED=1" in tests[0].replay


def test_lost_runs_are_told_of_on_a_full_disk(
    made: Expansion, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: str) -> Path:
        raise UserError(f"BUILD={folder}: cannot be written: No space left on device")

    monkeypatch.setattr(variables, "writable", full)
    tests = job.tests_of(made.runs[0], {"vanished": "killed by SIGKILL"})
    assert all(t.message == "the run vanished: killed by SIGKILL" for t in tests)


def test_messages_that_differ_in_numbers_share_a_bucket() -> None:
    def failed(message: str) -> Test:
        return Test("lbbvn", "c", {}, "icarus", 1, "frame", False, message=message, replay="x")

    tests = [
        failed("lost (3): slot 17, source 2"),
        failed("lost (12): slot 4, source 11"),
        failed("corrupted (1): 0x1f instead of 0xff"),
        failed("the build failed; log: /a/build/sim/lbbvn-4-icarus-0123/build.log"),
        failed("the build failed; log: /b/build/sim/lbbvn-8-icarus-4567/build.log"),
    ]
    assert [(b.message, b.count) for b in buckets(tests)] == [
        ("lost (#): slot #, source #", 2),
        ("the build failed; log: …", 2),
        ("corrupted (#): # instead of #", 1),
    ]


def test_failures_of_one_cause_share_a_bucket() -> None:
    """A swapped child misleads packets, crowds others out, and stops a test with a rule."""

    def failed(network: str, *symptoms: str) -> Test:
        result = ScenarioResult("frame", dict.fromkeys(symptoms, 1), sent=4)
        test = Test(network, "c", {}, "icarus", 1, "frame", False, result, message="x")
        test.symptoms = list(symptoms)
        return test

    tests = [
        failed("lbbvn", "misdelivered"),
        failed("lbbvn", "a conflict where the bench expects none: # on the way down at level #"),
        failed("lbbvn", "misdelivered", "lost", "conflict_count"),
        failed("lbbvn", "lost"),
        failed("lbbvn", "corrupted"),
        failed("kary", "misdelivered"),
        failed("lbbvn", "corrupted", "limit"),
        failed("kary", "limit"),
    ]
    found = buckets(tests)
    assert [b.members for b in found] == [[0, 1, 2, 3], [4, 6], [5], [7]]
    assert found[0].symptoms == [("misdelivered", 2), ("conflict_count", 2), ("lost", 2)]


def evidence(made: Expansion) -> tuple[assemble.Results, list[Test]]:
    payload = made.runs[0].payload
    tests = [
        Test(
            "lbbvn",
            payload["configuration"],
            payload["variables"],
            "icarus",
            1,
            name,
            True,
            ScenarioResult(name, sent=16, delivered=16),
        )
        for name in payload["scenarios"]
    ]
    return {made.runs[0].key: {"tests": [asdict(t) for t in tests]}}, tests


@pytest.mark.parametrize("pattern", ["rotators", "frame"])
def test_a_part_of_the_evidence_decides_no_claim(
    plan: Testplan, made: Expansion, pattern: str
) -> None:
    results, tests = evidence(made)
    for claim in assemble.claims(plan, made, results, tests, pattern):
        assert (claim.verdict, claim.trouble) == (UNMEASURED, "")
    for some in ({}, results):
        claims = assemble.claims(plan, made, some, tests, "")
        assert [(c.verdict, c.trouble) for c in claims] == [(UNMEASURED, "")] * 2
        made.left_out.update(c.name for c in plan.of(plan.testpoints["rotators"]))  # by NETWORK


def test_a_claim_knows_its_items_its_errors_and_its_logs(plan: Testplan, made: Expansion) -> None:
    results, tests = evidence(made)
    for test in tests:
        test.log = "build/runs/a/sim.log"
    claims = assemble.claims(plan, made, results, tests, "")
    assert [claim.item for claim in claims] == ["B17", "B28"]
    claim = claims[0]
    assert claim.logs == ("build/runs/a/sim.log",)
    assert claim.says == items()["B17"].says
    measure = plan.testpoints["rotators"].claims[0].measure
    assert claim.planted == f"tests/tb/regress/test_claims.py -k {measure}"
    assert assemble.claims(plan, made, {}, tests, "")[0].logs == ()


def test_testpoints_count_their_tests(plan: Testplan, made: Expansion) -> None:
    _, tests = evidence(made)
    tests[1].passed = False
    (point,) = assemble.testpoints(plan, made.points, tests, [])
    assert (point.passed, point.failed, point.seeds) == (1, 1, 1)


def group(hits: list[int]) -> r.Group:
    return r.Group("lbbvn", "tree-16", "g", [("row", list("abcd"))], hits, [True] * 4)


def test_goals_are_per_cent_of_what_counts(plan: Testplan) -> None:
    report = r.Report("smoke", 1, "", "", 0.0, "", {}, {}, [], groups=[group([1, 1, 0, 0])])
    report.goals = plan.goals["smoke"]
    assert assemble.goals_missed(report) == []
    report.groups = [group([1, 0, 0, 0])]
    assert assemble.goals_missed(report) == ["functional coverage: 25.00 %, the goal is 50 %"]
    points = [r.CodePoint("line", n, 0, "block", n % 2) for n in range(10)]
    report.code = [r.CodeFile("a.v", [""] * 10, points)]
    assert len(assemble.goals_missed(report)) == 2


def test_a_picture_shows_the_mean_of_the_lanes_in_use(plan: Testplan, made: Expansion) -> None:
    network = plan.configurations["tree-16"].built
    (lanes,) = (g for g in cover_groups(network) if g.name.startswith("lanes in use"))
    lanes.hits[1, 0, 4], lanes.hits[1, 1, 0], lanes.hits[2, 0, -1] = 3, 1, 5
    shown = r.Group(
        "lbbvn",
        "tree-16",
        lanes.name,
        [(p.title, list(p.labels)) for p in lanes.points],
        lanes.hits.ravel().tolist(),
        lanes.reachable.ravel().tolist(),
    )
    mean = assemble.mean_lanes(shown, network.drawn_lanes())
    assert np.allclose(mean, [0, 3, 3, 0, 0])  # over capacity: all 3 lanes of level 2
    (picture,) = assemble.pictures(plan, [], [shown])
    assert "mean: 3 of 4 (75 %)" in picture.svg


def test_a_fingerprint_knows_names_and_contents(tmp_path: Path) -> None:
    def taken(name: str, text: str) -> str:
        folder = tmp_path / f"{name}{text}"
        folder.mkdir()
        (folder / name).write_text(text)
        return fingerprint([folder])

    assert len({taken("a", "x"), taken("a", "y"), taken("b", "y")}) == 3
    assert fingerprint([tmp_path / "ax"]) == fingerprint([tmp_path / "ax"])


TROUBLED = Claim("rotators", "lbbvn", "", "", NOTHING, FAILS, trouble="fails")
FAILED = Test("lbbvn", "tree-16", {}, "icarus", 1, "frame", False)


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"claims": [replace(TROUBLED, trouble="")]}, True),
        ({"claims": [TROUBLED]}, False),
        ({"tests": []}, False),
        ({"tests": [replace(FAILED, passed=True), FAILED]}, False),
        ({"problems": ["line coverage: 99 %, the goal is 100 %"]}, False),
        ({"missing": 1}, False),
    ],
    ids=["sound", "as-planned", "trouble", "no-test", "failed", "problem", "missing"],
)
def test_each_fault_alone_fails_a_report(changes: dict, passed: bool) -> None:
    tests = [replace(FAILED, passed=True)]
    report = r.Report("smoke", 1, "", "", 0.0, "", {}, {}, tests)
    assert replace(report, **changes).passed == passed


def test_tasks_have_keys_of_their_own(made: Expansion) -> None:
    keys = [t.key for t in made.tasks]
    assert len(keys) == len(set(keys))
