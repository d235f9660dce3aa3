"""What the environment needs to know of a network on the slot link."""

from typing import Protocol

from fattree_bench.bench.links.payload import Payload
from fattree_bench.families.family import Network
from fattree_models.common.checks import Int32Array, Int64Array
from fattree_models.lbbvn import SelfPrediction


class SlotNetwork(Network, Protocol):
    """A network whose leaves speak the slot link."""

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
