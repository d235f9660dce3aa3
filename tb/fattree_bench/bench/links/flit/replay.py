"""A monitor of the flit link that also looks at what the player did, by its pins."""

import numpy as np

from fattree_bench.bench.handles import root
from fattree_bench.bench.links.agent import FrameMonitor, Misplayed
from fattree_bench.bench.links.flit.pins import PINS, pins_layout
from fattree_bench.bench.links.flit.played import Asked, Played
from fattree_bench.bench.links.flit.port import FlitPort
from fattree_bench.bench.links.flit.recorder import Recorder
from fattree_bench.bench.links.player import opened
from fattree_bench.bench.links.transport import ViewTransport


class FlitMonitor(FrameMonitor):
    """Where there is a recorder at its pins, the player is replayed.

    Behind what the player did wrong bursts are still handed on, so that the driver comes to an end;
    no scoreboard judges them.
    """

    port: FlitPort

    def build_phase(self) -> None:
        super().build_phase()
        self._wrong: tuple[int, int, str] | None = None  # see Played.compare
        self._blamed = False
        self._played: Played | None = None
        # In its own steps an agent of Python's is the player.
        if getattr(type(self.port), "access", None) is FlitPort.access and hasattr(root(), PINS):
            network = self.port.network
            view = isinstance(self.port.transport, ViewTransport)
            reader = opened(network.rtl.top, PINS, view)
            self._pins = Recorder(reader, pins_layout(network.layout))
            self._played = Played(network)

    def look(self) -> None:
        if self._played is not None and self.port._bursts and not self.port.cut:
            self._compare(self._played)
        if self._wrong is not None and self.port.playing is not None and not self._blamed:
            row, leaf, told = self._wrong
            item, first, _ = self.port.playing
            self._blamed = True
            self.misplayed.write(Misplayed(item, f"clock {first + row}: {told}", first + row, leaf))
        super().look()

    def _compare(self, played: Played) -> None:
        """Look whether the player did in the last burst what it was asked for."""
        burst, now, stalled = self.port._bursts[-1], self.port._settled.get, self.port._stalled
        asked = Asked(
            offers=self.port.stim_packet[:, : self.port.network.leaves],
            stall=np.zeros((0, 0), np.bool_) if stalled is None else stalled,
            reset=np.isin(np.arange(burst.clocks), burst.resets),
            sends=not now("load", 0),
            restart=bool(now("restart", 0)),
            answer=bool(now("answer", 0)),
            limit=now("reply_limit", 1),
            flits=now("reply_flits", 1),
            replies=now("reply_vcs", 1),
            hold=now("hold_vcs", 0),
        )
        self._wrong = played.compare(self._pins.recorded(burst.clocks), asked) or self._wrong
