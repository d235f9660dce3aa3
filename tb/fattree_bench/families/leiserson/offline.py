"""Off-line nodes: what is sent through them, and what a schedule can hit of the cover groups."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.groups import AGAINST_WIDTH, Group
from fattree_bench.bench.links.corners import corner_words
from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.sequence import Sequence
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.traffic import cut, spread
from fattree_models.leiserson import one_cycle

NO_LOSS = "a schedule loses nothing, so nothing is sent again"
NO_ACKNOWLEDGE = "off-line nodes acknowledge nothing"
NO_MORE = "a schedule gives a channel no more than partial concentrators promise"


Names = tuple[str, str]


def restricted(
    network: Leiserson, every: list[Group], gone: Names, once: Names, modes: Names, full: Names
) -> list[Group]:
    """Cover groups of off-line nodes: without some, of some the first bin or mode alone.

    `full`: wires in use, and requests: never more than a schedule gives a channel.
    """
    found = {group.name: group for group in every if group.name not in gone}
    for name in once:
        found[name].exclude(NO_LOSS, np.arange(found[name].shape[-1]) > 0)
    for name in modes:
        found[name].exclude(NO_ACKNOWLEDGE, [False, True])
    sure, (wires, requests) = network.offline.capacity(network.tree), (found[x] for x in full)
    wires.exclude(NO_MORE, np.arange(wires.shape[-1]) > sure[:, None, None])
    bins, width = np.arange(len(AGAINST_WIDTH)), AGAINST_WIDTH.index("as many as wide")
    narrow = (bins == width) & (sure < network.cap)[:, None]
    requests.exclude(NO_MORE, ((bins > width) | narrow)[:, None])
    return list(found.values())


def no_choice(network: Leiserson) -> str | None:
    """Why nodes neither choose nor lose messages, or None."""
    return "off-line nodes decide nothing" if network.tree.offline else None


def needs_settings(network: Leiserson) -> str | None:
    """Why no settings are compiled, or None."""
    return None if network.tree.offline else "only NODES=OFFLINE has settings"


def ways(network: Leiserson) -> tuple[bool, ...]:
    """Off-line, then on-line, if nodes can."""
    return (True,) if network.tree.offline else (True, False)


class CompiledSets(Sequence[Leiserson, MessageSet]):
    """Settings compiled for one-cycle sets, idle cycles between them, and resets in a cycle.

    Attributes
    ----------
    sets : in each item.
    """

    sets: int = 12

    def items(self) -> Iterator[MessageSet]:
        network, rng = self.network, self.rng
        sure, last = network.offline.capacity(network.tree), network.layout.ticks - 1
        for clock in (None, *sorted({0, 1, 2, 3, last // 2, last - 1, last})):
            drawn = [one_cycle(network.leaves, sure, rng, outside=True) for _ in range(self.sets)]
            rows = np.concatenate([spread(network, *pairs)[0] for pairs in drawn])
            rows[rng.random(rows.shape) < rng.choice([0, 0.5, 1], (len(rows), 1))] = -1
            words = corner_words(rng, network.layout.payload, *rows.shape).astype(np.uint64)
            for item in cut(network, rows, "compiled settings", words=words, lossless=True):
                item.reset = None if clock is None else (int(rng.integers(1, 5)), clock)
                yield item
