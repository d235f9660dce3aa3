"""What the environment needs to know of a network."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from fattree_bench.bench.interface.interface import Interface
from fattree_bench.bench.rtl import Rtl
from fattree_bench.bench.workload import Workload
from fattree_bench.settings import Part, Settings
from fattree_bench.words import Units
from fattree_models.common.checks import Int64Array
from fattree_models.common.structure import Structure
from fattree_models.traffic import Measurement

CLOCKS = Units()
Net = TypeVar("Net", bound="Network")


@dataclass(frozen=True)
class Swept(Generic[Net]):
    """What `make explore` needs to know of a network whose load can be swept.

    To be inherited by what knows more than these defaults.

    Attributes
    ----------
    lists : variables that take several values in a sweep.
    seeds : that a confidence interval needs at least, by its method.
    measured_as : what its runs leave by load.
    """

    lists: tuple[str, ...] = ()
    units: Units = CLOCKS
    seeds: int = 3
    measured_as: type[Measurement] = Measurement

    def size_text(self, network: Net) -> str:
        """What a sweep's folder is called after."""
        return str(network.leaves)

    def cost(self, network: Net) -> int | None:
        """Its switches by the square of their ports; None if it is not made of switches."""
        return None

    def zero_load(self, network: Net) -> tuple[float, str]:
        """Mean latency without load, and where it comes from; NaN if no law says it."""
        return float("nan"), "no model says it"

    def laws(self, network: Net) -> dict[str, list[tuple[float, float]]]:
        """Latencies under load in closed form by load, by name; for a picture."""
        return {}


@dataclass(frozen=True, kw_only=True)
class About:
    """What is the same for every network of a kind, as data.

    Attributes
    ----------
    rooms : folders of rtl/ that it is made of.
    agents : that a bench can be built with.
    kin : networks that have one of these in common share tests and testpoints.
    corners : sets of its variables that are linted.
    small : variables of one for hundreds of mutants.
    """

    rooms: tuple[str, ...] = ()
    agents: tuple[str, ...] = ("FRAME",)
    kin: tuple[str, ...] = ()
    corners: tuple[dict[str, str], ...]
    small: dict[str, str]


class Network(Settings):
    """A network: checked variables on one side, Verilog and expectations on the other.

    A class of a network declares its variables, says how many leaves it has, and describes its
    ports as data:

        class Ring(Network):
            name, summary = "ring", "ring of relays"
            about = About(rooms=("common", "ring"), corners=({"N": "4"},), small={"N": "4"})
            n = power_of_two("N", 4, 1, 4, "leaves", rtl="N_LOG")
            leaves = property(lambda self: 1 << self.n)

            def interface(self, agent): ...
            def synthesis(self, bench=False): ...

    What an engine asks for beyond that stands in few objects: `rtl`, `swept`, `structure`, and
    those that its link asks for.

    Attributes
    ----------
    about : what is the same for every network of its kind.
    workload : what is sent, of a network whose load can be swept.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    about: ClassVar[About]
    swept: ClassVar[Swept[Any]] = Swept()
    workload: Part[Workload]

    @property
    @abstractmethod
    def leaves(self) -> int:
        """Nodes that send and receive."""

    @abstractmethod
    def interface(self, agent: str) -> Interface:
        """Its ports, players and counters, as data."""

    @abstractmethod
    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, int | str]]:
        """Top of the network alone, and its Verilog parameters; `bench`: as in the bench."""

    @cached_property
    def rtl(self) -> Rtl:
        return Rtl(self.name, self.about.rooms, self.about.agents, self.interface)

    @property
    def default_test(self) -> str:
        """Packets of a file if there are some."""
        workload = getattr(self, "workload", None)
        return "file" if workload is not None and workload.file else "traffic"

    def traffic_rows(self, sim: str) -> int:
        """Slots, clocks or delivery cycles of random traffic: few where the simulator is slow."""
        return 2000 if sim == "verilator" else 200

    @cached_property
    def structure(self) -> Structure | None:
        """Its nodes and links; None if it has none."""
        return None

    def outline(self) -> str:
        """What a report says of it, after its variables; may be empty."""
        return ""

    def drawn_lanes(self) -> Int64Array:
        """Lanes of a channel by level, entry 0 = 0: for a picture; empty if it makes none."""
        return np.zeros(0, np.int64)
