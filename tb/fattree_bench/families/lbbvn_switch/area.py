"""The whole load-balanced switch after synthesis: line cards with their memories, round a tree."""

from collections.abc import Callable

from fattree_bench.families.design import Block, Design, Kind, Node
from fattree_bench.families.lbbvn.area import bufferless
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_models.lbbvn_switch import SCHEMES

PARTS = ("lbbvn", "lbbvn_switch")
CARD = (  # parameters that a line card shares with its switch
    *("N_LOG", "SCHEME", "SCHEDULE", "W", "INGRESS", "MIDDLE", "RESEQUENCER"),
    *("THRESHOLD", "GATE", "TRIES"),
)


def card(network: LbbvnSwitch) -> Block:
    """A line card of a switch."""
    _, whole = network.synthesis()
    chosen = {**{name: whole[name] for name in CARD}, "LATENCY": network.fabric.clocks}
    return Block("lbbvn_card", tuple(chosen.items()), PARTS, seconds=10)


def switch(n: int, scheme: str) -> Design:
    """2^n line cards with queues of the default depths, and Lemma 1's tree for their words."""
    network = LbbvnSwitch.from_variables({"N": str(1 << n), "SCHEME": scheme})
    top, whole = network.synthesis()
    around = Block(top, tuple(whole.items()), PARTS, boxes=("lbbvn_card", "lbbvn_tree"))
    # A word: payload, source, destination, fake, cell, and what MAILBOX and PADDED tell.
    tree = bufferless(n, "LOWER_BOUND", "SWITCHED", "SELF", network.width + 2 * n + 4)
    return Design(
        kind=f"SWITCH_{scheme}",
        leaves=network.leaves,
        nodes=(*tree.nodes, Node(card(network), network.leaves), Node(around, 1)),
        lanes=tree.lanes,
        crosspoints=tree.crosspoints,
    )


def _of(scheme: str) -> Callable[[int], list[Design]]:
    return lambda n: [switch(n, scheme)]


# The tree of MAILBOX has no registers; its nodes are no blocks.
KINDS: dict[str, Kind] = {
    f"SWITCH_{scheme}": Kind(
        "lbbvn_switch", f"line cards under {scheme}, a tree of their words", _of(scheme)
    )
    for scheme in SCHEMES
    if scheme != "MAILBOX"
}
