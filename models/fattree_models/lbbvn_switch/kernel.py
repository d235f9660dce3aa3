"""One slot after the other, compiled: arrival, phase 1, phase 2, output.

All compiled functions and the tuples they work on are in this one file, because numba's cache does
not see changes in other files.  A cell is one integer, from the highest bit: slot of arrival, fake
(1 bit), destination (8), source (8); -1 stands for none.
"""

from typing import NamedTuple

import numpy as np

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, UInt64Array
from fattree_models.common.compiling import compiled, lowest

BASIC, UFS, FOFF, PADDED, MAILBOX = range(5)
INGRESS, MIDDLE, RESEQUENCER = range(3)
ALL_OF_RESEQUENCER = 3
"""Row of `largest`: cells in all FIFOs of an output."""

FAKE = 1 << 16
LOG_COLUMNS = 6


class Queues(NamedTuple):
    """FIFOs in rings of equal size: cells [queues, depth], head [queues], length [queues]."""

    cells: Int64Array
    head: Int64Array
    length: Int64Array


class Rules(NamedTuple):
    """What does not change: the shape as numbers, and the connections [N, N] by slot mod N.

    `source_of_output[t, y]` is the middle to which phase 2 connects output y in slot t;
    `meet[m, o]` is the slot mod N in which it connects middle m to output o.
    """

    scheme: int
    threshold: int
    gate: int
    feedback: int
    tries: int
    to_middle: Int64Array
    source_of_output: Int64Array
    meet: Int64Array


class Frames(NamedTuple):
    """Frames of the inputs.

    `now` [N, 2]: output, -1 without a frame, and number of real cells; `pointer` [N, 2]: where
    round robin continues among full VOQs, and among others; `turn` [N, N]: the middle of the next
    cell of each VOQ (FOFF).
    """

    now: Int64Array
    pointer: Int64Array
    turn: Int64Array


class Gates(NamedTuple):
    """PADDED: `closed` [N, N] as each line card knows, `told` [feedback, N] is on its way."""

    closed: BoolArray
    told: BoolArray


class Egress(NamedTuple):
    """FOFF: FIFOs [N N], by output and middle.

    `expected` [N, N]: the middle of the next cell, by output and source; `ready` [N, words]: a bit
    for each FIFO whose head may leave; `held` [N]: cells in all FIFOs of an output; `idle` [N]:
    slots without a cell kept or given, 2 N at most.
    """

    fifos: Queues
    expected: Int64Array
    ready: UInt64Array
    held: Int64Array
    idle: Int64Array


class Counts(NamedTuple):
    """`inside` [1]: real cells in the switch; the others [..., N]: counters."""

    inside: Int64Array
    dropped: Int64Array
    largest: Int64Array
    refused: Int64Array
    fakes: Int64Array
    skipped: Int64Array


class State(NamedTuple):
    """What a switch holds; `last` [N, N]: the last departure slot of each flow (MAILBOX)."""

    ingress: Queues
    middle: Queues
    frames: Frames
    last: Int64Array
    gates: Gates
    egress: Egress
    counts: Counts


class Log(NamedTuple):
    """The cells dropped: rows [rows, 6] of slot, place, line card, source, destination, arrival."""

    rows: Int64Array
    used: Int64Array


@compiled
def advance(
    rules: Rules,
    state: State,
    first: int,
    dst: Int32Array,
    source: Int32Array,
    arrival: Int64Array,
    backlog: Int64Array,
    cells: Int64Array,
    log: Log,
    begin: int,
) -> int:
    """Go on from row `begin` until the end, or until the log might be too short for a slot.

    Row s of `dst` [slots, N] is slot first + s.  Fills rows of `source`, `arrival` [slots, N] (by
    output) and `backlog` [slots], needs `cells` [N]; returns how many rows are done.
    """
    slots, nodes = dst.shape
    for s in range(begin, slots):
        if log.used[0] + 3 * nodes > log.rows.shape[0]:
            return s
        t = first + s
        phase = t & (nodes - 1)
        to_middle, source_of_output = rules.to_middle[phase], rules.source_of_output[phase]
        _arrive(state.ingress, state.counts, log, t, dst[s])
        if rules.scheme == MAILBOX:
            _offer(rules, state.ingress, state.middle.cells, state.last, state.counts, t)
            _take_mail(state.middle.cells, t, source_of_output, cells)
        else:
            if rules.scheme == BASIC:
                _send_heads(state.ingress, cells)
            else:
                _hear_gates(rules, state.gates, t)
                _send_frames(
                    rules, state.ingress, state.frames, state.gates, state.counts, to_middle, cells
                )
            _enqueue(state.middle, state.counts, log, t, to_middle, cells)
            _dequeue(state.middle, source_of_output, cells)
        if rules.scheme == PADDED:
            _tell_gates(rules, state.gates, state.middle.length, t)
        if rules.scheme == FOFF:
            _resequence(state.egress, state.counts, log, t, source_of_output, cells)
        _leave(state.counts, cells, source[s], arrival[s])
        backlog[s] = state.counts.inside[0]
    return int(slots)


@compiled
def _push(queues: Queues, q: int, cell: int) -> bool:
    """Append a cell; return False if the queue is full."""
    depth = queues.cells.shape[1]
    if queues.length[q] >= depth:
        return False
    place = queues.head[q] + queues.length[q]
    queues.cells[q, place - depth if place >= depth else place] = cell
    queues.length[q] += 1
    return True


@compiled
def _peek(queues: Queues, q: int, number: int) -> int:
    """Return a cell that is in the queue, 0 = head."""
    place = queues.head[q] + number
    depth = queues.cells.shape[1]
    return int(queues.cells[q, place - depth if place >= depth else place])


@compiled
def _remove(queues: Queues, q: int, number: int) -> None:
    """Take so many cells from the head."""
    queues.length[q] -= number
    place = queues.head[q] + number
    depth = queues.cells.shape[1]
    queues.head[q] = place - depth if place >= depth else place


@compiled
def _note(largest: Int64Array, kind: int, card: int, content: int) -> None:
    """Keep the largest content."""
    largest[kind, card] = max(largest[kind, card], content)


@compiled
def _drop(counts: Counts, log: Log, t: int, place: int, card: int, cell: int) -> None:
    """Count and log a cell that is dropped; a fake one has the arrival slot -1."""
    fake = cell & FAKE != 0
    if place != INGRESS and not fake:
        counts.inside[0] -= 1
    counts.dropped[place, card] += 1
    row = log.rows[log.used[0]]
    row[0], row[1], row[2] = t, place, card
    row[3], row[4] = cell & 0xFF, (cell >> 8) & 0xFF
    row[5] = -1 if fake else cell >> 17
    log.used[0] += 1


@compiled
def _arrive(ingress: Queues, counts: Counts, log: Log, t: int, dst: Int32Array) -> None:
    """Put the cells of a slot into the ingress queues."""
    queues = ingress.length.size // dst.size  # 1 or N an input
    for x in range(dst.size):
        o = int(dst[x])
        if o < 0:
            continue
        q = x if queues == 1 else x * queues + o
        cell = (t << 17) | (o << 8) | x
        if _push(ingress, q, cell):
            counts.inside[0] += 1
            _note(counts.largest, INGRESS, x, ingress.length[q])
        else:
            _drop(counts, log, t, INGRESS, x, cell)


@compiled
def _send_heads(ingress: Queues, sent: Int64Array) -> None:
    """BASIC: each input sends the head of its FIFO."""
    for x in range(sent.size):
        sent[x] = -1
        if ingress.length[x] > 0:
            sent[x] = _peek(ingress, x, 0)
            _remove(ingress, x, 1)


@compiled
def _send_frames(
    rules: Rules,
    ingress: Queues,
    frames: Frames,
    gates: Gates,
    counts: Counts,
    to_middle: Int64Array,
    sent: Int64Array,
) -> None:
    """UFS, FOFF, PADDED: each input sends the next cell of its frame, a real one, a fake or none.

    The cells of a frame leave the queue when the frame ends.
    """
    nodes = sent.size
    for x in range(nodes):
        m = to_middle[x]
        if m == 0:
            length = ingress.length[x * nodes : (x + 1) * nodes]
            _choose_frame(rules, frames, x, length, gates.closed)
        sent[x] = -1
        o, real = frames.now[x, 0], frames.now[x, 1]
        if o < 0:
            continue
        q = x * nodes + o
        number = m
        if rules.scheme == FOFF:
            number = (m - frames.turn[x, o]) & (nodes - 1)
        if number < real:
            sent[x] = _peek(ingress, q, number)
        elif rules.scheme == PADDED:
            sent[x] = FAKE | (o << 8) | x
            counts.fakes[x] += 1
        if m == nodes - 1:
            _remove(ingress, q, real)
            frames.turn[x, o] = (frames.turn[x, o] + real) & (nodes - 1)
            frames.now[x, 0] = -1


@compiled
def _choose_frame(
    rules: Rules, frames: Frames, x: int, length: Int64Array, closed: BoolArray
) -> None:
    """Choose the next frame of input x: its output and number of real cells."""
    nodes = length.size
    pointer = frames.pointer[x]
    o = _next(length, pointer[0], nodes)
    real = nodes
    if o >= 0:
        pointer[0] = (o + 1) & (nodes - 1)
    elif rules.scheme == FOFF:
        o = _next(length, pointer[1], 1)
        if o >= 0:
            pointer[1] = (o + 1) & (nodes - 1)
            real = length[o]
    elif rules.scheme == PADDED:
        o = _longest(length, closed[x])
        if o >= 0:
            real = length[o]
            if real < rules.threshold:
                o = -1
    frames.now[x, 0], frames.now[x, 1] = o, real


@compiled
def _next(length: Int64Array, start: int, least: int) -> int:
    """Return the first queue from `start` on, cyclically, with so many cells; -1: none."""
    for i in range(length.size):
        o = (start + i) & (length.size - 1)
        if length[o] >= least:
            return o
    return -1


@compiled
def _longest(length: Int64Array, closed: BoolArray) -> int:
    """Return the longest queue whose gate is open, the first of equals; -1: none."""
    best = -1
    for o in range(length.size):
        if not closed[o] and (best < 0 or length[o] > length[best]):
            best = o
    return best


@compiled
def _enqueue(
    middle: Queues, counts: Counts, log: Log, t: int, to_middle: Int64Array, sent: Int64Array
) -> None:
    """Put what the inputs send into the VOQs of the middles."""
    nodes = sent.size
    for x in range(nodes):
        if sent[x] < 0:
            continue
        m = to_middle[x]
        q = m * nodes + ((sent[x] >> 8) & 0xFF)
        if _push(middle, q, sent[x]):
            _note(counts.largest, MIDDLE, m, middle.length[q])
        else:
            _drop(counts, log, t, MIDDLE, m, sent[x])


@compiled
def _dequeue(middle: Queues, source_of_output: Int64Array, cells: Int64Array) -> None:
    """Send the heads of the VOQs to the outputs, `cells` [N] by output."""
    nodes = cells.size
    for y in range(nodes):
        q = source_of_output[y] * nodes + y
        cells[y] = -1
        if middle.length[q] > 0:
            cells[y] = _peek(middle, q, 0)
            _remove(middle, q, 1)


@compiled
def _offer(
    rules: Rules, ingress: Queues, boxes: Int64Array, last: Int64Array, counts: Counts, t: int
) -> None:
    """MAILBOX: each input offers the head of its FIFO.

    The place from which a cell departs in slot d stands in column (d div N) mod places of its row,
    so that nothing has to move.
    """
    nodes, places = ingress.length.size, boxes.shape[1]
    for x in range(nodes):
        if ingress.length[x] == 0:
            continue
        m, cell = rules.to_middle[t & (nodes - 1), x], _peek(ingress, x, 0)
        o = (cell >> 8) & 0xFF
        row = boxes[m * nodes + o]
        departs = t + ((rules.meet[m, o] - t) & (nodes - 1))
        behind = max(0, last[x, o] + 1 - departs)
        least = (behind + nodes - 1) // nodes
        taken = -1
        for i in range(least, min(least + rules.tries, places)):
            column = (departs // nodes + i) % places
            if row[column] < 0:
                taken = i
                row[column] = cell
                break
        if taken < 0:
            counts.refused[m] += 1
        else:
            last[x, o] = departs + taken * nodes
            _note(counts.largest, MIDDLE, m, taken + 1)
            _remove(ingress, x, 1)


@compiled
def _take_mail(boxes: Int64Array, t: int, source_of_output: Int64Array, cells: Int64Array) -> None:
    """MAILBOX: send what departs in this slot."""
    nodes = cells.size
    column = t // nodes % boxes.shape[1]
    for y in range(nodes):
        q = source_of_output[y] * nodes + y
        cells[y] = boxes[q, column]
        boxes[q, column] = -1


@compiled
def _hear_gates(rules: Rules, gates: Gates, t: int) -> None:
    """PADDED: each line card hears what was sent `feedback` slots ago."""
    if rules.scheme != PADDED or t < rules.feedback:
        return
    nodes = gates.told.shape[1]
    for y in range(nodes):
        o = rules.source_of_output[(t - rules.feedback) & (nodes - 1), y]
        gates.closed[y, o] = gates.told[t % rules.feedback, y]


@compiled
def _tell_gates(rules: Rules, gates: Gates, length: Int64Array, t: int) -> None:
    """PADDED: middle m tells the line card it is connected to whether VOQ[m][m] is long."""
    nodes = gates.told.shape[1]
    for y in range(nodes):
        m = rules.source_of_output[t & (nodes - 1), y]
        gates.told[t % rules.feedback, y] = length[m * nodes + m] >= rules.gate


@compiled
def _resequence(
    egress: Egress,
    counts: Counts,
    log: Log,
    t: int,
    source_of_output: Int64Array,
    cells: Int64Array,
) -> None:
    """FOFF: what arrives goes into the FIFO of its middle; `cells` becomes what leaves.

    Where no head may leave, although a FIFO is longer than it can be without a loss, or although
    nothing was kept or given for 2 N slots, the head of the first such FIFO leaves: a gap is
    skipped.
    """
    nodes, fifos = cells.size, egress.fifos
    for y in range(nodes):
        m = source_of_output[y]
        if cells[y] >= 0:
            if _push(fifos, y * nodes + m, cells[y]):
                egress.held[y] += 1
                egress.idle[y] = 0
                _note(counts.largest, RESEQUENCER, y, fifos.length[y * nodes + m])
                _judge(egress, y, m)
            else:
                _drop(counts, log, t, RESEQUENCER, y, cells[y])
        cells[y] = -1
        k = _first_bit(egress.ready[y], (m + 1) & (nodes - 1))
        if k < 0:
            k = _behind_a_gap(egress, y, m)
            counts.skipped[y] += k >= 0
        egress.idle[y] = min(egress.idle[y] + 1, 2 * nodes)
        if k >= 0:
            egress.idle[y] = 0
            cells[y] = _peek(fifos, y * nodes + k, 0)
            _remove(fifos, y * nodes + k, 1)
            egress.held[y] -= 1
            after = (k + 1) & (nodes - 1)
            egress.expected[y, cells[y] & 0xFF] = after
            _judge(egress, y, k)
            _judge(egress, y, after)
        _note(counts.largest, ALL_OF_RESEQUENCER, y, egress.held[y])


@compiled
def _behind_a_gap(egress: Egress, y: int, m: int) -> int:
    """Return the FIFO of output y whose head waits for a cell that was lost; -1: none."""
    nodes = egress.held.size
    if egress.held[y] == 0:
        return -1
    for least in (nodes + 2, 1):
        if least > 1 or egress.idle[y] == 2 * nodes:
            for i in range(1, nodes + 1):
                k = (m + i) & (nodes - 1)
                if egress.fifos.length[y * nodes + k] >= least:
                    return k
    return -1


@compiled
def _judge(egress: Egress, y: int, m: int) -> None:
    """Find out again whether the head of FIFO m of output y may leave."""
    nodes = egress.held.size
    bit = np.uint64(1) << np.uint64(m & 63)
    egress.ready[y, m >> 6] &= ~bit
    if egress.fifos.length[y * nodes + m] > 0:
        x = _peek(egress.fifos, y * nodes + m, 0) & 0xFF
        if egress.expected[y, x] == m:
            egress.ready[y, m >> 6] |= bit


@compiled
def _first_bit(words: UInt64Array, start: int) -> int:
    """Return the first bit that is set from `start` on, cyclically; -1: none."""
    w = start >> 6
    word = words[w] & (~np.uint64(0) << np.uint64(start & 63))
    for _ in range(words.size):
        if word:
            break
        w = w + 1 if w + 1 < words.size else 0
        word = words[w]  # in the end the first one again, whose upper bits are zeros
    if not word:
        return -1
    return int((w << 6) + lowest(word))


@compiled
def _leave(counts: Counts, cells: Int64Array, source: Int32Array, arrival: Int64Array) -> None:
    """Write down the cells that leave; fake ones are thrown away."""
    for y in range(cells.size):
        source[y], arrival[y] = -1, -1
        if cells[y] >= 0 and not cells[y] & FAKE:
            source[y], arrival[y] = cells[y] & 0xFF, cells[y] >> 17
            counts.inside[0] -= 1
