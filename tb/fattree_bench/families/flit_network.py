"""What networks of the flit link have in common: memories, state, runs and reports."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.interface.interface import COUNTER_BITS
from fattree_bench.bench.network import Network
from fattree_models.common.checks import Int64Array


class FlitNetwork(Network):
    """A network that has `words`, how to read flits, and a `workload`."""

    recorder: ClassVar[str] = "u_recorder"
    elements: ClassVar[int] = 1 << 15  # clocks x leaves of a burst: few wakes, yet in the cache
    counters: ClassVar[Mapping[str, int]] = {}  # of the state, behind its plain bits

    @property
    def entries(self) -> npt.NDArray[np.uint8] | None:
        """There are no forwarding tables."""
        return None

    # ---- memories of the player and the recorder -------------------------------------------------

    @property
    def burst_rows(self: Any) -> int:
        """A power of two."""
        return min(1024, max(64, int(self.elements) >> int(self.leaves - 1).bit_length()))

    @property
    def data_stride(self: Any) -> int:
        return 32 if self.words.width <= 32 else 64

    @property
    def side_stride(self: Any) -> int:
        return 32 if self.hops_bits <= 26 else 64

    # ---- state -----------------------------------------------------------------------------------

    @property
    def shown_bits(self: Any) -> int:
        """Plain bits of the state: one each of the inputs."""
        return int(self.inputs)

    @property
    def state_bits(self: Any) -> int:
        """The plain bits, then the counters."""
        return int(self.shown_bits + COUNTER_BITS * sum(self.counters.values()))

    def read_state(self: Any, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
        """Plain bits, a word each; then the counters, the low half of each first."""
        counters = np.packbits(bits[self.shown_bits :], bitorder="little").view(np.uint16)
        return np.concatenate([bits[: self.shown_bits].astype(np.uint16), counters])

    def counted(self: Any, state: npt.NDArray[np.uint16]) -> dict[str, Int64Array]:
        """The counters in what `read_state` has read, by name."""
        left = state[self.shown_bits :].view(np.uint32).astype(np.int64)
        ends = np.cumsum([*self.counters.values()])
        return dict(zip(self.counters, np.split(left, ends[:-1]), strict=True))

    def in_place(self, shown: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The state of inputs and of switches is in their order."""
        return shown

    # ---- what is recorded ------------------------------------------------------------------------

    @property
    def recorded_links(self) -> int:
        return 0

    @property
    def recorded_bits(self) -> tuple[int, int]:
        return 0, 0

    @property
    def recorded_states(self) -> int:
        return 0

    @property
    def compares(self) -> bool:
        """No model says what is on each link in each clock."""
        return False
