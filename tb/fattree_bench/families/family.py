"""What the environment needs to know of a network."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from fattree_bench.bench.interface import top
from fattree_bench.bench.interface.interface import Interface
from fattree_bench.bench.workload import Workload
from fattree_bench.families.sharing import sharing
from fattree_bench.paths import HDL
from fattree_bench.settings import Variable
from fattree_bench.words import Units
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Measurement


class Network(Protocol):
    """A network: checked parameters on one side, Verilog and expectations on the other."""

    name: ClassVar[str]
    summary: ClassVar[str]
    agents: ClassVar[tuple[str, ...]]  # that a bench can be built with
    parameters: ClassVar[tuple[Variable[Any], ...]]
    corners: ClassVar[tuple[dict[str, str], ...]]  # of its parameters: to be linted
    small: ClassVar[dict[str, str]]  # variables of one for hundreds of mutants

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> Self:
        """Check the variables; UserError names the first that is wrong."""
        ...

    def variables(self) -> dict[str, str]:
        """The variables that make this network again: the replay line."""
        ...

    def changed(self) -> dict[str, str]:
        """Those of them that are not as by default."""
        ...

    @property
    def top(self) -> str:
        """The module of its bench top."""
        ...

    @property
    def leaves(self) -> int: ...

    @property
    def default_test(self) -> str: ...

    def traffic_rows(self, sim: str) -> int:
        """Slots or delivery cycles of random traffic: few where the simulator is slow."""
        ...

    def outline(self) -> str:
        """What a report says of it beside its variables; may be empty."""
        ...

    def drawn_lanes(self) -> Int64Array:
        """Lanes of a channel by level, entry 0 = 0: for a picture; empty if it makes none."""
        ...

    def sources(self, rtl: Path) -> list[Path]:
        """Verilog files, with the RTL taken from folder `rtl`."""
        ...

    def includes(self, rtl: Path) -> list[Path]: ...

    def generated(self, agent: str) -> dict[str, str]:
        """Verilog of the bench that is made for this network: texts by names of files."""
        ...

    def synthesized(self, rtl: Path) -> tuple[list[Path], list[Path]]:
        """(files, include folders) of the network alone, not of the bench round it."""
        ...

    def build_flags(self, sim: str) -> list[str]:
        """What a simulator must be told to read it: language, macros, warnings."""
        ...

    @property
    def error_lines(self) -> tuple[str, ...]:
        """Texts; a line of a simulation's log that holds one is a fault."""
        ...

    def verilator_flags(self) -> list[str]: ...

    def verilog(self) -> dict[str, str | int]:
        """Variables that are Verilog parameters; UserError if there is no RTL of this size."""
        ...

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        """Top of the network alone, and its Verilog parameters; `bench`: as in the bench."""
        ...

    @property
    def hints(self) -> dict[str, Any]:
        """What a proof of equivalence must know of the ports of `synthesis`: prover.pair.Hints."""
        ...

    def public(self, transport: str) -> str:
        """Verilator configuration: what Python must see, by transport."""
        ...


class NetworkDefaults:
    """What follows from the interface of a network, for the simulators and for synthesis.

    To be inherited last, by a network that has `interface`.
    """

    agents: ClassVar[tuple[str, ...]] = ("FRAME",)
    rooms: ClassVar[tuple[str, ...]] = ()  # folders of rtl/ that it is made of

    def interface(self, agent: str) -> Interface:
        """Its ports, players and counters, as data."""
        raise NotImplementedError

    @property
    def top(self: Any) -> str:
        return f"{self.name}_bench"

    @property
    def _interfaces(self) -> list[Interface]:
        """One for each agent."""
        return [self.interface(agent) for agent in self.agents]

    def verilog_files(self, rtl: Path) -> list[Path]:
        """All modules of its rooms."""
        return [file for room in self.rooms for file in sorted((rtl / room).rglob("*.v"))]

    def sources(self, rtl: Path) -> list[Path]:
        """What the bench has in place of a file of the RTL replaces it."""
        own = {file.name: file for one in self._interfaces for file in one.files}
        return [*(f for f in self.verilog_files(rtl) if f.name not in own), *own.values()]

    def includes(self, rtl: Path) -> list[Path]:
        return [*(rtl / room for room in self.rooms), HDL]

    @property
    def hints(self) -> dict[str, Any]:
        return {}

    def generated(self, agent: str) -> dict[str, str]:
        return {f"{self.top}.v": top.text(self.interface(agent))}

    def verilator_flags(self) -> list[str]:
        found = self._interfaces[0]
        return sharing(*found.apart, unroll=found.unroll) if found.apart else ["-O3"]

    def public(self, transport: str) -> str:
        """What Python must have access to, by any agent."""
        lines = dict.fromkeys(x for one in self._interfaces for x in one.public(transport))
        return "\n".join(["`verilator_config", *lines]) + "\n"

    def synthesized(self: Any, rtl: Path) -> tuple[list[Path], list[Path]]:
        """What is of `rtl`; for what the bench has in place of a common block stands the block."""
        blocks = {f.name: f for f in (rtl / "common").glob("*.v")}
        files = [f if f.is_relative_to(rtl) else blocks.get(f.name) for f in self.sources(rtl)]
        includes = [i for i in self.includes(rtl) if i.is_relative_to(rtl)]
        return [f for f in files if f is not None], includes

    def build_flags(self, sim: str) -> list[str]:
        return []

    def outline(self) -> str:
        return ""

    def drawn_lanes(self) -> Int64Array:
        """No picture: not every network is a binary tree of lanes."""
        return np.zeros(0, np.int64)

    @property
    def error_lines(self) -> tuple[str, ...]:
        return ()


class SweptNetwork(Network, Protocol):
    """A network whose load can be swept: it has a test `sweep`."""

    workload: Workload
    units: ClassVar[Units]
    measured_as: ClassVar[type[Measurement]]  # what its runs leave by load
    seeds: ClassVar[int]  # that a confidence interval needs at least, by its method
    lists: ClassVar[tuple[str, ...]]  # variables of which `make explore` takes several values

    @property
    def leaves(self) -> int:
        """Nodes that send and receive."""
        ...

    @property
    def size_text(self) -> str:
        """What a sweep's folder is called after."""
        ...

    @property
    def cost(self) -> int | None:
        """Its switches by the square of their ports; None if it is not made of switches."""
        ...

    def zero_load(self) -> tuple[float, str]:
        """Mean latency without load, and where it comes from."""
        ...

    def laws(self) -> dict[str, list[tuple[float, float]]]:
        """Latencies in closed form by load, by name; for a picture."""
        ...
