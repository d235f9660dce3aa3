"""What a switch remembers of packets before: ECMP, RR, FLOWLET and DRILL of the contract."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.wormhole.network import Network


class Ends(Protocol):
    """What is read of a head."""

    @property
    def leaf(self) -> int: ...

    @property
    def source(self) -> int: ...


class Vc(Protocol):
    """What is read of an output VC."""

    credit: int


def step(x: int) -> int:
    """Return xorshift32 of a word."""
    x ^= x << 13 & 0xFFFFFFFF
    x ^= x >> 17
    return x ^ x << 5 & 0xFFFFFFFF


def rol(x: int, places: int) -> int:
    """Return a word of 32 bits turned to the left."""
    return x << places & 0xFFFFFFFF | x >> 32 - places


class Before:
    """Registers of a switch, and the parents that follow from them.

    Parameters
    ----------
    level, number, m, p : int
        Where the switch is, its children and parents.
    room : function (output port) -> int
        Whether it has room.
    draw : function (input VC) -> int
        The 16 random bits of this clock.
    """

    def __init__(
        self,
        network: Network,
        level: int,
        number: int,
        m: int,
        p: int,
        room: Callable[[int], int],
        draw: Callable[[int], int],
    ) -> None:
        self.network, self.m, self.p, self.room, self.draw = network, m, p, room, draw
        tree, self.salt = network.tree, 0
        if network.salt == "OWN" and network.routing in ("ECMP", "FLOWLET"):
            assert isinstance(tree, Xgft)
            self.salt = number + sum(tree.level_size(k) for k in range(tree.first, level))
        self.reset(())

    def reset(self, outputs: Sequence[Sequence[Vc]]) -> None:
        """Forget everything; `outputs` [output ports][VCs] are the registers of outputs."""
        self.outputs, self.now = outputs, 0
        ports = range(self.m + self.p)
        self.place, self.kept = [0 for _ in ports], [0 for _ in ports]
        self.start = [port % max(self.p, 1) for port in ports]
        self.flows: dict[int, tuple[int, int]] = {}

    def parent(self, i: int, source: int, leaf: int) -> int | None:
        """Return the parent of a packet at input VC `i`; None: it is chosen as with ADAPTIVE."""
        routing, p, one = self.network.routing, self.p, i // self.network.vcs
        if routing == "ECMP":
            return (self._hash(source, leaf) >> 16) * p >> 16
        if routing == "RR":
            even = p in (1, 2, 4, 8, 16, 32, 64)
            return self.place[one] ^ self.start[one] if even else sum(self._turn(one)) % p
        if routing == "DRILL":
            r = self.draw(one * self.network.vcs)
            three = {self.kept[one], r * p >> 16, (r & 255) * p >> 8}
            return min(three, key=lambda c: (-self.room(self.m + c), self._away(c), c))
        flow = self._hash(source, leaf) % self.network.entries
        if routing == "FLOWLET" and flow in self.flows:
            parent, when = self.flows[flow]
            return parent if self.now - when <= self.network.gap else None
        return None

    def clock(self, granted: Mapping[int, tuple[int, Ends]]) -> None:
        """Go on by a clock in which input VCs were given VCs of these ports, for these heads."""
        for i, (port, head) in sorted(granted.items()):
            if port >= self.m and self.network.routing in ("RR", "FLOWLET", "DRILL"):
                self._note(i // self.network.vcs, port - self.m, head)
        self.now += 1

    def _note(self, one: int, parent: int, head: Ends) -> None:
        self.kept[one] = parent
        flow = self._hash(head.source, head.leaf) % self.network.entries
        self.flows[flow] = (parent, self.now)
        self.place[one] += 1
        if self.place[one] == self.p:
            self.place[one] = 0
            self.start[one] = self.draw(one * self.network.vcs) * self.p >> 16

    def _turn(self, one: int) -> tuple[int, int]:
        return self.place[one], self.start[one]

    def _away(self, parent: int) -> int:
        return sum(self.network.depth - vc.credit for vc in self.outputs[self.m + parent])

    def _hash(self, source: int, leaf: int) -> int:
        salt = self.salt ^ self.salt << 11 ^ self.salt << 22 & 0xFFFFFFFF
        word = step(source * 65536 + leaf ^ salt)
        return step(word ^ rol(word, 1) & rol(word, 8))
