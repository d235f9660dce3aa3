"""The designs that are compared, as blocks that are synthesized once and counted many times.

The nodes of a level are all the same, so one of them is synthesized; what stands beside the nodes
(leaves with their loop-back, decoders) is the whole network with its nodes left out.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fattree_bench.area.synthesis import Block, Cost
from fattree_bench.errors import UserError
from fattree_bench.families import NETWORKS
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models import lbbvn, leiserson

WIDTH = 16  # payload bits in all designs
COUNTERS = ("conflicts_up_o", "conflicts_down_o", "injected_o", "delivered_o")


@dataclass(frozen=True)
class Node:
    """A block that stands `copies` times in a design.

    `degree`: lines that end at it, both directions; 0 if it is no node of a tree.
    `level`: of a node, the root's is 0.
    """

    block: Block
    copies: int
    level: int = -1
    degree: int = 0


@dataclass(frozen=True)
class Design:
    """A design of N leaves.

    Attributes
    ----------
    kind : a name in KINDS; `root` is the root capacity of a universal fat-tree, else 0.
    lanes : one-way lines between nodes, and between nodes and leaves.
    crosspoints : R x S of every port.
    settings : bits of the memories of settings, beside the blocks.
    capacity : lanes of a channel by level, each way; empty if there are no channels.
    """

    kind: str
    leaves: int
    nodes: tuple[Node, ...]
    lanes: int
    crosspoints: int
    settings: int = 0
    root: int = 0
    capacity: tuple[int, ...] = field(default=())

    @property
    def name(self) -> str:
        """As in "UNIVERSAL w=16"."""
        return f"{self.kind} w={self.root}" if self.root else self.kind

    def total(self, costs: dict[Block, Cost]) -> Cost:
        """All blocks together; `levels` is that of the deepest block."""
        parts = [(node.copies, costs[node.block]) for node in self.nodes]
        gates: dict[str, int] = {}
        for copies, cost in parts:
            for name, count in cost.gates.items():
                gates[name] = gates.get(name, 0) + copies * count
        return Cost(
            gates=gates,
            nand2=sum(copies * cost.nand2 for copies, cost in parts),
            flip_flops=sum(copies * cost.flip_flops for copies, cost in parts),
            delay_bits=sum(copies * cost.delay_bits for copies, cost in parts),
            memory_bits=self.settings + sum(copies * cost.memory_bits for copies, cost in parts),
            levels=max(cost.levels for _, cost in parts),
        )


# ---- the fat-tree of load-balanced switches, and a crossbar --------------------------------------


def bufferless(n: int, capacity: str, upper_half: str, control: str) -> Design:
    """A tree of 2^n leaves: its nodes a level, and the tree without its levels."""
    network = Lbbvn.from_variables(
        {
            "N": str(1 << n),
            "CAPACITY": capacity,
            "UPPER_HALF": upper_half,
            "CONTROL": control,
            "WIDTH": str(WIDTH),
        }
    )
    top, parameters = network.synthesis()
    around = Block(
        top,
        tuple(parameters.items()),
        ("lbbvn",),
        boxes=("lbbvn_level",),
        unwatched=COUNTERS,
    )
    levels = range(network.top_level, n)
    nodes = [_lbbvn_node(network, level) for level in levels]
    c = network.lanes
    first = max(network.top_level, 1)
    settings = 0
    if (
        control == "SCHEDULED"
    ):  # the root has no use for settings up; those of leaves are in a block
        settings = network.leaves * sum(
            (up if level else 0) + down for level, up, down in network.row_parts()
        )
    kind = "STATIC" if upper_half == "STATIC" else capacity
    return Design(
        kind=kind + ("_SCHEDULED" if control == "SCHEDULED" else ""),
        leaves=network.leaves,
        nodes=(Node(around, 1), *nodes),
        lanes=2 * sum(int(c[j]) << j for j in range(first, n + 1)),
        crosspoints=lbbvn.crosspoints(c, network.static_upper),
        settings=settings,
        capacity=tuple(int(lanes) for lanes in c),
    )


def _lbbvn_node(network: Lbbvn, level: int) -> Node:
    """The nodes of a level, as lbbvn_tree.v makes them."""
    n, top = network.n, network.top_level
    wired = top > 0
    steps = (n - top + level - top) if wired else n - 1 + level
    up, down = int(network.lanes[level]), int(network.lanes[level + 1])
    header = n if network.control == "SELF" else 1
    # What is above reads the destination from its own level on; the root's children are led to
    # each other without a look at it; fixed wires end at a node of the same level.
    up_header = n - level if wired and level == top else n - 1 if level == 1 else n
    chosen = {
        "CONTROL": f'"{network.control}"',
        "N_LOG": n,
        "LEVEL": level,
        "POSITION": sum(1 << bit for bit in range(0, level, 2)),  # half of its bits are ones
        "C_UP": up,
        "C_DOWN": down,
        "GROUPS": (1 << level) - 1 if wired and level == top else 1,
        "TURN_DELAY": steps - (n - 1 - level),
        "H": header,
        "W": WIDTH,
        "UP_H": up_header if network.control == "SELF" else 0,
        "DOWN_H": n - level - 1 if network.control == "SELF" else 0,
    }
    block = Block("area_node", tuple(chosen.items()), ("lbbvn",))
    return Node(block, 1 << level, level, 2 * (up + 2 * down))


def crossbar(n: int, control: str) -> Design:
    """A crossbar of 2^n inputs and outputs: its columns, and the decoders before them."""
    leaves = 1 << n
    common = (("CONTROL", f'"{control}"'),)
    size = (("N_LOG", n), ("W", WIDTH))
    around = Block("area_crossbar", (*common, *size), ("lbbvn",), boxes=("area_column",))
    column = Block("area_column", (*common, ("R", leaves), ("W", WIDTH)), ("lbbvn",))
    scheduled = control == "SCHEDULED"
    nodes = [Node(column, leaves)] if scheduled else [Node(around, 1), Node(column, leaves)]
    return Design(
        kind="CROSSBAR_SCHEDULED" if scheduled else "CROSSBAR",
        leaves=leaves,
        nodes=tuple(nodes),
        lanes=2 * leaves,
        crosspoints=leaves * leaves,
        settings=leaves * leaves * (n + 1) if scheduled else 0,
    )


# ---- universal fat-trees -------------------------------------------------------------------------


def universal(n: int, root: int, concentrator: str) -> Design:
    """The nodes of a universal fat-tree; network interfaces are no part of it.

    Raises
    ------
    ValueError : there are no partial concentrators of that size.

    """
    cap = tuple(int(c) for c in leiserson.universal(1 << n, root))
    tree = leiserson.SerialTree(cap=cap, concentrator=concentrator, data_bits=WIDTH)
    parts = leiserson.count_components(tree)
    nodes = []
    for level in range(n):
        chosen = {
            "NODES": 1,
            "C_UP": cap[level],
            "C_DOWN": cap[level + 1],
            "CONCENTRATOR": f'"{concentrator}"',
        }
        block = Block(
            "leiserson_node",
            tuple(chosen.items()),
            ("leiserson",),
            unwatched=("up_lost_o", "down_lost_o"),
        )
        nodes.append(Node(block, 1 << level, level, 2 * (cap[level] + 2 * cap[level + 1])))
    return Design(
        kind="UNIVERSAL" if concentrator == "IDEAL" else "PARTIAL",
        leaves=1 << n,
        nodes=tuple(nodes),
        lanes=parts.wires,
        crosspoints=parts.crosspoints,
        root=root,
        capacity=cap,
    )


def universals(n: int, concentrator: str) -> Iterator[Design]:
    """Universal fat-trees of the least root capacity, of the greatest, and of one between."""
    leaves = 1 << n
    least = leiserson.least_root(leaves)
    for root in dict.fromkeys((least, round(math.sqrt(least * leaves)), leaves)):
        if _largest_node(leaves, root) <= LARGEST[concentrator]:
            yield universal(n, root, concentrator)


# Lines of the largest node that is synthesized: beyond it Yosys takes more than about ten minutes.
LARGEST = {"IDEAL": 76, "PARTIAL": 34}


def _largest_node(leaves: int, root: int) -> int:
    cap = leiserson.universal(leaves, root)
    return max(int(2 * (up + 2 * down)) for up, down in itertools.pairwise(cap))


# ---- k-ary n-trees -------------------------------------------------------------------------------


def kary(n: int) -> Design:
    """A 2-ary n-tree of wormhole switches with queues, two virtual channels a link."""
    variables = {"K": "2", "LEVELS": str(n), "WIDTH": str(max(WIDTH, 32))}
    network = NETWORKS["kary"].from_variables(variables)
    assert isinstance(network, XgftNetwork)
    _, whole = network.synthesis()
    nodes = []
    for level in range(1, n + 1):
        chosen = {k: x for k, x in whole.items() if k not in ("H", "M", "W")}
        chosen |= {
            "SWITCHES": 1,
            "DOWN": 2,
            "UP": 2 if level < n else 0,
            "BELOW": 1 << level,
            "SPREAD": 1 << (level - 1),
            "ADDR_W": network.address_bits,
            "NODE_W": network.node_bits,
            "ADDRESSES": network.addresses,
        }
        block = Block(
            "xgft_switch", tuple(chosen.items()), ("xgft",), unwatched=("state_o", "home_o")
        )
        ports = chosen["DOWN"] + chosen["UP"]
        nodes.append(Node(block, 1 << (n - 1), n - level, 2 * ports))
    return Design(
        kind="KARY",
        leaves=1 << n,
        nodes=tuple(nodes),
        lanes=2 * n << n,
        crosspoints=sum(node.copies * (node.degree // 2) ** 2 for node in nodes),
    )


# ---- all of them ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """A sort of design: of which network, what it is, and its designs of 2^n leaves."""

    network: str
    says: str
    make: Callable[[int], list[Design]]


def _tree(capacity: str, upper_half: str, control: str) -> Callable[[int], list[Design]]:
    return lambda n: [bufferless(n, capacity, upper_half, control)]


KINDS: dict[str, Kind] = {
    "NONBLOCKING": Kind(
        "lbbvn", "every permutation fits", _tree("NONBLOCKING", "SWITCHED", "SELF")
    ),
    "LOWER_BOUND": Kind("lbbvn", "Lemma 1's lanes", _tree("LOWER_BOUND", "SWITCHED", "SELF")),
    "STATIC": Kind("lbbvn", "the same, upper half wired", _tree("LOWER_BOUND", "STATIC", "SELF")),
    "CROSSBAR": Kind("lbbvn", "a crossbar of the same blocks", lambda n: [crossbar(n, "SELF")]),
    "LOWER_BOUND_SCHEDULED": Kind(
        "lbbvn", "settings from memories", _tree("LOWER_BOUND", "SWITCHED", "SCHEDULED")
    ),
    "STATIC_SCHEDULED": Kind(
        "lbbvn", "settings from memories", _tree("LOWER_BOUND", "STATIC", "SCHEDULED")
    ),
    "CROSSBAR_SCHEDULED": Kind(
        "lbbvn", "settings from a memory", lambda n: [crossbar(n, "SCHEDULED")]
    ),
    "UNIVERSAL": Kind(
        "leiserson", "bit-serial, ideal concentrators", lambda n: list(universals(n, "IDEAL"))
    ),
    "PARTIAL": Kind(
        "leiserson", "bit-serial, partial concentrators", lambda n: list(universals(n, "PARTIAL"))
    ),
    "KARY": Kind("kary", "2-ary n-tree of wormhole switches", lambda n: [kary(n)]),
}
SIZES = (4, 8, 16, 32, 64, 128)


def chosen_designs(network: str, names: str, sizes: str) -> list[Design]:
    """Designs by kind, then size.

    Parameters
    ----------
    network : of which network, or "" for all; `names`: kinds with commas between, or "";
    sizes : leaves with commas between.

    Raises
    ------
    UserError : a word that is not known, or nothing is left.

    """
    networks = tuple(dict.fromkeys(kind.network for kind in KINDS.values()))
    if network and network not in networks:
        raise UserError(f"NETWORK={network}: must be {', '.join(networks)}, or empty for all")
    wanted = [name.strip().upper() for name in names.split(",")] if names else list(KINDS)
    for name in wanted:
        if name not in KINDS:
            raise UserError(f"DESIGNS={names}: {name}: must be of {', '.join(KINDS)}")
    leaves = []
    for word in sizes.split(","):
        if word.strip() not in map(str, SIZES):
            raise UserError(f"N={sizes}: must be of {', '.join(map(str, SIZES))}")
        leaves.append(int(word))
    kinds = [KINDS[name] for name in wanted if network in ("", KINDS[name].network)]
    ordered = sorted(set(leaves))
    found = [one for kind in kinds for size in ordered for one in kind.make(size.bit_length() - 1)]
    if not found:
        raise UserError(f"DESIGNS={names}: none of NETWORK={network} with N={sizes}")
    return found


def blocks_of(designs: list[Design]) -> list[Block]:
    """Every block once, in the order of the designs."""
    return list(dict.fromkeys(node.block for design in designs for node in design.nodes))
