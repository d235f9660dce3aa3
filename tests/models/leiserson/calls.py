"""A call of every public function that takes a size, a seed or an array of integers."""

import numpy as np

from fattree_models import leiserson
from fattree_models.leiserson import components, first_fit, measure, partial, schedules
from fattree_models.leiserson import partial_proof as proof
from tests.models.common.calls import RNG

SERIAL = leiserson.SerialTree((2, 2, 1), data_bits=8)
LINE = leiserson.SerialTree((3, 2, 1), "PARTIAL")
SET = leiserson.SerialTree((1, 1), "PARTIAL", nodes="OFFLINE")
MESSAGES = {"src": [0, 1, 1, 2, 2], "dst": [3, 0, 2, 0, 3], "cap": [4, 2, 1]}
FRAME = leiserson.encode(SERIAL, [1], [3], [9])[0].tolist()

CALLS = [
    (leiserson.SerialTree, {"cap": [4, 2, 1], "pipeline": 0, "data_bits": 9}),
    (leiserson.all_to_all, {"processors": 64}),
    (leiserson.all_to_one, {"processors": 64, "target": 5}),
    (leiserson.balanced, {**MESSAGES, "seed": 3}),
    (leiserson.bit_reversal, {"processors": 64}),
    (leiserson.channel_load, {"processors": 64, "channel": 100, "count": 70, "rng": RNG}),
    (leiserson.channel_loads, {"src": [0, 64], "dst": [1, 2], "processors": 64}),
    (leiserson.check_capacity, {"processors": 4, "cap": [4, 2, 1]}),
    (leiserson.corollary2, {**MESSAGES, "cap": [9, 9, 9]}),
    (leiserson.decisions, {"cap": [1, 2], "dst": [[1, 1, -1, -1, -1]]}),
    (leiserson.decode, {"tree": SERIAL, "source": 1, "frame": FRAME}),
    (leiserson.deliver, {"tree": SERIAL, "dst": [[1, 2, 3, 0, -1, -1]], "first_cycle": 3}),
    (leiserson.deliver, {"tree": LINE, "dst": [[1, 2, 3, 0, -1, -1, 2]], "edges": None}),
    *((each, {"tree": SET, "dst": [[1, -1, 0]]}) for each in (leiserson.lead, leiserson.settings)),
    (leiserson.edge_colouring, {**MESSAGES, "cap": [4, 2, 1]}),
    (leiserson.effective_capacity, {"cap": [64, 32, 16, 8, 4, 2, 1]}),
    (leiserson.encode, {"tree": SERIAL, "source": [0, 1], "dst": [1, 2], "words": [9, 127]}),
    (leiserson.greedy, MESSAGES),
    (leiserson.guess_exponents, {"h": 7, "cycles": 100}),
    (leiserson.iterated_greedy, {**MESSAGES, "seed": 3}),
    (leiserson.k_relation, {"processors": 64, "k": 3, "rng": RNG}),
    (leiserson.least_root, {"processors": 64}),
    (leiserson.level_loads, {"src": [0, 64], "dst": [1, 2], "processors": 64}),
    (leiserson.lfsr, {"seed": 99, "sources": 70, "cycles": 5}),
    (leiserson.load_factor, MESSAGES),
    (leiserson.local, {"processors": 64, "count": 100, "rng": RNG}),
    (leiserson.mesh, {"processors": 64, "points": 100, "rng": RNG}),
    (leiserson.nonblocking, {"processors": 64}),
    (leiserson.one_cycle, {"processors": 4, "cap": [4, 2, 1], "rng": RNG}),
    (leiserson.per_level, MESSAGES),
    (leiserson.permutation, {"processors": 64, "rng": RNG}),
    (leiserson.recursive_halving, {"place": np.arange(200.0).reshape(-1, 2), "processors": 64}),
    (
        leiserson.run_online,
        {"tree": SERIAL, "queue": [[1, 2, 3, 0, -1, -1]], "discipline": "RANDOMISED"}
        | {"seed": 9, "max_cycles": 100, "first_cycle": 7, "reset": 2, "behind": 3},
    ),
    (leiserson.schedule, {**MESSAGES, "seed": 3}),
    (leiserson.shuffle, {"processors": 64}),
    (leiserson.theorem1, MESSAGES),
    (leiserson.theorem4_ratio, {"processors": 64, "w": 64}),
    (leiserson.transpose, {"processors": 64}),
    (leiserson.uniform, {"processors": 64, "count": 100, "rng": RNG}),
    (leiserson.universal, {"processors": 64, "w": 64}),
    (components.incident_wires, {"cap": [64, 64, 32, 16, 8, 4]}),
    (first_fit.greedy, MESSAGES),
    (
        measure.mean_ratios,
        {"processors": 64, "w": 64, "sets": 2, "schedulers": ["GREEDY"], "seed": 1},
    ),
    (partial.stages, {"r": 64, "s": 32}),
    (partial.adjacency, {"r": 96, "s": 64}),
    (partial.deal, {"r": 8, "s": 7, "row": partial.table_rows()[8]}),
    (partial.guarantee, {"r": 96, "s": 64}),
    (partial.guarantee_port, {"r": 96, "s": 64}),
    (partial.first_outputs, {"r": 96}),
    (proof.verify_row, {"r": 8, "row": partial.table_rows()[8]}),
    (proof.hall_violation, {"graph": [[0, 1], [0, 1], [0, 1], [2, 2]], "s": 3, "least": 1}),
    (schedules.compact, {"cycle": np.array([5, 1, 5])}),
]
