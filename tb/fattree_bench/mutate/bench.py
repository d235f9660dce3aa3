"""Builds the bench of a network around its netlist with faults."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fattree_bench.bench.network import Network
from fattree_bench.bench.scenario import Scenario
from fattree_bench.families import plan_names, planned, scenarios
from fattree_bench.mutate.netlist import MutatedNetlist
from fattree_bench.sim.build import Built, build
from fattree_bench.sim.variables import Variables
from fattree_bench.testplan import described, read

TIER = "smoke"
AGENT = "FRAME"
# A fault that reads another bit of its own word looks like a loop, but is none.
FLAGS = ("-Wno-style", "-Wno-UNOPTFLAT")


@dataclass(frozen=True)
class Mutated:
    """The RTL of a network with a netlist in its place."""

    own: Any
    netlist: Path

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)

    def sources(self, rtl: Path) -> list[Path]:
        """The sources with the netlist in place of all synthesized files."""
        replaced = self.own.synthesized(rtl)[0]
        every = self.own.sources(rtl)
        own = [f for f in every if not (f.is_relative_to(rtl) or f in replaced)]
        return [*own, self.netlist]

    def public(self, transport: str) -> str:
        """The network's configuration; the netlist is generated, so it is not linted."""
        return f'{self.own.public(transport)}lint_off -file "*{self.netlist.name}"\n'

    def verilator_flags(self) -> list[str]:
        return [*self.own.verilator_flags(), *FLAGS]


def build_mutants(settings: Variables, netlist: MutatedNetlist) -> tuple[Variables, Built]:
    """Variables to simulate the netlist, and its build; BuildError if Verilator rejects it."""
    own = settings.network
    mutated = settings.but(network=own.but(rtl=Mutated(own.rtl.bare, netlist.verilog)))
    return mutated, build(mutated, AGENT)


def stimulus(network: Network) -> list[Scenario]:
    """The smoke tests of the testplan that fit a network, in file order.

    Tests that drive packet by packet need another build and are left out.
    """
    plan = described(network) if planned(network.name) else read()
    tests = {
        test
        for point in plan.testpoints.values()
        if TIER in point.tiers and point.network in plan_names(network.name)
        for test in point.tests
    }
    known = scenarios(network).values()
    return [s for s in known if s.name in tests and s.agent == AGENT and not s.unfit(network)]
