"""`ftb new` begins descriptions that are right as far as they go, and overwrites nothing."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fattree_bench.bench.interface.description import LINKS, tables
from fattree_bench.cli import main
from fattree_bench.paths import CALL_VARIABLE

ENTRY = re.compile(r"^# (\w+ = |\[)", re.MULTILINE)


@pytest.mark.parametrize("link", LINKS)
def test_each_link_has_a_description_and_all_that_it_shows_may_stand_there(
    link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CALL_VARIABLE, "ftb")
    assert main(["new", "my_switch", "--link", link]) == 0
    assert "ftb doctor my_switch.toml" in capsys.readouterr().out
    path = tmp_path / "my_switch.toml"
    said = tables(path)
    assert (said.link.kind, said.design.top) == (link, "my_switch")
    path.write_text(ENTRY.sub(r"\1", path.read_text()))
    assert tables(path) != said
    assert max(map(len, path.read_text().splitlines())) <= 100


@pytest.mark.parametrize("link", LINKS)
def test_a_shim_has_the_ports_of_the_description(
    link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "NAME=my_switch", f"LINK={link}", "SHIM=1"]) == 0
    said = tables(tmp_path / "my_switch.toml")
    assert said.design.top == "my_switch_shim"
    text = (tmp_path / "my_switch_shim.v").read_text()
    for side in (said.link.send, said.link.receive):
        for role in ("valid", "ready", "data", "dest", "last", "stop", "credit", "grant"):
            if port := getattr(side, role).partition(":")[0]:
                assert re.search(rf"put  wire \[.*\] {port}\b|output wire \[.*\] {port}\b", text)
    if shutil.which("iverilog"):
        subprocess.run(["iverilog", "-Wall", "-t", "null", "my_switch_shim.v"], check=True)


def test_a_folder_that_is_there_gets_the_description(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    assert main(["new", "a/b"]) == 0
    assert capsys.readouterr().out.startswith("wrote a/b.toml\n")
    assert tables(tmp_path / "a" / "b.toml").design.top == "b"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "new: needs a name"),
        (["a", "b"], "new: takes one name"),
        (["1st"], "NAME=1st: must be a Verilog name"),
        (["x", "--link"], "--link: what? there is stream, "),
        (["x", "--link", "pci"], "LINK=pci: must be stream, onoff, credit, slot, cell, axi4"),
        (["x", "--foo"], "--foo: no such option"),
        (["x", "FOO=1"], "FOO: no such variable"),
        (["a/b"], "NAME=a/b: a: no such folder; nothing was written"),
        (["NAME=there.toml/b"], "NAME=there.toml/b: there.toml: no such folder"),
        (["there.toml"], "there.toml: is there already; nothing was written"),
    ],
)
def test_mistakes(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.toml").write_text("mine")
    assert main(["new", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1 and message in error
    assert (tmp_path / "there.toml").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["there.toml"]
