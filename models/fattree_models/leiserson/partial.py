"""Partial concentrators: frozen bipartite graphs and their exact guarantees.

An output port with more inputs than outputs is a cascade of bipartite graphs of input degree at
most 6 and output degree at most 9, after Pippenger as Section IV of Leiserson, "Fat-trees:
universal networks for hardware-efficient supercomputing" ("the paper") uses him: in an (r, s,
alpha) partial concentrator any k <= alpha s inputs can be matched.  The paper takes s = 2r/3, alpha
= 3/4 and r large; ours are found by seeded search and verified exactly for every stage that a port
of up to 96 inputs can need (`fattree_models.leiserson.partial_proof`).

A graph is six permutations of the inputs, i → (m_e i + b_e) mod r, end to end: 6r stubs, dealt to
the s outputs in turn.  So every output gets floor or ceil(6r/s) of them, and twelve numbers for
each r say all graphs of r inputs, in a form that a Verilog constant function can evaluate.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from fattree_models.common.checks import Int32Array, Int64Array, check_integer

DEGREE = 6
"""Edges of an input, but for the complete graphs."""

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

    Examples
    --------
    >>> stages(64, 32)
    ((64, 43), (43, 32))
    >>> stages(8, 5), stages(8, 8)
    (((8, 5),), ())
    """
    r, s = check_integer("r", r, 1), check_integer("s", s, 1)
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
    Edge e of input i of a complete graph leads to (i + e) mod s, of any other graph to (e r +
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


def deal(r: int, s: int, row: Row) -> Int64Array:
    """Return the graph that a line of the table makes: stubs dealt to the outputs in turn.

    Parameters
    ----------
    r, s : int
        Inputs and outputs.
    row : Row
        The line; of r inputs, but not necessarily the frozen table's.

    Returns
    -------
    int64 array [r, 6]
        Output of each edge of each input, as `adjacency` has it.

    Examples
    --------
    >>> deal(8, 7, table_rows()[8])[0].tolist()
    [5, 2, 3, 6, 0, 1]
    """
    r, s = check_integer("r", r, 1), check_integer("s", s, 1)
    permuted = (np.arange(r)[:, None] * np.array(row.multipliers) + np.array(row.shifts)) % r
    output: Int64Array = (permuted + r * np.arange(DEGREE)) % s
    return output


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
    r = check_integer("r", r, 1)
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
    r, s = check_integer("r", r), check_integer("s", s)
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
        graph = deal(r, s, table_rows()[r])
    edges: Int32Array = graph.astype(np.int32)
    edges.flags.writeable = False
    return edges


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
    """Read the lines of a table; `verify_row` says whether what they claim is true.

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
