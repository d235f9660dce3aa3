"""One leaf, as a plain object: a source, a sink, the replies between them."""

from collections import deque
from dataclasses import dataclass

from fattree_models.wormhole.item import Answer
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.plain.routes import Head
from fattree_models.wormhole.plain.switch import Flit, OnLink


@dataclass(frozen=True)
class Sending:
    """A packet that a leaf may send."""

    packet: int
    release: int
    flits: int
    head: Head
    vcs: range


class Leaf:
    """A leaf.

    `sent` is what is on its link out, `back`, a set of VCs, the credits on its link in.  `began`
    and `arrived` tell of the clock just past: the packet begun, and the flit seen.
    """

    def __init__(self, network: Network, answer: Answer | None) -> None:
        self.network, self.answer = network, answer
        self.packets: deque[Sending] = deque()
        self.reset()

    def reset(self) -> None:
        """Set all registers to what they are after a reset; the list of packets stays."""
        vcs = range(self.network.vcs)
        self.credit = [self.network.depth for _ in vcs]
        self.held: list[tuple[Sending, int] | None] = [None for _ in vcs]
        self.turn = 0
        self.due = [0 for _ in vcs]
        self.replies: deque[Sending] = deque()
        self.sent: OnLink | None = None
        self.back: set[int] = set()
        self.began = -1
        self.arrived: Flit | None = None

    def clock(
        self,
        now: int,
        arriving: OnLink | None,
        credits: set[int],
        stalled: bool,
        may_send: bool,
        reply: Sending | None,
    ) -> None:
        """Go on by a clock.

        Parameters
        ----------
        now : int
            Clock of the item.
        arriving : OnLink or None
            What is on the link in.
        credits : set of int
            VCs whose credit is on the link out.
        stalled, may_send : bool
            No credit is given back; flits may be sent.
        reply : Sending or None
            What answers `arriving`, if that is the tail of a request.
        """
        waiting = len(self.replies)  # as it stands, whatever is begun in this clock
        self._source(now, credits, may_send)
        self._sink(arriving, stalled, waiting)
        if reply:
            self.replies.append(reply)

    def _source(self, now: int, credits: set[int], may_send: bool) -> None:
        last, self.sent, self.began = self.sent.vc if self.sent else -1, None, -1
        able = [v for v, held in enumerate(self.held) if held and self.credit[v] > 0]
        if may_send and able:
            self._send(last if last in able else able[0])
        elif may_send:
            wanted = self.packets[0] if self.packets and self.packets[0].release <= now else None
            reply = self.replies[0] if self.replies else None
            first, second = self._best(wanted), self._best(reply)
            if second is not None and (self.turn == 1 or first is None):
                self._begin(self.replies.popleft(), second, 0)
            elif first is not None:
                self._begin(self.packets.popleft(), first, 1)
        for v in credits:
            self.credit[v] += 1

    def _best(self, packet: Sending | None) -> int | None:
        """Return the VC in which a packet would start."""
        if packet is None:
            return None
        able = [v for v in packet.vcs if self.held[v] is None and self.credit[v] > 0]
        return max(able, key=lambda v: self.credit[v], default=None)

    def _begin(self, packet: Sending, vc: int, turn: int) -> None:
        self.held[vc] = (packet, 0)
        self.turn, self.began = turn, packet.packet
        self._send(vc)

    def _send(self, vc: int) -> None:
        held = self.held[vc]
        assert held
        packet, index = held
        tail = index == packet.flits - 1
        self.sent = OnLink(Flit(packet.packet, index, tail, packet.head), vc)
        self.credit[vc] -= 1
        self.held[vc] = None if tail else (packet, index + 1)

    def _sink(self, arriving: OnLink | None, stalled: bool, waiting: int) -> None:
        self.back = set()
        self.arrived = arriving.flit if arriving else None
        requests = self.network.class_vcs(0)
        held = self.answer is not None and waiting >= self.answer.limit
        for v in range(self.network.vcs):
            self.due[v] += arriving is not None and arriving.vc == v
            if self.due[v] and not stalled and not (held and v in requests):
                self.due[v] -= 1
                self.back.add(v)
