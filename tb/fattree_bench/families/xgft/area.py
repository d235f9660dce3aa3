"""A k-ary n-tree of wormhole switches after synthesis."""

from fattree_bench.families.design import WIDTH, Block, Design, Kind, Node, Routed
from fattree_bench.families.xgft.network import Kary


def kary(n: int, kind: str = "KARY", **options: str) -> Design:
    """A 2-ary n-tree of wormhole switches with queues, two virtual channels a link."""
    variables = {"K": "2", "LEVELS": str(n), "WIDTH": str(max(WIDTH, 32)), **options}
    network = Kary.from_variables(variables)
    _, whole = network.synthesis()
    nodes = []
    for level in range(1, n + 1):
        chosen = {k: x for k, x in whole.items() if k not in ("H", "M", "W")}
        chosen |= {
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
        kind=kind,
        leaves=1 << n,
        nodes=tuple(nodes),
        lanes=2 * n << n,
        crosspoints=sum(node.copies * (node.degree // 2) ** 2 for node in nodes),
    )


KINDS = {
    "KARY": Kind("kary", "2-ary n-tree of wormhole switches", lambda n: [kary(n)]),
    "KARY_AHEAD": Kind(
        "kary", "its heads ask for routes ahead", lambda n: [kary(n, "KARY_AHEAD", AHEAD="1")]
    ),
    "KARY_WAYS": Kind(
        "kary", "two flits of a port cross at once", lambda n: [kary(n, "KARY_WAYS", WAYS="2")]
    ),
}
ROUTED = (
    Routed(
        "kary",
        {"K": "2", "LEVELS": "1", "VCS": "1", "DEPTH": "4", "STAGES": "3"},
        ("state_o", "home_o", "link_valid_o", "link_flit_o"),
    ),
)
