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

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int8Array, Int32Array, Int64Array, check_slots
from fattree_models.lbbvn.capacity import check_capacity, static_upper_half


class SelfPrediction(NamedTuple):
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
    want the channel, is c_j or more.  One pass a packet: up in the order of the sources, then down
    in the order of the down lanes, and a channel is a counter.  O(n) time a packet at most.

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
    slots, leaves = array.shape
    outcome = SelfPrediction(
        delivered=np.zeros(array.shape, dtype=np.bool_),
        lost_level=np.zeros(array.shape, dtype=np.int8),
        lost_down=np.zeros(array.shape, dtype=np.bool_),
        conflicts_up=np.zeros((slots, n + 2), dtype=np.int64),
        conflicts_down=np.zeros((slots, n + 2), dtype=np.int64),
        arrived=np.full(array.shape, -1, dtype=np.int32),
        used_up=np.zeros((slots, 2 * leaves), dtype=np.int32),
        used_down=np.zeros((slots, 2 * leaves), dtype=np.int32),
    )
    _walk(array, lanes, static_upper_half(n)[0] if static_upper else 0, outcome)
    return outcome


@njit(cache=True)
def _walk(dst: Int32Array, lanes: Int64Array, top: int, outcome: SelfPrediction) -> None:
    """Fill in an outcome whose fields stand at their initial values.

    The survivors of the way up are kept in lists, one for each place in the order of the down
    lanes: k XOR l of those that cross fixed wires, then 2^top + the level at which they turn; last
    come the loop-backs, which turn at level n.
    """
    slots, leaves = dst.shape
    delivered, lost_level, lost_down, conflicts_up, conflicts_down = outcome[:5]
    arrived, used_up, used_down = outcome[5:]
    n, nodes = lanes.size - 1, 1 << top
    first = np.empty(nodes + n + 1, np.int32)
    last = np.empty(nodes + n + 1, np.int32)
    following = np.empty(leaves, np.int32)
    crossing = np.zeros((nodes, nodes), np.int32)  # packets on each group of fixed wires
    group = leaves >> 2 * top
    for s in range(slots):
        first[:] = -1
        crossing[:] = 0
        for x in range(leaves):
            y = dst[s, x]
            if y < 0:
                continue
            here, there, level = leaves + x, leaves + y, n
            while here != there and level > top and used_up[s, here] < lanes[level]:
                used_up[s, here] += 1
                here, there, level = here >> 1, there >> 1, level - 1
            place = nodes + level
            if here != there:
                wires = here - nodes, there - nodes
                if level > top or crossing[wires] == group:
                    lost_level[s, x] = level
                    conflicts_up[s, level] += 1
                    continue
                crossing[wires] += 1
                used_up[s, here] += 1
                used_down[s, there] += 1
                place = here ^ there
            if first[place] < 0:
                first[place] = x
            else:
                following[last[place]] = x
            last[place], following[x] = x, -1
        for place in range(nodes + n + 1):
            x = first[place]
            while x >= 0:
                y, level = dst[s, x], max(place - nodes, top) + 1
                while level <= n and used_down[s, leaves + y >> n - level] < lanes[level]:
                    used_down[s, leaves + y >> n - level] += 1
                    level += 1
                # One packet a slot: behind one from the tree a loop-back is lost at level n + 1.
                if level <= n or arrived[s, y] >= 0:
                    lost_level[s, x], lost_down[s, x] = level, True
                    conflicts_down[s, level] += 1
                else:
                    arrived[s, y], delivered[s, x] = x, True
                x = following[x]
