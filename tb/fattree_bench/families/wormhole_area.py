"""Trees of wormhole switches after synthesis: their blocks, and gates of two kinds compared."""

from collections.abc import Callable
from typing import Any

from fattree_bench.bench.claims import Figure
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.families.design import WIDTH, Block, Design, Kind, Measured, Node

SHOWN = ("state_o", "home_o")
MARKS = 2  # of a flit: head and tail
# Parameters that a network hands on to its nodes, those of any node, those of a whole switch.
HANDED_ON = ("VCS", "DEPTH", "WIDTH", "CLASSES", "STAGES", "AHEAD", "WAYS", "MODE", "ARBITER")
NODE = ("DOWN", "UP", "BELOW", "ADDR_W", "NODE_W", "ROUTING")
SWITCH = (*NODE, "SPREAD", "PATHS", "ADDRESSES", "CLIMB")
LEVELS = {
    3: {3: 2, 4: 3},
    4: {4: 2},
}  # of trees with more children, by these and the size asked for


def wide(**variables: str) -> dict[str, str]:
    """Variables with the width that designs are compared at."""
    return {"WIDTH": str(max(WIDTH, 32)), **variables}


def node(
    network: Wormhole,
    level: int,
    top: str = "xgft_switch",
    own: tuple[str, ...] = SWITCH,
    unwatched: tuple[str, ...] = SHOWN,
    one_way: bool = False,
) -> tuple[Block, int]:
    """The node of a level, and its ports.

    `own`: parameters of the module `top`, where the network has them; `one_way`: its outputs take
    the place of children.
    """
    tree, ways = network.tree, network.ways
    ports = ways.counts(level)
    down, up = ports["DOWN"], ports["UP"]
    if one_way:
        down, up = down + up, 0
    given: dict[str, Any] = {
        **network.synthesis()[1],
        "DOWN": down,
        "UP": up,
        "ROOTS": ports["LATERAL"],
        "TURNS": ports["TURN"],
        "BELOW": tree.subtree_leaves(level),
        "SPREAD": tree.w_span(level),
        "FIELDS": sum((m - 1).bit_length() for m in tree.m[: level - 1]),
        "ADDR_W": ways.address_bits,
        "NODE_W": network.words.node_bits,
        "ADDRESSES": ways.addresses,
    }
    chosen = {name: given[name] for name in (*HANDED_ON, *own) if name in given}
    rooms = tuple(room for room in network.rtl.rooms if room != "common")
    block = Block(top, tuple(chosen.items()), rooms, unwatched=unwatched)
    return block, tree.radix(level) + ports["LATERAL"]


def tree_design(
    kind: str, network: Wormhole, lanes: int, crosspoints: Callable[[int], int], **options: Any
) -> Design:
    """All nodes of a tree; `crosspoints` of one of a level, `options` as of `node`."""
    levels, size = network.ways.levels, network.tree.level_size
    nodes = []
    for level in levels:
        block, ports = node(network, level, **options)
        nodes.append(Node(block, size(level), network.tree.height - level, 2 * ports))
    return Design(
        kind=kind,
        leaves=network.leaves,
        nodes=tuple(nodes),
        lanes=lanes,
        crosspoints=sum(size(level) * crosspoints(level) for level in levels),
        wires=lanes * (network.width + MARKS + 2 * network.switch.vcs),  # valid, credit by channel
    )


def whole_switches(network: Wormhole, kind: str = "TREE") -> Design:
    """Any tree of whole switches."""
    return tree_design(
        kind, network, both_ways(network), lambda level: network.tree.radix(level) ** 2
    )


def both_ways(network: Wormhole) -> int:
    """Lines between nodes, and between nodes and leaves."""
    tree = network.tree
    return 2 * sum(tree.level_size(k) * tree.down_ports(k) for k in network.ways.levels)


def sized(network: str, says: str, make: Callable[[int], Design], k: int = 2) -> Kind:
    """Designs of k-ary trees by their levels, as many as come close to 2^n leaves."""

    def designs(n: int) -> list[Design]:
        levels = n if k == 2 else LEVELS[k].get(n, 0)
        return [make(levels)] if levels else []

    return Kind(network, says, designs)


def fewer(measured: Measured, one: str, other: str) -> Figure:
    """Gates of one kind against those of another, and whether they are fewer."""
    own = {(d.kind, d.leaves): measured.nand2(d) for d in measured.designs}
    sizes = sorted(leaves for kind, leaves in own if kind == one and (other, leaves) in own)
    pairs = [(leaves, own[one, leaves], own[other, leaves]) for leaves in sizes]
    if not pairs:
        return Figure("")
    text = ", ".join(f"N = {n}: {100 * (a / b - 1):+.1f} %" for n, a, b in pairs)
    return Figure(f"gates against {other}: {text}", all(a < b for _, a, b in pairs))
