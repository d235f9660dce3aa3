"""A burst in which a switch shows another state than the model says: where, when, and what."""

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import NOWHERE, Where
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_models import wormhole
from fattree_models.wormhole.kernel import SHOWN_EVERY
from fattree_models.wormhole.showing import Showing


def place(network: Wormhole, i: int, output: bool = False) -> str:
    """The i-th virtual channel (VC) that is shown: "level 2 switch 3 input 1 VC 0"."""
    s = network.structure
    lane = s.queues[i]
    link = s.lane_link[lane]
    node, port, vc = s.head[link], s.head_port[link], lane - s.first_lane[link]
    level, side = s.level[node] + network.ways.levels.start - 1, "output" if output else "input"
    return f"{network.ways.called(int(level), int(s.number[node]))} {side} {port} VC {vc}"


class States:
    """Reads the rows of a network's states, see `Showing`."""

    def __init__(self, network: Wormhole, view: Showing) -> None:
        self.network, self.view = network, view
        self.where, self.kind = NOWHERE, kind.STATE  # of the first difference
        self.place_of = np.argsort(network.layout.in_place(np.arange(network.layout.inputs)))

    def tell(self, trace: wormhole.Trace, seen: npt.NDArray[np.uint64]) -> str:
        """The first difference, in a line."""
        bits = [
            np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, : self.view.bits]
            for rows in (np.ascontiguousarray(each[::SHOWN_EVERY]) for each in (trace.states, seen))
        ]
        wrong = bits[0] != bits[1]
        if not wrong.any():  # an unknown bit is read as 0
            self.kind = kind.UNKNOWN
            return "a bit of the state of a switch is X or Z"
        row = int(np.argmax(wrong.any(axis=1)))
        of = self._channels(np.flatnonzero(wrong[row]))
        expected, told = (self._read(part[row], of[0]) for part in bits)
        more = f" (and {of.size - 1} others in this clock)" if of.size > 1 else ""
        clock = trace.first + row * SHOWN_EVERY
        self.where = Where(clock, Place(self._name(of[0])))
        return f"clock {clock}: {self._name(of[0])}: expected {expected}, seen {told}{more}"

    def _channels(self, bit: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Channels to which bits belong: input VCs, behind them output VCs."""
        inputs = np.searchsorted(self.view.first, bit, side="right") - 1
        count = self.view.first.size
        return np.unique(np.where(bit < self.view.home, inputs, count + bit - self.view.home))

    def _name(self, of: int) -> str:
        count = self.view.first.size
        return place(self.network, int(self.place_of[of % count]), output=of >= count)

    def _read(self, bits: npt.NDArray[np.uint8], of: int) -> str:
        view = self.view
        if of >= view.first.size:
            home = bits[view.home + of - view.first.size]
            return "free, with all credits" if home else "busy, or credits away"
        first, width = int(view.first[of]), int(view.port_bits[of])
        waits = "flits wait" if bits[first] else "no flit waits"
        port = int(bits[first + 2 : first + 2 + width] @ (1 << np.arange(width)))
        vcs = bits[first + 2 + width : first + 2 + width + self.network.switch.vcs]
        vc = ", ".join(str(v) for v in np.flatnonzero(vcs)) or "none"
        has = "has its VC" if bits[first + 1] else "has no VC"
        return f"{waits}, {has} (port {port}, VC {vc})"
