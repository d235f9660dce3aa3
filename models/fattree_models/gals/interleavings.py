"""All interleavings of two clocks: does the FIFO ever take a word too many, or give one too many?

A step is an edge of the write clock, one of the read clock, or both at once; at each, a word may be
offered, or wanted, or not.  After an edge that moves a pointer its bits arrive at the other clock's
first flip-flop in any order, each before the next edge of the pointer's own clock: a sample in
between gets any of the bits not yet seen, and keeps them.  With two flip-flops or more the first
has settled when the second one samples it.  With one, the logic itself sees unsettled bits, and
what depends on them, pointer and memory, may see different values.

Either clock may be as fast as it likes, stop, or jitter, for steps come in any order.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from fattree_models.gals.fifo import AsyncFifo, codes

Fault = Literal["overflow", "underflow", "disagreement"]

Chain = tuple[tuple[int, int], ...]

MOST_DEPTH = 16


class State(NamedTuple):
    """Counts of both pointers, and what has come of them to the other clock.

    `arrived_...` is the code word before the first flip-flop.  `seen_...` is what the flip-flops
    hold, the first one first: a code word twice, or two between which, bit by bit, it settles.
    """

    written: int
    read: int
    arrived_written: int
    arrived_read: int
    seen_written: Chain
    seen_read: Chain


@dataclass(frozen=True)
class Search:
    """What was found.

    Parameters
    ----------
    states : int
        States reached, all of them without a fault.
    fault : str or None
        "overflow": a word was taken with D words inside.  "underflow": one was given with none
        inside.  "disagreement": pointer and memory saw different flags.
    trace : tuple of str
        The shortest way there: edges, those with a word in capitals, as "W", "r" or "Wr".
    """

    states: int
    fault: Fault | None
    trace: tuple[str, ...]


def search(fifo: AsyncFifo) -> Search:
    """Try all interleavings, beginning with an empty FIFO.

    Parameters
    ----------
    fifo : AsyncFifo
        Of 16 words at most.

    Notes
    -----
    A safe FIFO of s flip-flops has at most 2 D (C(D+m, m) + 2 C(D+m-1, m) + C(D+m-2, m)) states,
    m = 2 s + 1.  In every one these counts do not fall, and the last is at most D above the first:
    read pointer as seen by the last ... first flip-flop, as arrived, as it is, write pointer as
    seen by the last ... first, as arrived, as it is; and what has arrived lags by one at most.

    Examples
    --------
    >>> search(AsyncFifo(2))
    Search(states=132, fault=None, trace=())
    >>> search(AsyncFifo(2, stages=1)).fault, search(AsyncFifo(2, code="BINARY")).fault
    ('disagreement', 'underflow')
    """
    if fifo.depth > MOST_DEPTH:
        raise ValueError(f"fifo: has {fifo.depth} words; allowed are 1 … {MOST_DEPTH}")
    word = codes(fifo.depth, fifo.code).tolist()
    chain = ((word[0], word[0]),) * fifo.stages
    start = State(0, 0, word[0], word[0], chain, chain)
    came: dict[State, tuple[State, str] | None] = {start: None}
    level = [start]
    while level:
        following: list[State] = []
        for state in level:
            for label, after in _steps(fifo, word, state):
                if isinstance(after, str):
                    return Search(len(came), after, (*_trace(came, state), label))
                if after not in came:
                    came[after] = (state, label)
                    following.append(after)
        level = following
    return Search(len(came), None, ())


def _trace(came: dict[State, tuple[State, str] | None], state: State) -> list[str]:
    """Return the edges that led to a state."""
    labels = []
    while (step := came[state]) is not None:
        state, label = step
        labels.append(label)
    return labels[::-1]


def _steps(fifo: AsyncFifo, word: list[int], state: State) -> Iterator[tuple[str, State | Fault]]:
    """Return what may come next."""
    writes = _moves(fifo, word, state, write=True)
    reads = _moves(fifo, word, state, write=False)
    for label, moves in writes:
        yield from _alone(label, moves, lambda moved: _after(word, state, moved, None))
    for label, moves in reads:
        yield from _alone(label, moves, lambda moved: _after(word, state, None, moved))
    for (one, writer), (other, reader) in product(writes, reads):
        if not isinstance(writer, str) and not isinstance(reader, str):
            for after in _after(word, state, writer, reader):
                yield one + other, after


def _moves(
    fifo: AsyncFifo, word: list[int], state: State, write: bool
) -> list[tuple[str, bool | Fault]]:
    """Return whether a pointer moves at an edge: not, if nothing is asked, and if the flag lets it.

    Or the fault that it makes.
    """
    chain = state.seen_read if write else state.seen_written
    inside = (state.written - state.read) % len(word)
    blocking = word[(state.written - fifo.depth) % len(word) if write else state.read]
    flags = {value == blocking for value in _between(*chain[-1])}
    idle, asked = ("w", "W") if write else ("r", "R")
    moves: list[tuple[str, bool | Fault]] = [(idle, False)]
    if len(flags) == 2:
        moves.append((asked, "disagreement"))
    elif flags == {False}:
        wrong = inside == (fifo.depth if write else 0)
        fault: Fault = "overflow" if write else "underflow"
        moves.append((asked, fault if wrong else True))
    return moves


def _alone(
    label: str, moves: bool | Fault, after: Callable[[bool], list[State]]
) -> Iterator[tuple[str, State | Fault]]:
    """Return the fault, or the states after an edge of one clock."""
    if isinstance(moves, str):
        yield label, moves
    else:
        yield from ((label, state) for state in after(moves))


def _after(word: list[int], state: State, writer: bool | None, reader: bool | None) -> list[State]:
    """Return the states after edges: of the write clock unless `writer` is None, and so on."""
    written = (state.written + bool(writer)) % len(word)
    read = (state.read + bool(reader)) % len(word)
    # An edge of a pointer's own clock comes only when all bits of the last change have arrived.
    old_written = state.arrived_written if writer is None else word[state.written]
    old_read = state.arrived_read if reader is None else word[state.read]
    writes = [(old_written, state.seen_written)]
    if reader is not None:
        writes = _sampled(state.seen_written, old_written, word[written])
    reads = [(old_read, state.seen_read)]
    if writer is not None:
        reads = _sampled(state.seen_read, old_read, word[read])
    return [
        State(written, read, w, r, one, other) for (w, one), (r, other) in product(writes, reads)
    ]


def _sampled(chain: Chain, old: int, new: int) -> list[tuple[int, Chain]]:
    """Return what may have arrived, and the chain after a sample of it."""
    if len(chain) == 1:
        return [(arrived, ((old, arrived),)) for arrived in _between(old, new)]
    return [(arrived, ((arrived, arrived), *chain[:-1])) for arrived in _between(old, new)]


@lru_cache(maxsize=4096)
def _between(old: int, new: int) -> tuple[int, ...]:
    """Return all words that have each bit of the one or the other.

    Examples
    --------
    >>> _between(3, 4)
    (0, 1, 2, 3, 4, 5, 6, 7)
    """
    differ = old ^ new
    values = {old & ~differ}
    for bit in range(differ.bit_length()):
        if differ >> bit & 1:
            values |= {value | 1 << bit for value in values}
    return tuple(sorted(values))
