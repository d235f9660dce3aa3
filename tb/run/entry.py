"""What cocotb loads inside the simulator: one cocotb test for each scenario of the plan."""

import json
import os
import zlib
from pathlib import Path
from typing import Any

import cocotb
import numpy as np
from pyuvm import ConfigDB, uvm_root

from models.checks import Int64Array
from tb.env.coverage import Coverage
from tb.env.environment import Bench, BenchEnv
from tb.env.test import BenchTest
from tb.networks import find
from tb.report.result import ScenarioResult
from tb.scenarios import SCENARIOS, Scenario

PLAN = json.loads(Path(os.environ["TB_PLAN"]).read_text())
NETWORK = find(PLAN["network"]).from_variables(PLAN["variables"])


def environment(link: str) -> type[BenchEnv]:
    """The environment of a link; only the one that is used is loaded."""
    if link == "slot":
        from tb.env.slot.environment import SlotEnv

        return SlotEnv
    if link == "cell":
        from tb.env.cell.environment import CellEnv

        return CellEnv
    if link == "flit":
        from tb.env.flit.environment import FlitEnv

        return FlitEnv
    from tb.env.serial.environment import SerialEnv

    return SerialEnv


ENV = environment(NETWORK.link)

_ports: dict[str, Any] = {}
_hits: dict[str, Int64Array] = {}  # by cover group


def port(agent: str) -> Any:
    """Python's side of the bench, made once."""
    if agent not in _ports:
        _ports[agent] = ENV.port(NETWORK, agent, PLAN["transport"])
    return _ports[agent]


async def run(scenario: Scenario) -> ScenarioResult:
    """Run one scenario under pyuvm and append its result to the results file."""
    # The generator depends on the seed and the scenario alone, not on the order of the tests.
    seed = np.random.SeedSequence([PLAN["seed"], zlib.crc32(scenario.name.encode())])
    uvm_root().clear_singletons()
    bench = Bench(NETWORK, port(scenario.agent), ENV, PLAN["rows"], PLAN["coverage"])
    config = ConfigDB()
    config.set(None, "*", "BENCH", bench)
    config.set(None, "*", "SCENARIO", scenario)
    config.set(None, "*", "RNG", np.random.default_rng(seed))
    await uvm_root().run_test(BenchTest, keep_set={ConfigDB})
    result: ScenarioResult = uvm_root().uvm_test_top.result
    with Path(PLAN["results"]).open("a") as file:
        file.write(json.dumps(result.to_json()) + "\n")
    keep_hits(uvm_root().uvm_test_top.env.coverage)
    return result


def keep_hits(coverage: Coverage) -> None:
    """Write what all scenarios so far have hit, so that those to come cannot lose it."""
    for name, group in coverage.groups.items():
        _hits[name] = _hits[name] + group.hits if name in _hits else group.hits
    scratch = Path(PLAN["hits"]).with_suffix(".part.npz")
    np.savez_compressed(scratch, **_hits)
    scratch.rename(PLAN["hits"])


def register(scenario: Scenario) -> Any:
    """A cocotb test that fails when the scenario found a fault."""

    async def test(dut: Any) -> None:
        result = await run(scenario)
        assert result.passed, f"faults: {result.faults}"

    test.__name__ = test.__qualname__ = scenario.name
    return cocotb.test(name=scenario.name)(test)


for _name in PLAN["scenarios"]:
    globals()[f"test_{_name}"] = register(SCENARIOS[PLAN["network"]][_name])
