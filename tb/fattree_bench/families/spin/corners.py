"""Commands with the values at the ends of their fields, and what they reach, for the coverage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from fattree_bench.bench.groups import Group, Point, numbered
from fattree_bench.families.spin.network import MEMORY_W, SpinNetwork
from fattree_bench.families.spin.requests import Commands, RequestPlan, RequestSet
from fattree_bench.families.spin.traffic import random_commands, roles
from fattree_models.common.checks import Int64Array
from fattree_models.spin import MOST_BURST

SIZE, SPACE = 1 << MEMORY_W, 1 << 32  # words of a memory, and of all that addresses can name
REACHES = (
    *("the first word", "inside", "the last word", "one word beyond", "beyond"),
    *("the last address", "over the last address"),
)
END, OVER_END = REACHES.index("the last address"), REACHES.index("over the last address")


def corner_addresses(words: int) -> list[int]:
    """The ends of the memory and of all addresses, each bit above the memory's alone, and all."""
    alone = [1 << bit for bit in range(MEMORY_W, 32)]
    last = [end - words + step for end in (SIZE, SPACE) for step in (0, 1)]
    found = {0, *last, SIZE - 1, *alone, SPACE - SIZE, SPACE - 1}
    return sorted(found - {SPACE})


def corners(rng: np.random.Generator, network: SpinNetwork) -> Commands:
    """A write to each corner, and a read of it: all ones, then all zeros; refused ones once."""
    initiators, targets = roles(network)
    rows = []
    places = [(words, at) for words in (1, MOST_BURST) for at in corner_addresses(words)]
    for k, (words, at) in enumerate(places):
        who = initiators[k % len(initiators)]
        goal = rng.choice(targets[targets != who])
        fills = (2, 1) if words + at <= SIZE else (2,)  # of FILLS
        rows += [(who, goal, 0, words, at, write, f) for f in fills for write in (True, False)]
    *columns, fill = np.array(rows).T
    return Commands.of(*columns, fill=fill)


def every_tag(network: SpinNetwork) -> Commands:
    """All read as much as they may from one target after the other: so every tag is in use."""
    initiators, targets = roles(network)
    rank, turn = np.indices((len(initiators), 3 * network.outstanding)).reshape(2, -1)
    who, goal = initiators[rank], targets[(rank + 1 + turn) % len(targets)]
    other = who != goal
    return Commands.of(who[other], goal[other], 0, MOST_BURST, 0, False)


def again(rng: np.random.Generator, network: SpinNetwork, count: int) -> Commands:
    """Random reads and writes, targets drawn with repetition, of one more than may be asked."""
    initiators, targets = roles(network)
    few = [rng.permutation(targets[targets != i])[: network.outstanding + 1] for i in initiators]
    goal = np.concatenate([rng.choice(some, count) for some in few])
    return replace(random_commands(rng, network, count, 0), target=goal)


def uneven(rng: np.random.Generator, network: SpinNetwork, count: int) -> Iterator[RequestSet]:
    """Targets that are asked again, whatever the tag of the request that they have."""
    yield RequestSet(again(rng, network, count), "the same targets again")
    yield RequestSet(every_tag(network), "every tag")


# ---- coverage ------------------------------------------------------------------------------------

REACHED, TAGS = "request: write x reach", "tag of a request"


def groups(network: SpinNetwork) -> list[Group]:
    """The cover groups of corners."""
    tags = Group(TAGS, (numbered("tag", network.outstanding),))
    most = len(roles(network)[1]) - (network.planes == 2)
    tags.exclude("one request to a target", np.arange(network.outstanding) >= most)
    return [Group(REACHED, (Point("command", ("read", "write")), Point("reach", REACHES))), tags]


def sampled(plan: RequestPlan) -> list[tuple[Any, ...]]:
    """Name and bins of each of these groups, of the commands that were issued."""
    at = np.flatnonzero(plan.issued >= 0)
    reached = reach(plan.commands)[at]
    return [(REACHED, plan.commands.write[at], reached), (TAGS, plan.tag[at])]


def reach(commands: Commands) -> Int64Array:
    """How far each command reaches, of REACHES."""
    end = commands.address + commands.words
    found = np.searchsorted([SIZE, SIZE + 1, SIZE + 2, SPACE, SPACE + 1], end, "right")
    found = np.array([1, 2, 3, 4, END, OVER_END])[found]
    return np.where((commands.address == 0) & (found == 1), 0, found)
