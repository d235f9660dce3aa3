"""Partial concentrators: frozen bipartite graphs, their exact guarantees, off-line settings.

An output port with more inputs than outputs is a cascade of bipartite graphs of input degree at
most 6 and output degree at most 9, after Pippenger as Section IV of Leiserson, "Fat-trees:
universal networks for hardware-efficient supercomputing" ("the paper") uses him: in an (r, s,
alpha) partial concentrator any k <= alpha s inputs can be matched.  The paper takes s = 2r/3, alpha
= 3/4 and r large; ours are found by seeded search and verified exactly for every stage that a port
of up to 96 inputs can need (`python -m models.leiserson.partial`).

A graph is six permutations of the inputs, i → (m_e i + b_e) mod r, end to end: 6r stubs, dealt to
the s outputs in turn.  So every output gets floor or ceil(6r/s) of them, and twelve numbers for
each r say all graphs of r inputs, in a form that a Verilog constant function can evaluate.

The tree.  n = 2^h leaves; cap[k] wires each way in a channel of level k; node i of level k has the
heap index 2^k + i and the channel above it the same.  With c = cap[k], c' = cap[k + 1] the ports of
a level-k node are, with their inputs in order:

    U_o (2c' inputs, c outputs)       wires of L_i, then of R_i
    L_o (c' + c inputs, c' outputs)   wires of R_i, then of U_i
    R_o (c' + c inputs, c' outputs)   wires of L_i, then of U_i
"""

import sys
import time
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from models.checks import MAX_LEVELS, Int32Array, Int64Array, check_integers, check_range

UInt8Array = npt.NDArray[np.uint8]
UInt64Array = npt.NDArray[np.uint64]

DEGREE = 6
FREE = 7

# One line for each r: r, the six pairs m_e b_e, and after the colon s minus the guarantee of stage
# (r, s), one digit for each s from the least one that a cascade asks for up to r - 1.
TABLE = """
8 1 5  1 1  1 1  1 3  1 3  1 3 : 0
9 7 1  7 1  7 3  7 3  7 3  7 3 : 00
10 1 2  1 2  1 2  1 5  1 5  1 5 : 000
11 8 4  8 4  8 4  8 4  8 4  8 4 : 000
12 11 1  11 1  11 6  11 6  11 11  11 11 : 0000
13 1 4  1 12  1 3  1 7  1 11  1 6 : 0000
14 13 3  13 7  13 7  13 7  13 8  13 8 : 0000
15 7 4  7 4  7 12  7 12  7 5  7 5 : 00000
16 3 0  3 2  3 3  3 5  3 5  3 5 : 00000
17 6 6  6 9  6 9  6 9  6 9  6 15 : 00000
18 11 0  11 5  11 7  11 7  11 9  11 2 : 000000
19 12 3  12 3  12 15  12 8  12 1  12 1 : 000000
20 7 13  7 19  7 0  7 2  7 6  7 6 : 000000
21 16 4  16 4  16 8  16 20  16 3  16 3 : 0000000
22 1 2  1 4  1 8  1 19  1 3  1 3 : 0000000
23 12 17  12 17  12 20  12 3  12 3  12 6 : 1000000
24 7 13  7 13  7 17  7 20  7 0  7 15 : 00000000
25 19 2  19 7  19 7  19 13  19 21  19 6 : 10000000
26 11 0  11 4  11 4  11 7  11 8  11 13 : 10000000
27 22 3  22 3  22 19  22 19  22 23  22 2 : 110000000
28 5 13  5 15  5 21  5 2  5 2  5 10 : 110000000
29 14 8  14 20  14 7  14 7  14 10  14 11 : 111000000
30 23 19  23 23  23 27  23 12  23 26  23 27 : 1111000000
31 24 30  24 30  24 5  24 8  24 20  24 3 : 1111000000
32 15 10  15 29  15 29  15 3  15 24  15 28 : 2111000000
33 19 2  19 3  19 19  19 31  19 6  19 18 : 11111000000
34 13 33  13 6  13 28  13 29  13 5  13 6 : 21111100000
35 23 32  23 17  23 29  1 15  23 3  23 6 : 22111100000
36 35 15  35 25  17 8  35 29  17 12  17 22 : 112121000000
37 10 25  10 31  32 20  10 28  10 35  10 9 : 222111100000
38 33 36  13 31  13 37  13 18  13 5  13 18 : 222211100000
39 22 3  22 21  22 35  22 20  11 3  22 31 : 2222211100000
40 39 30  39 9  19 13  39 36  39 8  39 31 : 2221111000000
41 31 25  36 33  36 37  36 3  36 37  36 6 : 2222111100000
42 41 12  41 23  41 25  41 32  41 2  41 8 : 22221111000000
43 24 5  24 29  24 2  24 22  24 34  37 4 : 32222111110000
44 27 13  27 27  25 16  25 18  27 25  25 18 : 23222211110000
45 7 2  22 44  7 30  22 21  22 25  7 13 : 242322211100000
46 37 31  37 41  37 24  37 36  37 44  37 44 : 223321111100000
47 17 37  17 43  17 14  36 26  36 36  17 16 : 333222221110000
48 1 9  43 40  19 44  25 47  1 3  19 30 : 3432222211110000
49 47 33  47 33  8 29  33 7  47 11  47 14 : 3333233211110000
50 9 2  31 3  31 7  9 6  31 19  31 35 : 3323222211110000
51 25 15  25 43  25 16  25 36  25 48  1 23 : 43333222211110000
52 9 46  35 28  33 19  9 17  35 46  9 29 : 44333222211110000
53 50 36  10 32  50 49  50 10  50 30  10 44 : 43343332211110000
54 23 11  23 42  23 0  23 23  17 1  23 4 : 433352222211100000
55 52 14  52 19  31 15  52 31  9 21  52 20 : 344433332221110000
56 3 55  3 18  17 50  3 33  3 4  3 37 : 533342232211100000
57 37 44  37 49  10 1  10 18  10 21  10 31 : 4444343322211110000
58 39 11  39 17  11 29  39 35  11 10  11 18 : 5443343232211110000
59 13 13  13 20  41 33  41 55  13 38  7 27 : 4444433322221111000
60 41 11  41 13  41 27  29 0  29 8  29 26 : 35444433322211100000
61 39 30  39 32  13 26  13 41  39 47  8 34 : 55444443332221110000
62 59 18  57 9  59 36  59 54  59 54  57 9 : 55343434242211110000
63 22 2  40 21  31 43  40 18  40 33  22 32 : 455444343232121110000
64 25 3  25 7  25 12  17 44  17 9  9 34 : 454454433222221110000
65 32 28  32 33  32 52  32 2  32 2  12 9 : 554544334322211100000
66 31 19  31 31  31 54  31 59  31 8  31 46 : 4454433342222211100000
67 54 11  28 61  28 9  54 1  18 34  54 31 : 5555444344332222110000
68 25 57  25 2  25 22  61 55  57 55  25 44 : 5554444343322221110000
69 5 14  5 26  10 22  10 38  56 40  10 57 : 56655454443322222110000
70 11 62  51 35  51 35  11 36  1 10  1 22 : 56645544433222222110000
71 20 48  10 18  10 28  40 7  40 47  40 6 : 55555544433333221110000
72 65 57  11 42  11 62  17 47  65 31  11 36 : 565554545534222211100000
73 2 24  10 65  50 53  50 68  16 9  50 15 : 666564545443322222110000
74 3 36  3 38  3 52  39 17  53 57  39 29 : 665555554443332221110000
75 2 10  59 73  2 20  17 53  52 61  17 9 : 6666754544343322221110000
76 67 7  13 2  53 7  15 17  29 12  29 32 : 6665555554443332211110000
77 32 18  32 30  32 33  61 57  32 54  32 63 : 6665555454343342222110000
78 43 53  1 74  1 14  43 73  43 43  1 76 : 66565655564533232211110000
79 4 6  18 10  21 28  18 27  4 43  39 45 : 67766655554444333222111000
80 59 43  19 40  79 40  39 41  39 62  39 6 : 56665575444343222211100000
81 26 50  59 50  20 63  11 57  8 76  8 31 : 677666665444443332221110000
82 19 74  19 1  19 28  71 56  71 13  9 51 : 777776665544444332221110000
83 12 59  43 82  12 75  12 81  43 36  13 39 : 777666555554443333221111000
84 73 70  73 5  19 41  61 44  19 57  19 6 : 7767667556454443322221100000
85 44 71  84 16  44 81  84 19  44 34  84 70 : 7668666565674443332211110000
86 79 58  57 61  57 75  25 59  79 32  79 50 : 7967775655554433332222110000
87 28 33  71 70  83 4  13 64  86 41  25 71 : 88766666655654443323221111000
88 27 51  35 62  27 2  35 37  7 17  71 12 : 77787766656554444322221110000
89 36 34  36 63  44 0  58 46  7 32  7 46 : 78887666656554433332222110000
90 89 27  29 75  59 52  59 76  59 43  89 23 : 677768785865454333332211100000
91 37 66  37 71  25 41  11 57  25 89  51 4 : 777888766666555443333222110000
92 59 75  47 6  47 14  13 43  71 1  3 72 : 887877777655554444323222110000
93 13 53  13 16  13 48  79 3  79 20  61 56 : 9887877777665554443333221110000
94 71 54  43 44  43 59  21 23  43 89  71 62 : 8998877767655544443332221110000
95 1 56  66 8  66 37  81 44  1 77  81 92 : 8888877766666544433422221110000
96 47 33  11 70  11 29  47 35  43 44  83 36 : 98887987666765545433332221100000
"""


class Row(NamedTuple):
    """What the table holds for the stages of r inputs."""

    multipliers: tuple[int, ...]
    shifts: tuple[int, ...]
    shortfalls: tuple[int, ...]


def stages(r: int, s: int) -> tuple[tuple[int, int], ...]:
    """Return the cascade of an output port.

    Parameters
    ----------
    r, s : int
        Inputs and outputs, at least 1.

    Returns
    -------
    tuple of (int, int)
        Inputs and outputs of the stages in order; () if s >= r, where input i is output i.

    Raises
    ------
    ValueError
        If `r` or `s` is less than 1.

    Examples
    --------
    >>> stages(64, 32)
    ((64, 43), (43, 32))
    >>> stages(8, 5), stages(8, 8)
    (((8, 5),), ())
    """
    if r < 1 or s < 1:
        raise ValueError(f"port: is ({r}, {s}); allowed are at least 1 input and 1 output")
    plan = []
    while r > s:
        out = s if _is_complete(r, s) else max(s, _least_outputs(r))
        plan.append((r, out))
        r = out
    return tuple(plan)


def adjacency(r: int, s: int) -> Int32Array:
    """Return the graph of a stage: the output that each edge of each input leads to.

    Parameters
    ----------
    r, s : int
        A stage that a cascade asks for, r <= 96.

    Returns
    -------
    int32 array [r, degree]
        Read-only.  degree = s for the complete graphs (r <= 9, s <= 6), 6 for all others.

    Raises
    ------
    ValueError
        If no cascade has such a stage or the table ends before `r`.

    Notes
    -----
    Edge e of input i of a complete graph leads to (i + e) mod s, that of any other graph to (e r +
    (m_e i + b_e) mod r) mod s, with m and b from the table's line for r.  Two edges of an input may
    lead to the same output; the search kept them few (none for most r up to 24).

    Examples
    --------
    >>> adjacency(4, 3).tolist()
    [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]
    >>> adjacency(96, 64).shape
    (96, 6)
    """
    return _graph(*_check_stage(r, s))


def guarantee(r: int, s: int) -> int:
    """Return the largest k such that any k inputs of a stage can be matched (exact).

    Parameters
    ----------
    r, s : int
        A stage that a cascade asks for, r <= 96.

    Returns
    -------
    int
        s for the complete graphs; at least floor(3s/4) for all.

    Raises
    ------
    ValueError
        If no cascade has such a stage or the table ends before `r`.

    Examples
    --------
    >>> guarantee(9, 6), guarantee(96, 64) >= 48
    (6, True)
    """
    r, s = _check_stage(r, s)
    if _is_complete(r, s):
        return s
    return s - table_rows()[r].shortfalls[s - first_outputs(r)]


def guarantee_port(r: int, s: int) -> int:
    """Return how many messages a port takes off-line without loss, wherever they come in.

    Parameters
    ----------
    r, s : int
        Inputs and outputs of the port, at least 1.

    Returns
    -------
    int
        The least guarantee of the cascade's stages; r if there are none.

    Raises
    ------
    ValueError
        If `r` or `s` is less than 1, or the table ends before a stage.

    Examples
    --------
    >>> guarantee_port(12, 6), guarantee_port(4, 8)
    (6, 4)
    """
    return min((guarantee(*stage) for stage in stages(r, s)), default=r)


def first_outputs(r: int) -> int:
    """Return the least s for which stage (r, s) comes from the table.

    Examples
    --------
    >>> first_outputs(8), first_outputs(48)
    (7, 32)
    """
    s = _least_outputs(r)
    return s + 1 if _is_complete(r, s) else s


def _least_outputs(r: int) -> int:
    """Return ceil(2r/3), the least outputs of a stage that is not complete."""
    return -(-2 * r // 3)


def _is_complete(r: int, s: int) -> bool:
    """Tell whether degrees 6 and 9 allow every input an edge to every output."""
    return r <= 9 and s <= DEGREE


def _check_stage(r: int, s: int) -> tuple[int, int]:
    """Return the stage as ints if there is a graph for it."""
    r, s = int(r), int(s)
    if not (1 <= s < r and (_is_complete(r, s) or s >= _least_outputs(r))):
        raise ValueError(
            f"stage: is ({r}, {s}); allowed are ceil(2r/3) <= s < r, or r <= 9 with s <= 6"
        )
    if not _is_complete(r, s) and r not in table_rows():
        raise ValueError(
            f"stage: is ({r}, {s}); allowed are at most {max(table_rows())} inputs, the table's end"
        )
    return r, s


@cache
def _graph(r: int, s: int) -> Int32Array:
    """Make the graph of a stage that has one."""
    if _is_complete(r, s):
        graph = (np.arange(r)[:, None] + np.arange(s)) % s
    else:
        row = table_rows()[r]
        graph = _dealt(r, s, row.multipliers, row.shifts)
    edges: Int32Array = graph.astype(np.int32)
    edges.flags.writeable = False
    return edges


def _dealt(r: int, s: int, multipliers: tuple[int, ...], shifts: tuple[int, ...]) -> Int64Array:
    """Deal the stubs of six permutations to the outputs in turn, int64 [r, 6]."""
    permuted = (np.arange(r)[:, None] * np.array(multipliers) + np.array(shifts)) % r
    output: Int64Array = (permuted + r * np.arange(DEGREE)) % s
    return output


@cache
def table_rows() -> dict[int, Row]:
    """Return the frozen table by r.

    Examples
    --------
    >>> min(table_rows()), table_rows()[8].shortfalls
    (8, (0,))
    """
    return parse_table(TABLE)


def parse_table(text: str) -> dict[int, Row]:
    """Read the lines of a table; `verify` says whether what they claim is true.

    Raises
    ------
    ValueError
        If a line has no six pairs or not one digit for each s.
    """
    rows = {}
    for line in text.strip().splitlines():
        graph, _, digits = line.partition(":")
        r, *pairs = (int(word) for word in graph.split())
        shortfalls = tuple(int(digit) for digit in digits.strip())
        if len(pairs) != 2 * DEGREE or len(shortfalls) != r - first_outputs(r):
            raise ValueError(
                f"table: has {len(pairs)} numbers and {len(shortfalls)} digits for r = {r}; "
                f"allowed are {2 * DEGREE} and {r - first_outputs(r)}"
            )
        rows[r] = Row(tuple(pairs[0::2]), tuple(pairs[1::2]), shortfalls)
    return rows


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
        graph = _dealt(r, s, row.multipliers, row.shifts)
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


def stage_counts(cap: npt.ArrayLike) -> tuple[Int64Array, Int64Array]:
    """Return the stages of the ports of each level's nodes.

    Parameters
    ----------
    cap : int array [h + 1]
        Wires each way of a channel, by level.

    Returns
    -------
    (up, down) : int64 arrays [h]
        Stages of U_o, and of L_o and R_o alike, of a node of each level.

    Raises
    ------
    ValueError
        If `cap` is no capacity vector.

    Examples
    --------
    >>> stage_counts([64, 32, 16])
    (array([0, 0]), array([3, 3]))
    """
    up, down = _ports(_check_cap(cap))
    return (
        np.array([len(stages(*port)) for port in up], dtype=np.int64),
        np.array([len(stages(*port)) for port in down], dtype=np.int64),
    )


def effective_capacity(cap: npt.ArrayLike) -> Int64Array:
    """Return the capacities with which an off-line schedule loses nothing.

    Parameters
    ----------
    cap : int array [h + 1]
        Wires each way of a channel, by level.

    Returns
    -------
    int64 array [h + 1]
        For each level the least guarantee of the ports that feed a channel of it, at most cap.

    Raises
    ------
    ValueError
        If `cap` is no capacity vector or the table ends before a port's stages.

    Notes
    -----
    Leiserson takes floor(alpha x wires).  Channel k up is fed by U_o of its level-k node (level h:
    by its processor), down by L_o or R_o of a level-(k - 1) node (level 0: from outside).  A
    port's load is that of the channel it feeds, so no port then gets more than its guarantee.

    Examples
    --------
    Theorem 1 on these capacities schedules for the tree of w = 64 on 64 processors:

    >>> effective_capacity([64, 32, 16, 8, 4, 2, 1]).tolist()
    [64, 30, 16, 8, 4, 2, 1]
    """
    wires = _check_cap(cap)
    up, down = _ports(wires)
    effective = wires.copy()
    for level, port in enumerate(up):
        effective[level] = min(effective[level], guarantee_port(*port))
    for level, port in enumerate(down, 1):
        effective[level] = min(effective[level], guarantee_port(*port))
    return effective


def decisions(cap: npt.ArrayLike, dst: npt.ArrayLike) -> UInt8Array:
    """Return the decisions of all messages, port by port and stage by stage matched off-line.

    Parameters
    ----------
    cap : int array [h + 1]
        Wires each way of a channel, by level; P = cap[h], n = 2^h.
    dst : int array [C, S]
        Row c: what the S = n P + cap[0] sources send in delivery cycle c: processor 0 ... n - 1, n
        (out of the machine) or -1 (nothing).  Source q < n P is wire q mod P of processor q // P,
        source n P + e is wire e of the external channel.

    Returns
    -------
    uint8 array [C, S, E]
        The edges to take, those of all stages along the path in order; E is the most stages on any
        path of the tree.  7 behind the last stage, from the stage on where a message is not
        matched, and for nothing sent.

    Raises
    ------
    ValueError
        If `cap` is no capacity vector, `dst` has the wrong shape or holds what is no destination of
        its source, or the table ends before a port's stages.

    Notes
    -----
    At each stage a maximum matching of those messages that are still there, so none is lost while
    no port's load is above its `guarantee_port`.  A message that is not matched is left out from
    there on; hardware that tries it all the same lets it take a free edge (7), and as it may come
    before others whose edge it is, it can cost one of them its place.  Some microseconds a
    message.

    Examples
    --------
    Both wires of processor 0 send to 1, through the one stage (3, 2) of the root's R_o:

    >>> decisions([1, 2], [[1, 1, -1, -1, -1]]).tolist()
    [[[0], [0], [7], [7], [7]]]
    """
    wires = _check_cap(cap)
    h = wires.size - 1
    array = _check_dst(wires, dst)
    up, down = _ports(wires)
    plan = [stage for port in (*up, *down) for stage in stages(*port)]
    graphs = np.full((len(plan), max((r for r, _ in plan), default=1), DEGREE), -1, dtype=np.int32)
    for number, (r, s) in enumerate(plan):
        graph = adjacency(r, s)
        graphs[number, :r, : graph.shape[1]] = graph
    sizes = np.array(plan, dtype=np.int64).reshape(-1, 2)
    ups, downs = stage_counts(wires)
    first = np.concatenate(([0], np.cumsum(np.concatenate((ups, downs)))))
    through = [int(ups[k + 1 :].sum() + downs[k:].sum()) for k in range(h)]
    longest = max(int(ups.sum()), *through)
    decided = np.full((*array.shape, longest), FREE, dtype=np.uint8)
    if longest:
        _decide(wires, array, first, graphs, sizes, decided)
    return decided


def _ports(cap: Int64Array) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return inputs and outputs of U_o and of L_o (and R_o) of a node of each level."""
    wires = [int(count) for count in cap]
    pairs = list(pairwise(wires))
    return [(2 * below, own) for own, below in pairs], [
        (below + own, below) for own, below in pairs
    ]


def _check_cap(cap: npt.ArrayLike) -> Int64Array:
    """Return the capacities as int64 if they are those of a tree."""
    wires = check_integers("cap", cap)
    if wires.ndim != 1 or not 2 <= wires.size <= MAX_LEVELS + 1:
        raise ValueError(
            f"cap: has shape {wires.shape}; allowed is [h + 1] with h = 1 … {MAX_LEVELS}"
        )
    if wires.min() < 1:
        raise ValueError(f"cap: holds {wires.min()}; allowed are at least 1")
    return wires.astype(np.int64)


def _check_dst(cap: Int64Array, dst: npt.ArrayLike) -> Int32Array:
    """Return the destinations as contiguous int32 if each source may send where it says."""
    array = check_integers("dst", dst)
    n, wires = 1 << (cap.size - 1), int(cap[-1])
    ports = n * wires + int(cap[0])
    if array.ndim != 2 or array.shape[1] != ports:
        raise ValueError(f"dst: has shape {array.shape}; allowed is [cycles, {ports}]")
    check_range("dst", array, -1, n)
    own = np.minimum(np.arange(ports) // wires, n)
    own[n * wires :] = n
    wrong = array == own
    if wrong.any():
        source = int(np.argwhere(wrong)[0, 1])
        raise ValueError(f"dst: source {source} sends to its own place {own[source]}")
    return np.ascontiguousarray(array, dtype=np.int32)


@numba.njit(cache=True)
def _match(
    graph: Int32Array, line: Int32Array, r: int, s: int, taken: Int64Array, edge: Int64Array
) -> None:
    """Match the inputs of a stage that carry messages: edge[i] the edge of input i, -1 = none.

    Kuhn's algorithm with a breadth-first search for each augmenting path: an input once matched
    stays matched, so an input that finds no path is in no larger matching either.
    """
    holder = np.full(s, -1, dtype=np.int64)
    reached = np.full(s, -1, dtype=np.int64)
    parent = np.empty(s, dtype=np.int64)
    by = np.empty(s, dtype=np.int64)
    queue = np.empty(r, dtype=np.int64)
    edge[:r] = -1
    for start in range(r):
        if line[start] < 0:
            continue
        queue[0] = start
        head, tail, free = 0, 1, -1
        while head < tail and free < 0:
            i = queue[head]
            head += 1
            for e in range(DEGREE):
                output = graph[i, e]
                if output < 0 or reached[output] == start:
                    continue
                reached[output], parent[output], by[output] = start, i, e
                if holder[output] < 0:
                    free = output
                    break
                queue[tail] = holder[output]
                tail += 1
        while free >= 0:
            i = parent[free]
            before = taken[i] if edge[i] >= 0 else -1
            holder[free], taken[i], edge[i] = i, free, by[free]
            free = before


@numba.njit(cache=True)
def _cascade(
    line: Int32Array,
    first: int,
    last: int,
    graphs: Int32Array,
    sizes: Int64Array,
    decided: UInt8Array,
    used: Int64Array,
) -> None:
    """Take the messages on a port's inputs, `line`, to its outputs, and note their decisions."""
    taken = np.empty(line.size, dtype=np.int64)
    edge = np.empty(line.size, dtype=np.int64)
    for number in range(first, last):
        r, s = sizes[number]
        _match(graphs[number], line, r, s, taken, edge)
        before = line[:r].copy()
        line[:r] = -1
        for i in range(r):
            if before[i] >= 0 and edge[i] >= 0:
                decided[before[i], used[before[i]]] = edge[i]
                used[before[i]] += 1
                line[taken[i]] = before[i]


@numba.njit(cache=True)
def _decide(
    cap: Int64Array,
    dst: Int32Array,
    first: Int64Array,
    graphs: Int32Array,
    sizes: Int64Array,
    decided: UInt8Array,
) -> None:
    """Walk all cycles through the tree, up from the leaves, then down, matching at each port.

    first[k] is the first stage of U_o of level k in `graphs` and `sizes`, first[h + k] that of L_o
    and R_o.
    """
    h = cap.size - 1
    n, widest = 1 << h, 2 * cap.max()
    start = np.zeros(h + 2, dtype=np.int64)
    for k in range(h + 1):
        start[k + 1] = start[k] + (cap[k] << k)
    leaf_wires = n * cap[h]
    for cycle in range(dst.shape[0]):
        goal = dst[cycle]
        used = np.zeros(goal.size, dtype=np.int64)
        up = np.full(start[h + 1], -1, dtype=np.int32)
        down = np.full(start[h + 1], -1, dtype=np.int32)
        for q in range(goal.size):
            if goal[q] >= 0 and q < leaf_wires:
                up[start[h] + q] = q
            elif goal[q] >= 0:
                down[q - leaf_wires] = q
        line = np.empty(widest, dtype=np.int32)
        for k in range(h - 1, -1, -1):
            below = cap[k + 1]
            for i in range(1 << k):
                line[:] = -1
                for w in range(2 * below):
                    q = up[start[k + 1] + 2 * i * below + w]
                    if q >= 0 and goal[q] >> (h - k) != i:
                        line[w] = q
                _cascade(line, first[k], first[k + 1], graphs, sizes, decided[cycle], used)
                wire = start[k] + i * cap[k]
                up[wire : wire + cap[k]] = line[: cap[k]]
        for k in range(h):
            below = cap[k + 1]
            for child in range(2 << k):
                line[:] = -1
                for w in range(below + cap[k]):
                    if w < below:
                        q = up[start[k + 1] + (child ^ 1) * below + w]
                    else:
                        q = down[start[k] + (child >> 1) * cap[k] + w - below]
                    if q >= 0 and goal[q] >> (h - k - 1) == child:
                        line[w] = q
                _cascade(line, first[h + k], first[h + k + 1], graphs, sizes, decided[cycle], used)
                wire = start[k + 1] + child * below
                down[wire : wire + below] = line[:below]


def main(arguments: list[str]) -> int:
    """Verify the table's lines for the r given (none: all); print the outcome and the time."""
    rows = table_rows()
    begin = time.perf_counter()
    for word in arguments or [str(r) for r in sorted(rows)]:
        since = time.perf_counter()
        try:
            r = int(word)
            if r not in rows:
                raise ValueError(f"r: is {r}; allowed are {min(rows)} … {max(rows)}")
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
