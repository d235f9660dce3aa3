"""The tests of one's own in docs/adding.md, to the letter: nested, overridden, with an error."""

import re
import subprocess
from pathlib import Path

import pytest

from fattree_bench.bench.sequence import Sequence
from tests.cli import Cli
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "adding.md").read_text()


def own_tests() -> str:
    """The file of the page."""
    section = PAGE[PAGE.index("## A test of your own") :]
    (text,) = re.findall(r"(?:^ {4}.*\n|^\n+(?= {4}))+", section, re.MULTILINE)[:1]
    return re.sub("^ {4}", "", text, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("own") / "my_tests.py"
    file.write_text(own_tests())
    return file


def run(cli: Cli, test: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return cli("sim", "N=8", f"TEST={test}", "SIM=icarus", env=environment)


def log(done: subprocess.CompletedProcess[str]) -> str:
    """What the simulation wrote."""
    (path,) = re.findall(r"log: (\S+)", done.stdout)
    return (ROOT / path).read_text()


def sent(text: str) -> int:
    """Packets of a test."""
    return int(re.findall(r"packets: (\d+) sent", text)[0])


@pytest.mark.usefixtures("icarus")
def test_nested_sequences_and_overrides(tb_cli: Cli, mine: Path) -> None:
    """Half as many messages come; who reports an error, by a scoreboard, fails."""
    whole = run(tb_cli, f"{mine}::nested")
    assert whole.returncode == 0, whole.stdout + whole.stderr
    half = run(tb_cli, f"{mine}::overridden", UVM_VERBOSITY="HIGH")
    assert half.returncode == 1, half.stdout + half.stderr
    assert "reported: 1" in half.stdout, half.stdout
    text = log(half)
    assert "[COUNT] that is more than I want" in text
    count = re.search(r"\[COUNT\] (\d+) packets", text)
    assert count is not None
    frames = 3 * 8 * 8
    messages = sent(whole.stdout) - frames
    assert messages == 64 * 8 and 0.4 < (int(count[1]) - frames) / messages < 0.6
    items = re.findall(r"\[ITEM\] ([\w -]+), from (\d+)", text)
    assert [name for name, _ in items] == ["bit-reverse shifts", "rotators", "messages", "drain"]
    assert "[ITEM]" not in log(whole)


@pytest.mark.usefixtures("icarus")
def test_a_callback_corrupts_a_word(tb_cli: Cli, mine: Path) -> None:
    done = run(tb_cli, f"{mine}::flipped")
    assert done.returncode == 1, done.stdout + done.stderr
    told = " ".join(done.stdout.split())
    assert "1 corrupted" in told and "(bits 0x1 differ)" in told
    assert f"TEST={mine}::flipped SIM=icarus SEED=1" in told


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("nowhere.py", "TEST=nowhere.py: no such Python file"),
        ("{mine}::nest", "no such test of lbbvn"),
        ("{other}", "has no SCENARIOS = Registry() with tests"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tb_cli: Cli, mine: Path, tmp_path: Path, test: str, message: str
) -> None:
    other = tmp_path / "other.py"
    other.write_text("tests = 3\n")
    done = tb_cli("sim", f"TEST={test.format(mine=mine, other=other)}")
    assert done.returncode == 2 and message in done.stderr, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_field_does_not_hide_a_method_of_pyuvm() -> None:
    with pytest.raises(TypeError, match=r"Hides\.start: sequences of pyuvm have a method"):
        type("Hides", (Sequence,), {"__annotations__": {"start": int}, "start": 0})
