"""The command line in tests: its type, and what must hold of what passed or was refused."""

from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

Cli = Callable[..., CompletedProcess[str]]  # the fixture `tb_cli`

icarus = pytest.mark.usefixtures("icarus")

# What a testplan says of a testpoint; its tests and more may follow.
FRAMES = """
[testpoint."frames"]
network = "lbbvn"
source = "requirement"
goal = "Frames arrive."
stimulus = "The paper's frame."
check = "Scoreboard."
"""


def succeeds(done: CompletedProcess[str]) -> str:
    """The output of a command that must have had exit status 0."""
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def passes(tb_cli: Cli, *variables: str) -> str:
    """The output of a simulation that must have passed; variables may stand in one text."""
    text = succeeds(tb_cli("sim", *(word for some in variables for word in some.split())))
    assert "PASS" in text
    return text


def check_refused(result: CompletedProcess[str], *named: str) -> None:
    """One line on stderr that starts with `error: ` and names everything in `named`."""
    assert result.returncode == 2, result.stdout + result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.endswith("\n")
    assert "Traceback" not in result.stdout + result.stderr
    for text in named:
        assert text in result.stderr
