"""Hashes of links over a burst, straight from what the compiled network logs."""

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.xgft.wormhole import kernel
from fattree_models.xgft.wormhole.words import (
    CREDIT,
    UInt64Array,
    Words,
    body_word,
    flit_hash,
    weights,
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

    def add(self, log: kernel.Log, row: int, clocks: int) -> None:
        """Add so many clocks, which were logged, from a row of the burst on."""
        words = self.words
        weight = weights(row, clocks, words.network.width, words.hops_bits)
        _add_flits(
            *(log.flits, log.ends, weight, words.network.width, self.shift, self.hop, self.data),
            *(self.first, words.head, words.body, words.leaf_bits, words.mask),
            *(self.way, words.hop_bits, words.room, self.hash),
        )
        _add_credits(log.credits, log.ends, weight, self.shift, self.hash)

    def result(self) -> UInt64Array:
        """Return the hashes of the burst, in the order of a trace."""
        told = np.empty_like(self.hash)
        told[self.place] = self.hash
        if self.near is not None:
            told[-self.near.size :] = told[self.near]
        return told


@kernel.compiled
def _add_flits(
    flits: Int64Array,
    ends: Int64Array,
    weight: UInt64Array,
    width: int,
    shift: int,
    hop: Int64Array,
    data: UInt64Array,
    first: Int64Array,
    heads: UInt64Array,
    bodies: UInt64Array,
    leaf_bits: int,
    mask: np.uint64,
    way: UInt64Array,
    hop_bits: int,
    room: np.uint64,
    links: UInt64Array,
) -> None:
    """Add flits, and their heads' hops to `way`."""
    vcs, one = (1 << shift) - 1, np.uint64(1)
    for row in range(weight.shape[0]):
        for f in range(np.uint64(ends[row, 0]), np.uint64(ends[row + 1, 0])):
            link, flit = np.uint64(flits[f, 0] >> shift), flits[f, 1]
            p, index = flit >> kernel.PACKET, flit >> kernel.INDEX & 0x7FFF
            marks = one << np.uint64(flits[f, 0] & vcs) | np.uint64(flit & 3) << np.uint64(4)
            if data.size:
                word = data[first[p] + index]
            elif index == 0:
                word = heads[p]
            else:
                word = body_word(bodies[p], np.uint64(index), leaf_bits, mask)
            if index == 0 and hop[link] >= 0:
                _shift(way, p, hop[link], hop_bits, room)
            links[link] += flit_hash(weight, row, width, marks, word, way, p)


@kernel.compiled
def _add_credits(
    credits: Int64Array, ends: Int64Array, weight: UInt64Array, shift: int, links: UInt64Array
) -> None:
    vcs = (1 << shift) - 1
    for row in range(weight.shape[0]):
        for c in range(np.uint64(ends[row, 1]), np.uint64(ends[row + 1, 1])):
            link = np.uint64(credits[c] >> shift)
            links[link] += weight[row, 0] << (CREDIT + np.uint64(credits[c] & vcs))


@kernel.inlined
def _shift(way: UInt64Array, p: int, hop: int, bits: int, room: np.uint64) -> None:
    """Put a hop into the list of packet p, or clear it for one that leaves its leaf (0)."""
    last = way.shape[1] - 1
    if hop == 0:
        for part in range(last + 1):
            way[p, part] = 0
        return
    up, down = np.uint64(bits), np.uint64(64 - bits)
    for part in range(last, 0, -1):
        way[p, part] = way[p, part] << up | way[p, part - 1] >> down
    way[p, 0] = way[p, 0] << up | np.uint64(hop)
    way[p, last] &= room
