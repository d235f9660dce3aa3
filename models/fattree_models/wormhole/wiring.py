"""Switches and links of a wormhole network, as arrays: who is where, and what leads to what.

A turn-back node is two switches, the up switch first.  Ports are numbered through all switches.
"""

from dataclasses import dataclass, field
from functools import singledispatch

import numpy as np

from fattree_models.benes import fold
from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.ruft.routing import Ruft
from fattree_models.wormhole.network import Network

PLAIN, UP, DOWN = range(3)
"""Roles: a switch of its own, the up switch and the down switch of a turn-back node."""


@dataclass(frozen=True)
class Switches:
    """Where each switch stands; int64 arrays [switches], in no particular order.

    Parameters
    ----------
    role : PLAIN, UP or DOWN
    level, number : level, or stage of a Ruft from 0 on; number in it
    node : number in the network, by which its generator is seeded; -1: it never draws
    ins, outs : ports of each kind
    children, parents : m_l and P; no parents without a choice
    unit, span, group : M(l-1), M(l), W(l) of the contract: `leaf // unit % children` is the child,
        `leaf // span == number // group` whether a leaf is below
    roots : root links
    first_in, first_out : the ports of this switch begin here
    """

    role: Int64Array
    level: Int64Array
    number: Int64Array
    node: Int64Array
    ins: Int64Array
    outs: Int64Array
    children: Int64Array
    parents: Int64Array
    unit: Int64Array
    span: Int64Array
    group: Int64Array
    roots: Int64Array
    first_in: Int64Array = field(init=False)
    first_out: Int64Array = field(init=False)

    def __post_init__(self) -> None:
        for name, ports in (("first_in", self.ins), ("first_out", self.outs)):
            object.__setattr__(self, name, np.cumsum(ports) - ports)

    def __len__(self) -> int:
        return self.role.size


@dataclass(frozen=True)
class Wiring:
    """Switches and links.

    Parameters
    ----------
    switches : Switches
    target : int64 array [links]
        Where links lead: to an input port, or to leaf x if it is -1 - x.  Links are the output
        ports, then those from the leaves.
    told_out, told_in : int64 arrays
        Output ports, and input ports, in the order in which a network tells of them.
    ratio : int64 array [links], or empty
        Clocks from flit to flit on each; empty: one on all.
    """

    switches: Switches
    target: Int64Array
    told_out: Int64Array
    told_in: Int64Array
    ratio: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def links(self) -> int:
        """Number of links."""
        return self.target.size

    @property
    def feeder(self) -> Int64Array:
        """The link that leads to each input port, then to each leaf, int64 [inputs + leaves]."""
        inputs = int(self.switches.ins.sum())
        place = np.where(self.target >= 0, self.target, inputs - 1 - self.target)
        feeder = np.full(inputs + int((self.target < 0).sum()), -1)
        feeder[place] = np.arange(self.links)
        return feeder


def wire(network: Network) -> Wiring:
    """Return the switches and links of a network.

    Examples
    --------
    >>> from fattree_models.common.fat_tree import kary
    >>> wiring = wire(Network(tree=kary(2, 2)))
    >>> wiring.target.tolist()
    [-1, -2, 8, 10, -3, -4, 9, 11, 2, 6, 3, 7, 0, 1, 4, 5]
    """
    return wired(network.tree, network)


@singledispatch
def wired(tree: object, network: Network) -> Wiring:
    """`wire` by the class of the tree; another kind of tree registers its own."""
    raise NotImplementedError(f"{type(tree).__name__} is not wired")


@wired.register
def _(tree: Xgft, network: Network) -> Wiring:
    """Level by level."""
    levels = range(tree.first, tree.height + 1)
    parts = [_level(network, tree, level) for level in levels]
    switches = Switches(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    at = [np.flatnonzero(switches.level == level) for level in levels]
    # Which of its switches faces a node's children as a sender, and so on; one, or one of two.
    two = 2 if network.turnback else 1
    up = {level: each[::two] for level, each in zip(levels, at, strict=True)}
    down = {level: each[two - 1 :: two] for level, each in zip(levels, at, strict=True)}
    below = {level: tree.down_ports(level) for level in levels}
    above = 0 if network.turnback else 1  # whether ports to parents come after those to children
    target = np.full(int(switches.outs.sum()) + tree.leaves, -1)

    leaf = np.arange(tree.leaves)
    node, port = (leaf, leaf * 0) if tree.first == 0 else (leaf // tree.m[0], leaf % tree.m[0])
    target[switches.first_out[down[tree.first][node]] + port] = -1 - leaf
    target[target.size - tree.leaves + leaf] = switches.first_in[up[tree.first][node]] + port
    for level in levels[:-1]:
        node, choice = np.divmod(
            np.arange(tree.level_size(level) * tree.up_ports(level)), tree.up_ports(level)
        )
        parent, place = tree.up(level, node, choice)
        high = above * below[level] + choice
        lower, upper = up[level][node], up[level + 1][parent]
        target[switches.first_out[lower] + high] = switches.first_in[upper] + place
        upper, lower = down[level + 1][parent], down[level][node]
        target[switches.first_out[upper] + place] = switches.first_in[lower] + high
    if network.turnback:
        _turns(network, tree, switches, target, up, down)
    told = _told(network, tree, switches, up, down)
    return Wiring(switches, target, *told)


def _level(network: Network, tree: Xgft, level: int) -> list[Int64Array]:
    """Return the columns of `Switches` for one level, switch by switch."""
    size, m, p = tree.level_size(level), tree.down_ports(level), tree.up_ports(level)
    r = network.root_links if network.turnback and level == tree.height else 0
    before = sum(tree.level_size(each) for each in range(tree.first, level))
    unit, span = (tree.subtree_leaves(each) for each in (max(level - 1, 0), level))
    group = tree.w_span(level)
    if network.turnback:
        t = network.tbch
        ports = [(UP, m + r, p + r + t, p, r), (DOWN, p + t, m, 0, 0)]
    else:
        ports = [(PLAIN, m + p, m + p, p, 0)]
    rows = [
        (role, level, s, node, ins, outs, m, parents, unit, span, group, roots)
        for s in range(size)
        for role, ins, outs, parents, roots in ports
        for node in [before + s if network.chooses and role != DOWN else -1]
    ]
    return list(np.array(rows, dtype=np.int64).T)


def _turns(
    network: Network,
    tree: Xgft,
    switches: Switches,
    target: Int64Array,
    up: dict[int, Int64Array],
    down: dict[int, Int64Array],
) -> None:
    """Wire turn-back channels and root links."""
    for level in up:
        parents = tree.up_ports(level)
        ahead = parents + int(switches.roots[up[level][0]])
        for k in range(network.tbch):
            source = switches.first_out[up[level]] + ahead + k
            target[source] = switches.first_in[down[level]] + parents + k
    top = up[tree.height]
    for k in range(int(switches.roots[top[0]])):
        far = k // 2 + 1
        other = top[(np.arange(top.size) + (-far if k % 2 else far)) % top.size]
        target[switches.first_out[top] + k] = switches.first_in[other] + tree.m[-1] + k


def _told(
    network: Network,
    tree: Xgft,
    switches: Switches,
    up: dict[int, Int64Array],
    down: dict[int, Int64Array],
) -> tuple[Int64Array, Int64Array]:
    """Return `told_out` and `told_in`."""
    order = [(level, s) for level in up for s in range(tree.level_size(level))]
    if network.folded:
        ports, levels = network.folded
        width = tree.level_size(tree.height)
        order = []
        for stage in range(2 * levels - 1):
            level, nodes = fold(ports, levels, stage, np.arange(width))
            order += [(level, int(node)) for node in nodes]
    outs, ins = [], []
    for level, s in order:
        a, b = up[level][s], down[level][s]
        if not network.turnback:
            outs += _ports(switches.first_out[a], 0, switches.outs[a])
            ins += _ports(switches.first_in[a], 0, switches.ins[a])
            continue
        children, parents = int(switches.children[a]), int(switches.parents[a])
        outs += _ports(switches.first_out[b], 0, children)
        outs += _ports(switches.first_out[a], 0, switches.outs[a])
        ins += _ports(switches.first_in[a], 0, children)
        ins += _ports(switches.first_in[b], 0, parents)
        ins += _ports(switches.first_in[a], children, switches.ins[a])
        ins += _ports(switches.first_in[b], parents, switches.ins[b])
    return np.array(outs, dtype=np.int64), np.array(ins, dtype=np.int64)


def _ports(first: int, low: int, high: int) -> list[int]:
    return list(range(int(first) + int(low), int(first) + int(high)))


@wired.register
def _(net: Ruft, network: Network) -> Wiring:
    """Stage by stage."""
    k, width = net.k, net.width
    stage, number = np.divmod(np.arange(net.switches), width)
    unit, ports, zero = k**stage, np.full_like(stage, k), np.zeros_like(stage)
    switches = Switches(
        *(zero + PLAIN, stage, number, zero - 1, ports, ports, ports, zero),
        *(unit, unit * k, zero + 1, zero),
    )
    target = np.full(net.switches * k + net.leaves, -1)
    for each in range(net.n):
        switch, port = np.divmod(np.arange(width * k), k)
        link = each * width * k + np.arange(width * k)
        if each == net.n - 1:
            target[link] = -1 - (port * width + switch)
        else:
            following, entry = net.onward(each, switch, port)
            target[link] = ((each + 1) * width + following) * k + entry
    switch, port = net.enter(np.arange(net.leaves))
    target[net.switches * k :] = switch * k + port
    every = np.arange(net.switches * k)
    return Wiring(switches, target, every, every)
