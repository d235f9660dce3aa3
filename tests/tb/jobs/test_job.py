"""What a job makes of its simulator processes: every test answers for itself, nothing is lost."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.bench.revive import revived
from fattree_bench.bench.scenario import Scenario
from fattree_bench.jobs import job
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, Built
from fattree_bench.sim.outcome import Outcome

NAMES = ("single_packets", "frame", "rotators")
CRASH = "the simulator ended with an error (139)"
Run = Callable[..., dict[str, dict[str, Any]]]


def passed(name: str) -> ScenarioResult:
    return ScenarioResult(name, sent=4, delivered=4)


def crashed(*silent: str, after: tuple[str, ...] = (), problems: tuple[str, ...] = ()) -> Outcome:
    """The simulator is gone; `after` have left their results, `silent` have not."""
    output = [*problems, *(f"test {name} left no result" for name in silent)]
    return Outcome([passed(name) for name in after], output, list(silent))


@pytest.fixture
def payload(tmp_path: Path) -> dict[str, Any]:
    return {
        "kind": "run",
        "configuration": "tree-4",
        "variables": {"N": "4"},
        "values": {"N": "4", "SIM": "icarus", "SEED": "3", "BUILD": str(tmp_path)},
        "agent": "FRAME",
        "scenarios": list(NAMES),
    }


@pytest.fixture
def run(payload: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The tests of a job by name, and what its processes were given: `started`, `hits`."""

    def run(*outcomes: Outcome) -> dict[str, dict[str, Any]]:
        left = list(outcomes)
        run.started = []

        def simulate(
            settings: v.Variables, built: Built, scenarios: list[Scenario], points: str
        ) -> Outcome:
            assert not points  # no measure reads it
            folder = tmp_path / str(len(run.started))
            folder.mkdir()
            (folder / "hits.npz").touch()
            run.started.append([s.name for s in scenarios])
            run.limit = settings.time_limit
            outcome = left.pop(0)
            outcome.log = folder / "sim.log"
            return outcome

        monkeypatch.setattr(job, "simulate", simulate)
        made = job.run_scenarios(payload)
        assert not left
        run.hits = made["hits"]
        assert [test["scenario"] for test in made["tests"]] == list(NAMES)
        return {test["scenario"]: test for test in made["tests"]}

    built = Built(tmp_path, "lbbvn_bench", 0.0, "icarus", False)
    monkeypatch.setattr(job, "build", lambda settings, agent: built)
    return run


def test_sound_tests_pass_in_one_process(run: Run) -> None:
    tests = run(Outcome([passed(name) for name in NAMES]))
    assert all(test["passed"] and not test["message"] for test in tests.values())
    assert run.started == [list(NAMES)]


def test_after_a_crash_the_rest_runs_in_a_new_process(run: Run, tmp_path: Path) -> None:
    """The one that took the simulator down has failed, those after it start afresh."""
    first = crashed("frame", "rotators", after=("single_packets",), problems=(CRASH,))
    tests = run(first, Outcome([passed("rotators")]))
    assert run.started == [list(NAMES), ["rotators"]]
    assert [tests[name]["passed"] for name in NAMES] == [True, False, True]
    assert (tests["frame"]["message"], tests["frame"]["details"]) == (CRASH, [CRASH])
    assert tests["frame"]["result"] is None
    replay = "make sim NETWORK=lbbvn N=4 FORM=FAST TEST=frame SIM=icarus SEED=3"
    assert tests["frame"]["replay"] == replay
    assert [tests[name]["log"] for name in NAMES] == [
        str(tmp_path / folder / "sim.log") for folder in "001"
    ]
    assert run.hits == [str(tmp_path / folder / "hits.npz") for folder in "01"]


def test_what_was_known_of_a_stopped_test_is_told(run: Run) -> None:
    first = crashed("frame", "rotators", after=("single_packets",), problems=(CRASH,))
    first.stopped = [ScenarioResult("frame", {"lost": 1}, {"lost": ["slot 1"]}, sent=4)]
    tests = run(first, Outcome([passed("rotators")]))
    assert tests["frame"]["details"] == [CRASH, "by then lost (1): slot 1"]
    assert tests["frame"]["message"] == CRASH


def test_silence_fails_every_test_and_comes_to_an_end(run: Run) -> None:
    tests = run(*(crashed(*NAMES[i:]) for i in range(3)))
    assert run.started == [list(NAMES[i:]) for i in range(3)]
    assert [test["message"] for test in tests.values()] == [
        f"test {name} left no result" for name in NAMES
    ]


def test_trouble_after_its_result_belongs_to_its_test(run: Run) -> None:
    output = "cocotb: test frame failed: KeyError: 3 (mine.py:7)"
    tests = run(Outcome([passed(name) for name in NAMES], [output]))
    assert [tests[name]["passed"] for name in NAMES] == [True, False, True]
    assert (tests["frame"]["message"], tests["frame"]["details"]) == (output, [output])


def test_the_last_test_answers_for_what_is_nobodys(run: Run) -> None:
    problems = ["the simulator left no code coverage", CRASH]
    tests = run(Outcome([passed(name) for name in NAMES], problems))
    assert [tests[name]["passed"] for name in NAMES] == [True, True, False]
    assert tests["rotators"]["message"] == problems[0]
    assert tests["rotators"]["details"] == problems


def test_faults_and_idleness_are_told(run: Run) -> None:
    lost = ScenarioResult("frame", {"lost": 2}, {"lost": ["slot 1", "slot 3"]}, sent=4)
    tests = run(Outcome([passed("single_packets"), lost, ScenarioResult("rotators")]))
    assert tests["frame"]["details"] == ["lost (2): slot 1", "lost: slot 3"]
    assert tests["rotators"]["message"] == "nothing was sent"
    assert [tests[name]["passed"] for name in NAMES] == [True, False, False]


@pytest.mark.parametrize("kind", ["build", "run"])
def test_a_build_that_failed_is_a_result(
    kind: str, payload: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(settings: v.Variables, agent: str) -> Built:
        raise BuildError("the build failed; log: x")

    monkeypatch.setattr(job, "build", fails)
    given, left = tmp_path / "payload.json", tmp_path / "result.json"
    given.write_text(json.dumps(payload | {"kind": kind}))
    monkeypatch.setattr(sys, "argv", ["job", str(given), str(left)])
    job.main()
    result = json.loads(left.read_text())
    assert result.pop("took") >= 0
    assert result == {"failed_build": True, "message": "the build failed; log: x"}


def test_a_pytest_file_that_runs_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "test_none.py").write_text("x = 1\n")
    file = str(tmp_path / "test_none.py")
    values = {"BUILD": str(tmp_path / "build")}
    (test,) = job.run_checks({"kind": "checks", "file": file, "network": "", "values": values})[
        "tests"
    ]
    assert not test["passed"]
    assert test["message"] == "error: pytest ran no test"
    assert test["replay"] == f"build/venv/bin/python -m pytest {file}"


@pytest.mark.parametrize(("given", "low", "high"), [({}, 60, 95), ({"TIME_LIMIT": "7"}, 7, 7)])
def test_a_simulation_is_ended_before_its_job_is_killed(
    given: dict[str, str], low: int, high: int, run: Run, payload: dict[str, Any]
) -> None:
    payload["timeout"] = 100
    payload["values"] |= given
    run(Outcome([passed(name) for name in NAMES]))
    assert low <= run.limit <= high


def test_numbers_that_a_pytest_check_records(tmp_path: Path) -> None:
    """Claims read them; text that other plugins leave is not a number."""
    (tmp_path / "test_one.py").write_text(
        "def test_it(record_property):\n"
        "    record_property('pairs', 56)\n"
        "    record_property('share', 0.5)\n"
        "    record_property('note', 'all is well')\n"
    )
    file = str(tmp_path / "test_one.py")
    values = {"BUILD": str(tmp_path / "build")}
    (test,) = job.run_checks({"kind": "checks", "file": file, "network": "", "values": values})[
        "tests"
    ]
    assert test["passed"]
    assert test["recorded"] == {"pairs": 56, "share": 0.5}
    assert revived(Test, test).recorded == test["recorded"]
