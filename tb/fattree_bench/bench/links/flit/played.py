"""Whether a flit_player did what it was asked for, by what was on its pins and nothing else.

`Player` is its sources and sinks once more, after the headers of flit_source.v and flit_sink.v: it
gets the lists, the credits and flits that came, and says what each leaf had to send and give.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from fattree_bench.bench.links.flit.network import FlitNetwork
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array, UInt64Array

MARKS = 63  # of a side: tail, head, virtual channel

HOLDS, KIND, CORNER, FLITS, INDEX, OWNER, NUMBER, CREDIT, DUE, ASKED, BY, ASKER = range(12)
"""Columns of `lane`, a virtual channel of a leaf: the packet that it is at, its credits; credits to
be given; whether a request is coming in, by which leaf and which number."""
COUNT, TURN, VALID, GIVEN, FIRST, LENGTH, NEXT = range(7)
"""Columns of `leaf`: packets begun; whether a reply is next; what is on the pins in the clock to
come, flit and credits, one bit a virtual channel; the queue of replies; row of the list."""
SAID = 7
"""Columns of what is said of a flit: owner, number, index, class, address, corners, tail."""


class Asked(NamedTuple):
    """What a burst was asked for.

    Attributes
    ----------
    offers : uint64 [rows, leaves], see flit_source.
    stall : bool [clocks, leaves]; no rows: none stalls.
    reset : bool [clocks], whether it is set.
    sends, restart : flits may be sent; the first packet of each list has number 0.
    answer, limit, flits, replies, hold : of requests, see flit_player.
    """

    offers: UInt64Array
    stall: BoolArray
    reset: BoolArray
    sends: bool
    restart: bool
    answer: bool
    limit: int
    flits: int
    replies: int
    hold: int


class Sizes(NamedTuple):
    """Of a player, see flit_player.v."""

    leaves: int
    vcs: int
    depth: int
    address_bits: int
    node_bits: int
    number_bits: int
    paths: int
    queue: int
    unmix: np.uint64


class Played:
    """The state of a player, which goes from burst to burst."""

    def __init__(self, network: FlitNetwork) -> None:
        words, leaves, vcs = network.words, network.leaves, network.layout.vcs
        player = next(b for b in network.rtl.interfaces[0].blocks if b.name == "u_player")
        self.words = words
        self.sizes = Sizes(
            *(leaves, vcs, int(player.parameters["DEPTH"]), words.address_bits, words.node_bits),
            *(words.number_bits, words.paths, int(player.parameters["QUEUE"]), words.unmix[0]),
        )
        self.lane = np.zeros((leaves, vcs, 12), np.int64)
        self.leaf = np.zeros((leaves, 7), np.int64)
        self.waiting = np.zeros((leaves, self.sizes.queue, 2), np.int64)
        self.said = np.zeros((leaves, SAID), np.int64)  # of the flit in the clock to come
        self._known = False  # there was a reset
        self._lost = False

    def compare(self, seen: Recorded, asked: Asked) -> tuple[int, int, str] | None:
        """Clock, leaf and words of the first difference in a burst; None: there is none.

        From a bit on that was neither 0 nor 1 a player may be as lost as its recorder, and from a
        credit on that finds no room, that leaf's.
        """
        if self._lost:
            return None
        clocks, leaves = len(seen.valid), self.sizes.leaves
        valid = np.zeros((clocks, leaves), np.int64)
        given = np.zeros((clocks, leaves), np.int64)
        said = np.zeros((clocks, leaves, SAID), np.int64)
        side, data, credits = seen.side, seen.data, seen.credits
        over = np.full(leaves, clocks)
        _play(
            *(self.sizes, asked, self.lane, self.leaf, self.waiting, self.said),
            *(side[:, leaves:], data[:, leaves:].astype(np.uint64), credits[:, :leaves]),
            *(valid, given, said, over),
        )
        begin = 0 if self._known else int(np.argmax(asked.reset)) + 1
        if not self._known and not asked.reset.any():
            return None  # nothing is known before the first reset
        self._known = True
        marks, words = self._flits(valid, said)
        wrong = (side[:, :leaves] & np.uint64(MARKS)) != marks
        wrong |= (marks != 0) & (data[:, :leaves] != words)
        late = given != credits[:, leaves:]
        both = wrong | late
        both[:begin] = False
        if seen.unknown is not None and seen.unknown[0] >= begin:
            over[:] = np.minimum(over, seen.unknown[0])
        both &= np.arange(clocks)[:, None] <= over
        self._lost = bool((over < clocks).any())
        if not both.any():
            return None
        row, leaf = (int(i) for i in np.argwhere(both)[0])
        if wrong[row, leaf]:
            want = self._name(int(marks[row, leaf]), int(words[row, leaf]), said[row, leaf])
            own = int(side[row, leaf]) & MARKS, int(data[row, leaf])
            return row, leaf, f"leaf {leaf} sent {self._name(*own, None)} instead of {want}"
        gave, due = int(credits[row, leaves + leaf]), int(given[row, leaf])
        return row, leaf, f"leaf {leaf} gave {_credits(gave)} instead of {_credits(due)}"

    def _flits(self, valid: Int64Array, said: Int64Array) -> tuple[UInt64Array, UInt64Array]:
        """Sides without hops, and words of what had to be sent, [clocks, leaves]."""
        at = np.nonzero(valid)
        owner, number, index, kind, address, corner, tail = said[at].T
        words = np.zeros(valid.shape, np.uint64)
        words[at] = self.words.write(
            number, index, kind > 0, owner, at[1].astype(np.int64), address, corner > 0
        )
        marks = np.zeros(valid.shape, np.uint64)
        marks[at] = (valid[at] << 2 | (index == 0) << 1 | tail).astype(np.uint64)
        return marks, words

    def _name(self, marks: int, word: int, said: Int64Array | None) -> str:
        if not marks:
            return "nothing"
        if said is None:
            return f"a flit {word:#x} with marks {marks & 3} in VC {(marks >> 2).bit_length() - 1}"
        return f"flit {said[2]} of packet {said[1]} in VC {(marks >> 2).bit_length() - 1}"


def _credits(vcs: int) -> str:
    held = [str(v) for v in range(4) if vcs >> v & 1]
    return f"a credit of VC {', '.join(held)}" if held else "no credit"


@njit(cache=True)
def _best(lane: Int64Array, allowed: int, vcs: int) -> int:
    """The virtual channel with most credits of those that no packet holds; -1: none has any."""
    best, most = -1, 0
    for v in range(vcs):
        if allowed >> v & 1 and lane[v, HOLDS] == 0 and lane[v, CREDIT] > most:
            best, most = v, lane[v, CREDIT]
    return best


@njit(cache=True)
def _source(
    sizes: Sizes,
    asked: Asked,
    lane: Int64Array,
    leaf: Int64Array,
    waiting: Int64Array,
    said: Int64Array,
    x: int,
    now: int,
    run: bool,
    credits: int,
) -> bool:
    """A clock of a leaf's source: what is on its pins in the next one; whether a reply is begun."""
    offer, chosen, begins, reply = np.uint64(0), -1, False, False
    if leaf[NEXT] < asked.offers.shape[0]:
        offer = asked.offers[leaf[NEXT], x]
    due = offer >> np.uint64(63) != 0 and np.int64(offer & np.uint64(0xFFFF)) <= now & 0xFFFF
    for v in range(sizes.vcs - 1, -1, -1):
        if lane[v, HOLDS] and lane[v, CREDIT] and (chosen < 0 or not leaf[VALID] >> chosen & 1):
            chosen = v
    if chosen < 0 and (due or leaf[LENGTH]):
        if due:
            chosen = _best(lane, int(offer >> np.uint64(40)) & 15, sizes.vcs)
        if leaf[LENGTH]:
            other = _best(lane, asked.replies, sizes.vcs)
            if other >= 0 and (leaf[TURN] or chosen < 0):
                chosen, reply = other, True
        begins = chosen >= 0
    if asked.restart and now == 0:
        leaf[COUNT] = 0
    leaf[VALID] = 0
    if run and chosen >= 0:
        one = lane[chosen]
        if begins:
            one[HOLDS], one[INDEX] = 1, 0
            leaf[TURN] = 0 if reply else 1
            if reply:
                one[OWNER], one[NUMBER] = waiting[leaf[FIRST], 0], waiting[leaf[FIRST], 1]
                one[KIND], one[CORNER], one[FLITS] = 1, 0, asked.flits
                said[4] = one[OWNER] * sizes.paths
            else:
                one[OWNER], one[NUMBER] = x, leaf[COUNT]
                one[KIND] = np.int64(offer >> np.uint64(44)) & 1
                one[CORNER] = np.int64(offer >> np.uint64(45)) & 1
                one[FLITS] = np.int64(offer >> np.uint64(32)) & 255
                said[4] = np.int64(offer >> np.uint64(16)) & ((1 << sizes.address_bits) - 1)
                leaf[COUNT] = (leaf[COUNT] + 1) & ((1 << sizes.number_bits) - 1)
                leaf[NEXT] += 1
        said[0], said[1], said[2], said[3] = one[OWNER], one[NUMBER], one[INDEX], one[KIND]
        said[5] = one[CORNER]
        one[INDEX] += 1
        said[6] = 1 if one[INDEX] == one[FLITS] else 0
        if said[6]:
            one[HOLDS] = 0
        one[CREDIT] -= 1
        leaf[VALID] = 1 << chosen
    for v in range(sizes.vcs):
        lane[v, CREDIT] += credits >> v & 1
    return reply


@njit(cache=True)
def _sink(
    sizes: Sizes,
    asked: Asked,
    lane: Int64Array,
    leaf: Int64Array,
    waiting: Int64Array,
    side: int,
    word: np.uint64,
    stalled: bool,
    taken: bool,
) -> None:
    """A clock of a leaf's sink: credits in the next one; requests join the queue of replies."""
    valid = side >> 2 & 15
    held = asked.answer and leaf[LENGTH] >= asked.limit
    leaf[GIVEN] = 0
    for v in range(sizes.vcs):
        lane[v, DUE] += valid >> v & 1
        if lane[v, DUE] and not stalled and not (held and asked.hold >> v & 1):
            lane[v, DUE] -= 1
            leaf[GIVEN] |= 1 << v
    more, place = False, (leaf[FIRST] + leaf[LENGTH]) % sizes.queue
    if asked.answer and valid:
        one = lane[0]
        for v in range(sizes.vcs):
            if valid >> v & 1:
                one = lane[v]
        if side & 2:
            bits = sizes.address_bits + sizes.node_bits + 1
            rest = word & ((np.uint64(1) << np.uint64(bits)) - np.uint64(1))
            number = ((word >> np.uint64(bits)) ^ rest) * sizes.unmix
            one[ASKED] = 1 - np.int64(word >> np.uint64(bits - 1) & np.uint64(1))
            one[BY] = np.int64(word >> np.uint64(sizes.address_bits)) & ((1 << sizes.node_bits) - 1)
            size = np.uint64(1) << np.uint64(sizes.number_bits)
            one[ASKER] = np.int64(number & (size - np.uint64(1)))
        if side & 1 and one[ASKED]:
            waiting[place, 0], waiting[place, 1] = one[BY], one[ASKER]
            more = True
    if taken:
        leaf[FIRST] = (leaf[FIRST] + 1) % sizes.queue
        leaf[LENGTH] -= 1
    if more:
        leaf[LENGTH] += 1


@njit(cache=True)
def _play(
    sizes: Sizes,
    asked: Asked,
    lane: Int64Array,
    leaf: Int64Array,
    waiting: Int64Array,
    saying: Int64Array,
    side: UInt64Array,
    data: UInt64Array,
    credits: UInt8Array,
    valid: Int64Array,
    given: Int64Array,
    said: Int64Array,
    over: Int64Array,
) -> None:
    """The clocks of a burst: what is on the pins of each leaf, until it has too many credits."""
    for x in range(sizes.leaves):
        leaf[x, NEXT] = 0
        for now in range(side.shape[0]):
            valid[now, x], given[now, x] = leaf[x, VALID], leaf[x, GIVEN]
            for k in range(SAID):
                said[now, x, k] = saying[x, k]
            rst = asked.reset[now]
            run = asked.sends and not rst
            came = int(side[now, x])
            stalled = asked.stall.shape[0] > 0 and asked.stall[now, x]
            back = int(credits[now, x])
            own = lane[x], leaf[x], waiting[x]
            reply = _source(sizes, asked, own[0], own[1], own[2], saying[x], x, now, run, back)
            _sink(sizes, asked, own[0], own[1], own[2], came, data[now, x], stalled, reply)
            if own[0][:, CREDIT].max() > sizes.depth and now < over[x]:
                over[x] = now
            if rst:
                for v in range(sizes.vcs):
                    lane[x, v, HOLDS], lane[x, v, CREDIT] = 0, sizes.depth
                    lane[x, v, DUE] = 0
                leaf[x, VALID] = leaf[x, GIVEN] = leaf[x, TURN] = 0
                leaf[x, FIRST] = leaf[x, LENGTH] = 0
