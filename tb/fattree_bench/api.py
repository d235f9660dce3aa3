"""What a user's own Python imports: `from fattree_bench import Design, run_scenario, scenario`.

design = Design.read("my_switch.toml")

@scenario(design)
def everybody_to_zero(s):
    \"\"\"One packet of each leaf to leaf 0.\"\"\"
    yield PacketSet(Packets.of(range(s.network.leaves), 0, release=0, flits=1), "to zero")

def test_to_zero():
    run_scenario(design, "everybody_to_zero", sim="icarus", seed=3)
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from fattree_bench.bench.brought import Brought
from fattree_bench.bench.result import Test
from fattree_bench.bench.scenario import Given
from fattree_bench.families import select
from fattree_bench.jobs.job import Payload, run_scenarios
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError


class ScenarioFailed(AssertionError):
    """A scenario found faults; holds what a person reads of them, and how to replay it."""

    def __init__(self, test: Test) -> None:
        super().__init__(summary(test))
        self.test = test


def summary(test: Test) -> str:
    """The faults of a test, and its replay line."""
    head = f"{test.scenario} failed on {test.sim}, seed {test.seed}"
    lines = [head, *(f"  {line}" for line in test.details), f"replay: {test.replay}"]
    return "\n".join([*lines, *([f"log: {test.log}"] if test.log else [])])


@dataclass(frozen=True)
class Design:
    """A design that a TOML file describes, and variables that its runs are to have."""

    path: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path, **variables: object) -> Self:
        """Read and check it; a relative path starts at the folder of the file that calls.

        UserError names what is wrong with the file, or with a variable.
        """
        caller = Path(sys._getframe(1).f_code.co_filename)
        folder = caller.parent if caller.is_file() else Path.cwd()
        given = {name: str(value) for name, value in variables.items()}
        design = cls((folder / path).resolve(), given)
        design.settings()
        return design

    def values(self, **variables: object) -> dict[str, str]:
        """The variables of a run, as on a command line."""
        more = {name: str(value) for name, value in variables.items()}
        given = {"DESIGN": str(self.path), **self.variables, **more}
        files = [str(file) for file in Brought.of(self.path).files]
        if files and "SCENARIOS" not in given:
            given["SCENARIOS"] = ",".join(files)
        return given | v.implied(given)

    def settings(self, **variables: object) -> v.Variables:
        """The same, checked; nothing is written."""
        return v.check(self.values(**variables), write=False)

    def scenarios(self, pattern: str = "*") -> list[str]:
        """The tests that fit the design, by name or glob, comma-separated."""
        network = self.settings().network
        return [s.name for s in select(network, pattern) if not s.unfit(network)]


def scenario(design: Design) -> Callable[[Given], Given]:
    """Make a generator of packets, a sequence or a test one of a design, with its docstring."""
    return Brought.of(design.path).add()


def run_scenario(
    design: Design,
    name: str,
    *,
    sim: str = "verilator",
    seed: int = 1,
    check: bool = True,
    **variables: object,
) -> Test:
    """Build what is not built, run one scenario, and return what came of it.

    Raises
    ------
    ScenarioFailed : the design failed, unless `check` is off; it is an AssertionError.
    UserError : the scenario is unknown or does not fit, or a variable is wrong.
    """
    __tracebackhide__ = True  # of pytest: the caller's line is what matters
    (test,) = run(design, [name], SIM=sim, SEED=seed, **variables)
    if check and not test.passed:
        raise ScenarioFailed(test)
    return test


def run(design: Design, names: Sequence[str], **variables: object) -> list[Test]:
    """Run scenarios, by name or glob, in one simulator as far as it lives."""
    values = design.values(**variables)
    settings = v.check({**values, "TEST": ",".join(names)})
    chosen = select(settings.network, settings.test)
    done: list[Test] = []
    for agent in dict.fromkeys(s.agent for s in chosen):
        own = [s.name for s in chosen if s.agent == agent]
        payload: Payload = {
            "kind": "run",
            "configuration": design.path.stem,
            "variables": settings.network.changed(),
            "values": values,
            "agent": agent,
            "scenarios": own,
        }
        done += _run(payload, settings, own)
    return done


def _run(payload: Payload, settings: v.Variables, names: Sequence[str]) -> list[Test]:
    from fattree_bench.bench.revive import revived

    try:
        return [revived(Test, test) for test in run_scenarios(payload)["tests"]]
    except BuildError as error:
        details = str(error).splitlines()
        return [
            Test(
                network=settings.network.name,
                configuration=payload["configuration"],
                variables=payload["variables"],
                sim=settings.sim,
                seed=settings.seed,
                scenario=name,
                passed=False,
                message=details[0],
                details=details,
                replay=settings.replay(name),
            )
            for name in names
        ]


__all__: Sequence[Any] = ("Design", "ScenarioFailed", "run", "run_scenario", "scenario")
