"""What recorders show at the pins of a network on the serial link."""

from typing import Any

import numpy as np

from fattree_bench.bench.handles import root
from fattree_bench.bench.links.player import Player, Rows, opened
from fattree_bench.bench.links.serial.network import SerialNetwork
from fattree_bench.bench.links.serial.player import CONTROL_BITS, SPARE
from fattree_models.common.checks import BoolArray, Int64Array

TICK_STRIDE = 16


class SerialRecords(Player):
    """Their memories: a row a delivery cycle of what it ended with, a row a load clock or reset."""

    def __init__(self, network: SerialNetwork, transport: str) -> None:
        self.network, self.layout = network, network.layout
        super().__init__(root().u_player)
        self.transport = opened(network.rtl.top, "", transport == "view")
        self.recorded = Rows(self.transport)
        self.loads, self.clocks = Rows(self.transport, "load"), Rows(self.transport, "clock")
        rows, wires = self.layout.rows, self.layout.wires
        memory, stride = self.recorded.memory, self.layout.payload.stride
        self.ended = memory("ended", rows, 32).view(np.uint32)
        self.seen = {
            name: memory(name, rows, wires) for name in ("sent", "acked", "arrived", "trailing")
        }
        self.ticks = {
            name: memory(name, rows, wires * TICK_STRIDE).view(np.uint16)[:, :wires]
            for name in ("ack_tick", "tick")
        }
        words = self.layout.payload.dtype
        self.seen_data = memory("data", rows, wires * stride).view(words)[:, :wires]
        self.lost = memory("state", 2, 32 * self.layout.counters, last=True).view(np.uint32)
        offered, more = self.loads.memory, rows + SPARE
        self.control = offered("control", more, CONTROL_BITS)
        self.offered = {name: offered(name, more, wires) for name in ("offer_valid", "take")}
        self.setting = offered("setting", more, self.layout.setting_bits)
        self.messages = offered("offer", more, wires * self.layout.stride)
        self.waiting = offered("waiting", more, wires * 16).view(np.uint16)[:, :wires]

    async def burst(self, cycles: int) -> None:
        for rows in (self.recorded, self.loads, self.clocks):
            rows.rewind()
        await super().burst(cycles)

    def controls(self, rows: int) -> tuple[BoolArray, Int64Array, Int64Array]:
        """Of load clocks and resets: reset, load, once, restart [4, rows]; clocks, seeds [rows]."""
        bits = np.unpackbits(self.control[:rows], axis=1, bitorder="little")[:, :CONTROL_BITS]
        weights = 1 << np.arange(32, dtype=np.int64)
        return bits[:, :4].astype(np.bool_).T, bits[:, 36:] @ weights, bits[:, 4:36] @ weights

    def told(self, rows: slice) -> dict[str, Any]:
        """What SerialCaptured has of some delivery cycles: the memories themselves."""
        size = -(-self.layout.wires // 8)
        return {
            **{name: bits[rows, :size] for name, bits in self.seen.items()},
            **{name: clocks[rows] for name, clocks in self.ticks.items()},
            "data": self.seen_data[rows],
            "lost": self.lost[0, : self.layout.counters],
        }
