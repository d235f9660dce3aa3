"""SPIN's routers clock by clock, compiled: what each shows, given what came on its links.

All compiled functions and the arrays that they work on are in this one file, because numba's cache
does not see changes in other files.  Sets of inputs, outputs and buffers are bits of an integer.
All numbers are int64: numba makes a float of an int64 and a uint64.  Comments are from the words of
docs/spin.md, "A router clock by clock".
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.spin.codec import BEGIN, DATA, END, ERROR, LENGTH, MOST_WORDS, PARITY
from fattree_models.spin.topology import BUFFERS

UInt8Array = npt.NDArray[np.uint8]

WORD, CREDIT, STORED, STATE, HOME, NONE = range(6)
"""Kinds of a difference, in their order; NONE: there is none."""
NO_WORD = -1
PORTS, DEPTH, CREDITS = 8, 4, 4
BOTH = (1 << BUFFERS) - 1
TO_BUFFER, CLIMBS, ASTRAY = 8, 16, 8
"""Of `PATH`, the first buffer; of a way, that the packet climbs, that its first word is astray."""

LINK, PLACE, RADIX, CHILDREN, BELOW, ABOVE, GROUP, BITS, SHARED, SOURCE = range(10)
"""Columns of `plan`: first output link, first place, ports; children, place of the destination's
digit of this level and of the one above, what is above for terminals below; bits of a destination;
whether there are buffers; the links that lead to the inputs."""

(FULL, PATHS, FIRSTS, BEGUN, EARLY, STRAYS, GIVEN, SENT, OWNED, SPENT, USED, TAKEN, SERVED) = range(
    13
)
"""Columns of `registers`, sets.  Of inputs: whose queue is not empty; that have a path; whose
packet's first word has not left; whose packet had a begin mark; whose packet before was cut and had
one; whose packet is astray; that give a credit.  Of outputs: that show a word, have an owner, no
credit, fewer than four.  Of buffers: not empty; that have got their output."""
OLDER, PARENT, STORE = range(13, 16)
"""Of two buffers, that whose packet came in first; pointers to parents, and of the buffers."""
POINTER, PATH, LEFT, FRONT, COUNT, OWED, OUT = range(16, 16 + 7 * PORTS, PORTS)
"""One a port: the child's pointer; the input's path, words to come, first place in the queue, words
in it; credits that the output has given out, and its word."""
QUEUE = OUT + PORTS
FROM, INSIDE, CHILD = range(QUEUE + PORTS * DEPTH, QUEUE + PORTS * DEPTH + 3 * BUFFERS, BUFFERS)
"""One a buffer: first place, words inside, the packet's child."""
STORED_WORDS = CHILD + BUFFERS
COLUMNS = STORED_WORDS + BUFFERS * MOST_WORDS

LOWEST = np.array([max((bits & -bits).bit_length() - 1, 0) for bits in range(1 << PORTS + BUFFERS)])


@njit(cache=True, nogil=True)
def _parity(word: int) -> int:
    """Return whether the number of ones is odd."""
    word ^= word >> 32
    word ^= word >> 16
    word ^= word >> 8
    word ^= word >> 4
    return 0x6996 >> (word & 15) & 1


@njit(cache=True, nogil=True)
def _turn(bits: int, pointer: int) -> int:
    """Return the first of a set that is not empty, from the pointer on."""
    onward = bits >> pointer << pointer
    return int(LOWEST[onward or bits])


@njit(cache=True, nogil=True)
def _way(plan: Int64Array, registers: Int64Array, r: int, i: int) -> int:
    """Return CLIMBS, or the child to which the front of an input's queue goes, with ASTRAY."""
    front = registers[r, QUEUE + DEPTH * i + registers[r, FRONT + i]]
    destination = front & plan[r, BITS]
    children = plan[r, CHILDREN]
    if i < children < plan[r, RADIX] and destination >> plan[r, ABOVE] != plan[r, GROUP]:
        return CLIMBS
    child = int(destination >> plan[r, BELOW] & children - 1)
    return child ^ 1 | ASTRAY if child == i else child


@njit(cache=True, nogil=True)
def _grants(plan: Int64Array, registers: Int64Array, r: int) -> tuple[int, int, int]:
    """Return who gets what in this clock; registers stay as they are.

    Returns
    -------
    (int, int, int)
        The path that each input gets, plus 1, in 4 bits of the input, 0 for none; the set of
        buffers that get their output; whether an input gets a buffer.
    """
    asks = registers[r, FULL] & ~registers[r, PATHS]
    waits = registers[r, TAKEN] & ~registers[r, SERVED]
    if not asks | waits:
        return 0, 0, 0
    free = (1 << plan[r, RADIX]) - 1 & ~(registers[r, OWNED] | registers[r, SPENT])
    served = 0
    buffer = registers[r, OLDER] if waits == BOTH else waits >> 1
    while waits:
        output = 1 << registers[r, CHILD + buffer]
        if free & output:
            served |= 1 << buffer
            free &= ~output
        waits &= ~(1 << buffer)
        buffer ^= 1
    children = plan[r, CHILDREN]
    parents = free >> children
    free &= (1 << children) - 1
    grants = down = wanted = askers = 0  # of child c, those that ask for it are at 8 c
    while asks:
        i = LOWEST[asks]
        asks &= asks - 1
        way = _way(plan, registers, r, i)
        if way != CLIMBS:
            way &= PORTS - 1
            down |= 1 << i
            wanted |= 1 << way
            askers |= 1 << PORTS * way + i
        elif parents:
            parent = _turn(parents, registers[r, PARENT])  # those before are not free any more
            parents &= ~(1 << parent)
            grants |= children + parent + 1 << 4 * i
    free &= wanted
    while free:
        child = LOWEST[free]
        free &= free - 1
        i = _turn(askers >> PORTS * child & 255, registers[r, POINTER + child])
        down &= ~(1 << i)
        grants |= child + 1 << 4 * i
    stored = 0
    if down and plan[r, SHARED] and registers[r, TAKEN] != BOTH:
        i = _turn(down, registers[r, STORE])
        stored = 1
        grants |= TO_BUFFER + (registers[r, TAKEN] & 1) + 1 << 4 * i
    return grants, served, stored


@njit(cache=True, nogil=True)
def _leave(registers: Int64Array, r: int, i: int) -> int:
    """Let the word that an input offers leave, and return it; the last has END."""
    bit = 1 << i
    front = registers[r, QUEUE + DEPTH * i + registers[r, FRONT + i]]
    first = registers[r, FIRSTS] & bit
    if front & BEGIN and not first:  # cut
        registers[r, EARLY] |= registers[r, BEGUN] & bit
        registers[r, PATHS] &= ~bit
        return END | ERROR
    left = registers[r, LEFT + i]
    wrong = front & ERROR
    if first:
        left = (front & DATA) >> LENGTH if front & BEGIN else 0
        wrong |= bit & (registers[r, STRAYS] | registers[r, EARLY])
        registers[r, FIRSTS] &= ~bit
        registers[r, EARLY] &= ~bit
        if front & BEGIN:
            registers[r, BEGUN] |= bit
        else:
            registers[r, BEGUN] &= ~bit
            wrong = 1
    word = int(front & DATA)
    if first:
        word |= BEGIN
    if front & END or left == 1:
        word |= END
        registers[r, PATHS] &= ~bit
        if not front & END or left != 1:
            wrong = 1
    if wrong:
        word |= ERROR
    if _parity(word):
        word |= PARITY
    registers[r, LEFT + i] = max(left - 1, 0)
    registers[r, FRONT + i] = (registers[r, FRONT + i] + 1) % DEPTH
    registers[r, COUNT + i] -= 1
    if registers[r, COUNT + i] == 0:
        registers[r, FULL] &= ~bit
    registers[r, GIVEN] |= bit
    return word


@njit(cache=True, nogil=True)
def _send(registers: Int64Array, r: int, output: int, word: int) -> None:
    """Put a word of its owner on an output's link."""
    bit = 1 << output
    registers[r, OUT + output] = word
    registers[r, SENT] |= bit
    if word & END:
        registers[r, OWNED] &= ~bit


@njit(cache=True, nogil=True)
def _send_all(registers: Int64Array, r: int) -> None:
    """Let words leave inputs and buffers."""
    registers[r, SENT] = registers[r, GIVEN] = 0
    offers = registers[r, PATHS] & registers[r, FULL]
    room = 0
    for b in range(BUFFERS):
        if registers[r, INSIDE + b] < MOST_WORDS:
            room |= 1 << b
        output = registers[r, CHILD + b]
        ready = registers[r, SERVED] >> b & ~(registers[r, SPENT] >> output) & 1
        if ready and registers[r, INSIDE + b]:
            word = registers[r, STORED_WORDS + MOST_WORDS * b + registers[r, FROM + b]]
            registers[r, FROM + b] = (registers[r, FROM + b] + 1) % MOST_WORDS
            registers[r, INSIDE + b] -= 1
            _send(registers, r, output, word)
            if word & END:
                registers[r, TAKEN] &= ~(1 << b)
                registers[r, SERVED] &= ~(1 << b)
    while offers:
        i = LOWEST[offers]
        offers &= offers - 1
        path = registers[r, PATH + i]
        if path < TO_BUFFER:
            if not registers[r, SPENT] >> path & 1:
                _send(registers, r, path, _leave(registers, r, i))
        elif room >> path - TO_BUFFER & 1:
            b = path - TO_BUFFER
            place = (registers[r, FROM + b] + registers[r, INSIDE + b]) % MOST_WORDS
            registers[r, STORED_WORDS + MOST_WORDS * b + place] = _leave(registers, r, i)
            registers[r, INSIDE + b] += 1


@njit(cache=True, nogil=True)
def _grant(plan: Int64Array, registers: Int64Array, r: int, grants: int, served: int) -> None:
    """Make paths of what `_grants` returned."""
    registers[r, SERVED] |= served
    for b in range(BUFFERS):
        if served >> b & 1:
            registers[r, OWNED] |= 1 << registers[r, CHILD + b]
    i = 0
    while grants:
        if grants & 15:
            path = (grants & 15) - 1
            way = _way(plan, registers, r, i)
            bit = 1 << i
            registers[r, PATH + i] = path
            registers[r, PATHS] |= bit
            registers[r, FIRSTS] |= bit
            registers[r, STRAYS] &= ~bit
            if way != CLIMBS and way & ASTRAY:
                registers[r, STRAYS] |= bit
            following = (i + 1) % plan[r, RADIX]
            if path >= TO_BUFFER:
                b = path - TO_BUFFER
                registers[r, STORE] = following
                registers[r, TAKEN] |= 1 << b
                registers[r, OLDER] = b ^ 1
                registers[r, CHILD + b] = way & PORTS - 1
            else:
                registers[r, OWNED] |= 1 << path
                if way == CLIMBS:
                    parents = plan[r, RADIX] - plan[r, CHILDREN]
                    registers[r, PARENT] = (path - plan[r, CHILDREN] + 1) % parents
                else:
                    registers[r, POINTER + path] = following
        grants >>= 4
        i += 1


@njit(cache=True, nogil=True)
def _count_credits(registers: Int64Array, r: int, came: int) -> None:
    """Count credits of words that left in this clock, and those that came in it."""
    changed = registers[r, SENT] ^ came
    while changed:
        o = LOWEST[changed]
        changed &= changed - 1
        bit = 1 << o
        owed = registers[r, OWED + o] + (-1 if came & bit else 1)
        owed = min(max(owed, 0), CREDITS)  # a fifth credit is none
        registers[r, OWED + o] = owed
        registers[r, SPENT] = registers[r, SPENT] & ~bit | (bit if owed == CREDITS else 0)
        registers[r, USED] = registers[r, USED] & ~bit | (bit if owed else 0)


@njit(cache=True, nogil=True)
def _put(registers: Int64Array, r: int, i: int, word: int) -> None:
    """Put a word that came at the end of an input's queue; a fifth is lost."""
    count = registers[r, COUNT + i]
    if count < DEPTH:
        word &= BEGIN | END | PARITY | ERROR | DATA
        if _parity(word):
            word |= ERROR  # its parity mark is made anew when it leaves
        registers[r, QUEUE + DEPTH * i + (registers[r, FRONT + i] + count) % DEPTH] = word
        registers[r, COUNT + i] = count + 1
        registers[r, FULL] |= 1 << i


@njit(cache=True, nogil=True)
def _state(plan: Int64Array, registers: Int64Array, r: int) -> int:
    """Return state_o of a router, as bits."""
    return int(registers[r, FULL] | registers[r, TAKEN] << plan[r, RADIX])


@njit(cache=True, nogil=True)
def _home(plan: Int64Array, registers: Int64Array, r: int) -> int:
    """Return home_o of a router, as bits."""
    left = registers[r, OWNED] | registers[r, USED] | registers[r, TAKEN] << plan[r, RADIX]
    return int((1 << plan[r, RADIX] + BUFFERS * plan[r, SHARED]) - 1 & ~left)


@njit(cache=True, nogil=True)
def show(
    plan: Int64Array,
    registers: Int64Array,
    valid: BoolArray,
    word: Int64Array,
    credit: BoolArray,
    state: BoolArray,
    home: BoolArray,
    stored: BoolArray,
) -> None:
    """Fill in what is shown."""
    for r in range(plan.shape[0]):
        for port in range(plan[r, RADIX]):
            valid[plan[r, LINK] + port] = registers[r, SENT] >> port & 1
            if registers[r, SENT] >> port & 1:
                word[plan[r, LINK] + port] = registers[r, OUT + port]
            credit[plan[r, SOURCE + port]] = registers[r, GIVEN] >> port & 1
        for place in range(plan[r, RADIX] + BUFFERS * plan[r, SHARED]):
            state[plan[r, PLACE] + place] = _state(plan, registers, r) >> place & 1
            home[plan[r, PLACE] + place] = _home(plan, registers, r) >> place & 1
        stored[r] = _grants(plan, registers, r)[2]


@njit(cache=True, nogil=True)
def _row(seen: UInt8Array, t: int, first: int, count: int) -> int:
    """Return `count` bits of a row, 10 at most."""
    at = first >> 3
    bits = int(seen[t, at]) | int(seen[t, at + 1]) << 8 | int(seen[t, at + 2]) << 16
    return bits >> (first & 7) & (1 << count) - 1


@njit(cache=True, nogil=True)
def _deliver(rows: UInt8Array, t: int, ends: Int64Array, given_at: Int64Array) -> None:
    """Find for each router the inputs that gave the credits of a row."""
    given_at[:] = 0
    for byte in range(ends.shape[0] >> 3):
        bits = int(rows[t, byte])
        while bits:
            sink = ends[8 * byte + LOWEST[bits], 1]
            bits &= bits - 1
            if sink >= 0:
                given_at[sink >> 3] |= 1 << (sink & 7)


@njit(cache=True, nogil=True)
def _arrive(
    rows: UInt8Array,
    t: int,
    words: Int64Array,
    first: int,
    ends: Int64Array,
    registers: Int64Array,
    word: Int64Array,
    came_at: Int64Array,
    wrong_at: Int64Array,
) -> int:
    """Put the words of a row, from number `first` on, at their links; return the next number.

    By router `came_at` are the inputs to which they come, `wrong_at` the outputs that have others.
    """
    came_at[:] = wrong_at[:] = 0
    for byte in range(word.size >> 3):
        bits = int(rows[t, byte])
        while bits:
            link = 8 * byte + LOWEST[bits]
            bits &= bits - 1
            word[link] = words[first]
            source, sink = ends[link, 0], ends[link, 1]
            if source >= 0 and registers[source >> 3, OUT + (source & 7)] != words[first]:
                wrong_at[source >> 3] |= 1 << (source & 7)
            if sink >= 0:
                came_at[sink >> 3] |= 1 << (sink & 7)
            first += 1
    return first


@njit(cache=True, nogil=True)
def _differ(found: Int64Array, kind: int, at: int, expected: int, router: int) -> None:
    """Note a difference if none of the same clock that comes before it is known."""
    if kind < found[0] or (kind == found[0] and at < found[1]):
        found[:] = kind, at, expected, router


@njit(cache=True, nogil=True)
def _compare(
    plan: Int64Array,
    registers: Int64Array,
    r: int,
    stores: int,
    t: int,
    given: int,
    other: int,
    valid: UInt8Array,
    shown: UInt8Array,
    places: int,
    found: Int64Array,
) -> None:
    """Compare what a router shows with row t.

    In it the inputs give the credits `given`, and the outputs `other` have another word.
    """
    first, ports = plan[r, LINK], plan[r, RADIX]
    shows = registers[r, SENT]
    wrong = shows ^ _row(valid, t, first, ports) | shows & other
    if wrong:
        port = LOWEST[wrong]
        due = registers[r, OUT + port] if registers[r, SENT] >> port & 1 else NO_WORD
        _differ(found, WORD, first + port, due, r)
    wrong = registers[r, GIVEN] ^ given
    while wrong:
        i = LOWEST[wrong]
        wrong &= wrong - 1
        _differ(found, CREDIT, plan[r, SOURCE + i], registers[r, GIVEN] >> i & 1, r)
    if stores != _row(shown, t, 2 * places + r, 1):
        _differ(found, STORED, r, stores, r)
    first, ports = plan[r, PLACE], ports + BUFFERS * plan[r, SHARED]
    due = _state(plan, registers, r)
    wrong = due ^ _row(shown, t, first, ports)
    if wrong:
        _differ(found, STATE, first + LOWEST[wrong], due >> LOWEST[wrong] & 1, r)
    due = _home(plan, registers, r)
    wrong = due ^ _row(shown, t, places + first, ports)
    if wrong:
        _differ(found, HOME, first + LOWEST[wrong], due >> LOWEST[wrong] & 1, r)


@njit(cache=True, nogil=True)
def check(
    plan: Int64Array,
    ends: Int64Array,
    registers: Int64Array,
    valid: UInt8Array,
    words: Int64Array,
    credit: UInt8Array,
    shown: UInt8Array,
    places: int,
    resets: BoolArray,
    word: Int64Array,
    found: Int64Array,
) -> int:
    """Return the row of the first difference, or -1; kind, number, what is due, router in `found`.

    `valid`, `credit` and `shown` are rows of bits, with two bytes more at the end; `words` are
    those of valid links, row by row.  Of each link `ends` has 8 r + o for output o of router r,
    and the same of the input to which it leads, -1 for a terminal; `word` is filled in with the
    word of the last row.  Both have as many links as the bytes of a row have bits.  `found` begins
    with a kind that there is not.
    """
    count = plan.shape[0]
    came_at, given_at, wrong_at = np.zeros((3, count), np.int64)
    following = 0
    for t in range(resets.size):
        following = _arrive(valid, t, words, following, ends, registers, word, came_at, wrong_at)
        _deliver(credit, t, ends, given_at)
        for r in range(count):
            grants, served, stores = _grants(plan, registers, r)
            came = came_at[r]
            seen = (given_at[r], wrong_at[r], valid, shown, places)
            _compare(plan, registers, r, stores, t, *seen, found)
            if resets[t]:
                registers[r] = 0
                continue
            credits = _row(credit, t, plan[r, LINK], plan[r, RADIX])
            inside = registers[r, FULL] | registers[r, TAKEN]
            if not (came | credits | inside | registers[r, SENT] | registers[r, GIVEN]):
                continue
            _send_all(registers, r)
            _grant(plan, registers, r, grants, served)
            _count_credits(registers, r, credits)
            while came:
                i = LOWEST[came]
                came &= came - 1
                _put(registers, r, i, word[plan[r, SOURCE + i]])
        if found[0] < NONE:
            return t
    return -1
