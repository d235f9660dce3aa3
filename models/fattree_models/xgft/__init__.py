"""Packet-switched fat-trees, XGFT(h; m_1..m_h; w_1..w_h), and what every routing does to them.

Their graphs, routes, tables and link loads are those of `common.fat_tree`, whose docstring has the
conventions; here are also the tables of InfiniBand and OpenSM, the loads of all pairs, and the
cheapest trees.
"""

from fattree_models.common import fat_tree
from fattree_models.common.fat_tree import *  # noqa: F403  # the list is in fat_tree.__all__
from fattree_models.xgft.all_pairs import all_pairs_loads, destinations
from fattree_models.xgft.counts import Counts, bisection, counts
from fattree_models.xgft.infiniband import mlid_tables, slid_tables
from fattree_models.xgft.opensm import opensm_tables
from fattree_models.xgft.optimum import Constraint, Design, cheapest, design
from fattree_models.xgft.spread import Ecmp, prefix_tables, rnca_tables

__all__ = [
    "Constraint",
    "Counts",
    "Design",
    "Ecmp",
    "all_pairs_loads",
    "bisection",
    "cheapest",
    "counts",
    "design",
    "destinations",
    "mlid_tables",
    "opensm_tables",
    "prefix_tables",
    "rnca_tables",
    "slid_tables",
]
__all__ += fat_tree.__all__
