"""The compiler from slots to node settings for SCHEDULED control, and a walk under them.

Under SCHEDULED control packets have no header.  Each node steps through a memory, one word a slot:
for every output lane the input lane that feeds it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int8Array, Int32Array, Int64Array, check_slots
from fattree_models.common.tree import FatTree, bit_lengths
from fattree_models.lbbvn.capacity import check_capacity, static_upper_half
from fattree_models.lbbvn.load import channel_loads
from fattree_models.lbbvn.permutation import inverse


@dataclass(frozen=True)
class Settings:
    """What the nodes do in each slot.

    Attributes
    ----------
    n : int
        log2 N.
    c : int64 array [n + 1]
        Lanes per channel by level; 0 for the levels a static upper half does not have.
    static_upper : bool
        UPPER_HALF = STATIC.
    up : tuple of n entries, int32 array [slots, 2^j, c_j] or None
        `up[j][s, k, lane]`: the input that feeds an up lane of node (j, k) in slot s, 0 ...
        2 c_(j+1) - 1, the left child's up lanes first; -1 = idle.  up[0] is [slots, 1, 0].  None
        for the levels 0 ... h-1 of a static upper half, which have no nodes.
    down : tuple of n entries, int32 array [slots, 2^j, 2, c_(j+1)] or None
        `down[j][s, k, b, lane]`: the input that feeds a down lane to child b, 0 ... c_j + c_(j+1) -
        1, the down lanes from the parent first, then the up lanes of the *other* child; -1 = idle.
        None as for `up`.
    loop : bool array [slots, N]
        The leaf's own packet is looped back.
    """

    n: int
    c: Int64Array
    static_upper: bool
    up: tuple[Int32Array | None, ...]
    down: tuple[Int32Array | None, ...]
    loop: BoolArray


def compile_settings(dst: npt.ArrayLike, c: npt.ArrayLike, static_upper: bool = False) -> Settings:
    """Compile slots that are free of conflicts into node settings (ours).

    Parameters
    ----------
    dst : int array [slots, N]
        Destination of the packet of leaf x, -1 = idle.
    c : int array [n + 1]
        Capacity vector.
    static_upper : bool
        UPPER_HALF = STATIC; level h must then have exactly (2^h - 1) 2^(n-2h) lanes.

    Returns
    -------
    Settings

    Raises
    ------
    ValueError
        If an argument is malformed, or a slot is not free of conflicts; the message names the first
        such slot, the channel, its load and its capacity.

    Notes
    -----
    Lane = rank of the source among the leaves whose packets leave the subtree (up), rank of
    the destination among the leaves that packets enter (down): two running counts over the leaves a
    level.  On the fixed wires of a static upper half the group is given by the two nodes, and the
    place in it is the rank by source.  By the path's being unique any assignment of lanes within a
    channel will do, so a slot fits exactly if no load exceeds its capacity. O(slots N n) time; the
    settings take at most 8 n slots N bytes.

    Examples
    --------
    >>> settings = compile_settings([[0, 2, 1, 3]], [0, 1, 1])
    >>> settings.up[1], settings.loop
    (array([[[1],
            [0]]], dtype=int32), array([[ True, False, False,  True]]))
    >>> compile_settings([[2, 3, 0, 1]], [0, 1, 1])
    Traceback (most recent call last):
    ...
    ValueError: dst: slot 0: channel (level 1, index 0, up) has load 2; capacity is 1
    """
    array, n = check_slots(dst)
    lanes = check_capacity(n, c, static_upper)
    top = static_upper_half(n)[0] if static_upper else 0
    _check_loads(array, n, lanes, top)
    src = inverse(array)
    turn = _turn_levels(array, n)
    enters = _turn_levels(src, n)
    up_lane = [_up_lane(array, turn, n, level, top) for level in range(top, n + 1)]
    down_lane = [_ranks(enters < level, level) for level in range(top, n + 1)]
    if top > 0:
        # The wires keep the lane: what node (h, l) receives lies where node (h, k) has put it.
        down_lane[0] = np.take_along_axis(up_lane[0], np.maximum(src, 0), axis=1)
    ups: list[Int32Array | None] = [None] * top
    downs: list[Int32Array | None] = [None] * top
    for j in range(top, n):
        above, below = up_lane[j - top], up_lane[j - top + 1]
        ups.append(_up_settings(turn, above, below, lanes, j))
        at_dst = np.take_along_axis(below, np.maximum(src, 0), axis=1)
        source = np.where(enters == j, lanes[j] + at_dst, down_lane[j - top])
        downs.append(_down_settings(enters, source, down_lane[j - top + 1], lanes, j))
    loop = array == np.arange(1 << n, dtype=np.int32)
    return Settings(n, lanes, static_upper, tuple(ups), tuple(downs), loop)


def replay(settings: Settings, valid: npt.ArrayLike) -> Int32Array:
    """Walk the packets over the lanes under given settings, without looking at a destination.

    Parameters
    ----------
    settings : Settings
        What the nodes do.
    valid : bool array [slots, N]
        Which leaves inject a packet.

    Returns
    -------
    int32 array [slots, N]
        The source of the packet that arrives at each leaf, -1 = none.  If a packet from the tree
        meets a loop-back, the one from the tree is let through, as under SELF control.

    Examples
    --------
    >>> replay(compile_settings([[0, 2, 1, 3]], [0, 1, 1]), [[True, True, False, True]])
    array([[ 0, -1,  1,  3]], dtype=int32)
    """
    _, falling = walk(settings, valid)
    n, x = settings.n, np.arange(1 << settings.n, dtype=np.int32)
    own = np.where(np.asarray(valid) & settings.loop, x, np.int32(-1))
    arrives = falling[n][:, :, 0]
    return np.where(arrives >= 0, arrives, own)


def walk(
    settings: Settings, valid: npt.ArrayLike
) -> tuple[dict[int, Int32Array], dict[int, Int32Array]]:
    """Tell which packets are on the lanes of each level, up and down.

    Parameters
    ----------
    settings, valid : as of `replay`

    Returns
    -------
    two dicts of int32 arrays [slots, 2^j, c_j] by level j
        Source of the packet on each lane of the channel above node (j, k), -1 = none.

    Examples
    --------
    >>> up, down = walk(compile_settings([[0, 2, 1, 3]], [0, 1, 1]), [[True, True, False, True]])
    >>> up[1].tolist(), down[1].tolist()
    ([[[1], [-1]]], [[[-1], [1]]])
    """
    inject = np.asarray(valid)
    if inject.shape != settings.loop.shape or inject.dtype != np.bool_:
        raise ValueError(
            f"valid: has dtype {inject.dtype}, shape {inject.shape}; "
            f"allowed is bool, {settings.loop.shape}"
        )
    n, slots = settings.n, inject.shape[0]
    x = np.arange(1 << n, dtype=np.int32)
    rising = {n: np.where(inject & ~settings.loop, x, np.int32(-1))[:, :, None]}
    falling: dict[int, Int32Array] = {}
    top = static_upper_half(n)[0] if settings.static_upper else 0
    for j in range(n - 1, top - 1, -1):
        children = rising[j + 1].reshape(slots, 1 << j, 2 * rising[j + 1].shape[2])
        rising[j] = _select(children, _word(settings.up, j))
    above = _cross_wires(rising[top], n) if top > 0 else rising[0]
    if top > 0:
        falling[top] = above
    for j in range(top, n):
        # Child 0 hears the lanes of child 1 and the other way round.
        others = rising[j + 1].reshape(slots, 1 << j, 2, rising[j + 1].shape[2])[:, :, ::-1]
        parent = np.broadcast_to(above[:, :, None, :], (*others.shape[:3], above.shape[2]))
        ports = _select(np.concatenate((parent, others), axis=3), _word(settings.down, j))
        above = falling[j + 1] = ports.reshape(slots, 2 << j, ports.shape[3])
    return rising, falling


def _word(levels: tuple[Int32Array | None, ...], j: int) -> Int32Array:
    """Return the settings of level j, which must have nodes."""
    word = levels[j]
    if word is None:
        raise ValueError(f"settings: hold nothing for level {j}; allowed is an array")
    return word


def _select(inputs: Int32Array, word: Int32Array) -> Int32Array:
    """Return what each output lane carries, -1 for lanes that are idle or hear an idle one."""
    heard = np.take_along_axis(inputs, np.maximum(word, 0), axis=-1)
    return np.where(word >= 0, heard, np.int32(-1))


def _cross_wires(rising: Int32Array, n: int) -> Int32Array:
    """Carry the up lanes of level h over the fixed wires to its down lanes, [slots, 2^h, c_h]."""
    h, wires, group = static_upper_half(n)
    groups = rising.reshape(rising.shape[0], 1 << h, wires // group, group)
    there = np.arange(1 << h)[:, None]
    number = np.arange(wires // group)
    # Group number m of node l comes from node l XOR (m + 1), where it is number m as well.
    return groups[:, there ^ (number + 1), number].reshape(rising.shape)


def _turn_levels(partner: Int32Array, n: int) -> Int8Array:
    """Return the level at which each leaf's packet to or from its partner turns, n without one."""
    x = np.arange(partner.shape[1], dtype=np.int32)
    height = bit_lengths(n)[np.where(partner >= 0, partner ^ x, np.int32(0))]
    return np.int8(n) - height


def _ranks(asks: BoolArray, level: int) -> Int32Array:
    """Return the rank of each leaf among those that ask in its subtree of `level`, [slots, N]."""
    by_node = asks.reshape(asks.shape[0], 1 << level, asks.shape[1] >> level)
    return np.cumsum(by_node, axis=2, dtype=np.int32).reshape(asks.shape) - np.int32(1)


def _up_lane(dst: Int32Array, turn: Int8Array, n: int, level: int, top: int) -> Int32Array:
    """Return the lane on the up channel of `level` by source; meaningless where it is not used."""
    if level > top or top == 0:
        return _ranks(turn < level, level)
    _, _, group = static_upper_half(n)
    slot, x = np.nonzero(turn < level)
    here, there = x >> (n - level), dst[slot, x] >> (n - level)
    pair = (slot << 2 * level) + (here << level) + there
    lane = np.zeros(dst.shape, dtype=np.int32)
    lane[slot, x] = ((here ^ there) - 1) * group + _ranks_of_equals(pair)
    return lane


def _up_settings(
    turn: Int8Array, lane: Int32Array, child_lane: Int32Array, c: Int64Array, j: int
) -> Int32Array:
    """Return the word up[j]: lane of the child -> lane of node (j, k)."""
    slots, leaves = turn.shape
    shift = leaves.bit_length() - 1 - j
    word = np.full((slots, 1 << j, int(c[j])), -1, dtype=np.int32)
    slot, x = np.nonzero(turn < j)
    right = (x >> (shift - 1)) & 1
    word[slot, x >> shift, lane[slot, x]] = child_lane[slot, x] + right * c[j + 1]
    return word


def _down_settings(
    enters: Int8Array, source: Int32Array, lane: Int32Array, c: Int64Array, j: int
) -> Int32Array:
    """Return the word down[j]: input `source` -> lane into the child that holds the destination."""
    slots, leaves = enters.shape
    shift = leaves.bit_length() - 1 - j
    word = np.full((slots, 1 << j, 2, int(c[j + 1])), -1, dtype=np.int32)
    slot, y = np.nonzero(enters <= j)
    word[slot, y >> shift, (y >> (shift - 1)) & 1, lane[slot, y]] = source[slot, y]
    return word


def _ranks_of_equals(values: Int64Array) -> Int64Array:
    """Return for each value how many equal ones stand before it.

    Examples
    --------
    >>> _ranks_of_equals(np.array([7, 5, 7, 7]))
    array([0, 0, 1, 2])
    """
    sequence = np.argsort(values, kind="stable")
    ordered = values[sequence]
    position = np.arange(values.size)
    starts = np.diff(ordered, prepend=-1) > 0
    rank = np.empty(values.size, dtype=np.int64)
    rank[sequence] = position - np.maximum.accumulate(np.where(starts, position, 0))
    return rank


def _group_loads(dst: Int32Array, n: int) -> Int64Array:
    """Return how many packets want each group of fixed wires of the static upper half.

    Parameters
    ----------
    dst : int32 array [slots, N]
        Checked destinations, -1 = idle.
    n : int
        log2 N.

    Returns
    -------
    int64 array [slots, 2^h, 2^h]
        Entry (k, l): packets from S(h, k) to S(h, l); 0 for k = l, which has no wires.

    Examples
    --------
    >>> _group_loads(np.array([[2, 3, -1, 1]], dtype=np.int32), 2)
    array([[[0, 2],
            [1, 0]]])
    """
    h = n // 2
    slots = dst.shape[0]
    nodes = 1 << h
    slot, x = np.nonzero(dst >= 0)
    pair = (slot << 2 * h) + (x >> (n - h) << h) + (dst[slot, x] >> (n - h))
    loads = np.bincount(pair, minlength=slots << 2 * h).reshape(slots, nodes, nodes)
    loads[:, np.arange(nodes), np.arange(nodes)] = 0
    return loads


def _check_loads(dst: Int32Array, n: int, c: Int64Array, top: int) -> None:
    """Raise `ValueError` for the first slot with a conflict, naming the channel."""
    up, down = channel_loads(dst, n)
    capacity = FatTree(n).channel_lanes(c)
    capacity[: 1 << top] = dst.shape[1]
    loop = dst == np.arange(dst.shape[1], dtype=np.int32)
    ports = down[:, dst.shape[1] :] + loop
    wires = _group_loads(dst, n) if top > 0 else np.zeros((dst.shape[0], 1, 1), dtype=np.int64)
    group = 1 << (n - 2 * top)
    faults = []
    for name, load, limit in (("up", up, capacity), ("down", down, capacity)):
        faults += [(s, _channel(v, name), load[s, v], limit[v]) for s, v in _first(load > limit)]
    for s, pair in _first(wires.reshape(dst.shape[0], 1 << 2 * top) > group):
        k, other = divmod(pair, 1 << top)
        where = f"{_channel((1 << top) + k, 'up')}, wires to node ({top}, {other}),"
        faults.append((s, where, wires[s, k, other], group))
    for s, y in _first(ports > 1):
        faults.append((s, f"channel (level {n + 1}, index {y}, down)", ports[s, y], 1))
    if faults:
        slot, where, wanted, limit = min(faults, key=lambda fault: fault[0])
        raise ValueError(f"dst: slot {slot}: {where} has load {wanted}; capacity is {limit}")


def _channel(node: int, direction: str) -> str:
    """Name the channel of a heap index."""
    level = node.bit_length() - 1
    return f"channel (level {level}, index {node - (1 << level)}, {direction})"


def _first(wrong: BoolArray) -> list[tuple[int, int]]:
    """Return the (row, column) of the first entry that is set, if any."""
    row, column = np.nonzero(wrong)
    return [(int(row[0]), int(column[0]))] if row.size else []
