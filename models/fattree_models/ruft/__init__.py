"""The reduced unidirectional fat-tree, RUFT: its links, its routes, and what they load.

`ruft.tree` compares it with the k-ary n-tree that it is made of.
"""

from fattree_models.ruft.routing import (
    Ruft,
    Way,
    all_pairs,
    all_pairs_loads,
    destinations,
    legal,
    link_loads,
    reach,
    route_loads,
    routes,
    walk,
)

__all__ = [
    "Ruft",
    "Way",
    "all_pairs",
    "all_pairs_loads",
    "destinations",
    "legal",
    "link_loads",
    "reach",
    "route_loads",
    "routes",
    "walk",
]
