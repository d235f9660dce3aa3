"""What the environment needs to know of a network on the flit link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.interface.interface import COUNTER_BITS
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.rtl import Rtl
from fattree_models.common.checks import Int64Array, UInt8Array

Shown = TypeVar("Shown", bound=np.generic)


@dataclass(frozen=True)
class Recording:
    """What a flit_recorder holds, clock by clock.

    Attributes
    ----------
    links : that it watches; 0: without a recorder.
    bits : of a flit's data there, and of its list of hops.
    states : bits of itself that the network shows the recorder; 0: none.
    compared : a model says what is on each of these links in each clock: hashes are read.
    """

    links: int = 0
    bits: tuple[int, int] = (0, 0)
    states: int = 0
    compared: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class FlitLayout:
    """What the player and the recorder of a network hold, and where.

    Attributes
    ----------
    hops_bits : bits of the list of hops of a flit.
    inputs : virtual channels at the inputs of all switches; `home` has a bit for each.
    vcs : virtual channels of a link.
    shown : plain bits of the state; None: one for each of `inputs`.
    counters : words of the state behind its plain bits, by name.
    entries : forwarding tables to be loaded, uint8 [addresses, routers], or None.
    order : places in the tree of the switches that the network shows; None: it shows them in order.
    elements : clocks x leaves of a burst: few wakes, yet in the cache.
    """

    leaves: int
    words: FlitWords
    inputs: int
    hops_bits: int = 1
    vcs: int = 1
    shown: int | None = None
    counters: Mapping[str, int] = field(default_factory=dict)
    recorded: Recording = Recording()
    entries: UInt8Array | None = None
    order: Int64Array | None = None
    elements: int = 1 << 15

    # ---- memories of the player and the recorder -------------------------------------------------

    @property
    def rows(self) -> int:
        """Clocks that the player holds at once: a power of two."""
        return min(1024, max(64, self.elements >> (self.leaves - 1).bit_length()))

    @property
    def data_stride(self) -> int:
        """Bits from one flit's data to the next in a row of the player's memory."""
        return 32 if self.words.width <= 32 else 64

    @property
    def side_stride(self) -> int:
        """The same for marks, virtual channel and hops."""
        return 32 if self.hops_bits <= 26 else 64

    # ---- state -----------------------------------------------------------------------------------

    @property
    def plain_bits(self) -> int:
        return self.inputs if self.shown is None else self.shown

    @property
    def state_bits(self) -> int:
        """Bits of what the network shows of itself: the plain bits, then the counters."""
        return self.plain_bits + COUNTER_BITS * sum(self.counters.values())

    def read_state(self, bits: UInt8Array) -> npt.NDArray[np.uint16]:
        """Plain bits, a word each; then the counters, the low half of each first."""
        counters = np.packbits(bits[self.plain_bits :], bitorder="little").view(np.uint16)
        return np.concatenate([bits[: self.plain_bits].astype(np.uint16), counters])

    def counted(self, state: npt.NDArray[np.uint16]) -> dict[str, Int64Array]:
        """The counters in what `read_state` has read, by name."""
        left = state[self.plain_bits :].view(np.uint32).astype(np.int64)
        ends = np.cumsum([*self.counters.values()])
        return dict(zip(self.counters, np.split(left, ends[:-1]), strict=True))

    def in_place(self, shown: npt.NDArray[Shown]) -> npt.NDArray[Shown]:
        """What the network shows of inputs, or of switches, in the order of the tree."""
        if self.order is None:
            return shown
        found = np.empty_like(shown)
        found.reshape(len(self.order), -1)[self.order] = shown.reshape(len(self.order), -1)
        return found


class FlitNetwork(Protocol):
    """A network whose leaves speak the flit link."""

    @property
    def rtl(self) -> Rtl: ...

    @property
    def leaves(self) -> int: ...

    @property
    def words(self) -> FlitWords:
        """How to read flits."""

    @property
    def layout(self) -> FlitLayout:
        """What player and recorder hold; made once."""
