"""A deadlock is distinguished from saturation and from a lost flit."""

import re
from pathlib import Path

import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.sim.build import build
from fattree_bench.sim.simulate import Outcome, judge, run_module
from fattree_bench.sim.variables import check
from tests.cli import Cli

NAME = "request_reply_one_class"


def run_one_class(tmp_path: Path, classes: int) -> Outcome:
    """The scenario of deadlock_entry.py on Icarus."""
    given = ["NETWORK=kary", "K=2", "LEVELS=2", "DEPTH=2", "STAGES=1", "SIM=icarus"]
    given += [f"VCS={classes}", f"CLASSES={classes}", f"BUILD={tmp_path}"]
    variables = check(dict(word.split("=", 1) for word in given))
    built = build(variables, "FRAME")
    plan = {"scenarios": [NAME], "rows": 150, "points": ""}
    folder, ending = run_module(variables, built, "tests.tb.bench.wormhole.deadlock_entry", plan)
    outcome = Outcome(log=folder / "sim.log")
    judge(outcome, folder, [NAME], ending)
    return outcome


@pytest.mark.usefixtures("icarus")
def test_a_deadlock_is_told_with_its_cycle(tmp_path: Path) -> None:
    """Requests wait for replies to go, and these behind requests: each line says who for whom."""
    outcome = run_one_class(tmp_path, classes=1)
    assert not outcome.passed
    (result,) = outcome.results
    assert result.faults == {kind.DEADLOCK: 1}
    first, *lines = result.examples[kind.DEADLOCK]
    way = r"nothing moved after clock \d+; \d+ packets on their way, .*; a cycle of \d+ waits: "
    assert re.match(way, first)
    assert len(lines) == int(first.split("a cycle of ")[1].split()[0])
    waits = [line.split(" waits for ") for line in lines]
    assert [two for _, two in waits] == [one for one, _ in (*waits[1:], waits[0])]
    assert sum("the queue of replies at leaf" in one for one, _ in waits) >= 2


@pytest.mark.usefixtures("icarus")
@pytest.mark.nightly
def test_with_a_class_of_their_own_replies_go(tmp_path: Path) -> None:
    outcome = run_one_class(tmp_path, classes=2)
    assert outcome.passed, outcome.results
    assert outcome.results[0].sent == outcome.results[0].delivered > 200


@pytest.mark.usefixtures("icarus")
@pytest.mark.nightly
def test_saturation_is_no_deadlock(tb_cli: Cli) -> None:
    """Far more is offered than queues of one flit let through: reported so, and it continues."""
    done = tb_cli(
        *("sim", "NETWORK=kary", "K=2", "LEVELS=2", "DEPTH=1", "VCS=1", "LOAD=0.9", "FLITS=4"),
        *("WARMUP=0", "PERIODS=1", "TEST=traffic", "SIM=icarus"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    output = re.search(
        r"offered ([\d.]+), accepted ([\d.]+) .* saturated \(accepted\)", done.stdout
    )
    assert output, done.stdout
    offered, accepted = map(float, output.groups())
    assert offered > 0.8
    assert 0.1 < accepted < 0.3
    assert kind.DEADLOCK not in done.stdout and kind.STUCK not in done.stdout


ROUND = ("NETWORK=turnback", "M=2,2", "W=1,2", "ROUTING=TBWP", "TBCH=1", "VCS=1", "DEPTH=2")


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("lateral", ["1", "MANY"])
def test_round_the_tops_is_told_with_its_cycle(tb_cli: Cli, lateral: str) -> None:
    """Packets that may take many root links wait for each other; those that take one go on."""
    links = ("ROOT_LINKS=1", f"LATERAL={lateral}")
    done = tb_cli("sim", *ROUND, *links, "TEST=uniform", "SIM=icarus")
    assert (kind.DEADLOCK in done.stdout) == (lateral == "MANY"), done.stdout
    if lateral == "1":
        assert done.returncode == 0, done.stdout + done.stderr
        return
    assert re.search(r"a cycle of \d+ waits:", done.stdout)
    over = r"level 2 switch (\d) input 2 VC 0 waits for level 2 switch (?!\1)\d input 2 VC 0"
    assert re.search(over, done.stdout)
