"""Turn-back routing on fat-trees, TB and TBWP: routes, and the channels that wait for each other.

After Kariniemi and Nurmi (2004), by way of the OXGFT paper; see `turnback.routing`.
"""

from fattree_models.turnback.dependencies import deadlock, turnback_graph
from fattree_models.turnback.routing import (
    DOWN,
    Channel,
    Turnback,
    Way,
    behind,
    channels,
    entries,
    legal,
    next_channels,
    shortest_hops,
    walk,
)

__all__ = [
    "DOWN",
    "Channel",
    "Turnback",
    "Way",
    "behind",
    "channels",
    "deadlock",
    "entries",
    "legal",
    "next_channels",
    "shortest_hops",
    "turnback_graph",
    "walk",
]
