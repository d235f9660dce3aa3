"""A call of every public function that takes a size, a seed or an array of integers."""

from fattree_models import mft

CALLS = [
    (mft.Mft, {"n": 3, "fifo": 16, "pipeline": 1, "room": 4}),
    (mft.child, {"n": 3, "row": 2, "column": [1, 3], "side": [0, 1]}),
    (mft.counter_example, {"n": 2}),
    (mft.lane_counts, {"n": 7}),
    (mft.parent, {"n": 3, "row": 1, "column": [0, 3], "link": [0, 1]}),
    (mft.paths, {"n": 7, "src": [0, 64], "dst": [127, 1]}),
    (mft.router_ports, {"n": 7}),
    (mft.turn_row, {"n": 7, "src": [0, 64], "dst": [127, 1]}),
]
