"""Every command of the tutorial does what its page says."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.scenario import Stimulus, generator
from fattree_bench.families import find
from fattree_bench.families.lbbvn import scenarios
from tests.cli import Cli, succeeds
from tests.conftest import ROOT, clean

TUTORIAL = ROOT / "docs" / "tutorial"
PAGES = sorted(TUTORIAL.glob("*.md"))
LONG = ("leiserson", "random")  # not of the first network, or again


def blocks(page: Path) -> list[str]:
    """What is indented as code."""
    found = re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", page.read_text(), re.MULTILINE)
    return ["\n".join(line[4:] for line in text.splitlines()) for text in found]


def commands(page: Path) -> list[str]:
    lines = [line for text in blocks(page) for line in text.splitlines()]
    return [line for line in lines if re.match(r"(make|rm|cp|sed) ", line)]


def case(page: Path, command: str) -> object:
    later = [pytest.mark.nightly] if any(word in command for word in LONG) else []
    return pytest.param(page, command, marks=later, id=f"{page.stem}: {command}")


# `make waves` needs waves; what a page breaks or adds has tests of its own.
ALONE = [
    case(page, command)
    for page in PAGES
    for command in commands(page)
    if command.startswith("make")
    if not re.search(r"make waves|RTL=|rush_to_zero|WAVES=1", command)
]


def run(command: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A line of the tutorial in a folder with the project's files; make calls our Python."""
    words = shlex.split(command)
    if words[0] == "make":
        words[:1] = [sys.executable, "-m", "fattree_bench"]
    if words[0] == "sed":
        words = ["sh", "-c", command]
    environment = {**clean(), "SIM": "icarus", **more}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(("page", "command"), ALONE)
def test_a_command_passes(page: Path, command: str, tb_cli: Cli) -> None:
    _, *words = shlex.split(command)
    simulator = ["SIM=icarus"] if words[0] == "sim" else []
    succeeds(tb_cli(*words, *simulator))


@pytest.mark.usefixtures("icarus")
def test_waves_are_where_it_says(tb_cli: Cli, tmp_path: Path) -> None:
    page = TUTORIAL / "first-run.md"
    output = [c for c in commands(page) if "WAVES=1" in c or c == "make waves"]
    assert [command.split()[1] for command in output] == ["sim", "waves"]
    build = f"BUILD={tmp_path}"
    text = succeeds(tb_cli(*shlex.split(output[0])[1:], "SIM=icarus", build))
    (waves,) = tmp_path.glob("runs/*/waves.fst")
    assert f"written: {waves}" in text
    assert f"newest waves: {waves}" in tb_cli("waves", build).stdout


def rush() -> str:
    (text,) = [text for text in blocks(TUTORIAL / "first-test.md") if "rush_to_zero" in text][:1]
    return text


def test_the_first_test_is_one() -> None:
    """The frames of the page, drawn twice: the seed decides them, and half go to leaf 0."""
    names = dict(vars(scenarios), scenario=lambda: lambda function: function)
    exec(rush(), names)
    network = find("lbbvn").from_variables({"N": "8"})

    def drawn(seed: int) -> np.ndarray:
        stimulus = Stimulus(network, generator(seed, "rush_to_zero"), 64)
        (frame,) = names["rush_to_zero"](stimulus)
        return frame.dst

    first = drawn(1)
    assert first.shape == (64, 8) and 0.4 < (first == 0).mean() < 0.7
    assert (first == drawn(1)).all() and (first != drawn(2)).any()


def copied(folder: Path) -> Path:
    """A copy of the project, with all that its commands read."""
    for name in ("rtl", "tb", "models", "prover", "examples", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    (folder / "build").mkdir()
    return folder


@pytest.mark.nightly
@pytest.mark.usefixtures("icarus")
def test_the_first_test_runs(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    file = copy / "tb" / "fattree_bench" / "families" / "lbbvn" / "scenarios.py"
    file.write_text(f"{file.read_text()}\n\n{rush()}\n")
    own = {"PYTHONPATH": f"{copy / 'tb'}:{copy / 'models'}"}
    output = commands(TUTORIAL / "first-test.md")
    assert len(output) == 2
    for command in output:
        text = succeeds(run(command, copy, **own))
        assert re.search(r"\d+ in conflicts, as predicted", text)
        assert "seed 1," in text or "random" in command


@pytest.mark.usefixtures("icarus")
def test_the_planted_fault_is_told_and_found(tmp_path: Path) -> None:
    """Of the page about failures: it fails, it says the word, and the line is where it says."""
    page = TUTORIAL / "reading-a-failure.md"
    output = [c for c in commands(page) if "WAVES" not in c]
    (tmp_path / "build").mkdir()
    for name in ("rtl", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for command in output[:3]:
        assert run(command, tmp_path).returncode == 0, command
    assert len(output) == 4 and output[3].startswith("make sim N=8 RTL=build/broken ")
    broken = tmp_path / "build" / "broken"
    change = [
        (ours, theirs)
        for file in sorted(broken.glob("*/*.v"))
        for ours, theirs in zip(
            (ROOT / "rtl" / file.relative_to(broken)).read_text().splitlines(),
            file.read_text().splitlines(),
            strict=True,
        )
        if ours != theirs
    ]
    assert len(change) == 1 and "down_header_i[i*H + SIDE] == c" in change[0][0]
    done = run(f"{output[3]} BUILD={tmp_path}".replace("build/broken", str(broken)), ROOT)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "misdelivered" in done.stdout and "replay: make sim" in done.stdout
    for word in ("corrupted", "duplicated"):
        assert f"0 {word}" in done.stdout


@pytest.mark.nightly
@pytest.mark.usefixtures("icarus")
def test_a_copy_of_ones_own(tmp_path: Path) -> None:
    *made, command, _ = commands(TUTORIAL / "your-own-design.md")
    (tmp_path / "build").mkdir()
    shutil.copytree(ROOT / "rtl", tmp_path / "rtl")
    for line in made:
        assert run(line, tmp_path).returncode == 0
    mine = tmp_path / "build" / "mine"
    succeeds(run(command.replace("build/mine", str(mine)) + f" BUILD={tmp_path}", ROOT))
