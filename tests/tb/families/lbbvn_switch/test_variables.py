"""Variables of the load-balanced switch, and lists of its cells."""

from pathlib import Path

import pytest

from fattree_bench.bench.messages import MOST_SLOTS
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.sim.variables import check, collect
from tests.cli import Cli, check_refused


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [
        # Words in lower case; what depends on others is worked out.
        ("SCHEME=foff SCHEDULE=tdm FABRIC=crossbar", {"SCHEME": "FOFF", "FABRIC": "CROSSBAR"}),
        ("SCHEME=mailbox PIPELINE=0", {"PIPELINE": ""}),
        ("SCHEME=PADDED MIDDLE=2", {"MIDDLE": "2", "GATE": ""}),
        ("SCHEME=MAILBOX MIDDLE=2 TRIES=2", {"TRIES": ""}),  # of two places not more
        ("SCHEDULE=ROTATOR CAPACITY=NONBLOCKING", {"CAPACITY": "NONBLOCKING"}),
        ("SCHEDULE=SAME", {"SCHEDULE": "SAME"}),
        ("N=64 WIDTH=26", {"WIDTH": "26"}),
    ],
)
def test_good_variables(arguments: str, variables: dict[str, str]) -> None:
    network = check(collect(["NETWORK=lbbvn_switch", *arguments.split()])).network
    made = network.variables()
    assert {name: made[name] for name in variables} == variables
    # The variables of a network make the same network: a failure can be replayed.
    assert LbbvnSwitch.from_variables(made) == network


def test_good_list_of_cells(tmp_path: Path) -> None:
    """In any order; also to oneself; the last slot that is allowed."""
    text = f"source,destination,release\n1,1,5\n0,3,5\n2,0,{MOST_SLOTS - 1}\n"
    path = tmp_path / "cells.csv"
    path.write_text(text)
    network = check(collect(["NETWORK=lbbvn_switch", "N=4", f"MESSAGES={path}"])).network
    assert isinstance(network, LbbvnSwitch)
    rows = network.workload.cells
    assert rows is not None
    cells, words = rows
    assert words is None
    assert cells.shape == (MOST_SLOTS, 4)
    assert cells[5].tolist() == [3, 1, -1, -1]
    assert cells[-1].tolist() == [-1, -1, 0, -1]
    assert (cells >= 0).sum() == 3


def test_bad_list_on_the_command_line(tb_cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("source,destination,release\n1,2,5\n1,3,5\n")
    result = tb_cli("sim", "NETWORK=lbbvn_switch", f"MESSAGES={path}")
    check_refused(result, f"MESSAGES={path}: node 1 has several messages in slot 5")
