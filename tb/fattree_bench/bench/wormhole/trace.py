"""Every hop of every packet, as CSV: what users of network simulators ask for first."""

from pathlib import Path

import numpy as np

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_bench.bench.wormhole.deadlock import find_place
from fattree_bench.bench.wormhole.network import Wormhole

HEADER = (
    "item,source,packet,reply,destination,flits,created,injected,arrived,"
    "hop,level,switch,output_port,vc,clock"
)


class HopTrace:
    """Collects heads seen on links and writes one line a hop, packets in order."""

    def __init__(self, network: Wormhole, path: Path) -> None:
        self.network = network
        self.path = path
        links = network.ways.inputs
        places = [find_place(network, link * network.vcs) for link in range(links)]
        self._place = np.zeros((links, 3), np.int64)
        shown = network.in_place(np.arange(links))
        self._place[shown] = [(p.level, p.switch, p.port) for p in places]
        self._seen: list[np.ndarray] = []  # rows of (packet, clock, link, vc)
        path.write_text(HEADER + "\n")

    def note(self, plan: FlitPlan, captured: FlitCaptured) -> None:
        """Heads that a burst of clocks saw on the links."""
        if captured.recorded is None:
            return
        words, clock, link, vc = captured.recorded().heads(self._place.shape[0])
        sent = plan.sent
        head = np.ones(len(words), np.bool_)
        tags, wrong = self.network.words.read(words, head, sent.answered)
        owner = np.minimum(tags.owner, self.network.leaves - 1)
        number = plan.seen.unwrap(owner, tags.number)
        wrong |= number >= sent.lengths[owner]
        packet = sent.starts[owner] + number + sent.packets * (sent.answered & tags.reply)
        columns = (packet, clock + captured.first, link, vc)
        self._seen.append(np.stack(columns, axis=1)[~wrong])

    def write(self, item: int, plan: FlitPlan) -> None:
        """Add the hops of an item that is over."""
        seen = np.concatenate(self._seen) if self._seen else np.zeros((0, 4), np.int64)
        self._seen.clear()
        seen = seen[np.lexsort((seen[:, 1], seen[:, 0]))]
        sent, was = plan.sent, plan.seen
        packet, clock, link, vc = seen.T
        listed = packet % max(1, sent.packets)
        owner = np.searchsorted(sent.starts, listed, "right") - 1
        hop = np.arange(len(packet)) - np.searchsorted(packet, packet)
        level, switch, port = self._place[link].T
        table = np.stack(
            [
                *(np.full(len(packet), item), sent.source[packet], listed - sent.starts[owner]),
                *(packet >= sent.packets, sent.destination[packet], sent.flits[packet]),
                *(was.created[packet], was.injected[packet], was.tails(packet)),
                *(hop, level, switch, port, vc, clock),
            ],
            axis=1,
        )
        with self.path.open("a") as file:
            np.savetxt(file, table, fmt="%d", delimiter=",")
