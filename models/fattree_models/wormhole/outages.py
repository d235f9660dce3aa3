"""Which cables of a fat-tree break, and when; which pairs of leaves that cuts.

A cable is named by the port of the lower switch, or by that to a leaf: ports are numbered switch by
switch, the lowest level first, as links out of switches are listed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fattree_models.common.checks import BoolArray, Int64Array, check_integer
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.wiring import wire

NEVER = 2**32 - 1
"""Clock of what does not happen, as the bench writes it."""


class Cables:
    """The cables of a tree.

    Attributes
    ----------
    ports : int
        Of all switches.
    first : dict of int64 array [switches], by level
        First port of each switch.
    end : int64 array [ports]
        What each port is joined to: a port, or leaf x if it is -1 - x.

    Examples
    --------
    >>> from fattree_models.common.fat_tree import kary
    >>> cables = Cables(kary(2, 2))
    >>> cables.ports, cables.between.tolist()
    (12, [2, 3, 6, 7])
    """

    def __init__(self, tree: Xgft) -> None:
        self.tree, wiring = tree, wire(Network(tree=tree))
        parts = wiring.switches
        self.ports = int(parts.outs.sum())
        self.end = wiring.target[: self.ports]
        self.of = np.repeat(np.arange(len(parts)), parts.outs)
        self.level = parts.level
        self.first = {k: parts.first_out[parts.level == k] for k in np.unique(parts.level).tolist()}

    @property
    def between(self) -> Int64Array:
        """Cables between switches, each by its lower port."""
        return np.flatnonzero(self.end > np.arange(self.ports))

    def both(self, cables: Sequence[int] | Int64Array) -> Int64Array:
        """Return the ports at both ends of cables; one at a leaf."""
        found = np.asarray(cables, np.int64)
        far = self.end[found]
        return np.unique(np.concatenate((found, far[far >= 0])))

    def of_switch(self, switch: int) -> Int64Array:
        """Return the cables of a switch."""
        own = np.flatnonzero(self.of == switch)
        return np.unique(np.where(self.end[own] >= 0, np.minimum(own, self.end[own]), own))

    def cut(self, dead: BoolArray) -> tuple[int, int]:
        """Return how many pairs of different leaves dead ports cut, and cut for up-down ways.

        Those have a way, but none that climbs first and then descends only.

        Examples
        --------
        >>> from fattree_models.common.fat_tree import kary
        >>> cables, dead = Cables(kary(2, 2)), np.zeros(12, bool)
        >>> dead[cables.both([2, 7])] = True
        >>> cables.cut(dead)
        (8, 0)
        """
        leaves, switches = self.tree.leaves, len(self.level)
        below = np.zeros((switches, leaves), np.bool_)
        alive = np.flatnonzero(~dead)
        joined = np.eye(switches, dtype=np.bool_)
        for port in alive[self.end[alive] < 0]:
            below[self.of[port], -1 - self.end[port]] = True
        home = below.copy()
        for port in alive[self.end[alive] > alive]:  # from the leaves up: ports are in that order
            here, there = self.of[port], self.of[self.end[port]]
            below[there] |= below[here]
            joined[here, there] = joined[there, here] = True
        for _ in range(switches.bit_length()):
            joined = joined @ joined
        climbs = np.eye(switches, dtype=np.bool_)  # which switches each reaches going up
        for port in alive[self.end[alive] > alive][::-1]:
            climbs[self.of[port]] |= climbs[self.of[self.end[port]]]
        way = (home.T @ joined @ home) | np.eye(leaves, dtype=np.bool_)
        up_down = (home.T @ climbs @ below) | np.eye(leaves, dtype=np.bool_)
        cut = int(np.count_nonzero(~way))
        return cut, int(np.count_nonzero(~up_down)) - cut


@dataclass(frozen=True, eq=False)
class Outages:
    """When cables are dead; each at most once.

    Parameters
    ----------
    dead, back : int64 arrays [ports]
        The port's cable is dead from the first of these clocks up to, not in, the second; `NEVER`.
    detect : int
        Clocks until both ends know.
    local : bool
        Switches choose among live parents.
    """

    dead: Int64Array
    back: Int64Array
    detect: int = 4
    local: bool = False

    @classmethod
    def none(cls, cables: Cables, detect: int = 4, local: bool = False) -> "Outages":
        """Return a network in which nothing breaks."""
        never = np.full(cables.ports, NEVER, np.int64)
        return cls(never, never.copy(), check_integer("detect", detect, 0, 1000), local)

    def break_(self, ports: Int64Array, dead: int, back: int = NEVER) -> None:
        """Let the cables of ports be dead from a clock on, up to another."""
        self.dead[ports], self.back[ports] = dead, back

    def cut_in(self, clock: int) -> BoolArray:
        """Return whether the cable of each port is dead in a clock, bool [ports]."""
        return np.asarray((self.dead <= clock) & (clock < self.back))

    def known_in(self, clock: int) -> BoolArray:
        """Return whether its ends have detected that, bool [ports]."""
        return self.cut_in(clock - self.detect)


def drawn(cables: Cables, kind: str, amount: float, rng: np.random.Generator) -> Int64Array:
    """Draw cables that break, by lower port.

    Parameters
    ----------
    kind : "links", "switches" or "rate"
    amount : float
        How many cables between switches; how many switches; the chance of each cable between
        switches.

    Raises
    ------
    ValueError
        If there are not so many.
    """
    of = cables.between if kind != "switches" else np.arange(len(cables.level))
    if kind == "rate":
        return of[rng.random(of.size) < amount]
    if amount > of.size:
        what = "cables between switches" if kind == "links" else "switches"
        raise ValueError(f"there are {of.size} {what}")
    chosen = np.sort(rng.choice(of, int(amount), replace=False))
    if kind == "links":
        return chosen
    return np.unique(np.concatenate([cables.of_switch(s) for s in chosen], dtype=np.int64))
