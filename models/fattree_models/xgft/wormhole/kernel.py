"""The wormhole network clock by clock, compiled.

All compiled functions and the tuples they work on are in this one file, because numba's cache does
not see changes in other files.  A *lane* is a VC of a port or link: number << shift | VC, so that
nothing is divided.  A flit is one integer: packet << 17 | index << 2 | head << 1 | tail.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array

UInt8Array = npt.NDArray[np.uint8]
UInt64Array = npt.NDArray[np.uint64]

PACKET, INDEX, HEAD_BIT, TAIL_BIT = 17, 2, 2, 1
FRONT, LENGTH, ROUTED, PORT, VC, TARGET, NEXT, AHEAD = range(8)
"""Columns of `lane`: front of the ring, flits in it, then registers; NEXT and AHEAD are of a clock:
the route found ahead, or to be kept if no VC is granted; whether it is one ahead."""
DMODK, SMODK, RANDOM, ADAPTIVE, TWO, TURN, TABLE = range(7)
NEVER = np.int64(1) << 62
GOLDEN, MASK32 = 0x9E3779B9, 0xFFFFFFFF

DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
PLACES_OF_BITS = np.zeros(64, np.int64)
PLACES_OF_BITS[[(int(DE_BRUIJN) << i) % (1 << 64) >> 58 for i in range(64)]] = np.arange(64)
LOWEST = np.array([0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0])


class Rules(NamedTuple):
    """What does not change: variables, then columns by switch, then links."""

    vcs: int
    shift: int
    depth: int
    ring: int
    stages: int
    ahead: bool
    ways: int
    per_way: int
    keep: bool
    classes: int
    matrix: bool
    vc_matrix: bool
    routing: int
    top: bool
    tbwp: bool
    many: bool
    tbch: int
    long: int
    class_mask: Int64Array
    hold: BoolArray
    turns: BoolArray
    number: Int64Array
    ins: Int64Array
    outs: Int64Array
    children: Int64Array
    parents: Int64Array
    unit: Int64Array
    span: Int64Array
    below: Int64Array
    group: Int64Array
    roots: Int64Array
    first_in: Int64Array
    first_out: Int64Array
    word: Int64Array
    word_of: Int64Array
    table: npt.NDArray[np.int16]
    table_row: Int64Array
    target: Int64Array
    feeder: Int64Array
    outputs: int


class State(NamedTuple):
    """Registers.

    `queue` [input lanes, ring], `lane` [input lanes, 8]; `waiting`, `active` [words]: bits of input
    lanes.  `credit` [link lanes], of outputs and of leaves; of outputs: `free`, `home` [outputs],
    VCs as bits, `room` [outputs], all credits.  Arbiters: pointers, or clocks of the last grant.
    `random`, `drawn` [switches]: the word, and its clock.
    """

    queue: Int64Array
    lane: Int32Array
    waiting: UInt64Array
    active: UInt64Array
    credit: Int32Array
    free: Int64Array
    home: Int64Array
    room: Int64Array
    vc_arbiter: Int64Array
    way_arbiter: Int64Array
    port_arbiter: Int64Array
    random: Int64Array
    drawn: Int64Array


class Leaves(NamedTuple):
    """Sources and sinks.

    `held`, `index`, `due` [leaf lanes]; `holds`, `owes` [leaves], how many VCs hold a packet, and
    credits due; `turn`, `last`, `last_clock`, `waiting`, `oldest`, `newest` [leaves];
    `next`, `end` [leaves]: the list; `following` [packets]: the queue of replies.
    """

    held: Int64Array
    index: Int64Array
    due: Int64Array
    holds: Int64Array
    owes: Int64Array
    turn: Int64Array
    last: Int64Array
    last_clock: Int64Array
    waiting: Int64Array
    oldest: Int64Array
    newest: Int64Array
    next: Int64Array
    end: Int64Array
    following: Int64Array


class Links(NamedTuple):
    """What is on links.

    `flit_lane`, `flit` [2, links]: flits on links in even and odd clocks; `credit` [2, lanes];
    `used` [2, 2]: how many of both; `far` [long + 1, leaves, 2]: flits and VCs on their way to
    leaves; `near` [long + 1, leaves], `back` [leaves]: credits on their way from them, VCs as bits.
    """

    flit_lane: Int64Array
    flit: Int64Array
    credit: Int64Array
    used: Int64Array
    far: Int64Array
    near: Int64Array
    back: Int64Array


class Load(NamedTuple):
    """Packets, then replies; `answer`: whether requests are answered."""

    source: Int64Array
    destination: Int64Array
    release: Int64Array
    flits: Int64Array
    kind: Int64Array
    address: Int64Array
    began: Int64Array
    head: Int64Array
    tail: Int64Array
    listed: int
    answer: bool
    limit: int


class Log(NamedTuple):
    """What was seen, if `on`: `flits` [rows, 3], `credits` [rows, 2]: clock, lane (, flit)."""

    on: bool
    flits: Int64Array
    credits: Int64Array
    used: Int64Array


class Scratch(NamedTuple):
    """Of one switch in one clock: best requester by output, lists of outputs and of lanes."""

    key: Int64Array
    who: Int64Array
    vc: Int64Array
    asked: Int64Array
    kept: Int64Array
    before: UInt64Array


@njit(cache=True, nogil=True)
def lowest(bits: np.uint64) -> int:
    """Return the place of the lowest bit that is set."""
    return PLACES_OF_BITS[((bits & (~bits + np.uint64(1))) * DE_BRUIJN) >> np.uint64(58)]


@njit(cache=True, nogil=True)
def advance(word: int, steps: int) -> int:
    """Return a random word so many clocks later."""
    for _ in range(steps):
        word ^= word << 13 & MASK32
        word ^= word >> 17
        word ^= word << 5 & MASK32
    return word


@njit(cache=True, nogil=True)
def words(first: int, count: int, out: npt.NDArray[np.uint32]) -> None:
    """Fill `out` with the random words from `first` on."""
    for row in range(count):
        out[row] = first
        first = advance(first, 1)


@njit(cache=True, nogil=True)
def _draw(rules: Rules, state: State, s: int, i: int, now: int) -> int:
    """Return the random bits of input lane i of switch s."""
    word = advance(state.random[s], now - state.drawn[s])
    state.random[s], state.drawn[s] = word, now
    port, vc = i >> rules.shift, i & ((1 << rules.shift) - 1)
    lane = (rules.number[s] * rules.ins[s] + port) * rules.vcs + vc
    turn = 5 * lane % 32
    return (word << turn | word >> (32 - turn)) & 0xFFFF


@njit(cache=True, nogil=True)
def _room(rules: Rules, state: State, o: int) -> int:
    return state.room[o] + (rules.depth if state.free[o] else 0)


@njit(cache=True, nogil=True)
def _may(rules: Rules, i: int, kind: int) -> int:
    """Return the VCs, as bits, that a packet in input lane i may have."""
    may = rules.class_mask[kind]
    if rules.keep:
        may &= 1 << (i & ((1 << rules.shift) - 1))
    return may


@njit(cache=True, nogil=True)
def _turn(rules: Rules, state: State, load: Load, s: int, i: int, packet: int, now: int) -> int:
    """Return the output of an up switch of a turn-back node."""
    first_out, ahead = rules.first_out[s], rules.parents[s] + rules.roots[s]
    may = _may(rules, i, load.kind[packet])
    onward, open_turn = False, False
    for o in range(ahead):
        onward |= state.free[first_out + o] & may != 0
    for o in range(ahead, ahead + rules.tbch):
        open_turn |= state.free[first_out + o] & may != 0
    if rules.parents[s] == 0:
        if rules.many:
            onward = rules.roots[s] > 0
        elif i >> rules.shift >= rules.children[s]:
            onward = False
    turn = load.destination[packet] // rules.span[s] == rules.below[s]
    if rules.tbwp and not open_turn and onward:
        turn = False
    first, count = (ahead, rules.tbch) if turn else (0, ahead)
    at = _draw(rules, state, s, i, now) * count >> 16
    best, found = -1, first
    for _ in range(count):
        o = first_out + first + at
        value = _room(rules, state, o)
        if state.free[o] & may:
            value += 1 << 30
        if value > best:
            best, found = value, first + at
        at = at + 1 if at + 1 < count else 0
    return found


@njit(cache=True, nogil=True)
def _route(rules: Rules, state: State, load: Load, s: int, i: int, packet: int, now: int) -> int:
    """Return the output port of a head."""
    if rules.routing == TABLE:
        return rules.table[rules.table_row[s] + load.address[packet]]
    if rules.turns[s]:
        return _turn(rules, state, load, s, i, packet, now)
    leaf, parents, m = load.destination[packet], rules.parents[s], rules.children[s]
    if parents:
        climbs = i >> rules.shift < m if rules.top else leaf // rules.span[s] != rules.below[s]
        if climbs:
            if rules.routing == DMODK:
                return m + leaf // rules.group[s] % parents
            if rules.routing == SMODK:
                return m + load.source[packet] // rules.group[s] % parents
            r = _draw(rules, state, s, i, now)
            at = r * parents >> 16
            first = rules.first_out[s] + m
            if rules.routing == TWO:
                other = (r & 255) * parents >> 8
                if _room(rules, state, first + other) > _room(rules, state, first + at):
                    at = other
            elif rules.routing == ADAPTIVE:
                best, found = -1, at
                for _ in range(parents):
                    value = _room(rules, state, first + at)
                    if value > best:
                        best, found = value, at
                    at = at + 1 if at + 1 < parents else 0
                at = found
            return m + at
    return leaf // rules.unit[s] % m


@njit(cache=True, nogil=True)
def _search(
    rules: Rules, state: State, load: Load, scratch: Scratch, s: int, now: int
) -> tuple[int, int]:
    """Find routes, and who asks for a VC; return how many outputs are asked, and lanes kept."""
    first_lane, first_out = rules.first_in[s] << rules.shift, rules.first_out[s]
    hold, asked, kept = rules.hold[s], 0, 0
    around = rules.ins[s] << rules.shift
    for w in range(rules.word[s], rules.word[s + 1]):
        bits = state.waiting[w] & ~state.active[w]
        offset = (w - rules.word[s]) << 6
        while bits:
            i = offset + lowest(bits)
            bits &= bits - np.uint64(1)
            one = first_lane + i
            packet = state.queue[one, state.lane[one, FRONT]] >> PACKET
            want = rules.stages < 3 or state.lane[one, ROUTED] != 0
            out = state.lane[one, PORT]
            if state.lane[one, ROUTED] == 0 or not hold:
                route = _route(rules, state, load, s, i, packet, now)
                if rules.stages < 3:
                    out = route
                    state.lane[one, PORT] = route
                elif want:
                    state.lane[one, NEXT] = route
                    scratch.kept[kept] = i
                    kept += 1
                else:
                    state.lane[one, PORT] = route
            state.lane[one, ROUTED] = 1
            state.lane[one, AHEAD] = 0
            if not want:
                continue
            o = first_out + out
            may = state.free[o] & _may(rules, i, load.kind[packet])
            if may & state.home[o]:
                may &= state.home[o]
            if not may:
                continue
            if rules.vc_matrix:
                key = state.vc_arbiter[o, i]
            else:
                key = i - state.vc_arbiter[o, 0]
                if key < 0:
                    key += around
            if scratch.key[out] == NEVER:
                scratch.asked[asked] = out
                asked += 1
            if key < scratch.key[out]:
                scratch.key[out], scratch.who[out], scratch.vc[out] = key, i, LOWEST[may]
    return asked, kept


@njit(cache=True, nogil=True)
def _look_ahead(rules: Rules, state: State, load: Load, s: int, now: int) -> None:
    """Find routes of heads that wait behind a tail."""
    first_lane = rules.first_in[s] << rules.shift
    for w in range(rules.word[s], rules.word[s + 1]):
        bits = state.waiting[w] & state.active[w]
        while bits:
            i = ((w - rules.word[s]) << 6) + lowest(bits)
            bits &= bits - np.uint64(1)
            one = first_lane + i
            front = state.lane[one, FRONT]
            ahead = state.lane[one, LENGTH] > 1 and state.queue[one, front] & TAIL_BIT != 0
            state.lane[one, AHEAD] = ahead
            if ahead:
                behind = state.queue[one, (front + 1) & (rules.ring - 1)] >> PACKET
                state.lane[one, NEXT] = _route(rules, state, load, s, i, behind, now)


@njit(cache=True, nogil=True)
def _grant(
    rules: Rules, state: State, scratch: Scratch, s: int, now: int, asked: int, kept: int
) -> None:
    """Give VCs to those that the VC arbiters choose."""
    first_lane, first_word = rules.first_in[s] << rules.shift, rules.word[s]
    for k in range(asked):
        out = scratch.asked[k]
        i, vc, o = scratch.who[out], scratch.vc[out], rules.first_out[s] + out
        scratch.key[out] = NEVER
        if rules.vc_matrix:
            state.vc_arbiter[o, i] = now
        else:
            state.vc_arbiter[o, 0] = i + 1
        one = first_lane + i
        state.active[first_word + (i >> 6)] |= np.uint64(1) << np.uint64(i & 63)
        state.lane[one, VC] = vc
        state.lane[one, TARGET] = (o << rules.shift) | vc
        state.free[o] &= ~(1 << vc)
    for k in range(kept):
        i = scratch.kept[k]
        granted = state.active[first_word + (i >> 6)] >> np.uint64(i & 63) & np.uint64(1)
        if not granted:
            state.lane[first_lane + i, PORT] = state.lane[first_lane + i, NEXT]


@njit(cache=True, nogil=True)
def _ask_port(
    rules: Rules, state: State, scratch: Scratch, s: int, i: int, way: int, asked: int
) -> int:
    """Let a way ask for the port that its pick wants; return how many outputs are asked."""
    out = state.lane[(rules.first_in[s] << rules.shift) + i, PORT]
    o = rules.first_out[s] + out
    if rules.matrix:
        key = state.port_arbiter[o, way]
    else:
        key = way - state.port_arbiter[o, 0]
        if key < 0:
            key += rules.ins[s] * rules.ways
    if scratch.key[out] == NEVER:
        scratch.asked[asked] = out
        asked += 1
    if key < scratch.key[out]:
        scratch.key[out], scratch.who[out] = key, i
    return asked


@njit(cache=True, nogil=True)
def _way(rules: Rules, i: int) -> int:
    port, vc = i >> rules.shift, i & ((1 << rules.shift) - 1)
    return port * rules.ways + vc // rules.per_way


@njit(cache=True, nogil=True)
def _pick(rules: Rules, state: State, scratch: Scratch, s: int) -> int:
    """Pick a lane of each way, and let the ways ask; return how many outputs are asked."""
    first_lane = rules.first_in[s] << rules.shift
    first_way = rules.first_in[s] * rules.ways
    asked, way, best, pick = 0, -1, NEVER, -1
    for w in range(rules.word[s], rules.word[s + 1]):
        bits = state.waiting[w] & scratch.before[w - rules.word[s]]
        offset = (w - rules.word[s]) << 6
        while bits:
            i = offset + lowest(bits)
            bits &= bits - np.uint64(1)
            one = first_lane + i
            if state.credit[state.lane[one, TARGET]] <= 0:
                continue
            mine, key = _way(rules, i), np.int64(0)
            if rules.per_way > 1:
                if rules.matrix:
                    key = state.way_arbiter[one]
                else:
                    place = (i & ((1 << rules.shift) - 1)) % rules.per_way
                    key = place - state.way_arbiter[first_way + mine]
                    if key < 0:
                        key += rules.per_way
            if mine != way:
                if way >= 0:
                    asked = _ask_port(rules, state, scratch, s, pick, way, asked)
                way, best, pick = mine, key, i
            elif key < best:
                best, pick = key, i
    if way >= 0:
        asked = _ask_port(rules, state, scratch, s, pick, way, asked)
    return asked


@njit(cache=True, nogil=True)
def _take(rules: Rules, state: State, links: Links, s: int, i: int, after: int) -> None:
    """Let the flit at the front of an input lane cross."""
    one = (rules.first_in[s] << rules.shift) + i
    word, bit = rules.word[s] + (i >> 6), np.uint64(1) << np.uint64(i & 63)
    front = state.lane[one, FRONT]
    flit, to = state.queue[one, front], state.lane[one, TARGET]
    state.lane[one, FRONT] = (front + 1) & (rules.ring - 1)
    state.lane[one, LENGTH] -= 1
    if state.lane[one, LENGTH] == 0:
        state.waiting[word] &= ~bit
    o, vc = to >> rules.shift, 1 << (to & ((1 << rules.shift) - 1))
    state.credit[to] -= 1
    state.room[o] -= 1
    state.home[o] &= ~vc
    if flit & TAIL_BIT:
        state.free[o] |= vc
        state.active[word] &= ~bit
        state.lane[one, ROUTED] = state.lane[one, AHEAD]
        if rules.ahead and state.lane[one, AHEAD]:
            state.lane[one, PORT] = state.lane[one, NEXT]
    k = links.used[after, 0]
    links.flit_lane[after, k], links.flit[after, k] = to, flit
    links.used[after, 0] = k + 1
    k = links.used[after, 1]
    port = rules.first_in[s] + (i >> rules.shift)
    vc = i & ((1 << rules.shift) - 1)
    links.credit[after, k] = (rules.feeder[port] << rules.shift) | vc
    links.used[after, 1] = k + 1


@njit(cache=True, nogil=True)
def _switch(
    rules: Rules, state: State, load: Load, links: Links, scratch: Scratch, s: int, now: int
) -> None:
    """Let one switch, some lane of which waits, go on by a clock."""
    first, last = rules.word[s], rules.word[s + 1]
    for w in range(first, last):
        scratch.before[w - first] = state.active[w]
    if rules.ahead:
        _look_ahead(rules, state, load, s, now)
    asked, kept = _search(rules, state, load, scratch, s, now)
    if asked or kept:
        _grant(rules, state, scratch, s, now, asked, kept)
        if rules.stages == 1:
            for w in range(first, last):
                scratch.before[w - first] = state.active[w]
    after = (now + 1) & 1
    for k in range(_pick(rules, state, scratch, s)):
        out = scratch.asked[k]
        i, o = scratch.who[out], rules.first_out[s] + out
        scratch.key[out] = NEVER
        way = _way(rules, i)
        if rules.matrix:
            state.port_arbiter[o, way] = now
            state.way_arbiter[(rules.first_in[s] << rules.shift) + i] = now
        else:
            state.port_arbiter[o, 0] = way + 1
            if rules.per_way > 1:
                place = (i & ((1 << rules.shift) - 1)) % rules.per_way
                state.way_arbiter[rules.first_in[s] * rules.ways + way] = place + 1
        _take(rules, state, links, s, i, after)


@njit(cache=True, nogil=True)
def _sink(
    rules: Rules, leaves: Leaves, links: Links, load: Load, x: int, now: int, stalled: bool
) -> int:
    """Take what is at the end of the link to leaf x, give credits; return a request that ended."""
    slot = now % (rules.long + 1)
    flit = links.far[slot, x, 0]
    request = -1
    if flit >= 0:
        packet = flit >> PACKET
        leaves.due[(x << rules.shift) | links.far[slot, x, 1]] += 1
        leaves.owes[x] += 1
        links.far[slot, x, 0] = -1
        if flit & HEAD_BIT:
            load.head[packet] = now
        if flit & TAIL_BIT:
            load.tail[packet] = now
            if load.answer and load.kind[packet] == 0:
                request = packet
    if leaves.owes[x] and not stalled:
        first = 0
        if load.answer and leaves.waiting[x] >= load.limit:
            first = rules.vcs // 2
        for vc in range(first, rules.vcs):
            one = (x << rules.shift) | vc
            if leaves.due[one]:
                leaves.due[one] -= 1
                leaves.owes[x] -= 1
                if rules.long:
                    links.back[x] |= 1 << vc
                else:
                    after = (now + 1) & 1
                    k = links.used[after, 1]
                    link = rules.feeder[rules.feeder.size - leaves.turn.size + x]
                    links.credit[after, k] = (link << rules.shift) | vc
                    links.used[after, 1] = k + 1
    return request


@njit(cache=True, nogil=True)
def _best(rules: Rules, state: State, leaves: Leaves, link: int, x: int, may: int) -> int:
    """Return the VC in which a packet would start, -1 if it cannot."""
    most, best = 0, -1
    for vc in range(rules.vcs):
        if may >> vc & 1 and leaves.held[(x << rules.shift) | vc] < 0:
            credit = state.credit[(link << rules.shift) | vc]
            if credit > most:
                most, best = credit, vc
    return best


@njit(cache=True, nogil=True)
def _source(
    rules: Rules, state: State, leaves: Leaves, links: Links, load: Load, x: int, now: int
) -> None:
    """Let leaf x send a flit."""
    link, vc = rules.outputs + x, -1
    if leaves.holds[x]:
        last = leaves.last[x] if leaves.last_clock[x] == now - 1 else -1
        for each in range(rules.vcs - 1, -1, -1):
            able = leaves.held[(x << rules.shift) | each] >= 0
            able = able and state.credit[(link << rules.shift) | each] > 0
            if able and (vc < 0 or vc != last):
                vc = each
    if vc < 0:
        vc = _begin(rules, state, leaves, load, link, x, now)
    if vc < 0:
        return
    one = (x << rules.shift) | vc
    packet, index = leaves.held[one], leaves.index[one]
    flit = packet << PACKET | index << INDEX | (HEAD_BIT if index == 0 else 0)
    leaves.index[one] = index + 1
    if index + 1 == load.flits[packet]:
        flit |= TAIL_BIT
        leaves.held[one] = -1
        leaves.holds[x] -= 1
    state.credit[(link << rules.shift) | vc] -= 1
    leaves.last[x], leaves.last_clock[x] = vc, now
    after = (now + 1) & 1
    k = links.used[after, 0]
    links.flit_lane[after, k], links.flit[after, k] = (link << rules.shift) | vc, flit
    links.used[after, 0] = k + 1


@njit(cache=True, nogil=True)
def _begin(
    rules: Rules, state: State, leaves: Leaves, load: Load, link: int, x: int, now: int
) -> int:
    """Begin a packet, of the list or a reply; return its VC, -1 if none can begin."""
    first, second = -1, -1
    if leaves.next[x] < leaves.end[x] and load.release[leaves.next[x]] <= now:
        packet = leaves.next[x]
        kind = load.kind[packet]
        may = rules.class_mask[kind]
        if rules.keep:
            each = rules.vcs // rules.classes
            may = 1 << (load.destination[packet] % each + (rules.vcs - each if kind else 0))
        first = _best(rules, state, leaves, link, x, may)
    if leaves.waiting[x]:
        second = _best(rules, state, leaves, link, x, rules.class_mask[1])
    if second >= 0 and (leaves.turn[x] == 1 or first < 0):
        packet, vc = leaves.oldest[x], second
        leaves.oldest[x] = leaves.following[packet]
        leaves.waiting[x] -= 1
        leaves.turn[x] = 0
    elif first >= 0:
        packet, vc = leaves.next[x], first
        leaves.next[x] += 1
        leaves.turn[x] = 1
    else:
        return -1
    one = (x << rules.shift) | vc
    leaves.held[one], leaves.index[one] = packet, 0
    leaves.holds[x] += 1
    load.began[packet] = now
    return vc


@njit(cache=True, nogil=True)
def _answer(leaves: Leaves, load: Load, x: int, request: int) -> None:
    """Put the reply to a request at the end of the queue of leaf x."""
    reply = request + load.listed
    if leaves.waiting[x]:
        leaves.following[leaves.newest[x]] = reply
    else:
        leaves.oldest[x] = reply
    leaves.newest[x] = reply
    leaves.waiting[x] += 1


@njit(cache=True, nogil=True)
def observe(rules: Rules, links: Links, log: Log, now: int) -> None:
    """Move on what is on long links, and log what is on all links in this clock."""
    here, slot = now & 1, now % (rules.long + 1)
    out = (now + rules.long) % (rules.long + 1)
    for k in range(links.used[here, 0]):
        lane, flit = links.flit_lane[here, k], links.flit[here, k]
        target = rules.target[lane >> rules.shift]
        if target < 0:
            links.far[out, -1 - target, 0] = flit
            links.far[out, -1 - target, 1] = lane & ((1 << rules.shift) - 1)
    if rules.long:
        for x in range(links.back.size):
            links.near[out, x] = links.back[x]
            link = rules.feeder[rules.feeder.size - links.back.size + x]
            for vc in range(rules.vcs):
                if links.near[slot, x] >> vc & 1:
                    k = links.used[here, 1]
                    links.credit[here, k] = (link << rules.shift) | vc
                    links.used[here, 1] = k + 1
    if log.on:
        _log(rules, links, log, now)
    links.back[:] = 0


@njit(cache=True, nogil=True)
def _log(rules: Rules, links: Links, log: Log, now: int) -> None:
    here, slot, beyond = now & 1, now % (rules.long + 1), rules.target.size
    n, c = log.used[0], log.used[1]
    for k in range(links.used[here, 0]):
        log.flits[n, 0], log.flits[n, 1] = now, links.flit_lane[here, k]
        log.flits[n, 2] = links.flit[here, k]
        n += 1
    for k in range(links.used[here, 1]):
        log.credits[c, 0], log.credits[c, 1] = now, links.credit[here, k]
        c += 1
    if rules.long:
        for x in range(links.back.size):
            if links.far[slot, x, 0] >= 0:
                lane = ((beyond + x) << rules.shift) | links.far[slot, x, 1]
                log.flits[n, 0], log.flits[n, 1] = now, lane
                log.flits[n, 2] = links.far[slot, x, 0]
                n += 1
            for vc in range(rules.vcs):
                if links.back[x] >> vc & 1:
                    log.credits[c, 0] = now
                    log.credits[c, 1] = ((beyond + x) << rules.shift) | vc
                    c += 1
    log.used[0], log.used[1] = n, c


@njit(cache=True, nogil=True)
def _arrive(rules: Rules, state: State, links: Links, now: int) -> None:
    """Queue the flits and count the credits that are on links."""
    here = now & 1
    mask = (1 << rules.shift) - 1
    for k in range(links.used[here, 0]):
        lane = links.flit_lane[here, k]
        target = rules.target[lane >> rules.shift]
        if target >= 0:
            one = (target << rules.shift) | (lane & mask)
            length = state.lane[one, LENGTH]
            place = (state.lane[one, FRONT] + length) & (rules.ring - 1)
            state.queue[one, place] = links.flit[here, k]
            state.lane[one, LENGTH] = length + 1
            if length == 0:
                bit = rules.word_of[target] + (lane & mask)
                state.waiting[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    for k in range(links.used[here, 1]):
        lane = links.credit[here, k]
        state.credit[lane] += 1
        o = lane >> rules.shift
        if o < rules.outputs:
            state.room[o] += 1
            if state.credit[lane] == rules.depth:
                state.home[o] |= 1 << (lane & mask)
    links.used[here, 0], links.used[here, 1] = 0, 0


@njit(cache=True, nogil=True)
def run(
    rules: Rules,
    state: State,
    leaves: Leaves,
    links: Links,
    load: Load,
    log: Log,
    scratch: Scratch,
    first: int,
    clocks: int,
    stall: BoolArray,
    may_send: bool,
) -> int:
    """Run so many clocks, none of which is a reset, from clock `first` on.

    `stall` [clocks, leaves] may have no rows.  Returns how many clocks were not skipped.
    """
    switches, count, worked = rules.number.size, leaves.turn.size, 0
    now = first
    while now < first + clocks:
        worked += 1
        observe(rules, links, log, now)
        busy = links.used[now & 1, 0] + links.used[now & 1, 1]
        for s in range(switches):
            bits = state.waiting[rules.word[s]]
            for w in range(rules.word[s] + 1, rules.word[s + 1]):
                bits |= state.waiting[w]
            if bits:
                _switch(rules, state, load, links, scratch, s, now)
                busy += 1
        slot, soon = now % (rules.long + 1), NEVER
        for x in range(count):
            release = NEVER
            if leaves.next[x] < leaves.end[x]:
                release = load.release[leaves.next[x]]
            soon = min(soon, release)
            request = -1
            if links.far[slot, x, 0] >= 0 or leaves.owes[x]:
                stalled = stall.shape[0] > 0 and stall[now - first, x]
                request = _sink(rules, leaves, links, load, x, now, stalled)
                busy += 1
            if leaves.holds[x] or leaves.waiting[x] or release <= now:
                if may_send:
                    _source(rules, state, leaves, links, load, x, now)
                busy += 1
            if request >= 0:
                _answer(leaves, load, x, request)
        _arrive(rules, state, links, now)
        now += 1
        # Where nothing moves nothing changes, but what is on a long link is not seen here.
        if busy == 0 and rules.long == 0:
            now = max(now, min(first + clocks, soon))
    return worked
