"""Words as they come out of SPIN: checked by the model's codec, as flits of their packets.

The player sends words of the flit link; on their way into the network a head becomes a header, and
a tail the trailer with the check.  Here they become again what was sent, so that each names itself.
A packet that is flagged is none: it is kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.resets import spans
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_models import spin
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.spin.codec import DATA, LENGTH

LENGTH_AT = 8  # of the length in a head of the player, above the destination
ADDRESS_BITS = 13  # destination and length
USERS = (1 << LENGTH - LENGTH_AT) - 1  # what is left in a header for its users
TAIL, HEAD, VC = 1, 2, 4  # marks of the flit link
# The player's marks and bits of the word that each stands for.
MARKS = ((TAIL, spin.END), (HEAD, spin.BEGIN), (1 << 6, spin.ERROR), (1 << 7, spin.PARITY))


def head_of(header: Int64Array) -> Int64Array:
    """Heads of the player, of the data of headers: int64 arrays."""
    users = header >> LENGTH_AT & USERS
    return users << ADDRESS_BITS | header >> LENGTH << LENGTH_AT | header & 255


@dataclass(frozen=True)
class Flagged:
    """A packet that came with something wrong.

    Attributes
    ----------
    leaf : where; first, last : clocks of its words.
    packet : what it is to the model.
    """

    leaf: int
    first: int
    last: int
    packet: spin.Received


@dataclass
class Words:
    """Words of 36 bits that came out of the network: int64 arrays [words]; of a leaf in order."""

    leaf: Int64Array
    clock: Int64Array
    word: Int64Array

    def __len__(self) -> int:
        return len(self.word)

    def select(self, which: BoolArray) -> Words:
        return Words(self.leaf[which], self.clock[which], self.word[which])


def _none() -> Words:
    return Words(*np.zeros((3, 0), np.int64))


@dataclass
class Receiver:
    """Takes the words of an item burst by burst; words of a packet wait for its last.

    Attributes
    ----------
    flagged : packets that came with something wrong, so far.
    """

    words: FlitWords
    flagged: list[Flagged] = field(default_factory=list)
    _waiting: Words = field(default_factory=_none)

    def take(self, captured: FlitCaptured) -> FlitCaptured:
        """The flits of sound packets that are complete now, as the player sent them."""
        clock, leaf = np.nonzero(captured.side)
        side = captured.side[clock, leaf].astype(np.int64)
        word = captured.data[clock, leaf].astype(np.int64)
        for mark, bit in MARKS:
            word |= np.where(side & mark, bit, 0)
        came = Words(leaf, clock + captured.first, word)
        found = []
        for begin, stop in spans(captured):  # what waits where a pulse begins is gone
            there = (came.clock >= begin) & (came.clock < stop)
            found += self._sound(came.select(there), anew=begin >= 0)
        return self._told(captured, found)

    def rest(self) -> None:
        """No word will come any more: what waits is not whole."""
        for leaf in np.unique(self._waiting.leaf):
            self._judge(self._waiting.select(self._waiting.leaf == leaf), last=True)
        self._waiting = _none()

    def _sound(self, came: Words, anew: bool = False) -> list[Words]:
        """Sound packets among these words and those that wait; none waits afterwards."""
        if not anew:
            old = self._waiting
            came = Words(
                *(np.r_[getattr(old, k), getattr(came, k)] for k in ("leaf", "clock", "word"))
            )
        self._waiting = _none()
        if not len(came):
            return []
        order = np.lexsort((came.clock, came.leaf))
        came = Words(came.leaf[order], came.clock[order], came.word[order])
        group = _groups(came)
        good, ended = _good(came, group)
        # A leaf has its packets looked at one by one if any is not as it should be.
        odd = np.zeros(int(came.leaf.max()) + 1, np.bool_)
        first = np.flatnonzero(np.diff(group, prepend=-1))
        last_one = np.diff(came.leaf[first], append=-1) != 0
        odd[came.leaf[first[~good & (ended | ~last_one)]]] = True
        held = odd[came.leaf]
        found = [came.select(good[group] & ~held)]
        for leaf in np.flatnonzero(odd):
            found += self._judge(came.select(came.leaf == leaf))
        open_ones = came.select(~ended[group] & ~held)
        self._waiting = Words(
            *(
                np.r_[getattr(self._waiting, k), getattr(open_ones, k)]
                for k in ("leaf", "clock", "word")
            )
        )
        return found

    def _judge(self, words: Words, last: bool = False) -> list[Words]:
        """Sound packets of a leaf; what is not whole waits, with what it may be a part of."""
        given = words.word.tolist()
        spans = spin.spans(given)
        whole = len(spans)
        while not last and whole and not spin.ended(given[slice(*spans[whole - 1])]):
            whole -= 1
        found = []
        place = np.arange(len(words))
        for (start, stop), packet in zip(spans[:whole], spin.receive(given), strict=False):
            if packet.flags:
                clocks = int(words.clock[start]), int(words.clock[stop - 1])
                self.flagged.append(Flagged(int(words.leaf[0]), *clocks, packet))
            else:
                found.append(words.select((place >= start) & (place < stop)))
        left = words.select(place >= (spans[whole][0] if whole < len(spans) else len(words)))
        self._waiting = Words(
            *(np.r_[getattr(self._waiting, k), getattr(left, k)] for k in ("leaf", "clock", "word"))
        )
        return found

    def _told(self, captured: FlitCaptured, found: list[Words]) -> FlitCaptured:
        """The flits of these packets, in an array from the first of their clocks on."""
        first = min((int(w.clock.min()) for w in found if len(w)), default=captured.first)
        rows = captured.first + len(captured.side) - first
        side = np.zeros((rows, captured.side.shape[1]), captured.side.dtype)
        data = np.zeros((rows, captured.data.shape[1]), captured.data.dtype)
        for part in found:
            if len(part):
                at = part.clock - first, part.leaf
                side[at] = _marks(part.word)
                data[at] = self._data(part)
        return replace(captured, first=first, side=side, data=data)

    def _data(self, sound: Words) -> Int64Array:
        """What the player sent: heads for headers, and the word that each trailer stands for."""
        data = sound.word & DATA
        start = np.flatnonzero(sound.word & spin.BEGIN)
        stop = np.flatnonzero(sound.word & spin.END)
        data[start] = head_of(data[start])
        tags, _ = self.words.read(
            data[start].astype(np.uint64), np.ones(len(start), np.bool_), answered=False
        )
        tails = self.words.write(
            tags.number, stop - start, tags.reply, tags.owner, tags.source, tags.address
        )
        data[stop] = tails.astype(np.int64)
        return data


def _marks(word: Int64Array) -> Int64Array:
    """Head, tail and virtual channel, as the flit link tells them."""
    head = np.where(word & spin.BEGIN, HEAD, 0)
    return head | np.where(word & spin.END, TAIL, 0) | VC


def _groups(words: Words) -> Int64Array:
    """Of each word the number of its packet, by begin and end marks and leaves."""
    start = (words.word & spin.BEGIN) != 0
    start[0] = True
    start[1:] |= (words.word[:-1] & spin.END) != 0
    start[1:] |= words.leaf[1:] != words.leaf[:-1]
    return np.cumsum(start) - 1


def _good(words: Words, group: Int64Array) -> tuple[BoolArray, BoolArray]:
    """Which packets are sound, and which have an end mark."""
    word, data = words.word, words.word & DATA
    first = np.flatnonzero(np.diff(group, prepend=-1))
    last = np.r_[first[1:], len(group)] - 1
    size = last - first + 1
    even = np.bitwise_count(word) % 2 == 0
    even &= (word & spin.ERROR) == 0
    ended = (word[last] & spin.END) != 0
    good = np.logical_and.reduceat(even, first) & ended
    good &= (word[first] & spin.BEGIN) != 0
    good &= (size >= 2) & (size <= spin.MOST_WORDS) & (data[first] >> LENGTH == size)
    # The check: 1 and the data of all words but the last, each rotated once a word behind it.
    behind = last[group] - np.arange(len(group))
    turns = np.maximum(behind - 1, 0) % 32
    turned = ((data << turns) | (data >> (32 - turns))) & DATA
    check = np.bitwise_xor.reduceat(np.where(behind > 0, turned, 0), first)
    check ^= np.int64(1) << (size - 1) % 32
    return good & (check == data[last]), ended
