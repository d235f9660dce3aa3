"""The clock-exact model of a network of the bench."""

from fattree_bench.families.xgft.ruft import Ruft
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models.xgft import wormhole

SWITCH = ("vcs", "depth", "stages", "ahead", "ways", "vc_mode", "classes", "arbiter", "width")
WAYS = ("climb", "tbch", "root_links", "lateral")


def model_of(network: XgftNetwork) -> wormhole.Network:
    """What `docs/wormhole.md` needs to know of it."""
    same = {name: getattr(network, name) for name in SWITCH}
    if isinstance(network, Ruft):
        return wormhole.Network(tree=network.wiring, long=network.long, **same)
    return wormhole.Network(
        tree=network.tree,
        tables=network.tables,
        folded=network.ports_levels if network.topology == "BENES" else None,
        routing=network.routing if network.tables is None else "TABLES",
        address=network.addresses_as,
        **same,
        **{name: getattr(network, name) for name in WAYS},
    )
