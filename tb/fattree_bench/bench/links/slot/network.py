"""What the environment needs to know of a network on the slot link."""

from dataclasses import dataclass
from typing import Protocol

from fattree_bench.bench.links.payload import Payload
from fattree_bench.bench.rtl import Rtl


@dataclass(frozen=True, eq=False, kw_only=True)
class SlotLayout:
    """What the player of a network holds.

    Attributes
    ----------
    slots : that it holds at once.
    counters : words of 32 bits that the network counts, or notes, in.
    headers : packets come with their destination.
    row_bits : bits of the widest row of settings.
    clocks : of a slot.
    """

    payload: Payload
    slots: int
    counters: int
    headers: bool = True
    row_bits: int = 1
    clocks: int = 1


class SlotNetwork(Protocol):
    """A network whose leaves speak the slot link."""

    @property
    def rtl(self) -> Rtl: ...

    @property
    def n(self) -> int:
        """log2 of the leaves."""

    @property
    def width(self) -> int:
        """Payload bits."""

    @property
    def leaves(self) -> int: ...

    @property
    def latency(self) -> int:
        """Clocks from a leaf to a leaf."""

    @property
    def layout(self) -> SlotLayout:
        """What the player holds; made once."""
