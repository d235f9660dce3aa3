"""Every hop of every packet, as CSV: what users of network simulators ask for first."""

from pathlib import Path

import numpy as np

from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_bench.bench.path.heads import Heads

HEADER = (
    "item,source,packet,reply,destination,flits,created,injected,arrived,"
    "hop,level,switch,output_port,vc,clock"
)


class HopTrace:
    """Writes one line a hop, packets in order; `lowest` is the number of the level of switches."""

    def __init__(self, heads: Heads, path: Path, lowest: int = 1) -> None:
        self.heads, self.path, self.lowest = heads, path, lowest
        path.write_text(HEADER + "\n")

    def write(self, item: int, plan: FlitPlan) -> None:
        """Add the hops of an item that is over."""
        hops, sent, seen = self.heads.hops(), plan.sent, plan.seen
        packet = hops.packet
        listed = packet % max(1, sent.packets)
        owner = np.searchsorted(sent.starts, listed, "right") - 1
        table = np.stack(
            [
                *(np.full(len(packet), item), sent.source[packet], listed - sent.starts[owner]),
                *(packet >= sent.packets, sent.destination[packet], sent.flits[packet]),
                *(seen.created[packet], seen.injected[packet], seen.tails(packet)),
                *(hops.hop, hops.level + self.lowest - 1, hops.node, hops.port, hops.vc),
                hops.clock,
            ],
            axis=1,
        )
        with self.path.open("a") as file:
            np.savetxt(file, table, fmt="%d", delimiter=",")
        self.heads.forget()
