"""An asynchronous FIFO edge by edge, as a simulator without metastability shows it; its full rate.

An edge list tells what comes next: WRITE, READ, or BOTH for edges at one instant, at which a
synchroniser samples the value before the change.
"""

from collections import deque
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int8Array, check_integer, check_integers
from fattree_models.gals.fifo import MOST_STAGES, AsyncFifo, Crossing

WRITE, READ, BOTH = 1, 2, 3
MOST_TIME = 1 << 40


def edges(write_period: int, read_period: int, phase: int, time: int) -> Int8Array:
    """Return the edges of two clocks in order.

    Parameters
    ----------
    write_period, read_period : int
        In any unit of time, the same for all.
    phase : int
        Of the first edge of the read clock; the write clock's is at 0.
    time : int
        Edges before it are returned.

    Returns
    -------
    int8 array [edges]
        WRITE, READ or BOTH.

    Examples
    --------
    >>> edges(2, 3, 1, 10)
    array([1, 2, 1, 3, 1, 2, 1], dtype=int8)
    """
    periods = [
        check_integer(name, period, 1, MOST_TIME)
        for name, period in (("write_period", write_period), ("read_period", read_period))
    ]
    phase = check_integer("phase", phase, 0, MOST_TIME)
    time = check_integer("time", time, 0, MOST_TIME)
    writes = np.arange(0, time, periods[0])
    reads = np.arange(phase, time, periods[1])
    when = np.union1d(writes, reads)
    kind = np.isin(when, writes) * WRITE + np.isin(when, reads) * READ
    return np.asarray(kind, dtype=np.int8)


def run(
    fifo: AsyncFifo,
    order: npt.ArrayLike,
    offered: npt.ArrayLike | None = None,
    wanted: npt.ArrayLike | None = None,
) -> Crossing:
    """Play edges on an empty FIFO.

    Parameters
    ----------
    order : int array [edges]
        WRITE, READ or BOTH each.
    offered, wanted : int arrays [edges], optional
        1 if a word is offered, or wanted, at an edge, else 0; 1 if not given.

    Raises
    ------
    ValueError
        If the FIFO is not safe: see `AsyncFifo.safe`.

    Notes
    -----
    Exact as long as no flip-flop is metastable; then a flag is seen an edge sooner or later.
    Pointers are counts here, for a safe code shows nothing else.

    Examples
    --------
    >>> run(AsyncFifo(4), [WRITE, READ, READ, READ, READ]).word
    array([-1, -1, -1,  0, -1])
    """
    if not fifo.safe:
        raise ValueError(f"fifo: is {fifo}; allowed are safe ones")
    kind = check_integers("order", order, WRITE, BOTH)
    offers, wants = (
        _asked(name, given, kind.size) for name, given in (("offered", offered), ("wanted", wanted))
    )
    crossing = Crossing(
        np.zeros(kind.size, dtype=np.bool_),
        np.full(kind.size, -1, dtype=np.int64),
        np.zeros(kind.size, dtype=np.bool_),
        np.zeros(kind.size, dtype=np.bool_),
    )
    written = read = 0
    seen_written, seen_read = (deque([0] * fifo.stages, fifo.stages) for _ in range(2))
    for at, (edge, offer, want) in enumerate(zip(kind.tolist(), offers, wants, strict=True)):
        before = written, read
        if edge & WRITE:
            crossing.full[at] = full = written - seen_read[-1] == fifo.depth
            if offer and not full:
                crossing.taken[at] = True
                written += 1
            seen_read.appendleft(before[1])
        if edge & READ:
            crossing.empty[at] = empty = read == seen_written[-1]
            if want and not empty:
                crossing.word[at] = read
                read += 1
            seen_written.appendleft(before[0])
    return crossing


def _asked(name: str, given: npt.ArrayLike | None, count: int) -> BoolArray:
    if given is None:
        return np.ones(count, dtype=np.bool_)
    asked = check_integers(name, given, 0, 1).astype(np.bool_)
    if asked.shape != (count,):
        raise ValueError(f"{name}: has shape {asked.shape}; allowed is ({count},)")
    return asked


def full_rate_depth(stages: int, phase: Fraction | int) -> int:
    """Return the least depth with which a word crosses a period, if both periods are equal.

    Parameters
    ----------
    stages : int
        Flip-flops of each synchroniser, 2 ... 8.
    phase : Fraction or int
        Of the read clock, in periods, 0 ... below 1; at 0 edges coincide, and a synchroniser
        samples the value before the change.

    Notes
    -----
    The place of a word written at edge 0 is seen free 2 stages + 1 edges later, 2 stages + 2 if
    edges coincide; until then the edges between need a place each.  With two flip-flops: 5 or 6;
    a FIFO of four words passes 4 words in 5 or 6 periods.

    Examples
    --------
    >>> full_rate_depth(2, Fraction(1, 3)), full_rate_depth(2, 0)
    (5, 6)
    """
    stages = check_integer("stages", stages, 2, MOST_STAGES)
    if not (isinstance(phase, (int, Fraction, np.integer)) and 0 <= phase < 1):
        raise ValueError(f"phase: is {phase}; allowed are fractions from 0, below 1")
    return 2 * stages + (1 if phase else 2)


def rate(depth: int, stages: int, phase: Fraction | int) -> Fraction:
    """Return the words a period that cross between clocks of equal periods.

    Examples
    --------
    >>> rate(4, 2, 0), rate(4, 2, Fraction(1, 2)), rate(8, 2, 0)
    (Fraction(2, 3), Fraction(4, 5), Fraction(1, 1))
    """
    depth = check_integer("depth", depth, 1)
    return min(Fraction(1), Fraction(depth, full_rate_depth(stages, phase)))
