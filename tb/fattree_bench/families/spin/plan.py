"""What must become of the packets of an item."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fattree_bench.bench.levels import LATENCY, Supplied
from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet
from fattree_bench.bench.links.flit.sent import FlitLink, Mask, Seen, Sent, TimedPlan, passing
from fattree_bench.bench.path.heads import Heads
from fattree_bench.bench.suspects import Attribute, flag
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.receiving import LENGTH_AT, Receiver, head_of
from fattree_models import spin
from fattree_models.common.checks import Int64Array, UInt64Array
from fattree_models.traffic import Packets

FLIPS = 64  # of a terminal in an item: rows of stim_flip in spin_player.v
SETTLED = 400  # clocks after which a damaged packet has left the network for long


class Flip(NamedTuple):
    """Bits that change on the link of a terminal into a plane.

    Attributes
    ----------
    terminal : whose link.
    word : of those that it sends in the item, from 0 on.
    mask : bits of the word.
    plane : 0, or the responses' plane.
    """

    terminal: int
    word: int
    mask: int
    plane: int = 0


class SpinSet(PacketSet):
    """Packets, bits that change on their way into the network, gaps within packets."""

    def __init__(
        self, packets: Packets, family: str, flips: tuple[Flip, ...] = (), gaps: bool = False
    ) -> None:
        super().__init__(packets, family)
        self.flips, self.gaps = flips, gaps


def supplied(network: SpinNetwork) -> Supplied:
    """Every latency has a bound; no order: packets of a pair may take several ways."""
    return Supplied((LATENCY,), path=network.exact, exact=network.exact)


def link_of(network: SpinNetwork) -> FlitLink:
    """What the link's own checks must know."""

    def place(i: int, _: bool) -> str:
        plane, at = divmod(i, len(network.places))
        if plane == network.planes:
            return f"terminal {at}"
        return f"plane {plane} {network.places[at]}"

    return FlitLink(
        leaves=network.leaves, words=network.words, room=4, class_vcs=(1, 1), place=place
    )


class SpinPlan(TimedPlan):
    """An item on its way through SPIN.

    Attributes
    ----------
    receiver : of the words that come out.
    heads : those that were seen on links inside.
    damaged : bool [sent], packets whose bits change.
    endangered : bool [sent], packets behind those whose trailer became a header: with the end
        of the packet before them lost, they cannot be trusted.
    odd : of every word of these an odd number does, so that parity is wrong.
    """

    network: SpinNetwork

    def __init__(self, network: SpinNetwork, link: FlitLink, item: PacketSet) -> None:
        super().__init__(network, link, item)
        sent = self.sent
        sent.address = sent.flits << LENGTH_AT | sent.destination  # heads also give the length
        self.stored = 0  # packets that went into shared buffers
        self.receiver = Receiver(network.words)

        def read(words: UInt64Array, heads: Mask, answered: bool) -> Any:
            head = head_of(words.astype(np.int64) & spin.codec.DATA).astype(np.uint64)
            return network.words.read(head, heads, answered)

        self.heads = Heads(network.structure, len(network.outputs), read)
        self.damaged: Mask = np.zeros(len(sent), np.bool_)
        self.endangered = self.damaged.copy()
        flips = getattr(item, "flips", ())
        self.odd = all(flip.mask.bit_count() % 2 for flip in flips)
        for flip in flips:
            first = sent.first_flit[sent.starts[flip.terminal]]
            hit = int(sent.packet_of(first + flip.word))
            self.damaged[hit] = True
            if flip.mask & (spin.BEGIN | spin.END) == spin.BEGIN | spin.END:
                self.endangered[hit + 1 : hit + 2] = True
        self.seen = SpinSeen(sent, self.damaged, self.endangered)

    @property
    def hops(self) -> Int64Array:
        """Routers that each listed packet passes."""
        return self.network.hop_count(self.sent.source, self.sent.destination)

    def attributes(self) -> list[Attribute]:
        """Its ends, and its way, as heads on links gave it."""
        hops = self.heads.hops()
        size = len(self.sent), int(hops.hop.max(initial=0)) + 1
        ways = [hops.by_packet(column, *size) for column in (hops.level, hops.node, hops.port)]
        damaged = Attribute("had bits changed by the bench", flag(self.damaged))
        return [*super().attributes(), damaged, *passing(*ways)]


class SpinSeen(Seen):
    """What was seen of an item; damaged packets are not waited for when they are long flagged."""

    def __init__(self, sent: Sent, damaged: Mask, endangered: Mask) -> None:
        super().__init__(sent)
        self.damaged, self.endangered = damaged, endangered

    def take(self, captured: FlitCaptured) -> None:
        """Which packets were begun when."""
        super().take(captured)
        if self.damaged.any():
            lost = self.damaged | self.endangered & ~self.whole()
            self.gone |= lost & (self.injected >= 0) & (self.injected + SETTLED <= captured.first)


def damage(rng: np.random.Generator, bits: int) -> int:
    """A mask of so many bits of a word."""
    chosen = rng.permutation(spin.WORD_BITS)[:bits]
    return sum(1 << int(bit) for bit in chosen)
