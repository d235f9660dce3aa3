"""A command line forked from a warm process does what one of its own does."""

import os
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from tests.cli import Cli
from tests.warm import Warm


def alike(tb_cli: Cli, arguments: tuple[str, ...], **more: str) -> bool:
    forked, started = tb_cli(*arguments), tb_cli(*arguments, env={"COLUMNS": "200", **more})
    one, other = ((d.returncode, d.stdout, d.stderr) for d in (forked, started))
    return one == other


@pytest.mark.parametrize(
    "arguments", [("list",), ("help", "NETWORK=lbbvn"), ("sim", "N=3"), ("none",), ()]
)
def test_forked_is_as_started(arguments: tuple[str, ...], tb_cli: Cli) -> None:
    assert alike(tb_cli, arguments)


def test_a_word_more_is_seen(tb_cli: Cli) -> None:
    assert not alike(tb_cli, ("sim", "N=3"), PYTHONPROFILEIMPORTTIME="1")


def left(folder: Path) -> list[str]:
    """Command lines of processes that work in a folder."""
    lines = (" ".join(p.info["cmdline"] or ()) for p in psutil.process_iter(["cmdline"]))
    return [line for line in lines if str(folder) in line]


def test_what_takes_too_long_is_ended_with_all_it_started(warm: Warm, tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        # Verilator alone takes longer; what is compiled may be in a cache.
        words = ("NETWORK=kary", "K=4", "LEVELS=3", "SIM=verilator", f"BUILD={tmp_path}")
        warm.run("sim", *words, seconds=2)
    for _ in range(100):  # a process that is killed is still there for a moment
        if not left(tmp_path):
            break
        time.sleep(0.1)
    assert left(tmp_path) == []
    assert warm.run("none", seconds=60).returncode == 2


def test_it_serves_without_what_only_proofs_need(tmp_path: Path) -> None:
    (tmp_path / "dd.py").write_text("raise ModuleNotFoundError('not installed', name='dd')\n")
    server = Warm({**os.environ, "PYTHONPATH": str(tmp_path)}, tmp_path)
    try:
        assert server.run("none", seconds=60).returncode == 2
    finally:
        server.close()
