"""What the environment needs to know of a network on the slot link."""

from typing import Protocol

from fattree_bench.bench.links.payload import Payload
from fattree_bench.bench.rtl import Rtl


class SlotNetwork(Protocol):
    """A network whose leaves speak the slot link."""

    @property
    def rtl(self) -> Rtl: ...

    @property
    def n(self) -> int:
        """log2 of the leaves."""
        ...

    @property
    def width(self) -> int:
        """Payload bits."""
        ...

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
