"""What the environment needs to know of a network on the serial link."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.payload import Payload, Words
from fattree_bench.bench.rtl import Rtl
from fattree_models.common.checks import Int32Array


class SerialNetwork(Protocol):
    """A network whose wires speak the serial link."""

    @property
    def rtl(self) -> Rtl: ...

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

    def trailing(self, item: Any) -> npt.NDArray[np.uint8]:
        """Bits behind the messages of an item, in images of their frames."""
        ...
