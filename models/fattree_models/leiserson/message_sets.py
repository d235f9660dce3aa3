"""Message sets to schedule: random ones and patterns.

Meshes are in `networks`, sets for one delivery cycle in `one_cycle_sets`.

All return (src, dst), int32 arrays [messages] of processors 0 ... n-1 (n: the outside, only where a
function says so), and no message from a processor to itself.  Randomness comes from the generator
that is passed.
"""

import numpy as np

from fattree_models.common.checks import Int32Array, check_integer
from fattree_models.leiserson.capacity import check_processors, height
from fattree_models.leiserson.networks import Messages, mesh, recursive_halving

__all__ = [
    "Messages",
    "all_to_all",
    "all_to_one",
    "bit_reversal",
    "channel_load",
    "k_relation",
    "local",
    "mesh",
    "permutation",
    "recursive_halving",
    "shuffle",
    "transpose",
    "uniform",
]


def permutation(processors: int, rng: np.random.Generator, fixed_points: bool = False) -> Messages:
    """Return a random permutation: every processor sends and receives once.

    Parameters
    ----------
    fixed_points : bool
        If set, any permutation; processors that it maps to themselves then send nothing.  Otherwise
        one without fixed points, all of them equally likely.

    Examples
    --------
    >>> permutation(4, np.random.default_rng(0))
    (array([0, 1, 2, 3], dtype=int32), array([3, 2, 1, 0], dtype=int32))
    """
    n = check_processors(processors)
    src = np.arange(n, dtype=np.int32)
    while True:
        dst = rng.permutation(src)
        moved = dst != src
        # One in e permutations has no fixed point.
        if fixed_points or moved.all():
            return src[moved], dst[moved]


def k_relation(processors: int, k: int, rng: np.random.Generator) -> Messages:
    """Return a random k-relation: every processor sends k messages and receives k.

    Parameters
    ----------
    k : int
        Messages per processor, 0 … 65536; k n is at most 2^26.

    Returns
    -------
    (src, dst) : int32 arrays [k n]
        k random permutations without fixed points, one after the other; pairs can recur.

    Examples
    --------
    >>> src, dst = k_relation(4, 3, np.random.default_rng(0))
    >>> np.bincount(src), np.bincount(dst)
    (array([3, 3, 3, 3]), array([3, 3, 3, 3]))
    """
    n = check_processors(processors)
    k = check_integer("k", k, 0, min(2**16, 2**26 // n))
    sets = [permutation(n, rng) for _ in range(k)]
    empty = np.zeros(0, dtype=np.int32)
    src = np.concatenate([empty, *(src for src, _ in sets)])
    return src, np.concatenate([empty, *(dst for _, dst in sets)])


def uniform(
    processors: int, count: int, rng: np.random.Generator, outside: bool = False
) -> Messages:
    """Return messages of random sources to random other destinations.

    Parameters
    ----------
    count : int
        Messages.
    outside : bool
        If set, the outside is one more place, as likely as a processor.

    Examples
    --------
    >>> src, dst = uniform(4, 1000, np.random.default_rng(0), outside=True)
    >>> (src == dst).any(), src.max(), dst.max()
    (np.False_, np.int32(4), np.int32(4))
    """
    n = check_processors(processors)
    count = check_integer("count", count, 0)
    places = n + bool(outside)
    src = rng.integers(0, places, count, dtype=np.int32)
    dst = (src + rng.integers(1, places, count, dtype=np.int32)) % np.int32(places)
    return src, dst


def all_to_one(processors: int, target: int = 0) -> Messages:
    """Return one message from every other processor to `target`.

    Examples
    --------
    >>> all_to_one(4, 2)
    (array([0, 1, 3], dtype=int32), array([2, 2, 2], dtype=int32))
    """
    n = check_processors(processors)
    target = check_integer("target", target, 0, n - 1)
    src = np.delete(np.arange(n, dtype=np.int32), target)
    return src, np.full(n - 1, target, dtype=np.int32)


def all_to_all(processors: int) -> Messages:
    """Return one message for every ordered pair of processors, n (n-1) of them.

    Examples
    --------
    >>> all_to_all(2)
    (array([0, 1], dtype=int32), array([1, 0], dtype=int32))
    """
    n = check_processors(processors)
    if n * (n - 1) >= 2**31:
        raise ValueError(f"processors: is {n}; allowed are fewer than 2^31 messages, n <= 32768")
    src, step = np.divmod(np.arange(n * (n - 1), dtype=np.int64), n - 1)
    return src.astype(np.int32), ((src + step + 1) % n).astype(np.int32)


def local(processors: int, count: int, rng: np.random.Generator, decay: float = 0.5) -> Messages:
    """Return random messages that prefer near destinations.

    Parameters
    ----------
    count : int
        Messages.
    decay : float
        The lowest common ancestor is a times as high with probability proportional to decay^a, a =
        1 ... h; decay = 2 gives uniform destinations.

    Examples
    --------
    >>> src, dst = local(1024, 1000, np.random.default_rng(0))
    >>> np.bincount([int(d).bit_length() for d in src ^ dst])[:5]
    array([  0, 503, 238, 149,  58])
    """
    n = check_processors(processors)
    h = height(n)
    count = check_integer("count", count, 0)
    if not 0 < decay < np.inf:
        raise ValueError(f"decay: is {decay}; allowed are numbers above 0")
    weight = np.cumsum(float(decay) ** np.arange(h))
    src = rng.integers(0, n, count, dtype=np.int32)
    rise = np.searchsorted(weight, rng.random(count) * weight[-1], side="right")
    turn = np.int32(1) << np.minimum(rise, h - 1).astype(np.int32)
    return src, src ^ (turn | rng.integers(0, turn, dtype=np.int32))


def channel_load(
    processors: int, channel: int, count: int, rng: np.random.Generator, up: bool = True
) -> Messages:
    """Return messages that load one channel with exactly `count`.

    Parameters
    ----------
    channel : int
        Heap index of the node below it, 1 ... 2n-1; 1 is the external channel, whose messages go to
        the outside (up) or come from it.
    count : int
        Messages, all of them through the channel.
    up : bool
        Direction: up from the subtree, or down into it.

    Returns
    -------
    (src, dst) : int32 arrays [count]
        The ends are spread evenly over the processors in the subtree, and over the others, so that
        no channel is used more than it must be, but chance decides which pairs are formed.

    Examples
    --------
    >>> channel_load(4, 2, 3, np.random.default_rng(0), up=False)
    (array([2, 3, 3], dtype=int32), array([0, 1, 0], dtype=int32))
    """
    n = check_processors(processors)
    h = height(n)
    count = check_integer("count", count, 0)
    channel = check_integer("channel", channel, 1, 2 * n - 1)
    rise = h + 1 - channel.bit_length()
    leaf = np.arange(n, dtype=np.int32)
    below = (leaf + n) >> rise == channel
    others = leaf[~below] if channel > 1 else np.full(1, n, dtype=np.int32)
    inner = _spread(leaf[below], count, rng)
    outer = _spread(others, count, rng)
    return (inner, outer) if up else (outer, inner)


def bit_reversal(processors: int) -> Messages:
    """Return the permutation that reverses the h bits of a processor's number.

    Examples
    --------
    >>> bit_reversal(8)
    (array([1, 3, 4, 6], dtype=int32), array([4, 6, 1, 3], dtype=int32))
    """
    dst = np.zeros(1, dtype=np.int32)
    for _ in range(height(processors)):
        dst = np.concatenate((2 * dst, 2 * dst + 1))
    return _moved(dst)


def transpose(processors: int) -> Messages:
    """Return the permutation that swaps the halves of a processor's number.

    Row and column of a matrix dealt out by rows; with an odd h the number is rotated by floor(h/2).

    Examples
    --------
    >>> transpose(16)[1]
    array([ 4,  8, 12,  1,  9, 13,  2,  6, 14,  3,  7, 11], dtype=int32)
    """
    return _moved(_rotated(processors, height(processors) // 2))


def shuffle(processors: int) -> Messages:
    """Return the perfect shuffle: a processor's number rotated left by one bit.

    Examples
    --------
    >>> shuffle(8)
    (array([1, 2, 3, 4, 5, 6], dtype=int32), array([2, 4, 6, 1, 3, 5], dtype=int32))
    """
    return _moved(_rotated(processors, 1))


def _spread(places: Int32Array, count: int, rng: np.random.Generator) -> Int32Array:
    """Return `count` of the places in random order, none used twice before all are used once."""
    rounds = -(-count // places.size)
    return rng.permuted(np.tile(places, (rounds, 1)), axis=1).ravel()[:count]


def _moved(dst: Int32Array) -> Messages:
    """Return a permutation as messages, without its fixed points."""
    src = np.arange(dst.size, dtype=np.int32)
    return src[dst != src], dst[dst != src]


def _rotated(n: int, by: int) -> Int32Array:
    """Return all numbers below n, their h bits rotated left."""
    n, h = check_processors(n), height(n)
    number = np.arange(n, dtype=np.int32)
    return (number << by | number >> (h - by)) & np.int32(n - 1)
