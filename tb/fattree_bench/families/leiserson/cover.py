"""What must be tried on the bit-serial fat-tree: cover groups, and what cannot be hit and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.bench.groups import (
    AGAINST_WIDTH,
    NO_YES,
    OVER_CAPACITY,
    Group,
    Point,
    numbered,
    reachable_against_width,
)
from fattree_bench.bench.links import corners
from fattree_bench.families.leiserson.offline import restricted
from fattree_models.common.checks import Int64Array
from fattree_models.leiserson.draws import MOST_EXPONENT, guess_exponents

if TYPE_CHECKING:
    from fattree_bench.families.leiserson.network import Leiserson

PAIRS = "source x destination"
TURNS = "height of the common ancestor x direction"
WIRES = "wires in use: level x direction x wires"
REQUESTS = "requests at a concentrator: level x direction x requests"
LOST = "messages lost in a delivery cycle"
ATTEMPTS = "attempts of a message"
CYCLES = "delivery cycles of a message set"
LATE = "late comers at a channel downwards"
ADDRESS = "address bits"
OUTSIDE = "external traffic in a delivery cycle"
SENDERS = "senders in a cycle, in the next"
WIRE = "wire in a cycle, in the next"
OPERATION = "operation"
RESET = "reset in a delivery cycle x operation"
GUESS = "draws: guess x coin"
AGE = "draws: delivery cycles since the restart x coin"

MANY = ("1", "2", "3", "4 or more")
SET_CYCLES = ("1", "2 … 3", "4 … 7", "8 or more")
DIRECTIONS = ("left to right", "right to left", "to outside", "from outside")
SENDING = ("none", "some", "all")
MODES = Point("operation", ("off-line", "on-line"))
COIN = Point("coin", ("silent", "sends"))
GREATER = (6, 9)  # exponents from which guesses are counted together
GUESSES = (*(f"2^{e}" for e in range(GREATER[0])), "2^6 … 2^8", "2^9 or more")
AGES = (100, 1000, 3000)  # delivery cycles
WAYS = Point("direction", ("up", "down"))


def most_requests(network: Leiserson) -> Int64Array:
    """Most messages that can ask for one channel in a delivery cycle, int64 [n + 1, 2]: up, down.

    Upwards whatever the children's wires carry; downwards what comes from above and from the other
    child.  All of it can want the same way: any number up to this is reached by adding senders.
    """
    n, cap = network.n, network.cap
    most = np.zeros((n + 1, 2), np.int64)
    most[n, 0] = cap[n]  # a processor sends one message a wire
    for k in range(n - 1, -1, -1):
        most[k, 0] = 2 * min(most[k + 1, 0], cap[k + 1])
    sent = np.minimum(most[:, 0], cap)
    most[0, 1] = cap[0]  # so does the world outside
    for k in range(1, n + 1):
        most[k, 1] = min(most[k - 1, 1], cap[k - 1]) + sent[k]
    return most


def groups(network: Leiserson) -> list[Group]:
    """The cover groups of a network."""
    n, leaves = network.n, network.leaves
    pairs = Group(PAIRS, tuple(Point(t, places(leaves)) for t in ("source", "destination")))
    pairs.exists = ~np.eye(leaves + 1, dtype=np.bool_)  # no path leads to oneself
    late = Group(LATE, (Point("some message comes later than another", NO_YES),))
    if n == 1 or network.cap[n - 1] < 2:
        late.exclude("no two messages of several ancestors in the channel", [False, True])
    random = draws(network.n) if network.discipline == "RANDOMISED" else []
    every = [
        *random,
        pairs,
        turns(n),
        wires(network),
        requests(network),
        Group(LOST, (Point("lost", NO_YES),)),
        Group(ATTEMPTS, (Point("attempts", MANY),)),
        Group(CYCLES, (Point("delivery cycles", SET_CYCLES),)),
        late,
        addresses(n),
        Group(OUTSIDE, (Point("traffic", ("none", "in", "out", "both")),)),
        Group(SENDERS, (Point("senders", SENDING), Point("in the next", SENDING))),
        Group(WIRE, (Point("wire", ("idle", "busy")), Point("in the next", ("idle", "busy")))),
        Group(OPERATION, (MODES,)),
        Group(RESET, (Point("at", ("the load clock", "the messages", "the last clock")), MODES)),
        corners.group(),
    ]
    names = (ADDRESS, CYCLES), (LOST, ATTEMPTS), (OPERATION, RESET), (WIRES, REQUESTS)
    return restricted(network, every, *names) if network.tree.offline else every


def guess_bin(exponent: Int64Array) -> Int64Array:
    """Bin of a guess in GUESSES."""
    first, last = GREATER
    return np.asarray(np.minimum(exponent, first) + (exponent >= last))


def draws(n: int) -> list[Group]:
    """Draws of wires with messages: at which guess, how late, and how the coin fell."""
    guess = Group(GUESS, (Point("guess", GUESSES), COIN))
    # The phase of guess 2^e ends within 4 (2 + 4 + … + 2^e) delivery cycles.
    met = np.isin(np.arange(len(GUESSES)), guess_bin(guess_exponents(n, 8 << MOST_EXPONENT)))
    guess.exclude("the guess is squared past it", ~met[:, None])
    guess.exclude(
        "the first guess is 1: everybody sends",
        np.eye(1, guess.hits.size, dtype=bool).reshape(guess.shape),
    )
    ages = (*(f"up to {age}" for age in AGES), f"more than {AGES[-1]}")
    return [guess, Group(AGE, (Point("delivery cycles", ages), COIN))]


def places(leaves: int) -> tuple[str, ...]:
    """Labels of the processors and of the world outside."""
    return (*map(str, range(leaves)), "outside")


def turns(n: int) -> Group:
    """Height of the lowest common ancestor x which way the message crosses it."""
    heights = Point("height", (*map(str, range(1, n + 1)), "outside"))
    group = Group(TURNS, (heights, Point("direction", DIRECTIONS)))
    outside = np.arange(n + 1) == n
    group.exists = np.stack([~outside, ~outside, outside, outside], axis=1)
    return group


def wires(network: Leiserson) -> Group:
    """Wires of a channel in use: 0 … all, and more messages than wires."""
    n, cap = network.n, network.cap
    widest = int(cap.max())
    counts = Point("wires", (*map(str, range(widest + 1)), OVER_CAPACITY))
    group = Group(WIRES, (numbered("level", n + 1), WAYS, counts))
    exists = np.zeros(group.shape, np.bool_)
    for k in range(n + 1):
        exists[k, :, : int(cap[k]) + 1] = exists[k, :, -1] = True
    group.exists = exists
    most = most_requests(network)
    over = np.arange(widest + 2) == widest + 1
    group.exclude("as many wires as messages can come", (most <= cap[:, None])[:, :, None] & over)
    few = (np.arange(widest + 2) > most[:, :, None]) & ~over
    group.exclude("the level below, or above, cannot bring so many messages at once", few)
    if network.tree.concentrator == "PARTIAL":
        sure = network.offline.capacity(network.tree)
        unsure = (np.arange(widest + 2) > sure[:, None]) & ~over
        reason = "partial concentrators do not promise to fill all wires"
        group.exclude(reason, unsure[:, None, :], possible=True)
    return group


def requests(network: Leiserson) -> Group:
    """Messages that meet at a concentrator in a delivery cycle, against the wires behind it."""
    n, cap = network.n, network.cap
    group = Group(REQUESTS, (numbered("level", n + 1), WAYS, Point("requests", AGAINST_WIDTH)))
    group.exists = np.ones(group.shape, np.bool_)
    group.exists[n, 0] = group.exists[0, 1] = False  # interfaces drive their own wires
    most = most_requests(network)
    reachable = [
        [reachable_against_width(int(most[k, way]), int(cap[k])) for way in (0, 1)]
        for k in range(n + 1)
    ]
    group.exclude("so few wires and inputs leave no such number", ~np.array(reachable))
    return group


def addresses(n: int) -> Group:
    """Length of a message's address."""
    group = Group(ADDRESS, (Point("bits", tuple(map(str, range(1, 2 * n)))),))
    length = np.arange(1, 2 * n)
    group.exists = (length % 2 == 1) | (length == n)  # 2 d - 1 inside; n to and from outside
    return group
