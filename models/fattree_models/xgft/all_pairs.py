"""All pairs at once: what every link carries if every leaf sends to every other leaf, by digits.

No pair is enumerated (ours).  Under D-mod-k the up choices of destination d at levels 0 ... l are
the mixed-radix digits of d mod W_{l+1}, W_l = prod_{i<=l} w_i; so the destinations on a link are
those of one residue inside, or outside, an interval of leaves, and the sources on it are all of an
interval, or all outside it.  S-mod-k routes from s to d are D-mod-k routes from d to s backwards.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fattree_models.common.checks import Int64Array, check_word
from fattree_models.common.fat_tree.loads import LoadArray, Loads
from fattree_models.common.fat_tree.routing import Climb
from fattree_models.common.fat_tree.topology import Xgft


@dataclass(frozen=True)
class _Ends:
    """Who meets on the links of one level and direction under D-mod-k, int64 [nodes, ports].

    Every one of `senders` sends to every one of `receivers`, but for the `both` that are in both
    sets, which do not send to themselves.
    """

    senders: Int64Array
    receivers: Int64Array
    both: Int64Array

    @property
    def pairs(self) -> Int64Array:
        return self.senders * self.receivers - self.both

    @property
    def destinations(self) -> Int64Array:
        """Receivers that somebody else sends to."""
        return np.where(self.senders > 1, self.receivers, self.pairs)

    @property
    def sources(self) -> Int64Array:
        """Senders that send to somebody else."""
        return np.where(self.receivers > 1, self.senders, self.pairs)


def all_pairs_loads(tree: Xgft, routing: Literal["DMODK", "SMODK"], climb: Climb = "NCA") -> Loads:
    """Return the load of every link if every leaf sends one packet to every other leaf.

    Parameters
    ----------
    routing : {"DMODK", "SMODK"}

    Returns
    -------
    Loads
        int64.

    Notes
    -----
    O(links) time and memory.

    Examples
    --------
    >>> loads = all_pairs_loads(Xgft((2, 2, 4), (1, 2, 2)), "DMODK")
    >>> loads.up[1][0].tolist(), loads.up[2][0].tolist(), loads.down[1][0].tolist()
    ([14, 14], [12, 12], [15, 15])
    """
    return _loads(tree, routing, climb, "pairs", "pairs")


def destinations(tree: Xgft, routing: Literal["DMODK", "SMODK"], climb: Climb = "NCA") -> Loads:
    """Return how many destinations each link serves if every leaf sends to every other leaf.

    Parameters
    ----------
    tree, routing, climb
        As in `all_pairs_loads`.

    Notes
    -----
    Under D-mod-k on a k-ary n-tree every down link serves one destination, and an up link of level
    l = 1 ... n - 1 serves k^{n-l} - 1 (k^{n-1-l} - 1 if levels count from 0).
    O(links).

    Examples
    --------
    >>> served = destinations(Xgft((4, 4), (1, 4)), "DMODK")
    >>> served.up[1][0].tolist(), served.down[1][0].tolist(), served.down[2][0].tolist()
    ([3, 3, 3, 3], [1, 1, 1, 1], [1, 1, 1, 1])
    """
    return _loads(tree, routing, climb, "destinations", "sources")


def _loads(tree: Xgft, routing: str, climb: str, count: str, mirrored_count: str) -> Loads:
    """Return a count of D-mod-k's ends of every link; for S-mod-k, of the link's other way."""
    check_word("routing", routing, "DMODK", "SMODK")
    check_word("climb", climb, "NCA", "TOP")
    what = count if routing == "DMODK" else mirrored_count
    levels, top = range(tree.height + 1), climb == "TOP"
    loads = Loads(
        up=tuple(getattr(_up_ends(tree, level, top), what) for level in levels),
        down=tuple(getattr(_down_ends(tree, level, top), what) for level in levels),
    )
    if routing == "DMODK":
        return loads
    # A link to an endpoint has no up link for its other way; all of its packets are counted alike.
    return _mirror(tree, loads, getattr(_down_ends(tree, 0, top), count))


def _up_ends(tree: Xgft, level: int, top: bool) -> _Ends:
    """Return the ends that meet on the up links of a level."""
    node = np.arange(tree.level_size(level))[:, None]
    span, size = tree.w_span(level), tree.subtree_leaves(level)
    residue = node % span + span * np.arange(tree.up_ports(level))
    modulus = span * max(tree.up_ports(level), 1)
    subtree = node // span
    every = _count(tree.leaves, residue, modulus)
    inside = _count((subtree + 1) * size, residue, modulus) - _count(
        subtree * size, residue, modulus
    )
    senders = np.full_like(residue, size)
    if top:
        return _Ends(senders, every, inside)
    return _Ends(senders, every - inside, np.zeros_like(residue))


def _down_ends(tree: Xgft, level: int, top: bool) -> _Ends:
    """Return the ends that meet on the down links of a level."""
    node, ports = np.arange(tree.level_size(level))[:, None], tree.down_ports(level)
    span = tree.w_span(level)
    size = tree.subtree_leaves(max(level - 1, 0))
    child = node // span * ports + np.arange(ports)
    residue = node % span
    receivers = _count((child + 1) * size, residue, span) - _count(child * size, residue, span)
    if top or level == 0:
        return _Ends(np.full_like(receivers, tree.leaves), receivers, receivers)
    senders = np.full_like(receivers, tree.leaves - size)
    return _Ends(senders, receivers, np.zeros_like(receivers))


def _count(limit: Int64Array | int, residue: Int64Array, modulus: int) -> Int64Array:
    """Count the x in 0 ... limit - 1 with x mod modulus = residue."""
    return np.asarray((limit - residue + modulus - 1) // modulus)


def _mirror(tree: Xgft, loads: Loads, endpoints: Int64Array) -> Loads:
    """Exchange the two directions of every link but those to the endpoints."""
    up: list[LoadArray] = []
    down: list[LoadArray] = [endpoints]
    for level in range(tree.height):
        ports = tree.up_ports(level)
        lower, choice = np.divmod(np.arange(tree.level_size(level) * ports), ports)
        upper, port = tree.up(level, lower, choice)
        up.append(loads.down[level + 1][upper, port].reshape(-1, ports))
        mirrored = np.empty_like(loads.down[level + 1])
        mirrored[upper, port] = loads.up[level][lower, choice]
        down.append(mirrored)
    return Loads((*up, loads.up[tree.height]), tuple(down))
