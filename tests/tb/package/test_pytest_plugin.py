"""`pytest --ftb`: scenarios are items; failures show faults and the replay line."""

import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT

DESIGNS = ROOT / "tests" / "tb" / "families" / "foreign" / "designs"
MINE = """
from fattree_bench import Design, run_scenario

def test_opposite():
    run_scenario(Design.read("loop.toml"), "opposite", sim="icarus")
"""
pytestmark = pytest.mark.usefixtures("icarus")


def collected(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--junitxml=junit.xml"]
    return subprocess.run(
        [*command, *words], cwd=folder, capture_output=True, text=True, check=False
    )


def test_scenarios_are_items_and_failures_are_told(tmp_path: Path) -> None:
    for name in ("loop.v", "loop.toml", "loop_of_mine.py"):
        text = (DESIGNS / name).read_text()
        (tmp_path / name).write_text(text.replace('"{width}" }', '"{width}", FAULT = 1 }'))
    (tmp_path / "test_mine.py").write_text(MINE)
    chosen = ("--ftb-set", "SIM=icarus", "--ftb-set", "TEST=each_pair,opposite")
    done = collected(tmp_path, "--ftb", "loop.toml", *chosen, "test_mine.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "route (" in done.stdout and "TEST=each_pair SIM=icarus SEED=1" in done.stdout
    assert "api.py" not in done.stdout.partition("short test summary")[0].replace("test_mine", "")
    cases = {case.get("name"): case for case in ET.parse(tmp_path / "junit.xml").iter("testcase")}
    assert set(cases) == {"each_pair", "opposite", "test_opposite"}
    assert cases["each_pair"].find("failure") is not None
    properties = {p.get("name"): p.get("value") for p in cases["each_pair"].iter("property")}
    assert "replay" in properties and "TEST=each_pair" in str(properties["replay"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--ftb", "nowhere.toml"), "no such file"),
        (("--ftb", "loop.toml", "--ftb-set", "SIM"), "variables are given as NAME=value"),
        (("--ftb", "loop.toml", "--ftb-set", "TEST=foo"), "TEST=foo: no such test"),
    ],
)
def test_mistakes_are_a_line(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    for path in DESIGNS.glob("loop*"):
        shutil.copy(path, tmp_path)
    done = collected(tmp_path, *words)
    assert done.returncode and message in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
