"""The pool of a farm: local worker processes, and stand-ins for a farm's commands on PATH."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import threading
from importlib.metadata import requires
from pathlib import Path
from types import ModuleType
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fattree_bench.errors import UserError
from fattree_bench.jobs import farm
from fattree_bench.jobs.farm import FarmPool
from fattree_bench.jobs.farm_cluster import NO_PAGES, close_cluster, make_cluster
from fattree_bench.jobs.farm_options import FarmOptions
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

USUAL = FarmOptions.from_variables({})
needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("dask_jobqueue") is None, reason="make setup-farm installs dask"
)

# Submits what it is given, a file or standard input, as a real process in a session of its own;
# refuses one submission if there is a file "refuse".
SUBMIT = """\
#!/bin/sh
if rm {folder}/refuse 2> /dev/null; then  # one of two at once
    echo "{submit}: error: invalid partition" >&2
    exit 1
fi
cat -- "${{1:--}}" > {folder}/script.$$
setsid {start} {folder}/script.$$ > {folder}/output.$$ 2>&1 < /dev/null &
echo $! >> {folder}/submitted
echo "{answer}"
"""
# Nothing but what was submitted here is killed, whatever it is asked for.
CANCEL = """\
#!/bin/sh
echo "$1" >> {folder}/cancelled
grep -qx "$1" {folder}/submitted || exit 1
for attempt in 1 2 3 4 5; do  # it may not have its group yet
    kill -s TERM -- "-$1" && exit
    sleep 0.1
done
"""
FARMS = {
    "slurm": ("sbatch", "scancel", "Submitted batch job $!"),
    "lsf": ("bsub", "bkill", "Job <$!> is submitted to default queue <normal>."),
    "pbs": ("qsub", "qdel", "$!.server"),
    "sge": ("qsub", "qdel", 'Your job $! (\\"tb-regress\\") has been submitted'),
}


def executable(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def stand_in(kind: str, folder: Path, starts: bool = True) -> str:
    """Commands of a farm that starts its jobs on this machine, or never; a PATH with them."""
    folder.mkdir()
    submit, cancel, answer = FARMS[kind]
    start = "sh" if starts else "true"
    text = SUBMIT.format(folder=folder, submit=submit, answer=answer, start=start)
    executable(folder / submit, text)
    executable(folder / cancel, CANCEL.format(folder=folder))
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def numbers(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def group(leader: int) -> list[int]:
    """The processes that live in a group."""
    output = subprocess.run(
        ["ps", "-eo", "pgid=,pid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in output.splitlines()]
    return [int(pid) for pgid, pid, state in rows if int(pgid) == leader and state[0] != "Z"]


@needs_dask
def test_a_worker_killed_in_the_middle(tmp_path):
    """Its job runs again on another, and every result arrives once (Notes refuses a second)."""
    tasks = [
        make_task(tmp_path, f"t{i}", sleep=0.3, result={"passed": True, "i": i}) for i in range(12)
    ]
    tasks.append(make_task(tmp_path, "victim", seconds=5, sleep=3, child=True))
    notes = Notes()

    def kill_its_worker():
        wait_until(lambda: traced(tmp_path, "child"), "the victim")
        job = traced(tmp_path, "victim")[0]
        kill(parent(parent(job)))
        wait_for_death(job, traced(tmp_path, "child")[0], patience=2)

    killer = threading.Thread(target=kill_its_worker)
    killer.start()
    with FarmPool("local-cluster", 2, logs=tmp_path, command=COMMAND) as pool:
        pool.run(tasks, notes)
    killer.join()
    assert set(notes.results) == {task.key for task in tasks}
    assert all(result["passed"] for result in notes.results.values())
    assert [notes.results[f"t{i}"]["i"] for i in range(12)] == list(range(12))
    assert len(traced(tmp_path, "victim")) == 2
    assert sorted(notes.started_keys()) == sorted(task.key for task in tasks)


@needs_dask
def test_a_job_that_kills_its_workers_vanishes(tmp_path):
    """The farm keeps what the local pool promises, and one pool serves several runs."""
    tasks = [
        make_task(tmp_path, "deadly", seconds=9, do="kill the parent"),
        make_task(tmp_path, "build", seconds=8, result={"failed_build": True}),
        make_task(tmp_path, "run", after="build"),
        make_task(tmp_path, "killed-once", do="kill once"),
        make_task(tmp_path, "slow", sleep=60, timeout=0.5),
    ]
    notes, second = Notes(), Notes(stop_after="a")
    with FarmPool("local-cluster", 1, logs=tmp_path, command=COMMAND) as pool:
        pool.run(tasks, notes)
        pool.run([make_task(tmp_path, "a", seconds=2), make_task(tmp_path, "b")], second)
    assert notes.results["deadly"] == {"vanished": "3 workers died while running it"}
    assert len(traced(tmp_path, "deadly")) == farm.LOST_WORKERS
    assert notes.results["run"] == {"blocked": "build failed"}
    assert notes.results["killed-once"]["passed"]
    assert notes.results["slow"]["vanished"] == "time limit of 0.5 s"
    assert second.events == [("started", "a"), ("ended", "a")]
    wait_for_death(*traced(tmp_path))


@needs_dask
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_local_cluster_leaves_no_process(tmp_path, number):
    with driver("local-cluster", tmp_path) as process:
        jobs = traced(tmp_path)
        workers = [parent(parent(pid)) for pid in traced(tmp_path, "t0") + traced(tmp_path, "t1")]
        assert all(map(alive, jobs + workers))
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        if number == signal.SIGINT:
            assert errors == "interrupted\n"
        wait_for_death(*jobs, *workers, patience=10)


@needs_dask
def test_an_exception_of_the_sink_ends_all(tmp_path):
    """At once, not only when the pool is left or the process ends."""

    class Fails(Notes):
        def ended(self, key, result):
            raise OSError("disk full")

    tasks = [make_task(tmp_path, "quick", sleep=1), make_task(tmp_path, "slow", sleep=600)]
    with FarmPool("local-cluster", 1, USUAL.but(cores=2), logs=tmp_path, command=COMMAND) as pool:
        worker = []

        def look():
            wait_until(lambda: len(traced(tmp_path)) == 2, "both jobs")
            worker.append(parent(parent(traced(tmp_path)[0])))

        looker = threading.Thread(target=look)
        looker.start()
        with pytest.raises(OSError, match="disk full"):
            pool.run(tasks, Fails())
        looker.join()
        assert worker[0] > 1
        wait_for_death(*traced(tmp_path), *worker, patience=2)


@needs_dask
def test_slurm_runs_jobs_and_gets_its_workers_back(tmp_path, monkeypatch):
    queue = tmp_path / "queue"
    monkeypatch.setenv("PATH", stand_in("slurm", queue))
    monkeypatch.chdir(tmp_path)
    notes, said = Notes(), []
    with FarmPool(
        "slurm",
        2,
        USUAL.but(cores=2, wait=20),
        logs=tmp_path / "logs",
        command=COMMAND,
        say=said.append,
    ) as pool:
        pool.run([make_task(tmp_path, f"t{i}", sleep=0.2) for i in range(8)], notes)
        submitted = numbers(queue / "submitted")
        assert len(submitted) == 2
        assert all(map(group, submitted))
    assert {key: r["folder"] for key, r in notes.results.items()} == {
        f"t{i}": str(ROOT) for i in range(8)
    }
    assert said[0] in [f"FARM=slurm: {n} of 2 workers" for n in (1, 2)]
    assert sorted(numbers(queue / "cancelled")) == sorted(submitted)
    for leader in submitted:
        wait_until(lambda leader=leader: not group(leader), "the end of the farm's job")


@needs_dask
@pytest.mark.parametrize("kind", ["slurm", "local-cluster"])
def test_a_scheduler_answers_nobody_without_the_key_of_the_run(tmp_path, monkeypatch, kind):
    """Anyone who reaches a scheduler of dask may run code as the user who started it."""
    import dask
    from distributed import Client

    monkeypatch.setenv("PATH", stand_in("slurm", tmp_path / "queue", starts=False))
    with dask.config.set(NO_PAGES):
        cluster = make_cluster(kind, 1, USUAL, tmp_path / "logs")
    try:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        with Client(cluster) as ours:
            assert ours.run_on_scheduler(lambda: 6 * 7) == 42
        for stranger in (address.replace("tls://", "tcp://"), address):
            with pytest.raises((OSError, ValueError, TypeError)):
                Client(stranger, timeout=1)
        served = cluster.scheduler.http_server._sockets.values()
        host, port = next(iter(served)).getsockname()[:2]
        assert len(served) == 1 and host == "127.0.0.1"
        for page in ("status", "info/main/workers.html", "metrics", "json/identity.json"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"http://{host}:{port}/{page}")
        for key in (tmp_path / "logs").glob(".dask-jobqueue*"):
            assert key.stat().st_mode & 0o077 == 0
    finally:
        close_cluster(cluster, kind, lambda line: None)


@needs_dask
@pytest.mark.parametrize(
    ("kind", "directives"),
    [
        ("slurm", ["-p night", "-A trees", "-t 02:00:00", "--mem=4G", "--cpus-per-task=2"]),
        ("lsf", ["-q night", '-P "trees"', "-W 02:00", "-n 2"]),
        ("pbs", ["-q night", "-A trees", "-l walltime=02:00:00", "-l select=1:ncpus=2:mem=3815MB"]),
        ("sge", ["-q night", "-P trees", "-l h_rt=02:00:00", "-cwd"]),
    ],
)
def test_what_a_farm_is_asked_for(tmp_path, monkeypatch, kind, directives):
    """The farm takes the job and never starts it."""
    queue = tmp_path / "queue"
    monkeypatch.setenv("PATH", stand_in(kind, queue, starts=False))
    options = USUAL.but(
        queue="night",
        account="trees",
        walltime=7200,
        cores=2,
        directives=("--exclude=a", "--nice=5"),
        prologue="module load gcc",
        wait=1,
    )
    notes = Notes()
    with (
        pytest.raises(UserError, match=r"^FARM_WAIT=1: no worker came .*logs"),
        FarmPool(kind, 1, options, logs=tmp_path / "logs") as pool,
    ):
        pool.run([make_task(tmp_path, "t")], notes)
    assert notes.events == []
    assert len(numbers(queue / "submitted")) == 1
    assert numbers(queue / "cancelled") == numbers(queue / "submitted")
    (script,) = queue.glob("script.*")
    lines = script.read_text().splitlines()
    marks = {"slurm": "#SBATCH", "lsf": "#BSUB", "pbs": "#PBS", "sge": "#$"}
    for directive in [*directives, "--exclude=a", "--nice=5"]:
        assert f"{marks[kind]} {directive}" in lines
    assert lines[-4] == "module load gcc" and lines[-2] == f"cd {ROOT}"
    assert lines[-1].startswith(f"{sys.executable} -m distributed.cli.dask_worker tls://")
    assert "--nthreads 2 " in lines[-1] and "--no-dashboard" in lines[-1]
    keys = re.findall(r"--tls-(?:key|cert|ca-file) (\S+)", lines[-1])
    assert len(keys) == 3 and all(Path(key).parent == tmp_path / "logs" for key in keys)
    assert not any(Path(key).exists() for key in keys)  # gone with the run


@needs_dask
def test_an_interrupted_farm_is_given_its_jobs_back(tmp_path):
    path = stand_in("slurm", tmp_path / "queue")
    with driver("slurm", tmp_path, environment={"PATH": path}) as process:
        jobs = traced(tmp_path)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 128 + signal.SIGTERM
        assert errors == ""
    submitted = numbers(tmp_path / "queue" / "submitted")
    assert sorted(numbers(tmp_path / "queue" / "cancelled")) == sorted(submitted)
    wait_for_death(*jobs)
    for leader in submitted:
        wait_until(lambda leader=leader: not group(leader), "the end of the farm's job")


@needs_dask
def test_a_farm_job_that_ends_is_replaced(tmp_path, monkeypatch):
    """As at the end of its walltime, in the middle of a run; also if the farm is busy at first."""
    queue = tmp_path / "queue"
    monkeypatch.setenv("PATH", stand_in("slurm", queue))
    monkeypatch.setattr(farm, "REPLACE", 1.0)
    notes, said = Notes(), []

    def end_it():
        wait_until(lambda: traced(tmp_path, "t0"), "the run")
        (queue / "refuse").touch()
        kill(-numbers(queue / "submitted")[0])

    killer = threading.Thread(target=end_it)
    killer.start()
    with FarmPool(
        "slurm", 1, USUAL.but(wait=20), logs=tmp_path / "logs", command=COMMAND, say=said.append
    ) as pool:
        pool.run([make_task(tmp_path, "t0", sleep=1)], notes)
    killer.join()
    assert notes.results["t0"]["passed"]
    assert len(traced(tmp_path, "t0")) == 2
    assert len(numbers(queue / "submitted")) == 2
    assert said == [
        "FARM=slurm: 1 of 1 workers",
        "FARM=slurm: 0 of 1 workers",
        "FARM=slurm: sbatch: error: invalid partition; trying again",
        "FARM=slurm: 1 of 1 workers",
    ]


@needs_dask
def test_a_refused_submission(tmp_path, monkeypatch):
    """One of two, as by a limit of jobs a user; the other is cancelled, if it came so far."""
    queue = tmp_path / "queue"
    monkeypatch.setenv("PATH", stand_in("slurm", queue))
    (queue / "refuse").touch()
    with (
        pytest.raises(UserError) as error,
        FarmPool("slurm", 2, logs=tmp_path, command=COMMAND) as pool,
    ):
        pool.run([make_task(tmp_path, "t")], Notes())
    assert str(error.value) == "FARM=slurm: sbatch: error: invalid partition"
    submitted = numbers(queue / "submitted")
    assert len(submitted) < 2
    assert numbers(queue / "cancelled") == submitted
    for leader in submitted:
        wait_until(lambda leader=leader: not group(leader), "the end of the farm's job")


@needs_dask
def test_the_requirements_are_complete():
    """Else an installation would take the newest of what is missing."""
    pinned = {
        canonicalize_name(line.partition("==")[0])
        for line in (ROOT / "requirements.lock").read_text().splitlines()
    }
    wanted, found = ["dask", "distributed", "dask-jobqueue"], set()
    while wanted:
        name = canonicalize_name(wanted.pop())
        if name not in found:
            found.add(name)
            needs = [Requirement(text) for text in requires(name) or []]
            wanted += [r.name for r in needs if not r.marker or r.marker.evaluate({"extra": ""})]
    assert found <= pinned


def test_a_kind_that_is_none(tmp_path):
    with pytest.raises(UserError) as error:
        FarmPool("condor", 1, logs=tmp_path)
    assert str(error.value) == "FARM=condor: must be slurm, lsf, pbs, sge or local-cluster"


@needs_dask
@pytest.mark.parametrize("kind", FARMS)
def test_a_machine_that_is_no_host_of_the_farm(tmp_path, monkeypatch, kind):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=f"^FARM={kind}: {FARMS[kind][0]} is not on PATH"):
        FarmPool(kind, 1, logs=tmp_path)


@pytest.mark.parametrize("missing", PACKAGES := ["cryptography", "dask_jobqueue", "distributed"])
def test_dask_is_not_installed(tmp_path, monkeypatch, missing):
    for name in PACKAGES:
        monkeypatch.setitem(sys.modules, name, None if name == missing else ModuleType(name))
    with pytest.raises(UserError) as error:
        FarmPool("local-cluster", 1, logs=tmp_path)
    expected = f"FARM=local-cluster: {missing} is not installed: make setup-farm"
    assert str(error.value) == expected


def test_only_a_farm_pool_imports_dask():
    """The help and the local pool must do without."""
    code = (
        "import sys, fattree_bench.jobs.farm, fattree_bench.jobs.pool\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('dask', 'distributed')])"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert output.stdout == "[]\n", output.stderr


@needs_dask
def test_a_run_may_not_take_longer_than_a_farm_job_lives(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", stand_in("slurm", tmp_path / "queue"))
    pool = FarmPool("slurm", 1, USUAL.but(walltime=1800), logs=tmp_path, timeout=60)
    with pytest.raises(UserError, match=r"^FARM_WALLTIME=00:30:00: .* 00:31:00$"):
        pool.run([make_task(tmp_path, "t", timeout=1860)], Notes())
