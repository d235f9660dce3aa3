"""Figures of turn-back nodes: an up switch (U) and a down switch (D) each, joined by channels."""

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any

from fattree_bench.families import NETWORKS
from fattree_bench.families.drawing import Drawing, by_use, said, word
from fattree_bench.report.diagram import BOX, Look, loaded, network
from fattree_bench.report.svg import Key
from fattree_models.common.fat_tree import vectors
from fattree_models.common.structure import Link, Node, Structure
from fattree_models.turnback.dependencies import deadlock
from fattree_models.turnback.routing import Channel, Turnback, behind, entries, next_channels
from fattree_models.xgft import kary

KINDS = {
    "UP": Key("up", "up"),
    "LATERAL": Key("lateral", "from root to root"),
    "TURN": Key("turn", "turn back"),
    "DOWN": Key("down", "down"),
}
LETTERS = Key("", "U: up switch, D: down switch", 0)
LOOK = Look(760.0, (28.0, 40.0, 40.0), (BOX, 32.0, 32.0), boxes=2)
TREE = kary(2, 3)


def apart(net: Turnback) -> tuple[Structure, list[Channel | int]]:
    """Two nodes for each node, and what each link is: the channel, or the leaf that sends on it."""
    tree = net.tree
    nodes = [Node(str(leaf), 0, leaf, leaf, 0) for leaf in range(tree.leaves)]
    first = {}
    for level in net.levels:
        first[level] = len(nodes)
        for k in range(2 * tree.level_size(level)):
            nodes.append(Node(f"{'UD'[k % 2]}{k // 2}", level, k, k, -level))
    links = [
        Link("", x, first[1] + 2 * (x // tree.m[0]), 0, x % tree.m[0]) for x in range(tree.leaves)
    ]
    what: list[Channel | int] = [*range(tree.leaves)]
    for level in net.levels:
        kinds = {"TURN": net.tbch, "DOWN": tree.down_ports(level)}
        kinds |= {"LATERAL" if level == tree.height else "UP": net.ahead(level)}
        for node in range(tree.level_size(level)):
            for kind, count in kinds.items():
                for number in range(count):
                    channel = Channel(kind, level, node, number)  # type: ignore[arg-type]
                    links.append(_link(net, channel, first))
                    what.append(channel)
    return Structure.of(nodes, links), what


def _link(net: Turnback, channel: Channel, first: dict[int, int]) -> Link:
    (kind, level, node, number), tree = channel, net.tree
    over, under = behind(net, channel)
    tail, head = first[level] + 2 * node + (kind == "DOWN"), first.get(over, 0) + 2 * under
    if kind == "TURN":
        return Link("", tail, tail + 1, number, number)
    if kind == "UP":
        return Link("", tail, head, number, int(tree.up(level, [node], [number])[1][0]))
    if kind == "LATERAL":
        return Link("", tail, head, number, number)
    if not over:
        return Link("", tail, under, number, 1)  # a leaf sends by port 0
    return Link("", tail, head + 1, number, int(tree.arrival(level, [node])[0]))


def drawn(net: Turnback, title: str, names: dict[Channel | int, str], keys: list[Key]) -> str:
    """A network whose channels, and links from leaves, have these classes; others are idle."""
    structure, what = apart(net)
    strokes = by_use(structure, [names.get(each, "") for each in what])
    return network(structure, title, strokes, keys, said(structure), LOOK)


def shared(title: str) -> str:
    """TB, all pairs, each choice taken equally often: packets on every channel."""
    net = Turnback(TREE, routing="TB")
    loads: Counter[Channel | int] = Counter(dict.fromkeys(range(TREE.leaves), TREE.leaves - 1))
    for src in range(TREE.leaves):
        for dst in set(range(TREE.leaves)) - {src}:
            spread(net, entries(net, src, dst), dst, Fraction(1), loads)
    classes, keys = loaded(map(float, loads.values()), "packets on a channel:")
    names = {channel: classes[float(load)] for channel, load in loads.items()}
    return drawn(net, title, names, [LETTERS, *keys])


def spread(
    net: Turnback, choices: list[Channel], dst: int, share: Fraction, loads: Counter[Channel | int]
) -> None:
    """Add what a share of a packet loads, taking all choices alike."""
    for channel in choices:
        part = share / len(choices)
        loads[channel] += part  # type: ignore[assignment]  # Counter is typed for int alone
        spread(net, next_channels(net, channel, dst), dst, part, loads)


def allowed(title: str, src: int, dst: int) -> str:
    """TBWP: the channels that a packet may take."""
    net = Turnback(TREE, root_links=1)
    found: set[tuple[Channel, int]] = set()
    rest = [(channel, 0) for channel in entries(net, src, dst)]
    while rest:
        channel, laterals = rest.pop()
        laterals += channel.kind == "LATERAL"
        if (channel, laterals) not in found:
            found.add((channel, laterals))
            rest += [(after, laterals) for after in next_channels(net, channel, dst, laterals)]
    names: dict[Channel | int, str] = {channel: KINDS[channel.kind].name for channel, _ in found}
    names[src] = "up"
    return drawn(net, title, names, [LETTERS, *KINDS.values()])


def circle(title: str) -> str:
    """TBWP with many lateral hops: channels that wait for each other."""
    net = Turnback(TREE, root_links=1, lateral=None)
    names: dict[Channel | int, str]
    names = {channel: KINDS[channel.kind].name for channel in deadlock(net) or ()}
    waiting = Key("lateral", "each of these may wait for the next")
    return drawn(net, title, names, [LETTERS, waiting])


def packet(title: str) -> str:
    """The first flit of a packet among 60 processors, whose address is a vector."""
    shape = {"M": "4,3,5", "W": "1,2,2", "ADDRESS": "VECTOR"}
    made: Any = NETWORKS["turnback"].from_variables(shape)
    words, digits = made.words, vectors.widths(made.tree)
    fields = [(f"d{level}", bits) for level, bits in enumerate(digits, 1)]
    fields += [("source", words.node_bits), ("class", 1)]
    fields.append(("number of the packet", words.width - words.header_bits))
    said = f"d1, d2, d3: the destination's digits, {words.address_bits} of {words.width} bits"
    return word(title, fields, said)


DRAWINGS = (
    Drawing(
        "oxgft-4",
        "O",
        "Fig. 4",
        "the head flit of a packet, its lowest bit at the left, as the bench sends it to one of 60 "
        "processors with `ADDRESS=VECTOR`: nodes read the digits of the destination, one a level.",
        partial(packet, "The structure of a packet: its head flit"),
    ),
    Drawing(
        "turnback-1",
        "O",
        "No figure (TB, Section 1)",
        "turn-back nodes in a 2-ary 3-tree, one turn-back channel each; colours tell the packets "
        "on a channel if every leaf sends one to every other and all choices are equally frequent.",
        partial(shared, "TB, one turn-back channel a node"),
    ),
    Drawing(
        "turnback-2",
        "O",
        "No figure (TBWP, Section 1)",
        "all channels that a packet from leaf 0 to leaf 1 may take if turn-back channels are taken "
        "and it may go from root to root once.",
        partial(allowed, "TBWP, from leaf 0 to leaf 1", 0, 1),
    ),
    Drawing(
        "turnback-3",
        "O",
        "No figure (TBWP, Section 1)",
        "the channels that can wait for each other in a circle if a packet may go from root to "
        "root any number of times.",
        partial(circle, "TBWP with any number of lateral hops"),
    ),
)
