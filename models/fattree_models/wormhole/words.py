"""The words of flits: data, head and tail marks, lists of hops; and hashes of them and of credits.

Words, and what is compiled to hash them, are in one file: numba's cache does not see changes in
other files.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, UInt64Array
from fattree_models.common.compiling import compiled, inlined
from fattree_models.common.fat_tree import vectors
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.traffic.packets import places_in_runs
from fattree_models.wormhole import kernel
from fattree_models.wormhole.item import Item
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.trace import Trace
from fattree_models.wormhole.wiring import Wiring

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX = np.uint64(0x7100E935FE3A771B)  # see docs/wormhole.md
LOW, HALF = np.uint64(kernel.MASK32), np.uint64(32)


@dataclass(frozen=True, eq=False)
class Written:
    """What is written on the links of a trace; all [clocks, links], 0 without a flit.

    Parameters
    ----------
    data : uint64 array
    head, tail : bool arrays
    hops : uint64 array [clocks, links, parts]
        The list of hops, its lowest 64 bits first.
    """

    data: UInt64Array
    head: BoolArray
    tail: BoolArray
    hops: UInt64Array


class Words:
    """Tells the words of an item, burst by burst: it remembers the hops of packets on their way.

    Parameters
    ----------
    network : Network
    wiring : Wiring
    item : Item

    Raises
    ------
    ValueError
        If a word has no room for addresses, or for the number of a packet.
    """

    def __init__(self, network: Network, wiring: Wiring, item: Item) -> None:
        self.network, self.wiring, self.item = network, wiring, item
        self.links = wiring.links + (network.leaves if network.long else 0)
        self.address_bits, self.leaf_bits = address_bits(network), (network.leaves - 1).bit_length()
        spare = network.width - self.leaf_bits
        self.number_bits = min(spare - self.address_bits - 1, spare - 7)
        if self.number_bits < 1:
            raise ValueError(f"width: is {network.width}; allowed are more, for numbers of packets")
        self.hop_bits = int(wiring.switches.outs.max()).bit_length()
        owner = wiring.switches
        port = np.arange(int(owner.outs.sum())) - np.repeat(owner.first_out, owner.outs)
        self.hop = port[wiring.told_out] + 1
        self.hops_bits = bits = self.hop_bits * _most_hops(network, wiring)
        self._way = [0] * item.source.size
        self._room, self.parts = (1 << bits) - 1, (bits + 63) // 64
        self.room = np.uint64(self._room >> 64 * (self.parts - 1))  # of the highest part
        self.mask = np.uint64((1 << network.width) - 1)
        self.fold = np.uint64((network.width + 1) // 2)
        self._columns()

    def _columns(self) -> None:
        """Work out what the words of each packet are made of."""
        item, net = self.item, self.network
        listed = places_in_runs(item.packets.source)
        again = np.arange(item.source.size) % max(len(item.packets), 1)
        owner = item.source[again].astype(np.uint64)
        number = listed[again].astype(np.uint64) & np.uint64((1 << self.number_bits) - 1)
        kind, a, n = item.kind.astype(np.uint64), self.address_bits, self.leaf_bits
        address = item.address
        if net.address == "VECTOR":
            assert isinstance(net.tree, Xgft)
            address = vectors.encode(net.tree, item.destination)
        head = address.astype(np.uint64) | item.source.astype(np.uint64) << np.uint64(a)
        head |= kind << np.uint64(a + n)
        self.head = (head | (number * MIX ^ head) << np.uint64(a + n + 1)) & self.mask
        self.body = owner | kind << np.uint64(n) | number << np.uint64(n + 7)

    def _data(self, packet: Int64Array | Int32Array, index: UInt64Array) -> UInt64Array:
        body = _body_word(self.body[packet], index, self.leaf_bits, self.mask, self.fold)
        data: UInt64Array = np.where(index == 0, self.head[packet], body)
        return data

    def of(self, trace: Trace) -> Written:
        """Return the words of the next burst of the item."""
        row, link = np.nonzero(trace.packet >= 0)
        packet, index = trace.packet[row, link], trace.index[row, link].astype(np.uint64)
        shape = trace.packet.shape
        written = Written(
            np.zeros(shape, np.uint64),
            np.zeros(shape, np.bool_),
            np.zeros(shape, np.bool_),
            np.zeros((*shape, self.parts), np.uint64),
        )
        written.data[row, link] = self._data(packet, index)
        written.head[row, link] = index == 0
        written.tail[row, link] = index + np.uint64(1) == self.item.flits[packet].astype(np.uint64)
        heads = index == 0
        for r, place, p in np.stack((row, link, packet), 1)[heads].tolist():
            if place < self.hop.size:
                way = self._way[p] << self.hop_bits | int(self.hop[place])
                self._way[p] = way & self._room
            elif place < self.wiring.links:
                self._way[p] = 0
            for part in range(self.parts):
                written.hops[r, place, part] = self._way[p] >> 64 * part & 2**64 - 1
        return written


def address_bits(network: Network) -> int:
    """Return the bits of an address.

    Examples
    --------
    >>> from fattree_models.common.fat_tree import kary
    >>> address_bits(Network(tree=kary(4, 3)))
    6
    """
    if network.address == "VECTOR" and isinstance(network.tree, Xgft):
        return vectors.bits(network.tree)
    paths = network.tables.paths if network.tables is not None else 1
    return int(network.leaves * paths - 1).bit_length()


def _most_hops(network: Network, wiring: Wiring) -> int:
    """Return how many hops a list has room for."""
    levels = np.unique(wiring.switches.level).size
    if not isinstance(network.tree, Xgft):
        return max(2, levels)
    if not network.turnback:
        return max(2, getattr(network.tree, "longest", 2 * levels - 1))
    lateral = {"1": 1, "MANY": 6}[network.lateral]
    return 2 * levels + 1 + (lateral if network.root_links and network.routing == "TBWP" else 0)


def hashes(trace: Trace, words: Words) -> UInt64Array:
    """Return hashes of a burst, the next one of `words`, as flit_recorder.v works them out.

    Returns
    -------
    uint64 array [lanes + words of lanes]
        A lane is a VC of a link; links are those of the trace, but for far ends of links that are
        not long.  First the flits of each lane: the sum, modulo 2^64, of their words, each times
        the weight of its row and its place, see `weights`.  Words are, 32 bits each, in this order:
        data (1 or 2), the list of hops of a head, lowest bits first.  Above the first one, from bit
        32 on, are tail, head, and a one.
        Then the credits of 32 lanes at a time, as bits of a word, times the weight of the row.
    """
    written, network = words.of(trace), words.network
    links, vcs = words.links, network.vcs
    weight = weights(0, len(trace.vc), network.width, words.hops_bits)
    row, link = np.nonzero(trace.vc[:, :links] >= 0)
    lane = link * vcs + trace.vc[row, link]
    head = written.head[row, link]
    data, hops = written.data[row, link], written.hops[row, link] * head[:, None].astype(np.uint64)
    marks = head * np.uint64(2) + written.tail[row, link] + np.uint64(4)
    each = [data & LOW | marks << HALF, *([data >> HALF] * (network.width > 32))]
    parts = (part for column in hops.T for part in (column & LOW, column >> HALF))
    each += [part for part, _ in zip(parts, range(weight.shape[1] - len(each)), strict=False)]
    flits = np.zeros(links * vcs, np.uint64)
    np.add.at(flits, lane, sum(part * weight[row, k] for k, part in enumerate(each)))
    bits = trace.credits[:, :links, None] >> np.arange(vcs, dtype=np.uint8) & np.uint8(1)
    credits = bits.reshape(len(bits), -1).astype(np.uint64) * weight[:, :1]
    return np.concatenate((flits, _joined(credits.sum(0, dtype=np.uint64))))


def _joined(lanes: UInt64Array) -> UInt64Array:
    """Return sums of 32 numbers at a time, each times 2 to the power of its place there."""
    rows = np.pad(lanes, (0, -lanes.size % 32)).reshape(-1, 32)
    joined: UInt64Array = (rows << np.arange(32, dtype=np.uint64)).sum(1, dtype=np.uint64)
    return joined


def weights(first: int, rows: int, width: int, hops_bits: int) -> UInt64Array:
    """Return the weights of the words of rows of a burst, from one on.

    Returns
    -------
    uint64 array [rows, words of data + words of hops]
        With next(x) = (y ^ y >> 32) | 1, y = x 0x9E3779B97F4A7C15 modulo 2^64, those of row r are
        next(next(r + 1)), next of that, and so on: each is odd, so that no difference of a single
        word vanishes; of two it does with a probability of 2^-22 or less.
    """
    count = -(-width // 32) - (-hops_bits // 32)
    found = np.empty((rows, count), np.uint64)
    word = _next(np.arange(first + 1, first + 1 + rows, dtype=np.uint64))
    for place in range(count):
        found[:, place] = word = _next(word)
    return found


def _next(word: UInt64Array) -> UInt64Array:
    word = word * GOLDEN
    found: UInt64Array = word ^ word >> np.uint64(32) | np.uint64(1)
    return found


def _body_word(body: Any, index: Any, leaf_bits: int, mask: np.uint64, fold: np.uint64) -> Any:
    """Return what is written in a flit behind the head, or in many: even its lowest bits vary."""
    word = body | (index & np.uint64(63)) << np.uint64(leaf_bits + 1)
    for _ in range(2):
        word = (word * MIX & mask) ^ (word * MIX & mask) >> fold
    return word


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
        wiring, links = words.wiring, words.wiring.links + words.network.leaves
        self.data = np.zeros(0, np.uint64) if data is None else data
        self.first = np.cumsum(words.item.flits) - words.item.flits
        self.words, self.shift = words, rules.shift
        told = np.arange(words.links)
        told[: wiring.told_out.size] = wiring.told_out
        self.lanes = ((told << rules.shift)[:, None] + np.arange(rules.vcs)).reshape(-1)
        self.hop = np.zeros(links, np.int64)  # 0: from a leaf; -1: the far end
        self.hop[wiring.told_out] = words.hop
        self.hop[wiring.links :] = -1
        self.way = np.zeros((words.item.source.size, words.parts), np.uint64)
        self.sums = np.zeros((2, links << rules.shift), np.uint64)  # of flits, of credits
        self.weights = self._weights(512)

    def _weights(self, rows: int) -> UInt64Array:
        return weights(0, rows, self.words.network.width, self.words.hops_bits)

    def add(self, log: kernel.Log, row: int, clocks: int) -> None:
        """Add so many clocks, which were logged, from a row of the burst on."""
        if row + clocks > len(self.weights):
            self.weights = self._weights(2 * (row + clocks))
        words, weight = self.words, self.weights[row : row + clocks]
        _add_flits(
            *(log.flits, log.ends, weight, words.network.width, self.shift, self.hop, self.data),
            *(self.first, words.head, words.body, words.leaf_bits, words.mask, words.fold),
            *(self.way, words.hop_bits, words.room, self.sums[0]),
        )
        _add_credits(log.credits, log.ends, weight, self.sums[1])

    def result(self) -> UInt64Array:
        """End a burst; return its hashes."""
        found = np.zeros(self.lanes.size + -(-self.lanes.size // 32), np.uint64)
        _gather(self.sums, self.lanes, found)
        self.sums[:] = 0
        return found


_word = inlined(_body_word)


@compiled
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
    fold: np.uint64,
    way: UInt64Array,
    hop_bits: int,
    room: np.uint64,
    lanes: UInt64Array,
) -> None:
    """Add flits, and their heads' hops to `way`."""
    half, low = np.uint64(32), np.uint64(kernel.MASK32)
    for row in range(weight.shape[0]):
        for f in range(np.uint64(ends[row, 0]), np.uint64(ends[row + 1, 0])):
            lane, flit = np.uint64(flits[f, 0]), flits[f, 1]
            p, index = flit >> kernel.PACKET, flit >> kernel.INDEX & 0x7FFF
            if data.size:
                word = data[first[p] + index]
            elif index == 0:
                word = heads[p]
            else:
                word = _word(bodies[p], np.uint64(index), leaf_bits, mask, fold)
            h = weight[row, 0] * (np.uint64(flit & 3 | 4) << half | word & low)
            place = 1
            if width > 32:
                h += weight[row, 1] * (word >> half)
                place = 2
            if index == 0:
                at = hop[np.uint64(flits[f, 0] >> shift)]
                if at >= 0:
                    _shift(way, p, at, hop_bits, room)
                for k in range(weight.shape[1] - place):
                    part = way[np.uint64(p), k >> 1]
                    h += weight[row, place + k] * (part >> half if k & 1 else part & low)
            lanes[lane] += h


@compiled
def _add_credits(
    credits: Int64Array, ends: Int64Array, weight: UInt64Array, lanes: UInt64Array
) -> None:
    for row in range(weight.shape[0]):
        for c in range(np.uint64(ends[row, 1]), np.uint64(ends[row + 1, 1])):
            lanes[np.uint64(credits[c])] += weight[row, 0]


@compiled
def _gather(sums: UInt64Array, lanes: Int64Array, found: UInt64Array) -> None:
    """Put sums in the order of `hashes`."""
    for place in range(lanes.size):
        found[place] = sums[0, lanes[place]]
        found[lanes.size + (place >> 5)] += sums[1, lanes[place]] << np.uint64(place & 31)


@inlined
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
