"""Mistakes in the variables of the load-balanced switch: one line each, exit status 2."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.bench.messages import MOST_SLOTS
from fattree_bench.errors import UserError
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.sim.variables import check, collect
from tests.tb.cli.test_bad_input import check_refused

Cli = Callable[..., subprocess.CompletedProcess[str]]

NOT_CARRIED = "the tree does not carry this schedule"
BAD = (
    # the switch
    ("SCHEME=x", "SCHEME=X: must be BASIC, UFS, FOFF, PADDED or MAILBOX"),
    ("SCHEME=", "SCHEME=: must be BASIC"),
    ("N=5", "N=5: must be 4, 8, 16, 32, 64"),
    ("N=2", "N=2: must be 4, "),
    ("N=128", "N=128: must be 4, "),
    ("N=", "N=: must be 4, "),
    ("SCHEDULE=x", "SCHEDULE=X: must be BITREV, ROTATOR, TDM, XOR or SAME"),
    ("SCHEME=UFS SCHEDULE=XOR", "SCHEME=UFS SCHEDULE=XOR: is XOR; allowed are BITREV, ROTATOR"),
    ("SCHEME=FOFF SCHEDULE=SAME", "SCHEME=FOFF SCHEDULE=SAME: is SAME; allowed are BITREV"),
    ("SCHEME=MAILBOX SCHEDULE=SAME", "SCHEME=MAILBOX SCHEDULE=SAME: is SAME; allowed are"),
    ("SCHEME=MAILBOX PIPELINE=1", "SCHEME=MAILBOX PIPELINE=1: the answer must be back within"),
    # its fabric
    ("FOLDED=2", "FOLDED=2: must be 0 or 1"),
    ("FABRIC=x", "FABRIC=X: must be TREE or CROSSBAR"),
    ("FORM=x", "FORM=X: must be FAST or HARDWARE"),
    ("SCHEDULE=TDM", f"SCHEDULE=TDM CAPACITY=LOWER_BOUND UPPER_HALF=SWITCHED: {NOT_CARRIED}"),
    ("SCHEDULE=ROTATOR", f"UPPER_HALF=SWITCHED: {NOT_CARRIED}; allowed are BITREV or XOR"),
    ("CAPACITY=3,2,2,1", f"SCHEDULE=BITREV CAPACITY=3,2,2,1 UPPER_HALF=SWITCHED: {NOT_CARRIED}"),
    ("CAPACITY=1,1", "CAPACITY=1,1: has 2 numbers; N=16 needs 4"),
    ("CAPACITY=x", "CAPACITY=x: must be LOWER_BOUND"),
    ("CONTROL=x", "CONTROL=x: must be SELF or SCHEDULED"),
    ("UPPER_HALF=x", "UPPER_HALF=x: must be "),
    ("UPPER_HALF=STATIC CAPACITY=NONBLOCKING", "CAPACITY=NONBLOCKING: level 2 has 4 lanes"),
    ("PIPELINE=2", "PIPELINE=2: must be 0 or 1"),
    ("WIDTH=23", "WIDTH=23: must be 24 … 64 for N=16"),
    ("WIDTH=65", "WIDTH=65: must be 24 … 64 for N=16"),
    ("N=4 WIDTH=5", "WIDTH=5: must be 22 … 64 for N=4"),
    ("WIDTH=x", "WIDTH=x: must be 24"),
    ("COUNT_W=4", "COUNT_W=4: must be 5 … 32 for N=16"),
    ("N=4 SCHEME=FOFF RESEQUENCER=64 COUNT_W=9", "COUNT_W=9: must be 10 … 32 for N=4"),
    # its queues
    ("INGRESS=7", "INGRESS=7: must be a power of two, 2 … 4096"),
    ("INGRESS=x", "INGRESS=x: must be a power of two"),
    ("INGRESS=8192", "INGRESS=8192: must be a power of two, 2 … 4096"),
    ("SCHEME=UFS INGRESS=16", "INGRESS=16: must be a power of two, 32 … 4096"),
    ("MIDDLE=1", "MIDDLE=1: must be a power of two, 2 … 4096"),
    ("MIDDLE=3", "MIDDLE=3: must be a power of two"),
    ("RESEQUENCER=1", "RESEQUENCER=1: must be a power of two, 2 … 4096"),
    ("THRESHOLD=0", "THRESHOLD=0: must be 1 … 16"),
    ("THRESHOLD=17", "THRESHOLD=17: must be 1 … 16"),
    ("GATE=0", "GATE=0: must be 1 … MIDDLE = "),
    ("SCHEME=PADDED MIDDLE=4 GATE=5", "GATE=5: must be 1 … MIDDLE = 4"),
    ("SCHEME=MAILBOX MIDDLE=4 TRIES=5", "TRIES=5: must be 1 … MIDDLE = 4"),
    ("TRIES=0", "TRIES=0: must be 1 … MIDDLE = "),
    # the traffic
    ("TRAFFIC=foo", "TRAFFIC=foo: unknown pattern 'foo'; allowed are uniform"),
    ("TRAFFIC=", "TRAFFIC=: "),
    ("TRAFFIC=hotspot", "TRAFFIC=hotspot: "),
    ("LOAD=0", "LOAD=0: must be a number > 0 … 1"),
    ("LOAD=2", "LOAD=2: must be a number > 0 … 1"),
    ("LOAD=nan", "LOAD=nan: must be a number > 0 … 1"),
    ("INJECTION=x", "INJECTION=x: 'x' is not an injection"),
    ("INJECTION=frame:0", "INJECTION=frame:0: "),
    ("LOAD=1 INJECTION=train:-,0.1,1", "LOAD=1 INJECTION=train:-,0.1,1 FLITS=1: load: is 1"),
    ("WARMUP=-1", "WARMUP=-1: must be 0 … 1000"),
    ("PERIODS=0", "PERIODS=0: must be 1 … 1000"),
    ("PERIOD=9", "PERIOD=9: must be 10 … 1000000"),
    ("LOADS=0.5,0.3", "LOADS=0.5,0.3: must be loads > 0 … 1, ascending"),
    ("REFINE=11", "REFINE=11: must be 0 … 10"),
    ("MESSAGES=nowhere.csv", "MESSAGES=nowhere.csv: "),
    ("MESSAGES=README.md", "MESSAGES=README.md: "),
    ("FRAMES=nowhere.csv", "FRAMES=nowhere.csv: No such file or directory"),
    ("N=4 SIGMA=0,1,2", "SIGMA=0,1,2: has 3 numbers; N=4 needs as many"),
    ("FLITS=2", "FLITS: no such variable"),
)
UNFIT = (
    ("TEST=own_frame", "TEST=own_frame: not for this network: it needs FRAMES=file or SIGMA"),
    ("TEST=file", "TEST=file: not for this network: it needs MESSAGES=file"),
    ("TEST=sweep", "TEST=sweep: not for this network: it needs LOADS"),
    ("TEST=x", "TEST=x: "),
)


@pytest.mark.parametrize(("arguments", "named"), BAD)
def test_bad_variable(arguments: str, named: str) -> None:
    """In one line; the command line makes it exit status 2 (test_bad_input.py)."""
    with pytest.raises(UserError) as refused:
        check(collect(["NETWORK=lbbvn_switch", *arguments.split()]))
    assert named in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("arguments", "named"), (*UNFIT, BAD[0], BAD[-1]))
def test_bad_variable_on_the_command_line(arguments: str, named: str, tb_cli: Cli) -> None:
    check_refused(tb_cli("sim", "NETWORK=lbbvn_switch", *arguments.split()), named)


def test_every_variable_has_its_mistakes() -> None:
    tried = {word.split("=", 1)[0] for arguments, _ in BAD for word in arguments.split()}
    assert {parameter.name for parameter in LbbvnSwitch.parameters} <= tried


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [
        # Words in lower case; what depends on others is worked out.
        ("SCHEME=foff SCHEDULE=tdm FABRIC=crossbar", {"SCHEME": "FOFF", "FABRIC": "CROSSBAR"}),
        ("SCHEME=mailbox", {"PIPELINE": "0"}),
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


# ---- files ---------------------------------------------------------------------------------------


def checked(text: str, path: Path) -> LbbvnSwitch:
    """The switch with 4 line cards that is to be sent the cells of a file."""
    path.write_text(text)
    made = check(collect(["NETWORK=lbbvn_switch", "N=4", f"MESSAGES={path}"])).network
    assert isinstance(made, LbbvnSwitch)
    return made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: "),
        ("source,dest\n0,1\n", "line 1: "),
        ("source,destination,release\n", "line 1: no messages follow"),
        ("source,destination,release\n0,4,0\n", "line 2: "),
        ("source,destination,release\n4,0,0\n", "line 2: "),
        ("source,destination,release\n0,1,-1\n", "line 2: "),
        ("source,destination,release,flits\n0,1,0,2\n", "allowed are source,destination[,release]"),
        ("source,destination,payload\n0,1,0x100000000\n", "payload 0x100000000 needs a greater"),
        (
            "source,destination,release\n1,2,5\n0,1,5\n1,3,5\n",
            "node 1 has several messages in slot 5; allowed is one",
        ),
        (
            f"source,destination,release\n0,1,{MOST_SLOTS}\n",
            f"release: holds {MOST_SLOTS}; allowed are 0 … {MOST_SLOTS - 1}",
        ),
    ],
)
def test_bad_list_of_cells(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    with pytest.raises(UserError) as refused:
        checked(text, path)
    assert str(refused.value).startswith(f"MESSAGES={path}: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_good_list_of_cells(tmp_path: Path) -> None:
    """In any order; also to oneself; the last slot that is allowed."""
    text = f"source,destination,release\n1,1,5\n0,3,5\n2,0,{MOST_SLOTS - 1}\n"
    rows = checked(text, tmp_path / "cells.csv").workload.cells
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
