"""Proof of the graphs of partial concentrators: what their table guarantees, exactly.

For every stage that the table of `partial` stands for, Hall's condition is decided by complete
search: `python -m fattree_models.leiserson.partial_proof` does all of them, or those with the
numbers of inputs given.
"""

import sys
import time

import numba
import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    Int64Array,
    UInt64Array,
    check_integer,
    check_integers,
    check_range,
)
from fattree_models.leiserson.partial import DEGREE, Row, deal, first_outputs, table_rows


def verify_row(r: int, row: Row) -> int:
    """Prove what the table says about the stages of r inputs.

    Parameters
    ----------
    r : int
        Inputs.
    row : Row
        The table's line.

    Returns
    -------
    int
        Nodes of the search trees, all stages together.

    Raises
    ------
    ValueError
        If a multiplier is not prime to r, or a guarantee is below floor(3s/4) or not exact.

    Examples
    --------
    >>> verify_row(8, table_rows()[8]) > 0
    True
    >>> verify_row(8, table_rows()[8]._replace(multipliers=(2, 1, 1, 1, 1, 1)))
    Traceback (most recent call last):
    ...
    ValueError: table: r = 8 has multiplier 2; allowed are numbers prime to r
    """
    r = check_integer("r", r, 1)
    for multiplier in row.multipliers:
        if np.gcd(multiplier, r) != 1:
            raise ValueError(
                f"table: r = {r} has multiplier {multiplier}; allowed are numbers prime to r"
            )
    total = 0
    for s, shortfall in enumerate(row.shortfalls, first_outputs(r)):
        if s - shortfall < 3 * s // 4:
            raise ValueError(
                f"table: ({r}, {s}) guarantees {s - shortfall}; "
                f"allowed are at least floor(3s/4) = {3 * s // 4}"
            )
        graph = deal(r, s, row)
        found, nodes = hall_violation(graph, s, shortfall + 1)
        total += nodes
        if found is None and shortfall > 0:
            # Not more outputs than claimed are too poor; so many must be, or it guarantees more.
            found, nodes = hall_violation(graph, s, shortfall)
            total += nodes
            if found is None:
                raise ValueError(f"table: ({r}, {s}) guarantees more than {s - shortfall}")
        elif found is not None:
            raise ValueError(
                f"table: ({r}, {s}) does not guarantee {s - shortfall}: only the outputs other "
                f"than {found.tolist()} for {s - found.size + 1} inputs"
            )
    return total


def hall_violation(graph: npt.ArrayLike, s: int, least: int) -> tuple[Int64Array | None, int]:
    """Search for many outputs with so few neighbours that the inputs left over lack outputs.

    Parameters
    ----------
    graph : int array [r, degree]
        Output of each edge of each input; r <= 128, degree <= 6.
    s : int
        Outputs, s < r.
    least : int
        Least outputs to find, at least 1.

    Returns
    -------
    (int64 array or None, int)
        A set Z of at least `least` outputs with |N(Z)| <= r - s - 1 + |Z|, None if there is none;
        and the nodes of the search tree.

    Notes
    -----
    Some k inputs cannot be matched iff (Hall) some set X of them has |N(X)| < |X|, and then a
    subset has |N(X)| = |X| - 1.  Its outputs not in N(X), s - |X| + 1 of them, are such a Z: their
    neighbours are not in X.  Conversely the r - |N(Z)| >= s - |Z| + 1 inputs without an edge to Z
    have only s - |Z| outputs.  So any k inputs can be matched iff no Z has s - k + 1 or more
    outputs, and the guarantee is s - max |Z|.  Near s, where it is decided, sets Z are small: that
    makes the search over them feasible where one over X is not.

    Complete branch and bound: include the candidates in turn, later ones stay candidates.  A set
    U with v neighbours can grow by t candidates to a Z only if they have at most w = r - s - 1 +
    |U| + t - v new neighbours together.  So each has at most w; and the t least counts of new
    neighbours add up to at most what w inputs can absorb, each at most t or its own edges to
    candidates.  U is given up if no t is possible; a candidate with more than the largest w is.

    Examples
    --------
    Three inputs that share two outputs of three:

    >>> hall_violation([[0, 1], [0, 1], [0, 1], [2, 2]], 3, 1)[0]
    array([2])
    """
    edges = check_integers("graph", graph)
    s, least = check_integer("s", s), check_integer("least", least)
    r = edges.shape[0]
    if edges.ndim != 2 or edges.shape[1] > DEGREE or r > 128 or not 1 <= s < r or least < 1:
        raise ValueError(
            f"graph: has shape {edges.shape}, s = {s}, least = {least}; allowed are at most "
            f"[128, {DEGREE}], 1 <= s < r, least >= 1"
        )
    check_range("graph", edges, 0, s - 1)
    neighbours = np.zeros((s, 2), dtype=np.uint64)
    for i, outputs in enumerate(edges.tolist()):
        for output in outputs:
            neighbours[output, i >> 6] |= np.uint64(1 << (i & 63))
    chosen = np.empty(s, dtype=np.int64)
    size, nodes = _search(neighbours, r, least, chosen)
    return (chosen[:size].copy() if size else None), nodes


@numba.njit(cache=True)
def _ones(word: np.uint64) -> np.int64:
    """Count the ones of a word."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@numba.njit(cache=True)
def _largest(tally: Int64Array, spare: int, least: int, most: Int64Array) -> int:
    """Return the largest number of candidates that the bound lets join, 0 if no number >= least.

    `tally` counts the candidates by their new neighbours; t of them may have spare + t new
    neighbours together; most[w] is how many edges w inputs can absorb.
    """
    largest, t, total = 0, 0, 0
    for fresh in range(tally.size):
        for _ in range(tally[fresh]):
            t += 1
            total += fresh
            width = spare + t
            if t >= least and fresh <= width and total <= min(most[width], t * width):
                largest = t
    return largest


@numba.njit(cache=True)
def _absorb(
    pool: Int64Array, neighbours: UInt64Array, union: UInt64Array, most: Int64Array
) -> None:
    """Set most[w] to the edges of the w new inputs with the most edges to `pool`."""
    edges = np.zeros(128, dtype=np.int64)
    for output in pool:
        for half in range(2):
            rest = neighbours[output, half] & ~union[half]
            while rest:
                lowest = rest & (~rest + np.uint64(1))
                edges[64 * half + _ones(lowest - np.uint64(1))] += 1
                rest ^= lowest
    tally = np.zeros(DEGREE + 1, dtype=np.int64)
    for own in edges:
        tally[own] += 1
    most[0] = 0
    width, total = 0, 0
    for count in range(DEGREE, 0, -1):
        for _ in range(tally[count]):
            width += 1
            total += count
            most[width] = total
    most[width + 1 :] = total


@numba.njit(cache=True)
def _narrow(
    pool: Int64Array,
    neighbours: UInt64Array,
    union: UInt64Array,
    spare: int,
    least: int,
    scratch: Int64Array,
) -> int:
    """Keep the candidates that may still join, those with most new neighbours first; count them."""
    at_most, most, fresh, tally, order = scratch
    count = pool.size
    tally[:] = 0
    highest = 0
    for a in range(count):
        word0 = neighbours[pool[a], 0] & ~union[0]
        word1 = neighbours[pool[a], 1] & ~union[1]
        fresh[a] = _ones(word0) + _ones(word1)
        tally[fresh[a]] += 1
        highest = max(highest, fresh[a])
    tally = tally[: highest + 1]
    while True:
        # The cheap bound first: it alone ends most nodes.
        if _largest(tally, spare, least, at_most) == 0:
            return 0
        _absorb(pool[:count], neighbours, union, most)
        largest = _largest(tally, spare, least, most)
        if largest == 0:
            return 0
        kept = 0
        for a in range(count):
            if fresh[a] <= spare + largest:
                pool[kept], fresh[kept] = pool[a], fresh[a]
                kept += 1
            else:
                tally[fresh[a]] -= 1
        if kept == count:
            break
        count = kept
    # Dear ones first: with them in, little can join; without them, few candidates are left.
    place = 0
    for value in range(highest, -1, -1):
        if tally[value] > 0:
            for a in range(count):
                if fresh[a] == value:
                    order[place] = pool[a]
                    place += 1
    pool[:count] = order[:count]
    return count


@numba.njit(cache=True)
def _search(neighbours: UInt64Array, r: int, least: int, chosen: Int64Array) -> tuple[int, int]:
    """Do what `hall_violation` says; return the size of the set in `chosen` (or 0), and nodes."""
    s = neighbours.shape[0]
    pools = np.empty((s + 1, s), dtype=np.int64)
    pools[0] = np.arange(s)
    counts = np.full(s + 1, s, dtype=np.int64)
    nexts = np.zeros(s + 1, dtype=np.int64)
    unions = np.zeros((s + 1, 2), dtype=np.uint64)
    scratch = np.zeros((5, 129), dtype=np.int64)
    scratch[0] = DEGREE * np.arange(129)
    depth, nodes, entered = 0, 0, False
    while depth >= 0:
        if not entered:
            nodes += 1
            spare = r - s - 1 + depth - _ones(unions[depth, 0]) - _ones(unions[depth, 1])
            if depth >= least and spare >= 0:
                return depth, nodes
            pool = pools[depth, : counts[depth]]
            counts[depth] = _narrow(
                pool, neighbours, unions[depth], spare, max(1, least - depth), scratch
            )
            nexts[depth] = 0
            entered = True
        if counts[depth] - nexts[depth] < max(1, least - depth):
            depth -= 1
            continue
        output = pools[depth, nexts[depth]]
        nexts[depth] += 1
        chosen[depth] = output
        unions[depth + 1] = unions[depth] | neighbours[output]
        counts[depth + 1] = counts[depth] - nexts[depth]
        pools[depth + 1, : counts[depth + 1]] = pools[depth, nexts[depth] : counts[depth]]
        depth += 1
        entered = False
    return 0, nodes


def main(arguments: list[str]) -> int:
    """Verify the table's lines for the r given (none: all); print the outcome and the time.

    Returns
    -------
    int
        0, 1 if a proof fails, 2 if an r has no line.
    """
    rows = table_rows()
    known = {str(r): r for r in sorted(rows)}
    for word in arguments:
        if word not in known:
            print(f"error: r: is {word}; allowed are {min(rows)} … {max(rows)}", file=sys.stderr)
            return 2
    begin = time.perf_counter()
    for word in arguments or known:
        since = time.perf_counter()
        r = known[word]
        try:
            nodes = verify_row(r, rows[r])
        except ValueError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        slack = max(rows[r].shortfalls)
        print(
            f"r = {r}: {len(rows[r].shortfalls)} stages, any s - {slack} inputs at least; "
            f"{nodes} nodes, {time.perf_counter() - since:.2f} s",
            flush=True,
        )
    print(f"verified in {time.perf_counter() - begin:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
