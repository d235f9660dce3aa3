"""What the environment needs to know of a network."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

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

    def public(self) -> str:
        """Verilator configuration: what Python must see."""
        ...
