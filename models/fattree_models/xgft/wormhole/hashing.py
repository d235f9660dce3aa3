"""Hashes of links over a burst, straight from what the compiled network logs."""

import numpy as np
from numba import njit

from fattree_models.common.checks import Int64Array
from fattree_models.xgft.wormhole import kernel
from fattree_models.xgft.wormhole.words import (
    UInt64Array,
    Words,
    body_word,
    credit_hash,
    flit_hash,
    mix,
)


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
        what `words` says.  These are worked out as they are seen: there may be millions.
    """

    def __init__(self, words: Words, rules: kernel.Rules, data: UInt64Array | None = None) -> None:
        wiring, leaves = words.wiring, words.network.leaves
        self.data = np.zeros(0, np.uint64) if data is None else data
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
        self.clear()

    def clear(self) -> None:
        """Begin a burst."""
        self.hash = np.zeros(self.place.size, np.uint64)

    def add(self, log: kernel.Log, origin: int) -> None:
        """Add what was logged; `origin` is the clock of row 0 of the burst."""
        words = self.words
        _add_flits(
            *(log.flits[: log.used[0]], origin, self.shift, self.hop, self.data, self.first),
            *(words.head, words.body, words.leaf_bits, words.mask, words.item.flits),
            *(self.way, words.hop_bits, words.room, self.hash),
        )
        _add_credits(log.credits[: log.used[1]], origin, self.shift, self.hash)

    def result(self) -> UInt64Array:
        """Return the hashes of the burst, in the order of a trace."""
        told = np.empty_like(self.hash)
        told[self.place] = self.hash
        if self.near is not None:
            told[-self.near.size :] = told[self.near]
        return told


@njit(cache=True, nogil=True)
def _add_flits(
    flits: Int64Array,
    origin: int,
    shift: int,
    hop: Int64Array,
    data: UInt64Array,
    first: Int64Array,
    heads: UInt64Array,
    bodies: UInt64Array,
    leaf_bits: int,
    mask: np.uint64,
    length: Int64Array,
    way: UInt64Array,
    hop_bits: int,
    room: np.uint64,
    links: UInt64Array,
) -> None:
    """Add flits, and their heads' hops to `way`."""
    vcs, one, tail = (1 << shift) - 1, np.uint64(1), np.uint64(16)
    for f in range(flits.shape[0]):
        link, flit = flits[f, 1] >> shift, flits[f, 2]
        p, index = flit >> kernel.PACKET, flit >> kernel.INDEX & 0x7FFF
        marks = one << np.uint64(flits[f, 1] & vcs)
        if index == length[p] - 1:
            marks |= tail
        if data.size:
            word = data[first[p] + index]
        else:
            later = body_word(bodies[p], np.uint64(index), leaf_bits, mask)
            word = heads[p] if index == 0 else later
        h = flit_hash(flits[f, 0] - origin, marks, word, index == 0)
        if index == 0:
            if hop[link] >= 0:
                _shift(way[p], hop[link], hop_bits, room)
            for part in range(way.shape[1]):
                h = mix(h ^ way[p, part])
        links[link] += h


@njit(cache=True, nogil=True)
def _add_credits(credits: Int64Array, origin: int, shift: int, links: UInt64Array) -> None:
    vcs = (1 << shift) - 1
    for c in range(credits.shape[0]):
        links[credits[c, 1] >> shift] += credit_hash(credits[c, 0] - origin, credits[c, 1] & vcs)


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
