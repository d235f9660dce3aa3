"""A k-ary n-tree of wormhole switches after synthesis, and the RUFT that is made from it."""

from typing import Any

from fattree_bench.bench.claims import HOLDS, NOTHING, Claim, found
from fattree_bench.families.design import WIDTH, Block, Design, Kind, Measured, Node, Routed
from fattree_bench.families.xgft.network import Kary
from fattree_bench.families.xgft.ruft import Ruft
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models.xgft import ruft_tree

NEARLY_HALF = 0.6  # of what a switch of the tree has, at most
PLANTED = "tests/tb/families/xgft/test_area.py"


def kary(n: int, kind: str = "KARY", **options: str) -> Design:
    """A 2-ary n-tree of wormhole switches with queues, two virtual channels a link."""
    variables = {"K": "2", "LEVELS": str(n), "WIDTH": str(max(WIDTH, 32)), **options}
    network = Kary.from_variables(variables)
    nodes = []
    for level in range(1, n + 1):
        up = 2 if level < n else 0
        nodes.append(Node(switch(network, level, up), 1 << (n - 1), n - level, 2 * (2 + up)))
    return Design(
        kind=kind,
        leaves=1 << n,
        nodes=tuple(nodes),
        lanes=2 * n << n,
        crosspoints=sum(node.copies * (node.degree // 2) ** 2 for node in nodes),
    )


def ruft(n: int) -> Design:
    """The RUFT of that tree; its long links are wires."""
    network = Ruft.from_variables({"K": "2", "LEVELS": str(n), "WIDTH": str(max(WIDTH, 32))})
    return Design(
        kind="RUFT",
        leaves=1 << n,
        nodes=tuple(
            Node(switch(network, level, 0), 1 << (n - 1), n - level, 4) for level in range(1, n + 1)
        ),
        lanes=ruft_tree.counts(network.wiring).links,
        crosspoints=4 * network.routers,
    )


def switch(network: XgftNetwork, level: int, up: int) -> Block:
    """A switch of a level with two children, or inputs and outputs."""
    chosen: dict[str, Any] = {
        k: x
        for k, x in network.synthesis()[1].items()
        if k not in ("H", "M", "W", "K", "LEVELS", "LONG")
    }
    chosen |= {
        "DOWN": 2,
        "UP": up,
        "BELOW": 1 << level,
        "SPREAD": 1 << (level - 1),
        "ADDR_W": network.address_bits,
        "NODE_W": network.node_bits,
        "ADDRESSES": network.addresses,
    }
    unwatched = ("state_o", "home_o")
    return Block("xgft_switch", tuple(chosen.items()), ("xgft",), unwatched=unwatched)


def judge(measured: Measured) -> list[Claim]:
    """Every claim."""
    return [halved(measured)]


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
        return Claim.judged(about, HOLDS, NOTHING, ("S34",), PLANTED)
    text = (
        f"{min(shares):.0%} … {max(shares):.0%} of a switch's gates, flip-flops and bits of "
        f"queues; {', '.join(lanes)}, one way each"
    )
    figures = found(text, max(shares) <= NEARLY_HALF)
    return Claim.judged(about, HOLDS, figures, ("S34",), PLANTED)


KINDS = {
    "KARY": Kind("kary", "2-ary n-tree of wormhole switches", lambda n: [kary(n)]),
    "KARY_AHEAD": Kind(
        "kary", "its heads ask for routes ahead", lambda n: [kary(n, "KARY_AHEAD", AHEAD="1")]
    ),
    "KARY_WAYS": Kind(
        "kary", "two flits of a port cross at once", lambda n: [kary(n, "KARY_WAYS", WAYS="2")]
    ),
    "RUFT": Kind(
        "ruft", "reduced unidirectional 2-ary n-tree of these switches", lambda n: [ruft(n)]
    ),
}
ROUTED = (
    Routed(
        "kary",
        {"K": "2", "LEVELS": "1", "VCS": "1", "DEPTH": "4", "STAGES": "3"},
        ("state_o", "home_o", "link_valid_o", "link_flit_o"),
    ),
)
