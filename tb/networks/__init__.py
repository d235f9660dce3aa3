"""One file a network: parameters, sources, top, model.  Adding a network = adding a file here."""

from tb.errors import UserError
from tb.networks.base import Network, Parameter
from tb.networks.lbbvn import Lbbvn
from tb.networks.lbbvn_switch import LbbvnSwitch
from tb.networks.leiserson import Leiserson
from tb.networks.xgft_families import Benes, FtreeMn, Gft, Kary, Xgft

NETWORKS: dict[str, type[Network]] = {
    network.name: network
    for network in (Lbbvn, LbbvnSwitch, Leiserson, Xgft, Kary, Gft, FtreeMn, Benes)
}

__all__ = ["NETWORKS", "Network", "Parameter", "family", "find"]


def find(name: str) -> type[Network]:
    """The network of that name; UserError otherwise."""
    if name not in NETWORKS:
        raise UserError(f"NETWORK={name}: no such network; there is {', '.join(NETWORKS)}")
    return NETWORKS[name]


def family(name: str) -> str:
    """The network under which a network's tests and testpoints are filed: families share theirs."""
    return find(name).family
