"""A command line forked from a warm process does what one of its own does."""

import subprocess
from collections.abc import Callable

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize("arguments", [("help", "NETWORK=lbbvn"), ("sim", "N=3"), ("none",), ()])
def test_forked_is_as_started(arguments: tuple[str, ...], tb_cli: Cli) -> None:
    forked, started = tb_cli(*arguments), tb_cli(*arguments, env={"COLUMNS": "200"})
    assert forked.returncode == started.returncode
    assert (forked.stdout, forked.stderr) == (started.stdout, started.stderr)
