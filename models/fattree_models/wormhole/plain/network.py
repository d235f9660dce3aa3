"""The wormhole network as objects: plain, slow, to be read next to the contract."""

from collections import deque
from collections.abc import Collection

import numpy as np

from fattree_models.common.checks import BoolArray
from fattree_models.traffic import Packets
from fattree_models.wormhole.item import Answer, Item
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.plain.leaf import Leaf, Sending
from fattree_models.wormhole.plain.routes import Head
from fattree_models.wormhole.plain.switch import Flit, OnLink, Switch
from fattree_models.wormhole.trace import Fates, Shown, Trace
from fattree_models.wormhole.wiring import UP, Switches, wire


class Reference:
    """A wormhole network that runs.

    Parameters
    ----------
    network : Network
    seed : int
        32 bits, of the random numbers.
    answer : Answer, optional
        Leaves answer packets of kind 0.

    Attributes
    ----------
    fates : Fates
        Of the packets of the item.
    words : int
        Of the states that are recorded, of each clock.
    """

    words = 0

    def __init__(self, network: Network, seed: int = 1, answer: Answer | None = None) -> None:
        self.network, self.wiring, self.answer = network, wire(network), answer
        parts = self.wiring.switches
        self.switches = [self.switch(parts, place, seed) for place in range(len(parts))]
        self.leaves = [Leaf(network, answer) for _ in range(network.leaves)]
        self.outputs = [(s, port) for s in self.switches for port in range(s.outs)]
        self.inputs = [(s, port) for s in self.switches for port in range(s.ins)]
        self.drawing = sorted((s for s in self.switches if s.node >= 0), key=lambda s: s.node)
        self.feeder = self.wiring.feeder
        self.to_leaf = self.feeder[len(self.inputs) :]
        self.load(Packets.of([], [], []))
        self._reset()

    def switch(self, parts: Switches, place: int, seed: int) -> Switch:
        """Return one of its switches."""
        return Switch(self.network, parts, place, seed)

    def load(self, packets: Packets) -> None:
        """Begin an item: the next clock is its clock 0."""
        self.item = Item.of(self.network, packets, self.answer)
        self.fates = Fates.none(self.item.source.size)
        self.now = 0
        for leaf in self.leaves:
            leaf.packets = deque()
        for packet in range(len(packets)):
            self.leaves[self.item.source[packet]].packets.append(self._sending(packet))

    def drop(self) -> None:
        """Forget the packets that are not begun."""
        for leaf in self.leaves:
            leaf.packets = deque()

    def run(
        self,
        clocks: int,
        resets: Collection[int] = (),
        stall: BoolArray | None = None,
        may_send: bool = True,
    ) -> Trace:
        """Run a burst.

        Parameters
        ----------
        clocks : int
        resets : collection of int
            Rows of the burst in which the reset is set.
        stall : bool array [clocks, leaves], optional
            Who gives no credits.
        may_send : bool
            Whether leaves send flits.
        """
        links = self.wiring.links + self.network.leaves
        drawing, words = len(self.drawing), self.words
        trace = Trace.empty(self.now, clocks, links, drawing, self._shown(), words)
        for row in range(clocks):
            self._arrive()
            self._write(trace, row)
            if row == clocks - 1:
                object.__setattr__(trace, "shown", self._shown())
            if row in resets:
                self._reset()
            else:
                self._clock(stall[row] if stall is not None else None, may_send)
            self.now += 1
        return trace

    def _reset(self) -> None:
        for switch in self.switches:
            switch.reset()
        for leaf in self.leaves:
            leaf.reset()
        long, leaves = self.network.long, range(self.network.leaves)
        self.flit_line: list[deque[OnLink | None]] = [deque([None] * long) for _ in leaves]
        self.credit_line: list[deque[set[int]]] = [deque([set()] * long) for _ in leaves]
        self.near: list[set[int]] = [set() for _ in leaves]
        self.far: list[OnLink | None] = [None for _ in leaves]

    def _arrive(self) -> None:
        """Find what is at the other ends of the links to leaves in this clock."""
        for x, leaf in enumerate(self.leaves):
            self.flit_line[x].append(self._flit(self.to_leaf[x]))
            self.credit_line[x].append(leaf.back)
            self.far[x] = self.flit_line[x].popleft()
            self.near[x] = self.credit_line[x].popleft()

    def _clock(self, stall: BoolArray | None, may_send: bool) -> None:
        """Go on by a clock; all look at links as they are before anybody changes them."""
        flits = [self._flit(link) for link in range(self.wiring.links)]
        credits = [self._credits(link) for link in range(self.wiring.links)]
        first_in, first_out = self.wiring.switches.first_in, self.wiring.switches.first_out
        for place, switch in enumerate(self.switches):
            feeders = self.feeder[first_in[place] : first_in[place] + switch.ins]
            links = range(first_out[place], first_out[place] + switch.outs)
            switch.clock([flits[link] for link in feeders], [credits[link] for link in links])
        for x, leaf in enumerate(self.leaves):
            stalled = stall is not None and bool(stall[x])
            seen = self.far[x]
            reply = self._reply(seen.flit) if seen else None
            home = credits[self.wiring.links - self.network.leaves + x]
            leaf.clock(self.now, seen, home, stalled, may_send, reply)
            self._note(leaf)

    def _note(self, leaf: Leaf) -> None:
        if leaf.began >= 0:
            self.fates.began[leaf.began] = self.now
        if leaf.arrived and leaf.arrived.index == 0:
            self.fates.head[leaf.arrived.packet] = self.now
        if leaf.arrived and leaf.arrived.tail:
            self.fates.tail[leaf.arrived.packet] = self.now

    def _flit(self, link: int) -> OnLink | None:
        """Return what is on a link, at its sender."""
        if link < len(self.outputs):
            switch, port = self.outputs[link]
            return switch.sent[port]
        return self.leaves[link - len(self.outputs)].sent

    def _credits(self, link: int) -> set[int]:
        """Return the credits on a link, at its sender."""
        target = int(self.wiring.target[link])
        if target < 0:
            return self.near[-1 - target]
        switch, port = self.inputs[target]
        return switch.back[port]

    def _sending(self, packet: int) -> Sending:
        item = self.item
        kind, destination = int(item.kind[packet]), int(item.destination[packet])
        is_reply = packet >= len(item.packets)
        vcs = self.network.class_vcs(1) if is_reply else self.network.start_vcs(kind, destination)
        head = Head(destination, int(item.address[packet]), int(item.source[packet]), kind)
        return Sending(packet, int(item.release[packet]), int(item.flits[packet]), head, vcs)

    def _reply(self, flit: Flit) -> Sending | None:
        if self.answer is None or not flit.tail or flit.head.kind:
            return None
        return self._sending(flit.packet + len(self.item.packets))

    def _write(self, trace: Trace, row: int) -> None:
        """Write what is on the links into a row."""
        order = [*self.wiring.told_out, *range(len(self.outputs), self.wiring.links)]
        seen = [(self._flit(link), self._credits(link)) for link in order]
        seen += [(self.far[x], leaf.back) for x, leaf in enumerate(self.leaves)]
        for place, (link, home) in enumerate(seen):
            trace.credits[row, place] = sum(1 << vc for vc in home)
            if link:
                trace.packet[row, place] = link.flit.packet
                trace.index[row, place] = link.flit.index
                trace.vc[row, place] = link.vc
        trace.draws[row] = [s.generator.word for s in self.drawing if s.generator]

    def _shown(self) -> Shown:
        """Return what the switches show."""
        vcs = range(self.network.vcs)
        ins = [self.inputs[port] for port in self.wiring.told_in]
        outs = [self.outputs[port] for port in self.wiring.told_out]
        lanes = [(s, s.inputs[port * len(vcs) + vc]) for s, port in ins for vc in vcs]
        more = [s.router.m if s.router.role == UP else 0 for s, _ in lanes]
        out = [s.outputs[port][vc] for s, port in outs for vc in vcs]
        return Shown(
            np.array([bool(one.queue) for _, one in lanes]),
            np.array([one.active for _, one in lanes]),
            np.array([one.port for _, one in lanes], np.int16) + np.array(more, np.int16),
            np.array([one.vc for _, one in lanes], np.int8),
            np.array([not one.busy for one in out]),
            np.array([one.credit == self.network.depth for one in out]),
        )
