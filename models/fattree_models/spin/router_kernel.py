"""SPIN's routers clock by clock, compiled: what each shows, given what came on its links.

All compiled functions and the arrays that they work on are in this one file, because numba's cache
does not see changes in other files.  Sets of inputs, outputs and buffers are bits of an integer.
Numbers are int64, but for rows of bits: numba makes a float of an int64 and a uint64.  `plan` and
`registers` are rows of one router, but in `show`, `check` and `_arrive`, which have those of all.
Comments are from the words of docs/spin.md, "A router clock by clock".
"""

import numpy as np

from fattree_models.common.checks import BoolArray, Int64Array, UInt64Array
from fattree_models.common.compiling import compiled, inlined, lowest
from fattree_models.spin.codec import BEGIN, DATA, END, ERROR, LENGTH, MOST_WORDS, PARITY
from fattree_models.spin.topology import BUFFERS

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


@inlined
def _parity(word: int) -> int:
    """Return whether the number of ones is odd."""
    word ^= word >> 32
    word ^= word >> 16
    word ^= word >> 8
    word ^= word >> 4
    return 0x6996 >> (word & 15) & 1


@inlined
def _turn(bits: int, pointer: int) -> int:
    """Return the first of a set that is not empty, from the pointer on."""
    onward = bits >> pointer << pointer
    return int(lowest(onward or bits))


@inlined
def _way(plan: Int64Array, registers: Int64Array, i: int) -> int:
    """Return CLIMBS, or the child to which the front of an input's queue goes, with ASTRAY."""
    front = registers[QUEUE + DEPTH * i + registers[FRONT + i]]
    destination = front & plan[BITS]
    children = plan[CHILDREN]
    if i < children < plan[RADIX] and destination >> plan[ABOVE] != plan[GROUP]:
        return CLIMBS
    child = int(destination >> plan[BELOW] & children - 1)
    return child ^ 1 | ASTRAY if child == i else child


@inlined
def _grants(plan: Int64Array, registers: Int64Array) -> tuple[int, int, int]:
    """Return who gets what in this clock; registers stay as they are.

    Returns
    -------
    (int, int, int)
        The path that each input gets, plus 1, in 4 bits of the input, 0 for none; the set of
        buffers that get their output; whether an input gets a buffer.
    """
    asks = registers[FULL] & ~registers[PATHS]
    waits = registers[TAKEN] & ~registers[SERVED]
    if not asks | waits:
        return 0, 0, 0
    free = (1 << plan[RADIX]) - 1 & ~(registers[OWNED] | registers[SPENT])
    served = 0
    buffer = registers[OLDER] if waits == BOTH else waits >> 1
    while waits:
        output = 1 << registers[CHILD + buffer]
        if free & output:
            served |= 1 << buffer
            free &= ~output
        waits &= ~(1 << buffer)
        buffer ^= 1
    children = plan[CHILDREN]
    parents = free >> children
    free &= (1 << children) - 1
    grants = down = wanted = askers = 0  # of child c, those that ask for it are at 8 c
    while asks:
        i = lowest(asks)
        asks &= asks - 1
        way = _way(plan, registers, i)
        if way != CLIMBS:
            way &= PORTS - 1
            down |= 1 << i
            wanted |= 1 << way
            askers |= 1 << PORTS * way + i
        elif parents:
            parent = _turn(parents, registers[PARENT])  # those before are not free any more
            parents &= ~(1 << parent)
            grants |= children + parent + 1 << 4 * i
    free &= wanted
    while free:
        child = lowest(free)
        free &= free - 1
        i = _turn(askers >> PORTS * child & 255, registers[POINTER + child])
        down &= ~(1 << i)
        grants |= child + 1 << 4 * i
    stored = 0
    if down and plan[SHARED] and registers[TAKEN] != BOTH:
        i = _turn(down, registers[STORE])
        stored = 1
        grants |= TO_BUFFER + (registers[TAKEN] & 1) + 1 << 4 * i
    return grants, served, stored


@inlined
def _leave(registers: Int64Array, i: int) -> int:
    """Let the word that an input offers leave, and return it; the last has END."""
    bit = 1 << i
    front = registers[QUEUE + DEPTH * i + registers[FRONT + i]]
    first = registers[FIRSTS] & bit
    if front & BEGIN and not first:  # cut
        registers[EARLY] |= registers[BEGUN] & bit
        registers[PATHS] &= ~bit
        return END | ERROR
    left = registers[LEFT + i]
    wrong = front & ERROR
    if first:
        left = (front & DATA) >> LENGTH if front & BEGIN else 0
        wrong |= bit & (registers[STRAYS] | registers[EARLY])
        registers[FIRSTS] &= ~bit
        registers[EARLY] &= ~bit
        if front & BEGIN:
            registers[BEGUN] |= bit
        else:
            registers[BEGUN] &= ~bit
            wrong = 1
    word = int(front & DATA)
    if first:
        word |= BEGIN
    if front & END or left == 1:
        word |= END
        registers[PATHS] &= ~bit
        if not front & END or left != 1:
            wrong = 1
    if wrong:
        word |= ERROR
    if _parity(word):
        word |= PARITY
    registers[LEFT + i] = max(left - 1, 0)
    registers[FRONT + i] = (registers[FRONT + i] + 1) % DEPTH
    registers[COUNT + i] -= 1
    if registers[COUNT + i] == 0:
        registers[FULL] &= ~bit
    registers[GIVEN] |= bit
    return word


@inlined
def _send(registers: Int64Array, output: int, word: int) -> None:
    """Put a word of its owner on an output's link."""
    bit = 1 << output
    registers[OUT + output] = word
    registers[SENT] |= bit
    if word & END:
        registers[OWNED] &= ~bit


@inlined
def _send_all(registers: Int64Array) -> None:
    """Let words leave inputs and buffers."""
    registers[SENT] = registers[GIVEN] = 0
    offers = registers[PATHS] & registers[FULL]
    room = 0
    for b in range(BUFFERS):
        if registers[INSIDE + b] < MOST_WORDS:
            room |= 1 << b
        output = registers[CHILD + b]
        ready = registers[SERVED] >> b & ~(registers[SPENT] >> output) & 1
        if ready and registers[INSIDE + b]:
            word = registers[STORED_WORDS + MOST_WORDS * b + registers[FROM + b]]
            registers[FROM + b] = (registers[FROM + b] + 1) % MOST_WORDS
            registers[INSIDE + b] -= 1
            _send(registers, output, word)
            if word & END:
                registers[TAKEN] &= ~(1 << b)
                registers[SERVED] &= ~(1 << b)
    while offers:
        i = lowest(offers)
        offers &= offers - 1
        path = registers[PATH + i]
        if path < TO_BUFFER:
            if not registers[SPENT] >> path & 1:
                _send(registers, path, _leave(registers, i))
        elif room >> path - TO_BUFFER & 1:
            b = path - TO_BUFFER
            place = (registers[FROM + b] + registers[INSIDE + b]) % MOST_WORDS
            registers[STORED_WORDS + MOST_WORDS * b + place] = _leave(registers, i)
            registers[INSIDE + b] += 1


@inlined
def _grant(plan: Int64Array, registers: Int64Array, grants: int, served: int) -> None:
    """Make paths of what `_grants` returned."""
    registers[SERVED] |= served
    for b in range(BUFFERS):
        if served >> b & 1:
            registers[OWNED] |= 1 << registers[CHILD + b]
    i = 0
    while grants:
        if grants & 15:
            path = (grants & 15) - 1
            way = _way(plan, registers, i)
            bit = 1 << i
            registers[PATH + i] = path
            registers[PATHS] |= bit
            registers[FIRSTS] |= bit
            registers[STRAYS] &= ~bit
            if way != CLIMBS and way & ASTRAY:
                registers[STRAYS] |= bit
            following = (i + 1) % plan[RADIX]
            if path >= TO_BUFFER:
                b = path - TO_BUFFER
                registers[STORE] = following
                registers[TAKEN] |= 1 << b
                registers[OLDER] = b ^ 1
                registers[CHILD + b] = way & PORTS - 1
            else:
                registers[OWNED] |= 1 << path
                if way == CLIMBS:
                    parents = plan[RADIX] - plan[CHILDREN]
                    registers[PARENT] = (path - plan[CHILDREN] + 1) % parents
                else:
                    registers[POINTER + path] = following
        grants >>= 4
        i += 1


@inlined
def _count_credits(registers: Int64Array, came: int) -> None:
    """Count credits of words that left in this clock, and those that came in it."""
    changed = registers[SENT] ^ came
    while changed:
        o = lowest(changed)
        changed &= changed - 1
        bit = 1 << o
        owed = registers[OWED + o] + (-1 if came & bit else 1)
        owed = min(max(owed, 0), CREDITS)  # a fifth credit is none
        registers[OWED + o] = owed
        registers[SPENT] = registers[SPENT] & ~bit | (bit if owed == CREDITS else 0)
        registers[USED] = registers[USED] & ~bit | (bit if owed else 0)


@inlined
def _put(registers: Int64Array, i: int, word: int) -> None:
    """Put a word that came at the end of an input's queue; a fifth is lost."""
    count = registers[COUNT + i]
    if count < DEPTH:
        word &= BEGIN | END | PARITY | ERROR | DATA
        if _parity(word):
            word |= ERROR  # its parity mark is computed again when it leaves
        registers[QUEUE + DEPTH * i + (registers[FRONT + i] + count) % DEPTH] = word
        registers[COUNT + i] = count + 1
        registers[FULL] |= 1 << i


@inlined
def _state(plan: Int64Array, registers: Int64Array) -> int:
    """Return state_o of a router, as bits."""
    return int(registers[FULL] | registers[TAKEN] << plan[RADIX])


@inlined
def _home(plan: Int64Array, registers: Int64Array) -> int:
    """Return home_o of a router, as bits."""
    left = registers[OWNED] | registers[USED] | registers[TAKEN] << plan[RADIX]
    return int((1 << plan[RADIX] + BUFFERS * plan[SHARED]) - 1 & ~left)


@compiled
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
        row, router = plan[r], registers[r]
        for port in range(row[RADIX]):
            valid[row[LINK] + port] = router[SENT] >> port & 1
            if router[SENT] >> port & 1:
                word[row[LINK] + port] = router[OUT + port]
            credit[row[SOURCE + port]] = router[GIVEN] >> port & 1
        for place in range(row[RADIX] + BUFFERS * row[SHARED]):
            state[row[PLACE] + place] = _state(row, router) >> place & 1
            home[row[PLACE] + place] = _home(row, router) >> place & 1
        stored[r] = _grants(row, router)[2]


@inlined
def _row(seen: UInt64Array, t: int, first: int, count: int) -> int:
    """Return `count` bits of a row, 63 at most."""
    at, place = first >> 6, np.uint64(first & 63)
    following = seen[t, at + 1] << np.uint64(1) << np.uint64(63) - place
    return int(np.int64(seen[t, at] >> place | following)) & (1 << count) - 1


@inlined
def _deliver(rows: UInt64Array, t: int, ends: Int64Array, given_at: Int64Array) -> None:
    """Find for each router the inputs that gave the credits of a row."""
    given_at[:] = 0
    for place in range(ends.shape[0] >> 6):
        bits = rows[t, place]
        while bits:
            sink = ends[64 * place + lowest(bits), 1]
            bits &= bits - np.uint64(1)
            if sink >= 0:
                given_at[sink >> 3] |= 1 << (sink & 7)


@inlined
def _arrive(
    rows: UInt64Array,
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
    for place in range(word.size >> 6):
        bits = rows[t, place]
        while bits:
            link = 64 * place + lowest(bits)
            bits &= bits - np.uint64(1)
            word[link] = words[first]
            source, sink = ends[link, 0], ends[link, 1]
            if source >= 0 and registers[source >> 3, OUT + (source & 7)] != words[first]:
                wrong_at[source >> 3] |= 1 << (source & 7)
            if sink >= 0:
                came_at[sink >> 3] |= 1 << (sink & 7)
            first += 1
    return first


@compiled
def _differ(found: Int64Array, kind: int, at: int, expected: int, router: int) -> None:
    """Note a difference if none of the same clock that comes before it is known."""
    if kind < found[0] or (kind == found[0] and at < found[1]):
        found[:] = kind, at, expected, router


@inlined
def _compare(
    plan: Int64Array,
    registers: Int64Array,
    r: int,
    stores: int,
    t: int,
    given: int,
    other: int,
    valid: UInt64Array,
    shown: UInt64Array,
    places: int,
    found: Int64Array,
) -> None:
    """Compare what a router shows with row t.

    In it the inputs give the credits `given`, and the outputs `other` have another word.
    """
    first, ports = plan[LINK], plan[RADIX]
    shows = registers[SENT]
    wrong = shows ^ _row(valid, t, first, ports) | shows & other
    if wrong:
        port = lowest(wrong)
        due = registers[OUT + port] if registers[SENT] >> port & 1 else NO_WORD
        _differ(found, WORD, first + port, due, r)
    wrong = registers[GIVEN] ^ given
    while wrong:
        i = lowest(wrong)
        wrong &= wrong - 1
        _differ(found, CREDIT, plan[SOURCE + i], registers[GIVEN] >> i & 1, r)
    if stores != _row(shown, t, 2 * places + r, 1):
        _differ(found, STORED, r, stores, r)
    first, ports = plan[PLACE], ports + BUFFERS * plan[SHARED]
    due = _state(plan, registers)
    wrong = due ^ _row(shown, t, first, ports)
    if wrong:
        _differ(found, STATE, first + lowest(wrong), due >> lowest(wrong) & 1, r)
    due = _home(plan, registers)
    wrong = due ^ _row(shown, t, places + first, ports)
    if wrong:
        _differ(found, HOME, first + lowest(wrong), due >> lowest(wrong) & 1, r)


@compiled
def check(
    plan: Int64Array,
    ends: Int64Array,
    registers: Int64Array,
    valid: UInt64Array,
    words: Int64Array,
    credit: UInt64Array,
    shown: UInt64Array,
    places: int,
    resets: BoolArray,
    word: Int64Array,
    at_routers: Int64Array,
    found: Int64Array,
) -> int:
    """Return the row of the first difference, or -1; kind, number, what is due, router in `found`.

    `valid`, `credit` and `shown` are rows of bits, with a number more at the end; `words` are
    those of valid links, row by row.  Of each link `ends` has 8 r + o for output o of router r,
    and the same of the input to which it leads, -1 for a terminal; `word` is filled in with the
    word of the last row.  Both have as many links as a row without that has bits.  `at_routers`
    has room for three numbers of each.  `found` begins with a kind that there is not.
    """
    came_at, given_at, wrong_at = at_routers[0], at_routers[1], at_routers[2]
    following = 0
    for t in range(resets.size):
        following = _arrive(valid, t, words, following, ends, registers, word, came_at, wrong_at)
        _deliver(credit, t, ends, given_at)
        for r in range(plan.shape[0]):
            row, router = plan[r], registers[r]
            grants, served, stores = _grants(row, router)
            came = came_at[r]
            seen = (given_at[r], wrong_at[r], valid, shown, places)
            _compare(row, router, r, stores, t, *seen, found)
            if resets[t]:
                router[:] = 0
                continue
            credits = _row(credit, t, row[LINK], row[RADIX])
            inside = router[FULL] | router[TAKEN]
            if not (came | credits | inside | router[SENT] | router[GIVEN]):
                continue
            _send_all(router)
            _grant(row, router, grants, served)
            _count_credits(router, credits)
            while came:
                i = lowest(came)
                came &= came - 1
                _put(router, i, word[row[SOURCE + i]])
        if found[0] < NONE:
            return t
    return -1
