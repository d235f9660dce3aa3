"""What the ports of all players share: control registers, and bursts of clocks."""

from functools import reduce
from math import ceil
from typing import Any

import cocotb
from cocotb.triggers import ValueChange
from cocotb.utils import get_sim_time

from fattree_bench.bench.failure import Stop
from fattree_bench.bench.links.transport import Transport, ViewTransport, VpiTransport

CLOCK = 2  # steps of a clock: see bench_clock.vh, verilator_main.cpp


def opened(top: str, path: str, view: bool) -> Transport:
    """How the memories of an instance are reached; `path`: of it below the module `top`."""
    if view:
        return ViewTransport(f"{top}.{path}")
    return VpiTransport(reduce(getattr, path.split("."), cocotb.top))


class Player:
    """Python's side of a player: `go` starts a burst, `done` follows at its end."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self._settled: dict[str, int] = {}
        self._go = 0
        self._began = 0
        self._pace = 0  # steps of the simulation for each of `cycles`, in the last burst

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
        clocks = (get_sim_time("step") - self._began) / CLOCK
        self._pace = CLOCK * ceil(clocks / cycles)  # a burst may begin half a clock late

    def span(self) -> tuple[int, int]:
        """Steps of the simulation: when the burst began that ends now, and now."""
        return self._began, get_sim_time("step")

    def under_way(self) -> tuple[str, int] | None:
        """What traffic is played, and the time at which its burst begins; None: there is none."""
        return None

    def stop(self, unit: str) -> Stop:
        """Where the simulation is, which ends before its time."""
        playing, now = self.under_way(), get_sim_time("step")
        if playing is None:
            return Stop(unit=unit, ended=now)
        at_once = cocotb.SIM_NAME.startswith("Verilator")  # comes the first edge of a burst
        return Stop(*playing, unit, self._began + (not at_once), now, self._pace)
