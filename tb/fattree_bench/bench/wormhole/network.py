"""A network of wormhole switches, as its link, its checks and its tests see it."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.links.flit.words import MAX_FLITS, FlitWords
from fattree_bench.bench.workload import Workload
from fattree_bench.bench.wormhole.latency import Latency
from fattree_bench.bench.wormhole.shape import Shape
from fattree_bench.bench.wormhole.switch import Switch
from fattree_bench.bench.wormhole.ways import Ways
from fattree_bench.settings import Part, Settings, flag, number
from fattree_models import wormhole
from fattree_models.common.fat_tree import Xgft
from fattree_models.common.structure import Structure


class Wormhole(Settings):
    """What all of them have; a kind of network adds its shape, its ways and its model."""

    shape: Part[Shape]
    switch = Part(Switch)
    clocks = Part(Clocks)
    width = number(
        "WIDTH", 32, 1, 64, "data bits of a flit, … 64", allowed="a number up to {high}", rtl=True
    )
    workload = Part(
        Workload, lambda s: {"leaves": s.leaves, "radix": s.tree.m[0], "max_flits": MAX_FLITS}
    )
    trace = flag("TRACE", 0, "every hop of every packet goes to the run's trace.csv").but(
        per_run=True
    )
    exact = flag("EXACT", 1, "all links are compared with the model in all clocks; not with ASYNC")

    @cached_property
    @abstractmethod
    def ways(self) -> Ways:
        """Where packets go."""

    @abstractmethod
    def model(self, **same: Any) -> wormhole.Network:
        """What `docs/wormhole.md` needs to know of it; `same`: what all kinds have."""

    @property
    def tree(self) -> Xgft:
        return self.shape.tree

    @property
    def leaves(self) -> int:
        return self.tree.leaves

    @property
    def vcs(self) -> int:
        return self.switch.vcs

    @property
    def inputs(self) -> int:
        """Virtual channels at the inputs of all switches."""
        return self.vcs * self.ways.inputs

    @cached_property
    def structure(self) -> Structure:
        return self.ways.structure(self.vcs)

    @cached_property
    def latency(self) -> Latency:
        """How long packets take that meet no other."""
        return Latency(self.switch, self.clocks)

    @cached_property
    def words(self) -> FlitWords:
        """How to read flits."""
        address, node = self.ways.address_bits, (self.leaves - 1).bit_length()
        number_bits = min(self.width - address - node - 1, self.width - node - 7)
        return FlitWords(self.width, address, node, number_bits, self.ways.paths)

    @property
    def compares(self) -> bool:
        """A model says what is on every link in every clock: it knows one clock."""
        return bool(self.exact) and self.clocks.one

    @property
    def in_order(self) -> bool:
        """Whether packets of a pair and class arrive as they were sent: one path, one queue."""
        switch = self.switch
        return self.ways.one_path and (switch.vcs == switch.classes or switch.vc_mode == "KEEP")

    def traffic_rows(self, sim: str) -> int:
        """Clocks of random traffic in a test."""
        return 2000 if sim == "verilator" else 150

    # ---- places ----------------------------------------------------------------------------------

    def output(self, link: int) -> tuple[int, int, int]:
        """Level, switch and port that a link of the structure leaves."""
        s = self.structure
        node = s.tail[link]
        level = int(s.level[node]) + self.ways.levels.start - 1
        return level, int(s.number[node]), int(s.tail_port[link])

    def place(self, i: int, output: bool = False) -> str:
        """The i-th virtual channel (VC) that is shown: "level 2 switch 3 input 1 VC 0"."""
        s = self.structure
        lane = s.queues[i]
        link = s.lane_link[lane]
        node, port, vc = s.head[link], s.head_port[link], lane - s.first_lane[link]
        level, side = s.level[node] + self.ways.levels.start - 1, "output" if output else "input"
        return f"level {level} switch {s.number[node]} {side} {port} VC {vc}"

    # ---- what the network shows, and what is recorded of it --------------------------------------

    @property
    def recorded_links(self) -> int:
        """Out of switches, from leaves; the far ends of links to leaves."""
        return self.ways.inputs + self.leaves if self.compares or self.trace else 0

    @property
    def recorded_bits(self) -> tuple[int, int]:
        return self.width, self.hops_bits

    @property
    def recorded_states(self) -> int:
        """Where a model says what they are: `state_o`, then `home_o`."""
        return self.state_bits + self.inputs if self.compares else 0

    def _state_widths(self) -> list[tuple[int, int]]:
        """Input virtual channels of each level, and bits of an output port's number there."""
        tree, ways = self.tree, self.ways
        return [
            (
                self.vcs * tree.level_size(k) * ways.ports(k),
                max(1, (ways.ports(k) - 1).bit_length()),
            )
            for k in ways.levels
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
        tables = self.ways.tables
        if tables is None:
            return None
        by_switch = np.concatenate([ports for ports in tables.ports if len(ports)])
        shown = np.empty_like(by_switch)
        shown[self.in_place(np.arange(self.ways.routers))] = by_switch
        return shown.T.astype(np.uint8)

    @property
    def hops_bits(self) -> int:
        return self.ways.hops_bits
