"""The wormhole network clock by clock, compiled.

All compiled functions and the tuples they work on are in this one file, because numba's cache does
not see changes in other files.  Functions take arrays, not tuples of them: each array that is taken
out of a tuple costs numba an atomic count.  Places are unsigned where it is hot: numba takes those
that are signed for places from the end, if they are negative, and has to look.

A *lane* is a VC of a port or link, number << shift | VC, so that nothing is divided.  A flit is one
integer: packet << 17 | index << 2 | head << 1 | tail.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, UInt64Array
from fattree_models.common.compiling import compiled, inlined, lowest

Int16Array = npt.NDArray[np.int16]
UInt32Array = npt.NDArray[np.uint32]

PACKET, INDEX, HEAD_BIT, TAIL_BIT = 17, 2, 2, 1
DMODK, SMODK, RANDOM, ADAPTIVE, TWO, TURN, TABLE, ECMP, RR, FLOWLET, DRILL = range(11)
NEVER = 1 << 62
LANE, KEY, LANES = 12, 24, 0xFFF  # see Scratch
SHOWN_EVERY = 32  # clocks, from the first of a burst on; as in flit_recorder.v
MASK32 = 0xFFFFFFFF

FIRST_IN, FIRST_OUT, WORD, WORDS, HOLD, TURNS, CHILDREN, PARENTS = range(8)
UNIT, SPAN, LOW, GROUP, ROOTS, FIRST_LANE, AROUND, WAYS, ROW, SALT, FLOWS = range(8, 19)
"""Columns of `switch`: ports; words of bits from ... to; whether routes are held, the role; the
tree, LOW being the lowest leaf below; the first lane that draws, lanes and ways of all inputs; the
first entry of the table; the salt of hashes, the first row of flows in `spread`."""
FRONT, LENGTH, ROUTED, PORT, VC, TARGET, NEXT, AHEAD = (np.uint64(column) for column in range(8))
ROW_OF_LANE = np.uint64(3)  # 8 columns, as a shift
"""Columns of `lane`: front of the ring, flits in it, then registers; NEXT and AHEAD are of a clock:
the route found ahead, or to be kept if no VC is granted; whether it is one ahead."""
FREE, VC_POINTER, PORT_POINTER = range(3)
"""Columns of `link`: VCs not busy, as bits; pointers of the arbiters.  A leaf uses none."""
HOLDS, OWES, MY_TURN, LAST, LAST_CLOCK, WAITING, OLDEST, NEWEST, HERE, END, BACK, CAME, DUE_AT = (
    range(13)
)
"""Columns of `leaf`: VCs that hold a packet, credits due; whose turn it is; VC and clock of the
flit sent last; the queue of replies; the list; credits on the link, as bits, if that is long;
the clock of the flit that came last; the release of the list's next packet, NEVER if there is none.
"""
HELD, AT, DUE = range(3)
"""Columns of `leaf_lane`: packet, -1 for none, its next flit; credits to be given."""
DESTINATION, ADDRESS, SOURCE, KIND, RELEASE, FLITS, REPLY, HOPS = range(8)
"""Columns of `packet`; REPLY: the reply that follows this one in a queue; HOPS: switches passed."""
BEGAN, HEAD, TAIL = range(3)
"""Columns of `fate`."""


class Rules(NamedTuple):
    """Variables of the network, and those of its leaves: whether, from what on they hold back.

    `way_of`: the way of each VC, four bits each; `requests`, `replies`: VCs as bits.
    """

    vcs: int
    shift: int
    mask: int
    depth: int
    ring: int
    ring_bits: int
    stages: int
    ahead: int
    ways: int
    per_way: int
    way_of: int
    keep: int
    classes: int
    requests: int
    replies: int
    matrix: int
    vc_matrix: int
    routing: int
    top: int
    tbwp: int
    many: int
    tbch: int
    long: int
    outputs: int
    answer: int
    limit: int
    gap: int
    entries: int


class Map(NamedTuple):
    """What leads where: `switch` [switches, 19], `table` [entries], links' and ports' ends."""

    switch: Int64Array
    table: Int16Array
    target: Int64Array
    feeder: Int64Array
    bit: Int64Array


class State(NamedTuple):
    """Registers of switches.

    `queue` [input lanes x ring], `lane` [input lanes x 8]: rows behind one another; `waiting`,
    `active` [words]: bits of input lanes; `link` [links, 3]; `left` [lanes]: credits; `vc_grant`,
    `way_grant`, `port_grant`: clocks of last grants, or for ways pointers; `random` [switches, 2]:
    the word, and its clock; `pace` [links, 2], if some are slow: clocks a flit, when one may go.
    `spread` [input ports and flows, 2] is what packets before had: with RR place and start of the
    turn; with DRILL the parent granted last, and when; with FLOWLET the same of flows.
    """

    queue: Int64Array
    lane: Int32Array
    waiting: UInt64Array
    active: UInt64Array
    link: Int32Array
    left: Int32Array
    vc_grant: Int64Array
    way_grant: Int64Array
    port_grant: Int64Array
    random: Int64Array
    pace: Int64Array
    spread: Int64Array


class Leaves(NamedTuple):
    """Sources and sinks: `leaf` [leaves, 13], `leaf_lane` [leaf lanes, 3]."""

    leaf: Int64Array
    leaf_lane: Int64Array


class Links(NamedTuple):
    """What is on links in the clock to come.

    `flit` [links, 2]: lanes and flits; `credit` [lanes]: lanes; `counts` [2]: how many of both;
    `far` [long + 1, leaves, 2]: flits and VCs on their way to leaves; `near` [long + 1, leaves]:
    credits on their way from them, VCs as bits.
    """

    flit: Int64Array
    credit: Int64Array
    counts: Int64Array
    far: Int64Array
    near: Int64Array


class Log(NamedTuple):
    """What is on links while the network runs: `flits` [rows, 2]: lane, flit; `credits` [rows].

    `used` [2]: rows of both that are taken.  What is logged stays: `ends` [clocks + 1, 2] are rows
    of both until each clock.  If nothing is, clocks take halves of the rows in turns.
    """

    flits: Int64Array
    credits: Int64Array
    used: Int64Array
    ends: Int64Array


class Scratch(NamedTuple):
    """Of one switch in one clock.

    `best`, by output: key << KEY | lane << LANE | VC or way of the one that is before all others,
    NEVER if none asks.  `asked`: outputs, with room for one that does not count.  `kept`: lanes.
    `before`: who was active.
    """

    best: Int64Array
    asked: Int64Array
    kept: Int64Array
    before: UInt64Array


class Showing(NamedTuple):
    """What switches show of themselves, as bits of a row: see `showing.Showing`.

    `lane` [input lanes, 3], `home` [outputs]: places; `row`: of a clock; `total`: the rows of the
    burst so far, one in SHOWN_EVERY, lower and upper halves each times a weight; `rows` [clocks,
    words], all rows of the burst, may have no rows.  With no words nothing is shown.
    """

    lane: Int64Array
    home: Int64Array
    row: UInt64Array
    total: UInt64Array
    rows: UInt64Array


@compiled
def advance(word: int, steps: int) -> int:
    """Return a random word so many clocks later."""
    for _ in range(steps):
        word ^= word << 13 & MASK32
        word ^= word >> 17
        word ^= word << 5 & MASK32
    return word


@compiled
def words(first: int, out: UInt32Array) -> None:
    """Fill `out` with the random words from `first` on."""
    for row in range(out.size):
        out[row] = first
        first = advance(first, 1)


@inlined
def _draw(rules: Rules, here: Int64Array, random: Int64Array, s: int, i: int, now: int) -> int:
    """Return the random bits of input lane i."""
    word = advance(random[s, 0], now - random[s, 1])
    random[s, 0], random[s, 1] = word, now
    turn = 5 * (here[FIRST_LANE] + (i >> rules.shift) * rules.vcs + (i & rules.mask)) % 32
    return int((word << turn | word >> (32 - turn)) & 0xFFFF)


@inlined
def _room(rules: Rules, link: Int32Array, left: Int32Array, o: int) -> int:
    """Return whether an output has a VC that is free and has a credit."""
    room = 0
    for vc in range(rules.vcs):
        room |= int(left[(o << rules.shift) | vc] > 0) << vc
    return int(link[o, FREE] & room > 0)


@inlined
def _home(rules: Rules, left: Int32Array, o: int) -> int:
    """Return the VCs of an output that have all credits, as bits."""
    home = 0
    for vc in range(rules.vcs):
        home |= int(left[np.uint64((o << rules.shift) | vc)] == rules.depth) << vc
    return home


@inlined
def _may(rules: Rules, i: int, kind: int) -> int:
    """Return the VCs, as bits, that a packet in input lane i may have."""
    may = rules.replies if kind else rules.requests
    return may & 1 << (i & rules.mask) if rules.keep else may


@inlined
def _roomiest(
    rules: Rules, link: Int32Array, left: Int32Array, first: int, count: int, at: int, may: int
) -> int:
    """Return which of `count` outputs, from `at` on, has a VC of `may` free, then room."""
    best, found = -1, at
    for _ in range(count):
        value = _room(rules, link, left, first + at)
        if link[first + at, FREE] & may:
            value += 1 << 30
        if value > best:
            best, found = value, at
        at = at + 1 if at + 1 < count else 0
    return found


Sight = tuple[Int64Array, Int32Array, Int32Array, Int64Array, Int64Array, Int64Array]
"""What a choice of an output looks at: here, link, left, random, packet, spread."""


@inlined
def _turn(rules: Rules, sight: Sight, s: int, i: int, p: int, now: int) -> int:
    """Return the output of an up switch of a turn-back node."""
    here, link, left, random, packet, _ = sight
    first_out, ahead = here[FIRST_OUT], here[PARENTS] + here[ROOTS]
    may = _may(rules, i, packet[p, KIND])
    onward, open_turn = 0, 0
    for o in range(ahead):
        onward |= link[first_out + o, FREE] & may
    for o in range(ahead, ahead + rules.tbch):
        open_turn |= link[first_out + o, FREE] & may
    if here[PARENTS] == 0:
        if rules.many:
            onward = here[ROOTS]
        elif i >> rules.shift >= here[CHILDREN]:
            onward = 0
    turn = 0 <= packet[p, DESTINATION] - here[LOW] < here[SPAN]
    if rules.tbwp and not open_turn and onward:
        turn = False
    first, count = (ahead, rules.tbch) if turn else (0, ahead)
    at = _draw(rules, here, random, s, i, now) * count >> 16
    return first + _roomiest(rules, link, left, first_out + first, count, at, may)


@inlined
def _hash(packet: Int64Array, p: int, salt: int) -> int:
    """Return the hash of a packet's flow, 32 bits."""
    h = packet[p, SOURCE] << 16 | packet[p, DESTINATION]
    h = advance(h ^ salt ^ salt << 11 ^ salt << 22 & MASK32, 1)
    h ^= (h << 1 | h >> 31) & (h << 8 | h >> 24) & MASK32
    return advance(h, 1)


@inlined
def _shortest(
    rules: Rules, link: Int32Array, left: Int32Array, first: int, parents: int, kept: int, r: int
) -> int:
    """Return the best of a kept parent and two drawn ones: with room, then with least flits out."""
    least, found = NEVER, 0
    for at in (kept, r * parents >> 16, (r & 255) * parents >> 8):
        out = rules.vcs * rules.depth
        for vc in range(rules.vcs):
            out -= left[((first + at) << rules.shift) | vc]
        value = ((1 - _room(rules, link, left, first + at)) << 20 | out) << 10 | at
        if value < least:
            least, found = value, at
    return int(found)


@inlined
def _remember(
    rules: Rules,
    here: Int64Array,
    random: Int64Array,
    packet: Int64Array,
    spread: Int64Array,
    s: int,
    i: int,
    p: int,
    parent: int,
    now: int,
) -> None:
    """Note that the packet of input lane i was granted a parent."""
    row = here[FIRST_IN] + (i >> rules.shift)
    if rules.routing == RR:
        spread[row, 0] = (spread[row, 0] + 1) % here[PARENTS]
        if spread[row, 0] == 0:
            r = _draw(rules, here, random, s, i & ~rules.mask, now)
            spread[row, 1] = r * here[PARENTS] >> 16
        return
    if rules.routing == FLOWLET:
        row = here[FLOWS] + _hash(packet, p, here[SALT]) % rules.entries
    if spread[row, 1] < now << LANE | i:  # of several in a clock the last lane counts
        spread[row, 0], spread[row, 1] = parent, now << LANE | i


@inlined
def _parent(rules: Rules, sight: Sight, s: int, i: int, p: int, now: int) -> int:
    """Return the parent that a packet climbs to."""
    here, link, left, random, packet, spread = sight
    parents, first = here[PARENTS], here[FIRST_OUT] + here[CHILDREN]
    if rules.routing == DMODK:
        return int(packet[np.uint64(p), DESTINATION] // here[GROUP] % parents)
    if rules.routing == SMODK:
        return int(packet[p, SOURCE] // here[GROUP] % parents)
    port = here[FIRST_IN] + (i >> rules.shift)
    if rules.routing == ECMP:
        return int((_hash(packet, p, here[SALT]) >> 16) * parents >> 16)
    if rules.routing == RR:
        place, start = spread[port, 0], spread[port, 1]
        return int((place + start) % parents if parents & (parents - 1) else place ^ start)
    if rules.routing == DRILL:
        lane = i & ~rules.mask
        return _shortest(
            rules,
            link,
            left,
            first,
            parents,
            spread[port, 0],
            _draw(rules, here, random, s, lane, now),
        )
    if rules.routing == FLOWLET:
        flow = here[FLOWS] + _hash(packet, p, here[SALT]) % rules.entries
        if now - (spread[flow, 1] >> LANE) <= rules.gap:
            return int(spread[flow, 0])
    r = _draw(rules, here, random, s, i, now)
    at = r * parents >> 16
    if rules.routing in (ADAPTIVE, FLOWLET):
        return _roomiest(rules, link, left, first, parents, at, 0)
    if rules.routing == TWO:
        other = (r & 255) * parents >> 8
        if _room(rules, link, left, first + other) > _room(rules, link, left, first + at):
            return int(other)
    return int(at)


@inlined
def _route(rules: Rules, sight: Sight, table: Int16Array, s: int, i: int, p: int, now: int) -> int:
    """Return the output port of a head."""
    here, packet = sight[0], sight[4]
    if rules.routing == TABLE:
        return int(table[np.uint64(here[ROW] + packet[np.uint64(p), ADDRESS])])
    if here[TURNS]:
        return _turn(rules, sight, s, i, p, now)
    leaf = packet[np.uint64(p), DESTINATION]
    if here[PARENTS]:
        if rules.top:
            climbs = i >> rules.shift < here[CHILDREN]
        else:
            climbs = not 0 <= leaf - here[LOW] < here[SPAN]
        if climbs:
            up = _parent(rules, sight, s, i, p, now)
            return int(here[CHILDREN] + up)
    return int(leaf // here[UNIT] % here[CHILDREN])


@inlined
def _ask(best: Int64Array, asked: Int64Array, n: int, out: int, key: int, i: int, low: int) -> int:
    """Ask for an output; return how many outputs are asked.

    Of one output the least key counts, then the lowest lane.  Who asks whom cannot be foreseen, so
    nothing branches here: a branch that is foreseen wrongly costs more than all the rest.
    """
    row = np.uint64(out)
    asked[np.uint64(n)] = out
    n += best[row] == NEVER
    best[row] = min(best[row], key << KEY | i << LANE | low)
    return n


@inlined
def _search(
    rules: Rules,
    here: Int64Array,
    table: Int16Array,
    queue: Int64Array,
    lane: Int32Array,
    waiting: UInt64Array,
    active: UInt64Array,
    link: Int32Array,
    left: Int32Array,
    vc_grant: Int64Array,
    random: Int64Array,
    packet: Int64Array,
    spread: Int64Array,
    best: Int64Array,
    asked: Int64Array,
    kept: Int64Array,
    s: int,
    now: int,
) -> tuple[int, int]:
    """Find routes, and who asks for a VC; return how many outputs are asked, and lanes kept."""
    ring, sight = np.uint64(rules.ring_bits), (here, link, left, random, packet, spread)
    n, k = 0, 0
    for w in range(here[WORD], here[WORDS]):
        bits = waiting[w] & ~active[w]
        while bits:
            i = ((w - here[WORD]) << 6) + lowest(bits)
            bits &= bits - np.uint64(1)
            one = np.uint64((here[FIRST_IN] << rules.shift) + i)
            at = one << ROW_OF_LANE
            p = queue[(one << ring) + np.uint64(lane[at + FRONT])] >> PACKET
            want = rules.stages < 3 or lane[at + ROUTED] != 0
            out = int(lane[at + PORT])
            if lane[at + ROUTED] == 0 or not here[HOLD]:
                route = _route(rules, sight, table, s, i, p, now)
                if rules.stages == 3 and want:
                    lane[at + NEXT] = route
                    kept[k] = i
                    k += 1
                else:
                    out = route
                    lane[at + PORT] = route
            lane[at + ROUTED] = 1
            lane[at + AHEAD] = 0
            o = np.uint64(here[FIRST_OUT] + out)
            may = link[o, FREE] & _may(rules, i, packet[np.uint64(p), KIND]) if want else 0
            home = may & _home(rules, left, here[FIRST_OUT] + out) if may else 0
            if home:
                may = home
            if may:
                if rules.vc_matrix:
                    key = vc_grant[o, i]
                else:
                    key = i - np.int64(link[o, VC_POINTER])
                    key += here[AROUND] & key >> 63
                n = _ask(best, asked, n, out, key, i, lowest(may))
    return n, k


@inlined
def _look_ahead(
    rules: Rules,
    here: Int64Array,
    table: Int16Array,
    queue: Int64Array,
    lane: Int32Array,
    waiting: UInt64Array,
    active: UInt64Array,
    link: Int32Array,
    left: Int32Array,
    random: Int64Array,
    packet: Int64Array,
    spread: Int64Array,
    s: int,
    now: int,
) -> None:
    """Find routes of heads that wait behind a tail."""
    ring, sight = np.uint64(rules.ring_bits), (here, link, left, random, packet, spread)
    for w in range(here[WORD], here[WORDS]):
        bits = waiting[w] & active[w]
        while bits:
            i = ((w - here[WORD]) << 6) + lowest(bits)
            bits &= bits - np.uint64(1)
            one = np.uint64((here[FIRST_IN] << rules.shift) + i)
            at = one << ROW_OF_LANE
            front = lane[at + FRONT]
            lane[at + AHEAD] = 0
            if lane[at + LENGTH] > 1 and queue[(one << ring) + np.uint64(front)] & TAIL_BIT:
                lane[at + AHEAD] = 1
                after = np.uint64((front + 1) & (rules.ring - 1))
                p = queue[(one << ring) + after] >> PACKET
                lane[at + NEXT] = _route(rules, sight, table, s, i, p, now)


@inlined
def _grant(
    rules: Rules,
    here: Int64Array,
    queue: Int64Array,
    lane: Int32Array,
    active: UInt64Array,
    link: Int32Array,
    vc_grant: Int64Array,
    random: Int64Array,
    packet: Int64Array,
    spread: Int64Array,
    best: Int64Array,
    asked: Int64Array,
    kept: Int64Array,
    n: int,
    k: int,
    s: int,
    now: int,
) -> None:
    """Give VCs to those that the VC arbiters choose; keep the new routes of the others."""
    for each in range(n):
        out = np.uint64(asked[np.uint64(each)])
        i, vc = best[out] >> LANE & LANES, best[out] & LANES
        to = here[FIRST_OUT] + np.int64(out)
        o = np.uint64(to)
        best[out] = NEVER
        if rules.vc_matrix:
            vc_grant[o, i] = now
        link[o, VC_POINTER] = i + 1
        one = np.uint64((here[FIRST_IN] << rules.shift) + i)
        at = one << ROW_OF_LANE
        active[np.uint64(here[WORD] + (i >> 6))] |= np.uint64(1) << np.uint64(i & 63)
        lane[at + VC] = vc
        lane[at + TARGET] = (to << rules.shift) | vc
        link[o, FREE] &= ~(1 << vc)
        if rules.routing > ECMP and np.int64(out) >= here[CHILDREN]:
            p = queue[(one << np.uint64(rules.ring_bits)) + np.uint64(lane[at + FRONT])] >> PACKET
            parent = np.int64(out) - here[CHILDREN]
            _remember(rules, here, random, packet, spread, s, i, p, parent, now)
    for each in range(k):
        i = kept[each]
        one = np.uint64((here[FIRST_IN] << rules.shift) + i)
        at = one << ROW_OF_LANE
        if not active[here[WORD] + (i >> 6)] >> np.uint64(i & 63) & np.uint64(1):
            lane[at + PORT] = lane[at + NEXT]


@inlined
def _ask_port(
    rules: Rules,
    here: Int64Array,
    lane: Int32Array,
    link: Int32Array,
    port_grant: Int64Array,
    best: Int64Array,
    asked: Int64Array,
    n: int,
    i: int,
    way: int,
) -> int:
    """Let a way ask for the port that its pick wants; return how many outputs are asked."""
    out = int(lane[(np.uint64((here[FIRST_IN] << rules.shift) + i) << ROW_OF_LANE) + PORT])
    o = np.uint64(here[FIRST_OUT] + out)
    if rules.matrix:
        key = port_grant[o, way]
    else:
        key = way - np.int64(link[o, PORT_POINTER])
        key += here[WAYS] & key >> 63
    return _ask(best, asked, n, out, key, i, way)


@inlined
def _pick(
    rules: Rules,
    here: Int64Array,
    lane: Int32Array,
    waiting: UInt64Array,
    before: UInt64Array,
    link: Int32Array,
    left: Int32Array,
    way_grant: Int64Array,
    port_grant: Int64Array,
    pace: Int64Array,
    best: Int64Array,
    asked: Int64Array,
    now: int,
) -> int:
    """Pick a lane of each way, and let the ways ask; return how many outputs are asked."""
    n, way, least, pick = 0, -1, NEVER, -1
    for w in range(here[WORD], here[WORDS]):
        bits = waiting[w] & before[w - here[WORD]]
        while bits:
            i = ((w - here[WORD]) << 6) + lowest(bits)
            bits &= bits - np.uint64(1)
            one = np.uint64((here[FIRST_IN] << rules.shift) + i)
            to = np.uint64(lane[(one << ROW_OF_LANE) + TARGET])
            if left[to] <= 0 or (pace.shape[0] and pace[to >> np.uint64(rules.shift), 1] > now):
                continue
            vc = i & rules.mask
            part = rules.way_of >> 4 * vc & 15
            mine, key = (i >> rules.shift) * rules.ways + part, 0
            if rules.per_way > 1:
                if rules.matrix:
                    key = way_grant[one]
                else:
                    key = vc - part * rules.per_way
                    key -= way_grant[here[FIRST_IN] * rules.ways + mine]
                    key += rules.per_way & key >> 63
            if mine != way:
                if way >= 0:
                    n = _ask_port(rules, here, lane, link, port_grant, best, asked, n, pick, way)
                way, least, pick = mine, key, i
            elif key < least:
                least, pick = key, i
    if way >= 0:
        n = _ask_port(rules, here, lane, link, port_grant, best, asked, n, pick, way)
    return n


@inlined
def _put_flit(flits: Int64Array, used: Int64Array, lane: int, flit: int) -> None:
    """Put a flit on a link."""
    row = np.uint64(used[0])
    flits[row, 0], flits[row, 1] = lane, flit
    used[0] += 1


@inlined
def _put_credit(credits: Int64Array, used: Int64Array, lane: int) -> None:
    """Put a credit on a link."""
    credits[np.uint64(used[1])] = lane
    used[1] += 1


@inlined
def _take(
    rules: Rules,
    here: Int64Array,
    queue: Int64Array,
    lane: Int32Array,
    waiting: UInt64Array,
    active: UInt64Array,
    link: Int32Array,
    left: Int32Array,
    feeder: Int64Array,
    flits: Int64Array,
    credits: Int64Array,
    used: Int64Array,
    packet: Int64Array,
    pace: Int64Array,
    i: int,
    now: int,
) -> None:
    """Let the flit at the front of an input lane cross."""
    one = np.uint64((here[FIRST_IN] << rules.shift) + i)
    at = one << ROW_OF_LANE
    word, bit = np.uint64(here[WORD] + (i >> 6)), np.uint64(1) << np.uint64(i & 63)
    front = lane[at + FRONT]
    flit = queue[(one << np.uint64(rules.ring_bits)) + np.uint64(front)]
    to = int(lane[at + TARGET])
    lane[at + FRONT] = (front + 1) & (rules.ring - 1)
    length = lane[at + LENGTH] - 1
    lane[at + LENGTH] = length
    waiting[word] &= ~(np.uint64(length == 0) << np.uint64(i & 63))
    left[np.uint64(to)] -= 1
    if flit & HEAD_BIT:
        packet[np.uint64(flit >> PACKET), HOPS] += 1
    if flit & TAIL_BIT:
        link[np.uint64(to >> rules.shift), FREE] |= 1 << (to & rules.mask)
        active[word] &= ~bit
        lane[at + ROUTED] = lane[at + AHEAD]
        if lane[at + AHEAD]:
            lane[at + PORT] = lane[at + NEXT]
    if pace.shape[0]:
        pace[to >> rules.shift, 1] = now + pace[to >> rules.shift, 0]
    _put_flit(flits, used, to, flit)
    link_in = feeder[np.uint64(here[FIRST_IN] + (i >> rules.shift))]
    _put_credit(credits, used, (link_in << rules.shift) | (i & rules.mask))


@inlined
def _sink(
    rules: Rules,
    leaf: Int64Array,
    leaf_lane: Int64Array,
    far: Int64Array,
    feeder: Int64Array,
    credits: Int64Array,
    used: Int64Array,
    packet: Int64Array,
    fate: Int64Array,
    x: int,
    slot: int,
    now: int,
    stalled: bool,
) -> int:
    """Take what is at the end of the link to leaf x, give credits; return a request that ended."""
    flit, request = far[slot, x, 0], -1
    if flit >= 0:
        p = flit >> PACKET
        leaf_lane[np.uint64((x << rules.shift) | far[slot, x, 1]), DUE] += 1
        leaf[x, OWES] += 1
        leaf[x, CAME] = now
        far[slot, x, 0] = -1
        if flit & HEAD_BIT:
            fate[np.uint64(p), HEAD] = now
        if flit & TAIL_BIT:
            fate[np.uint64(p), TAIL] = now
            if rules.answer and packet[np.uint64(p), KIND] == 0:
                request = p
    if leaf[x, OWES] and not stalled:
        holds = rules.answer and leaf[x, WAITING] >= rules.limit
        for vc in range(rules.vcs):
            if holds and rules.requests >> vc & 1:
                continue
            one = np.uint64((x << rules.shift) | vc)
            if leaf_lane[one, DUE]:
                leaf_lane[one, DUE] -= 1
                leaf[x, OWES] -= 1
                if rules.long:
                    leaf[x, BACK] |= 1 << vc
                else:
                    link_in = feeder[feeder.size - leaf.shape[0] + x]
                    _put_credit(credits, used, (link_in << rules.shift) | vc)
    return request


@inlined
def _best(rules: Rules, left: Int32Array, leaf_lane: Int64Array, x: int, may: int) -> int:
    """Return the VC in which a packet would start, -1 if it cannot."""
    most, best = 0, -1
    for vc in range(rules.vcs):
        if may >> vc & 1 and leaf_lane[(x << rules.shift) | vc, HELD] < 0:
            mine = left[((rules.outputs + x) << rules.shift) | vc]
            if mine > most:
                most, best = mine, vc
    return best


@inlined
def _source(
    rules: Rules,
    left: Int32Array,
    leaf: Int64Array,
    leaf_lane: Int64Array,
    flits: Int64Array,
    used: Int64Array,
    packet: Int64Array,
    fate: Int64Array,
    pace: Int64Array,
    x: int,
    now: int,
) -> None:
    """Let leaf x send a flit."""
    vc = -1
    if pace.shape[0] and pace[rules.outputs + x, 1] > now:
        return
    if leaf[x, HOLDS]:
        last = leaf[x, LAST] if leaf[x, LAST_CLOCK] == now - 1 else -1
        for each in range(rules.vcs - 1, -1, -1):
            able = leaf_lane[np.uint64((x << rules.shift) | each), HELD] >= 0
            able = able and left[np.uint64(((rules.outputs + x) << rules.shift) | each)] > 0
            if able and (vc < 0 or vc != last):
                vc = each
    if vc < 0:
        vc = _begin(rules, left, leaf, leaf_lane, packet, fate, x, now)
    if vc < 0:
        return
    one = np.uint64((x << rules.shift) | vc)
    p, index = leaf_lane[one, HELD], leaf_lane[one, AT]
    flit = p << PACKET | index << INDEX | (HEAD_BIT if index == 0 else 0)
    leaf_lane[one, AT] = index + 1
    if index + 1 == packet[np.uint64(p), FLITS]:
        flit |= TAIL_BIT
        leaf_lane[one, HELD] = -1
        leaf[x, HOLDS] -= 1
    out = ((rules.outputs + x) << rules.shift) | vc
    left[np.uint64(out)] -= 1
    leaf[x, LAST], leaf[x, LAST_CLOCK] = vc, now
    if pace.shape[0]:
        pace[rules.outputs + x, 1] = now + pace[rules.outputs + x, 0]
    _put_flit(flits, used, out, flit)


@inlined
def _begin(
    rules: Rules,
    left: Int32Array,
    leaf: Int64Array,
    leaf_lane: Int64Array,
    packet: Int64Array,
    fate: Int64Array,
    x: int,
    now: int,
) -> int:
    """Begin a packet, of the list or a reply; return its VC, -1 if none can begin."""
    first, second, p = -1, -1, leaf[x, HERE]
    if leaf[x, DUE_AT] <= now:
        kind = packet[p, KIND]
        may = rules.replies if kind else rules.requests
        if rules.keep:
            each = rules.vcs // rules.classes
            may = 1 << (packet[p, DESTINATION] % each + (rules.vcs - each if kind else 0))
        first = _best(rules, left, leaf_lane, x, may)
    if leaf[x, WAITING]:
        second = _best(rules, left, leaf_lane, x, rules.replies)
    vc = first
    if second >= 0 and (leaf[x, MY_TURN] == 1 or first < 0):
        p, vc = leaf[x, OLDEST], second
        leaf[x, OLDEST] = packet[p, REPLY]
        leaf[x, WAITING] -= 1
        leaf[x, MY_TURN] = 0
    elif first >= 0:
        leaf[x, HERE] += 1
        leaf[x, MY_TURN] = 1
        left = leaf[x, HERE] < leaf[x, END]
        leaf[x, DUE_AT] = packet[leaf[x, HERE], RELEASE] if left else NEVER
    else:
        return -1
    one = (x << rules.shift) | vc
    leaf_lane[one, HELD], leaf_lane[one, AT] = p, 0
    leaf[x, HOLDS] += 1
    fate[p, BEGAN] = now
    return vc


@inlined
def _answer(leaf: Int64Array, packet: Int64Array, x: int, reply: int) -> None:
    """Put a reply at the end of the queue of leaf x."""
    if leaf[x, WAITING]:
        packet[leaf[x, NEWEST], REPLY] = reply
    else:
        leaf[x, OLDEST] = reply
    leaf[x, NEWEST] = reply
    leaf[x, WAITING] += 1


@inlined
def _return(
    rules: Rules,
    feeder: Int64Array,
    leaf: Int64Array,
    credits: Int64Array,
    used: Int64Array,
    near: Int64Array,
    now: int,
) -> None:
    """Put credits on their way back over long links, and where they are seen in this clock."""
    slot, leaves = now % (rules.long + 1), leaf.shape[0]
    into = (now + rules.long) % (rules.long + 1)
    for x in range(leaves):
        near[into, x] = leaf[x, BACK]
        link_in = feeder[feeder.size - leaves + x]
        for vc in range(rules.vcs):
            if near[slot, x] >> vc & 1:
                _put_credit(credits, used, (link_in << rules.shift) | vc)


@inlined
def _log_far_ends(
    rules: Rules,
    leaf: Int64Array,
    far: Int64Array,
    flits: Int64Array,
    credits: Int64Array,
    used: Int64Array,
    beyond: int,
    now: int,
) -> None:
    """Log what is at the far ends of long links in this clock; they come `beyond` others."""
    slot = now % (rules.long + 1)
    for x in range(leaf.shape[0]):
        if far[slot, x, 0] >= 0:
            _put_flit(flits, used, ((beyond + x) << rules.shift) | far[slot, x, 1], far[slot, x, 0])
        for vc in range(rules.vcs):
            if leaf[x, BACK] >> vc & 1:
                _put_credit(credits, used, ((beyond + x) << rules.shift) | vc)


@inlined
def _arrive(
    rules: Rules,
    target: Int64Array,
    bit: Int64Array,
    queue: Int64Array,
    lane: Int32Array,
    waiting: UInt64Array,
    flits: Int64Array,
    first: int,
    last: int,
    far: Int64Array,
    now: int,
) -> None:
    """Queue the flits that are on links, or put them on their way to leaves."""
    ring = np.uint64(rules.ring_bits)
    into = np.uint64((now + rules.long) % (rules.long + 1))
    for row in range(np.uint64(first), np.uint64(last)):
        at, flit = flits[row, 0], flits[row, 1]
        end, vc = target[np.uint64(at >> rules.shift)], at & rules.mask
        if end < 0:
            far[into, np.uint64(-1 - end), 0], far[into, np.uint64(-1 - end), 1] = flit, vc
            continue
        one = np.uint64((end << rules.shift) | vc)
        of = one << ROW_OF_LANE
        length = lane[of + LENGTH]
        place = np.uint64((lane[of + FRONT] + length) & (rules.ring - 1))
        queue[(one << ring) + place] = flit
        lane[of + LENGTH] = length + 1
        b = bit[np.uint64(end)] + vc
        waiting[np.uint64(b >> 6)] |= np.uint64(1) << np.uint64(b & 63)


@inlined
def _count(left: Int32Array, credits: Int64Array, first: int, last: int) -> None:
    """Count the credits that are on links."""
    for row in range(np.uint64(first), np.uint64(last)):
        left[np.uint64(credits[row])] += 1


@inlined
def next_weight(weight: np.uint64) -> np.uint64:
    """Return the weight that follows; being odd, none lets a single difference vanish."""
    x = weight * np.uint64(0x9E3779B97F4A7C15)
    return x ^ x >> np.uint64(32) | np.uint64(1)


@inlined
def weight(row: int) -> np.uint64:
    """Return by how much the row of a clock of a burst counts."""
    return next_weight(next_weight(np.uint64(row + 1)))


@inlined
def _put(row: UInt64Array, at: int, bits: np.uint64) -> None:
    """Put bits into a row from one on; they may go on in its next word."""
    word, low = np.uint64(at >> 6), np.uint64(at & 63)
    row[word] |= bits << low
    beyond = bits >> (np.uint64(63) - low) >> np.uint64(1)
    if beyond:
        row[word + np.uint64(1)] |= beyond


@inlined
def _show(
    rules: Rules,
    bit: Int64Array,
    lane: Int32Array,
    waiting: UInt64Array,
    active: UInt64Array,
    link: Int32Array,
    left: Int32Array,
    place: Int64Array,
    home: Int64Array,
    row: UInt64Array,
) -> None:
    """Show what input lanes hold, and which outputs are free."""
    for word in range(row.size):
        row[word] = 0
    for one in range(place.shape[0]):
        if place[one, 0] < 0:
            continue
        of = np.uint64(one) << ROW_OF_LANE
        at = bit[one >> rules.shift] + (one & rules.mask)
        low = np.uint64(at & 63)
        shown = waiting[at >> 6] >> low & np.uint64(1)
        shown |= (active[at >> 6] >> low & np.uint64(1)) << np.uint64(1)
        shown |= np.uint64(lane[of + PORT] + place[one, 2]) << np.uint64(2)
        if lane[of + VC] >= 0:
            shown |= np.uint64(1) << np.uint64(place[one, 1] + lane[of + VC])
        _put(row, place[one, 0], shown)
    for o in range(home.size):
        _put(row, home[o], np.uint64(link[o, FREE] & _home(rules, left, o)))


@inlined
def _keep(row: UInt64Array, total: UInt64Array, rows: UInt64Array, at: int) -> None:
    """Keep what is shown in a clock of a burst."""
    low = weight(at) if at % SHOWN_EVERY == 0 else np.uint64(0)
    high = next_weight(low) if at % SHOWN_EVERY == 0 else np.uint64(0)
    for word in range(row.size):
        total[word] += low * (row[word] & np.uint64(MASK32)) + high * (row[word] >> np.uint64(32))
        if rows.shape[0]:
            rows[at, word] = row[word]


@inlined
def _move(
    flits: Int64Array,
    credits: Int64Array,
    flit: int,
    credit: int,
    count: Int64Array,
    flits_to: Int64Array,
    credits_to: Int64Array,
) -> None:
    """Move so many flits and credits, from a row of each on, to where others begin."""
    for k in range(count[0]):
        flits_to[k, 0], flits_to[k, 1] = flits[flit + k, 0], flits[flit + k, 1]
    for k in range(count[1]):
        credits_to[k] = credits[credit + k]


@compiled
def observe(
    rules: Rules,
    map_: Map,
    state: State,
    leaves: Leaves,
    links: Links,
    log: Log,
    logged: bool,
    showing: Showing,
    begin: int,
    now: int,
) -> None:
    """Log what is on all links in a clock in which nothing else happens: the clock of a reset.

    The burst began in clock `begin`.
    """
    place, home, row, total, rows = showing
    if row.size and (rows.shape[0] or (now - begin) % SHOWN_EVERY == 0):
        _show(
            *(rules, map_.bit, state.lane, state.waiting, state.active, state.link, state.left),
            *(place, home, row),
        )
        _keep(row, total, rows, now - begin)
    if not logged:
        return
    flits, credits, used, ends = log
    _move(links.flit, links.credit, 0, 0, links.counts, flits, credits)
    used[0], used[1] = links.counts[0], links.counts[1]
    if rules.long:
        _return(rules, map_.feeder, leaves.leaf, credits, used, links.near, now)
        _log_far_ends(rules, leaves.leaf, links.far, flits, credits, used, map_.target.size, now)
    ends[1, 0], ends[1, 1] = used[0], used[1]


@compiled
def run(  # noqa: PLR0915 - one clock, step by step
    rules: Rules,
    map_: Map,
    state: State,
    leaves: Leaves,
    links: Links,
    packet: Int64Array,
    fate: Int64Array,
    listed: int,
    log: Log,
    logged: bool,
    showing: Showing,
    scratch: Scratch,
    begin: int,
    first: int,
    clocks: int,
    stall: BoolArray,
    may_send: bool,
    driven: Log,
) -> int:
    """Run so many clocks without a reset, from clock `first` on.

    The burst began in clock `begin`.

    `packet` [packets and replies, 8], of which `listed` are no replies, `fate` [.., 3]; `stall`
    [clocks, leaves] may have no rows; `driven`: what others put on links, `ends` without rows:
    nothing ever.  Returns how many clocks were not skipped.
    """
    switch, table, target, feeder, bit = map_
    queue, lane, waiting, active, link, left, vc_grant, way_grant, port_grant = state[:9]
    random, pace, spread = state[9:]
    leaf, leaf_lane = leaves
    flits, credits, used, ends = log
    put_flits, put_credits, _, puts = driven
    far, near = links.far, links.near
    shows, home, row, total, rows = showing
    best, asked, kept, before = scratch
    worked, now, flit_from, credit_from = 0, first, 0, 0
    _move(links.flit, links.credit, 0, 0, links.counts, flits, credits)
    used[0], used[1] = links.counts[0], links.counts[1]
    while now < first + clocks:
        worked += 1
        if rules.long:
            _return(rules, feeder, leaf, credits, used, near, now)
        if puts.shape[0]:
            for each in range(puts[now - first, 0], puts[now - first + 1, 0]):
                _put_flit(flits, used, put_flits[each, 0], put_flits[each, 1])
            for each in range(puts[now - first, 1], puts[now - first + 1, 1]):
                _put_credit(credits, used, put_credits[each])
        flit_to, credit_to = used[0], used[1]
        if logged:
            if rules.long:
                _log_far_ends(rules, leaf, far, flits, credits, used, target.size, now)
            ends[now - first + 1, 0], ends[now - first + 1, 1] = used[0], used[1]
        else:
            used[0] = 0 if flit_from else flits.shape[0] >> 1
            used[1] = 0 if credit_from else credits.size >> 1
        next_flit, next_credit = used[0], used[1]
        if row.size and (rows.shape[0] or (now - begin) % SHOWN_EVERY == 0):
            _show(rules, bit, lane, waiting, active, link, left, shows, home, row)
            _keep(row, total, rows, now - begin)
        busy = flit_to - flit_from + credit_to - credit_from + rules.long
        for s in range(switch.shape[0]):
            here = switch[s]
            bits = np.uint64(0)
            for w in range(here[WORD], here[WORDS]):
                bits |= waiting[w]
                before[w - here[WORD]] = active[w]
            if not bits:
                continue
            busy += 1
            if rules.ahead:
                _look_ahead(
                    *(rules, here, table, queue, lane, waiting, active, link, left, random),
                    *(packet, spread, s, now),
                )
            n, k = _search(
                *(rules, here, table, queue, lane, waiting, active, link, left, vc_grant),
                *(random, packet, spread, best, asked, kept, s, now),
            )
            if n or k:
                _grant(
                    *(rules, here, queue, lane, active, link, vc_grant, random, packet, spread),
                    *(best, asked, kept, n, k, s, now),
                )
                if rules.stages == 1:
                    for w in range(here[WORD], here[WORDS]):
                        before[w - here[WORD]] = active[w]
            n = _pick(
                *(rules, here, lane, waiting, before, link, left, way_grant, port_grant),
                *(pace, best, asked, now),
            )
            for k in range(n):
                out = np.uint64(asked[np.uint64(k)])
                i, way = best[out] >> LANE & LANES, best[out] & LANES
                o = np.uint64(here[FIRST_OUT] + np.int64(out))
                best[out] = NEVER
                link[o, PORT_POINTER] = way + 1
                if rules.matrix:
                    port_grant[o, way] = now
                    way_grant[(here[FIRST_IN] << rules.shift) + i] = now
                elif rules.per_way > 1:
                    part = way - (i >> rules.shift) * rules.ways
                    place = (i & rules.mask) - part * rules.per_way
                    way_grant[here[FIRST_IN] * rules.ways + way] = place + 1
                _take(
                    *(rules, here, queue, lane, waiting, active, link, left, feeder),
                    *(flits, credits, used, packet, pace, i, now),
                )
        _arrive(rules, target, bit, queue, lane, waiting, flits, flit_from, flit_to, far, now)
        slot, soon = now % (rules.long + 1), NEVER
        for x in range(leaf.shape[0]):
            leaf[x, BACK] = 0
            release = leaf[x, DUE_AT]
            soon = min(soon, release)
            request = -1
            if far[slot, x, 0] >= 0 or leaf[x, OWES]:
                busy += 1
                stalled = stall.shape[0] > 0 and stall[now - first, x]
                request = _sink(
                    *(rules, leaf, leaf_lane, far, feeder, credits, used, packet, fate),
                    *(x, slot, now, stalled),
                )
            if leaf[x, HOLDS] or leaf[x, WAITING] or release <= now:
                busy += 1
                if may_send:
                    _source(
                        *(rules, left, leaf, leaf_lane, flits, used, packet, fate, pace, x, now)
                    )
            if request >= 0:
                _answer(leaf, packet, x, request + listed)
        _count(left, credits, credit_from, credit_to)
        flit_from, credit_from = next_flit, next_credit
        now += 1
        if busy == 0 and not puts.shape[0]:  # nothing moves before a release; long links: busy
            still = now
            now = max(now, min(first + clocks, soon))
            for each in range(still - first, now - first if logged else 0):
                ends[each + 1, 0], ends[each + 1, 1] = ends[each, 0], ends[each, 1]
            if row.size and still < now:
                _show(rules, bit, lane, waiting, active, link, left, shows, home, row)
                for each in range(still, now):
                    _keep(row, total, rows, each - begin)
    links.counts[0], links.counts[1] = used[0] - flit_from, used[1] - credit_from
    _move(flits, credits, flit_from, credit_from, links.counts, links.flit, links.credit)
    return worked
