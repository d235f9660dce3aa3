"""Injection processes: when the nodes create packets.

A cycle may as well be a slot.  Each node that has traffic creates `load` flits per cycle in the
mean, independently of the others and whatever becomes of them: packets wait at their source,
outside the network.  Runs begin in the steady state of the process.
"""

from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from fattree_models.common.checks import Int32Array, Int64Array, check_integer
from fattree_models.traffic.packet_lengths import Lengths
from fattree_models.traffic.packets import Packets, places_in_runs
from fattree_models.traffic.patterns import Pattern
from fattree_models.traffic.words import check_text, integer, real

INJECTION_FORMS = (
    "bernoulli",
    "burst:ALPHA,BETA",
    "burst:-,BETA,PEAK",
    "train:ALPHA,BETA",
    "train:-,BETA,PEAK",
    "frame:PACKETS",
)
"""What a user may write."""

MAX_FRAME = 2**20


class Injection(Protocol):
    """A process whose own parameters are known; the others are as those of `bernoulli`."""

    def __call__(
        self, rng: np.random.Generator, pattern: Pattern, lengths: Lengths, load: float, cycles: int
    ) -> Packets:
        """Return the packets of a run."""


def bernoulli(
    rng: np.random.Generator, pattern: Pattern, lengths: Lengths, load: float, cycles: int
) -> Packets:
    """Create a packet with the same probability in every cycle.

    Parameters
    ----------
    pattern : Pattern
        Where the packets go; nodes without traffic create none.
    lengths : Lengths
        How long they are.
    load : float
        Flits per cycle that each of the other nodes creates in the mean; the probability is this,
        divided by the mean length.
    cycles : int
        Packets are created in cycles 0 ... cycles - 1.

    Raises
    ------
    ValueError
        If `load` asks for more than a packet per cycle, or a number is negative.

    Notes
    -----
    O(packets) time and memory: what is drawn are the gaps between packets, geometrically
    distributed, of all nodes in one row.

    Examples
    --------
    >>> from fattree_models.traffic import lengths, pattern
    >>> bernoulli(np.random.default_rng(1), pattern("shift:1", 2), lengths("4"), 4.0, 3).release
    array([0, 1, 2, 0, 1, 2])
    """
    rate = _packet_rate(load, lengths, 1.0)
    senders, cycles = pattern.senders, check_integer("cycles", cycles, 0)
    at = _successes(rng, rate, senders.size * cycles)
    return _packets(rng, pattern, lengths, senders[at // max(cycles, 1)], at % max(cycles, 1))


def on_off(
    rng: np.random.Generator,
    pattern: Pattern,
    lengths: Lengths,
    load: float,
    cycles: int,
    *,
    beta: float,
    alpha: float | None = None,
    peak: float | None = None,
    together: bool = False,
) -> Packets:
    """Create bursts: a Markov chain with two states, and packets only while it is on.

    Parameters
    ----------
    rng, pattern, lengths, load, cycles
        As for `bernoulli`.
    beta : float
        Probability to go from on to off in a cycle, above 0, at most 1: a burst lasts 1 / beta
        cycles in the mean.
    alpha : float or None
        Probability to go from off to on.
    peak : float or None
        Probability to create a packet in a cycle that is on.  Either `alpha` or `peak` is None and
        follows from the load.
    together : bool
        Whether all packets of a burst go to the same destination; else each draws its own, as in
        BookSim.

    Raises
    ------
    ValueError
        If the load cannot be reached, or an argument is out of range.

    Notes
    -----
    load = mean length * peak * alpha / (alpha + beta), as in BookSim's injection.cpp; but a run
    begins in the steady state.
    """
    senders, cycles = pattern.senders, check_integer("cycles", cycles, 0)
    alpha, peak = _solve(load, lengths, alpha, beta, peak)
    if alpha == 0.0 or peak == 0.0:  # no load, or one so small that it vanishes
        return Packets.of([], [], [])
    bursts = _bursts(rng, senders.size, cycles, alpha, beta)
    ends = np.cumsum(bursts.length)
    # All bursts in one row, without the pauses: in it, packets are a Bernoulli process.
    at = _successes(rng, peak, int(ends[-1]) if ends.size else 0)
    burst = np.searchsorted(ends, at, side="right")
    release = bursts.begin[burst] + at - (ends - bursts.length)[burst]
    source = senders[bursts.row[burst]]
    return _packets(rng, pattern, lengths, source, release, burst if together else None)


def frame_bursts(
    rng: np.random.Generator,
    pattern: Pattern,
    lengths: Lengths,
    load: float,
    cycles: int,
    *,
    frame: int,
) -> Packets:
    """Create bursts that fill frames: a packet in every cycle of a frame, or none.

    Frames begin at multiples of `frame` for all nodes; a node fills each with the same probability,
    and all packets of a frame go to the same destination.

    Parameters
    ----------
    rng, pattern, lengths, load, cycles
        As for `bernoulli`; a last frame that is not whole is cut.
    frame : int
        Cycles of a frame, 1 or more.

    Raises
    ------
    ValueError
        If `load` asks for more than a packet per cycle, or a number is out of range.

    Examples
    --------
    >>> from fattree_models.traffic import lengths, pattern
    >>> one = (np.random.default_rng(1), pattern("shift:1", 2), lengths("1"))
    >>> frame_bursts(*one, 0.5, 8, frame=3).release
    array([3, 4, 5])
    """
    frame = check_integer("frame", frame, 1, MAX_FRAME)
    cycles = check_integer("cycles", cycles, 0)
    rate = _packet_rate(load, lengths, 1.0)
    frames = -(-cycles // frame)
    filled = _successes(rng, rate, pattern.senders.size * frames)
    burst = np.repeat(np.arange(filled.size), frame)
    start = filled[burst]
    release = start % max(frames, 1) * frame + np.arange(burst.size) % frame
    source = pattern.senders[start // max(frames, 1)]
    whole = release < cycles
    return _packets(rng, pattern, lengths, source[whole], release[whole], burst[whole])


def injection(text: str) -> Injection:
    """Return the process that a user names.

    Parameters
    ----------
    text : str
        One of these:

        bernoulli
            `bernoulli`.
        burst:ALPHA,BETA
            `on_off`; the peak rate follows from the load.
        burst:-,BETA,PEAK
            `on_off` with that peak rate; how often bursts begin follows from the load.
        train:...
            As burst, but all packets of a burst go to the same destination.
        frame:PACKETS
            `frame_bursts`.

    Examples
    --------
    >>> injection("burst:1,2,3")
    Traceback (most recent call last):
    ...
    ValueError: 'burst:1,2,3' is not an injection; allowed are burst:ALPHA,BETA, burst:-,BETA,PEAK
    """
    name, _, argument = check_text("injection", text).strip().partition(":")
    forms = [form for form in INJECTION_FORMS if form.partition(":")[0] == name]
    words = [word.strip() for word in argument.split(",")]
    if text.strip() == "bernoulli":
        return bernoulli
    if name in ("burst", "train"):
        on_off_of = partial(on_off, together=name == "train")
        if len(words) == 2 and words[0] != "-":
            alpha, beta = _probability("alpha", words[0]), _probability("beta", words[1])
            return partial(on_off_of, alpha=alpha, beta=beta)
        if len(words) == 3 and words[0] == "-":
            beta, peak = _probability("beta", words[1]), _probability("peak", words[2])
            return partial(on_off_of, beta=beta, peak=peak)
    if name == "frame" and argument:
        return partial(frame_bursts, frame=integer("frame", argument.strip(), 1, MAX_FRAME))
    allowed = ", ".join(forms or INJECTION_FORMS)
    raise ValueError(f"{text.strip()!r} is not an injection; allowed are {allowed}")


def _probability(name: str, word: str) -> float:
    return _positive(name, real(name, word, 1.0))


def _positive(name: str, probability: float) -> float:
    if not 0.0 < probability <= 1.0:
        raise ValueError(f"{name}: is {probability:g}; allowed are numbers above 0, at most 1")
    return probability


def _packet_rate(load: float, lengths: Lengths, most: float) -> float:
    """Return packets a cycle for a load in flits, if they are at most `most`."""
    rate = load / lengths.mean
    # A load computed as most * mean may be too much by a rounding error.
    if not 0.0 <= rate <= most * (1.0 + 1e-9):
        raise ValueError(
            f"load: is {load:g}; allowed are 0 … {most * lengths.mean:g} "
            f"(packets of {lengths.mean:g} flits, at most {most:g} per node and cycle)"
        )
    return min(rate, most)


def _solve(
    load: float, lengths: Lengths, alpha: float | None, beta: float, peak: float | None
) -> tuple[float, float]:
    """Return alpha and peak; one follows from the load."""
    _positive("beta", beta)
    if alpha is not None and peak is None:
        duty = _positive("alpha", alpha) / (alpha + beta)
        return alpha, min(_packet_rate(load, lengths, duty) / duty, 1.0)
    if peak is not None and alpha is None:
        # At most every pause is a single cycle: alpha = 1.
        rate = _packet_rate(load, lengths, _positive("peak", peak) / (1.0 + beta))
        return min(beta * rate / (peak - rate), 1.0), peak
    raise ValueError("alpha, peak: allowed is one of them, the other follows from the load")


def _successes(rng: np.random.Generator, rate: float, trials: int) -> Int64Array:
    """Return which of a row of independent trials succeed, int64 [successes], increasing."""
    parts = [np.zeros(0, dtype=np.int64)]
    last = -1
    while rate > 0.0 and last < trials - 1:
        expected = (trials - 1 - last) * rate
        gaps = rng.geometric(rate, size=int(expected + 5.0 * expected**0.5) + 16)
        at = last + np.cumsum(np.minimum(gaps, trials + 1))  # no overflow, however rare they are
        parts.append(at[at < trials])
        last = int(at[-1])
    return np.concatenate(parts)


class _Bursts(NamedTuple):
    """Bursts [bursts], sorted by row, then by begin: first cycle and cycles of each."""

    row: Int64Array
    begin: Int64Array
    length: Int64Array


def _bursts(rng: np.random.Generator, rows: int, cycles: int, alpha: float, beta: float) -> _Bursts:
    """Return when each of `rows` Markov chains is on, from the steady state, cut at `cycles`."""
    most = cycles + 1  # longer ones make no difference, and would overflow
    on_at_first = rng.random(rows) < alpha / (alpha + beta)
    clock = np.where(on_at_first, 0, np.minimum(rng.geometric(alpha, rows), most))
    begins, lengths = [], []
    many = int(1.1 * cycles * alpha * beta / (alpha + beta)) + 8
    while rows and clock.min() < cycles:
        on = np.minimum(rng.geometric(beta, (rows, many)), most)
        off = np.minimum(rng.geometric(alpha, (rows, many)), most)
        ends = clock[:, None] + np.cumsum(on + off, axis=1)
        begins.append(ends - off - on)
        lengths.append(on)
        clock = ends[:, -1]
    if not begins:
        none = np.zeros(0, dtype=np.int64)
        return _Bursts(none, none, none)
    begin, length = np.concatenate(begins, axis=1), np.concatenate(lengths, axis=1)
    row, column = np.nonzero(begin < cycles)
    begin = begin[row, column]
    return _Bursts(row, begin, np.minimum(length[row, column], cycles - begin))


def _packets(
    rng: np.random.Generator,
    pattern: Pattern,
    lengths: Lengths,
    source: Int32Array,
    release: Int64Array,
    burst: Int64Array | None = None,
) -> Packets:
    """Give packets destinations and lengths; those of the same burst the same destination."""
    if burst is None:
        destination = pattern.draw(source, rng, places_in_runs(source))
    else:
        first = places_in_runs(burst) == 0
        heads = source[first]
        destination = pattern.draw(heads, rng, places_in_runs(heads))[np.cumsum(first) - 1]
    flits = lengths.draw(rng, source.size)
    kind = np.zeros(source.size, dtype=np.uint8)
    return Packets(source, destination, release, flits, kind)
