"""What the flits of tb/fattree_bench/bench/links/flit/hdl/flit_source.v say of themselves."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fattree_bench.bench.links.payload import MIX, Words
from fattree_models.common.checks import BoolArray, Int64Array, UInt64Array

INDEX_BITS = 6  # flits of a packet are numbered modulo 64
MAX_FLITS = 1 << INDEX_BITS
ROUNDS = 2  # of mixing, for words as even as random ones
UNMIX = pow(MIX, -1, 1 << 64)  # modulo a smaller power of two it undoes the smaller product


@dataclass(frozen=True)
class FlitTags:
    """Whose flits they are: int64 arrays [flits].

    Attributes
    ----------
    owner : node in whose list the packet is, or whose request it answers.
    number : of the packet in that list, modulo 2^number_bits.
    index : of the flit in its packet, modulo 64.
    reply : bool, the packet's class.
    source, address : of head flits; -1 elsewhere.
    """

    owner: Int64Array
    number: Int64Array
    index: Int64Array
    reply: BoolArray
    source: Int64Array
    address: Int64Array


@dataclass(frozen=True)
class FlitWords:
    """Reads words; widths in bits as in flit_source.v, `paths` addresses a node.

    A head's upper bits give its number, and what its lower bits say; bits of another flit's tag
    above the number must be zero.  `read` tells.  `masked`: the lower bits vary with the number.
    """

    width: int
    address_bits: int
    node_bits: int
    number_bits: int
    paths: int
    masked: bool = False

    @property
    def header_bits(self) -> int:
        return self.address_bits + self.node_bits + 1

    @cached_property
    def unmix(self) -> tuple[np.uint64, np.uint64]:
        """What undoes the product of a number in a head, and in the word of another flit."""
        return (np.uint64(UNMIX % (1 << self.number_bits)), np.uint64(UNMIX % (1 << self.width)))

    def write(
        self,
        number: Int64Array,
        index: Int64Array,
        reply: BoolArray,
        owner: Int64Array,
        source: Int64Array,
        address: Int64Array,
        corner: BoolArray | None = None,
    ) -> UInt64Array:
        """The words of flits, uint64 [flits]; the arrays are those of FlitTags, all given.

        `corner`: bool [flits], of packets whose bodies are of words that no tag is; None: of none.
        """
        shift, unique = np.uint64(self.node_bits + 1), number.astype(np.uint64)
        unique &= _mask(self.number_bits)
        kind = reply.astype(np.uint64) << np.uint64(self.node_bits)
        header = (kind | source.astype(np.uint64)) << np.uint64(self.address_bits)
        header |= address.astype(np.uint64)
        mixed = self._mixed(unique, header)
        header = header ^ self._mask(mixed) | mixed << np.uint64(self.header_bits)
        tag = unique << np.uint64(INDEX_BITS) | index.astype(np.uint64) & _mask(INDEX_BITS)
        body = np.asarray(tag << shift | kind | owner.astype(np.uint64), np.uint64)
        for _ in range(ROUNDS):
            body = self._folded(body * np.uint64(MIX))
        if corner is not None:
            body = np.where(corner, self._corners(number, index >> 1, body), body)
        return np.where(index == 0, header, body) & _mask(self.width)

    def _mixed(self, number: UInt64Array, rest: UInt64Array) -> UInt64Array:
        """The upper bits of heads."""
        return (number * np.uint64(MIX) ^ rest) & _mask(self.width - self.header_bits)

    def _mask(self, mixed: UInt64Array) -> UInt64Array:
        """What the lower bits of heads are changed by: the highest of their upper bits."""
        rest = self.width - self.header_bits
        if not self.masked:
            return np.zeros_like(mixed)
        return mixed >> np.uint64(max(0, rest - self.header_bits)) & _mask(self.header_bits)

    def _folded(self, words: UInt64Array) -> UInt64Array:
        """Words with their upper half on the lower: the lowest bits of a product say little."""
        low = words & _mask(self.width)
        return low ^ low >> np.uint64((self.width + 1) // 2)

    def _corners(self, number: Int64Array, pair: Int64Array, tags: UInt64Array) -> UInt64Array:
        """Zero, all ones, one bit set, one clear, or the tag; `pair`: the same of two flits."""
        kind = (number ^ pair) & 7
        place = ((number & 7) * 8 + (pair & 7) + number) & 63
        one = np.uint64(1) << place.astype(np.uint64) & _mask(self.width)
        words = (np.uint64(0), _mask(64), one, ~one)
        return np.select([kind == i for i in range(4)], words, tags)

    def read(self, words: Words, head: BoolArray, answered: bool) -> tuple[FlitTags, BoolArray]:
        """What words [flits] say, and for which of them it cannot be true.

        `answered`: packets of class 1 are replies, owned by the node that they go to.
        """
        tag = words.astype(np.uint64)
        for _ in range(ROUNDS):
            tag = self._folded(tag) * self.unmix[1] & _mask(self.width)
        owner = (tag & _mask(self.node_bits)).astype(np.int64)
        tag >>= np.uint64(self.node_bits)
        reply = (tag & np.uint64(1)).astype(np.bool_)
        index = ((tag >> np.uint64(1)) & _mask(INDEX_BITS)).astype(np.int64)
        tag >>= np.uint64(1 + INDEX_BITS)
        number = (tag & _mask(self.number_bits)).astype(np.int64)
        wrong = tag > _mask(self.number_bits)
        source = np.full(len(words), -1, np.int64)
        address = source.copy()
        at = np.flatnonzero(head)
        if at.size:
            header = words[at].astype(np.uint64)
            mixed = header >> np.uint64(self.header_bits)
            rest = header & _mask(self.header_bits) ^ self._mask(mixed)
            address[at] = rest & _mask(self.address_bits)
            source[at] = rest >> np.uint64(self.address_bits) & _mask(self.node_bits)
            reply[at] = rest >> np.uint64(self.address_bits + self.node_bits)
            unique = ((mixed ^ rest) * self.unmix[0]) & _mask(self.number_bits)
            wrong[at] = mixed != self._mixed(unique, rest)
            number[at] = unique
            index[at] = 0
            owner[at] = source[at]
            if answered:
                answers = at[reply[at]]
                owner[answers] = address[answers] // self.paths
        return FlitTags(owner, number, index, reply, source, address), wrong


def _mask(bits: int) -> np.uint64:
    return np.uint64((1 << bits) - 1)
