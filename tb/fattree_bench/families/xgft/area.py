"""k-ary n-trees of wormhole switches or turn-back nodes, and RUFT, after synthesis."""

import re
from typing import Any

from fattree_bench.bench import claims
from fattree_bench.bench.claims import CORRECTED, HOLDS, NOTHING, Claim, Figure, found
from fattree_bench.families.design import WIDTH, Block, Design, Kind, Measured, Node, Routed
from fattree_bench.families.xgft.claims.shared import both
from fattree_bench.families.xgft.network import Kary
from fattree_bench.families.xgft.ruft import Ruft
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_bench.paths import RTL
from fattree_models.ruft import tree as ruft_tree

SHOWN = ("state_o", "home_o")
UNWATCHED = {"xgft_switch": SHOWN, "turnback_node": (*SHOWN, "turn_valid_o", "turn_flit_o")}
PARAMETER = re.compile(r"^ *parameter +(?:\[[^]]*\] *)?(\w+)", re.MULTILINE)
LEVELS = {
    3: {3: 2, 4: 3},
    4: {4: 2},
}  # of trees with more children, by these and the size asked for


def kary(n: int, kind: str = "KARY", k: int = 2, /, **options: str) -> Design:
    """A k-ary n-tree with queues, two virtual channels a link."""
    variables = {"K": str(k), "LEVELS": str(n), "WIDTH": str(max(WIDTH, 32)), **options}
    network = Kary.from_variables(variables)
    nodes = []
    for level in network.levels:
        block, ports = _node(network, level)
        nodes.append(Node(block, network.tree.level_size(level), n - level, 2 * ports))
    links = [
        network.tree.level_size(level) * network.tree.down_ports(level) for level in range(1, n + 1)
    ]
    return Design(
        kind=kind,
        leaves=network.leaves,
        nodes=tuple(nodes),
        lanes=2 * sum(links),
        crosspoints=sum(
            network.tree.level_size(level) * _crosspoints(network, level)
            for level in network.levels
        ),
    )


def ruft(n: int) -> Design:
    """The RUFT of the 2-ary n-tree; its long links are wires."""
    network = Ruft.from_variables({"K": "2", "LEVELS": str(n), "WIDTH": str(max(WIDTH, 32))})
    nodes = []
    for level in network.levels:
        block, ports = _node(network, level)
        nodes.append(Node(block, network.tree.level_size(level), n - level, 2 * ports))
    return Design(
        kind="RUFT",
        leaves=network.leaves,
        nodes=tuple(nodes),
        lanes=ruft_tree.counts(network.wiring).links,
        crosspoints=4 * network.routers,
    )


def _crosspoints(network: XgftNetwork, level: int) -> int:
    """Of a node: inputs x outputs of its switch or of both its switches."""
    down, up, lateral, turn = (len(ports) for ports in network.exits[level].values())
    if not turn:
        return (down + up) ** 2
    return (down + lateral) * (up + lateral + turn) + (up + turn) * down


def _node(network: XgftNetwork, level: int) -> tuple[Block, int]:
    """The node of a level, and its ports."""
    tree, ports = network.tree, network.exits[level]
    down, up = len(ports["DOWN"]), len(ports["UP"])
    if isinstance(network, Ruft):  # its outputs take the place of children
        down, up = down + up, 0
    given: dict[str, Any] = {
        **network.synthesis()[1],
        "DOWN": down,
        "UP": up,
        "ROOTS": len(ports["LATERAL"]),
        "TURNS": len(ports["TURN"]),
        "BELOW": tree.subtree_leaves(level),
        "SPREAD": tree.w_span(level),
        "FIELDS": sum((m - 1).bit_length() for m in tree.m[: level - 1]),
        "ADDR_W": network.address_bits,
        "NODE_W": network.node_bits,
        "ADDRESSES": network.addresses,
    }
    top = "xgft_switch" if network.turnback is None else "turnback_node"
    (source,) = RTL.glob(f"*/{top}.v")
    own, _, _ = source.read_text().partition("// derived")
    names = PARAMETER.findall((RTL / "wormhole" / "wormhole_params.vh").read_text() + own)
    chosen = {name: given[name] for name in names if name in given}
    block = Block(top, tuple(chosen.items()), ("wormhole", "turnback"), unwatched=UNWATCHED[top])
    return block, tree.radix(level) + len(ports["LATERAL"])


def _kind(name: str, says: str, k: int = 2, /, **options: str) -> dict[str, Kind]:
    def make(n: int) -> list[Design]:
        levels = n if k == 2 else LEVELS[k].get(n, 0)
        return [kary(levels, name, k, **options)] if levels else []

    return {name: Kind("kary", says, make)}


ONE = {"ROUTING": "TB", "TBCH": "1"}
KINDS = {
    **_kind("KARY", "2-ary n-tree of wormhole switches"),
    **_kind("KARY_AHEAD", "its heads ask for routes ahead", AHEAD="1"),
    **_kind("KARY_WAYS", "two flits of a port cross at once", WAYS="2"),
    **_kind("KARY_ADAPTIVE", "adaptive routing", ROUTING="ADAPTIVE"),
    **_kind("TURNBACK", "nodes of two switches, one turn-back channel", **ONE),
    **_kind("TURNBACK_TWO", "the same with two", ROUTING="TB", TBCH="2"),
    **_kind("TURNBACK_WP", "TBWP with two root links", ROUTING="TBWP", TBCH="1", ROOT_LINKS="2"),
    **_kind("TERNARY_NUMBER", "3-ary trees of TURNBACK; addresses are numbers", 3, **ONE),
    **_kind("TERNARY_VECTOR", "addresses are vectors", 3, **ONE, ADDRESS="VECTOR"),
    **_kind("QUATERNARY_ADAPTIVE", "4-ary trees of KARY_ADAPTIVE", 4, ROUTING="ADAPTIVE"),
    **_kind("QUATERNARY_TURNBACK", "4-ary trees of TURNBACK", 4, **ONE),
    "RUFT": Kind("ruft", "reduced unidirectional 2-ary n-tree", lambda n: [ruft(n)]),
}
ROUTED = (
    Routed(
        "kary",
        {"K": "2", "LEVELS": "1", "VCS": "1", "DEPTH": "4", "STAGES": "3"},
        ("state_o", "home_o", "link_valid_o", "link_flit_o"),
    ),
)


# ---- claims --------------------------------------------------------------------------------------

PLANTED = "tests/tb/families/xgft/test_area.py"
RUFT_PLANTED = "tests/tb/families/xgft/test_ruft_area.py"
NEARLY_HALF = 0.6  # of what a switch of the tree has, at most
KARINIEMI = "Kariniemi and Nurmi 2004, abstract; OXGFT paper, section 1"


def judge(measured: Measured) -> list[Claim]:
    """Every claim."""
    return [two_small_ones(measured), vectors_are_cheaper(measured), halved(measured)]


def _compared(measured: Measured, one: str, other: str) -> list[tuple[int, float, float]]:
    """Leaves, and gates of two kinds of that size."""
    own = {(d.kind, d.leaves): measured.nand2(d) for d in measured.designs}
    sizes = sorted(leaves for kind, leaves in own if kind == one and (other, leaves) in own)
    return [(leaves, own[one, leaves], own[other, leaves]) for leaves in sizes]


def _fewer(measured: Measured, one: str, other: str) -> Figure:
    """Gates of one kind against those of another, and whether they are fewer."""
    pairs = _compared(measured, one, other)
    if not pairs:
        return Figure("")
    text = ", ".join(f"N = {n}: {100 * (a / b - 1):+.1f} %" for n, a, b in pairs)
    return Figure(f"gates against {other}: {text}", all(a < b for _, a, b in pairs))


def two_small_ones(measured: Measured) -> Claim:
    """A node of two switches joined by a channel against one; as corrected: of four children."""
    says = "Networks up and down can be two small switches a node instead of a larger one."
    about = "two small switches for one", "kary", KARINIEMI, says
    figures = both(
        _fewer(measured, "TURNBACK", "KARY_ADAPTIVE"),
        _fewer(measured, "QUATERNARY_TURNBACK", "QUATERNARY_ADAPTIVE"),
    )
    return Claim.judged(about, CORRECTED, figures, ("O7",), PLANTED)


def vectors_are_cheaper(measured: Measured) -> Claim:
    """Digits in bit fields are compared; numbers are divided."""
    says = "Addresses that are vectors make decisions simple."
    about = "addresses as vectors", "kary", KARINIEMI, says
    fewer = _fewer(measured, "TERNARY_VECTOR", "TERNARY_NUMBER")
    figures = claims.Measured(fewer) if fewer.text else NOTHING
    return Claim.judged(about, HOLDS, figures, ("O9",), PLANTED)


def halved(measured: Measured) -> Claim:
    """What a switch of the lowest stage has of one of the tree: gates, flip-flops, queues."""
    trees = {design.leaves: design for design in measured.of("KARY")}
    shares, lanes = [], []
    for design in measured.of("RUFT"):
        if tree := trees.get(design.leaves):
            here, there = (measured.costs[one.nodes[0].block] for one in (design, tree))
            shares.append(here.nand2 / there.nand2)
            shares.append(here.flip_flops / there.flip_flops)
            shares.append(here.memory_bits / there.memory_bits)
            lanes.append(f"{design.lanes} of {tree.lanes} links at N={design.leaves}")
    says = "RUFT's switches are simple: nearly half of the tree's; its links are long."
    source = "Biswas and Hussain, survey, section 2.1; Gómez et al. 2008, abstract"
    about = "switches of RUFT after synthesis", "xgft", source, says
    if not shares:
        return Claim.judged(about, HOLDS, NOTHING, ("S34",), RUFT_PLANTED)
    text = (
        f"{min(shares):.0%} … {max(shares):.0%} of a switch's gates, flip-flops and bits of "
        f"queues; {', '.join(lanes)}, one way each"
    )
    figures = found(text, max(shares) <= NEARLY_HALF)
    return Claim.judged(about, HOLDS, figures, ("S34",), RUFT_PLANTED)
