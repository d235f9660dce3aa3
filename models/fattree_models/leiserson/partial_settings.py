"""Off-line settings of partial concentrators: what a schedule may send, and how it gets through.

Up to its guarantee a port loses nothing if someone who knows all the messages of a delivery cycle
sets it (Leiserson 1985, Section IV).  `effective_capacity` is what a schedule may then put on the
channels, `decisions` the edges to take, from a maximum matching at each stage of each port.

The tree.  n = 2^h leaves; cap[k] wires each way in a channel of level k; node i of level k has the
heap index 2^k + i and the channel above it the same.  With c = cap[k], c' = cap[k + 1] the ports of
a level-k node are, with their inputs in order:

    U_o (2c' inputs, c outputs)       wires of L_i, then of R_i
    L_o (c' + c inputs, c' outputs)   wires of R_i, then of U_i
    R_o (c' + c inputs, c' outputs)   wires of L_i, then of U_i
"""

import numba
import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int32Array, Int64Array, UInt8Array
from fattree_models.leiserson.capacity import check_capacity, processors_of
from fattree_models.leiserson.partial import DEGREE, adjacency, guarantee_port
from fattree_models.leiserson.serial_tree import (
    FIRST_FREE,
    IDLE,
    SerialTree,
    check_destinations,
    refuse_destination,
    source_processor,
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
        If `cap` is not a capacity vector or the table ends before a port's stages.

    Notes
    -----
    Leiserson takes floor(alpha x wires).  Channel k up is fed by U_o of its level-k node (level h:
    by its processor), down by L_o or R_o of a level-(k - 1) node (level 0: from outside).  A
    port's load is its channel's load, so no port then gets more than its guarantee.

    Examples
    --------
    Theorem 1 on these capacities schedules for the tree of w = 64 on 64 processors:

    >>> effective_capacity([64, 32, 16, 8, 4, 2, 1]).tolist()
    [64, 30, 16, 8, 4, 2, 1]
    """
    tree = _tree(cap)
    effective = np.array(tree.cap, dtype=np.int64)
    for k in range(tree.h):
        effective[k] = min(effective[k], guarantee_port(*tree.shape_up[k]))
        effective[k + 1] = min(effective[k + 1], guarantee_port(*tree.shape_down[k]))
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
        If `cap` is not a capacity vector, `dst` has the wrong shape or is not for destinations of
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
    tree = _tree(cap)
    wants = check_destinations(tree, dst)
    wrong = (wants < IDLE) | (wants > tree.n) | (wants == source_processor(tree))
    if wrong.any():
        first_wrong = int(wrong.argmax())
        refuse_destination(tree, first_wrong % tree.sources, int(wants.flat[first_wrong]))
    plan = [stage for shape in (*tree.shape_up, *tree.shape_down) for stage in tree.plan(*shape)]
    graphs = np.full((len(plan), max((r for r, _ in plan), default=1), DEGREE), -1, dtype=np.int32)
    for number, (r, s) in enumerate(plan):
        graph = adjacency(r, s)
        graphs[number, :r, : graph.shape[1]] = graph
    sizes = np.array(plan, dtype=np.int64).reshape(-1, 2)
    first = np.cumsum((0, *tree.stages_up, *tree.stages_down))
    decided = np.full((*wants.shape, tree.stages_most), FIRST_FREE, dtype=np.uint8)
    if tree.stages_most:
        _decide(np.array(tree.cap), wants, first, graphs, sizes, decided)
    return decided


def _tree(cap: npt.ArrayLike) -> SerialTree:
    """Return the tree of partial concentrators that has these capacities."""
    return SerialTree(tuple(check_capacity(processors_of(cap), cap).tolist()), "PARTIAL")


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

    first[k] is the first stage of U_o of level k in `graphs` and `sizes`, first[h + k] of L_o
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
