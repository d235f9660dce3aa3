"""What the environment needs to know of a network."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from models import SelfPrediction
from models.checks import Int32Array, Int64Array
from tb.links.payload import Payload

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Parameter:
    """A variable of the command line that describes a network."""

    name: str
    default: str
    help: str


class Network(Protocol):
    """A network: checked parameters on one side, Verilog and expectations on the other."""

    name: ClassVar[str]
    summary: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    top: ClassVar[str]

    @classmethod
    def from_variables(cls, variables: dict[str, str]) -> "Network":
        """Check the variables; UserError names the first that is wrong."""
        ...

    def variables(self) -> dict[str, str]:
        """The variables that make this network again: the replay line."""
        ...

    def sources(self, rtl: Path) -> list[Path]:
        """Verilog files, with the RTL taken from folder `rtl`."""
        ...

    def includes(self, rtl: Path) -> list[Path]: ...

    def verilator_flags(self) -> list[str]: ...

    def verilog_parameters(self, agent: str) -> dict[str, Any]: ...

    def synthesis(self) -> tuple[str, dict[str, Any]]:
        """Top of the network alone, without a bench, and its Verilog parameters."""
        ...

    def public(self, transport: str) -> str:
        """Verilator configuration: what Python must see, by transport."""
        ...


class SlotNetwork(Network, Protocol):
    """A network whose leaves speak the slot link (tb/links/slot.py)."""

    n: int  # log2 of the leaves
    control: str  # "SELF" or "SCHEDULED"
    width: int  # payload bits

    @property
    def leaves(self) -> int: ...

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


def select_bits(inputs: int) -> int:
    """Bits that number so many inputs of a crossbar, at least one."""
    return max(1, (inputs - 1).bit_length())
