"""Every hop of every packet, as CSV: what users of network simulators ask for first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.families.xgft.deadlock import find_place

if TYPE_CHECKING:
    from fattree_bench.bench.links.flit.packets import FlitCaptured
    from fattree_bench.families.xgft.plan import FlitPlan
    from fattree_bench.families.xgft.tree import XgftNetwork

HEADER = (
    "item,source,packet,reply,destination,flits,created,injected,arrived,"
    "hop,level,switch,output_port,vc,clock"
)


class HopTrace:
    """Collects heads seen on links and writes one line a hop, packets in order."""

    def __init__(self, network: XgftNetwork, path: Path) -> None:
        self.network = network
        self.path = path
        links = network.inputs // network.vcs
        places = [find_place(network, link * network.vcs) for link in range(links)]
        self._place = np.array([(p.level, p.switch, p.port) for p in places])
        self._seen: list[np.ndarray] = []  # rows of (packet, clock, link, vc)
        path.write_text(HEADER + "\n")

    def note(self, plan: FlitPlan, captured: FlitCaptured) -> None:
        """Heads that a burst of clocks saw on the links."""
        if captured.links is None or captured.words is None:
            return
        clock, link = np.nonzero(captured.links)
        words, vc = captured.words[clock, link], captured.links[clock, link]
        answered = captured.item.answers is not None
        head = np.ones(len(words), np.bool_)
        tags, wrong = self.network.words.read(words, head, answered)
        owner = np.minimum(tags.owner, self.network.leaves - 1)
        number = plan.unwrap(owner, tags.number)
        wrong |= number >= plan.lengths[owner]
        packet = plan.starts[owner] + number + plan.sent.packets * (answered & tags.reply)
        columns = (packet, clock + captured.first, link, np.log2(vc).astype(np.int64))
        self._seen.append(np.stack(columns, axis=1)[~wrong])

    def write(self, item: int, plan: FlitPlan) -> None:
        """Add the hops of an item that is over."""
        seen = np.concatenate(self._seen) if self._seen else np.zeros((0, 4), np.int64)
        self._seen.clear()
        seen = seen[np.lexsort((seen[:, 1], seen[:, 0]))]
        sent = plan.sent
        packet, clock, link, vc = seen.T
        listed = packet % max(1, sent.packets)
        owner = np.searchsorted(plan.starts, listed, "right") - 1
        hop = np.arange(len(packet)) - np.searchsorted(packet, packet)
        level, switch, port = self._place[link].T
        table = np.stack(
            [
                *(np.full(len(packet), item), sent.source[packet], listed - plan.starts[owner]),
                *(packet >= sent.packets, sent.destination[packet], sent.flits[packet]),
                *(sent.created[packet], sent.injected[packet], sent.tails(packet)),
                *(hop, level, switch, port, vc, clock),
            ],
            axis=1,
        )
        with self.path.open("a") as file:
            np.savetxt(file, table, fmt="%d", delimiter=",")
