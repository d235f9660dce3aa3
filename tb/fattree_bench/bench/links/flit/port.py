"""The flit link: packets of flits with virtual channels and credits, moved many clocks at a time.

Each leaf of a network on this link sends and receives at most one flit per clock;
`hdl/flit_player.v` plays lists of packets and captures all that arrives.
"""

from functools import cache, partial

import numpy as np
import numpy.typing as npt
from cocotb.triggers import Timer

from fattree_bench.bench.handles import root
from fattree_bench.bench.links.agent import FrameDriver
from fattree_bench.bench.links.flit.network import FlitNetwork
from fattree_bench.bench.links.flit.packets import Burst, FlitCaptured, PacketSet
from fattree_bench.bench.links.flit.player import RECORDER
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.recorder import Recorder
from fattree_bench.bench.links.flit.resets import hold, whole
from fattree_bench.bench.links.flit.sent import FlitOver
from fattree_bench.bench.links.player import Player, opened
from fattree_bench.bench.links.transport import Transport
from fattree_bench.bench.tlm import Analysis


class FlitPort(Player):
    """Python's side of a flit_player: memories, control signals, bursts of clocks."""

    def __init__(self, network: FlitNetwork, transport: str) -> None:
        self.network = network
        super().__init__(root().u_player)
        view = transport == "view"
        self.transport = self.access(view)
        layout, nodes = network.layout, network.leaves
        self.rows = layout.rows
        memory = self.transport.memory
        self.stim_packet = memory("stim_packet", self.rows, nodes * 64).view(np.uint64)
        self.stim_stall = memory("stim_stall", self.rows, nodes)
        data, side = f"uint{layout.data_stride}", f"uint{layout.side_stride}"
        self.seen_data = memory("seen_data", self.rows, nodes * layout.data_stride).view(data)
        self.seen_side = memory("seen_side", self.rows, nodes * layout.side_stride).view(side)
        self.seen_taken = memory("seen_taken", self.rows, nodes)
        self.seen_state = memory("seen_state", 1, layout.state_bits)
        self.seen_home = memory("seen_home", 1, layout.inputs)
        if layout.entries is not None:
            addresses, routers = layout.entries.shape
            self.stim_table = memory("stim_table", addresses, routers * 8)
        self.recorder: Recorder | None = None
        if layout.recorded.links:
            self.recorder = Recorder(opened(network.rtl.top, RECORDER, view), layout)
        self._stalls = True  # stim_stall may hold ones
        self._stalled: npt.NDArray[np.bool_] | None = None  # what it holds
        self._bursts: list[Burst] = []  # since what was captured last
        self.playing: tuple[PacketSet, int, int] | None = None  # item, first clock, clocks
        self.closed = False  # see Playing
        self.held: tuple[int, ...] = ()  # rows of the next burst in which reset is set

    def access(self, view: bool) -> Transport:
        """How the memories of the player are reached."""
        return opened(self.network.rtl.top, "u_player", view)

    async def reset(self, seed: int | None = None) -> None:
        """One clock of reset, a few idle ones, and the forwarding tables; None: the same seed."""
        await Timer(1, "step")  # at time 0 initial values may still overwrite what Python writes
        self.offer(np.zeros((1, self.network.leaves), np.uint64))
        self.stall(None, self.rows)
        if seed is not None:
            self.set("seed", seed)
        self.set("load", 0)
        hold(self, (0,))
        await self.burst(4)
        hold(self, ())
        entries = self.network.layout.entries
        if entries is not None:
            self.stim_table[:, : entries.shape[1]] = entries
            self.transport.flush("stim_table", len(entries))
            self.set("load", 1)
            await self.burst(len(entries))
            self.set("load", 0)

    async def burst(self, cycles: int) -> None:
        """Let the player run, and keep what the network is given."""
        self._bursts.append(
            Burst(
                cycles,
                resets=self.held,
                seed=self._settled.get("seed", 0),
                sends=self.playing is not None,
                closed=self.closed,
                stall=self._stalled,
            )
        )
        await super().burst(cycles)

    def offer(self, rows: npt.NDArray[np.uint64]) -> None:
        """Put the next packets of each node's list into the player: offers [rows, nodes]."""
        count = len(rows)
        self.stim_packet[:count, : rows.shape[1]] = rows
        if count < self.rows:  # the end of all lists
            self.stim_packet[count] = 0
            count += 1
        self.transport.flush("stim_packet", count)

    def stall(self, bits: npt.NDArray[np.bool_] | None, cycles: int) -> None:
        """Say who gives no credits in the next burst: [cycles, nodes], or None."""
        if bits is None and not self._stalls:
            return
        self._stalls = bits is not None
        self._stalled = bits
        if bits is None:  # also what an earlier, longer burst left
            cycles = self.rows
        self.stim_stall[:cycles] = 0
        if bits is not None:
            packed = np.packbits(bits, axis=1, bitorder="little")
            self.stim_stall[:cycles, : packed.shape[1]] = packed
        self.transport.flush("stim_stall", cycles)

    def under_way(self) -> tuple[str, int] | None:
        return None if self.playing is None else (self.playing[0].family, self.playing[1])

    def state(self) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.bool_]]:
        """State words and home bits of all VCs of the network after the last burst, [inputs]."""
        self.transport.fetch("seen_state", 1)
        self.transport.fetch("seen_home", 1)
        layout = self.network.layout
        home = np.unpackbits(self.seen_home[0], count=layout.inputs, bitorder="little")
        bits = np.unpackbits(self.seen_state[0], count=layout.state_bits, bitorder="little")
        return layout.read_state(bits), layout.in_place(home.astype(np.bool_))

    def captured(self) -> FlitCaptured | None:
        """What the burst that just ended brought: look before the next burst."""
        if self.cut:
            if self.playing is None or not self.network.layout.recorded.compared:
                return None
            assert self.recorder is not None
            burst = self._bursts[-1]
            self.recorder.transport.fetch("seen_rows", 1)  # of the last clock maybe nothing
            burst.clocks, burst.cut = int(self.recorder.rows[0, 0]), True
            self.playing = *self.playing[:2], burst.clocks
        if self.recorder is not None and self._bursts:  # nothing when a simulator begins
            burst = self._bursts[-1]
            burst.recorded = cache(partial(self.recorder.recorded, burst.clocks))
            if self.network.layout.recorded.compared:
                burst.hashes, burst.total = self.recorder.hashes(), self.recorder.total()
        if self.playing is None:
            return None
        (item, first, rows), self.playing = self.playing, None
        bursts, self._bursts = self._bursts, []
        for name in ("data", "side", "taken"):
            self.transport.fetch(f"seen_{name}", rows)
        nodes = self.network.leaves
        return FlitCaptured(
            item,
            first,
            side=self.seen_side[:rows, :nodes],
            data=self.seen_data[:rows, :nodes],
            taken=self.seen_taken[:rows, : -(-nodes // 8)],
            bursts=bursts,
        )


class FlitDriver(FrameDriver[PacketSet, Playing, FlitPort]):
    """Plays packet sets burst by burst, to their end or until nothing moves any more.

    `over` tells of each item that is over, and what the network showed of itself then.
    """

    left = False  # the item before left packets in the network

    def build_phase(self) -> None:
        self.over: Analysis[FlitOver] = Analysis("over", self)

    async def play(self, item: PacketSet, playing: Playing) -> None:
        """Send one item, as the state of its lists says."""
        port = self.port
        # A measurement also begins as from power-up: it depends on nothing that was before it.
        if self.left or item.window is not None:
            await port.reset()
        self._settings(item)
        now = 0
        while not playing.over(now):
            cycles = whole(item.resets, now, playing.burst(now, port.rows))
            port.offer(playing.offers(now, cycles, port.rows))
            port.stall(playing.stalls(cycles), cycles)
            self.loaded(item)
            port.set("restart", int(now == 0))
            hold(port, tuple(x - now for x in item.resets if now <= x < now + cycles))
            port.playing, port.closed = (item, now, cycles), playing.closed
            await port.burst(cycles)
            now += cycles
            if playing.seen.now != now:
                raise RuntimeError("a burst went by that the scoreboard did not see")
        self.left = playing.seen.waiting > 0
        self.over.write(playing.end(*port.state()))

    def _settings(self, item: PacketSet) -> None:
        """How the player answers requests."""
        answers = item.answers
        self.port.set("answer", int(answers is not None))
        if answers is not None:
            self.port.set("reply_flits", answers.flits)
            self.port.set("reply_limit", answers.limit)
            requests, replies = item.plan.link.class_vcs
            self.port.set("reply_vcs", replies)
            self.port.set("hold_vcs", requests)
