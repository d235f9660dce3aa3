"""The bench of a network round its netlist with faults: built like any other, and run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fattree_bench.bench.scenario import Scenario
from fattree_bench.families import family, planned, scenarios
from fattree_bench.families.family import Network
from fattree_bench.mutate.netlist import MutatedNetlist
from fattree_bench.sim.build import Built, build
from fattree_bench.sim.variables import Variables
from fattree_bench.testplan import described, read

TIER = "smoke"
AGENT = "FRAME"
# Bits of a word that faults feed from other bits of it look like loops; nothing ever goes round.
FLAGS = ("-Wno-style", "-Wno-UNOPTFLAT")


@dataclass(frozen=True)
class Mutated:
    """A network whose RTL is a netlist; everything else is the network's own."""

    network: Network
    netlist: Path

    def __getattr__(self, name: str) -> Any:
        return getattr(self.network, name)

    def sources(self, rtl: Path) -> list[Path]:
        """The netlist in place of what is synthesized."""
        replaced = self.network.synthesized(rtl)[0]
        every = self.network.sources(rtl)
        own = [f for f in every if not (f.is_relative_to(rtl) or f in replaced)]
        return [*own, self.netlist]

    def public(self, transport: str) -> str:
        """With a netlist that nobody lints, for it is generated; the bench round it is linted."""
        return f'{self.network.public(transport)}lint_off -file "*{self.netlist.name}"\n'

    def verilator_flags(self) -> list[str]:
        return [*self.network.verilator_flags(), *FLAGS]


def build_mutants(settings: Variables, netlist: MutatedNetlist) -> tuple[Variables, Built]:
    """Build, or find, the bench round the netlist; BuildError if Verilator refuses it.

    The variables are those of a simulation of it.
    """
    network: Any = Mutated(settings.network, netlist.verilog)
    mutated = settings.but(network=network)
    return mutated, build(mutated, AGENT)


def stimulus(network: Network) -> list[Scenario]:
    """The tests of the testplan's smoke tier that fit a network, in the order of their file.

    Tests that move packet by packet need another build; they are left out.
    """
    plan = described(network) if planned(network.name) else read()
    tests = {
        test
        for point in plan.testpoints.values()
        if TIER in point.tiers and point.network == family(network.name)
        for test in point.tests
    }
    known = scenarios(network).values()
    return [s for s in known if s.name in tests and s.agent == AGENT and not s.unfit(network)]
