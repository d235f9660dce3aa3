"""What the environment needs to know of a network on the serial link."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fattree_bench.bench.links.payload import Payload, Words
from fattree_bench.bench.rtl import Rtl
from fattree_bench.bench.tlm import Played
from fattree_models.common.checks import Int32Array, UInt8Array


@dataclass(frozen=True, eq=False, kw_only=True)
class SerialLayout:
    """What the player of a network holds, and how messages stand in its memory.

    Attributes
    ----------
    wires : sending wires, and as many receiving ones.
    ticks : clocks of a delivery cycle.
    message_bits : bits of the longest message.
    rows : rows of messages, and of delivery cycles, that the player holds at once.
    counters : counters of lost messages.
    encode : bit vectors, bytes [messages, bytes], of sources, destinations, words and edges.
    setting_bits : settings of all nodes for a delivery cycle, 1 that nothing reads without any.
    settings : theirs, bytes [rows, bytes], of destinations and edges; None: without any.
    """

    wires: int
    payload: Payload
    ticks: int
    message_bits: int
    rows: int
    counters: int
    encode: Callable[..., UInt8Array]
    setting_bits: int = 1
    settings: Callable[..., UInt8Array] | None = None

    @property
    def headers(self) -> bool:
        """Messages say where they go."""
        return self.settings is None

    @property
    def stride(self) -> int:
        """Bits from one message to the next in a row of the player's memory."""
        return -(-self.message_bits // 64) * 64

    def words(self, item: Played) -> Words:
        """Data of an item's messages [rows, wires]: given, or naming the message."""
        if item.words is not None:
            given: Words = np.asarray(item.words).astype(self.payload.dtype) & self.payload.mask
            return given
        return self.payload.frame(len(item.dst), item.sequence)[:, : self.wires]

    def setting(self, item: Played, row: int) -> int:
        """Settings of a row of an item as one number; 0 behind the last, and without any."""
        if self.settings is None or row >= len(item.dst):
            return 0
        chosen = None if item.edges is None else item.edges[row : row + 1]
        found = self.settings(item.dst[row : row + 1], chosen)
        return int.from_bytes(found.tobytes(), "little")

    def images(self, dst: Int32Array, words: Words, edges: UInt8Array | None) -> UInt8Array:
        """Bit vectors of messages, bytes [rows, wires, bytes], as the interfaces take them."""
        source = np.broadcast_to(np.arange(self.wires, dtype=np.int32), dst.shape)
        flat = None if edges is None else edges.reshape(dst.size, -1)
        frames = self.encode(source.ravel(), dst.ravel(), words.ravel().astype(np.uint64), flat)
        return frames.reshape(*dst.shape, -1)

    def trailing(self, item: Played) -> UInt8Array:
        """Bits behind the messages of an item: bytes [rows, wires, bytes], images of frames."""
        last_bits = self.images(item.dst, np.ones(item.dst.shape, np.uint64), None)
        first = np.unpackbits(last_bits, axis=2, bitorder="little").argmax(axis=2)  # 0: no message
        room = np.arange(8 * last_bits.shape[2]) < first[:, :, None]
        bits: UInt8Array = item.trailing & np.packbits(room, axis=2, bitorder="little")
        return bits


class SerialNetwork(Protocol):
    """A network whose wires speak the serial link."""

    @property
    def rtl(self) -> Rtl: ...

    @property
    def layout(self) -> SerialLayout:
        """What the player holds; made once."""
