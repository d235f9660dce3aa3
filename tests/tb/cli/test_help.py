"""The help of the command line tells of every variable that any target knows."""

import re
import sys

import pytest

from fattree_bench.cli import CAMPAIGNS, COMMANDS, campaign, main, sim
from fattree_bench.families import NETWORKS
from fattree_bench.jobs.farm_options import FarmOptions
from fattree_bench.optimise import OPTIMISER
from fattree_bench.sim import variables as v


def test_help_has_every_variable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    output = {tuple(line.split()) for line in capsys.readouterr().out.splitlines()}
    own = [p for network in NETWORKS.values() for p in network.parameters]
    own += [p for name in CAMPAIGNS for p in campaign(name).variables.parameters]
    for p in (*v.COMMON, *own, *OPTIMISER.parameters, *FarmOptions.parameters):
        assert (p.name, *p.default.split(), *p.help.split()) in output


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"]])
def test_without_a_command_all_are_told(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[0].startswith("ftb COMMAND [my_switch.toml] NAME=value")
    assert [line.split()[0] for line in output if line.startswith("  ")] == list(COMMANDS)
    assert all(len(line.split()) > 1 for line in output if line.startswith("  "))


@pytest.mark.parametrize("words", [["help", "sim"], ["sim", "--help"], ["sim", "TEST=*", "-h"]])
def test_help_of_a_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[0] == f"make sim: {sim.__doc__}"
    assert [line.split()[0] for line in output if line.startswith("  ")] == [
        p.name for p in v.COMMON
    ]


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
    solving = ("fattree_bench.mutate", "fattree_bench.prover")
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
