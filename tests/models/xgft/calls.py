"""A call of every public function that takes a size, a seed or an array of integers."""

from fattree_models import xgft

TREE = xgft.Xgft((4, 4), (1, 2))

CALLS = [
    (xgft.Xgft, {"m": [4, 4], "w": [1, 2]}),
    (TREE.digits, {"level": 1, "index": [3, 1]}),
    (TREE.index, {"level": 1, "labels": [[0, 3]]}),
    (TREE.up, {"level": 1, "index": [1, 2], "c": 1}),
    (TREE.down, {"level": 1, "index": [1, 2], "q": 3}),
    (TREE.arrival, {"level": 1, "index": [1, 2]}),
    (TREE.level_size, {"level": 1}),
    (TREE.radices, {"level": 1}),
    (xgft.cheapest, {"p": 60, "levels": 3, "max_ports": 16, "top": 2}),
    (xgft.design, {"tree": TREE, "root_links": 2}),
    (xgft.fates, {"tables": xgft.dmodk_tables(TREE), "src": [0, 1], "dst": [15, 3]}),
    (xgft.ftree_mn, {"ports": 64, "levels": 3}),
    (xgft.gft, {"h": 3, "m": 8, "w": 8}),
    (xgft.hop_count, {"tree": TREE, "src": [0, 1], "dst": [15, 3]}),
    (xgft.kary, {"k": 64, "n": 3}),
    (xgft.legal, {"tree": TREE, "src": [0], "dst": [15], "ports": [[5, 3, 3]]}),
    (
        xgft.link_loads,
        {"tree": TREE, "src": [0, 1], "dst": [15, 3], "routing": "DMODK", "weight": [100, 100]},
    ),
    (xgft.mlid_tables, {"ports": 8, "levels": 3}),
    (xgft.nca_level, {"tree": TREE, "src": [0, 1], "dst": [15, 3]}),
    (xgft.path_count, {"tree": TREE, "src": [0, 1], "dst": [15, 3]}),
    (xgft.route_loads, {"tree": TREE, "src": [0], "ports": [[5, 3, 3]], "weight": [100]}),
    (xgft.rnca_tables, {"tree": TREE, "seed": 3}),
    (xgft.routes, {"tree": TREE, "src": [0, 1], "dst": [15, 3], "routing": "SMODK"}),
    (xgft.slid_tables, {"ports": 8, "levels": 3}),
    (xgft.table_routes, {"tables": xgft.dmodk_tables(TREE), "src": [0, 1], "dst": [15, 3]}),
    (xgft.turn_level, {"tree": TREE, "src": [0, 1], "dst": [15, 3]}),
    (xgft.up_port, {"tree": TREE, "routing": "DMODK", "level": 1, "src": [0], "dst": [15]}),
    (xgft.walk, {"tree": TREE, "src": [0], "ports": [[5, 3, 3]]}),
    (xgft.zero_load_latency, {"hops": [1, 3], "flits": 100, "stages": 100}),
]
