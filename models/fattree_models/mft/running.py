"""What becomes of packets in MFT and IMFT, to the clock.

A client sends its packets in order, one flit a clock, a packet in one piece.  A flit passes a
router in `pipeline` clocks and never waits: so it reaches a FIFO of its client
(2 turn + 1) * pipeline clocks after it was sent, or is lost.

A packet holds its up link and its lane from its head to its tail.  Exact lanes: all are wired, and
none is ever asked for twice.  Doubling: descending packets have the lanes wired, a packet that
turns takes the lowest free one.  In one clock descending heads come first.  A head that finds its
lane held, or none free, is lost with its whole packet (ours: the survey has no word on it).

At the client each lane has a FIFO.  A head that comes in clock t is taken if the FIFO had room for
it after clock t - 1, else the whole packet is lost by overflow.  A flit taken in clock t may leave
from t + 1 on.  Round robin over the lanes in the order of their wiring, packet by packet: after
lane i the search begins at i + 1; one flit leaves a clock, and no clock is idle while a FIFO holds
a flit from the clock before.
"""

from dataclasses import dataclass

import numpy as np

from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.mft import kernel
from fattree_models.mft.network import Mft, check_ends, lane_counts, turn_row
from fattree_models.traffic import Packets

NO_LIMIT = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Outcome:
    """What became of packets, in their order.

    Parameters
    ----------
    start : int64 array [packets]
        Clock in which the head was sent.
    lost_row : int64 array [packets]
        Row in which it found no lane, -1 if it was not lost there.
    arrived : int64 array [packets]
        Clock in which the head came to a FIFO of the client, -1 if it did not.
    lane : int64 array [packets]
        Number of that FIFO, -1 if there is none.
    head, tail : int64 arrays [packets]
        Clocks in which they left the FIFO, -1 if lost.
    up_flits, down_flits : int64 arrays [n]
        Flits that left the routers of a row upwards, and downwards.
    peak : int64 array [N, lanes]
        The least FIFO that would have taken all that came on a lane, if none of it was lost: flits
        inside and room needed, together, 0 on a lane not used.
    """

    start: Int64Array
    lost_row: Int64Array
    arrived: Int64Array
    lane: Int64Array
    head: Int64Array
    tail: Int64Array
    up_flits: Int64Array
    down_flits: Int64Array
    peak: Int64Array

    @property
    def lost_inside(self) -> BoolArray:
        """Whether each packet was lost in a router."""
        return np.asarray(self.lost_row >= 0)

    @property
    def overflowed(self) -> BoolArray:
        """Whether each packet was lost at a FIFO."""
        return np.asarray((self.arrived >= 0) & (self.head < 0))


def start_clocks(packets: Packets) -> Int64Array:
    """Return the clocks in which heads are sent: at release, or when the packet before is sent.

    Returns
    -------
    int64 array [packets]

    Examples
    --------
    >>> start_clocks(Packets.of([0, 0, 0, 1], [1, 1, 1, 0], [2, 3, 9, 0], flits=4))
    array([ 2,  6, 10,  0])
    """
    start = np.empty(len(packets), dtype=np.int64)
    flits = packets.flits.astype(np.int64)
    for source in np.unique(packets.source):
        own = slice(*np.searchsorted(packets.source, [source, source + 1]))
        before = np.cumsum(flits[own]) - flits[own]
        start[own] = before + np.maximum.accumulate(packets.release[own] - before)
    return start


def run(net: Mft, packets: Packets) -> Outcome:
    """Send packets, beginning with an empty network.

    Raises
    ------
    ValueError
        If a client does not exist, or sends to itself, or `net.room` is less than a packet.

    Notes
    -----
    O(packets (n + log packets)) in the network; O(packets + lanes looked at) at the clients.

    Examples
    --------
    Three packets meet at client 0; the doubled lanes of its router are two:

    >>> three = Packets.of([1, 2, 3], 0, [2, 0, 0])
    >>> run(Mft(2), three).head
    array([6, 5, 4])
    >>> run(Mft(2, lanes="DOUBLING"), three).lost_row
    array([ 0, -1, -1])
    """
    src, dst = check_ends(net.n, packets.source, packets.destination)
    start, flits = start_clocks(packets), packets.flits.astype(np.int64)
    longest = int(flits.max(initial=0))
    if net.room is not None and net.room < longest:
        raise ValueError(
            f"room: is {net.room}; allowed are integers from {longest}, the longest packet"
        )
    turn = turn_row(net.n, src, dst) if src.size else np.zeros(0, dtype=np.int64)
    up_flits, down_flits = np.zeros((2, net.n), dtype=np.int64)
    column = _climb(net, src, turn, start, flits)
    for row in range(net.n - 1):
        up_flits[row] = flits[turn > row].sum()
    lane, lost_row = _descend(net, dst, turn, start, flits, column)
    for row in range(net.n):
        down_flits[row] = flits[(turn >= row) & (lost_row < row)].sum()
    arrived = np.where(lane >= 0, start + (2 * turn + 1) * net.pipeline, -1)
    head, peak = _serve(net, dst, lane, arrived, flits)
    tail = np.where(head >= 0, head + flits - 1, -1)
    return Outcome(start, lost_row, arrived, lane, head, tail, up_flits, down_flits, peak)


def _climb(
    net: Mft, src: Int64Array, turn: Int64Array, start: Int64Array, flits: Int64Array
) -> Int64Array:
    """Return the columns in which packets turn."""
    column, port = src >> 1, src & 1
    for row in range(net.n - 1):
        link = port.copy()
        if net.mode == "MFT":
            time = start + row * net.pipeline
            order = np.lexsort((port, time))
            busy = np.zeros(net.columns, dtype=np.int64)
            kernel.climb(order[turn[order] > row], time, flits, column, busy, link)
        goes = turn > row
        port = np.where(goes, column >> row & 1, port)
        column = np.where(goes, column ^ (link << row), column)
    return column


def _descend(
    net: Mft,
    dst: Int64Array,
    turn: Int64Array,
    start: Int64Array,
    flits: Int64Array,
    column: Int64Array,
) -> tuple[Int64Array, Int64Array]:
    """Return the lanes at the clients, and the rows in which packets are lost."""
    lanes = lane_counts(net.n, net.lanes)
    lane, lost_row = np.full_like(dst, kernel.LOST), np.full_like(dst, -1)
    for row in range(net.n - 1, -1, -1):
        here = (turn >= row) & (lost_row < 0)
        time = start + (2 * turn - row) * net.pipeline
        side, turning = dst >> row & 1, turn == row
        order = np.lexsort((turning, time))
        busy = np.zeros((2 * net.columns, lanes[row]), dtype=np.int64)
        kernel.descend(
            order[here[order]],
            time,
            flits,
            2 * column + side,
            turning,
            net.lanes == "EXACT",
            busy,
            lane,
        )
        lost_row[here & (lane < 0)] = row
        if row:
            below = (column & ~(1 << (row - 1))) | side << (row - 1)
            goes = here & (lane >= 0)
            lane = np.where(goes, lane + (below != column) * lanes[row], lane)
            column = np.where(goes, below, column)
    return lane, lost_row


def _serve(
    net: Mft, dst: Int64Array, lane: Int64Array, arrived: Int64Array, flits: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Return when heads leave, and what the FIFOs needed."""
    head = np.full_like(dst, kernel.LOST)
    peak = np.zeros((net.clients, net.client_lanes), dtype=np.int64)
    room = flits if net.room is None else np.full_like(flits, net.room)
    order = np.lexsort((arrived, dst))
    order = order[lane[order] >= 0]
    ends = np.searchsorted(dst[order], np.arange(net.clients + 1))
    for client in range(net.clients):
        own = order[ends[client] : ends[client + 1]]
        left = np.full(own.size, kernel.LOST)
        fifo = NO_LIMIT if net.fifo is None else net.fifo
        kernel.serve(arrived[own], lane[own], flits[own], room[own], fifo, left, peak[client])
        head[own] = left
    return head, peak


def least_fifo(net: Mft, packets: Packets) -> int:
    """Return the least FIFO with which no packet overflows, whatever `net.fifo` is.

    Examples
    --------
    Seven clients send three flits each to the eighth at once:

    >>> least_fifo(Mft(3), Packets.of(range(1, 8), 0, 0, flits=3))
    3
    """
    free = Mft(net.n, net.mode, net.lanes, None, net.pipeline, net.room)
    return int(run(free, packets).peak.max(initial=0))
