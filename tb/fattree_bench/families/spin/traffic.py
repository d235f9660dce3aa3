"""Packets and commands for SPIN: never to oneself."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.links.flit.scenarios import Senders, to_others
from fattree_bench.families.spin.network import MEMORY_W, SpinNetwork
from fattree_bench.families.spin.requests import Commands
from fattree_models.common.checks import Int64Array
from fattree_models.spin import MOST_BURST, MOST_WORDS
from fattree_models.traffic import Packets

ALL_WORDS = f"2-{MOST_WORDS}"
FAMILIAR = "2,3,4,8,16,18"  # lengths, one of each bin of the coverage
SENDERS = Senders(
    to_others,
    lambda network: ALL_WORDS,
    loads=((0.05, 1), (0.3, 1), (0.6, 2), (1.0, 2)),
    saturating=("uniform", "bitcomp"),
)


def backlog(destination: Int64Array, packets: int, flits: int) -> Packets:
    """Every terminal has packets for one other, all waiting from the start."""
    source = np.repeat(np.arange(len(destination)), packets)
    at = destination[source] != source
    return Packets.of(source[at], destination[source[at]], 0, flits)


def roles(network: SpinNetwork) -> tuple[Int64Array, Int64Array]:
    """Initiators and targets: all; on one network the first half, and the others.

    Then requests and responses have no link in common, see tests/models/spin/dependencies.py.
    """
    everyone = np.arange(network.terminals)
    if network.planes == 2:
        return everyone, everyone
    return everyone[: len(everyone) // 2], everyone[len(everyone) // 2 :]


def random_commands(
    rng: np.random.Generator,
    network: SpinNetwork,
    count: int,
    spread: int,
    goals: Int64Array | None = None,
    beyond: float = 0.0,
    everyone: bool = False,
) -> Commands:
    """Reads and writes of any length at any address.

    Parameters
    ----------
    count : of each initiator.
    spread : clocks over which they become due.
    goals : targets; None: all.
    beyond : part of them that runs over the end of the memory.
    everyone : asks, and is asked, although there may be one network only.
    """
    initiators, targets = roles(network)
    if everyone:
        initiators = targets = np.arange(network.terminals)
    if goals is not None:
        targets = goals
    source = np.repeat(initiators, count)
    # All targets in turn, and all lengths of reads and writes.
    turns = [np.resize(rng.permutation(targets[targets != i]), count) for i in initiators]
    goal = np.concatenate(turns)
    what = rng.permutation(len(source)) % (2 * MOST_BURST)
    words, write = 1 + what % MOST_BURST, what < MOST_BURST
    size = 1 << MEMORY_W
    address = rng.integers(0, size - words + 1)
    far = rng.random(len(source)) < beyond
    address[far] = (size - words + rng.integers(1, 2 * size, len(source)))[far]
    release = np.sort(rng.integers(0, max(1, spread), (len(initiators), count))).ravel()
    return Commands.of(source, goal, release, words, address, write)


def every_word(network: SpinNetwork, write: bool) -> Commands:
    """Each initiator writes, or reads, a part of the memory of targets; together all of it."""
    initiators, targets = roles(network)
    size = 1 << MEMORY_W
    starts = np.arange(0, size, MOST_BURST)
    count = len(initiators)
    rows = []
    for i, target in enumerate(targets):
        for j, start in enumerate(starts):
            who = initiators[(i + 1 + j) % count]
            if who == target:
                who = initiators[(i + 2 + j) % count]
            rows.append((who, target, 0, min(MOST_BURST, size - start), start, write))
    return Commands.of(*np.array(rows).T)
