"""A reader that has enough does not stop a regression: `make regress … | head -1`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import FRAMES
from tests.conftest import ROOT, clean

PLAN = """
[configurations.two]
network = "lbbvn"
variables = "N=2"
smoke = { sims = ["icarus"] }
"""
PLAN += f'{FRAMES}tests = ["frame"]\n'


@pytest.mark.usefixtures("icarus")
def test_a_regression_goes_on_without_its_reader(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    words = [sys.executable, "-m", "fattree_bench", "regress", f"TESTPLAN={plan}"]
    done = subprocess.run(
        ["bash", "-c", 'set -o pipefail; "$@" | head -1', "bash", *words, f"BUILD={tmp_path}"],
        cwd=ROOT,
        env=clean(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    report = json.loads((tmp_path / "regress" / "report" / "coverage.json").read_text())
    assert [test["passed"] for test in report["tests"]] == [True]
