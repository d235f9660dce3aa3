"""Python's side of a flit_recorder: all that was on the links of a network in a burst."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.transport import Transport


@dataclass(frozen=True)
class Recorded:
    """What was on the links; all [clocks, links].

    Attributes
    ----------
    data : words, 0 where no flit is.
    side : unsigned, as in flit_player: tail, head, VC one-hot (4 bits), list of hops of heads.
    credits : uint8, VCs of credits, one bit each.
    """

    data: Words
    side: npt.NDArray[np.unsignedinteger]
    credits: npt.NDArray[np.uint8]

    @property
    def heads(self) -> npt.NDArray[np.bool_]:
        """Where a head is."""
        return np.asarray((self.side & 2) != 0)

    @property
    def channels(self) -> npt.NDArray[np.uint8]:
        """Virtual channels of flits, one bit each."""
        return (self.side >> 2).astype(np.uint8) & np.uint8(15)


class Recorder:
    """Its memories; `links` are its LINKS, strides and rows those of its player."""

    def __init__(
        self, transport: Transport, links: int, rows: int, data_stride: int, side_stride: int
    ) -> None:
        self.transport, self.links = transport, links
        memory = transport.memory
        self._hash = memory("seen_hash", 1, links * 64).view(np.uint64)
        data, side = f"uint{data_stride}", f"uint{side_stride}"
        self._data = memory("seen_data", rows, links * data_stride).view(data)
        self._side = memory("seen_side", rows, links * side_stride).view(side)
        self._home = memory("seen_home", rows, links * 8)

    def hashes(self) -> npt.NDArray[np.uint64]:
        """A hash of each link over the last burst, uint64 [links]; see flit_recorder.v."""
        self.transport.fetch("seen_hash", 1)
        return self._hash[0, : self.links].copy()

    def recorded(self, rows: int) -> Recorded:
        """What was there in the last burst, of so many clocks: look before the next one."""
        for name in ("data", "side", "home"):
            self.transport.fetch(f"seen_{name}", rows)
        parts = (self._data, self._side, self._home)
        data, side, home = (part[:rows, : self.links] for part in parts)
        return Recorded(np.where(side != 0, data, data.dtype.type(0)), side, home)
