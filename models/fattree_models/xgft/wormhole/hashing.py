"""Hashes of links over a burst, straight from what the compiled network logs."""

import numpy as np
from numba import njit

from fattree_models.common.checks import Int64Array
from fattree_models.xgft.wormhole import kernel
from fattree_models.xgft.wormhole.words import PRIME, UInt64Array, Words


class Hasher:
    """Hashes as `hashes` does, without a trace; it remembers the hops of packets on their way.

    Parameters
    ----------
    words : Words
        Of the item.
    rules : kernel.Rules
        Of the network.
    data : uint64 array [flits], optional
        What is written in the flits of all packets, one packet behind the other, if that is not
        what `words` says.
    """

    def __init__(self, words: Words, rules: kernel.Rules, data: UInt64Array | None = None) -> None:
        wiring, leaves = words.wiring, words.network.leaves
        self.data = words.data() if data is None else data
        self.first = np.cumsum(words.item.flits) - words.item.flits
        self.words, self.shift = words, rules.shift
        links = wiring.links + leaves
        self.place = np.arange(links)
        self.place[wiring.told_out] = np.arange(wiring.told_out.size)
        self.hop = np.zeros(links, np.int64)  # 0: from a leaf; -1: the far end
        self.hop[wiring.told_out] = words.hop
        self.hop[wiring.links :] = -1
        self.near = None if words.network.long else self.place[wiring.feeder[-leaves:]]
        self.way = np.zeros((words.item.source.size, words.parts), np.uint64)
        self.pending = (
            np.zeros((links, 2), np.uint64),
            np.full(links, -1),
            np.zeros(links, np.int64),
        )
        self.clear()

    def clear(self) -> None:
        """Begin a burst."""
        self.hash = np.zeros(self.place.size, np.uint64)

    def add(self, log: kernel.Log, origin: int) -> None:
        """Add what was logged; `origin` is the clock of row 0 of the burst."""
        words, (marks, owner, touched) = self.words, self.pending
        _add(
            log.flits[: log.used[0]],
            log.credits[: log.used[1]],
            origin,
            self.shift,
            self.hop,
            self.data,
            self.first,
            words.item.flits,
            self.way,
            words.hop_bits,
            words.room,
            self.hash,
            marks,
            owner,
            touched,
        )

    def result(self) -> UInt64Array:
        """Return the hashes of the burst, in the order of a trace."""
        told = np.empty_like(self.hash)
        told[self.place] = self.hash
        if self.near is not None:
            told[-self.near.size :] = told[self.near]
        return told


@njit(cache=True, nogil=True)
def _add(
    flits: Int64Array,
    credits: Int64Array,
    origin: int,
    shift: int,
    hop: Int64Array,
    data: UInt64Array,
    first: Int64Array,
    length: Int64Array,
    way: UInt64Array,
    hop_bits: int,
    room: np.uint64,
    links: UInt64Array,
    marks: UInt64Array,
    owner: Int64Array,
    touched: Int64Array,
) -> None:
    """Add clock by clock.  `marks` [links, 2]: marks and data of this clock; `owner`: heads."""
    one = np.uint64(1)
    f, c, vcs = 0, 0, (1 << shift) - 1
    while f < flits.shape[0] or c < credits.shape[0]:
        now = flits[f, 0] if f < flits.shape[0] else credits[c, 0]
        if c < credits.shape[0]:
            now = min(now, credits[c, 0])
        count = 0
        while f < flits.shape[0] and flits[f, 0] == now:
            link, vc, flit = flits[f, 1] >> shift, flits[f, 1] & vcs, flits[f, 2]
            f += 1
            touched[count] = link
            count += 1
            p, index = flit >> kernel.PACKET, flit >> kernel.INDEX & 0x7FFF
            bits = one << np.uint64(vc)
            if index == length[p] - 1:
                bits |= np.uint64(1 << 8)
            if index == 0:
                bits |= np.uint64(1 << 9)
                owner[link] = p
                if hop[link] >= 0:
                    _shift(way[p], hop[link], hop_bits, room)
            marks[link, 0], marks[link, 1] = bits, data[first[p] + index]
        while c < credits.shape[0] and credits[c, 0] == now:
            link, vc = credits[c, 1] >> shift, credits[c, 1] & vcs
            c += 1
            if marks[link, 0] == 0:
                touched[count] = link
                count += 1
            marks[link, 0] |= one << np.uint64(vc + 4)
        for k in range(count):
            link = touched[k]
            h = (links[link] ^ np.uint64(now - origin + 1)) * PRIME
            h = (h ^ marks[link, 0]) * PRIME
            h = (h ^ marks[link, 1]) * PRIME
            for part in range(way.shape[1]):
                h = (h ^ (way[owner[link], part] if owner[link] >= 0 else np.uint64(0))) * PRIME
            links[link] = h
            marks[link, 0], marks[link, 1], owner[link] = 0, 0, -1


@njit(cache=True, nogil=True)
def _shift(way: UInt64Array, hop: int, bits: int, room: np.uint64) -> None:
    """Put a hop into a list, or clear it for one that leaves its leaf (0)."""
    if hop == 0:
        way[:] = 0
        return
    up, down = np.uint64(bits), np.uint64(64 - bits)
    for part in range(way.size - 1, 0, -1):
        way[part] = way[part] << up | way[part - 1] >> down
    way[0] = way[0] << up | np.uint64(hop)
    way[way.size - 1] &= room
