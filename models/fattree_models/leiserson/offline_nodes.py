"""Trees of off-line nodes: settings for each delivery cycle, and what they deliver.

An off-line node (Leiserson 1985, Sections II and IV) has three partial concentrators whose switches
somebody sets before a delivery cycle, and nothing else.  Messages are M = 1 and data bits, without
an address; none is acknowledged, for a schedule loses none.  `decisions` chooses the edges of all
messages; here they become the bits that the switches of all nodes get, and the wires that messages
arrive at.  Both follow from the walk of each message alone: `cycle` is another algorithm.

Settings of a delivery cycle are those of nodes 0, 1, ... of level 0, then of level 1, and so on; of
a node, those of U_o, of L_o, of R_o (their inputs in the order of `partial_settings`); of a port,
stage by stage, three bits an input, the lowest first: the edge that it takes, 7 for none.  A port
that needs no concentrator has a bit an input: 1, it leads to the output of its number.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array
from fattree_models.leiserson.cycle import CycleOutcome
from fattree_models.leiserson.partial import adjacency
from fattree_models.leiserson.partial_settings import decisions
from fattree_models.leiserson.serial_tree import (
    DECISION_BITS,
    SerialTree,
    check_destinations,
    check_edges,
    source_processor,
)


def setting_bits(tree: SerialTree) -> int:
    """Return the bits of the settings of all nodes.

    Examples
    --------
    Two processors of a wire each, and one to outside: six inputs, three bits each:

    >>> setting_bits(SerialTree((1, 1), "PARTIAL", nodes="OFFLINE"))
    18
    """
    return sum(_node_bits(tree, k) << k for k in range(tree.h))


def settings(
    tree: SerialTree, dst: npt.ArrayLike, edges: npt.ArrayLike | None = None
) -> UInt8Array:
    """Set all nodes so that messages take given edges.

    Parameters
    ----------
    tree : SerialTree
        Of off-line nodes.
    dst, edges : int array [C, S], uint8 array [C, S, E]
        As of `deliver`, and of `decisions`, which chooses if there are none.

    Returns
    -------
    uint8 array [C, ceil(setting_bits / 8)]
        Of each delivery cycle, little-endian.

    Raises
    ------
    ValueError
        If the nodes of the tree are others, a message has no edge at a stage, or two meet.

    Examples
    --------
    >>> tree = SerialTree((1, 1), "PARTIAL", pipeline=0, data_bits=8, nodes="OFFLINE")
    >>> settings(tree, [[1, -1, 0]], [[[0], [0], [0]]])
    array([[255, 129,   3]], dtype=uint8)
    """
    return np.packbits(_walk(tree, dst, edges).bits, axis=1, bitorder="little")


def lead(tree: SerialTree, dst: npt.ArrayLike, edges: npt.ArrayLike | None = None) -> CycleOutcome:
    """Return what `settings` deliver: all messages; none is lost, and none acknowledged.

    Raises
    ------
    ValueError
        As `settings` does.

    Examples
    --------
    >>> tree = SerialTree((1, 1), "PARTIAL", pipeline=0, data_bits=8, nodes="OFFLINE")
    >>> lead(tree, [[1, -1, 0]], [[[0], [0], [0]]]).arrived
    array([[ 2,  0, -1]], dtype=int32)
    """
    return _walk(tree, dst, edges).outcome


def _walk(tree: SerialTree, dst: npt.ArrayLike, edges: npt.ArrayLike | None) -> "_Walk":
    """Return the walk of all messages."""
    if not tree.offline:
        raise ValueError("tree: has nodes that decide; allowed are off-line nodes")
    wants = check_destinations(tree, dst)
    chosen = decisions(tree.cap, wants) if edges is None else edges
    return _Walk(tree, wants, check_edges(tree, chosen, wants.shape))


class _Walk:
    """All messages of all cycles, level by level; arrays are [messages] if nothing else is said."""

    def __init__(self, tree: SerialTree, dst: npt.NDArray[np.int32], edges: UInt8Array) -> None:
        self.tree = tree
        self.cycle, source = np.nonzero(dst >= 0)
        self.goal = dst[self.cycle, source].astype(np.int64)
        self.edges = edges[self.cycle, source]
        self.stages = np.zeros(source.size, np.int64)  # behind it
        self.ports = np.zeros(source.size, np.int64)  # behind it
        self.bits = np.zeros((len(dst), setting_bits(tree)), np.uint8)
        self.outcome = CycleOutcome.silent(tree, len(dst))
        for k in range(tree.h):
            self._clear(k)
        h, inside = tree.h, source < tree.n * tree.ports
        own = source_processor(tree)[source].astype(np.int64)
        self.wire = np.where(inside, source % tree.ports, source - tree.n * tree.ports)
        turned = np.full(source.size, -1)  # level at which it turned; -1: it came from outside
        climbing = inside.copy()
        self._use(self.outcome.used_up, climbing, tree.n + own)
        for k in reversed(range(h)):
            child = own >> (h - 1 - k)
            turned[climbing & (self.goal >> (h - k) == child >> 1)] = k
            climbing &= turned < 0
            into = (child & 1) * tree.cap[k + 1] + self.wire
            self._pass(climbing, k, child >> 1, 0, into)
            self._use(self.outcome.used_up, climbing, (1 << k) + (child >> 1))
        falling = ~inside
        self._use(self.outcome.used_down, falling, np.ones_like(own))
        for k in range(h):
            into = np.where(turned == k, self.wire, tree.cap[k + 1] + self.wire)
            falling |= turned == k
            child = self.goal >> (h - k - 1)
            self._pass(falling, k, child >> 1, 1 + (child & 1), into)
            self._use(self.outcome.used_down, falling, (2 << k) + child)
        self._arrive(source, climbing)

    def _clear(self, k: int) -> None:
        """Settings of a level that lead nothing anywhere."""
        tree = self.tree
        of_node = [_cleared(tree, *tree.shape_up[k]), *2 * [_cleared(tree, *tree.shape_down[k])]]
        first = _node_at(tree, k, np.zeros(1, np.int64))[0]
        one = np.concatenate(of_node)
        self.bits[:, first : first + (one.size << k)] = np.tile(one, 1 << k)

    def _pass(
        self, who: BoolArray, k: int, node: Int64Array, port: int | Int64Array, into: Int64Array
    ) -> None:
        """Lead messages through ports 0, 1, 2 (U_o, L_o, R_o) of nodes of level k."""
        tree, now = self.tree, np.flatnonzero(who)
        r, s = tree.shape_down[k] if isinstance(port, np.ndarray) else tree.shape_up[k]
        at = _node_at(tree, k, node[now])
        if isinstance(port, np.ndarray):
            at = at + _port_bits(tree, *tree.shape_up[k])
            at = at + (port[now] - 1) * _port_bits(tree, r, s)
        wire, cycle = into[now], self.cycle[now]
        plan = tree.plan(r, s)
        if not plan:
            self._meet(cycle, at + wire)
            self.bits[cycle, at + wire] = 1
        for inputs, outputs in plan:
            edge = self.edges[now, self.stages[now]].astype(np.int64)
            graph = np.asarray(adjacency(inputs, outputs))
            if (edge >= graph.shape[1]).any() or (graph[wire, edge] < 0).any():
                raise ValueError("edges: holds none for a message at a stage; allowed are edges")
            self._meet(cycle, at + DECISION_BITS * wire)
            for bit in range(DECISION_BITS):
                self.bits[cycle, at + DECISION_BITS * wire + bit] = edge >> bit & 1
            wire, at = graph[wire, edge].astype(np.int64), at + DECISION_BITS * inputs
            self.stages[now] += 1
        self.wire[now] = wire
        self.ports[now] += 1

    def _use(self, used: npt.NDArray[np.int32], who: BoolArray, channel: Int64Array) -> None:
        """Count the wires in use of channels that messages pass."""
        np.add.at(used, (self.cycle[who], channel[who]), 1)

    def _meet(self, cycle: Int64Array, place: Int64Array) -> None:
        """ValueError if two messages of a delivery cycle are in one place."""
        spread = max(self.bits.shape[1], self.tree.sources)
        if np.unique(cycle * spread + place).size < place.size:
            raise ValueError("edges: lead two messages of a delivery cycle to one wire")

    def _arrive(self, source: Int64Array, out: BoolArray) -> None:
        """Note where messages end; `out`: in the channel above the root."""
        tree, outcome = self.tree, self.outcome
        sink = np.where(out, tree.n, self.goal) * tree.ports + self.wire
        self._meet(self.cycle, sink)
        outcome.arrived[self.cycle, sink] = source
        outcome.tick[self.cycle, sink] = 1 + tree.pipeline * self.ports
        outcome.delivered[self.cycle, source] = True


def _port_bits(tree: SerialTree, r: int, s: int) -> int:
    plan = tree.plan(r, s)
    return DECISION_BITS * sum(inputs for inputs, _ in plan) if plan else r


def _cleared(tree: SerialTree, r: int, s: int) -> UInt8Array:
    return np.full(_port_bits(tree, r, s), bool(tree.plan(r, s)), np.uint8)


def _node_bits(tree: SerialTree, k: int) -> int:
    return _port_bits(tree, *tree.shape_up[k]) + 2 * _port_bits(tree, *tree.shape_down[k])


def _node_at(tree: SerialTree, k: int, node: Int64Array) -> Int64Array:
    """Return where the settings of nodes of level k begin."""
    return sum(_node_bits(tree, j) << j for j in range(k)) + node * _node_bits(tree, k)
