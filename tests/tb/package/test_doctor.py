"""The tutorial's commands do what it says; doctor tells leaf by leaf what does not work."""

import re
import shutil
from pathlib import Path

import pytest

from fattree_bench.cli import main
from fattree_bench.families.foreign.checkup import advice_of_build
from fattree_bench.paths import CALL_VARIABLE, ROOT

DESIGNS = ROOT / "tests" / "tb" / "families" / "foreign" / "designs"
PAGE = (ROOT / "docs" / "your-design.md").read_text()
pytestmark = pytest.mark.usefixtures("icarus")


def described(folder: Path) -> Path:
    """The description of the tutorial, next to its crossbar."""
    lines = PAGE.partition("    [design]\n")[2].partition("\nA mistake")[0]
    text = "[design]\n" + re.sub(r"^    ", "", lines, flags=re.MULTILINE)
    (folder / "my_switch.toml").write_text(text)
    shutil.copy(DESIGNS / "crossbar.v", folder)
    return folder / "my_switch.toml"


def test_the_commands_of_the_tutorial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CALL_VARIABLE, "ftb")
    commands = re.findall(r"^    ftb (.+)$", PAGE, re.MULTILINE)
    assert [line.split()[0] for line in commands] == [
        "new",
        "doctor",
        *("list", "sim", "sim"),
        "regress",
    ]
    assert main(commands[0].split()) == 0
    assert PAGE.count(capsys.readouterr().out.splitlines()[0]) == 1
    described(tmp_path)
    for line in commands[1:5]:
        assert main(line.split()) == 0, line
    output = capsys.readouterr().out
    assert "16 of 16 packets, one a pair" in output and "all leaves work" in output
    assert "everybody" not in output and "PASS" in output
    assert main([*commands[5].split(), "DRYRUN=1"]) == 0
    assert "nothing was run" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {"build", "crossbar.v", "my_switch.toml"}


def test_doctor_names_what_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CALL_VARIABLE, "ftb")
    path = described(tmp_path)
    verilog = tmp_path / "crossbar.v"
    old = "assign s_axis_tready[h] = (takes != {OUTPUTS{1'b0}});"
    assert old in verilog.read_text()
    verilog.write_text(verilog.read_text().replace(old, old.replace("(takes", "(h != 2) & (takes")))
    assert main(["doctor", path.name, "SIM=icarus"]) == 1
    output = capsys.readouterr().out
    assert re.search(r"^ +2 +4 +[01] +4 +\d +BAD$", output, re.MULTILINE)
    assert "next: " in output and "replay: " in output
    path.write_text(path.read_text().replace("INPUTS = ", "INPTUS = "))
    assert main(["doctor", path.name, "SIM=icarus"]) == 2
    assert "no such parameter" in capsys.readouterr().err
    path.write_text(path.read_text().replace("INPTUS = ", "INPUTS = "))
    path.write_text(path.read_text().replace('"m_axis_tlast"', '"m_axis_last"'))
    assert main(["doctor", path.name, "SIM=icarus"]) == 2
    assert "no such port; did you mean m_axis_tlast?" in capsys.readouterr().err


def test_what_comes_to_another_leaf_did_not_arrive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table of leaves, and its sum, agree with the faults."""
    monkeypatch.chdir(tmp_path)
    path = described(tmp_path)
    path.write_text(path.read_text().replace("[link]", "[link]\naddresses = [0, 1, 3, 2]"))
    assert main(["doctor", path.name, "SIM=icarus"]) == 1
    output = capsys.readouterr().out
    assert "8 of 16 packets, one a pair" in output and "misdelivered" in output
    assert re.search(r"^ +1 +4 +2 +4 +4 +BAD$", output, re.MULTILINE)
    assert re.search(r"^ +2 +4 +2 +4 +0 +BAD$", output, re.MULTILINE)


def test_waves_of_a_design_are_looked_for_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["waves", described(tmp_path).name]) == 2
    assert f"error: no waves in {tmp_path / 'build' / 'runs'}" in capsys.readouterr().err


def test_pages_are_not_offered_where_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show", described(tmp_path).name]) == 2
    assert "has no page;" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ("%Error: a.v:3: Cannot find file containing module: 'fifo'", "module fifo is missing"),
        ("a.v:1: error: Unknown module type: fifo", "module fifo is missing"),
        ("%Error: Cannot find include file: 'x.svh'", "x.svh is missing"),
        ("%Error: a.sv:1: Import package not found: 'p_pkg'", "package p_pkg is missing"),
        (
            "a.v:9: warning: Port 9 (dest) of crossbar expects 8 bits, got 12.",
            "port dest has 8 bits, 12 are described",
        ),
        (
            "%Warning-WIDTHTRUNC: a.v:9:1: Input port connection 'dest' expects 8 bits on the pin "
            "connection, but pin connection's VARREF 'd' generates 12 bits.",
            "port dest has 8 bits, 12 are described",
        ),
        ("a.v:3: sorry: constant selects", "try the other one"),
        ("a.v:3: syntax error", "design.language"),
    ],
)
def test_advice_on_builds(log: str, message: str) -> None:
    assert message in str(advice_of_build(log))


def test_doctor_needs_a_design(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 2
    assert capsys.readouterr().err.startswith("error: doctor: which design?")
