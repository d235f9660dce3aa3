"""A simulation that would not end is ended, and what it knew by then is judged."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fattree_bench.bench.failure import Stop
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.sentences import known as words_of
from fattree_bench.bench.sentences import sighted
from fattree_bench.sim import simulate
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.simulate import Ending, Limits, watch
from tests.cli import Cli

ENDLESS = """
reg seen = 0;
always @(posedge clk) seen <= seen | (injected_o + 1 == 20);
always @(posedge clk) if (rst && seen) forever #0 {task};
endmodule"""


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("limit", "task", "message"),
    [
        ("LOG_LIMIT=1", '$display("%0100d", 1)', "log limit of 1 MB reached"),
        pytest.param(
            *("TIME_LIMIT=15", "seen <= 1", "time limit of 15 s reached"), marks=pytest.mark.nightly
        ),
    ],
    ids=["log", "time"],
)
def test_the_verdict_names_the_limit(
    limit: str, task: str, message: str, rtl_copy: Path, tmp_path: Path, tb_cli: Cli
) -> None:
    tree = rtl_copy / "lbbvn" / "lbbvn_tree.v"
    tree.write_text(tree.read_text().replace("endmodule", ENDLESS.format(task=task)))
    words = ("N=4", "TEST=frame,reset_in_frame,rotators", "SIM=icarus", limit)
    result = tb_cli("sim", *words, f"RTL={rtl_copy}", f"BUILD={tmp_path}")
    assert result.returncode == 1, result.stdout
    problems = [p for p in result.stdout.splitlines() if p.startswith(("time", "log", "test"))]
    assert problems == [message], result.stdout
    assert "\nnot run, as the simulation had ended: rotators\n" in result.stdout
    assert "\nPASS  frame  " in result.stdout
    assert "\nFAIL  reset_in_frame  left no result\n" in result.stdout
    assert "1 of 3 tests passed" in result.stdout
    (log,) = tmp_path.glob("runs/*/sim.log")
    said, _, summary = log.read_text().partition(f"\n{message}\n")
    assert len(said) <= 1 << 20
    known = "no packets judged; no traffic was under way"  # in the reset before the test
    story = rf"  first fault  clock \d+: limit: {message}\n  known then   {known}\n"
    assert re.search(rf"\nreset_in_frame FAILED\n{story}", summary)
    assert re.search(story, result.stdout)
    assert "\nnot run, as the simulation had ended: rotators\n" in summary


def watched(program: str, log: Path, limits: Limits) -> Ending:
    with log.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-c", program], stdout=file)
    return watch(process, log, limits)


def test_who_does_not_listen_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "GRACE", 0.2)
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    start = time.monotonic()
    ending = watched(deaf, tmp_path / "log", Limits(seconds=1.5))
    assert ending == Ending(-9, "time limit of 1.5 s reached")
    assert time.monotonic() - start < 30


def test_a_log_that_is_too_long_at_the_end_is_told(tmp_path: Path) -> None:
    ending = watched("print('x' * (3 << 20))", tmp_path / "log", Limits(log=2 << 20))
    assert ending.limit == "log limit of 2 MB reached"
    assert (tmp_path / "log").stat().st_size < (2 << 20) + 100


def test_nothing_is_cut_within_the_limits(tmp_path: Path) -> None:
    ending = watched("print('x' * 100)", tmp_path / "log", Limits(60, 1 << 20))
    assert ending == Ending(0)
    assert (tmp_path / "log").read_text() == "x" * 100 + "\n"


def test_a_limit_is_told_with_its_clock() -> None:
    """Two steps a clock, from step 100 on: 15 and a half clocks."""
    stop = Stop("uniform", 64, "clock", began=100, ended=131, pace=2)
    known = ScenarioResult("hot_spot", sent=3, delivered=1, stop=stop)
    outcome = Outcome(stopped=[known], unfinished=["hot_spot"], limit="time limit of 9 s reached")
    failure = outcome.failure("hot_spot")
    assert failure is not None and failure.first is not None
    assert sighted(failure.first) == "clock 79, of “uniform”: limit: time limit of 9 s reached"
    assert failure.first.step == 131
    output = "3 sent = 1 delivered + 2 still inside; “uniform” from clock 64 on was not judged"
    assert words_of(known) == output
