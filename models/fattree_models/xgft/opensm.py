"""The tables of OpenSM's fat-tree routing: greedy counting, leaf by leaf (osm_ucast_ftree.c).

Leaves are routed in the order of their numbers.  From its leaf switch the way to a leaf is traced
upwards: at every switch on it the up link that fewest leaves are reached by so far is taken, among
equals the one of lowest number.  Every upper switch met gets the port down, every other switch
below it the port up.
"""

from dataclasses import dataclass, field

import numpy as np

from fattree_models.common.fat_tree.routing import Int16Array
from fattree_models.common.fat_tree.tables import Tables
from fattree_models.common.fat_tree.topology import Xgft

Node = tuple[int, int]


@dataclass
class _Switch:
    """A switch as the algorithm sees it.

    `up` are its (switch above, its down port that leads here), `down` the (switch below, its up
    port that leads here), by port; `reached` counts the leaves that are reached down each of the
    links that `up` are; `port` leads to the leaf being routed, -1 if unknown.
    """

    up: list[tuple["_Switch", int]] = field(default_factory=list)
    down: list[tuple["_Switch", int]] = field(default_factory=list)
    reached: list[int] = field(default_factory=list)
    port: int = -1


def opensm_tables(tree: Xgft) -> Tables:
    """Return the tables that OpenSM's fat-tree routing makes for a whole tree.

    Parameters
    ----------
    tree : Xgft
        With w_1 = 1: a leaf is a host with one port.

    Returns
    -------
    Tables
        One address a leaf.

    Raises
    ------
    ValueError
        If w_1 > 1.

    Notes
    -----
    O(leaves * links) steps of Python.  What the source does beyond this (missing hosts, sibling
    links, parallel links, reverse hops) does not arise here, and three of its rules decide nothing
    on a whole tree, so they are left out: the order of going down, as there is one way down from a
    switch to another; lengths of ways, as the first found is a shortest; and, among equally loaded
    links, the least load of the upper switch's links, as all its other children have either not
    been dealt any leaf yet (then it is 0) or no fewer on that link (then it is the equal load).

    Every switch counts from 0, so where m_1 ... m_l is a multiple of w_1 ... w_{l+1} at every
    level this is D-mod-k; elsewhere the first up ports of all switches get more destinations than
    the last (tests).

    Examples
    --------
    >>> opensm_tables(Xgft((2, 2), (1, 2))).ports[1].tolist()
    [[0, 1, 2, 3], [2, 3, 0, 1]]
    """
    if tree.first == 0:
        raise ValueError(f"tree: w_1 is {tree.w[0]}; allowed is 1, hosts with one port")
    switches = _wire(tree)
    ports: list[Int16Array] = [np.zeros((0, tree.leaves), dtype=np.int16)]
    ports += [np.empty((len(row), tree.leaves), dtype=np.int16) for row in switches]
    for leaf in range(tree.leaves):
        for row in switches:
            for switch in row:
                switch.port = -1
        first = switches[0][leaf // tree.m[0]]
        first.port = leaf % tree.m[0]
        _ascend(first, main=True)
        for level, row in enumerate(switches, start=1):
            ports[level][:, leaf] = [switch.port for switch in row]
    return Tables(tree, tuple(ports))


def _wire(tree: Xgft) -> list[list[_Switch]]:
    """Return the switches of levels 1 ... h, wired, all counters 0."""
    switches = [
        [_Switch() for _ in range(tree.level_size(level))] for level in range(1, tree.height + 1)
    ]
    for level in range(1, tree.height):
        ports = np.arange(tree.up_ports(level))
        for node, switch in enumerate(switches[level - 1]):
            above, arrives = tree.up(level, node, ports)
            for c, (upper, q) in enumerate(zip(above.tolist(), arrives.tolist(), strict=True)):
                remote = switches[level][upper]
                switch.up.append((remote, q))
                switch.reached.append(0)
                remote.down.append((switch, tree.down_ports(level) + c))
    return switches


def _ascend(switch: _Switch, main: bool) -> None:
    """Route the leaf below `switch` in all below it, and in all above it.

    The main way, which hosts use, takes the least loaded link and is counted; then all other upper
    switches that do not know the leaf yet get a way, which is not.
    """
    _descend(switch)
    order = sorted(range(len(switch.up)), key=lambda c: (switch.reached[c], c))
    for place, c in enumerate(order):
        remote, port = switch.up[c]
        if main and place == 0:
            switch.reached[c] += 1
        if remote.port < 0:
            remote.port = port
            _ascend(remote, main=main and place == 0)


def _descend(switch: _Switch) -> None:
    """Route the leaf, up, in all switches below that have no way to it yet."""
    for below, port in switch.down:
        if below.port < 0:
            below.port = port
            _descend(below)
