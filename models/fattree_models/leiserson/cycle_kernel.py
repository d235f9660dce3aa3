"""The compiled part of `cycle.deliver`: messages go up the tree and down, port by port.

Channel i of level k has its wires, which hold sources or -1, from base[k] + i cap[k] on in `wires`:
row 0 up, row 1 down.  `top[0 or 1, v]` is one more than the highest wire in use of channel v.
Plain arrays and few calls: calls that hand over tuples of arrays made it twenty times slower.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, UInt8Array
from fattree_models.leiserson.serial_tree import FIRST_FREE, IDLE


class Machine(NamedTuple):
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
_OUTPUTS, _DEGREE, _BASE = 0, 1, 2  # of `stage`: see Machine
_TICK, _STAGE, _NODES, _LEAF = 0, 1, 2, 3  # of `state`, by source: tick of M on the wire it has
# reached, stages and nodes passed, heap index of the destination (2n: external)
_WIRE, _SOURCE = 0, 1  # of `request`: input wire of the port, message


@njit(cache=True)
def run(
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
        # Two bundles of wires.  A message from below goes up if its destination is not below v,
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
