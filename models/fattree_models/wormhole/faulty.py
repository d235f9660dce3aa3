"""The wormhole network whose cables break, as plain objects, after `docs/faults.md`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fattree_models.common.checks import BoolArray
from fattree_models.traffic import Packets
from fattree_models.wormhole.item import Answer
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.outages import Outages
from fattree_models.wormhole.plain.leaf import Leaf, Sending
from fattree_models.wormhole.plain.network import Reference
from fattree_models.wormhole.plain.switch import Flit, OnLink, OutputVc, Switch
from fattree_models.wormhole.trace import Trace
from fattree_models.wormhole.wiring import Switches

POISON = 0x7FFF
"""Place of the flit that ends a packet whose tail does not come."""

ON_THE_LINK, CUT_SHORT, DISCARDED = "on the link", "cut short", "discarded"
UNROUTABLE, TURNED = "unroutable", "turned"
REASONS = (ON_THE_LINK, CUT_SHORT, DISCARDED, UNROUTABLE, TURNED)


def poison(flit: Flit) -> Flit:
    """Return what ends the packet of a flit."""
    return replace(flit, index=POISON, tail=True)


@dataclass
class End:
    """What an end of a cable knows of it: see `docs/faults.md`."""

    dead: bool = False  # as it has detected; not a register
    down: bool = False
    clean: bool = False

    @property
    def known(self) -> bool:
        """Whether the cable is not used."""
        return self.dead or self.down

    def clock(self, empty: bool, all_home: bool) -> None:
        """Go on by a clock; `all_home` if all credits are on the link, from the other end."""
        known, ready = self.known, not self.dead and self.clean
        self.down = known and not (ready and all_home)
        self.clean = known and not self.dead and empty


class FaultySwitch(Switch):
    """A switch that knows which of its ports are dead.

    `lost` is what became of heads that were discarded in the clock just past: packets and reasons.
    """

    def __init__(
        self, network: Network, switches: Switches, place: int, seed: int, local: bool
    ) -> None:
        self.around = local or network.routing in ("ADAPTIVE", "TWO")
        super().__init__(network, switches, place, seed)

    def reset(self) -> None:
        """Set all registers to what they are after a reset."""
        super().reset()
        self.ends = [End() for _ in range(self.outs)]
        self.open: dict[int, Flit] = {}  # by input VC: the last flit of a packet that has no tail
        self.discard: set[int] = set()
        self.doomed: set[int] = set()  # whose port was dead when it was asked for ahead
        self.lost: list[tuple[int, str]] = []

    def hear(self, dead: Sequence[bool]) -> None:
        """Begin a clock in which these ports are dead, as was detected."""
        for end, each in zip(self.ends, dead, strict=True):
            end.dead = bool(each)

    def room(self, port: int) -> int:
        """Return whether an output port has room; a dead one has none."""
        return 0 if self.ends[port].known else super().room(port)

    def _routes(self) -> tuple[set[int], set[int], dict[int, int]]:
        """Return routes, among live ports; find what begins to be discarded."""
        ask, ahead, route = super()._routes()
        route = {i: self._alive(out) for i, out in route.items()}
        self.begins: dict[int, str] = {}
        for i, one in enumerate(self.inputs):
            if i in self.discard:
                continue
            if one.active and self.ends[one.port].known:
                self.begins[i] = DISCARDED
            elif one.queue and not one.active:
                choice, above = route.get(i, one.port), self.router.m
                if self.ends[choice].known:
                    self.begins[i] = UNROUTABLE if i in ask or i in self.doomed else DISCARDED
                elif i // self.network.vcs >= above and choice >= above:
                    self.begins[i] = TURNED
        self.stopped = self.discard | set(self.begins)
        return ask, ahead, route

    def _alive(self, out: int) -> int:
        """Return the route, or the next live parent if that is a dead one."""
        m, p = self.router.m, self.router.p
        if self.around and out >= m:
            around = [m + (out - m + k) % p for k in range(p)]
            return next((port for port in around if not self.ends[port].known), out)
        return out

    def _may(self, out: int, i: int, kind: int) -> list[int]:
        if i in self.stopped or self.ends[out].known:
            return []
        return super()._may(out, i, kind)

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
        vcs, known = self.network.vcs, [end.known for end in self.ends]
        empty = [
            not any(one.queue for one in self.inputs[p * vcs : (p + 1) * vcs])
            for p in range(self.ins)
        ]
        drops = {i for i in self.stopped if self.inputs[i].queue}
        before = {i: (self.inputs[i].active, self.inputs[i].port) for i in self.begins}
        heard = [None if dead else link for dead, link in zip(known, arriving, strict=True)]
        counted = [set() if dead else home for dead, home in zip(known, credits, strict=True)]
        super()._end(ask, ahead, route, offer, taken, heard, counted)
        for i, (active, port) in before.items():
            if not active:  # as one that is granted, but no VC
                self.inputs[i].active, self.inputs[i].vc = True, -1
                if self.network.stages == 3:
                    self.inputs[i].port = port
        self._drop(drops, ahead, route)
        self.doomed = {i for i in ahead & (drops | set(taken)) if known[route[i]]}
        for port, (end, home) in enumerate(zip(self.ends, credits, strict=True)):
            self._listen(port, heard[port], known[port])
            if known[port]:
                self.outputs[port] = [OutputVc(self.network.depth) for _ in range(vcs)]
                self.sent[port] = None
            end.clock(empty[port], len(home) == vcs)

    def _drop(self, drops: set[int], ahead: set[int], route: dict[int, int]) -> None:
        """Take a flit from each input VC that discards and has one."""
        self.lost = []
        ended = set()
        for i in drops:
            one = self.inputs[i]
            flit = one.queue.popleft()
            self.back[i // self.network.vcs].add(i % self.network.vcs)
            if flit.index == 0:
                self.lost.append((flit.packet, self.begins[i]))
            if flit.tail:
                one.active, one.routed = False, i in ahead
                one.port = route[i] if i in ahead else one.port
                ended.add(i)
        self.discard = set(self.stopped) - ended

    def _listen(self, port: int, link: OnLink | None, known: bool) -> None:
        """Note whether packets that come in have ended; poison those that never will."""
        vcs = self.network.vcs
        if link is not None:
            self.open.pop(port * vcs + link.vc, None)
            if not link.flit.tail:
                self.open[port * vcs + link.vc] = link.flit
        for i in range(port * vcs, (port + 1) * vcs) if known else ():
            if i in self.open:
                self.inputs[i].queue.append(poison(self.open.pop(i)))


@dataclass
class LeafEnd(End):
    """The end of a leaf's cable, next to the leaf; counts are by VC.

    `owed`: flits of the leaf whose credit it has not got; `away`: those of them that the switch has
    to give; `lent`: flits that the leaf got, and whose credit it has not given.
    """

    vcs: int = 1
    open: dict[int, Flit] = field(default_factory=dict)
    inside: set[int] = field(default_factory=set)  # VCs in which the leaf is inside a packet
    skip: set[int] = field(default_factory=set)  # whose rest is swallowed
    owed: list[int] = field(init=False)
    away: list[int] = field(init=False)
    lent: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.owed, self.away, self.lent = ([0] * self.vcs for _ in range(3))

    def to_leaf(self, link: OnLink | None) -> OnLink | None:
        """Return what comes to the leaf: of a dead cable poison, for one VC a clock."""
        if not self.known:
            return link
        vc = min(self.open, default=None)
        return None if vc is None else OnLink(poison(self.open[vc]), vc)

    def to_switch(self, sent: OnLink | None) -> OnLink | None:
        """Return what of the leaf's flit comes onto the cable."""
        return None if self.known or (sent and sent.vc in self.skip) else sent

    def credits(self, home: set[int]) -> set[int]:
        """Return the credits that the leaf gets: those that come, or its own."""
        own = {v for v in range(self.vcs) if self.owed[v] > (0 if self.known else self.away[v])}
        return own if self.known else own | home

    def go_on(
        self, sent: OnLink | None, seen: OnLink | None, home: set[int], back: set[int]
    ) -> None:
        """Go on by a clock, in which these were on the wires of the leaf, and of the cable."""
        known, given = self.known, self.credits(home)
        forth = self.to_switch(sent)
        empty = not any(self.lent) and not self.open
        for v in range(self.vcs):
            self.owed[v] += (sent is not None and sent.vc == v) - (v in given)
            away = self.away[v] + (forth is not None and forth.vc == v) - (v in home)
            self.away[v] = 0 if known else away
            self.lent[v] += (seen is not None and seen.vc == v) - (v in back)
        if seen is not None:
            self.open.pop(seen.vc, None)
            if not seen.flit.tail:
                self.open[seen.vc] = seen.flit
        if sent is not None:
            (self.inside.discard if sent.flit.tail else self.inside.add)(sent.vc)
            if sent.flit.tail:
                self.skip.discard(sent.vc)
        if known:
            self.skip = set(self.inside)
        self.clock(empty, len(home) == self.vcs)


class FaultyReference(Reference):
    """A wormhole network that runs, and whose cables break in the clocks of an item.

    Parameters
    ----------
    network, seed, answer : as of Reference
    outages : Outages

    Attributes
    ----------
    lost : dict of packet to (clock, reason)
        What became of the head of each packet that is lost; `CUT_SHORT`: the head arrived.
    """

    def __init__(
        self, network: Network, outages: Outages, seed: int = 1, answer: Answer | None = None
    ) -> None:
        self.outages, self.on = outages, False
        self.lost: dict[int, tuple[int, str]] = {}
        super().__init__(network, seed, answer)

    @property
    def inside(self) -> bool:
        """Whether a flit or a reply is in the network or in a leaf, or a packet holds something."""
        lanes = [one for switch in self.switches for one in switch.inputs]
        leaves = [part for x in self.leaves for part in (*x.held, x.sent, *x.replies)]
        sent = [link for switch in self.switches for link in switch.sent]
        return any(one.queue or one.active for one in lanes) or any((*leaves, *sent))

    def switch(self, parts: Switches, place: int, seed: int) -> Switch:
        """Return one of its switches."""
        return FaultySwitch(self.network, parts, place, seed, self.outages.local)

    def load(self, packets: Packets) -> None:
        """Begin an item: the next clock is its clock 0."""
        super().load(packets)
        self.lost = {}

    def run(
        self,
        clocks: int,
        resets: Collection[int] = (),
        stall: BoolArray | None = None,
        may_send: bool = True,
        record: bool = True,
    ) -> Trace:
        """Run a burst; cables are dead only where leaves may send: in an item.

        All is recorded, always: `record` is there as in Simulation.
        """
        self.on = may_send
        return super().run(clocks, resets, stall, may_send)

    def _reset(self) -> None:
        super()._reset()
        self.ends = [LeafEnd(vcs=self.network.vcs) for _ in range(self.network.leaves)]

    def _arrive(self) -> None:
        """Find which cables are dead in this clock, and what is on those of leaves."""
        none = np.zeros(len(self.outputs), np.bool_)
        self.cut = self.outages.cut_in(self.now) if self.on else none
        dead: BoolArray = self.outages.known_in(self.now) if self.on else none
        for place, switch in enumerate(self.switches):
            assert isinstance(switch, FaultySwitch)
            first = int(self.wiring.switches.first_out[place])
            switch.hear(dead[first : first + switch.outs].tolist())
        for x, (leaf, end) in enumerate(zip(self.leaves, self.ends, strict=True)):
            port = self.to_leaf[x]
            end.dead = bool(dead[port])
            self.far[x] = end.to_leaf(self._flit(port))
            self.near[x] = self._told(port, end, leaf.back)

    def _told(self, link: int, end: End, back: set[int]) -> set[int]:
        """Return the credits that an end has on a link."""
        if self.cut[link]:
            return set()
        if end.known:
            return set(range(self.network.vcs)) if end.clean and not end.dead else set()
        return back

    def _flit(self, link: int) -> OnLink | None:
        """Return what is on a link; a leaf's own is that between the leaf and its end."""
        if link < len(self.outputs) and self.cut[link]:
            return None
        return super()._flit(link)

    def _credits(self, link: int) -> set[int]:
        """Return the credits on a link."""
        target = int(self.wiring.target[link])
        if target < 0:
            return self.near[-1 - target]
        switch, port = self.inputs[target]
        assert isinstance(switch, FaultySwitch)
        told = self._told(target, switch.ends[port], switch.back[port])
        if link < len(self.outputs):
            return told
        return self.ends[link - len(self.outputs)].credits(told)

    def _clock(self, stall: BoolArray | None, may_send: bool) -> None:
        """Go on by a clock; all look at links as they are before anybody changes them."""
        self._lose()
        ports, parts = len(self.outputs), self.wiring.switches
        flits = [self._flit(link) for link in range(ports)]
        credits = [self._credits(link) for link in range(ports + len(self.leaves))]
        for x, end in enumerate(self.ends):
            forth = end.to_switch(self.leaves[x].sent)
            flits.append(None if self.cut[self.to_leaf[x]] else forth)
        homes = [self._home(x) for x in range(len(self.leaves))]
        for place, switch in enumerate(self.switches):
            feeders = self.feeder[parts.first_in[place] : parts.first_in[place] + switch.ins]
            links = range(parts.first_out[place], parts.first_out[place] + switch.outs)
            switch.clock([flits[link] for link in feeders], [credits[link] for link in links])
        for x, (leaf, end) in enumerate(zip(self.leaves, self.ends, strict=True)):
            stalled = stall is not None and bool(stall[x])
            sent, seen, back = leaf.sent, self.far[x], leaf.back
            reply = self._reply(seen.flit) if seen else None
            leaf.clock(self.now, seen, credits[ports + x], stalled, may_send, reply)
            end.go_on(sent, seen, homes[x], back)
            self._note(leaf)
        for switch in self.switches:
            assert isinstance(switch, FaultySwitch)
            for packet, why in switch.lost:
                self.lost[packet] = (self.now, why)

    def _home(self, x: int) -> set[int]:
        """Return the credits on a leaf's cable, at the end of the leaf."""
        switch, port = self.inputs[int(self.wiring.target[len(self.outputs) + x])]
        assert isinstance(switch, FaultySwitch)
        at = int(self.wiring.target[len(self.outputs) + x])
        return self._told(at, switch.ends[port], switch.back[port])

    def _lose(self) -> None:
        """Note heads that are on dead cables."""
        gone = [self.outputs[p][0].sent[self.outputs[p][1]] for p in np.flatnonzero(self.cut)]
        for x, (leaf, end) in enumerate(zip(self.leaves, self.ends, strict=True)):
            if self.cut[self.to_leaf[x]] or end.known:
                gone.append(leaf.sent)
        for link in gone:
            if link is not None and link.flit.index == 0:
                self.lost[link.flit.packet] = (self.now, ON_THE_LINK)

    def _note(self, leaf: Leaf) -> None:
        if leaf.arrived is not None and leaf.arrived.index == POISON:
            self.lost[leaf.arrived.packet] = (self.now, CUT_SHORT)
            leaf.arrived = None
        super()._note(leaf)

    def _reply(self, flit: Flit) -> Sending | None:
        return None if flit.index == POISON else super()._reply(flit)
