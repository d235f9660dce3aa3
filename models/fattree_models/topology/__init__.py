"""Topologies of one's own: is it a fat-tree, which, where do its routes lead and what do they load.

Above `fattree_models.common.fat_tree`, which knows trees by numbers; here nodes have names, and
cables may be wrong.
"""

from fattree_models.topology.balanced import balanced_routes
from fattree_models.topology.damage import Damage, damage
from fattree_models.topology.fabric import Fabric, build, natural
from fattree_models.topology.flows import follow
from fattree_models.topology.kinds import FAMILY, kinds, slimming
from fattree_models.topology.left import left_routes, numbered
from fattree_models.topology.loads import Ideal, ideal
from fattree_models.topology.match import Match, match
from fattree_models.topology.paths import Fate, Paths, way
from fattree_models.topology.proofs import circle, falls, rising, worst
from fattree_models.topology.ranks import Ranked, rank
from fattree_models.topology.repair import Repair, repair
from fattree_models.topology.routes import Routes, dmodk_routes, table_routes
from fattree_models.topology.rules import Breach, Demands, Level, breaches, levels
from fattree_models.topology.shifts import Shifts, shift_loads
from fattree_models.topology.speeds import ratios, slow

__all__ = [
    "FAMILY", "Breach", "Damage", "Demands", "Fabric", "Fate", "Ideal", "Level", "Match", "Paths",
    "Ranked", "Repair", "Routes", "Shifts", "balanced_routes", "breaches", "build", "circle",
    "damage", "dmodk_routes", "falls", "follow", "ideal", "kinds", "left_routes", "levels", "match",
    "natural", "numbered", "rank", "ratios", "repair", "rising", "shift_loads", "slimming", "slow",
    "table_routes", "way", "worst",
]  # fmt: skip
