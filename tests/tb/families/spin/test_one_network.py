"""Requests and responses on one network stand still; on two they go on, and the model knows why."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.sim.build import build
from fattree_bench.sim.simulate import Outcome, judge, run_module
from fattree_bench.sim.variables import check
from fattree_models.common.structure import dependency_cycle
from fattree_models.spin import tree
from tests.models.spin.dependencies import protocol_graph
from tests.night import some

NAME = "crossfire_on_one_network"


def run(tmp_path: Path, planes: int) -> Outcome:
    """The scenario of one_network_entry.py on Icarus."""
    given = ["NETWORK=spin", "SIM=icarus", f"PLANES={planes}", f"BUILD={tmp_path}", "EXACT=0"]
    variables = check(dict(word.split("=", 1) for word in given))
    built = build(variables, "FRAME")
    plan = {"scenarios": [NAME], "rows": 50, "points": ""}
    module = "tests.tb.families.spin.one_network_entry"
    folder, ending = run_module(variables, built, module, plan)
    outcome = Outcome(log=folder / "sim.log")
    judge(outcome, folder, [NAME], ending)
    return outcome


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("planes", some([1, 2], 0))
def test_who_shares_a_network_stands_still(
    planes: int, tmp_path: Path, record_property: Callable[[str, float], None]
) -> None:
    """The bench finds what the graph of the model tells: a cycle, and a run that is stuck."""
    outcome = run(tmp_path, planes)
    (result,) = outcome.results
    stuck = kind.STUCK in result.faults
    everyone = range(16)
    cyclic = dependency_cycle(protocol_graph(tree(16), everyone, everyone, planes)) is not None
    assert stuck == cyclic == (planes == 1) == (not outcome.passed)
    record_property(f"stuck_on_{planes}", float(stuck))
    if stuck:
        output = result.examples[kind.STUCK][0]
        assert re.match(r"nothing moved after clock \d+; \d+ requests are open", output)


@pytest.mark.parametrize(("askers", "servers"), [(range(8), range(8, 16)), (range(0, 16, 2), None)])
def test_what_one_network_bears(askers: range, servers: range | None) -> None:
    """Initiators and targets at different routers share no link; at the same ones they do."""
    odd = range(1, 16, 2) if servers is None else servers
    free = dependency_cycle(protocol_graph(tree(16), askers, odd, 1)) is None
    assert free == (servers is not None)
