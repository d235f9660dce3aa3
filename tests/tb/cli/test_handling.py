"""Rough handling while a command runs: silence, signals, exits, a full disk, missing names."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.sim.interrupt import children
from fattree_bench.sim.pulse import doing, pulse
from tests.conftest import ROOT, clean
from tests.tb.cli.test_rough import CROSSBAR, refused

Cli = Callable[..., subprocess.CompletedProcess[str]]


def test_no_silence(capsys: pytest.CaptureFixture[str]) -> None:
    """A line after each while, with the innermost part; none while others write."""
    start, far = time.monotonic(), ["run 1 of 9"]
    with pulse("ftb coverage", lambda: start, every=0.1):
        time.sleep(0.25)
        with doing(lambda: f"merging, {far[0]}"):
            time.sleep(0.25)
    told = capsys.readouterr().out
    assert re.search(r"^ftb coverage … 0 s$", told, re.MULTILINE), told
    assert "\nmerging, run 1 of 9 … 0 s\n" in told
    with pulse("ftb coverage", time.monotonic, every=0.1):
        time.sleep(0.3)
    assert not capsys.readouterr().out


ENDLESS = """
from pathlib import Path
from fattree_bench.bench.scenario import Registry
from fattree_bench.bench.sequence import Sequence
from fattree_bench.families.lbbvn.sequences import BitReverseFrame
SCENARIOS = Registry()
@SCENARIOS.add()
class First(BitReverseFrame):
    "."

@SCENARIOS.add()
class Endless(Sequence):
    async def body(self):
        Path(__file__).with_name("began").touch()
        while True:
            await self.do(BitReverseFrame("frame"))
"""


@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"m_axis_tlast"', '"m_axis_last"', "link.receive.last = 'm_axis_last': crossbar has no"),
        ('name = "rst"', 'name = "reset"', "reset.name = 'reset': crossbar has no such port"),
        ("WIDTH =", "WIDHT =", "design.parameters = 'WIDHT': crossbar has no such parameter"),
        ('top = "crossbar"', 'top = "crossbr"', "design.top = 'crossbr': no such module"),
    ],
)
def test_names_that_a_design_has_not(
    old: str, new: str, message: str, sim: str, tmp_path: Path, tb_cli: Cli
) -> None:
    (tmp_path / "crossbar.v").write_text(CROSSBAR.with_suffix(".v").read_text())
    (tmp_path / "mine.toml").write_text(CROSSBAR.read_text().replace(old, new, 1))
    refused(tb_cli("sim", f"DESIGN={tmp_path / 'mine.toml'}", f"SIM={sim}"), message)


@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_errors_in_a_user_s_verilog_come_alone(sim: str, tmp_path: Path, tb_cli: Cli) -> None:
    text = CROSSBAR.with_suffix(".v").read_text()
    (tmp_path / "crossbar.v").write_text(text.replace("assign free =", "assign free =="))
    (tmp_path / "mine.toml").write_text(CROSSBAR.read_text().replace("clk", "clock"))
    done = tb_cli("sim", f"DESIGN={tmp_path / 'mine.toml'}", f"SIM={sim}")
    first, *errors = done.stdout.splitlines()
    assert done.returncode == 1 and first.startswith("the build failed; log: ")
    assert errors and all(f"{tmp_path}/crossbar.v:38" in line for line in errors), errors
    where = "sim", "ACTIVE=0", "TOP=examples/two_trees.v", f"SIM={sim}"
    refused(tb_cli(*where, "INSTANCE=u_none"), "INSTANCE=u_none: two_trees has no such instance")


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_and_what_had_ended_is_shown(
    number: signal.Signals, tmp_path: Path
) -> None:
    """It comes while the second test, without an end, is under way; no process is left."""
    (tmp_path / "mine.py").write_text(ENDLESS)
    tests = ",".join(f"{tmp_path / 'mine.py'}::{name}" for name in ("first", "endless"))
    words = "sim", "N=4", "SIM=icarus", f"TEST={tests}", f"BUILD={tmp_path / 'build'}"
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": clean()}
    process = subprocess.Popen([sys.executable, "-m", "fattree_bench", *words], cwd=ROOT, **how)
    end = time.monotonic() + 100
    while not (tmp_path / "began").exists() and time.monotonic() < end:
        time.sleep(0.1)
    below = children(process.pid)
    for _ in range(2):  # the second finds it on its way out
        process.send_signal(number)
        time.sleep(0.2)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "interrupted\n"), output + errors
    assert re.search(r"^PASS  .*::first", output, re.MULTILINE), output
    assert below and not any(Path(f"/proc/{child}").exists() for child in below)
