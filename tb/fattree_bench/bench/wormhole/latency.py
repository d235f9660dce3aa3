"""How long packets take that meet no other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.workload import Workload
from fattree_bench.bench.wormhole.switch import Switch
from fattree_bench.bench.wormhole.ways import Ways
from fattree_models import gals
from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree import zero_load_latency

CREDIT_LOOP = 4  # clocks from a flit's leaving to the next credit for its place, see xgft_switch.v
LEAF_LOOP = 3  # the same at a leaf, which has no queue before it gives the credit back


@dataclass(frozen=True)
class Latency:
    """The law of latency without load.

    `lag`: clocks that flits take on links to leaves beyond those of other links; `slowest`: clocks
    from flit to flit on the slowest link, so that what is said of packets alone is only a bound.
    """

    switch: Switch
    clocks: Clocks
    lag: int = 0
    slowest: int = 1

    @property
    def _loop(self) -> int:
        """Clocks from a flit's leaving to the next credit for its place, without crossings."""
        return max(CREDIT_LOOP, LEAF_LOOP + 2 * self.lag)

    @property
    def credit_loop(self) -> int:
        """The same with crossings, where they are most."""
        return self._loop + 2 * self.clocks.crossing + self.clocks.pacing

    @property
    def full_rate_depth(self) -> int:
        """The least DEPTH with which a virtual channel carries a flit a clock at equal periods."""
        return self._loop + gals.full_rate_depth(self.clocks.sync, 0) + self.clocks.pacing

    @property
    def far(self) -> int:
        """Clocks that credits from leaves take beyond those of one clock and no lag."""
        return self.lag + self.clocks.homeward(self.switch.depth)

    def zero_load(self, ways: Ways, workload: Workload) -> tuple[float, str]:
        """Mean latency of the workload's packets in an empty network, and where it comes from."""
        stages = self.switch.stages
        shares = workload.pattern.matrix()
        source, destination = np.nonzero(shares)
        own = ways.hop_count(source, destination)
        hops = float(np.average(own, weights=shares[source, destination]))
        flits = workload.lengths.mean
        # The model takes whole numbers; as it is linear, mean hops and flits give the mean.
        one, hop, flit = zero_load_latency([1, 2, 1], [1, 1, 2], stages)
        mean = float(one + (hops - 1) * (hop - one) + (flits - 1) * (flit - one)) + self.lag
        further = f", and {self.lag} on the long link" if self.lag else ""
        if not self.clocks.one:
            return (mean - self.lag) * self.clocks.fastest + self.lag, (
                f"at least, without what crossings take{further}"
            )
        return mean, (
            f"1 + hops x (STAGES + 1) + flits - 1 = 1 + {hops:.3f} x ({stages} + 1) + "
            f"{flits:g} - 1 = {mean - self.lag:.2f} clocks{further}"
        )

    def alone(self, hops: Int64Array | int, flits: Int64Array | int) -> Int64Array:
        """Clocks from a packet's creation to its tail at the receiver, if it meets no other.

        `hops`: switches on its way.  Queues of fewer than credit_loop flits wait for credits.
        With several clocks: at most, as long as none stands still; with slow links at most.
        """
        depth = self.switch.depth
        waits = max(0, self.credit_loop - depth) * ((np.asarray(flits) - 1) // depth)
        edges = np.asarray(self.empty(hops, flits) + waits) * self.slowest
        clocks = self.clocks
        if clocks.one:
            return edges
        edges = edges + self.crossings(hops) * clocks.crossing + clocks.pacing
        return np.asarray(np.ceil(edges * clocks.slowest), dtype=np.int64)

    def crossings(self, hops: Int64Array | int) -> Int64Array:
        """How often a packet comes to another clock, if there are several."""
        return np.asarray(hops) + 1 if self.clocks.apart == "LINKS" else np.full_like(hops, 2)

    def least(self, hops: Int64Array | int, flits: Int64Array | int) -> Int64Array:
        """The least clocks that it takes: one clock less if edges fall so."""
        if self.clocks.one:
            return self.alone(hops, flits) if self.slowest == 1 else self.empty(hops, flits)
        edges = np.asarray(self.empty(hops, flits)) + self.crossings(hops) * self.clocks.sync
        return np.asarray(np.floor(edges * self.clocks.fastest), dtype=np.int64) - 1

    def empty(self, hops: Int64Array | int, flits: Int64Array | int) -> Int64Array:
        """The same with queues that are deep enough."""
        return np.asarray(zero_load_latency(hops, flits, self.switch.stages) + self.lag)

    @property
    def closest(self) -> int:
        """Clocks from a tail to the next packet's head in the same virtual channel, at least."""
        if self.switch.depth == 1:  # the head waits for the tail's credit
            return self.credit_loop
        return 1 if self.switch.stages == 1 else 2  # a channel is given on one clock after it left
