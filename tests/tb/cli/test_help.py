"""The help of the command line tells of every variable that any target knows."""

import re
import sys

import pytest

from fattree_bench.cli import CAMPAIGNS, COMMANDS, campaign, console, main, sim
from fattree_bench.families import NETWORKS
from fattree_bench.jobs.farm_options import FarmOptions
from fattree_bench.optimise import OPTIMISER
from fattree_bench.sim import variables as v


def entries(text: str) -> list[list[str]]:
    """Words of each row of a list, those of the lines below it too."""
    return [row.split() for row in re.sub(r"\n {3,}", " ", text).splitlines() if row[:2] == "  "]


def test_help_has_every_variable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    output = set(map(tuple, entries(capsys.readouterr().out)))
    own = [p for network in NETWORKS.values() for p in network.parameters]
    own += [p for name in CAMPAIGNS for p in campaign(name).variables.parameters]
    for p in (*v.COMMON, *own, *OPTIMISER.parameters, *FarmOptions.parameters):
        assert (p.name, *p.default.split(), *p.help.split()) in output


@pytest.mark.parametrize("words", ["", "help", "help sim", "help NETWORK=leiserson", "list"])
@pytest.mark.parametrize("width", [80, 100, 200])
def test_lists_fit_the_terminal(
    words: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "width", width)
    assert main(words.split()) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= width


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"]])
def test_without_a_command_all_are_told(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    output = capsys.readouterr().out
    assert output.startswith("ftb COMMAND [my_switch.toml] NAME=value")
    assert [row[0] for row in entries(output)] == list(COMMANDS)
    assert all(len(row) > 1 for row in entries(output))


@pytest.mark.parametrize("words", [["help", "sim"], ["sim", "--help"], ["sim", "TEST=*", "-h"]])
def test_help_of_a_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"make sim: {sim.__doc__}\n")
    assert [row[0] for row in entries(output)] == [p.name for p in v.COMMON]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "-h"]) == 0
    assert capsys.readouterr().out.startswith(f"make {command}: ")


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(r"ftb \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_help_needs_no_package_of_the_evidence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fresh environment has no bitwuzla; all variables are listed all the same."""
    solving = ("fattree_bench.mutate", "fattree_prover")
    for name in [name for name in sys.modules if name.startswith(solving)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "bitwuzla", None)
    assert main(["help", "NETWORK=kary"]) == 0
    assert "LEVELS" in capsys.readouterr().out
    assert main(["help"]) == 0
    assert "variables of make mutate" in capsys.readouterr().out
    assert main(["mutate", "COUNT=1"]) == 2
    output = capsys.readouterr().err
    assert output == "error: mutate: bitwuzla is not installed: make setup-evidence\n"
    assert main(["help", "NETWORK=nope"]) == 2
    assert capsys.readouterr().err.startswith("error: NETWORK=nope: no such network")
