"""Mistakes in the variables of SPIN: one line each, exit status 2."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.errors import UserError
from fattree_bench.families import find
from tests.tb.cli.test_bad_input import check_refused

Cli = Callable[..., subprocess.CompletedProcess[str]]

BAD = (
    ("TERMINALS=20", "TERMINALS=20: must be 16, 32 or 64"),
    ("TERMINALS=128", "TERMINALS=128: must be 16, 32 or 64"),
    ("SHARED=2", "SHARED=2: must be 0 or 1"),
    ("PLANES=3", "PLANES=3: must be 1 or 2"),
    ("OUTSTANDING=17", "OUTSTANDING=17: must be 1 … 16"),
    ("FLITS=1-4", "FLITS=1-4: packets of at least 2 words"),
    ("FLITS=19", "FLITS=19: packets of at most 18 flits"),
    ("MESSAGES=examples/packets-16.csv", "MESSAGES=examples/packets-16.csv: packets of at least 2"),
    ("TRAFFIC=bitrev", "TRAFFIC=bitrev: terminal 0 sends to itself alone"),
)


@pytest.mark.parametrize(("variables", "message"), BAD)
def test_a_mistake_is_told(variables: str, message: str) -> None:
    given = dict(word.split("=", 1) for word in variables.split())
    with pytest.raises(UserError) as error:
        find("spin").from_variables(given)
    assert str(error.value).startswith(message)


def test_a_terminal_that_sends_to_itself_is_told(tb_cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "packets.csv"
    path.write_text("source,destination,release,flits\n0,1,0,2\n2,2,5,2\n")
    check_refused(
        tb_cli("sim", "NETWORK=spin", f"MESSAGES={path}"),
        f"MESSAGES={path}: a terminal sends to itself",
    )
