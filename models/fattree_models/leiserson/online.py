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

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    BoolArray,
    Int32Array,
    Int64Array,
    check_integer,
    check_integers,
    check_levels,
)
from fattree_models.leiserson.cycle import CycleOutcome, deliver
from fattree_models.leiserson.serial_tree import IDLE, SerialTree

UInt32Array = npt.NDArray[np.uint32]

DISCIPLINES = ("RETRY", "RANDOMISED")
ROUNDS = 4
"""Cycles of a phase, in units of the guess."""
MOST_EXPONENT = 15
MAX_SEED = 2**32 - 1
GOLDEN = 0x9E3779B9
"""2^32 over the golden ratio: sets the start values of neighbours apart."""


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
        Delivery cycle in which each entry of the queues was delivered, -1 = no entry, or not yet.
    finished : bool
        All is delivered.
    outcome : CycleOutcome
        Of the C cycles.
    """

    row: Int32Array
    dst: Int32Array
    cycle: Int32Array
    finished: bool
    outcome: CycleOutcome


def run_online(
    tree: SerialTree,
    queue: npt.ArrayLike,
    discipline: str = "RETRY",
    seed: int = 0,
    max_cycles: int = 1 << 16,
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
    if discipline not in DISCIPLINES:
        raise ValueError(f"discipline: is {discipline}; allowed are RETRY, RANDOMISED")
    max_cycles = check_integer("max_cycles", max_cycles, 0)
    seed = check_integer("seed", seed, 0, MAX_SEED)
    source = np.arange(tree.sources)
    length = np.count_nonzero(entries >= 0, axis=0)
    row = np.zeros(tree.sources, dtype=np.int64)
    cycle_of = np.full(entries.shape, -1, dtype=np.int32)
    coins = _Coins(tree, seed) if discipline == "RANDOMISED" else None
    rows: list[Int32Array] = []
    dsts: list[Int32Array] = []
    outcomes: list[CycleOutcome] = []
    while len(rows) < max_cycles and np.any(row < length):
        sends = row < length
        if coins is not None:
            sends &= coins.toss(length - row)
        dst = np.full(tree.sources, IDLE, dtype=np.int32)
        dst[sends] = entries[row[sends], source[sends]]
        outcome = deliver(tree, dst[None], first_cycle=len(rows))
        won = outcome.delivered[0]
        cycle_of[row[won], source[won]] = len(rows)
        rows.append(np.where(sends, row, -1).astype(np.int32))
        dsts.append(dst)
        outcomes.append(outcome)
        row += won
    shape = (len(rows), tree.sources)
    return OnlineOutcome(
        row=np.array(rows, dtype=np.int32).reshape(shape),
        dst=np.array(dsts, dtype=np.int32).reshape(shape),
        cycle=cycle_of,
        finished=not np.any(row < length),
        outcome=_joined(tree, outcomes),
    )


def guess_exponents(h: int, cycles: int) -> Int64Array:
    """Return the exponent e of the guess 2^e in the first delivery cycles.

    Parameters
    ----------
    h : int
        lg n, 1 ... 20.
    cycles : int

    Returns
    -------
    int64 array [cycles]
        0 in cycle 0, in which all send.

    Notes
    -----
    Doubling e squares the guess; that ends at the power of two from h ceil(lg h) on, about
    lg n lg lg n.

    Examples
    --------
    >>> guess_exponents(2, 16)
    array([0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2])
    """
    levels = check_levels(h)
    cycles = check_integer("cycles", cycles, 0)
    # ceil(log2 x) in integers is the length of x - 1.
    limit = levels * max(1, (max(levels, 2) - 1).bit_length())
    exponents = np.full(cycles, MOST_EXPONENT, dtype=np.int64)
    exponents[:1] = 0
    first, e = 1, 1
    while first < cycles and e < MOST_EXPONENT:
        beyond = first + (ROUNDS << e)
        exponents[first:beyond] = e
        first = beyond
        squared = min(2 * e, (limit - 1).bit_length())
        e = min(squared if 1 << e < limit else e + 1, MOST_EXPONENT)
    return exponents


def lfsr(seed: int, sources: int, cycles: int) -> UInt32Array:
    """Return the random words of every source in the first delivery cycles.

    Parameters
    ----------
    seed : int
        0 ... 2^32 - 1.
    sources, cycles : int

    Returns
    -------
    uint32 array [cycles, sources]
        Never 0.

    Notes
    -----
    Marsaglia's 32-bit xorshift (13, 17, 5), period 2^32 - 1, one step a cycle.  Source q starts
    with seed XOR ((q + 1) GOLDEN mod 2^32), or 1 where that is 0.

    Examples
    --------
    >>> lfsr(GOLDEN ^ 1, 1, 3)[:, 0]
    array([       1,   270369, 67634689], dtype=uint32)
    """
    seed = check_integer("seed", seed, 0, MAX_SEED)
    sources, cycles = check_integer("sources", sources, 0), check_integer("cycles", cycles, 0)
    words = np.zeros((cycles, sources), dtype=np.uint32)
    if cycles:
        words[0] = _first_words(seed, sources)
    for c in range(1, cycles):
        words[c] = _next_words(words[c - 1])
    return words


class _Coins:
    """Decides, cycle by cycle, which sources may send.

    Makes the words as they are needed: how many cycles there will be is not known before.
    """

    def __init__(self, tree: SerialTree, seed: int) -> None:
        self.words = _first_words(seed, tree.sources)
        self.h = tree.h
        self.exponents = guess_exponents(tree.h, 256)
        self.cycle = 0

    def toss(self, undelivered: Int64Array) -> BoolArray:
        """Return who may send in the next cycle, by how many messages each has."""
        if self.cycle == self.exponents.size:
            self.exponents = guess_exponents(self.h, 2 * self.cycle)
        mask = np.uint32((1 << int(self.exponents[self.cycle])) - 1)
        may = (self.words & mask) < undelivered
        self.words = _next_words(self.words)
        self.cycle += 1
        return np.asarray(may)


def _first_words(seed: int, sources: int) -> UInt32Array:
    """Return the start values."""
    steps = np.arange(1, sources + 1, dtype=np.uint64) * np.uint64(GOLDEN)
    words = np.uint32(seed) ^ steps.astype(np.uint32)
    words[words == 0] = 1
    return words


def _next_words(words: UInt32Array) -> UInt32Array:
    """Return the words one step on."""
    x = words ^ (words << np.uint32(13))
    x = x ^ (x >> np.uint32(17))
    return np.asarray(x ^ (x << np.uint32(5)))


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
