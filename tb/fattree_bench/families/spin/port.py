"""Python's side of the bench of SPIN: the player of flits, and the player of commands."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.handles import root
from fattree_bench.bench.links.flit.classic import FlitPins
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver, FlitPort
from fattree_bench.bench.links.flit.resets import hold
from fattree_bench.bench.links.flit.sent import FlitOver
from fattree_bench.bench.links.player import opened
from fattree_bench.bench.tlm import Analysis
from fattree_bench.families.spin.network import MEMORY_W, SpinNetwork
from fattree_bench.families.spin.plan import FLIPS, Flip
from fattree_bench.families.spin.requests import (
    VALID,
    RequestPlaying,
    RequestsCaptured,
    RequestSet,
    RequestsOver,
)
from fattree_models import spin

SEEN = {"issued": 8, "served": 16, "response": 64}  # bits a terminal


class SpinPort(FlitPort):
    """Memories and registers of both players.

    Attributes
    ----------
    memories : of the targets, as the model has them: they stay as long as the simulation runs.
    """

    network: SpinNetwork

    def __init__(self, network: SpinNetwork, transport: str) -> None:
        super().__init__(network, transport)
        terminals, rows = network.terminals, self.rows
        self.commander = root().u_vci
        self.vci = opened(network.rtl.top, "u_vci", transport == "view")
        memory = self.vci.memory
        self.stim_command = memory("stim_command", rows, terminals * 64).view(np.uint64)
        self.stim_flip = memory("stim_flip", FLIPS, terminals * 64).view(np.uint64)
        self.seen = {
            name: memory(f"seen_{name}", rows, terminals * bits).view(f"uint{bits}")
            for name, bits in SEEN.items()
        }
        self.seen_dropped = memory("seen_dropped", rows, terminals)
        self.memories = {i: spin.Memory(1 << MEMORY_W) for i in range(terminals)}
        self.requests: tuple[RequestSet, int, int] | None = None
        self._flips = True  # stim_flip may hold something
        self._counted = np.zeros(network.planes, np.int64)  # by counters since the last reset

    def state(self) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.bool_]]:
        """As of any network; counters tell what the last item has added."""
        state, home = super().state()
        counted, network = self.network.layout.counted(state)["stored"], self.network
        added, self._counted = counted - self._counted, counted
        state[network.layout.inputs + network.terminals :] = added.astype(np.uint32).view(np.uint16)
        return state, home

    def set(self, name: str, value: int) -> None:
        """Write a control register; both players have `restart`."""
        if name == "reset_at" and value:
            self._counted = np.zeros_like(self._counted)
        if name in ("raw", "restart", "gaps") and self._settled.get(f"vci {name}") != value:
            getattr(self.commander, name).value = value
            self._settled[f"vci {name}"] = value
        if name not in ("raw", "gaps"):
            super().set(name, value)

    def under_way(self) -> tuple[str, int] | None:
        if self.requests is None:
            return super().under_way()
        return self.requests[0].family, self.requests[1]

    def flip(self, flips: tuple[Flip, ...]) -> None:
        """Bits that change in the next item."""
        if not flips and not self._flips:
            return
        self._flips = bool(flips)
        self.stim_flip[:] = 0
        rows = [0] * self.network.terminals
        for flip in sorted(flips, key=lambda f: f.word):
            row = rows[flip.terminal]
            value = VALID | flip.word << 40 | flip.plane << 39 | flip.mask
            self.stim_flip[row, flip.terminal] = np.uint64(value)
            rows[flip.terminal] += 1
        self.vci.flush("stim_flip", FLIPS)

    def command(self, rows: npt.NDArray[np.uint64]) -> None:
        """The next commands of each initiator, [rows, terminals]."""
        count = len(rows)
        self.stim_command[:count, : rows.shape[1]] = rows
        if count < self.rows:
            self.stim_command[count] = 0
            count += 1
        self.vci.flush("stim_command", count)

    def captured(self) -> FlitCaptured | RequestsCaptured | None:  # type: ignore[override]
        """What the burst that just ended brought: look before the next burst."""
        found = super().captured()
        if self._bursts and (recorded := self._bursts[-1].recorded) is not None:
            recorded()  # the next burst may be none of an item's, and be looked at by none
        if self.requests is None:
            return found
        (item, first, rows), self.requests = self.requests, None
        bursts, self._bursts = self._bursts, []
        terminals = self.network.terminals
        for name in (*SEEN, "dropped"):
            self.vci.fetch(f"seen_{name}", rows)
        dropped = np.unpackbits(
            self.seen_dropped[:rows], axis=1, count=terminals, bitorder="little"
        )
        seen = {name: self.seen[name][:rows, :terminals] for name in SEEN}
        return RequestsCaptured(item, first, dropped=dropped, bursts=bursts, **seen)


class SpinPins(SpinPort, FlitPins):
    """The same, but Python sends and takes the packets, flit by flit."""


class SpinDriver(FlitDriver):
    """Plays packet sets, and commands."""

    port: SpinPort
    over: Analysis[FlitOver | RequestsOver]

    async def play(self, item: Any, playing: Any) -> None:
        """Send one item, as the state of its lists says."""
        port = self.port
        port.flip(getattr(item, "flips", ()))
        if isinstance(playing, RequestPlaying):
            await self._requests(item, playing)
            return
        assert isinstance(playing, Playing)
        port.set("raw", 1)
        port.set("gaps", int(getattr(item, "gaps", False)))
        await super().play(item, playing)
        self.left |= bool(getattr(item, "flips", ()))

    async def _requests(self, item: RequestSet, playing: RequestPlaying) -> None:
        port, plan = self.port, playing.plan
        if self.left:
            await port.reset()
        port.set("raw", 0)
        hold(port, ())
        port.offer(np.zeros((0, port.network.leaves), np.uint64))
        port.stall(None, port.rows)
        while not playing.over():
            cycles = playing.burst(port.rows)
            port.command(plan.offers(port.rows))
            port.set("restart", int(plan.now == 0))
            port.requests = item, plan.now, cycles
            now = plan.now + cycles
            await port.burst(cycles)
            if plan.now != now:
                raise RuntimeError("a burst went by that the scoreboard did not see")
        self.left = playing.stuck or bool(item.flips)
        state, home = port.state()
        self.over.write(RequestsOver(plan, state, home, playing.stuck))
