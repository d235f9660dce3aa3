"""Rough handling: what a hostile user gives costs one line and status 2, and runs no command."""

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.cli import CAMPAIGNS
from fattree_bench.terminal import Terminal
from tests.cli import Cli, check_refused
from tests.conftest import ROOT, clean
from tests.tb.cli.test_bad_inputs import INSIDE
from tests.tb.cli.test_bad_inputs import ROWS as OLDER

TABLE: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("rough.toml").read_text(encoding="utf-8")
)
ROWS = [
    ([command, *words], told) for command, rows in TABLE["rows"].items() for words, told in rows
]
DESIGNS: list[list[str]] = TABLE["designs"]["rows"]
GRAPHS: list[list[str]] = TABLE["graphs"]["rows"]
CROSSBAR = ROOT / "tests" / "tb" / "families" / "foreign" / "designs" / "crossbar.toml"
# Whatever a shell or make would do something about.
NASTY = "a b\"c'd|e&<>`touch BAD`$(touch BAD)$(shell touch BAD)${x}$\\z;touch BAD;*?[~#!{}%"


def spelled(text: str, folder: Path) -> str:
    """A text of the table with its folder and its long runs of letters."""
    text = text.replace("{in}", str(folder))
    return re.sub(r"\{(.)\*(\d+)\}", lambda found: found[1] * int(found[2]), text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the table, the crossbar, and a FIFO."""
    made = tmp_path_factory.mktemp("r")
    for name, text in TABLE["files"].items():
        (made / name).write_text(text, encoding="utf-8")
    (made / "crossbar.v").write_text(CROSSBAR.with_suffix(".v").read_text())
    os.mkfifo(made / "fifo.toml")
    return made


def refused(done: subprocess.CompletedProcess[str], told: str) -> None:
    """One line, status 2, nothing begun, and nothing of what Python would say of itself."""
    check_refused(done, told)
    assert not done.stdout
    assert not any(word in done.stderr for word in INSIDE), done.stderr
    assert "{in}" not in done.stderr


def test_there_are_150_more_of_distinct_inputs() -> None:
    every = [(*words, "") for words, _ in ROWS] + [(old, new) for old, new, _ in DESIGNS]
    assert len(every) + len(GRAPHS) >= 150
    assert len({*every}) == len(every)
    assert not {tuple(words) for words, _ in ROWS} & {tuple(words) for words, _ in OLDER}


@pytest.mark.parametrize(
    ("words", "message"), ROWS, ids=[" ".join(map(ascii, words)) for words, _ in ROWS]
)
def test_one_line_and_status_2(words: list[str], message: str, folder: Path, tb_cli: Cli) -> None:
    here = [spelled(word, folder) for word in words]
    if here[0] in CAMPAIGNS and not any(word.startswith("BUILD=") for word in here):
        here.append(f"BUILD={folder / 'build'}")
    refused(tb_cli(*here), spelled(message, folder))


@pytest.mark.parametrize(
    ("old", "new", "message"), DESIGNS, ids=[ascii(new) for _, new, _ in DESIGNS]
)
def test_a_description(old: str, new: str, message: str, folder: Path, tb_cli: Cli) -> None:
    """It is refused when it is read, so by every command, before anything is built."""
    text = CROSSBAR.read_text()
    assert old in text, "the case is out of date"
    path = folder / "mine.toml"
    path.write_text(text.replace(old, spelled(new, folder), 1))
    refused(tb_cli("sim", f"DESIGN={path}"), spelled(message, folder))
    assert not (folder / "build" / "sim").exists()


@pytest.mark.parametrize(("python", "message"), GRAPHS)
def test_a_graph(python: str, message: str, folder: Path, tb_cli: Cli) -> None:
    text = CROSSBAR.read_text().replace("width = 32", f'width = 32\npython = "{python}"')
    path = folder / "graph.toml"
    path.write_text(text + '\n[taps]\na = { valid = "1", data = "1" }\n')
    refused(tb_cli("list", f"DESIGN={path}"), message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sim", "N=4", "N=8"), "N: given twice, '4' and '8'"),
        (("sim", "TEST=frame", "TEST=frame"), "TEST: given twice, 'frame' and 'frame'"),
        (("doctor", "one.toml", "two.toml"), "DESIGN: given twice, 'one.toml' and 'two.toml'"),
        (("sim", "one.toml", "DESIGN=two.toml"), "DESIGN: given twice"),
        (("list", "NETWORK=kary", "NETWORK=kary"), "NETWORK: given twice"),
        (("regress", "TIER=smoke", "TIER=full"), "TIER: given twice, 'smoke' and 'full'"),
        (("waves", "BUILD=a", "BUILD=a"), "BUILD: given twice"),
    ],
)
def test_a_user_gives_a_variable_once(words: tuple[str, ...], message: str, tb_cli: Cli) -> None:
    """In a process of its own; tests give words again to change them."""
    refused(tb_cli(*words, env={"COLUMNS": "1000"}), message)


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "-C", str(ROOT), *words],
        cwd=folder,
        env=clean(),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sim", "TEST={}"), "TEST={}: no such test of lbbvn"),
        (("sim", "RTL={}", "N=4"), "RTL={}: no such folder"),
        (("list", "NETWORK={}"), "NETWORK={}: no such network"),
        (("explore", "COMPARE={}"), "COMPARE=a: must be "),
        (("topology", "FILE={}"), "{}: No such file or directory"),
        (("new", "NAME={}"), "NAME={}: must be a Verilog name"),
        (("regress", "TESTPLAN={}"), "TESTPLAN={}: "),
        (("help", "NETWORK={}"), "NETWORK={}: no such network"),
        (("sim", "N=4\n5"), r"N=4\n5: must be one line of characters that can be printed"),
        (("sim", "N=4 SEED=5"), "N=4 SEED=5: must be a power of two"),
    ],
)
def test_make_gives_values_as_they_stand(
    words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    before = {*ROOT.iterdir()}
    done = make(tmp_path, *(word.replace("{}", NASTY) for word in words))
    assert done.returncode == 2 and not done.stdout.replace("make: ", "").startswith("/")
    (line,) = (line for line in done.stderr.splitlines() if not line.startswith("make"))
    assert line.startswith(f"error: {message.replace('{}', NASTY)}"), line
    assert {*ROOT.iterdir()} == before and not (tmp_path / "BAD").exists()


@pytest.mark.usefixtures("icarus")
def test_files_of_nasty_names_work_through_make(tmp_path: Path) -> None:
    """From the description to the simulator and its log; / alone cannot be in a name."""
    home = tmp_path / NASTY
    home.mkdir()
    (home / f"{NASTY}.v").write_text(CROSSBAR.with_suffix(".v").read_text())
    quoted = NASTY.replace("\\", "\\\\").replace('"', '\\"')
    source = re.sub(r"([*?\[])", r"[\1]", quoted)  # of a glob
    text = CROSSBAR.read_text().replace('"crossbar.v"', f'"{source}.v"')
    (home / f"{NASTY}.toml").write_text(text)
    done = make(
        tmp_path, "sim", f"DESIGN={home / NASTY}.toml", "TEST=each_pair", "SIM=icarus", "SEED=3"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS" in done.stdout
    assert not any(path.name == "BAD" for path in (*tmp_path.rglob("*"), *ROOT.iterdir()))


def test_no_text_becomes_a_picture(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as file:
        Terminal(file=file).print("my_file.v:100: and :smile:")
    assert (tmp_path / "out").read_text() == "my_file.v:100: and :smile:\n"


EXITS = {
    "import os\nos._exit(0)\n": "line 2: SystemExit: os._exit(0)",
    "import os, threading as t, time\nt.Timer(0, os._exit, [0]).start()\ntime.sleep(9)\n": (
        "a thread of a user's Python: os._exit(0)"
    ),
}


@pytest.mark.parametrize("text", EXITS)
def test_python_that_leaves_is_no_success(text: str, tmp_path: Path, tb_cli: Cli) -> None:
    (tmp_path / "mine.py").write_text(text)
    refused(tb_cli("sim", f"TEST={tmp_path / 'mine.py'}::one"), EXITS[text])
