"""What a fat-tree under SELF control delivers and drops, packet by packet (ours).

The rules, in every slot independently.  A concentrator passes the first `s` requesting inputs, in
order, onto lanes 0, 1, 2 ... and drops the others:

* Up channel of node (j, k), 1 <= j <= n-1.  Inputs: the up lanes of the left child, then those of
  the right child. Requesters: packets with a destination outside S(j, k).  c_j pass.
* Down channel from node (j, k) to a child.  Inputs: the c_j down lanes from the parent, then the
  c_(j+1) up lanes of the other child.  Requesters: packets with a destination under that child.
  c_(j+1) pass.
* Output port of a leaf: one packet a slot; the one from the tree goes before the leaf's own
  loop-back.  The loser is counted at (level n+1, down).

With the static upper half, h = floor(n/2) and g = 2^(n-2h), the up channel of node (h, k) has a
concentrator for each other node (h, l): all up lanes of both children in, the g wires to (h, l)
out.  At (h, l) they arrive as down lanes ((l XOR k) - 1) g and following; levels above h have no
channels.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int8Array, Int32Array, Int64Array, check_slots
from fattree_models.common.tree import FatTree, bit_lengths, subtree_sums
from fattree_models.lbbvn.capacity import check_capacity, static_upper_half
from fattree_models.lbbvn.load import channel_loads


@dataclass(frozen=True)
class SelfPrediction:
    """The outcome of every packet, and what it does to the tree.

    Attributes
    ----------
    delivered : bool array [slots, N]
        By source: the leaf injected a packet, and it reached its destination.
    lost_level : int8 array [slots, N]
        By source: the level of the channel that had no lane left, n+1 for the output port of a
        leaf; 0 = not lost.
    lost_down : bool array [slots, N]
        By source: lost on the way down (or at the output port).
    conflicts_up, conflicts_down : int64 arrays [slots, n + 2]
        Packets lost, by level and direction; entry n+1 of `conflicts_down` counts the output ports.
    arrived : int32 array [slots, N]
        By destination: the source of the packet that arrives, -1 = none.
    used_up, used_down : int32 arrays [slots, 2N]
        Occupied lanes of each channel, by heap index.
    """

    delivered: BoolArray
    lost_level: Int8Array
    lost_down: BoolArray
    conflicts_up: Int64Array
    conflicts_down: Int64Array
    arrived: Int32Array
    used_up: Int32Array
    used_down: Int32Array


def predict(dst: npt.ArrayLike, c: npt.ArrayLike, static_upper: bool = False) -> SelfPrediction:
    """Predict what SELF control delivers and drops.

    Parameters
    ----------
    dst : int array [slots, N]
        Destination of the packet of leaf x, -1 = idle; any traffic.
    c : int array [n + 1]
        Capacity vector.
    static_upper : bool
        UPPER_HALF = STATIC; level h must then have exactly (2^h - 1) 2^(n-2h) lanes.

    Returns
    -------
    SelfPrediction

    Notes
    -----
    No lane needs to be followed, because the order of the survivors on the lanes is known:

    * *Up lanes are in the order of the sources.*  True at level n, where a channel has one lane.
      If it is true for the two children of a node, the inputs of its up concentrator are in order
      of source: every source under the left child is less than every one under the right child.  A
      concentrator keeps the order.
    * *Down lanes are in the order of (level of the lowest common ancestor, source).*  By induction
      from the root.  At node (j, k) the lanes from the parent are in that order (at the root there
      are none) and hold packets that turned above, at levels < j.  The packets that turn here have
      level j, so they come after all of those, and they are on up lanes of the other child, in the
      order of source.  The concentrator keeps the order.
    * *Static upper half.*  Each group is in the order of source for the reason above.  At node (h,
      l) the groups lie in the order of k XOR l, so packets that crossed the wires are in the order
      of (k XOR l, source) on the down lanes, and come before all that turn at level h or below,
      where the second argument applies unchanged.

    So a packet is lost at a channel exactly if its rank in that order, among those still alive that
    want the channel, is c_j or more.  Slots without a conflict, recognised by their loads, are done
    at once; for the others time is O(n N) and a sort of the overloaded channels.

    Examples
    --------
    Two packets want the only lane of channel (1, 0) up, and the one from leaf 1 loses:

    >>> result = predict([[2, 3, -1, 3]], [0, 1, 1])
    >>> result.delivered
    array([[ True, False, False,  True]])
    >>> result.lost_level
    array([[0, 1, 0, 0]], dtype=int8)
    >>> result.arrived
    array([[-1, -1,  0,  3]], dtype=int32)
    """
    array, n = check_slots(dst)
    lanes = check_capacity(n, c, static_upper)
    top = static_upper_half(n)[0] if static_upper else 0
    used_up, used_down = channel_loads(array, n)
    lost_level = np.zeros(array.shape, dtype=np.int8)
    lost_down = np.zeros(array.shape, dtype=np.bool_)
    delivered = array >= 0
    # Without this every slot with a packet through the upper half would go the slow way.
    _clear_above(used_up, used_down, top)
    crowded = np.flatnonzero(_conflicts(array, lanes, top, used_up, used_down))
    if crowded.size:
        contest = _Contest(array[crowded], lanes, top)
        contest.run()
        lost_level[crowded], lost_down[crowded] = contest.lost_level, contest.lost_down
        used_up[crowded], used_down[crowded] = contest.occupancy()
        delivered &= lost_level == 0
    return SelfPrediction(
        delivered=delivered,
        lost_level=lost_level,
        lost_down=lost_down,
        conflicts_up=_by_level(lost_level, ~lost_down, crowded),
        conflicts_down=_by_level(lost_level, lost_down, crowded),
        arrived=_arrivals(array, delivered),
        used_up=used_up,
        used_down=used_down,
    )


def group_loads(dst: Int32Array, n: int) -> Int32Array:
    """Return how many packets want each group of fixed wires of the static upper half (ours).

    Parameters
    ----------
    dst : int32 array [slots, N]
        Checked destinations, -1 = idle.
    n : int
        log2 N.

    Returns
    -------
    int32 array [slots, 2^h, 2^h]
        Entry (k, l): packets from S(h, k) to S(h, l); 0 for k = l, which has no wires.

    Examples
    --------
    >>> group_loads(np.array([[2, 3, -1, 1]], dtype=np.int32), 2)
    array([[[0, 2],
            [1, 0]]], dtype=int32)
    """
    h = n // 2
    slots = dst.shape[0]
    nodes = 1 << h
    slot, x = np.nonzero(dst >= 0)
    pair = (slot << 2 * h) + (x >> (n - h) << h) + (dst[slot, x] >> (n - h))
    loads = np.bincount(pair, minlength=slots << 2 * h).reshape(slots, nodes, nodes)
    loads[:, np.arange(nodes), np.arange(nodes)] = 0
    return loads.astype(np.int32)


def rank_within(channel: npt.NDArray[np.int64], order: npt.NDArray[np.int64]) -> Int64Array:
    """Return the rank of each request within its channel.

    Parameters
    ----------
    channel : int64 array [requests]
        What is requested.
    order : int64 array [requests]
        Less goes first; no two requests for a channel have the same.

    Returns
    -------
    int64 array [requests]
        0 for the first of its channel, 1 for the second, ...

    Notes
    -----
    One sort of one key, channel and order in one number; it stays below 2^63 for any traffic that
    fits in memory: at most slots 2^n channels and (2^(n/2) + n) 2^n orders.

    Examples
    --------
    >>> rank_within(np.array([7, 5, 7, 7]), np.array([3, 0, 1, 2]))
    array([2, 0, 0, 1])
    """
    if channel.size == 0:
        return np.zeros(0, dtype=np.int64)
    sequence = np.argsort(channel * (np.int64(order.max()) + 1) + order)
    ordered = channel[sequence]
    position = np.arange(ordered.size)
    starts = np.ones(ordered.size, dtype=np.bool_)
    starts[1:] = ordered[1:] != ordered[:-1]
    rank = np.empty(ordered.size, dtype=np.int64)
    rank[sequence] = position - np.maximum.accumulate(np.where(starts, position, 0))
    return rank


class _Contest:
    """The slow way for slots with conflicts: level by level, drop what finds no lane.

    A class because every step reads and writes the same arrays: who is alive, who was lost where.
    """

    def __init__(self, dst: Int32Array, lanes: Int64Array, top: int) -> None:
        self.slots, self.leaves = dst.shape
        self.n = self.leaves.bit_length() - 1
        self.lanes = lanes
        self.top = top
        self.dst = dst
        self.src = np.arange(self.leaves, dtype=np.int32)
        self.alive = dst >= 0
        height = bit_lengths(self.n).take((dst ^ self.src) & np.int32(self.leaves - 1))
        self.turn: Int8Array = np.int8(self.n) - height
        self.lost_level = np.zeros(dst.shape, dtype=np.int8)
        self.lost_down = np.zeros(dst.shape, dtype=np.bool_)

    def run(self) -> None:
        """Go up from the leaves and down again; every channel sees what earlier ones left over."""
        for level in range(self.n - 1, self.top, -1):
            self.go_up(level)
        if self.top > 0:
            self.cross()
        order = self.down_order()
        for level in range(self.top + 1, self.n + 1):
            self.go_down(level, order)
        self.leave()

    def go_up(self, level: int) -> None:
        """Up concentrators of one level: rank by source, a running count along the leaves."""
        asks = self.alive & (self.turn < level)
        by_node = asks.reshape(self.slots, 1 << level, self.leaves >> level)
        if np.count_nonzero(by_node, axis=2).max(initial=0) <= self.lanes[level]:
            return
        place = np.cumsum(by_node, axis=2, dtype=np.int32).reshape(asks.shape)
        self.drop(np.flatnonzero(asks & (place > self.lanes[level])), level, down=False)

    def cross(self) -> None:
        """Concentrators in front of the fixed wires: one for each pair of nodes of level h."""
        level, group = self.top, 1 << (self.n - 2 * self.top)
        packet, x, y = self.requests(level)
        # Slot and node (h, k) in front are what is left of the packet's number.
        pair = (packet >> (self.n - level) << level) + (y >> (self.n - level))
        self.drop(packet[_late(pair, x, group)], level, down=False)

    def go_down(self, level: int, order: Int64Array) -> None:
        """Down concentrators into the nodes of one level."""
        packet, _, y = self.requests(level)
        channel = (packet >> self.n << level) + (y >> (self.n - level))
        late = _late(channel, order[packet], int(self.lanes[level]))
        self.drop(packet[late], level, down=True)

    def leave(self) -> None:
        """Output ports: a loop-back yields to the packet from the tree."""
        packet, _, y = self.requests(self.n)
        taken = np.zeros(self.dst.shape, dtype=np.bool_)
        taken.ravel()[(packet >> self.n << self.n) + y] = True
        loop = self.alive & (self.turn == self.n)
        self.drop(np.flatnonzero(loop & taken), self.n + 1, down=True)

    def requests(self, level: int) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Return number, source and destination of the packets that use a channel of `level`.

        A packet's number is slot N + source: the index into the arrays, flattened.
        """
        packet = np.flatnonzero(self.alive & (self.turn < level))
        return packet, packet & (self.leaves - 1), self.dst.ravel()[packet].astype(np.int64)

    def down_order(self) -> Int64Array:
        """Return the order on the down lanes by packet (see the Notes of `predict`)."""
        turn = self.turn.astype(np.int64)
        if self.top > 0:
            wires = (self.src ^ self.dst) >> (self.n - self.top)
            turn = np.where(turn < self.top, wires, (1 << self.top) + turn)
        return np.asarray((turn * self.leaves + self.src).ravel(), dtype=np.int64)

    def drop(self, packet: Int64Array, level: int, down: bool) -> None:
        """Book the losses of one level and direction."""
        self.lost_level.ravel()[packet] = level
        self.lost_down.ravel()[packet] = down
        self.alive.ravel()[packet] = False

    def occupancy(self) -> tuple[Int32Array, Int32Array]:
        """Return the occupied lanes up and down, [slots, 2N] each.

        As for loads (see `load`), except that a packet stops early: one lost on the way up
        into level L has used the up channels below level L only, one lost on the way down into
        level L the down channels above.
        """
        packet = np.flatnonzero(self.dst >= 0)
        x, y = packet & (self.leaves - 1), self.dst.ravel()[packet].astype(np.int64)
        slot = packet >> self.n
        level, down = self.lost_level.ravel()[packet], self.lost_down.ravel()[packet]
        # The level at which the packet crosses over; with static wires all that can cross above h.
        turn = np.maximum(self.turn.ravel()[packet], self.top - 1)
        up_lost = (level > 0) & ~down
        used_up = self.count(slot, x, self.n)
        used_up -= self.count(slot, x, np.where(up_lost, level, turn))
        slot, y, turn = slot[~up_lost], y[~up_lost], turn[~up_lost]
        reached = np.where(down, level - 1, self.n)[~up_lost]
        used_down = self.count(slot, y, reached) - self.count(slot, y, turn)
        subtree_sums(used_up, self.n)
        subtree_sums(used_down, self.n)
        _clear_above(used_up, used_down, self.top)
        return used_up, used_down

    def count(self, slot: Int64Array, leaf: Int64Array, level: npt.ArrayLike) -> Int32Array:
        """Count the ancestors of the leaves at `level`, by slot and heap index."""
        node = (leaf + self.leaves) >> (self.n - np.asarray(level, dtype=np.int64))
        width = 2 * self.leaves
        counts = np.bincount(slot * width + node, minlength=self.slots * width)
        return counts.reshape(self.slots, width).astype(np.int32)


def _late(channel: Int64Array, order: Int64Array, limit: int) -> Int64Array:
    """Return the indices of the requests whose rank in their channel is `limit` or more."""
    if channel.size == 0:
        return channel
    over = np.flatnonzero(np.bincount(channel).take(channel) > limit)
    # Most channels have lanes enough; only the others are worth a sort.
    return over[rank_within(channel[over], order[over]) >= limit]


def _conflicts(
    dst: Int32Array, lanes: Int64Array, top: int, up: Int32Array, down: Int32Array
) -> BoolArray:
    """Tell for each slot whether a channel, group of wires or output port is asked too much."""
    leaves = dst.shape[1]
    tree = FatTree(leaves.bit_length() - 1)
    capacity = tree.channel_lanes(lanes).astype(np.int32)
    bad = (np.maximum(up, down) > capacity).any(axis=1)
    loop = dst == np.arange(leaves, dtype=np.int32)
    bad |= ((down[:, leaves:] > 0) & loop).any(axis=1)
    if top > 0:
        group = 1 << (tree.n - 2 * top)
        bad |= (group_loads(dst, tree.n) > group).any(axis=(1, 2))
    return np.asarray(bad)


def _clear_above(up: Int32Array, down: Int32Array, top: int) -> None:
    """Zero the channels of the levels that the static upper half does not have, in place."""
    up[:, : 1 << top] = 0
    down[:, : 1 << top] = 0


def _by_level(level: Int8Array, mask: BoolArray, crowded: Int64Array) -> Int64Array:
    """Count the losses by slot and level, [slots, n + 2], where `mask` is set; entry 0 stays 0."""
    slots, leaves = level.shape
    width = leaves.bit_length() + 1
    row, x = np.nonzero(mask[crowded] & (level[crowded] > 0))
    slot = crowded[row]
    counts = np.bincount(slot * width + level[slot, x], minlength=slots * width)
    return counts.reshape(slots, width)


def _arrivals(dst: Int32Array, delivered: BoolArray) -> Int32Array:
    """Return the source of the packet that arrives at each leaf, -1 = none."""
    slots, leaves = dst.shape
    # A column more in front takes what does not arrive: quicker than picking out what does.
    arrived = np.full((slots, leaves + 1), -1, dtype=np.int32)
    first = np.arange(slots, dtype=np.int64)[:, None] * (leaves + 1)
    target = first + (dst + 1) * delivered
    arrived.ravel()[target] = np.arange(leaves, dtype=np.int32)
    return np.ascontiguousarray(arrived[:, 1:])
