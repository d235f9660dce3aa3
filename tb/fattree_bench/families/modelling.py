"""A clock-exact model in the place of the RTL: a family's modelled.py offers MODELLING."""

from collections.abc import Callable
from dataclasses import dataclass

from fattree_bench.bench.network import Network
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.errors import UserError
from fattree_bench.families import NETWORKS, family, has, part


@dataclass(frozen=True)
class Modelling:
    """What a family has besides its bench.

    Attributes
    ----------
    check : UserError for a network that the model does not know.
    play : a measured scenario with a seed; figures go to a file at once, if one is named.
    """

    check: Callable[..., None]
    play: Callable[..., ScenarioResult]


def modelling(network: Network) -> Modelling:
    """How a network is modelled; UserError if it cannot be."""
    if not has(family(network.name), "modelled"):
        known = ", ".join(name for name in NETWORKS if has(family(name), "modelled"))
        raise UserError(f"NETWORK={network.name}: it has no clock-exact model; known: {known}")
    found: Modelling = part(family(network.name), "modelled").MODELLING
    found.check(network)
    return found
