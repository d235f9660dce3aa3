"""Bits: of flits, of what they note of their route, and of what the network shows of itself."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.families.flit_network import LINKS
from fattree_bench.families.xgft.ways import Ways
from fattree_bench.prover.hints import Hints
from fattree_models.common.fat_tree import vectors

ELEMENTS_A_BURST = 1 << 15  # clocks x leaves: waking Python is cheap, memories stay in the cache


class Layout(Ways):
    """Widths of fields and memories."""

    @property
    def address_bits(self) -> int:
        if self.addresses_as == "VECTOR":
            return vectors.bits(self.tree)
        return (self.addresses - 1).bit_length()

    @property
    def node_bits(self) -> int:
        return (self.leaves - 1).bit_length()

    @property
    def number_bits(self) -> int:
        """Bits of a packet's number in each of its flits."""
        return min(
            self.width - self.address_bits - self.node_bits - 1, self.width - self.node_bits - 7
        )

    @property
    def hop_bits(self) -> int:
        tree, turnback = self.tree, self.turnback
        if turnback is None:
            return max(tree.radix(level) for level in self.levels).bit_length()
        most = [max(turnback.ahead(k) + turnback.tbch, tree.down_ports(k)) for k in self.levels]
        return max(most).bit_length()

    @property
    def hops_bits(self) -> int:
        return self.max_hops * self.hop_bits

    @cached_property
    def words(self) -> FlitWords:
        """How to read flits."""
        return FlitWords(
            self.width, self.address_bits, self.node_bits, self.number_bits, self.paths
        )

    def _state_widths(self) -> list[tuple[int, int]]:
        """Input virtual channels of each level, and bits of an output port's number there."""
        tree = self.tree
        return [
            (
                self.vcs * tree.level_size(k) * self.ports(k),
                max(1, (self.ports(k) - 1).bit_length()),
            )
            for k in self.levels
        ]

    @property
    def state_bits(self) -> int:
        """Bits of what the network shows of itself."""
        return sum(count * (2 + port + self.vcs) for count, port in self._state_widths())

    def read_state(self, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
        """What the network shows of each input virtual channel, uint16 [inputs].

        From bit 0: flits wait; the packet has an output virtual channel; its output port (9 bits);
        that channel, one-hot.  `bits` are 0 or 1, [state_bits], see xgft_network.v.
        """
        words, at = [], 0
        for count, port in self._state_widths():
            width = 2 + port + self.vcs
            part = bits[at : at + count * width].reshape(count, width).astype(np.uint16)
            places = np.r_[0 : 2 + port, 11 : 11 + self.vcs].astype(np.uint16)
            words.append((part << places).sum(axis=1, dtype=np.uint16))
            at += count * width
        return self.in_place(np.concatenate(words))

    def in_place(self, shown: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What the network shows of inputs, or of switches, in the order of the tree."""
        return shown

    @cached_property
    def entries(self) -> npt.NDArray[np.uint8] | None:
        """Forwarding tables as the network wants them, uint8 [addresses, routers], or None."""
        if self.tables is None:
            return None
        by_switch = np.concatenate([ports for ports in self.tables.ports if len(ports)])
        shown = np.empty_like(by_switch)
        shown[self.in_place(np.arange(self.routers))] = by_switch
        return shown.T.astype(np.uint8)

    @property
    def burst_rows(self) -> int:
        """Clocks that the player holds at once: a power of two."""
        return min(1024, max(64, ELEMENTS_A_BURST >> self.node_bits))

    @property
    def data_stride(self) -> int:
        return 32 if self.width <= 32 else 64

    @property
    def recorded_bits(self) -> tuple[int, int]:
        return self.width, self.hops_bits

    @property
    def hints(self) -> Hints:
        """Only heads have a list of hops; without a model the bench may look at all of it."""
        low = self.width + 2
        return Hints(LINKS, width=low + self.hops_bits, low=low * self.compares)

    @property
    def recorded_states(self) -> int:
        """Where a model says what they are: `state_o`, then `home_o`."""
        return self.state_bits + self.inputs if self.compares else 0

    @property
    def side_stride(self) -> int:
        return 32 if self.hops_bits <= 26 else 64
