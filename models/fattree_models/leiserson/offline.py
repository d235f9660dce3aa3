"""Off-line scheduling: a message set in, delivery cycles without a conflict out.

All schedulers prove their schedules before they return them (`Schedule.verify`), and all take
messages from and to the outside: these turn "above the root", at level -1, in two groups that share
no channel, one that only goes up and one that only goes down.  The proofs then count one level
more.

========== =========================================================== ==========================
scheduler  method                                                      d
========== =========================================================== ==========================
THEOREM1   the paper's proof: halve by matching and tracing, level by  <= 2 lambda lg n
           level
COROLLARY2 the same, all levels in the same cycles                     < 2 lambda', where every
                                                                       channel has > lg n wires
PER_LEVEL  exactly ceil(lambda(Q)) parts for each node and direction   <= lg n ceil(lambda)
COLOURING  edge colouring                                              ceil(lambda), where w = n
GREEDY     first-fit                                                   no promise
ITERATED   first-fit, again and again in other orders                  no promise
BALANCED   an even split of all messages, mended; else ITERATED        no promise, nearly always
                                                                       ceil(lambda)
========== =========================================================== ==========================
"""

from collections.abc import Callable

import numpy.typing as npt

from fattree_models.common.checks import check_integer
from fattree_models.leiserson.first_fit import greedy, iterated_greedy
from fattree_models.leiserson.mending import balanced
from fattree_models.leiserson.schedules import Schedule
from fattree_models.leiserson.theorem import corollary2, edge_colouring, per_level, theorem1

__all__ = [
    "SCHEDULERS",
    "Schedule",
    "balanced",
    "corollary2",
    "edge_colouring",
    "greedy",
    "iterated_greedy",
    "per_level",
    "schedule",
    "theorem1",
]

SCHEDULERS: dict[str, Callable[..., Schedule]] = {
    "THEOREM1": theorem1,
    "COROLLARY2": corollary2,
    "PER_LEVEL": per_level,
    "GREEDY": greedy,
    "ITERATED": iterated_greedy,
    "BALANCED": balanced,
    "COLOURING": edge_colouring,
}
SEEDED = ("ITERATED", "BALANCED")


def schedule(
    src: npt.ArrayLike,
    dst: npt.ArrayLike,
    cap: npt.ArrayLike,
    scheduler: str = "BALANCED",
    seed: int = 0,
) -> Schedule:
    """Return a schedule of a message set.

    Parameters
    ----------
    scheduler : str
        A key of SCHEDULERS, in upper or lower case.
    seed : int
        For ITERATED and BALANCED; the others do nothing at random.

    Raises
    ------
    ValueError
        If the scheduler is unknown, it does not apply to these capacities, or the messages or the
        capacities are malformed.

    Examples
    --------
    >>> schedule([0, 1, 1, 2, 2], [3, 0, 2, 0, 3], [1, 1, 1]).cycle
    array([0, 0, 1, 1, 2], dtype=int32)
    """
    name = str(scheduler).upper()
    if name not in SCHEDULERS:
        raise ValueError(f"SCHEDULER: is {scheduler!r}; allowed are {', '.join(SCHEDULERS)}")
    seed = check_integer("seed", seed, 0)
    if name in SEEDED:
        return SCHEDULERS[name](src, dst, cap, seed)
    return SCHEDULERS[name](src, dst, cap)
