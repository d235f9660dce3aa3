"""What one delivery cycle of the bit-serial fat-tree delivers, where and when it loses the rest.

The hardware is a matter of ticks; the outcome is not, because the ticks at which messages reach a
port are known beforehand.  All sources put M on their wires in tick 1, and all the ports of a level
and direction delay alike.  So the messages at an up port arrive together.  Those at a down port of
level k arrive in groups, one for each level p <= k at which they turned, the lowest ancestor first,
and one for traffic from outside, somewhere among them.  One pass up the tree and one down, port by
port, with the requests of a port sorted by tick, is the whole simulation (ours; the rules of the
ports are those of Leiserson 1985, Sections II and IV, made precise by this project).
"""

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, check_integers
from fattree_models.leiserson.partial import adjacency
from fattree_models.leiserson.serial_tree import (
    FIRST_FREE,
    IDLE,
    SerialTree,
    UInt8Array,
    check_destinations,
    check_edges,
    refuse_destination,
)


@dataclass(frozen=True)
class CycleOutcome:
    """What became of the messages of C delivery cycles.

    Attributes
    ----------
    arrived : int32 array [C, S]
        By sink: the source whose message arrives on that wire, -1 = none.
    tick : int32 array [C, S]
        By sink: the tick of M, -1 = none.
    delivered : bool array [C, S]
        By source: its message arrives.
    ack_tick : int32 array [C, S]
        By source: the tick in which it sees its acknowledge, -1 = never.
    lost_at : int32 array [C, S]
        By source: +v lost at the up port towards channel v, -v at the down port towards channel v;
        0 = idle or delivered.
    lost_up, lost_down : int64 arrays [C, h + 1]
        Messages lost, by the level of that channel.
    used_up, used_down : int32 arrays [C, 2n]
        Wires in use at the end of the cycle, by heap index of the channel; entry 0 is 0, entry 1 is
        the external channel; up wires of a leaf: messages it sends, down: messages it receives.
    """

    arrived: Int32Array
    tick: Int32Array
    delivered: BoolArray
    ack_tick: Int32Array
    lost_at: Int32Array
    lost_up: Int64Array
    lost_down: Int64Array
    used_up: Int32Array
    used_down: Int32Array


def deliver(
    tree: SerialTree,
    dst: npt.ArrayLike,
    edges: npt.ArrayLike | None = None,
    first_cycle: npt.ArrayLike = 0,
) -> CycleOutcome:
    """Return the outcome of delivery cycles, each for itself.

    Parameters
    ----------
    dst : int array [C, S]
        Destination of the message of each source: a processor, n = out of the machine, -1 = none.
    edges : uint8 array [C, S, E], optional
        Decision of each successive stage on the way of a message, 0 ... 7; without it all are 7,
        the first free edge.
    first_cycle : int or int array [C]
        Number of the first cycle, counted from the last restart; an array holds the number of each.
        Only ROTATING priority depends on it.

    Notes
    -----
    O(wires + nodes passed) time a cycle, some 10 ns for each node that a message passes, with ideal
    concentrators.  A list that is not yet sorted by tick is gone through once a group.

    Examples
    --------
    Two processors want a third one, and the one on its own side of the root, whose message comes
    first, wins; the other is lost at the down port to channel 4:

    >>> outcome = deliver(SerialTree((1, 1, 1), data_bits=8), [[-1, 0, 0, -1, -1]])
    >>> outcome.arrived, outcome.tick[0, 0], outcome.ack_tick[0, 1]
    (array([[ 1, -1, -1, -1, -1]], dtype=int32), np.int32(3), np.int32(13))
    >>> outcome.lost_at
    array([[ 0,  0, -4,  0,  0]], dtype=int32)
    """
    wants = check_destinations(tree, dst)
    cycles, sources = wants.shape
    decision = check_edges(tree, edges, wants.shape)
    outcome = CycleOutcome(
        arrived=np.full((cycles, sources), IDLE, dtype=np.int32),
        tick=np.full((cycles, sources), -1, dtype=np.int32),
        delivered=np.zeros((cycles, sources), dtype=np.bool_),
        ack_tick=np.full((cycles, sources), -1, dtype=np.int32),
        lost_at=np.zeros((cycles, sources), dtype=np.int32),
        lost_up=np.zeros((cycles, tree.h + 1), dtype=np.int64),
        lost_down=np.zeros((cycles, tree.h + 1), dtype=np.int64),
        used_up=np.zeros((cycles, 2 * tree.n), dtype=np.int32),
        used_down=np.zeros((cycles, 2 * tree.n), dtype=np.int32),
    )
    numbers = _cycle_numbers(first_cycle, cycles)
    # Attributes are handed over in the order in which they are declared.
    results = (getattr(outcome, field.name) for field in fields(outcome))
    wrong = _deliver(*_machine(tree), wants, decision, numbers, *results)
    if wrong >= 0:
        refuse_destination(tree, int(wrong % sources), int(wants.flat[wrong]))
    return outcome


class _Machine(NamedTuple):
    """A tree as the compiled code wants it.

    Port kinds are numbered 2k (up) and 2k + 1 (down) by the level k of their node.  Stage i of kind
    p is row `first[p]` + i of `stage`: its outputs, the edges of an input, and where they begin in
    `graph`.
    """

    size: tuple[int, int, int, int]  # rotating, partial, pipeline, data_bits
    cap: Int64Array  # [h + 1]
    delay: Int64Array  # [2h]
    first: Int64Array  # [2h + 1]
    stage: Int64Array  # [stages, 3]
    graph: Int32Array


# Columns of the arrays that the compiled code works on.
_OUTPUTS, _DEGREE, _BASE = 0, 1, 2  # of `stage`: see _Machine
_TICK, _STAGE, _NODES, _LEAF = 0, 1, 2, 3  # of `state`, by source: tick of M on the wire it has
# reached, stages and nodes passed, heap index of the destination (2n: external)
_WIRE, _SOURCE = 0, 1  # of `request`: input wire of the port, message


@lru_cache(maxsize=64)
def _machine(tree: SerialTree) -> _Machine:
    """Return the tables of a tree."""
    first, stage, delay = [0], [], []
    graphs = [np.zeros(0, dtype=np.int32)]
    for k in range(tree.h):
        for shape in (tree.shape_up[k], tree.shape_down[k]):
            for r, s in tree.plan(*shape):
                graph = np.asarray(adjacency(r, s), dtype=np.int32)
                stage.append((s, graph.shape[1], sum(g.size for g in graphs)))
                graphs.append(graph.ravel())
            first.append(len(stage))
        delay += [tree.delay_up[k], tree.delay_down[k]]
    rotating, partial = int(tree.priority == "ROTATING"), int(tree.concentrator == "PARTIAL")
    return _Machine(
        size=(rotating, partial, tree.pipeline, tree.data_bits),
        cap=np.array(tree.cap, dtype=np.int64),
        delay=np.array(delay, dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        stage=np.array(stage, dtype=np.int64).reshape(-1, 3),
        graph=np.concatenate(graphs),
    )


def _cycle_numbers(first_cycle: npt.ArrayLike, cycles: int) -> Int64Array:
    """Return the number of each cycle."""
    first = check_integers("first_cycle", first_cycle)
    if first.shape not in ((), (cycles,)):
        raise ValueError(f"first_cycle: has shape {first.shape}; allowed are () and ({cycles},)")
    if first.size and int(first.min()) < 0:
        raise ValueError(f"first_cycle: holds {int(first.min())}; allowed are integers from 0")
    numbers = first.astype(np.int64)
    return numbers if numbers.ndim else np.arange(cycles, dtype=np.int64) + numbers


# The compiled code.  Channel i of level k has its wires, which hold sources or -1, from
# base[k] + i cap[k] on in `wires`: row 0 up, row 1 down.  `top[0 or 1, v]` is one more than the
# highest wire in use of channel v.  Plain arrays and few calls: calls that hand over tuples of
# arrays made it twenty times slower.


@njit(cache=True)
def _deliver(
    size: tuple[int, int, int, int],
    cap: Int64Array,
    delay: Int64Array,
    first: Int64Array,
    stage: Int64Array,
    graph: Int32Array,
    dst: Int32Array,
    edges: UInt8Array,
    numbers: Int64Array,
    arrived: Int32Array,
    tick: Int32Array,
    delivered: BoolArray,
    ack_tick: Int32Array,
    lost_at: Int32Array,
    lost_up: Int64Array,
    lost_down: Int64Array,
    used_up: Int32Array,
    used_down: Int32Array,
) -> int:
    """Fill the results; return the first wrong message, cycle S + source, or -1."""
    h = cap.size - 1
    cycles, sources = dst.shape
    base = np.zeros(h + 2, dtype=np.int64)
    for k in range(h + 1):
        base[k + 1] = base[k] + (cap[k] << k)
    wires = np.full((2, base[h + 1]), IDLE, dtype=np.int32)
    top = np.zeros((2, 2 << h), dtype=np.int64)
    state = np.zeros((sources, 4), dtype=np.int64)
    widest = 2 * cap.max()
    request = np.zeros((widest, 2), dtype=np.int64)
    spare = np.zeros((widest, 2), dtype=np.int64)
    taken = np.zeros((stage.shape[0], widest), dtype=np.bool_)
    for c in range(cycles):
        wrong = _load(cap, base, dst[c], wires, top, state, used_up[c], used_down[c])
        if wrong >= 0:
            return int(c * sources + wrong)
        for step in range(2 * h):
            going_up = step < h
            k = h - 1 - step if going_up else step - h
            kind = 2 * k if going_up else 2 * k + 1
            lost = _ports(
                going_up, k, size, cap, base, delay[kind], stage[first[kind] : first[kind + 1]],
                graph, edges[c], numbers[c], wires, top, state, request, spare, taken,
                lost_at[c], used_up[c] if going_up else used_down[c],
            )  # fmt: skip
            if going_up:
                lost_up[c, k] = lost
            else:
                lost_down[c, k + 1] = lost
        back = size[3] + 1
        for v in range(1 << h, (2 << h) + 1):
            # v = 2n stands for the external channel, whose wires out are up wires.
            external = v >> h == 2
            channel = 1 if external else v
            start = base[0] if external else base[h] + (v - (1 << h)) * cap[h]
            row = 0 if external else 1
            for w in range(top[row, channel]):
                q = wires[row, start + w]
                if q >= 0:
                    sink = (v - (1 << h)) * cap[h] + w
                    arrived[c, sink] = q
                    tick[c, sink] = state[q, _TICK]
                    delivered[c, q] = True
                    ack_tick[c, q] = state[q, _TICK] + back + size[2] * state[q, _NODES]
    return -1


@njit(cache=True)
def _load(
    cap: Int64Array,
    base: Int64Array,
    dst: Int32Array,
    wires: Int32Array,
    top: Int64Array,
    state: Int64Array,
    used_up: Int32Array,
    used_down: Int32Array,
) -> int:
    """Put the messages of one cycle on the wires of their sources; return a wrong one, or -1."""
    h = cap.size - 1
    n = 1 << h
    q = 0
    for i in range(n + 1):
        # i = n stands for the external channel, whose wires in are down wires.
        external = i == n
        channel = 1 if external else n + i
        start = base[0] if external else base[h] + i * cap[h]
        row = 1 if external else 0
        sent = 0
        top[row, channel] = 0
        for w in range(cap[0] if external else cap[h]):
            j = dst[q]
            if j < IDLE or j > n or j == i:
                return q
            if j == IDLE:
                wires[row, start + w] = IDLE
            else:
                wires[row, start + w] = q
                top[row, channel] = w + 1
                sent += 1
                state[q, _TICK] = 1
                state[q, _STAGE] = 0
                state[q, _NODES] = 0
                state[q, _LEAF] = n + j
            q += 1
        if external:
            used_down[1] = sent
        else:
            used_up[channel] = sent
    return -1


@njit(cache=True)
def _ports(
    going_up: bool,
    k: int,
    size: tuple[int, int, int, int],
    cap: Int64Array,
    base: Int64Array,
    delay: int,
    stage: Int64Array,
    graph: Int32Array,
    edges: UInt8Array,
    number: int,
    wires: Int32Array,
    top: Int64Array,
    state: Int64Array,
    request: Int64Array,
    spare: Int64Array,
    taken: BoolArray,
    lost_at: Int32Array,
    used: Int32Array,
) -> int:
    """Work off all the up ports, or all the down ports, of the nodes of level k; return losses."""
    rotating, partial = size[0], size[1]
    below, height = cap[k + 1], cap.size - 1 - k
    out, out_row = (cap[k], 0) if going_up else (below, 1)
    losses = 0
    for i in range((1 << k) if going_up else (2 << k)):
        v = (1 << k) + (i if going_up else i >> 1)
        child = (2 << k) + i
        # Inputs: two bundles of wires.  Who comes up goes on up if its destination is not below v,
        # else to v's other child; who comes down goes to the child that it is below.
        count, least, ascending = 0, 0, True
        for bundle in range(2):
            shift, key, row = height, v, 0
            if going_up:
                channel = 2 * v + bundle
            elif bundle == 0:
                channel = child ^ 1
            else:
                channel, shift, key, row = v, height - 1, child, 1
            start = base[k] + i // 2 * cap[k] if row else base[k + 1] + (channel - (2 << k)) * below
            for w in range(top[row, channel]):
                q = wires[row, start + w]
                if q >= 0 and (state[q, _LEAF] >> shift == key) != going_up:
                    request[count, _WIRE] = bundle * below + w
                    request[count, _SOURCE] = q
                    count += 1
                    ascending &= state[q, _TICK] >= least
                    least = state[q, _TICK]
        start = base[k] + i * cap[k] if going_up else base[k + 1] + i * below
        channel = v if going_up else child
        mark = channel if going_up else -channel
        if count and (rotating or not ascending):
            inputs = 2 * below if going_up else below + cap[k]
            _sort(request, spare, count, number % inputs if rotating else 0, state)
        if partial:
            won = _cascade(request, spare, count, stage, graph, edges, state, taken, lost_at, mark)
            for w in range(start, start + out):
                wires[out_row, w] = IDLE
        else:
            won = min(count, out)
            for m in range(won):
                request[m, _WIRE] = m
            for m in range(won, count):
                lost_at[request[m, _SOURCE]] = mark
        highest = 0
        for m in range(won):
            w, q = request[m, _WIRE], request[m, _SOURCE]
            wires[out_row, start + w] = q
            highest = max(highest, w + 1)
            state[q, _TICK] += delay
            state[q, _STAGE] += stage.shape[0]
            state[q, _NODES] += 1
        top[out_row, channel] = highest
        used[channel] = won
        losses += count - won
    return losses


@njit(cache=True)
def _sort(
    request: Int64Array, spare: Int64Array, count: int, first_input: int, state: Int64Array
) -> None:
    """Sort requests by tick, then by input from `first_input` on; before, they are by input."""
    start = 0
    while start < count and request[start, _WIRE] < first_input:
        start += 1
    for m in range(count):
        spare[m, _WIRE], spare[m, _SOURCE] = request[m, _WIRE], request[m, _SOURCE]
    done, last = 0, 0
    # One round a group of equal ticks: there are k + 2 at most at a port of level k.
    while done < count:
        least = state[spare[0, _SOURCE], _TICK]
        found = False
        for m in range(count):
            tick = state[spare[m, _SOURCE], _TICK]
            if tick > last and (tick < least or not found):
                least, found = tick, True
        for step in range(count):
            m = start + step if start + step < count else start + step - count
            if state[spare[m, _SOURCE], _TICK] == least:
                request[done, _WIRE], request[done, _SOURCE] = spare[m, _WIRE], spare[m, _SOURCE]
                done += 1
        last = least


@njit(cache=True)
def _cascade(
    request: Int64Array,
    spare: Int64Array,
    count: int,
    stage: Int64Array,
    graph: Int32Array,
    edges: UInt8Array,
    state: Int64Array,
    taken: BoolArray,
    lost_at: Int32Array,
    mark: int,
) -> int:
    """Lead sorted requests through the stages of a partial concentrator; return how many win.

    Those are then the first of the list, with their output wires.
    """
    stages = stage.shape[0]
    for i in range(stages):
        for output in range(stage[i, _OUTPUTS]):
            taken[i, output] = False
    won = 0
    begin = 0
    while begin < count:
        # Requests of one tick go through all the stages before those of the next tick.
        tick = state[request[begin, _SOURCE], _TICK]
        end = begin + 1
        while end < count and state[request[end, _SOURCE], _TICK] == tick:
            end += 1
        alive = end - begin
        for i in range(stages):
            outputs, degree, base = stage[i, _OUTPUTS], stage[i, _DEGREE], stage[i, _BASE]
            for output in range(outputs):
                spare[output, _SOURCE] = IDLE
            for m in range(begin, begin + alive):
                w, q = request[m, _WIRE], request[m, _SOURCE]
                choice = FIRST_FREE
                if edges.shape[1]:
                    choice = int(edges[q, state[q, _STAGE] + i])
                row = base + w * degree
                lowest, beyond = 0, degree
                if choice < FIRST_FREE - 1:
                    lowest, beyond = choice, min(choice + 1, degree)
                lost_at[q] = mark
                for e in range(lowest, beyond):
                    output = graph[row + e]
                    if not taken[i, output]:
                        taken[i, output] = True
                        spare[output, _SOURCE] = q
                        lost_at[q] = 0
                        break
            # The next stage takes them by rising wire.
            alive = 0
            for output in range(outputs):
                if spare[output, _SOURCE] >= 0:
                    request[begin + alive, _WIRE] = output
                    request[begin + alive, _SOURCE] = spare[output, _SOURCE]
                    alive += 1
        for m in range(begin, begin + alive):
            request[won, _WIRE], request[won, _SOURCE] = request[m, _WIRE], request[m, _SOURCE]
            won += 1
        begin = end
    return won
