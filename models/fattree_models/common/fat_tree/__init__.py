"""Fat-trees as graphs, XGFT(h; m_1..m_h; w_1..w_h): links, routes, tables, link loads.

After Ohring, Ibel, Das, Kumar (1995), Petrini and Vanneschi (1997), Lin, Chung, Huang (2004), the
survey of Biswas and Hussain ("the survey") and IBM Zurich's slides "Fat tree Benes" ("the slides");
what goes beyond them is marked "ours".

Conventions: leaves are level 0, switches levels 1 ... h (0 too if w_1 > 1); a switch of level l has
the ports 0 ... m_l - 1 down and m_l ... m_l + w_{l+1} - 1 up; inside a level nodes are numbered
mixed radix, a_1 least significant.  What functions take for granted:

tree : an Xgft.
src, dst : int arrays [pairs] of leaves.
ports : int array [pairs, hops], output ports in travelling order, -1 after the last hop.
routing : "DMODK", "SMODK" or an UpRule; climb : "NCA" or "TOP", where packets turn.
"""

from fattree_models.common.fat_tree.checker import Violation, violations
from fattree_models.common.fat_tree.graph import Edges, edges, structure
from fattree_models.common.fat_tree.latency import zero_load_latency
from fattree_models.common.fat_tree.loads import Loads, link_loads, route_loads, walked_loads
from fattree_models.common.fat_tree.routing import (
    UpRule,
    hop_count,
    legal,
    nca_level,
    path_count,
    routes,
    turn_level,
    up_port,
)
from fattree_models.common.fat_tree.shapes import benes, ftree_mn, gft, kary
from fattree_models.common.fat_tree.table_files import read_tables
from fattree_models.common.fat_tree.tables import Fate, Tables, dmodk_tables, fates, table_routes
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.common.fat_tree.walk import Walk, walk

__all__ = [
    "Edges",
    "Fate",
    "Loads",
    "Tables",
    "UpRule",
    "Violation",
    "Walk",
    "Xgft",
    "benes",
    "dmodk_tables",
    "edges",
    "fates",
    "ftree_mn",
    "gft",
    "hop_count",
    "kary",
    "legal",
    "link_loads",
    "nca_level",
    "path_count",
    "read_tables",
    "route_loads",
    "routes",
    "structure",
    "table_routes",
    "turn_level",
    "up_port",
    "violations",
    "walk",
    "walked_loads",
    "zero_load_latency",
]
