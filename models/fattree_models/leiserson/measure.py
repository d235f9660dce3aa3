"""How long the schedulers take, and how near they come to ceil(lambda)."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fattree_models.common.checks import check_integer
from fattree_models.leiserson.capacity import check_processors, universal
from fattree_models.leiserson.load import bound
from fattree_models.leiserson.message_sets import Messages, k_relation, uniform
from fattree_models.leiserson.offline import schedule


@dataclass(frozen=True)
class Run:
    """One run of a scheduler.

    Attributes
    ----------
    scheduler : str
        Its name.
    messages : int
        Messages, from random sources to random destinations.
    cycles, least : int
        d and ceil(lambda).
    seconds : float
        CPU time, compilation left out, the proof of the schedule included.
    """

    scheduler: str
    messages: int
    cycles: int
    least: int
    seconds: float


def time_schedulers(
    processors: int,
    w: int,
    messages: Sequence[int],
    schedulers: Sequence[str] = ("THEOREM1",),
    seed: int = 0,
) -> list[Run]:
    """Schedule random messages on a universal fat-tree and take the time.

    Parameters
    ----------
    w : int
        Root capacity.
    messages : sequence of int
        Sizes of the message sets.
    schedulers : sequence of str
        Keys of SCHEDULERS.
    seed : int
        Of the messages.

    Returns
    -------
    list of Run
        For each size, all schedulers.

    Examples
    --------
    >>> [run] = time_schedulers(16, 7, [100])
    >>> run.scheduler, run.messages, run.least <= run.cycles
    ('THEOREM1', 100, True)
    """
    n = check_processors(processors)
    cap = universal(n, w)
    seed = check_integer("seed", seed, 0)
    rng = np.random.default_rng(seed)
    runs = []
    for name in schedulers:
        # Compile all that a scheduler has: lambda = 2, but with wires of 1 it takes three cycles.
        wires = [4, 2, 1] if name.upper() == "COLOURING" else [1, 1, 1]
        schedule([0, 1, 1, 2, 2], [3, 0, 2, 0, 3], wires, name)
    for size in messages:
        src, dst = uniform(n, size, rng)
        least = bound(src, dst, cap)
        for name in schedulers:
            begin = time.process_time()
            cycles = schedule(src, dst, cap, name).cycles
            runs.append(Run(name, size, cycles, least, time.process_time() - begin))
    return runs


def mean_ratios(
    processors: int,
    w: int,
    sets: int,
    schedulers: Sequence[str],
    seed: int = 0,
    draw: Callable[[int, np.random.Generator], Messages] = lambda n, rng: k_relation(n, 8, rng),
) -> dict[str, float]:
    """Return the mean of d / ceil(lambda) over random message sets.

    Parameters
    ----------
    w : int
        Root capacity of the universal fat-tree.
    sets : int
        How many message sets.
    schedulers : sequence of str
        Keys of SCHEDULERS.
    seed : int
        Of the message sets and of the schedulers.
    draw : function
        Makes a message set; by default an 8-relation.

    Examples
    --------
    >>> mean_ratios(8, 8, 3, ["COLOURING"])
    {'COLOURING': 1.0}
    """
    n = check_processors(processors)
    cap = universal(n, w)
    seed = check_integer("seed", seed, 0)
    rng = np.random.default_rng(seed)
    sums = dict.fromkeys(schedulers, 0.0)
    for i in range(check_integer("sets", sets, 1)):
        src, dst = draw(n, rng)
        least = bound(src, dst, cap)
        for name in schedulers:
            sums[name] += schedule(src, dst, cap, name, seed + i).cycles / least
    return {name: total / sets for name, total in sums.items()}
