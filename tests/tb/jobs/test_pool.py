"""The pool of this machine: order, ends of every kind, and that no process outlives it."""

import signal
import threading
import time

import pytest

from fattree_bench.jobs import child
from fattree_bench.jobs.child import Children, run_task
from fattree_bench.jobs.pool import Agenda, LocalPool, Task
from fattree_bench.paths import ROOT
from tests.tb.jobs.harness import (
    COMMAND,
    Notes,
    alive,
    driver,
    kill,
    make_task,
    parent,
    traced,
    wait_for_death,
    wait_until,
)


def run(tasks, jobs=1, **stop):
    notes = Notes(**stop)
    with LocalPool(jobs, timeout=10, command=COMMAND) as pool:
        pool.run(tasks, notes)
    return notes


def test_results_reach_the_sink(tmp_path):
    tasks = [make_task(tmp_path, f"t{i}", result={"passed": True, "i": i}) for i in range(6)]
    notes = run(tasks, jobs=3)
    assert notes.results == {f"t{i}": {"passed": True, "i": i} for i in range(6)}
    for i in range(6):
        assert notes.events.index(("started", f"t{i}")) < notes.events.index(("ended", f"t{i}"))
    assert len(traced(tmp_path)) == 6


def test_nothing_to_do():
    assert run([]).events == []


def test_a_job_starts_in_the_root_of_the_project(tmp_path):
    assert run([make_task(tmp_path, "t")]).results["t"]["folder"] == str(ROOT)


def test_jobs_run_at_once_but_not_more(tmp_path):
    """Four jobs that need half a second of waiting each, two at once."""
    start = time.monotonic()
    notes = run([make_task(tmp_path, f"t{i}", sleep=0.5) for i in range(4)], jobs=2)
    seconds = time.monotonic() - start
    assert 1.0 <= seconds < 1.9
    under_way = 0
    for what, _ in notes.events:
        under_way += 1 if what == "started" else -1
        assert under_way <= 2


def test_longest_first(tmp_path):
    times = {"a": 1, "b": 30, "c": 2, "d": 30, "e": 7}
    tasks = [make_task(tmp_path, key, seconds=seconds) for key, seconds in times.items()]
    assert run(tasks).started_keys() == ["b", "d", "e", "c", "a"]


def test_what_waits_for_a_task_counts(tmp_path):
    """A short build of a long run goes before a run of middling length."""
    tasks = [
        make_task(tmp_path, "middling", seconds=20),
        make_task(tmp_path, "long", after="build", seconds=30),
        make_task(tmp_path, "short", after="build", seconds=5),
        make_task(tmp_path, "build", seconds=1),
    ]
    assert run(tasks).started_keys() == ["build", "long", "middling", "short"]


def test_a_task_waits_for_its_build(tmp_path):
    tasks = [
        make_task(tmp_path, "run", after="build", seconds=100),
        make_task(tmp_path, "build", sleep=0.3),
        make_task(tmp_path, "link", after="run"),
    ]
    notes = run(tasks, jobs=3)
    assert notes.events == [
        (what, key) for key in ("build", "run", "link") for what in ("started", "ended")
    ]


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ({"result": {"failed_build": True, "log": "x"}}, "failed"),
        ({"do": "kill"}, "vanished: killed by SIGKILL"),
        ({"do": "silence"}, "vanished: ended with status 3"),
    ],
)
def test_dependants_of_a_failed_build_do_not_run(tmp_path, end, why):
    tasks = [
        make_task(tmp_path, "build", **end),
        make_task(tmp_path, "run", after="build"),
        make_task(tmp_path, "other-run", after="build"),
        make_task(tmp_path, "run-on-run", after="run"),
        make_task(tmp_path, "free"),
    ]
    notes = run(tasks, jobs=2)
    assert set(notes.results) == {task.key for task in tasks}
    assert set(notes.started_keys()) == {"build", "free"}
    for key in ("run", "other-run"):
        assert notes.results[key]["blocked"].startswith(f"build {why}")
    assert notes.results["run-on-run"] == {"blocked": "run did not start"}
    assert notes.results["free"]["passed"]


def test_a_failed_test_blocks_nothing(tmp_path):
    tasks = [
        make_task(tmp_path, "first", result={"passed": False, "failed_build": False}),
        make_task(tmp_path, "second", after="first"),
    ]
    assert run(tasks).results["second"]["passed"]


def test_fail_fast(tmp_path):
    """Nothing is started after a False; what is under way ends and is reported."""
    tasks = [
        make_task(tmp_path, "slow", seconds=9, sleep=0.6),
        make_task(tmp_path, "fails", seconds=8, sleep=0.1),
        *[make_task(tmp_path, f"t{i}") for i in range(3)],
    ]
    notes = run(tasks, jobs=2, stop_after="fails")
    assert notes.started_keys() == ["slow", "fails"]
    assert set(notes.results) == {"slow", "fails"}


def test_fail_fast_does_not_run_a_vanished_task_again(tmp_path):
    tasks = [
        make_task(tmp_path, "fails", seconds=9),
        make_task(tmp_path, "killed", seconds=8, sleep=0.5, do="kill"),
    ]
    notes = run(tasks, jobs=2, stop_after="fails")
    assert notes.results["killed"]["vanished"] == "killed by SIGKILL"
    assert len(traced(tmp_path, "killed")) == 1


@pytest.mark.parametrize(
    ("do", "why"),
    [
        ("kill", "killed by SIGKILL"),
        ("crash", "killed by SIGSEGV"),
        ("silence", "ended with status 3 and left no result: ImportError: no such module"),
        ("cut off", "ended with status 0 and left a broken result"),
        ("list", "ended with status 0 and left a result that is not an object"),
    ],
)
def test_a_job_that_vanishes_is_run_twice_and_told(tmp_path, do, why):
    notes = run([make_task(tmp_path, "t", do=do, child=True)])
    assert notes.results["t"]["vanished"] == f"{why} (again)"
    assert ("Traceback" in notes.results["t"]["output"]) == (do == "silence")
    assert notes.events == [("started", "t"), ("ended", "t")]
    assert len(traced(tmp_path, "t")) == 2
    wait_for_death(*traced(tmp_path))


def test_a_job_that_vanishes_once_is_no_failure(tmp_path):
    notes = run([make_task(tmp_path, "t", do="kill once", result={"passed": True})])
    assert notes.results == {"t": {"passed": True}}
    assert len(traced(tmp_path, "t")) == 2


def test_a_result_counts_whatever_the_status(tmp_path):
    notes = run([make_task(tmp_path, "t", do="status", result={"passed": False})])
    assert notes.results == {"t": {"passed": False}}


def test_a_job_that_takes_too_long_is_killed_with_its_children(tmp_path):
    start = time.monotonic()
    notes = run([make_task(tmp_path, "t", sleep=60, child=True, timeout=0.7)])
    assert time.monotonic() - start < 5
    assert notes.results["t"]["vanished"] == "time limit of 0.7 s"
    assert "final" not in notes.results["t"]
    assert len(traced(tmp_path, "t")) == 1  # a second time it would take as long
    wait_for_death(*traced(tmp_path))


def test_a_job_that_says_too_much_is_ended(tmp_path, monkeypatch):
    """What it says goes to a file: a message in a loop would fill the disk."""
    monkeypatch.setattr(child, "LOG", 1 << 10)
    notes = run([make_task(tmp_path, "t", do="babble", child=True)])
    assert notes.results["t"]["vanished"] == "limit of 0 MiB of output"
    assert notes.results["t"]["output"].startswith("a line\na line")
    assert len(traced(tmp_path, "t")) == 1
    wait_for_death(*traced(tmp_path))


def test_what_a_job_leaves_running_is_killed(tmp_path):
    notes = run([make_task(tmp_path, "t", child=True)])
    assert notes.results["t"]["passed"]
    wait_for_death(*traced(tmp_path, "child"))


def test_a_command_that_is_not_there(tmp_path):
    why = run_task({"name": "t"}, command=["/nowhere/python"])["vanished"]
    assert why.startswith("ended with status 127 and left no result: ")
    assert why.endswith("/nowhere/python: not found")


def test_no_room_for_the_scratch_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    assert run_task({"name": "t"}) == {
        "vanished": "could not be started: No such file or directory"
    }


def test_nothing_starts_once_all_is_killed(tmp_path):
    """A thread may be about to start its job when Ctrl-C comes."""
    children = Children()
    children.kill()
    task = make_task(tmp_path, "t")
    result = run_task(task.payload, command=COMMAND, children=children)
    assert result == {"vanished": "stopped", "final": True}
    assert traced(tmp_path) == []
    children.close()


class Fails(Notes):
    """A sink whose journal is full."""

    def ended(self, key, result):
        raise OSError("disk full")


def test_an_exception_of_the_sink_ends_all(tmp_path):
    tasks = [make_task(tmp_path, "quick", sleep=0.5), make_task(tmp_path, "slow", sleep=60)]
    start = time.monotonic()
    with pytest.raises(OSError, match="disk full"):
        LocalPool(2, command=COMMAND).run(tasks, Fails())
    assert time.monotonic() - start < 5
    wait_for_death(*traced(tmp_path))
    assert len(traced(tmp_path)) == 2


def test_runs_outside_the_main_thread(tmp_path):
    """No signal handler can be set there."""
    results = {}

    def work():
        results.update(run([make_task(tmp_path, "t")]).results)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert results["t"]["passed"]


def test_signals_are_given_back(tmp_path):
    before = [signal.getsignal(s) for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)]
    run([make_task(tmp_path, "t")])
    after = [signal.getsignal(s) for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)]
    assert after == before


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGINT, 1),
        (signal.SIGTERM, 128 + signal.SIGTERM),
        (signal.SIGHUP, 128 + signal.SIGHUP),
        (signal.SIGKILL, -signal.SIGKILL),
    ],
)
def test_an_interrupted_pool_leaves_no_process(tmp_path, number, status):
    with driver("local", tmp_path) as process:
        pids = traced(tmp_path)
        assert all(map(alive, pids))
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
        assert process.returncode == status
        assert errors == ("interrupted\n" if number == signal.SIGINT else "")
        assert "ended" not in output
        wait_for_death(*pids, patience=3)
        assert traced(tmp_path) == pids  # the third task did not start


def test_a_killed_leader_takes_its_children_along(tmp_path):
    """The shell above a job is what the pool knows of; it may be killed as well."""
    notes = Notes()
    task = make_task(tmp_path, "t", sleep=600, child=True)

    def kill_leaders():
        for processes in (2, 4):
            wait_until(lambda n=processes: len(traced(tmp_path)) == n, "the job")
            kill(parent(traced(tmp_path, "t")[-1]))

    killer = threading.Thread(target=kill_leaders)
    killer.start()
    LocalPool(1, command=COMMAND).run([task], notes)
    killer.join()
    assert notes.results["t"]["vanished"] == "killed by SIGKILL (again)"
    wait_for_death(*traced(tmp_path))


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([Task("a", {}), Task("a", {})], "the same key"),
        ([Task("a", {}, after="b")], "a waits for b, which is not a task"),
        ([Task("a", {}, after="a")], "a waits for itself"),
        ([Task("c", {}), Task("a", {}, after="b"), Task("b", {}, after="a")], "waits for itself"),
        ([Task("c", {}, after="a"), Task("a", {}, "b"), Task("b", {}, "a")], "waits for itself"),
    ],
)
def test_tasks_that_make_no_sense(tasks, message):
    with pytest.raises(ValueError, match=message):
        Agenda(tasks)
