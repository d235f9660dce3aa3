"""Python's side of a foreign design's bench, where a player in Verilog sends and receives."""

from __future__ import annotations

from typing import Any

import cocotb
import numpy as np

from fattree_bench.bench.links.flit.network import FlitNetwork
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.port import FlitPort
from fattree_bench.bench.links.player import Player
from fattree_bench.families.foreign.traffic import ForeignSet


class ForeignPort(FlitPort):
    """Python's side of a flit_player and of the adapters round a design."""

    network: Any  # a ForeignNetwork

    def __init__(self, network: FlitNetwork, transport: str) -> None:
        super().__init__(network, transport)
        top: Any = cocotb.top
        self.control = Player(top.u_control)
        self._read = 0

    async def reset(self, seed: int | None = None) -> None:
        """Reset, for as long as the design needs, and wait."""
        await super().reset(seed)
        said = self.network.design.said.reset
        left = said.clocks + said.silent
        while left > 0:
            await self.burst(min(left, self.rows))
            left -= self.rows

    def state(self) -> Any:
        """As of the link; what was noted so far is read, and forgotten."""
        found = super().state()
        self._read ^= 1
        self.control.set("read", self._read)
        return found

    def begin(self, rng: np.random.Generator, told: bool) -> None:
        """A scenario begins; `rng`: for pauses, `told`: packets are logged, where that is known."""

    def choose(self, item: PacketSet) -> None:
        """How the adapters send and receive an item."""
        chosen = item if isinstance(item, ForeignSet) else ForeignSet(item.packets, item.family)
        self.control.set("gap", round(256 * chosen.gap))
        self.control.set("hold", round(256 * chosen.hold))
        self.control.set("shy", int(chosen.shy))
