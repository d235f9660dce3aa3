"""Python's side of a flit_recorder: all that was on the links of a network in a burst."""

from dataclasses import dataclass
from typing import Any

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
    credits : uint32, VCs of credits, one bit each.
    """

    data: Words
    side: npt.NDArray[np.unsignedinteger]
    credits: npt.NDArray[np.uint32]

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
        self._split = data_stride // 32, (data_stride + side_stride) // 32
        bits = data_stride + side_stride + 32
        self._hash = transport.memory("seen_hash", links, 64)
        self._word = transport.memory("seen_word", rows * links, bits)

    def hashes(self) -> npt.NDArray[np.uint64]:
        """A hash of each link over the last burst, uint64 [links]; see flit_recorder.v."""
        self.transport.fetch("seen_hash", self.links)
        return self._hash.view(np.uint64).reshape(-1).copy()

    def recorded(self, rows: int) -> Recorded:
        """What was there in the last burst, of so many clocks: look before the next one."""
        self.transport.fetch("seen_word", rows * self.links)
        words = self._word[: rows * self.links].view(np.uint32).reshape(rows, self.links, -1)
        one, two = self._split
        return Recorded(_joined(words[..., :one]), _joined(words[..., one:two]), words[..., two])


def _joined(parts: npt.NDArray[np.uint32]) -> npt.NDArray[Any]:
    """Numbers of one or two words, the lower first."""
    if parts.shape[2] == 1:
        return parts[..., 0]
    return parts[..., 0] | parts[..., 1].astype(np.uint64) << np.uint64(32)
