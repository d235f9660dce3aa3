"""A network whose leaves are somebody else's: what they do is observed, clock by clock."""

from collections.abc import Iterable

import numpy as np

from fattree_models.common.checks import Int64Array, check_integer
from fattree_models.wormhole import kernel
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.simulation import Simulation
from fattree_models.wormhole.trace import Trace

GROWTH = 1024  # packets for which there is room more, whenever it is needed


class Observed:
    """The network of `Simulation`, with flits and credits in the place of lists and stalls.

    Parameters
    ----------
    network : Network
        Without forwarding tables.

    Attributes
    ----------
    packets : int
        Begun so far.

    Raises
    ------
    ValueError
        If it has tables: addresses may then be more than leaves.

    Examples
    --------
    A packet of one flit is on the link from leaf 0 in clock 1, behind a reset; in 3 + 1 clocks it
    crosses a switch:

    >>> from fattree_models.common.fat_tree import kary
    >>> run = Observed(Network(tree=kary(4, 1)))
    >>> _ = run.reset(1)
    >>> p = run.begin(source=0, destination=3)
    >>> _ = run.clock([(0, 0, p, 0, True)], [])
    >>> for _ in range(9):
    ...     _ = run.clock([], [])
    >>> int(run.tails[p]) - 1
    4
    """

    def __init__(self, network: Network) -> None:
        if network.tables is not None:
            raise ValueError("network: has forwarding tables; allowed are rules")
        self.network, self._run = network, Simulation(network)
        self.packets = 0
        self._stall = np.ones((1, network.leaves), np.bool_)  # credits are given as observed
        self._grow()

    @property
    def clocks(self) -> int:
        """Clocks run so far."""
        return self._run.clock

    @property
    def tails(self) -> Int64Array:
        """Clock in which the tail of each packet came to a leaf, int64 [packets]; -1 not yet."""
        return self._run.fate[: self.packets, kernel.TAIL]

    def begin(self, source: int, destination: int, kind: int = 0) -> int:
        """Return the number of a new packet, as its head says it.

        Parameters
        ----------
        source, destination : int
            Leaves.
        kind : int
            0 or 1, its class.

        Raises
        ------
        ValueError
            If a leaf does not exist.
        """
        leaves = self.network.leaves
        row = np.zeros(8, np.int64)
        row[kernel.SOURCE] = check_integer("source", source, 0, leaves - 1)
        row[kernel.DESTINATION] = check_integer("destination", destination, 0, leaves - 1)
        row[kernel.ADDRESS] = row[kernel.DESTINATION]
        row[kernel.KIND] = check_integer("kind", kind, 0, 1)
        if self.packets == len(self._run.fate):
            self._grow()
        self._run.packet[self.packets] = row
        self.packets += 1
        return self.packets - 1

    def reset(self, seed: int) -> Trace:
        """Run a clock in which the reset is set; packets that were begun are gone."""
        self._run.seed = check_integer("seed", seed, 0, 2**32 - 1)
        return self._traced(resets=[0])

    def clock(
        self, flits: Iterable[tuple[int, int, int, int, bool]], credits: Iterable[tuple[int, int]]
    ) -> Trace:
        """Run a clock.

        Parameters
        ----------
        flits : of (int, int, int, int, bool)
            On links from leaves: leaf, virtual channel, packet, place in it, whether it is the
            last.
        credits : of (int, int)
            On links to leaves, against their direction: leaf, virtual channel.

        Returns
        -------
        Trace
            Of one clock.
        """
        links, rules = self._run.links, self._run.rules
        for leaf, vc, packet, index, last in flits:
            lane = (rules.outputs + leaf) << rules.shift | vc
            flit = packet << kernel.PACKET | index << kernel.INDEX | last * kernel.TAIL_BIT
            self._put(links.flit, 0, (lane, flit | (index == 0) * kernel.HEAD_BIT))
        into = self._run.map.feeder[-self.network.leaves :]
        for leaf, vc in credits:
            if rules.long:
                self._run.leaves.leaf[leaf, kernel.BACK] |= 1 << vc
            else:
                self._put(links.credit, 1, int(into[leaf]) << rules.shift | vc)
        return self._traced()

    def _put(self, room: Int64Array, what: int, value: tuple[int, int] | int) -> None:
        """Put something on a link in the clock to come."""
        counts = self._run.links.counts
        room[counts[what]] = value
        counts[what] += 1

    def _traced(self, resets: Iterable[int] = ()) -> Trace:
        trace = self._run.run(1, list(resets), self._stall, may_send=False)
        assert trace is not None
        return trace

    def _grow(self) -> None:
        """Make room for more packets."""
        run = self._run
        run.packet = np.concatenate([run.packet, np.zeros((GROWTH, 8), np.int64)])
        run.fate = np.concatenate([run.fate, np.full((GROWTH, 3), -1)])
        run.listed = len(run.fate)
