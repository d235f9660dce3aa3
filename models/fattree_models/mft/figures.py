"""Lanes that are not enough, use of links, ports and buffers: the survey's words in numbers."""

from itertools import combinations, product

import numpy as np

from fattree_models.common.checks import Int64Array, check_integer
from fattree_models.mft.network import Lanes, Mft, lane_counts, turn_row
from fattree_models.mft.running import run
from fattree_models.traffic import Packets


def counter_example(n: int, lanes: Lanes = "DOUBLING") -> Packets | None:
    """Return the smallest message set, at most one message a source, that loses a packet.

    Sets are tried by size, then in the order of sources and destinations; messages are one flit
    long, and released so that those that turn low wait for those that turn high.

    Parameters
    ----------
    n : int
        Rows, 1 ... 3: the search is exhaustive.

    Returns
    -------
    Packets or None
        With one register behind a router (`pipeline` 1); None if no set loses any.

    Examples
    --------
    >>> three = counter_example(2)
    >>> three.source, three.destination, three.release
    (array([0, 1, 2], dtype=int32), array([3, 3, 3], dtype=int32), array([0, 0, 2]))
    >>> counter_example(2, "EXACT") is None
    True
    """
    net = Mft(check_integer("n", n, 1, 3), lanes=lanes, fifo=None)
    for size in range(1, net.clients + 1):
        for src in combinations(range(net.clients), size):
            for dst in product(range(net.clients), repeat=size):
                if any(s == d for s, d in zip(src, dst, strict=True)):
                    continue
                release = 2 * (net.n - 1 - turn_row(net.n, src, dst))
                packets = Packets.of(src, dst, release - release.min())
                if run(net, packets).lost_inside.any():
                    return packets
    return None


def router_ports(n: int, lanes: Lanes = "EXACT") -> Int64Array:
    """Return inputs and outputs of a router of each row, one for each flit a clock, [n, 2].

    Notes
    -----
    Two inputs and, below the top, two outputs up; the rest are lanes.  At the top it is 2 and 2
    for every N, at the bottom it grows as N.

    Examples
    --------
    >>> router_ports(3).tolist()
    [[8, 16], [4, 8], [2, 2]]
    """
    down = 2 * lane_counts(n, lanes)
    from_above = np.append(down[1:], 0)
    up = np.where(np.arange(n) < n - 1, 2, 0)
    return np.stack([2 + from_above, up + down], axis=1)
