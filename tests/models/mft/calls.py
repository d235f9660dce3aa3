"""A call of every public function that takes a size, a seed or an array of integers."""

from fattree_models import mft

CALLS = [
    (mft.Mft, {"n": 3, "fifo": 16, "pipeline": 1, "room": 4}),
    (mft.counter_example, {"n": 2}),
    (mft.lane_counts, {"n": 7}),
    (mft.router_ports, {"n": 7}),
    (mft.turn_row, {"n": 7, "src": [0, 64], "dst": [127, 1]}),
]
