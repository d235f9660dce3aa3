"""Turn-back routing, TB and TBWP, on XGFTs (Kariniemi and Nurmi 2004, by way of the OXGFT paper).

A node of level l is two switches.  The up switch has m_l inputs from below; its outputs are w_{l+1}
up, then TBCH turn-back channels to the node's own down switch.  The down switch has m_l outputs.
A topmost node has ROOT_LINKS outputs to other topmost nodes where others have those up (lateral):
output i of root r leads to the up switch of root r + 1, r - 1, r + 2, r - 2, ... for i = 0, 1, 2,
3, ..., in a ring of all R = prod w_i roots.  Where a leaf has several up links (w_1 > 1) it is a
node of level 0 with one input and one output.

TB takes a shortest route: up, by any parent, to a node above the destination, then by any of its
turn-back channels down by the destination's digits.  TBWP, turn back when possible, may go on up
where it could turn, and from root to root: `lateral` times at most.  A switch chooses so only if no
turn-back channel has room; which routes are legal does not depend on that.  The ring, and the limit
of one lateral hop, are ours; public summaries of TBWP have no limit, and then there is a cycle of
channels that can wait for each other.

A hop list is the outputs taken, one a switch, up and down switches each.

`Turnback` is a network; `walk` tells where hop lists lead, `legal` which are routes, `channels`
which channels one takes, `next_channels` and `entries` what a packet may take next and first,
`shortest_hops` how long the shortest routes are.
`turnback.dependencies` has what may wait for what, `fat_tree.vectors` the addresses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, check_integer, check_word
from fattree_models.common.fat_tree.routing import check_hops, check_lists, check_pairs, nca_level
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.common.fat_tree.walk import LOST, start

Kind = Literal["UP", "LATERAL", "TURN", "DOWN"]
KINDS: tuple[Kind, ...] = ("UP", "LATERAL", "TURN", "DOWN")  # in the order in which routes use them
UP, LATERAL, TURN, DOWN = range(4)


class Channel(NamedTuple):
    """What an output of a node leads to, by its kind and its number among those of its kind."""

    kind: Kind
    level: int
    node: int
    number: int


@dataclass(frozen=True)
class Turnback:
    """An XGFT of turn-back nodes.

    Parameters
    ----------
    tree : Xgft
    tbch : int
        Turn-back channels a node, 1 ... the greatest m_i.
    root_links : int
        Lateral outputs of a topmost node, 0 ... 2 (R - 1).
    lateral : int or None
        Lateral hops of a packet, at most; None for any number.
    routing : {"TB", "TBWP"}
        TB makes no use of root links.

    Examples
    --------
    The OXGFT paper's XGFT(3; 4, 3, 5; 2, 2, 2), whose last 2 we read as root links:

    >>> net = Turnback(Xgft((4, 3, 5), (1, 2, 2)), tbch=2, root_links=2)
    >>> net.roots, [net.neighbour(root, 0) for root in range(4)]
    (4, [1, 2, 3, 0])
    """

    tree: Xgft
    tbch: int = 1
    root_links: int = 0
    lateral: int | None = 1
    routing: Literal["TB", "TBWP"] = "TBWP"

    def __post_init__(self) -> None:
        put, links = object.__setattr__, 2 * (self.roots - 1)
        put(self, "tbch", check_integer("tbch", self.tbch, 1, max(self.tree.m)))
        put(self, "root_links", check_integer("root_links", self.root_links, 0, links))
        if self.lateral is not None:
            put(self, "lateral", check_integer("lateral", self.lateral, 0))
        check_word("routing", self.routing, "TB", "TBWP")

    @property
    def roots(self) -> int:
        """Topmost nodes, R."""
        return self.tree.level_size(self.tree.height)

    @property
    def levels(self) -> range:
        """Levels that have nodes of two switches."""
        return range(self.tree.first, self.tree.height + 1)

    @property
    def most_lateral(self) -> float:
        """Lateral hops that a packet may take: 0, `lateral`, or infinity."""
        if self.routing == "TB" or not self.root_links:
            return 0
        return float("inf") if self.lateral is None else self.lateral

    def ahead(self, level: int) -> int:
        """Return the outputs of an up switch that do not turn: those up, or at the top lateral."""
        return self.tree.up_ports(level) or self.root_links

    def neighbour(self, root: int, number: int) -> int:
        """Return the root behind a lateral output of a root.

        Examples
        --------
        >>> net = Turnback(Xgft((2, 2, 2), (1, 2, 4)), root_links=4)
        >>> [net.neighbour(0, number) for number in range(4)]
        [1, 7, 2, 6]
        """
        root = check_integer("root", root, 0, self.roots - 1)
        number = check_integer("number", number, 0, self.root_links - 1)
        return int(self.neighbours(np.array([root]), np.array([number]))[0])

    def neighbours(self, root: Int64Array, number: Int64Array) -> Int64Array:
        """Return the same of arrays of one shape."""
        distance = number // 2 + 1
        return np.asarray((root + np.where(number % 2, -distance, distance)) % self.roots)


@dataclass(frozen=True)
class Way:
    """The switches that hop lists visit.

    Parameters
    ----------
    level, node : int64 arrays [pairs, hops]
        Node in which each hop's output is taken, -1 where there is none.
    kind : int64 array [pairs, hops]
        What the output leads to, as an index into `KINDS`, -1 where there is none: 0 to 2 are
        outputs of up switches, 3 of down switches.
    end : int64 array [pairs]
        The leaf to which the last hop leads; -1 if it leads to none, if an output does not exist,
        or if hops are left after a leaf, or after a -1.
    """

    level: Int64Array
    node: Int64Array
    kind: Int64Array
    end: Int64Array


def walk(net: Turnback, src: npt.ArrayLike, ports: npt.ArrayLike) -> Way:
    """Follow hop lists, int [pairs, hops], from leaves `src`.

    Examples
    --------
    Up to node 0 of level 2, lateral to node 1, turn, down, down:

    >>> net = Turnback(Xgft((2, 2), (1, 2)), root_links=1)
    >>> way = walk(net, [0], [[0, 0, 1, 1, 0]])
    >>> [KINDS[kind] for kind in way.kind[0]], way.node.tolist(), way.end.tolist()
    (['UP', 'LATERAL', 'TURN', 'DOWN', 'DOWN'], [[0, 0, 1, 1, 1]], [2])
    """
    tree = net.tree
    sources, _ = check_lists(tree, src, src)
    given = check_hops(ports, sources.size)
    levels, nodes, kinds = (np.full_like(given, -1) for _ in range(3))
    level, node = start(tree, sources)
    down = np.zeros(level.shape, dtype=np.bool_)
    for hop, port in enumerate(given.T):
        moves = port != -1
        level[moves & (given[:, :hop] == -1).any(axis=1)] = LOST
        here = moves & (level >= tree.first)
        levels[here, hop], nodes[here, hop] = level[here], node[here]
        kinds[:, hop] = _kinds(net, level, down, port)
        level[moves & (kinds[:, hop] < 0)] = LOST
        _step(net, level, node, port, kinds[:, hop])
        down |= kinds[:, hop] == TURN
    return Way(levels, nodes, kinds, np.where(level == tree.first - 1, node, -1))


def _kinds(net: Turnback, level: Int64Array, down: BoolArray, port: Int64Array) -> Int64Array:
    """Return what outputs lead to, -1 for an output that does not exist."""
    kind = np.full_like(port, -1)
    for each in net.levels:
        there = (level == each) & (port >= 0)
        ahead = net.ahead(each)
        top = each == net.tree.height
        kind[there & ~down & (port < ahead)] = LATERAL if top else UP
        kind[there & ~down & (port >= ahead) & (port < ahead + net.tbch)] = TURN
        kind[there & down & (port < net.tree.down_ports(each))] = DOWN
    return kind


def _step(
    net: Turnback, level: Int64Array, node: Int64Array, port: Int64Array, kind: Int64Array
) -> None:
    """Move packets, in place, to the nodes behind their outputs."""
    tree, before = net.tree, level.copy()
    for each in net.levels:
        up = np.flatnonzero((before == each) & (kind == UP))
        if up.size:
            node[up] = tree.up(each, node[up], port[up])[0]
        down = np.flatnonzero((before == each) & (kind == DOWN))
        if down.size and each:  # behind a leaf that is a node is the leaf
            node[down] = tree.down(each, node[down], port[down])
    level += np.where(kind == UP, 1, np.where(kind == DOWN, -1, 0))
    lateral = kind == LATERAL
    node[lateral] = net.neighbours(node[lateral], port[lateral])


def legal(net: Turnback, src: npt.ArrayLike, dst: npt.ArrayLike, ports: npt.ArrayLike) -> BoolArray:
    """Tell which hop lists are routes from `src` to `dst`, bool [pairs].

    Notes
    -----
    A list that arrives has turned above its destination and gone down by its digits.  What is left
    to ask is whether TB turned as soon as it could, and how often TBWP went from root to root.

    Examples
    --------
    Both turn; the second could have turned a level earlier:

    >>> tree, lists = Xgft((2, 2), (1, 2)), [[2, 1, -1, -1], [1, 0, 0, 1]]
    >>> legal(Turnback(tree, routing="TB"), [0, 0], [1, 1], lists)
    array([ True, False])
    >>> legal(Turnback(tree, routing="TBWP"), [0, 0], [1, 1], lists)
    array([ True,  True])
    """
    sources, targets = check_lists(net.tree, src, dst)
    way = walk(net, sources, ports)
    good = (way.end == targets) & ((way.kind == LATERAL).sum(axis=1) <= net.most_lateral)
    if net.routing == "TB":
        nearest = np.maximum(nca_level(net.tree, sources, targets), net.tree.first)
        good &= (way.kind == UP).sum(axis=1) == nearest - net.tree.first
    return np.asarray(good)


def channels(net: Turnback, src: int, ports: Sequence[int]) -> list[Channel]:
    """Return the channels that one hop list takes.

    Examples
    --------
    >>> for channel in channels(Turnback(Xgft((2, 2), (1, 2))), 0, [2, 1]):
    ...     print(channel)
    Channel(kind='TURN', level=1, node=0, number=0)
    Channel(kind='DOWN', level=1, node=0, number=1)
    """
    taken = check_hops([ports], 1)
    way = walk(net, [src], taken)
    found = []
    for level, node, kind, port in np.concatenate(
        [way.level, way.node, way.kind, taken]
    ).T.tolist():
        if kind >= 0:
            number = port - net.ahead(level) if kind == TURN else port
            found.append(Channel(KINDS[kind], level, node, number))
    return found


def entries(net: Turnback, src: int, dst: int) -> list[Channel]:
    """Return the channels that a packet may take first."""
    sources, targets = check_pairs(net.tree, [src], [dst])
    level, node = start(net.tree, sources)
    return _choices(net, int(level[0]), int(node[0]), int(targets[0]), 0)


def next_channels(net: Turnback, channel: Channel, dst: int, laterals: int = 0) -> list[Channel]:
    """Return the channels that a packet may take after a channel, none if it has arrived.

    Parameters
    ----------
    channel : Channel
        One that it may have taken.
    dst : int
        Its destination.
    laterals : int
        How often it was lateral, `channel` included.

    Examples
    --------
    >>> net = Turnback(Xgft((2, 2), (1, 2)), root_links=1)
    >>> for channel in next_channels(net, Channel("UP", 1, 0, 0), dst=1):
    ...     print(channel)
    Channel(kind='LATERAL', level=2, node=0, number=0)
    Channel(kind='TURN', level=2, node=0, number=0)
    """
    level, node = behind(net, channel)
    dst = check_integer("dst", dst, 0, net.tree.leaves - 1)
    if channel.kind in ("UP", "LATERAL"):
        return _choices(net, level, node, dst, laterals)
    if level < net.tree.first:
        return []
    below = net.tree.subtree_leaves(max(level - 1, 0))
    return [Channel("DOWN", level, node, dst // below % net.tree.down_ports(level))]


def behind(net: Turnback, channel: Channel) -> tuple[int, int]:
    """Return level and number of the node to which a channel leads, or of the leaf."""
    kind, level, node, number = channel
    if kind == "UP":
        return level + 1, int(net.tree.up(level, [node], [number])[0][0])
    if kind == "DOWN":
        return level - 1, int(net.tree.down(level, [node], [number])[0]) if level else node
    return level, net.neighbour(node, number) if kind == "LATERAL" else node


def _choices(net: Turnback, level: int, node: int, dst: int, laterals: int) -> list[Channel]:
    """Return the outputs of an up switch that a packet may take."""
    tree = net.tree
    above = dst // tree.subtree_leaves(level) == node // tree.w_span(level)
    wanted: list[tuple[Kind, int]] = []
    if level == tree.height:
        wanted += [("LATERAL", net.root_links)] if laterals < net.most_lateral else []
    elif not above or net.routing == "TBWP":
        wanted += [("UP", tree.up_ports(level))]
    if above:
        wanted += [("TURN", net.tbch)]
    return [Channel(kind, level, node, number) for kind, count in wanted for number in range(count)]


def shortest_hops(net: Turnback, src: npt.ArrayLike, dst: npt.ArrayLike) -> Int64Array:
    """Return the switches on a shortest route, under TB on any: two a level.

    Examples
    --------
    >>> shortest_hops(Turnback(Xgft((4, 3, 5), (1, 2, 2))), 0, [0, 3, 4, 59])
    array([2, 2, 4, 6])
    """
    nearest = np.maximum(nca_level(net.tree, src, dst), net.tree.first)
    return np.asarray(2 * (nearest - net.tree.first + 1))
