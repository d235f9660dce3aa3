"""What the ports of all players share: control registers, and bursts of clocks."""

from typing import Any

from cocotb.triggers import ValueChange
from cocotb.utils import get_sim_time


class Player:
    """Python's side of a player: `go` starts a burst, `done` follows at its end."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self._settled: dict[str, int] = {}
        self._go = 0
        self._began = 0

    def set(self, name: str, value: int) -> None:
        """Write a control register of the player, unless it holds the value already."""
        if self._settled.get(name) != value:
            getattr(self.player, name).value = value
            self._settled[name] = value

    async def burst(self, cycles: int) -> None:
        """Let the player run for so many slots, delivery cycles or clocks."""
        self.set("cycles", cycles)
        self._go ^= 1
        self._began = get_sim_time("step")
        self.player.go.value = self._go
        await ValueChange(self.player.done)

    def span(self) -> tuple[int, int]:
        """Steps of the simulation: when the burst began that ends now, and now."""
        return self._began, get_sim_time("step")
