"""Which output port a head takes at a switch: ROUTE of the contract."""

from collections.abc import Callable
from dataclasses import dataclass

from fattree_models.wormhole.network import FREE, Network
from fattree_models.wormhole.plain.spread import Before
from fattree_models.wormhole.wiring import DOWN, PLAIN, UP, Switches


@dataclass(frozen=True)
class Head:
    """What a switch reads of a head: destination and address, sender, class."""

    leaf: int
    address: int
    source: int
    kind: int


class Router:
    """Finds routes at one switch.

    Parameters
    ----------
    network : Network
    switches : Switches
    place : int
        Which of these it is.
    room : function (output port) -> int
        Whether one of its VCs is not busy and has a credit.
    free : function (output port, input VC, class) -> bool
        Whether there is a VC that is not busy and that the packet may have.
    draw : function (input VC) -> int
        The 16 random bits of this clock.
    """

    def __init__(
        self,
        network: Network,
        switches: Switches,
        place: int,
        room: Callable[[int], int],
        free: Callable[[int, int, int], bool],
        draw: Callable[[int], int],
    ) -> None:
        self.network = network
        self.room, self.free, self.draw = room, free, draw
        columns = ("role", "level", "number", "children", "parents", "roots")
        self.role, self.level, self.number, self.m, self.p, self.r = (
            int(getattr(switches, name)[place]) for name in columns
        )
        self.unit, self.span, self.group = (
            int(getattr(switches, name)[place]) for name in ("unit", "span", "group")
        )
        tables = network.tables
        self.table = None if tables is None else tables.ports[self.level][self.number]
        self.before = Before(network, self.level, self.number, self.m, self.p, room, draw)

    @property
    def hold(self) -> bool:
        """Whether a packet asks once, and keeps the answer."""
        if self.role == UP:
            return self.p == 0 and self.r > 0 and self.network.lateral == "MANY"
        return self.role == DOWN or self.network.routing not in FREE

    def route(self, i: int, head: Head) -> int:
        """Return the output port for a head at the front of input VC `i`."""
        if self.table is not None:
            return int(self.table[head.address])
        if self.role == UP:
            return self._turn_or_climb(i, head)
        climbs = self.p > 0 and not self._below(head)
        if self.role == PLAIN and self.network.climb == "TOP":
            climbs = self.p > 0 and i // self.network.vcs < self.m
        if climbs:
            return self.m + self._parent(i, head)
        return head.leaf // self.unit % self.m

    def _below(self, head: Head) -> bool:
        return head.leaf // self.span == self.number // self.group

    def _parent(self, i: int, head: Head) -> int:
        routing, p = self.network.routing, self.p
        if routing in ("DMODK", "SMODK"):
            leaf = head.leaf if routing == "DMODK" else head.source
            return leaf // self.group % p
        if (known := self.before.parent(i, head.source, head.leaf)) is not None:
            return known
        r = self.draw(i)
        first = r * p >> 16
        if routing == "RANDOM":
            return first
        if routing == "TWO":
            other = (r & 255) * p >> 8
            return other if self.room(self.m + other) > self.room(self.m + first) else first
        around = [(first + k) % p for k in range(p)]
        return max(around, key=lambda each: self.room(self.m + each))

    def _turn_or_climb(self, i: int, head: Head) -> int:
        net, ahead = self.network, self.p + self.r
        is_open = [self.free(o, i, head.kind) for o in range(ahead + net.tbch)]
        onward = any(is_open[:ahead])
        if self.p == 0 and net.lateral == "MANY":
            onward = self.r > 0
        if self.p == 0 and net.lateral == "1" and i // net.vcs >= self.m:
            onward = False
        turn = self._below(head)
        if net.routing == "TBWP" and not any(is_open[ahead:]) and onward:
            turn = False
        first, count = (ahead, net.tbch) if turn else (0, ahead)
        start = self.draw(i) * count >> 16
        around = [first + (start + k) % count for k in range(count)]
        return max(around, key=lambda o: (is_open[o], self.room(o)))
