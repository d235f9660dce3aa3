"""What the ports of all players share: control registers, and bursts of clocks."""

from functools import reduce

import cocotb
from cocotb.triggers import ValueChange
from cocotb.utils import get_sim_time

from fattree_bench.bench.failure import Stop
from fattree_bench.bench.handles import Handle, root
from fattree_bench.bench.interface.recorders import ROWS, SEEN
from fattree_bench.bench.links.transport import Bytes, Transport, ViewTransport, VpiTransport
from fattree_bench.bench.progress import Progress

CLOCK = 2  # steps of a clock: see bench_clock.vh, verilator_main.cpp


def opened(top: str, path: str, view: bool) -> Transport:
    """How the memories of an instance are reached; `path`: of it below the module `top`, or ""."""
    if view:
        return ViewTransport(".".join(filter(None, (top, path))))
    return VpiTransport(reduce(getattr, filter(None, path.split(".")), root()))


class Rows:
    """Python's side of the recorders that share a recorder_rows."""

    def __init__(self, transport: Transport, name: str = "") -> None:
        self._transport = transport
        self._counter = getattr(root(), f"{ROWS}{name}")
        self._rewind = 0
        self._memories: dict[str, int] = {}  # name, rows that are kept; 0: of all that are taken

    def memory(self, name: str, rows: int, bits: int, last: bool = False) -> Bytes:
        """Rows of the port that was recorded under a name."""
        path = f"{SEEN}{name}.seen_pins"
        self._memories[path] = int(last)
        return self._transport.memory(path, 2 if last else rows, bits)

    def rewind(self) -> None:
        """The next row is number 0."""
        self._rewind ^= 1
        self._counter.rewind.value = self._rewind

    def count(self) -> int:
        """Rows taken since."""
        count = self._counter.seen_rows.value
        return int(count) if count.is_resolvable else 0  # when a simulator begins

    def fetch(self) -> int:
        """The same; they stand in the memories."""
        rows = self.count()
        for path, kept in self._memories.items():
            self._transport.fetch(path, kept or rows)
        return rows


class Player:
    """Python's side of a player: `go` starts a burst, `done` follows at its end."""

    def __init__(self, player: Handle) -> None:
        self.player = player
        self.cut = False  # the simulation ends inside a burst
        self._settled: dict[str, int] = {}
        self._go = 0
        self._began = 0
        self._pace = 0  # steps of the simulation for each of `cycles`, in the last burst
        self._progress = Progress()

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
        clocks = ((now := get_sim_time("step")) - self._began) / CLOCK
        self._progress.write(int(now / CLOCK))
        self._pace = CLOCK * max(1, int(clocks / cycles + 0.5))  # it may begin half a clock late

    def span(self) -> tuple[int, int]:
        """Steps of the simulation: when the burst began that ends now, and now."""
        return self._began, get_sim_time("step")

    def under_way(self) -> tuple[str, int] | None:
        """What traffic is played, and the time at which its burst begins; None: there is none."""
        return None

    def ends(self) -> bool:
        """The simulation ends; whether a clock of the last burst has come, and was recorded."""
        self.cut = True
        return bool(get_sim_time("step") - self._began >= CLOCK)

    def stop(self, unit: str) -> Stop:
        """Where the simulation is, which ends before its time."""
        playing, now = self.under_way(), get_sim_time("step")
        if playing is None:
            return Stop(ended=now, pace=CLOCK)  # clocks of the whole simulation
        at_once = cocotb.SIM_NAME.startswith("Verilator")  # comes the first edge of a burst
        return Stop(*playing, unit, self._began + (not at_once), now, self._pace)
