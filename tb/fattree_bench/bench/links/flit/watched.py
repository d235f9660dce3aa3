"""A network on the flit link that something else drives: all that is on its links, as it comes."""

from dataclasses import dataclass
from typing import Protocol

from fattree_bench.bench.handles import root
from fattree_bench.bench.links.flit.network import FlitLayout, FlitNetwork
from fattree_bench.bench.links.flit.player import RECORDER
from fattree_bench.bench.links.flit.recorder import Recorded, Recorder
from fattree_bench.bench.links.player import Player, opened
from fattree_bench.bench.tlm import Played


class WatchedNetwork(FlitNetwork, Protocol):
    """A network that can be watched."""

    @property
    def watched(self) -> FlitLayout:
        """What is recorded then."""


class Watched(Played):
    """Clocks that somebody else has filled."""

    slots = 0
    plan = "observed"  # the scoreboard runs the model


@dataclass(frozen=True)
class WatchedBurst:
    """What was on all links in a burst of clocks, and in `states` seed and reset, see watcher."""

    item: Watched
    recorded: Recorded


class FlitWatch(Player):
    """What recorders show of a network."""

    def __init__(self, network: WatchedNetwork, transport: str) -> None:
        super().__init__(root().u_player)
        self.rows = network.watched.rows
        reader = opened(network.rtl.top, RECORDER, transport == "view")
        self.recorder = Recorder(reader, network.watched)

    async def watch(self, clocks: int) -> None:
        """Let some clocks pass."""
        await self.burst(clocks)

    def captured(self) -> WatchedBurst | None:
        """What was seen since the last look; look before the next burst."""
        self.recorder.transport.fetch("seen_rows", 1)
        rows = int(self.recorder.rows[0, 0])
        return WatchedBurst(Watched("observed"), self.recorder.recorded(rows)) if rows else None
