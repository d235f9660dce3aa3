"""Queues worked off without a schedule: retry, or guess the load factor and send at random.

Each source works off its queue in order and keeps a message until it sees the acknowledge
(Leiserson 1985, Section II: "messages that are not delivered must be sent again in subsequent
delivery cycles").  RETRY sends in every cycle.  RANDOMISED follows Greenberg and Leiserson
(MIT/LCS/TM-307): guess the load factor g, send each message with probability 1/g for O(g) cycles,
square the guess up to lg n lg lg n, then double it.  A wire carries one message a
cycle, so a source with k undelivered messages sends with probability min(1, k/g): one of the k
tosses.  Guesses here are powers of two, so that hardware needs no more than a few low bits of a
shift register; constants are ours.
"""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    Int32Array,
    Int64Array,
    check_integer,
    check_integers,
    check_word,
)
from fattree_models.leiserson.cycle import CycleOutcome, deliver
from fattree_models.leiserson.draws import MAX_SEED, Coins
from fattree_models.leiserson.serial_tree import IDLE, SerialTree

DISCIPLINES = ("RETRY", "RANDOMISED")


@dataclass(frozen=True)
class OnlineOutcome:
    """How the queues were worked off, in C delivery cycles.

    Attributes
    ----------
    row : int32 array [C, S]
        Row of its queue that the source sends in each cycle, -1 = it sends nothing.
    dst : int32 array [C, S]
        Its destination, -1 = none.
    cycle : int32 array [Q, S]
        Delivery cycle in which each entry of the queues was delivered, -1 = no entry, not yet, or
        lost in a reset.
    waiting : int64 array [C, S]
        Messages of each source when the cycle begins, the one that it holds included, without
        those `behind`.
    number : int64 array [C]
        Number of each cycle, counted from the last restart.
    finished : bool
        All is delivered, or lost in a reset.
    outcome : CycleOutcome
        Of the C cycles.
    """

    row: Int32Array
    dst: Int32Array
    cycle: Int32Array
    waiting: Int64Array
    number: Int64Array
    finished: bool
    outcome: CycleOutcome


def run_online(
    tree: SerialTree,
    queue: npt.ArrayLike,
    discipline: str = "RETRY",
    seed: int = 0,
    max_cycles: int = 1 << 16,
    first_cycle: int = 0,
    reset: int | None = None,
    behind: int = 0,
) -> OnlineOutcome:
    """Run delivery cycles until every message is acknowledged.

    Parameters
    ----------
    queue : int array [Q, S]
        Destinations of the messages of each source, first row first; -1 from the end of its queue
        on.
    discipline : str
        "RETRY" or "RANDOMISED".
    seed : int
        0 ... 2^32 - 1; only RANDOMISED depends on it.
    max_cycles : int
        Give up after so many.
    first_cycle : int
        Number of the first cycle, counted from the last restart: ROTATING and RANDOMISED depend on
        it.
    reset : int, optional
        A reset breaks off the cycle that would be this one of the C: what the sources hold is lost,
        the cycle does not count, and the next one has number 0.
    behind : int
        Messages that wait behind the last one of every queue: they count for RANDOMISED, but their
        turn does not come in this run.

    Returns
    -------
    OnlineOutcome
        C is the number of cycles needed (0 for empty queues), `max_cycles` if they did not do.

    Raises
    ------
    ValueError
        If an argument is out of range, an entry follows a gap, or a message goes where it comes
        from.

    Notes
    -----
    Ends with probability 1: whenever somebody sends, somebody wins, because each port that is asked
    leads at least one message on.  Some 0.1 ms per cycle besides what `deliver` takes.

    Examples
    --------
    Three messages for one processor with one wire:

    >>> result = run_online(SerialTree((1, 1, 1)), [[-1, 0, 0, 0, -1]])
    >>> result.cycle
    array([[-1,  0,  1,  2, -1]], dtype=int32)
    """
    entries = _check_queue(tree, queue)
    check_word("discipline", discipline, *DISCIPLINES)
    max_cycles = check_integer("max_cycles", max_cycles, 0)
    seed = check_integer("seed", seed, 0, MAX_SEED)
    first_cycle = check_integer("first_cycle", first_cycle, 0)
    reset = None if reset is None else check_integer("reset", reset, 0)
    behind = check_integer("behind", behind, 0)
    source = np.arange(tree.sources)
    length = np.count_nonzero(entries >= 0, axis=0)
    row = np.zeros(tree.sources, dtype=np.int64)
    cycle_of = np.full(entries.shape, -1, dtype=np.int32)
    coins = Coins(tree.h, tree.sources, seed, first_cycle) if discipline == "RANDOMISED" else None
    log = _Log([], [], [], [], [])
    while len(log.rows) < max_cycles and np.any(row < length):
        if reset == len(log.rows):
            reset, first_cycle = None, -len(log.rows)
            row += row < length
            coins = coins and Coins(tree.h, tree.sources, seed)
            continue
        sends = row < length
        if coins is not None:
            sends &= coins.toss(length - row + behind)
        dst = np.full(tree.sources, IDLE, dtype=np.int32)
        dst[sends] = entries[row[sends], source[sends]]
        number = first_cycle + len(log.rows)
        outcome = deliver(tree, dst[None], first_cycle=number)
        won = outcome.delivered[0]
        cycle_of[row[won], source[won]] = len(log.rows)
        log.rows.append(np.where(sends, row, -1).astype(np.int32))
        log.dsts.append(dst)
        log.waiting.append(length - row)
        log.numbers.append(number)
        log.outcomes.append(outcome)
        row += won
    shape = (len(log.rows), tree.sources)
    return OnlineOutcome(
        row=np.array(log.rows, dtype=np.int32).reshape(shape),
        dst=np.array(log.dsts, dtype=np.int32).reshape(shape),
        cycle=cycle_of,
        waiting=np.array(log.waiting, dtype=np.int64).reshape(shape),
        number=np.array(log.numbers, dtype=np.int64),
        finished=not np.any(row < length),
        outcome=_joined(tree, log.outcomes),
    )


class _Log(NamedTuple):
    """What happened, cycle by cycle."""

    rows: list[Int32Array]
    dsts: list[Int32Array]
    waiting: list[Int64Array]
    numbers: list[int]
    outcomes: list[CycleOutcome]


def _check_queue(tree: SerialTree, queue: npt.ArrayLike) -> Int32Array:
    """Return the queues as int32 if they have the right shape and no gaps."""
    entries = check_integers("queue", queue, IDLE, tree.n)
    if entries.ndim != 2 or entries.shape[1] != tree.sources:
        raise ValueError(f"queue: has shape {entries.shape}; allowed is [rows, {tree.sources}]")
    gap = (entries[:-1] < 0) & (entries[1:] >= 0)
    if gap.any():
        row, source = np.argwhere(gap)[0]
        raise ValueError(
            f"queue: is -1 in row {row} of source {source} and not below; allowed are -1 at the end"
        )
    return entries.astype(np.int32)


def _joined(tree: SerialTree, outcomes: list[CycleOutcome]) -> CycleOutcome:
    """Return the outcomes of single cycles as one."""
    if not outcomes:
        return deliver(tree, np.zeros((0, tree.sources), dtype=np.int32))
    names = [field.name for field in fields(CycleOutcome)]
    return CycleOutcome(
        **{name: np.concatenate([getattr(one, name) for one in outcomes]) for name in names}
    )
