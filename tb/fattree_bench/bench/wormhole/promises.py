"""What a network promises beyond delivery: checks that an item brings along, for when it is over.

Each takes the plan of the item and yields names of faults, and what happened.
"""

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.promises import Findings
from fattree_bench.bench.wormhole.plan import WormholePlan
from fattree_bench.bench.wormhole.ways import Exit

# Of what fair arbiters give: they are fair to virtual channels, and a port may use fewer.
LEAST_SHARE = 0.5
CHOSEN: dict[Exit, str] = {"UP": "to its parents", "TURN": "by its turn-back channels"}
SIGMAS = 6  # a sound network is further off once in 10^9


def fair_shares(plan: WormholePlan) -> Findings:
    """Everybody sends to one leaf: until the first has sent all, none falls far behind.

    An arbiter among p ports that all have packets waiting gives each of them every p-th grant; so
    a sender has the product of such shares along its route.
    """
    sent = plan.sent
    goal = int(sent.destination[0])
    tails = plan.seen.tails()
    last = np.full(plan.network.leaves, -1)
    np.maximum.at(last, sent.source, np.where(tails < 0, np.iinfo(np.int32).max, tails))
    until = last[last >= 0].min()
    got = np.bincount(sent.source[(tails >= 0) & (tails <= until)], minlength=len(last))
    share = shares(plan, goal)
    for leaf in np.flatnonzero((last >= 0) & (got + 1 < LEAST_SHARE * share * got.sum())):
        yield (
            kind.UNFAIR,
            f"until clock {until} leaf {goal} got {got[leaf]} of {got.sum()} packets from leaf "
            f"{leaf}; its share is {share[leaf]:.3f}",
        )


def shares(plan: WormholePlan, goal: int) -> npt.NDArray[np.float64]:
    """Part of the link to `goal` that fair arbiters give each leaf if all send to it, [leaves]."""
    network = plan.network
    source = np.arange(network.leaves)
    hops = network.ways.expected_hops(source, np.full_like(source, goal))
    walked = network.ways.follow(source, np.full_like(source, goal), hops)
    inputs: dict[tuple[int, ...], set[tuple[int, ...]]] = {}  # of each link: those that lead there
    ways: list[list[tuple[int, ...]]] = []
    for leaf in source:
        steps = zip(walked.level[leaf], walked.node[leaf], hops[leaf], strict=True)
        way: list[tuple[int, ...]] = [
            (int(level), int(node), int(port)) for level, node, port in steps if port >= 0
        ]
        for before, link in zip([(int(leaf),), *way], way, strict=False):
            inputs.setdefault(link, set()).add(before)
        ways.append(way)
    return np.array([np.prod([1 / len(inputs[link]) for link in way]) for way in ways])


def even_choice(plan: WormholePlan) -> Findings:
    """Ports that are all alike are chosen equally often: each switch's, as if by dice."""
    tree, routes = plan.network.tree, plan.routes
    hops = routes.hops
    for level, exits in plan.network.ways.exits.items():
        for way, goal in CHOSEN.items():
            first, ports = exits[way].start, len(exits[way])
            if ports < 2:
                continue
            on = (routes.level == level) & (hops >= first) & (hops < first + ports)
            count = np.zeros((tree.level_size(level), ports), np.int64)
            np.add.at(count, (routes.node[on], hops[on] - first), 1)
            total = count.sum(axis=1, keepdims=True)
            spread = np.sqrt(total / ports * (1 - 1 / ports))
            wrong = np.abs(count - total / ports) > SIGMAS * spread
            for switch in np.flatnonzero(wrong.any(axis=1)):
                took = ", ".join(map(str, count[switch]))
                yield kind.UNEVEN, f"level {level} switch {switch}: {took} packets {goal}"
    yield from _repetitions(plan, hops)


def _repetitions(plan: WormholePlan, hops: npt.NDArray[np.int16]) -> Findings:
    """A packet behind another avoids its way, or does not care: it does not follow it.

    Packets of several virtual channels that choose in the same clock see the same room.
    """
    network = plan.network
    source, ups = plan.sent.source, network.tree.up_ports(network.tree.first)
    if ups < 2 or (network.switch.vcs > 1 and not network.ways.blind):
        return
    behind = source[1:] == source[:-1]
    for leaf in np.unique(source):
        pairs = behind & (source[1:] == leaf)
        total = np.count_nonzero(pairs)
        same = np.count_nonzero(pairs & (hops[1:, 0] == hops[:-1, 0]))
        if same > total / ups + SIGMAS * np.sqrt(total / ups * (1 - 1 / ups)):
            yield kind.UNEVEN, f"{same} of {total} packets of leaf {leaf} follow the one before"


def filled_queues(plan: WormholePlan) -> Findings:
    """One leaf sends packets of one flit to a leaf that takes none: DEPTH go into each queue."""
    network, sent = plan.network, plan.sent
    hops = network.ways.expected_hops(sent.source[:1], sent.destination[:1])
    queues = int(np.count_nonzero(hops >= 0) + 1) * int(sent.start_vcs[0]).bit_count()
    begun = int(np.count_nonzero(plan.seen.injected >= 0))
    if begun != queues * network.switch.depth:
        yield (
            kind.DEPTH,
            f"{begun} flits went into the {queues} queues from leaf {sent.source[0]} to leaf "
            f"{sent.destination[0]}; {queues * network.switch.depth} should",
        )
