"""Lanes that are not enough, use of links, ports and buffers: the survey's words in numbers."""

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integer, check_real
from fattree_models.mft.imft import paths
from fattree_models.mft.network import Lanes, Mft, check_rows, lane_counts, turn_row
from fattree_models.mft.running import run
from fattree_models.traffic import Packets

FloatArray = npt.NDArray[np.float64]


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


@dataclass(frozen=True)
class Use:
    """Flits a clock of links of IMFT, by row of the router that sends.

    Parameters
    ----------
    up : tuple of float64 array [columns, 2], one a row below the top
        Of up links.
    down : tuple of float64 array [columns, 2, lanes], one a row
        Of lanes, by side; those of row 0 lead to the clients.
    """

    up: tuple[FloatArray, ...]
    down: tuple[FloatArray, ...]


def link_use(n: int, rate: npt.ArrayLike) -> Use:
    """Return the use of links and lanes of IMFT under given rates.

    Parameters
    ----------
    rate : float array [N, N]
        Flits a clock from each client to each; the diagonal is 0.

    Raises
    ------
    ValueError
        If a rate is negative, or one of the diagonal is not 0.

    Examples
    --------
    >>> use = link_use(2, 0.25 * (1 - np.eye(4)))
    >>> [float(lanes.mean().round(3)) for lanes in use.down]
    [0.25, 0.5]
    """
    clients = 1 << check_rows(n)
    given = np.asarray(rate)
    if given.dtype.kind not in "iuf":
        raise ValueError(f"rate: has dtype {given.dtype}; allowed are numbers")
    rates = given.astype(np.float64)
    if rates.shape != (clients, clients):
        raise ValueError(f"rate: has shape {rates.shape}; allowed is ({clients}, {clients})")
    if not (rates >= 0).all() or np.diagonal(rates).any():
        raise ValueError("rate: is negative, or not 0 from a client to itself; allowed are others")
    src, dst = np.nonzero(~np.eye(clients, dtype=np.bool_))
    way, each = paths(n, src, dst), rates[src, dst]
    columns = clients // 2
    up, down = [], []
    for row, lanes in enumerate(lane_counts(n)):
        here = way.turn > row
        use = np.zeros((columns, 2))
        np.add.at(use, (way.up_column[here, row], way.up_link[here, row]), each[here])
        up.append(use)
        here = way.turn >= row
        use = np.zeros((columns, 2, int(lanes)))
        place = (way.down_column[here, row], way.down_side[here, row], way.down_lane[here, row])
        np.add.at(use, place, each[here])
        down.append(use)
    return Use(tuple(up[:-1]), tuple(down))


def uniform_use(n: int, load: float) -> tuple[float, float]:
    """Return the use of a lane of the top row and of one at a client, uniform traffic.

    Parameters
    ----------
    load : float
        Flits a clock and client, 0 ... 1, to all others alike.

    Notes
    -----
    load N / (2 (N - 1)): half of all clients, but of N - 1 others, are across the top; and
    load / (N - 1): a lane is a source.

    Examples
    --------
    >>> [round(100 * uniform_use(n, 1.0)[0]) for n in (3, 4, 5)]
    [57, 53, 52]
    """
    clients = 1 << check_rows(n)
    load = check_real("load", load, 0.0, 1.0)
    return load * clients / (2 * (clients - 1)), load / (clients - 1)


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


def buffer_words(net: Mft) -> tuple[int, int]:
    """Return the flits that all FIFOs hold, and the registers behind all routers.

    Raises
    ------
    ValueError
        If the FIFOs have no limit.

    Examples
    --------
    >>> buffer_words(Mft(3, fifo=16, pipeline=0))
    (896, 0)
    """
    if net.fifo is None:
        raise ValueError("fifo: is None; allowed are integers from 1")
    outputs = int(router_ports(net.n, net.lanes)[:, 1].sum()) * net.columns
    return net.clients * net.client_lanes * net.fifo, outputs * net.pipeline
