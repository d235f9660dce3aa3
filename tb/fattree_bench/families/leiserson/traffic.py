"""Messages on the wires of the serial link: rows of delivery cycles, queues, schedules."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.families.leiserson.network import Leiserson
from fattree_models import leiserson
from fattree_models.common.checks import Int32Array, IntegerArray

WordTable = npt.NDArray[np.uint64] | None
Pairs = tuple[IntegerArray, IntegerArray]


def spread(
    network: Leiserson, src: IntegerArray, dst: IntegerArray, words: WordTable = None
) -> tuple[Int32Array, WordTable]:
    """Deal messages to the wires of their sources: destinations and words [rows, wires].

    A source uses its first wire, second … before any of them gets a second row.
    """
    ports, outside = int(network.cap[-1]), int(network.cap[0])
    order = np.argsort(src, kind="stable")
    ordered = src[order]
    rank = np.arange(len(ordered)) - np.searchsorted(ordered, ordered)
    external = ordered == network.leaves
    row = np.where(external, rank // outside, rank // ports)
    wire = ordered * ports + np.where(external, rank % outside, rank % ports)
    table = np.full((int(row.max(initial=0)) + 1, network.wires), -1, np.int32)
    table[row, wire] = dst[order]
    if words is None:
        return table, None
    data = np.zeros(table.shape, np.uint64)
    data[row, wire] = words[order]
    return table, data


def cut(
    network: Leiserson,
    table: Int32Array,
    family: str,
    queue: bool = False,
    words: WordTable = None,
    lossless: bool = False,
    restart: bool = True,
) -> Iterator[MessageSet]:
    """Cut rows of messages into items that the player can hold."""
    for first in range(0, len(table), network.layout.rows):
        part = slice(first, first + network.layout.rows)
        partial = network.tree.concentrator == "PARTIAL" and not queue
        yield MessageSet(
            table[part],
            family,
            queue,
            None if words is None else words[part],
            leiserson.decisions(network.cap, table[part]) if partial else None,
            lossless,
            restart=restart,
        )


def scheduled(
    network: Leiserson, src: IntegerArray, dst: IntegerArray, family: str, words: WordTable
) -> Iterator[MessageSet]:
    """A message set as SCHEDULER schedules it."""
    cap = network.offline.capacity(network.tree)
    schedule = leiserson.schedule(src, dst, cap, network.offline.scheduler, 0)
    table, index = schedule.rows(src, dst, int(network.cap[-1]), network.leaves, network.cap)
    data = None
    if words is not None:
        data = np.where(index >= 0, words[np.maximum(index, 0)], 0).astype(np.uint64)
    factor = schedule.load_factor
    delivery = {
        "family": family,
        "how": schedule.scheduler,
        "offline": True,
        "messages": len(src),
        "load_factor": float(factor),
        "cycles": schedule.cycles,
        "least": -(-factor.numerator // factor.denominator),
        "bound": schedule.bound,
    }
    for number, item in enumerate(cut(network, table, family, words=data, lossless=True)):
        item.delivery = None if number else delivery
        yield item


def permutations(network: Leiserson, rng: np.random.Generator, count: int) -> MessageSet:
    """Random permutations without fixed points, each sent once in its cycle: for the bench."""
    rows = np.stack([rng.permutation(network.leaves) for _ in range(count)])
    table = np.full((count, network.wires), -1, np.int32)
    # To the next processor in a random round: none sends to itself.
    wires = rows * int(network.cap[-1])
    np.put_along_axis(table, wires, np.roll(rows, -1, axis=1).astype(np.int32), axis=1)
    return MessageSet(table, "permutations")
