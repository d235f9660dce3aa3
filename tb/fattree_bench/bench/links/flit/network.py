"""What the environment needs to know of a network on the flit link."""

from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.rtl import Rtl


class FlitNetwork(Protocol):
    """A network whose leaves speak the flit link."""

    recorder: ClassVar[str]  # its flit_recorder there, if there is one

    @property
    def rtl(self) -> Rtl: ...

    @property
    def leaves(self) -> int: ...

    @property
    def words(self) -> FlitWords:
        """How to read flits."""
        ...

    @property
    def hops_bits(self) -> int:
        """Bits of the list of hops of a flit."""
        ...

    @property
    def vcs(self) -> int:
        """Virtual channels of a link."""
        ...

    @property
    def recorded_links(self) -> int:
        """Links of its flit_recorder, at `recorder`; 0: it has none."""
        ...

    @property
    def recorded_bits(self) -> tuple[int, int]:
        """Bits of a flit's data there, and of its list of hops."""
        ...

    @property
    def recorded_states(self) -> int:
        """Bits of itself that it shows a recorder; 0: none are recorded."""
        ...

    @property
    def compares(self) -> bool:
        """A model says what is on each of these links in each clock: hashes are read."""
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
    def entries(self) -> npt.NDArray[np.uint8] | None:
        """Forwarding tables to be loaded, uint8 [addresses, routers], or None."""
        ...

    def in_place(self, shown: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What it shows of inputs, or of switches, in the order in which these are numbered."""
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
