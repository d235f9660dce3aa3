"""RUFT and the k-ary n-tree that it comes from: parts, loads, latency.

`counts` and `tree_counts` count parts; `collapse` compares all routes and loads with the tree's
under CLIMB=TOP, whose way down is collapsed to a long link; `zero_load_latency`, `hops_saved` and
`crossing` tell how long that link may be.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integer, check_integers
from fattree_models.common.fat_tree import latency
from fattree_models.common.fat_tree.routing import routes
from fattree_models.common.fat_tree.shapes import kary
from fattree_models.common.fat_tree.walk import walk
from fattree_models.common.structure import LEAF_WIDTH, Link, Node, Structure
from fattree_models.ruft import routing as ruft
from fattree_models.ruft.routing import Ruft


@dataclass(frozen=True)
class Parts:
    """What a network consists of, every direction counted for itself.

    Parameters
    ----------
    switches : int
    links : int
        One-way links, those from and to the leaves included.
    ports : int
        Inputs and outputs of all switches.
    """

    switches: int
    links: int
    ports: int


def counts(net: Ruft) -> Parts:
    """Count the parts of a RUFT: (n + 1) k^n links.

    Examples
    --------
    >>> counts(Ruft(4, 3))
    Parts(switches=48, links=256, ports=384)
    """
    return Parts(net.switches, (net.n + 1) * net.leaves, 2 * net.k * net.switches)


def structure(net: Ruft, lanes: int = 1) -> Structure:
    """Return its nodes and links: out of switches, stage by stage, then from leaves.

    Examples
    --------
    >>> made = structure(Ruft(2, 2))
    >>> made.links[4], made.nodes[made.head[4]]
    ('switch (2, 0) port 0', 'leaf 0')
    """
    nodes = [Node(f"leaf {x}", 0, x, x + 0.5, 0.0, LEAF_WIDTH) for x in range(net.leaves)]
    nodes += [
        Node(f"switch ({level}, {k})", level, k, (k + 0.5) * net.k, -float(level))
        for level in range(1, net.n + 1)
        for k in range(net.width)
    ]
    links = []
    for at in range(net.switches):
        stage, switch = divmod(at, net.width)
        for port in range(net.k):
            head, arrives = int(net.leave(switch, port)) if stage == net.n - 1 else -1, 0
            if head < 0:
                above, arrives = map(int, net.onward(stage, switch, port))
                head = net.leaves + (stage + 1) * net.width + above
            name = f"switch ({stage + 1}, {switch}) port {port}"
            links.append(Link(name, net.leaves + at, head, port, arrives, lanes))
    for x in range(net.leaves):
        switch, port = map(int, net.enter(x))
        links.append(Link(f"from leaf {x}", x, net.leaves + switch, 0, port, lanes))
    return Structure.of(nodes, links)


def tree_counts(net: Ruft) -> Parts:
    """Count those of the k-ary n-tree: 2 n k^n links, and no ports above the top.

    Examples
    --------
    >>> tree_counts(Ruft(4, 3))
    Parts(switches=48, links=384, ports=640)
    """
    tree = kary(net.k, net.n)
    ports = sum(2 * tree.radix(level) * tree.level_size(level) for level in range(1, net.n + 1))
    return Parts(tree.switches, 2 * tree.links, ports)


@dataclass(frozen=True)
class Collapse:
    """How a RUFT differs from the k-ary n-tree under D-mod-k with CLIMB=TOP: nowhere, all are 0.

    Parameters
    ----------
    pairs : int
        Pairs compared, k^{2n}.
    links : int
        Links compared, n k^n.
    ports, switches, tops : int
        Pairs that take another port up or at the top; that meet another switch on the way to the
        top; whose last switch is not the tree's top switch.
    loads : int
        Links whose load is not that of the tree's up link, or of its link down from the top.
    down : int
        Links of the tree below those whose load is not that of the long link they collapse into.
    """

    pairs: int
    links: int
    ports: int
    switches: int
    tops: int
    loads: int
    down: int


def collapse(net: Ruft) -> Collapse:
    """Compare all pairs, self pairs included, with the tree's, whose way down is one long link.

    Notes
    -----
    O(leaves^2).

    Examples
    --------
    >>> collapse(Ruft(2, 3))
    Collapse(pairs=64, links=24, ports=0, switches=0, tops=0, loads=0, down=0)
    """
    tree, n, k = kary(net.k, net.n), net.n, net.k
    ports, switches, tops = 0, 0, 0
    ours, up = np.zeros((2, n, net.width, k), dtype=np.int64)
    down = np.zeros((n, net.width, k), dtype=np.int64)  # of level l + 1; that of the top is in `up`
    way_down = np.zeros((n, net.leaves), dtype=np.int64)  # links, flat, on the way to each leaf
    for src, dst in ruft.all_pairs(net):
        mine = ruft.routes(net, dst)
        way = ruft.walk(net, src, mine)
        hops = routes(tree, src, dst, "DMODK", "TOP").astype(np.int64)
        visited = walk(tree, src, hops)
        climb = hops[:, :n] - np.array([k] * (n - 1) + [0])  # up ports come after the k down ports
        ports += int((mine != climb).any(axis=1).sum())
        switches += int((way.switch != visited.node[:, :n]).any(axis=1).sum())
        tops += int((way.switch[:, -1] != visited.node[:, n - 1]).sum())
        for stage in range(n):
            np.add.at(ours[stage], (way.switch[:, stage], mine[:, stage]), 1)
            np.add.at(up[stage], (visited.node[:, stage], climb[:, stage]), 1)
            node, port = visited.node[:, 2 * n - 2 - stage], hops[:, 2 * n - 2 - stage]
            np.add.at(down[stage], (node, port), 1)
            way_down[stage, dst] = node * k + port
    long = ours[-1].reshape(-1)[way_down[-1]]
    below = [(down[s].reshape(-1)[way_down[s]] != long).sum() for s in range(n - 1)]
    return Collapse(
        pairs=net.leaves**2,
        links=ours.size,
        ports=ports,
        switches=switches,
        tops=tops,
        loads=int((ours != up).sum()),
        down=int(sum(below)),
    )


def zero_load_latency(
    net: Ruft, flits: npt.ArrayLike, stages: npt.ArrayLike, long: npt.ArrayLike
) -> Int64Array:
    """Return the clocks from a packet's creation to its tail at the receiver, in an empty network.

    Parameters
    ----------
    flits, stages
        As in `latency.zero_load_latency`: length, and clocks that a switch takes.
    long : int array
        Registers that the long link has more than any other, at least 0.

    Examples
    --------
    >>> zero_load_latency(Ruft(4, 3), 4, 3, [0, 2])
    array([16, 18])
    """
    more = check_integers("long", long, 0, np.iinfo(np.int32).max)
    return np.asarray(latency.zero_load_latency(net.n, flits, stages) + more)


def hops_saved(net: Ruft) -> Fraction:
    """Return how many switches fewer than on the tree's shortest routes a packet meets, on average.

    All pairs of different leaves count alike; it may be below 0.

    Examples
    --------
    >>> hops_saved(Ruft(4, 3)), hops_saved(Ruft(2, 2))
    (Fraction(10, 7), Fraction(1, 3))
    """
    k, n = net.k, net.n
    if k == 1:
        raise ValueError("k: is 1; allowed are integers from 2, for there is no pair")
    hops = sum((k**level - k ** (level - 1)) * (2 * level - 1) for level in range(1, n + 1))
    return Fraction(hops, k**n - 1) - n


def crossing(net: Ruft, stages: int) -> Fraction:
    """Return the `long` at which an empty RUFT is as slow, on average, as the tree on short routes.

    Examples
    --------
    >>> crossing(Ruft(4, 3), stages=3)
    Fraction(40, 7)
    """
    return hops_saved(net) * (check_integer("stages", stages, 1) + 1)
