"""What the environment needs to know of a network."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from models import SelfPrediction
from models.checks import Int32Array, Int64Array
from tb.coverage.groups import Group
from tb.errors import UserError
from tb.links.payload import Payload, Words

if TYPE_CHECKING:
    from tb.networks.workload import Workload

ROOT = Path(__file__).resolve().parents[2]
HDL = ROOT / "tb" / "hdl"


@dataclass(frozen=True)
class Parameter:
    """A variable of the command line that describes a network."""

    name: str
    default: str
    help: str


class Units(NamedTuple):
    """What times and loads of a network are counted in."""

    time: str = "clocks"
    packets: str = "flits"
    node: str = "node"

    @property
    def load(self) -> str:
        """As in "flits a node and clock"."""
        return f"{self.packets} a {self.node} and {self.time.removesuffix('s')}"


class Network(Protocol):
    """A network: checked parameters on one side, Verilog and expectations on the other."""

    name: ClassVar[str]
    family: ClassVar[str]  # its own name, or that of the network whose tests it shares
    summary: ClassVar[str]
    agents: ClassVar[tuple[str, ...]]  # that a bench can be built with
    parameters: ClassVar[tuple[Parameter, ...]]
    top: ClassVar[str]
    link: ClassVar[str]  # "slot", "serial", "flit": which environment drives it

    @classmethod
    def from_variables(cls, variables: dict[str, str]) -> "Network":
        """Check the variables; UserError names the first that is wrong."""
        ...

    def variables(self) -> dict[str, str]:
        """The variables that make this network again: the replay line."""
        ...

    @property
    def default_test(self) -> str: ...

    def traffic_rows(self, sim: str) -> int:
        """Slots or delivery cycles of random traffic: few where the simulator is slow."""
        ...

    def outline(self) -> str:
        """What a report says of it beside its variables; may be empty."""
        ...

    def cover_groups(self) -> list[Group]:
        """Its functional coverage: what must be tried, nothing hit yet."""
        ...

    def drawn_lanes(self) -> Int64Array:
        """Lanes of a channel by level, entry 0 = 0: for a picture; empty if it makes none."""
        ...

    def sources(self, rtl: Path) -> list[Path]:
        """Verilog files, with the RTL taken from folder `rtl`."""
        ...

    def includes(self, rtl: Path) -> list[Path]: ...

    def verilator_flags(self) -> list[str]: ...

    def verilog_parameters(self, agent: str) -> dict[str, Any]: ...

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        """Top of the network alone, and its Verilog parameters; `bench`: as in the bench."""
        ...

    def public(self, transport: str) -> str:
        """Verilator configuration: what Python must see, by transport."""
        ...


class SweptNetwork(Network, Protocol):
    """A network whose load can be swept: it has a test `sweep`."""

    workload: "Workload"
    units: ClassVar[Units]
    seeds: ClassVar[int]  # that a confidence interval needs at least, by its method
    lists: ClassVar[tuple[str, ...]]  # variables of which `make explore` takes several values

    @property
    def size_text(self) -> str:
        """What a sweep's folder is called after."""
        ...

    def zero_load(self) -> tuple[float, str]:
        """Mean latency without load, and where it comes from."""
        ...

    def laws(self) -> dict[str, list[tuple[float, float]]]:
        """Latencies in closed form by load, by name; for a picture."""
        ...


class SlotNetwork(Network, Protocol):
    """A network whose leaves speak the slot link (tb/links/slot.py)."""

    n: int  # log2 of the leaves
    control: str  # "SELF" or "SCHEDULED"
    width: int  # payload bits

    @property
    def leaves(self) -> int: ...

    @property
    def headers(self) -> bool:
        """Packets come with their destination."""
        ...

    @property
    def counters(self) -> int:
        """Words of 32 bits that the network counts, or notes, in."""
        ...

    @property
    def lanes(self) -> Int64Array:
        """Lanes of a channel, each way, int64 [n + 1]."""
        ...

    @property
    def static_upper(self) -> bool: ...

    @property
    def top_level(self) -> int:
        """The highest level that has nodes."""
        ...

    @property
    def latency(self) -> int:
        """Clocks from a leaf to a leaf."""
        ...

    @property
    def payload(self) -> Payload: ...

    @property
    def frame_slots(self) -> int:
        """Slots that the player holds at once."""
        ...

    def row_width(self) -> int:
        """Bits of the widest row of settings."""
        ...

    def predict(self, dst: Int32Array) -> SelfPrediction:
        """What header-routed packets dst [slots, N] lead to."""
        ...

    def table(self) -> list[tuple[int, str, int, int]]:
        """(level, lanes in the RTL, Lemma 1's bound, nonblocking degree) a channel level."""
        ...


class SerialNetwork(Network, Protocol):
    """A network whose wires speak the serial link (tb/links/serial.py)."""

    n: int  # log2 of the processors

    @property
    def wires(self) -> int:
        """Sending wires, and as many receiving ones."""
        ...

    @property
    def cycle_ticks(self) -> int:
        """Clocks of a delivery cycle."""
        ...

    @property
    def counters(self) -> int:
        """Counters of lost messages."""
        ...

    @property
    def payload(self) -> Payload: ...

    @property
    def frame_rows(self) -> int:
        """Rows of messages, and of delivery cycles, that the player holds at once."""
        ...

    @property
    def frame_stride(self) -> int:
        """Bits from one message to the next in a row of the player's memory."""
        ...

    def words(self, item: Any) -> Words: ...

    def images(
        self, dst: Int32Array, words: Words, edges: npt.NDArray[np.uint8] | None
    ) -> npt.NDArray[np.uint8]: ...


class FlitNetwork(Network, Protocol):
    """A network whose leaves speak the flit link (tb/links/flit.py)."""

    vcs: int  # virtual channels of a link
    stages: int  # clocks of a switch
    trace: int  # 1: every hop of every packet is noted

    @property
    def leaves(self) -> int: ...

    @property
    def routers(self) -> int:
        """Switches."""
        ...

    @property
    def inputs(self) -> int:
        """Virtual channels at the inputs of all switches."""
        ...

    @property
    def state_bits(self) -> int:
        """Bits of what the network shows of itself."""
        ...

    def read_state(self, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
        """What it shows of each of these, uint16 [inputs]."""
        ...

    @property
    def addresses(self) -> int:
        """Addresses of all leaves together."""
        ...

    @property
    def tables(self) -> Any:
        """Forwarding tables to be loaded, or None."""
        ...

    @property
    def burst_rows(self) -> int:
        """Clocks that the player holds at once."""
        ...

    @property
    def data_stride(self) -> int:
        """Bits from one flit's data to the next in a row of the player's memory."""
        ...

    @property
    def side_stride(self) -> int:
        """The same for marks, virtual channel and hops."""
        ...

    def class_vcs(self, kind: int) -> int:
        """Virtual channels for packets of class 0 or 1, one bit each."""
        ...


def choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    """The value of a variable if it is one of the allowed words; UserError otherwise."""
    if value not in allowed:
        listed = ", ".join(allowed[:-1])
        raise UserError(f"{name}={value}: must be {f'{listed} or ' if listed else ''}{allowed[-1]}")
    return value


def integer(name: str, value: str, allowed: str, low: int, high: int) -> int:
    """The value of a variable as a number from low to high; UserError says what is allowed."""
    try:
        number = int(value)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise UserError(f"{name}={value}: must be {allowed}")
    return number


def select_bits(inputs: int) -> int:
    """Bits that number so many inputs of a crossbar, at least one."""
    return max(1, (inputs - 1).bit_length())
