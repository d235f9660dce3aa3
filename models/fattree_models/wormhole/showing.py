"""What a network shows of its switches in a clock, as one row of bits."""

import numpy as np

from fattree_models.common.checks import Int64Array, UInt64Array
from fattree_models.wormhole import kernel
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.trace import Shown
from fattree_models.wormhole.wiring import DOWN, UP, Wiring


class Showing:
    """Where in the row each virtual channel (VC) stands.

    Parameters
    ----------
    network : Network
    wiring : Wiring

    Attributes
    ----------
    first, port_bits : int64 arrays [input VCs]
        First bit of each, in the order of `Shown`, and bits of its port.
    home : int
        First bit of the output VCs, which follow: one bit each.
    bits, words : int
        Of a row; words have 64 bits, and there are two at least.

    Examples
    --------
    >>> from fattree_models.common.fat_tree import kary
    >>> from fattree_models.wormhole.wiring import wire
    >>> network = Network(tree=kary(4, 3))
    >>> showing = Showing(network, wire(network))
    >>> showing.first[:3].tolist(), showing.home, showing.words
    ([0, 7, 14], 4352, 78)
    """

    def __init__(self, network: Network, wiring: Wiring) -> None:
        parts, vcs = wiring.switches, network.vcs
        self.network, self.wiring = network, wiring
        of = np.repeat(np.arange(len(parts)), parts.ins)[wiring.told_in]
        ports = parts.outs.copy()  # of the node
        for one, other in ((UP, 1), (DOWN, -1)):
            here = np.flatnonzero(parts.role == one)
            ports[here] += parts.outs[here + other]
        bits = np.array([max(1, (int(each) - 1).bit_length()) for each in ports])
        self.port_bits = bits[of].repeat(vcs)
        self.more = np.where(parts.role == UP, parts.children, 0)[of].repeat(vcs)
        ends = np.cumsum(2 + self.port_bits + vcs)
        self.first = ends - (2 + self.port_bits + vcs)
        self.home = int(ends[-1])
        self.bits = self.home + wiring.told_out.size * vcs
        self.words = max(2, -(-self.bits // 64))

    def places(self, shift: int) -> tuple[Int64Array, Int64Array]:
        """Return the places of input lanes, int64 [lanes, 3], and of outputs, int64 [outputs].

        Of a lane: its first bit, -1 if the VC does not exist; where its VC begins behind that; what
        its port has more than in the switch.
        """
        vcs = np.arange(self.network.vcs)
        lane = np.full((self.wiring.told_in.size << shift, 3), -1)
        at = ((self.wiring.told_in << shift)[:, None] + vcs).reshape(-1)
        lane[at] = np.stack((self.first, 2 + self.port_bits, self.more), 1)
        home = np.empty_like(self.wiring.told_out)
        home[self.wiring.told_out] = self.home + np.arange(home.size) * vcs.size
        return lane, home

    def row(self, shown: Shown) -> UInt64Array:
        """Return the row of a clock, uint64 [words]."""
        bits = np.zeros(self.words * 64, np.uint8)
        bits[self.first], bits[self.first + 1] = shown.waiting, shown.active
        for k in range(int(self.port_bits.max())):
            has = k < self.port_bits
            bits[(self.first + 2 + k)[has]] = shown.port[has] >> k & 1
        has = shown.vc >= 0
        bits[(self.first + 2 + self.port_bits + shown.vc)[has]] = 1
        bits[self.home : self.bits] = shown.free & shown.home
        return np.packbits(bits, bitorder="little").view(np.uint64)

    def empty(self, shift: int) -> kernel.Showing:
        """Return what the compiled network needs to show itself."""
        lane, home = self.places(shift)
        return kernel.Showing(
            lane,
            home,
            row=np.zeros(self.words, np.uint64),
            total=np.zeros(self.words, np.uint64),
            rows=np.zeros((0, self.words), np.uint64),
        )
