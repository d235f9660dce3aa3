"""RUFT and the k-ary n-tree that it comes from: parts, links, latency.

The tree's way down is collapsed to a long link.  `counts` counts parts, `structure` has nodes and
links; `zero_load_latency`, `hops_saved` and `crossing` say how long that link may be.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integer, check_integers
from fattree_models.common.fat_tree import latency
from fattree_models.common.structure import LEAF_WIDTH, Link, Node, Structure
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
        raise ValueError("k: is 1; allowed are integers from 2, for 1 has no pair")
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
