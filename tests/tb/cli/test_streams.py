"""Whatever becomes of the output, nothing that a command does is lost; no traceback is shown."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from rich.table import Table

from fattree_bench import simulated
from fattree_bench.cli import main
from fattree_bench.sim.build import BuildError
from fattree_bench.terminal import Terminal
from tests.conftest import ROOT, clean

LIST = [sys.executable, "-m", "fattree_bench", "list"]


def run(words: list[str], shell: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command line under a shell, as in `"$@" | head -1`."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {shell}", "bash", *words],
        cwd=ROOT,
        env={**clean(), **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_a_reader_that_has_enough_is_no_error() -> None:
    done = run(LIST, '"$@" | head -3')
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 3)


def test_a_full_disk_behind_the_output_is_told() -> None:
    done = run(LIST, '"$@" > /dev/full')
    assert done.returncode == 1
    assert done.stderr == "error: the output is not whole: No space left on device\n"


@pytest.mark.parametrize("shell", ['"$@" >&-', '"$@" >&- 2>&- <&-', '"$@" 2>&-'])
def test_closed_streams(shell: str) -> None:
    done = run(LIST, shell)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_encoding_that_has_few_letters() -> None:
    """Dashes, arrows and dots have plain forms; what has none is a question mark."""
    done = run(LIST, '"$@"', PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii() and "Python" not in done.stdout
    mistake = run([*LIST[:-1], "sim", "N=٣"], '"$@"', PYTHONIOENCODING="ascii")
    assert mistake.returncode == 2 and "2 ... 1024" in mistake.stderr


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("shell", ['"$@" | head -1', '"$@" > /dev/full', '"$@" >&-'])
def test_a_run_goes_on_without_its_reader(shell: str, tmp_path: Path) -> None:
    words = [*LIST[:-1], "sim", "N=2", "SIM=icarus", "TEST=frame", f"BUILD={tmp_path}"]
    done = run(words, shell)
    assert done.returncode == (1 if "full" in shell else 0), done.stderr
    assert "Traceback" not in done.stderr
    (results,) = tmp_path.glob("runs/*/results.jsonl")
    assert results.read_text().count("\n") == 1


@pytest.mark.parametrize(("width", "terminal"), [(80, True), (20, True), (80, False)])
def test_a_table_is_never_cut(width: int, terminal: bool, tmp_path: Path) -> None:
    names = [f"a name of {i} columns and more" for i in range(6)]
    figures = ["0.951 ± 0.012"] * 6
    table = Table(box=None)
    for name in names:
        table.add_column(name, no_wrap=True)
    table.add_row(*figures)
    with (tmp_path / "out").open("w") as file:
        Terminal(file=file, width=width, force_terminal=terminal, color_system=None).print(table)
    lines = (tmp_path / "out").read_text().splitlines()
    assert len(lines) == 2
    assert all(name in lines[0] for name in names)
    assert lines[1].count("0.951 ± 0.012") == 6 and "…" not in lines[1]


@pytest.mark.usefixtures("icarus")
def test_a_full_disk_costs_a_line(tmp_path: Path) -> None:
    """A limit of 8 kB a file stands for the disk."""
    words = [*LIST[:-1], "sim", "N=2", "SIM=icarus", "TEST=frame", f"BUILD={tmp_path}"]
    done = run(words, 'trap "" XFSZ; ulimit -f 8; "$@"')
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert os.listdir(tmp_path)


@pytest.mark.usefixtures("icarus")
def test_a_full_disk_behind_a_failing_build_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever a simulator says when it cannot write; with room left it is believed."""
    left = SimpleNamespace(free=0)
    monkeypatch.setattr(simulated.shutil, "disk_usage", lambda _: left)
    monkeypatch.setattr(simulated, "build", Mock(side_effect=BuildError("it does not start")))
    words = ["sim", "N=2", "SIM=icarus", "TEST=frame", f"BUILD={tmp_path}"]
    assert main(words) == 1
    assert capsys.readouterr().err == f"error: {tmp_path}: no space left on device\n"
    left.free = 1 << 20
    assert main(words) == 1
    assert capsys.readouterr().out.endswith("it does not start\n")
