"""A call of every public function that takes a size, a seed or an array of integers."""

from fattree_models import traffic
from fattree_models.traffic import permutations
from tests.models.common.calls import RNG

PACKETS = traffic.Packets.of([0, 1, 2], [1, 2, 0], [0, 1, 2])
WINDOW = traffic.Window(0, 4, 5)
SHIFT = traffic.pattern("shift:1", 64)
ONE_FLIT = traffic.lengths("1")

CALLS = [
    (traffic.Window, {"warm_up": 1, "periods": 4, "period": 100}),
    (traffic.Packets.of, {"source": [1, 0], "destination": 1, "release": [7, 9], "flits": 5}),
    (
        traffic.bernoulli,
        {"rng": RNG, "pattern": SHIFT, "lengths": ONE_FLIT, "load": 0.5} | {"cycles": 100},
    ),
    (
        traffic.frame_bursts,
        {"rng": RNG, "pattern": SHIFT, "lengths": ONE_FLIT, "load": 0.5}
        | {"cycles": 100, "frame": 3},
    ),
    (
        traffic.on_off,
        {"rng": RNG, "pattern": SHIFT, "lengths": ONE_FLIT, "load": 0.1}
        | {"cycles": 100, "beta": 0.5, "peak": 1.0},
    ),
    (traffic.may_stop, {"results": [], "beyond": 2}),
    (
        traffic.measure,
        {"packets": PACKETS, "nodes": 64, "arrived": [3, 4, -1], "window": WINDOW}
        | {"injected": [0, 1, -1], "hops": [1, 2, 3], "latency_limit": 100},
    ),
    *(
        (traffic.pattern, {"text": form, "nodes": 64, "seed": 3})
        for form in [
            "bitrev",
            "bitcomp",
            "shuffle",
            "rotation",
            "transpose",
            "transpose:2",
            "neighbor",
            "randperm",
            "shift:-3",
            "hotspot:1:0.5",
            "round_robin",
            "asymmetric",
            "diagonal",
            "logdiagonal",
            "unbalanced:0.5",
            "background:1,2",
            "uniform:self",
        ]
    ),
    (traffic.pattern, {"text": "tornado", "nodes": 64, "radix": 4}),
    (traffic.pattern, {"text": "tornado", "nodes": 64, "radix": [4, 16]}),
    (traffic.permutation, {"destination": [1, -1, 0]}),
    (traffic.every_pair, {"nodes": 64}),
    (traffic.uniform, {"nodes": 64, "without": [3, 4]}),
    (permutations.transpose, {"nodes": 64, "rows": 4}),
    (permutations.shift, {"nodes": 64, "places": 70}),
    (permutations.random_permutation, {"nodes": 64, "seed": 5}),
    (PACKETS.starts, {"nodes": 64}),
]
