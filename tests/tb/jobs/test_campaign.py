"""What all commands that run jobs share: variables, RESUME, interruptions, full disks, status."""

import errno
import os
import shutil
import signal
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from fattree_bench import campaign
from fattree_bench.area import command as area
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.bench.revive import revived
from fattree_bench.campaign import Campaign, read
from fattree_bench.cli import CAMPAIGNS, main
from fattree_bench.cli import campaign as kind_of
from fattree_bench.explore import command as explore
from fattree_bench.families.design import Block
from fattree_bench.families.proof import PROVED
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.jobs.journal import Journal, JournalFull
from fattree_bench.jobs.pool import Sink, Task
from fattree_bench.mutate import command as mutate
from fattree_bench.mutate.mutant import Mutant
from fattree_bench.mutate.verdict import SCOREBOARD, SURVIVED, Verdict
from fattree_bench.paths import ROOT
from fattree_bench.sim.variables import FROM_ENVIRONMENT
from fattree_bench.universality.experiment import EXPERIMENT
from tests.cli import FRAMES
from tests.tb.area.samples import made_up

PLAN = """
[configurations.tree-2]
network = "lbbvn"
variables = "N=2"
smoke = { sims = ["verilator"], seeds = 4 }
nightly = { sims = ["verilator"] }
"""
PLAN += f'{FRAMES}tests = ["messages"]\n'
SMALL = {
    "regress": ["TESTPLAN={plan}"],
    "coverage": ["TESTPLAN={plan}", "TIER=smoke"],
    "explore": ["NETWORK=xgft", "M=2,2", "W=1,2", "LOADS=0.1,0.2", "SEEDS=4"],
    "formal": ["TASK=concentrator-*", "TIER=small"],
    "mutate": ["N=2", "COUNT=4"],
    "area": ["N=8", "DESIGNS=LOWER_BOUND"],
    "universality": ["N=16,32", "NETWORK=mesh2d,tree"],
}
EACH_ITS_OWN = ("formal", "area")  # jobs whose sources are their own: changed ones run again


def test_it_is_about_all_commands() -> None:
    assert SMALL.keys() == CAMPAIGNS.keys()


class StandIn:
    """Runs no job: all pass.  `ran`: which; `end` is raised before the one after `last`."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.last = 1000
        self.end: BaseException = KeyboardInterrupt()

    def runs(self, key: str) -> None:
        if not self.left:
            raise self.end
        self.left -= 1
        self.ran.append(key)

    def pool(self, jobs: int, timeout: float, command: Sequence[str]) -> "Pool":
        self.left = self.last
        return Pool(self)

    def simulation(self, *_: object) -> SimpleNamespace:
        """In place of the simulators of mutants; none is alive after a `last`."""

        def run(
            numbers: Sequence[int], jobs: int, limit: int, hear: Callable[[Verdict], None]
        ) -> None:
            for number in numbers:
                self.runs(f"mutant {number}")
                hear(Verdict(number, SCOREBOARD if number else SURVIVED))

        return SimpleNamespace(run=run)


class Pool:
    """In place of a LocalPool."""

    def __init__(self, stand_in: StandIn) -> None:
        self.stand_in = stand_in

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, tasks: Sequence[Task], sink: Sink) -> None:
        for task in tasks:
            if task.payload.get("kind") != "build":
                self.stand_in.runs(task.key)
            sink.started(task.key)
            sink.ended(task.key, result(task.payload))


def result(payload: dict[str, Any]) -> dict[str, Any]:
    """What a job leaves that has passed."""
    if payload.get("kind") == "build":
        return {"seconds": 1.0}
    if "proof" in payload:
        rules = PROOFS[payload["proof"]].texts()
        verdicts = [{"rule": x, "result": PROVED, "seconds": 1.0, "note": ""} for x in rules]
        return {"verdicts": verdicts, "error": "", "seconds": 1.0}
    if "block" in payload:
        return {"cost": asdict(made_up(revived(Block, payload["block"])))}
    if "n" in payload:
        names = "n", *EXPERIMENT.columns, *EXPERIMENT.grown
        return {"figures": {**dict.fromkeys(names, 1.0), "n": payload["n"]}}
    (name,) = payload["scenarios"]
    values = payload["values"]
    about = payload["configuration"], payload["variables"], values["SIM"], int(values["SEED"])
    test = Test("lbbvn", *about, name, True, ScenarioResult(name, sent=4, delivered=4))
    return {"tests": [asdict(test)], "hits": [], "code": []}


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    made = StandIn()
    faults = tuple(Mutant(n, "inv", "$or", "Y", 0, -1, "rtl/a.v:1", "mutate") for n in range(1, 5))
    netlist = SimpleNamespace(mutants=faults)
    monkeypatch.setattr(campaign, "LocalPool", made.pool)
    monkeypatch.setattr(mutate, "make_netlist", lambda *_: netlist)
    monkeypatch.setattr(mutate, "build_mutants", lambda *_: (None, None))
    monkeypatch.setattr(mutate, "Simulation", made.simulation)
    monkeypatch.setattr(mutate, "stimulus", lambda _: [])
    monkeypatch.setattr(area, "picture", lambda *_: "")  # it takes half a second
    monkeypatch.setattr(explore, "draw", lambda *_: [])
    for name in FROM_ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    return made


@pytest.fixture(params=SMALL)
def command(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def words(command: str, tmp_path: Path) -> list[str]:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    own = [word.replace("{plan}", str(plan)) for word in SMALL[command]]
    rtl = shutil.copytree(ROOT / "rtl", tmp_path / "rtl")
    return [command, *own, f"RTL={rtl}", f"BUILD={tmp_path / 'build'}"]


def asked(words: list[str]) -> Campaign:
    kind = kind_of(words[0])
    return kind(Console(quiet=True), read(kind, words[1:]))


def journal(words: list[str]) -> Path:
    return asked(words).folder / kind_of(words[0]).file


# ---- variables -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("JOBS=0", "JOBS=0: must be 1 … 10000"),
        ("JOBS=10001", "JOBS=10001: must be 1 … 10000"),
        ("JOBS=none", "JOBS=none: must be 1 … 10000"),
        ("DRYRUN=2", "DRYRUN=2: must be 0 or 1"),
        ("RESUME=yes", "RESUME=yes: must be 0 or 1"),
        ("RESUME=1", "nothing to continue"),
        ("RTL=docs", "RTL=docs: no such folder, or no common/ in it"),
        ("BUILD=pyproject.toml/x", "BUILD=pyproject.toml/x: cannot be written"),
        ("NETWORK=mesh", "NETWORK=mesh: "),
        ("FOO=1", "FOO: no such variable; there is "),
        ("WAVES=1", "WAVES: no such variable; there is "),
        ("TESTCASE", "TESTCASE: variables are given as NAME=value"),
        ("--fast", "--fast: variables are given as NAME=value"),
    ],
)
def test_mistakes_get_one_line_and_run_nothing(
    word: str, message: str, jobs: StandIn, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, word]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("error: ") and message in errors and errors.count("\n") == 1
    assert not jobs.ran


@pytest.mark.parametrize("name", ["SIM", "TEST", "SEED", "WAVES", "TESTCASE", "COCOTB_RANDOM_SEED"])
def test_of_the_environment_counts_what_the_command_has(
    name: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in (*FROM_ENVIRONMENT, "SHRINK"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, "7")
    meant = {"TESTCASE": "TEST", "COCOTB_RANDOM_SEED": "SEED"}.get(name, name)
    has = {
        "regress": ("SIM", "TEST", "SEED"),
        "coverage": ("SIM", "TEST", "SEED"),
        "explore": ("SIM", "SEED"),
        "mutate": ("SEED",),
    }
    expected = {meant: "7"} if meant in has.get(command, ()) else {}
    assert read(kind_of(command), []) == expected
    if meant in has.get(command, ()):
        assert read(kind_of(command), [f"{meant}=8"]) == {meant: "8"}


@pytest.mark.parametrize("word", ["DRYRUN=1", "--dry-run"])
def test_a_dry_run_runs_nothing(
    word: str, jobs: StandIn, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, word]) == 0
    assert "nothing was run" in capsys.readouterr().out
    assert not jobs.ran and not journal(words).parent.exists()


def test_the_command_tells_what_was_done_and_not_how(words: list[str]) -> None:
    made = asked([*words, "JOBS=3", "--resume", "RTL=rtl"])
    assert made.command.startswith(f"make {words[0]} ") and made.command.endswith(" RTL=rtl")
    assert not {"JOBS", "RESUME", "BUILD"} & {w.partition("=")[0] for w in made.command.split()}


# ---- interruptions -------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit(143)], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupted_command_goes_on(
    end: BaseException, jobs: StandIn, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing that is done is done again; without RESUME=1 everything is."""
    jobs.last, jobs.end = 2, end
    assert main(words) == 130
    assert "interrupted: the same command with RESUME=1 continues" in capsys.readouterr().out
    assert len(jobs.ran) == 2
    jobs.last = 1000
    assert main([*words, "RESUME=1", "JOBS=7"]) == 0
    assert "continuing: " in capsys.readouterr().out
    everything = sorted(jobs.ran)
    assert len(set(everything)) == len(everything) > 2
    assert main([*words, "RESUME=1"]) == 0
    assert sorted(jobs.ran) == everything
    assert main(words) == 0
    assert sorted(jobs.ran) == sorted(2 * everything)


def test_a_full_disk_loses_nothing(
    jobs: StandIn,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The result that finds no room is reported, and made again."""
    append = Journal.append
    room = [2]  # a header and a result

    def full(self: Journal, line: dict[str, Any]) -> None:
        room[0] -= 1
        if room[0] < 0:
            raise JournalFull(f"disk full: {self.path}")
        append(self, line)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", full)
        assert main(words) == 1
    assert f"disk full: {journal(words)}" in capsys.readouterr().out
    jobs.ran.clear()
    assert main([*words, "RESUME=1"]) == 0
    done = len(jobs.ran)
    assert main(words) == 0
    assert len(jobs.ran) - done == done + 1


def test_a_report_that_finds_no_room_fails(
    jobs: StandIn,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """All is well, and yet the exit status is 1; RESUME=1 writes it."""

    def full(self: Campaign) -> bool:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(kind_of(words[0]), "report", full)
        assert main(words) == 1
    assert "no report: [Errno 28] No space left" in capsys.readouterr().out
    done = len(jobs.ran)
    assert main([*words, "RESUME=1"]) == 0
    assert len(jobs.ran) == done


def test_sigterm_while_it_reports(
    jobs: StandIn, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def report(self: Campaign) -> bool:
        os.kill(os.getpid(), signal.SIGTERM)
        raise AssertionError("it went on")

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(kind_of(words[0]), "report", report)
    assert main(words) == 130
    assert signal.getsignal(signal.SIGTERM) == before


# ---- what is continued ---------------------------------------------------------------------------


def test_what_has_changed_is_not_kept(
    jobs: StandIn, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the RTL decides all results, RESUME=1 refuses; else it runs again what it decides."""
    assert main(words) == 0
    before, old = len(jobs.ran), journal(words).read_bytes()
    for path in (tmp_path / "rtl").glob("*/*.v"):
        with path.open("a") as file:
            file.write("// changed\n")
    if words[0] in EACH_ITS_OWN:
        assert main([*words, "RESUME=1"]) == 0
        assert len(jobs.ran) == 2 * before
        return
    assert main([*words, "RESUME=1"]) == 2
    output = capsys.readouterr().err
    assert output == "error: RESUME=1: the sources have changed; start again without it\n"
    assert len(jobs.ran) == before and journal(words).read_bytes() == old


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["formal", "TASK=concentrator-2-1"], ["formal", "TASK=concentrator-5-3"]),
        (["area", "N=8", "DESIGNS=LOWER_BOUND"], ["area", "N=4", "DESIGNS=LOWER_BOUND"]),
    ],
    ids=EACH_ITS_OWN,
)
def test_results_of_other_jobs_stay(
    one: list[str], other: list[str], jobs: StandIn, tmp_path: Path
) -> None:
    """What another command found is known also after one that did not go on with it."""
    build = f"BUILD={tmp_path}"
    assert main([*one, build]) == main([*other, build]) == 0
    both = len(jobs.ran)
    assert main([*one, build, "RESUME=1"]) == main([*other, build, "RESUME=1"]) == 0
    assert len(jobs.ran) == both


def test_one_at_a_time(jobs: StandIn, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(journal(words), words[0]):
        assert main(words) == 2
    assert f"another make {words[0]} is writing it" in capsys.readouterr().err
    assert not jobs.ran
