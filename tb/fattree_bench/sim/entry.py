"""What cocotb loads inside the simulator: one cocotb test for each scenario of the plan."""

import json
import os
import traceback
from asyncio import CancelledError
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cocotb
import numpy as np
from pyuvm import ConfigDB, uvm_root

from fattree_bench.bench import forked
from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.environment import Bench, BenchEnv
from fattree_bench.bench.onlooker import Onlooker
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, generator
from fattree_bench.bench.test import BenchTest, test_of
from fattree_bench.families import family, find, part, played, scenarios
from fattree_models.common.checks import Int64Array

PLAN = json.loads(Path(os.environ["TB_PLAN"]).read_text())
NETWORK = find(PLAN["network"]).from_variables(PLAN["variables"])
ENV: type[BenchEnv] = part(family(NETWORK.name), "environment").ENVIRONMENT

forked.load()

_ports: dict[str, Any] = {}
_ended_by: list[str] = []  # the test that did not come to its end
_hits: dict[str, Int64Array] = {}  # by cover group


def port(agent: str) -> Any:
    """Python's side of the bench, made once."""
    if agent not in _ports:
        _ports[agent] = ENV.port(NETWORK, agent, PLAN["transport"])
    return _ports[agent]


def onlooker() -> Callable[[Any], Onlooker] | None:
    """What keeps a run that is to be shown; None: it is not."""
    if not PLAN["shown"]:
        return None
    keeper = played(NETWORK).keeper
    return lambda env: Onlooker(keeper(env), env.scoreboard.faults, PLAN["slot"])


def keep_shown(env: Any) -> None:
    """Write what the page of a run needs."""
    if env.onlooker is not None:
        env.onlooker.save(Path(PLAN["shown"]))


async def run(scenario: Scenario) -> ScenarioResult:
    """Run one scenario under pyuvm and append its result to the results file."""
    uvm_root().clear_singletons()
    bench = Bench(
        *(NETWORK, port(scenario.agent), ENV),
        onlooker=onlooker(),
        folder=Path(PLAN["results"]).parent,
        **{name: PLAN[name] for name in ("rows", "coverage", "points", "debug", "stimulus")},
    )
    config = ConfigDB()
    config.set(None, "*", "BENCH", bench)
    config.set(None, "*", "SCENARIO", scenario)
    config.set(None, "*", "RNG", generator(PLAN["seed"], scenario.name))
    await uvm_root().run_test(test_of(scenario), keep_set={ConfigDB})
    result: ScenarioResult = uvm_root().uvm_test_top.result
    keep(result, PLAN["results"])
    keep_hits(uvm_root().uvm_test_top.env.coverage)
    keep_shown(uvm_root().uvm_test_top.env)
    return result


def keep(result: ScenarioResult, path: str) -> None:
    """Append a result to a file; a scalar of numpy in a rare fault must not lose all the others."""
    with Path(path).open("a") as file:
        file.write(json.dumps(asdict(result), default=np.generic.item) + "\n")


def keep_stopped(scenario: Scenario) -> None:
    """Write what is known of a scenario that does not come to its end."""
    test = uvm_root().uvm_test_top
    if isinstance(test, BenchTest):
        try:
            keep_shown(test.env)
            test.env.cut_off()
            result = test.env.result(scenario, test.seconds)
        except Exception:  # of a bench that had not begun
            traceback.print_exc()
        else:
            keep(result, PLAN["stopped"])


def keep_hits(coverage: Coverage[Any, Any, Any]) -> None:
    """Write what all scenarios so far have hit, so that those to come cannot lose it."""
    for name, group in coverage.groups.items():
        _hits[name] = _hits[name] + group.hits if name in _hits else group.hits
    scratch = Path(PLAN["hits"]).with_suffix(".part.npz")
    np.savez_compressed(scratch, allow_pickle=False, **_hits)
    scratch.rename(PLAN["hits"])


def register(scenario: Scenario) -> Any:
    """A cocotb test that fails when the scenario found a fault."""

    async def test(dut: Any) -> None:
        if _ended_by:  # its burst is still under way, and its tasks are gone
            return
        try:
            result = await run(scenario)
        except CancelledError:  # of an exception; or the simulator ends: a check, or a limit
            _ended_by.append(scenario.name)
            keep_stopped(scenario)
            raise
        assert result.passed, f"faults: {result.faults}"

    test.__name__ = test.__qualname__ = scenario.name
    return cocotb.test(name=scenario.name)(test)


for _name in PLAN["scenarios"]:
    globals()[f"test_{_name}"] = register(scenarios(NETWORK)[_name])
