"""One switch, as a plain object: what it does in a clock, in the contract's order and words."""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from fattree_models.wormhole.generator import Generator
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.plain.arbiters import Arbiter, Matrix, RoundRobin
from fattree_models.wormhole.plain.routes import Head, Router
from fattree_models.wormhole.wiring import Switches


@dataclass(frozen=True)
class Flit:
    """A flit: its packet, its place there, whether the packet ends; a head says where it goes.

    `hops` are the ports + 1 that a head took, in travelling order.
    """

    packet: int
    index: int
    tail: bool
    head: Head
    hops: tuple[int, ...] = ()


class OnLink(NamedTuple):
    """A flit and its VC."""

    flit: Flit
    vc: int


@dataclass
class InputVc:
    """Registers of an input VC."""

    queue: deque[Flit] = field(default_factory=deque)
    routed: bool = False
    active: bool = False
    port: int = 0
    vc: int = -1


@dataclass
class OutputVc:
    """Registers of an output VC."""

    credit: int
    busy: bool = False


class Switch:
    """A switch.

    `sent` [output ports] and `back` [input ports], sets of VCs, are what it has on its links.
    `stopped` are input VCs that send nothing in this clock.
    """

    stopped: Collection[int] = ()

    def __init__(self, network: Network, switches: Switches, place: int, seed: int) -> None:
        self.network = network
        self.ins, self.outs = int(switches.ins[place]), int(switches.outs[place])
        self.node = int(switches.node[place])
        self.first_lane = int(switches.number[place]) * self.ins * network.vcs
        self.router = Router(network, switches, place, self.room, self._free, self._draw)
        self.seed = seed
        self.reset()

    def reset(self) -> None:
        """Set all registers to what they are after a reset."""
        net = self.network
        vcs, ways = net.vcs, net.ways
        self.inputs = [InputVc() for _ in range(self.ins * vcs)]
        self.outputs = [[OutputVc(net.depth) for _ in range(vcs)] for _ in range(self.outs)]
        self.sent: list[OnLink | None] = [None] * self.outs
        self.back: list[set[int]] = [set() for _ in range(self.ins)]
        kind: type[Arbiter] = Matrix if net.arbiter == "MATRIX" else RoundRobin
        of_vcs: type[Arbiter] = Matrix if net.oldest_first else RoundRobin
        self.vc_arbiter = [of_vcs(self.ins * vcs) for _ in range(self.outs)]
        self.way_arbiter = [kind(vcs // ways) for _ in range(self.ins * ways)]
        self.port_arbiter = [kind(self.ins * ways) for _ in range(self.outs)]
        self.generator = Generator(self.seed, self.node) if self.node >= 0 else None
        self.router.before.reset(self.outputs)

    def room(self, port: int) -> int:
        """Return whether an output port has a VC that is not busy and has a credit."""
        return int(any(not each.busy and each.credit for each in self.outputs[port]))

    def clock(self, arriving: list[OnLink | None], credits: list[set[int]]) -> None:
        """Go on by a clock.

        Parameters
        ----------
        arriving : list [input ports]
            What is on the links in, in this clock.
        credits : list [output ports]
            VCs whose credit is on the links out, in this clock.
        """
        ask, ahead, route = self._routes()
        offer = self._allocate_vcs(ask, route)
        taken = self._allocate_switch(ask, route, offer)
        heads = {i: (self._out(i, ask, route), self.inputs[i].queue[0].head) for i in offer}
        self.router.before.clock(heads)
        self._end(ask, ahead, route, offer, taken, arriving, credits)

    def _routes(self) -> tuple[set[int], set[int], dict[int, int]]:
        """Return which input VCs ask for a route, now or ahead, and the answers."""
        ask, ahead, route = set(), set(), {}
        for i, one in enumerate(self.inputs):
            queue = one.queue
            if queue and not one.active and not (one.routed and self.router.hold):
                ask.add(i)
                route[i] = self.router.route(i, queue[0].head)
            if self.network.ahead and one.active and len(queue) >= 2 and queue[0].tail:
                ahead.add(i)
                route[i] = self.router.route(i, queue[1].head)
        return ask, ahead, route

    def _out(self, i: int, ask: set[int], route: dict[int, int]) -> int:
        return route[i] if self.network.stages < 3 and i in ask else self.inputs[i].port

    def _allocate_vcs(self, ask: set[int], route: dict[int, int]) -> dict[int, int]:
        """Return the output VCs that are granted, by input VC."""
        offer: dict[int, int] = {}
        asking: dict[int, set[int]] = {}
        for i, one in enumerate(self.inputs):
            if not one.queue or one.active or not (self.network.stages < 3 or one.routed):
                continue
            out = self._out(i, ask, route)
            may = self._may(out, i, one.queue[0].head.kind)
            if may:
                offer[i] = self._preferred(out, may)
                asking.setdefault(out, set()).add(i)
        granted = {}
        for out, those in asking.items():
            i = self.vc_arbiter[out].pick(those)
            self.vc_arbiter[out].use(i)
            granted[i] = offer[i]
        return granted

    def _may(self, out: int, i: int, kind: int) -> list[int]:
        """Return the VCs of an output port that a packet may be given."""
        vcs = self.network.class_vcs(kind)
        keep = self.network.vc_mode == "KEEP"
        return [
            vc
            for vc in vcs
            if not self.outputs[out][vc].busy and (not keep or vc == i % self.network.vcs)
        ]

    def _preferred(self, out: int, may: list[int]) -> int:
        """Return the lowest of some VCs, of those that are home if any is."""
        home = [vc for vc in may if self.outputs[out][vc].credit == self.network.depth]
        return min(home or may)

    def _allocate_switch(
        self, ask: set[int], route: dict[int, int], offer: dict[int, int]
    ) -> dict[int, tuple[int, int]]:
        """Return the input VCs that send a flit across, and to which output port and VC."""
        net = self.network
        each = net.vcs // net.ways
        asking: dict[int, dict[int, tuple[int, int]]] = {}
        for way in range(self.ins * net.ways):
            able = {}
            for place in range(each):
                i = way * each + place
                one = self.inputs[i]
                now = i in offer and net.stages == 1
                out, to = self._out(i, ask, route), offer[i] if now else one.vc
                ready = one.queue and (one.active or now) and i not in self.stopped
                if ready and self.outputs[out][to].credit > 0:
                    able[place] = (out, to)
            if able:
                place = self.way_arbiter[way].pick(able)
                out, to = able[place]
                asking.setdefault(out, {})[way] = (place, to)
        taken = {}
        for out, those in asking.items():
            way = self.port_arbiter[out].pick(those)
            self.port_arbiter[out].use(way)
            place, to = those[way]
            self.way_arbiter[way].use(place)
            taken[way * each + place] = (out, to)
        return taken

    def _end(
        self,
        ask: set[int],
        ahead: set[int],
        route: dict[int, int],
        offer: dict[int, int],
        taken: dict[int, tuple[int, int]],
        arriving: list[OnLink | None],
        credits: list[set[int]],
    ) -> None:
        """Give all registers the values of the next clock."""
        vcs = self.network.vcs
        outs = {i: self._out(i, ask, route) for i in offer}
        searching = {i for i, one in enumerate(self.inputs) if one.queue and not one.active}
        for i, vc in offer.items():
            self.outputs[outs[i]][vc].busy = True
        self.sent = [None] * self.outs
        self.back = [set() for _ in range(self.ins)]
        for i, one in enumerate(self.inputs):
            tail = i in taken and one.queue[0].tail
            if (i in ahead and i in taken) or (
                i in ask and not (i in offer and self.network.stages == 3)
            ):
                one.port = route[i]
            if i in offer:
                one.vc = offer[i]
            one.active = not tail and (one.active or i in offer)
            one.routed = i in ahead if tail else one.routed or i in searching
        for i, (out, to) in taken.items():
            flit = self.inputs[i].queue.popleft()
            self.back[i // vcs].add(i % vcs)
            if flit.index == 0:
                flit = replace(flit, hops=(*flit.hops, out + 1))
            self.sent[out] = OnLink(flit, to)
            self.outputs[out][to].credit -= 1
            if flit.tail:
                self.outputs[out][to].busy = False
        for out, home in enumerate(credits):
            for vc in home:
                self.outputs[out][vc].credit += 1
        for port, link in enumerate(arriving):
            if link:
                self.inputs[port * vcs + link.vc].queue.append(link.flit)
        if self.generator:
            self.generator.step()

    def _free(self, port: int, i: int, kind: int) -> bool:
        return bool(self._may(port, i, kind))

    def _draw(self, i: int) -> int:
        assert self.generator
        return self.generator.draw(self.first_lane + i)
