"""Mistakes in the variables of modified fat-trees: one line each, exit status 2."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.errors import UserError
from fattree_bench.families import find
from tests.tb.cli.test_bad_input import check_refused

Cli = Callable[..., subprocess.CompletedProcess[str]]

BAD = (
    ("N=3", "N=3: must be a power of two, 2 … 64"),
    ("N=128", "N=128: must be a power of two, 2 … 64"),
    ("MODE=FT", "MODE=FT: must be IMFT or MFT"),
    ("LANES=TRIPLE", "LANES=TRIPLE: must be EXACT or DOUBLING"),
    ("ROOM=0", "ROOM=0: must be 1 … 64"),
    ("ROOM=32 FIFO=31", "FIFO=31: must be 32 … 1024"),
    ("ROOM=1 FIFO=1", "FIFO=1: must be 2 … 1024"),
    ("FIFO=1025", "FIFO=1025: must be 16 … 1024"),
    ("PIPELINE=17", "PIPELINE=17: must be 0 … 16"),
    ("N=8 WIDTH=21", "WIDTH=21: must be 22 … 64"),
    ("N=8 COUNT_W=6", "COUNT_W=6: must be 7 … 32"),
    ("ROOM=4 FLITS=1-5", "FLITS=1-5: packets of at most 4 flits"),
    ("TRAFFIC=uniform:self", "TRAFFIC=uniform:self: client 0 sends to itself"),
    ("TRAFFIC=permutation:1,0,2,3 N=4", "TRAFFIC=permutation:1,0,2,3: client 2 sends to itself"),
)


@pytest.mark.parametrize(("variables", "message"), BAD)
def test_a_mistake_is_told(variables: str, message: str) -> None:
    given = dict(word.split("=", 1) for word in variables.split())
    with pytest.raises(UserError) as error:
        find("mft").from_variables(given)
    assert str(error.value).startswith(message)


def test_a_client_that_sends_to_itself_is_told(tb_cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "packets.csv"
    path.write_text("source,destination,release\n0,1,0\n2,2,5\n")
    check_refused(
        tb_cli("sim", "NETWORK=mft", "N=4", f"MESSAGES={path}"),
        f"MESSAGES={path}: a client sends to itself",
    )
