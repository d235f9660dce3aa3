"""Mistakes in the variables of packet-switched fat-trees: one line each, exit status 2."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.errors import UserError
from fattree_bench.families import NETWORKS, find, plan_names
from fattree_bench.sim.variables import check, collect
from tests.tb.cli.test_bad_input import check_refused

Cli = Callable[..., subprocess.CompletedProcess[str]]

BAD = (
    # the shape
    ("NETWORK=xgft M=2,x W=1,2", "M=2,x: must be one number a level, as 4,4,3"),
    ("NETWORK=xgft M= W=1", "M=: must be one number a level"),
    ("NETWORK=xgft M=2,2 W=1,", "W=1,: must be one number a level"),
    ("NETWORK=xgft M=2,2 W=1", "M=2,2 W=1: "),
    ("NETWORK=xgft M=2,0 W=1,2", "M=2,0 W=1,2: "),
    ("NETWORK=xgft M=2,2 W=0,2", "M=2,2 W=0,2: "),
    ("NETWORK=xgft M=1,1 W=1,1", "M=1,1 W=1,1: 1 leaves; must be 2 … 4096"),
    ("NETWORK=xgft M=40,40 W=1,2 WIDTH=40", "NETWORK=xgft: 1600 leaves; RTL has 1024 at most"),
    (
        "NETWORK=xgft M=2,2,2,2,2,2,2,2,2 W=1,1,1,1,1,1,1,1,1",
        "W=1,1,1,1,1,1,1,1,1: 9 levels; must be 1 … 8",
    ),
    ("NETWORK=kary AHEAD=2", "AHEAD=2: "),
    # forwarding tables of one's own
    ("NETWORK=kary ROUTING=FILE", "ROUTING=FILE: needs TABLES=file"),
    ("NETWORK=kary TABLES=x.csv", "TABLES=x.csv: only for ROUTING=FILE"),
    ("NETWORK=kary ROUTING=FILE TABLES=nowhere.csv", "nowhere.csv: No such file or directory"),
    ("NETWORK=kary ROUTING=FILE TABLES=docs", "TABLES=docs: "),
    ("NETWORK=kary ROUTING=FILE TABLES=README.md", "line 1: is '# fat-tree-bench'; allowed are l"),
    # clocks
    ("NETWORK=kary ASYNC=SOME", "ASYNC=SOME: must be NONE, LEAVES or LINKS"),
    ("NETWORK=kary ASYNC=LEAVES CLOCKS=10,x", "CLOCKS=10,x: must be 1 to 8 periods"),
    ("NETWORK=kary ASYNC=LEAVES CLOCKS=", "CLOCKS=: must be 1 to 8 periods"),
    ("NETWORK=kary ASYNC=LEAVES CLOCKS=10,81", "CLOCKS=10,81: must be 1 to 8 periods"),
    ("NETWORK=kary ASYNC=LEAVES CLOCKS=nan", "CLOCKS=nan: must be 1 to 8 periods"),
    ("NETWORK=kary ASYNC=LEAVES SYNC=1", "SYNC=1: must be 2, 3 or 4"),
    ("NETWORK=kary ASYNC=LEAVES JITTER=41", "JITTER=41: must be"),
    ("NETWORK=kary CLOCKS=10", "CLOCKS=10: only for ASYNC=LEAVES or LINKS"),
    ("NETWORK=kary HALTS=1", "HALTS=1: only for ASYNC=LEAVES or LINKS"),
    ("NETWORK=kary ASYNC=LINKS TRACE=1", "TRACE=1: not for ASYNC=LINKS"),
    ("NETWORK=benes ASYNC=LINKS", "ASYNC=LINKS: not with forwarding tables (ROUTING=SLIDES)"),
    ("NETWORK=kary VCS=2 WAYS=3", "WAYS=3: must divide VCS=2"),
    ("NETWORK=kary K=1", "K=1: must be a number, 2 … 1024"),
    ("NETWORK=kary K=x", "K=x: "),
    ("NETWORK=kary LEVELS=0", "LEVELS=0: must be 1 … 8"),
    ("NETWORK=kary LEVELS=9", "LEVELS=9: must be 1 … 8"),
    ("NETWORK=kary K=4 LEVELS=7", "K=4 LEVELS=7: 16384 leaves; must be 2 … 4096"),
    ("NETWORK=gft H=0", "H=0: must be 1 … 8"),
    ("NETWORK=gft M=0", "M=0: must be a number, 1 … 1024"),
    ("NETWORK=gft W=65", "W=65: must be a number, 1 … 64"),
    ("NETWORK=ftree_mn PORTS=3", "PORTS=3 LEVELS=3: ports: is 3; allowed are even numbers"),
    ("NETWORK=ftree_mn PORTS=66", "PORTS=66: must be an even number, 2 … 64"),
    ("NETWORK=benes PORTS=x", "PORTS=x: must be an even number, 2 … 64"),
    ("NETWORK=benes UNFOLDED=2", "UNFOLDED=2: must be 0 or 1"),
    ("NETWORK=benes UNFOLDED=1 ROUTING=DMODK", "UNFOLDED=1: needs forwarding tables (ROUTING="),
    ("NETWORK=ruft LONG=65", "LONG=65: must be 0 … 64"),
    ("NETWORK=ruft LONG=-1", "LONG=-1: must be 0 … 64"),
    ("NETWORK=ruft K=1", "K=1: must be a number, 2 … 1024"),
    ("NETWORK=ruft K=4 LEVELS=6 WIDTH=40", "NETWORK=ruft: 4096 leaves; RTL has 1024 at most"),
    ("NETWORK=benes LEVELS=9", "LEVELS=9: must be 1 … 8"),
    ("NETWORK=oxgft P=1", "P=1: must be a number, 2 … 4096"),
    ("NETWORK=oxgft P=37", "P=37 LEVELS=2: 37 is prime: at most 1 level"),
    ("NETWORK=oxgft LEVELS=9", "LEVELS=9: must be 1 … 8"),
    ("NETWORK=oxgft MAX_PORTS=1", "MAX_PORTS=1: must be a number, 2 … 1024"),
    ("NETWORK=oxgft P=62 MAX_PORTS=16", "P=62 LEVELS=2 MAX_PORTS=16: 62 processors need a switch"),
    # the switches
    ("NETWORK=kary ROUTING=x", "ROUTING=X: must be DMODK, SMODK, RANDOM"),
    ("NETWORK=kary ROUTING=", "ROUTING=: must be DMODK"),
    ("NETWORK=kary K=3 LEVELS=2 ROUTING=MLID", "ROUTING=MLID: only for m-port n-trees"),
    ("NETWORK=kary K=4 LEVELS=2 ROUTING=SLIDES", "ROUTING=SLIDES: only for m-port n-trees"),
    ("NETWORK=kary CLIMB=x", "CLIMB=X: must be NCA or TOP"),
    ("NETWORK=ftree_mn CLIMB=TOP", "CLIMB=TOP: forwarding tables (ROUTING=MLID) say where to turn"),
    ("NETWORK=turnback TBCH=0", "TBCH=0: must be 1 … 64"),
    ("NETWORK=kary TBCH=3", "TBCH: no such variable"),
    ("NETWORK=kary ROUTING=TB", "ROUTING=TB: must be DMODK, SMODK"),
    ("NETWORK=turnback ROUTING=DMODK", "ROUTING=DMODK: must be TB or TBWP"),
    ("NETWORK=turnback M=4,4 W=1,4 TBCH=5", "TBCH=5 ROOT_LINKS=0: tbch: is 5; allowed"),
    ("NETWORK=turnback ROOT_LINKS=1", "ROOT_LINKS=1: only for ROUTING=TBWP"),
    ("NETWORK=turnback M=4,4 W=1,1 ROUTING=TBWP ROOT_LINKS=1", "root_links: is 1; allowed"),
    ("NETWORK=turnback LATERAL=2", "LATERAL=2: must be 1 or MANY"),
    ("NETWORK=turnback ROUTING=TBWP LATERAL=MANY", "LATERAL=MANY: needs ROOT_LINKS=1 or more"),
    ("NETWORK=turnback ADDRESS=x", "ADDRESS=X: must be NUMBER or VECTOR"),
    ("NETWORK=turnback CLIMB=TOP", "CLIMB: no such variable"),
    ("NETWORK=kary VCS=0", "VCS=0: must be 1 … 4"),
    ("NETWORK=kary VCS=5", "VCS=5: must be 1 … 4"),
    ("NETWORK=kary DEPTH=0", "DEPTH=0: must be 1 … 64"),
    ("NETWORK=kary DEPTH=65", "DEPTH=65: must be 1 … 64"),
    ("NETWORK=kary STAGES=0", "STAGES=0: must be 1, 2 or 3"),
    ("NETWORK=kary STAGES=4", "STAGES=4: must be 1, 2 or 3"),
    ("NETWORK=kary VC_MODE=x", "VC_MODE=X: must be ANY or KEEP"),
    ("NETWORK=kary CLASSES=3", "CLASSES=3: must be 1 or 2"),
    ("NETWORK=kary CLASSES=2 VCS=1", "CLASSES=2: needs VCS=2 or more"),
    ("NETWORK=kary ARBITER=x", "ARBITER=X: must be ROUND_ROBIN or MATRIX"),
    ("NETWORK=kary EXACT=2", "EXACT=2: must be 0 or 1"),
    ("NETWORK=kary WIDTH=65", "WIDTH=65: "),
    ("NETWORK=kary WIDTH=x", "WIDTH=x: "),
    ("NETWORK=kary K=2 LEVELS=2 WIDTH=20", "WIDTH=20: must be 21 … 64 for this network"),
    ("NETWORK=xgft M=2,2,2,2,2 W=1,64,1,1,1", "bits do not fit into the 58 bits"),
    # the traffic
    ("NETWORK=kary TRAFFIC=x", "TRAFFIC=x: "),
    ("NETWORK=kary TRAFFIC=", "TRAFFIC=: "),
    ("NETWORK=xgft M=3,2 W=1,2 TRAFFIC=tornado", "TRAFFIC=tornado: "),
    ("NETWORK=kary LOAD=0", "LOAD=0: must be a number > 0 … 1"),
    ("NETWORK=kary LOAD=1.1", "LOAD=1.1: must be a number > 0 … 1"),
    ("NETWORK=kary LOAD=nan", "LOAD=nan: must be a number > 0 … 1"),
    ("NETWORK=kary LOAD=x", "LOAD=x: must be a number > 0 … 1"),
    ("NETWORK=kary FLITS=0", "FLITS=0: "),
    ("NETWORK=kary FLITS=x", "FLITS=x: "),
    ("NETWORK=kary FLITS=65", "FLITS=65: packets of at most 64 flits"),
    ("NETWORK=kary FLITS=1:0.8,9:-1", "FLITS=1:0.8,9:-1: "),
    ("NETWORK=kary INJECTION=x", "INJECTION=x: "),
    ("NETWORK=kary PERIOD=9", "PERIOD=9: must be 10 … 1000000"),
    ("NETWORK=kary WARMUP=-1", "WARMUP=-1: must be 0 … 1000"),
    ("NETWORK=kary PERIODS=0", "PERIODS=0: must be 1 … 1000"),
    ("NETWORK=kary TRACE=2", "TRACE=2: must be 0 or 1"),
    ("NETWORK=kary REFINE=11", "REFINE=11: must be 0 … 10"),
    ("NETWORK=kary LOADS=x", "LOADS=x: "),
    ("NETWORK=kary PACKETS=nowhere.csv", "MESSAGES=nowhere.csv: "),
    ("NETWORK=kary MESSAGES=README.md", "MESSAGES=README.md: "),
)
UNFIT = (
    ("NETWORK=kary TEST=file", "TEST=file: not for this network: it needs MESSAGES=file"),
    ("NETWORK=kary TEST=request_reply", "TEST=request_reply: not for this network: it needs CLA"),
    ("NETWORK=kary TEST=free_choice", "TEST=free_choice: not for this network: it needs a ROUTING"),
    (
        "NETWORK=turnback M=4,4 W=1,4 TBCH=4 TEST=climbing_on",
        "TEST=climbing_on: not for this network: it needs more children than turn-back ",
    ),
    (
        "NETWORK=turnback M=4,4 W=1,4 CLASSES=2 ADDRESS=VECTOR TEST=request_reply",
        "TEST=request_reply: not for this network: it needs ADDRESS=NUMBER",
    ),
    ("NETWORK=kary ROUTING=TWO TEST=fairness", "TEST=fairness: not for this network: it needs a R"),
)


@pytest.mark.parametrize(("arguments", "named"), BAD)
def test_bad_variable(arguments: str, named: str) -> None:
    """In one line; the command line makes it exit status 2 (test_bad_input.py)."""
    with pytest.raises(UserError) as refused:
        check(collect(arguments.split()))
    assert named in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("arguments", "named"), (*UNFIT, BAD[0], BAD[-1]))
def test_bad_variable_on_the_command_line(arguments: str, named: str, tb_cli: Cli) -> None:
    check_refused(tb_cli("sim", *arguments.split()), named)


@pytest.mark.parametrize(
    "network", [network for network in NETWORKS if "wormhole" in plan_names(network)]
)
def test_every_variable_has_its_mistakes(network: str) -> None:
    made: type[Wormhole] = find(network)  # type: ignore[assignment]
    tried = {word.split("=", 1)[0] for arguments, _ in BAD for word in arguments.split()}
    assert {parameter.name for parameter in made.parameters} <= tried


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: "),
        ("source,target\n0,1\n", "line 1: "),
        ("source,destination,release\n", "line 1: no messages follow"),
        ("source,destination,release\n0,64,0\n", "line 2: "),
        ("source,destination,release\n0,-1,0\n", "line 2: "),
        ("source,destination,release\n0,1,-1\n", "line 2: "),
        ("source,destination,release\n0,1\n", "line 2: "),
        ("source,destination,release,flits\n0,1,0,0\n", "line 2: "),
        ("source,destination,kind\n0,1,2\n", "kind 2; allowed are 0 and 1"),
        ("source,destination,release,flits\n0,1,0,65\n", "packets of at most 64 flits"),
    ],
)
def test_bad_list_of_packets(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "packets.csv"
    path.write_text(text)
    with pytest.raises(UserError) as refused:
        check(collect(["NETWORK=kary", f"MESSAGES={path}"]))
    assert str(refused.value).startswith(f"MESSAGES={path}: ")
    assert message in str(refused.value)
