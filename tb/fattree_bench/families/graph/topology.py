"""A user's fabric in RTL: packets of all hosts, and the hops that were seen."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from fattree_bench.families.graph.network import GraphNetwork, GraphWays
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Packets, write_packets

FLITS = 2  # of a packet: head and tail apart


class GraphPlayer:
    """Plays routes on `NETWORK=graph`."""

    def variables(
        self, given: Mapping[str, str], source: Int64Array, destination: Int64Array, folder: Path
    ) -> dict[str, str]:
        packets = folder / "packets.csv"
        # Shift by shift, so that queues do not hold all of them.
        due = FLITS * ((destination - source) % (int(source.max()) + 1))
        write_packets(packets, Packets.of(source, destination, due, FLITS))
        return {"NETWORK": "graph", **given, "MESSAGES": str(packets), "TRACE": "1"}

    def loads(self, network: GraphNetwork, run: Path) -> Int64Array:
        ways = network.ways
        assert isinstance(ways, GraphWays)
        columns = (1, 9, 10, 11, 12)  # source, hop, level, switch, port
        hops = np.loadtxt(run / "trace.csv", np.int64, None, ",", skiprows=1, usecols=columns)
        source, hop, level, switch, port = hops.reshape(-1, 5).T
        before = np.searchsorted(ways.level, level)  # switches of lower levels
        ends = np.r_[ways.first[before + switch] + port, ways.ports_before + source[hop == 0]]
        channel = ways.graph.channel[ends]
        size = ways.graph.routes.fabric.tail.size
        return np.bincount(channel[channel >= 0], minlength=size)


PLAYER = GraphPlayer()
