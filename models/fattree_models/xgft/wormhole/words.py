"""The words of flits: data, head and tail marks, lists of hops; and a hash of them by link."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.traffic.packets import places_in_runs
from fattree_models.xgft import vectors
from fattree_models.xgft.topology import Xgft
from fattree_models.xgft.wormhole.item import Item
from fattree_models.xgft.wormhole.kernel import compiled, inlined
from fattree_models.xgft.wormhole.network import Network
from fattree_models.xgft.wormhole.trace import Trace
from fattree_models.xgft.wormhole.wiring import Wiring

UInt64Array = npt.NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MARKS, TAIL, HEAD, CREDIT = np.uint64(32), np.uint64(16), np.uint64(32), np.uint64(38)
"""Where marks begin; bits of them; where credits begin."""


@dataclass(frozen=True, eq=False)
class Written:
    """What is written on the links of a trace; all [clocks, links], 0 where there is no flit.

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
        self._columns()

    def _columns(self) -> None:
        """Work out what the words of each packet are made of."""
        item, net = self.item, self.network
        count = len(item.packets)
        listed = places_in_runs(item.packets.source)
        again = np.arange(item.source.size) % max(count, 1)
        owner = item.source[again].astype(np.uint64)
        mask = np.uint64((1 << self.number_bits) - 1)
        number = listed[again].astype(np.uint64) & mask
        kind, n = item.kind.astype(np.uint64), self.leaf_bits
        address = item.address
        if net.address == "VECTOR":
            assert isinstance(net.tree, Xgft)
            address = vectors.encode(net.tree, item.destination)
        a = self.address_bits
        head = address.astype(np.uint64) | item.source.astype(np.uint64) << np.uint64(a)
        head |= kind << np.uint64(a + n)
        self.head = head | ((number * GOLDEN ^ head) & mask) << np.uint64(a + n + 1)
        self.body = owner | kind << np.uint64(n) | number << np.uint64(n + 7)

    def _data(self, packet: Int64Array | Int32Array, index: UInt64Array) -> UInt64Array:
        body = _body_word(self.body[packet], index, self.leaf_bits, self.mask)
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
    >>> from fattree_models.xgft import kary
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
        return max(2, 2 * levels - 1)
    lateral = {"1": 1, "MANY": 6}[network.lateral]
    return 2 * levels + 1 + (lateral if network.root_links and network.routing == "TBWP" else 0)


def hashes(trace: Trace, words: Words) -> UInt64Array:
    """Return a hash of each link over a burst, the next one of `words`.

    Returns
    -------
    uint64 array [links]
        0 for a link on which nothing was.

    Notes
    -----
    The sum, modulo 2^64, of words, each times the weight of its row and its place, see `weights`.
    Words are, 32 bits each, in this order: data (1 or 2), the list of hops of a head, lowest bits
    first.  Above the first one, from bit 32 on, are the VC of the flit, one-hot in 4 bits; tail;
    head; the credits of the link.
    """
    written, width = words.of(trace), words.network.width
    weight = weights(0, len(trace.vc), width, words.hops_bits)
    links = np.zeros(trace.vc.shape[1], np.uint64)
    _hashes(
        *(weight, width, trace.vc.astype(np.int64), trace.credits, written.data),
        *(written.head, written.tail, written.hops.reshape(-1, words.parts), links),
    )
    return links


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


def _body_word(body: Any, index: Any, leaf_bits: int, mask: np.uint64) -> Any:
    """Return what is written in a flit behind the head, or in many; all uint64."""
    return (body | (index & np.uint64(63)) << np.uint64(leaf_bits + 1)) * GOLDEN & mask


body_word = inlined(_body_word)


@inlined
def flit_hash(
    weight: UInt64Array,
    row: int,
    width: int,
    marks: np.uint64,
    data: np.uint64,
    hops: UInt64Array,
    which: int,
) -> np.uint64:
    """Return the hash of a flit in a row; of a head with its hops, one of rows of parts."""
    low, half, r = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(row)
    h = weight[r, 0] * (marks << MARKS | data & low)
    place = 1
    if width > 32:
        h += weight[r, 1] * (data >> half)
        place = 2
    if marks & HEAD:
        for k in range(weight.shape[1] - place):
            part = hops[np.uint64(which), k >> 1]
            h += weight[r, place + k] * (part >> half if k & 1 else part & low)
    return np.uint64(h)


@compiled
def _hashes(
    weight: UInt64Array,
    width: int,
    vc: Int64Array,
    credits: npt.NDArray[np.uint8],
    data: UInt64Array,
    head: BoolArray,
    tail: BoolArray,
    hops: UInt64Array,
    links: UInt64Array,
) -> None:
    for row in range(vc.shape[0]):
        for link in range(vc.shape[1]):
            if vc[row, link] >= 0:
                marks = np.uint64(1) << np.uint64(vc[row, link])
                if tail[row, link]:
                    marks |= TAIL
                if head[row, link]:
                    marks |= HEAD
                which = row * vc.shape[1] + link
                links[link] += flit_hash(weight, row, width, marks, data[row, link], hops, which)
            links[link] += weight[row, 0] * np.uint64(credits[row, link]) << CREDIT
