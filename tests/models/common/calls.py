"""A call of every public function that takes a size, a seed or an array of integers."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from fattree_models import gals, lbbvn, leiserson, mft, spin, traffic, xgft
from fattree_models import lbbvn_switch as switch
from fattree_models.benes import unfolded
from fattree_models.common import checks
from fattree_models.common.tree import FatTree, bit_lengths
from fattree_models.leiserson import components, first_fit, measure, partial, schedules
from fattree_models.leiserson import partial_proof as proof
from fattree_models.traffic import permutations

RNG = object()
"""Stands for a generator, a new one for each call."""

TREE = xgft.Xgft((4, 4), (1, 2))
SERIAL = leiserson.SerialTree((2, 2, 1), data_bits=8)
LINE = leiserson.SerialTree((3, 2, 1), "PARTIAL")
SET = leiserson.SerialTree((1, 1), "PARTIAL", nodes="OFFLINE")
PACKETS = traffic.Packets.of([0, 1, 2], [1, 2, 0], [0, 1, 2])
WINDOW = traffic.Window(0, 4, 5)
SHIFT = traffic.pattern("shift:1", 64)
ONE_FLIT = traffic.lengths("1")
MESSAGES = {"src": [0, 1, 1, 2, 2], "dst": [3, 0, 2, 0, 3], "cap": [4, 2, 1]}
FRAME = leiserson.encode(SERIAL, [1], [3], [9])[0].tolist()

CALLS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (bit_lengths, {"n": 7}),
    (FatTree, {"n": 7}),
    (FatTree(4).heap_index, {"level": 2, "index": 1}),
    (FatTree(7).subtree_leaves, {"level": 2, "index": 3}),
    (FatTree(7).lca_level, {"src": [1, 64], "dst": [2, 127]}),
    (FatTree(7).path, {"src": 1, "dst": 127}),
    (FatTree(2).channel_lanes, {"c": [0, 2, 1]}),
    (checks.check_slots, {"dst": [[1, -1]]}),
    (checks.levels_of, {"name": "leaves", "leaves": 64}),
    (gals.AsyncFifo, {"depth": 100, "stages": 3}),
    (gals.bits_changed, {"depth": 100}),
    (gals.codes, {"depth": 100}),
    (gals.edges, {"write_period": 100, "read_period": 73, "phase": 5, "time": 127}),
    (gals.full_rate_depth, {"stages": 3, "phase": 0}),
    (gals.rate, {"depth": 4, "stages": 3, "phase": Fraction(1, 2)}),
    (
        gals.run,
        {"fifo": gals.AsyncFifo(4), "order": [1, 2, 3, 2, 2], "offered": [1, 0, 0, 0, 0]}
        | {"wanted": [1, 0, 1, 0, 1]},
    ),
    (lbbvn.assess, {"frame": [[0, 2, 1, 3], [2, 3, 0, -1]]}),
    (lbbvn.bit_reverse, {"n": 7}),
    (lbbvn.bit_reverse_shifts, {"n": 7}),
    (lbbvn.bit_reverse_xors, {"n": 7}),
    (lbbvn.bit_rotation, {"n": 7, "r": 3}),
    (lbbvn.bit_rotation_frame, {"n": 7, "r": -3}),
    (lbbvn.channel_loads, {"dst": [[1, 2, 3, 0]], "n": 2}),
    (lbbvn.check_capacity, {"n": 2, "c": [0, 2, 1]}),
    (lbbvn.compile_settings, {"dst": [[0, 2, 1, 3]], "c": [0, 2, 1]}),
    (lbbvn.crosspoints, {"c": [0, 64, 32, 16, 8, 4, 2, 1]}),
    (lbbvn.fits, {"frame": [[0, 2, 1, 3]], "c": [0, 1, 1]}),
    (lbbvn.fits_each, {"frame": [[0, 2, 1, 3]], "c": [0, 1, 1]}),
    (lbbvn.inverse, {"frame": lbbvn.bit_reverse(7).tolist()}),
    (lbbvn.level_max, {"loads": [[0, 0, 1, 1, 0, 1, 1, 0]], "n": 2}),
    (lbbvn.links, {"c": [0, 64, 32, 16, 8, 4, 2, 1]}),
    (lbbvn.lower_bound, {"n": 7}),
    (lbbvn.nonblocking, {"n": 7}),
    (lbbvn.partial, {"rng": RNG, "frame": [list(range(128))], "load": 0.5}),
    (lbbvn.predict, {"dst": [[0, 2, 1, 3]], "c": [0, 1, 1]}),
    (lbbvn.random_messages, {"rng": RNG, "slots": 3, "leaves": 64, "load": 0.5}),
    (lbbvn.random_permutations, {"rng": RNG, "slots": 3, "leaves": 64}),
    (lbbvn.rotators, {"n": 7}),
    (lbbvn.shifts, {"sigma": [0, 2, 1, 3]}),
    (lbbvn.static_upper_half, {"n": 7}),
    (lbbvn.symmetric_tdm, {"n": 7}),
    (lbbvn.xor_frame, {"n": 7}),
    (switch.OutputQueued, {"n": 7}),
    (switch.OutputQueued(2).run, {"dst": [[0, 0, 3, -1]]}),
    (switch.Switch(switch.defaults(2, "FOFF")).run, {"dst": [[0, 0, 3, -1]]}),
    (
        switch.SwitchShape,
        {"n": 2, "scheme": "FOFF", "ingress": 8, "middle": 8, "resequencer": 9, "tries": 2}
        | {"threshold": 2, "gate": 2, "feedback": 2},
    ),
    (switch.arrivals, {"packets": PACKETS, "nodes": 4, "slots": 5}),
    (switch.connections, {"schedule": "BITREV", "n": 5}),
    (switch.defaults, {"n": 7, "scheme": "FOFF"}),
    (switch.mean_delay, {"n": 7, "load": 0.5}),
    (switch.ideal_mean_delay, {"n": 7, "load": 0.5}),
    (switch.meeting_slots, {"schedule": "XOR", "n": 5}),
    (switch.output_queued, {"dst": [[0, 0, 3, -1]]}),
    (switch.overload, {"rng": RNG, "n": 2, "slots": 9, "load": 0.9, "offered": 1.5, "output": 1}),
    (switch.phase_locked, {"schedule": "TDM", "n": 7, "slots": 9}),
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
    (mft.Mft, {"n": 3, "fifo": 16, "pipeline": 1, "room": 4}),
    (mft.child, {"n": 3, "row": 2, "column": [1, 3], "side": [0, 1]}),
    (mft.counter_example, {"n": 2}),
    (mft.lane_counts, {"n": 7}),
    (mft.parent, {"n": 3, "row": 1, "column": [0, 3], "link": [0, 1]}),
    (mft.paths, {"n": 7, "src": [0, 64], "dst": [127, 1]}),
    (mft.router_ports, {"n": 7}),
    (mft.turn_row, {"n": 7, "src": [0, 64], "dst": [127, 1]}),
    (spin.Memory, {"words": 64}),
    (
        spin.Message,
        {"dst": 100, "src": 1, "tag": 3, "write": True, "words": 2, "address": 9, "data": [7, 8]},
    ),
    (spin.Watcher, {"memory": {}, "outstanding": 3}),
    (spin.check_of, {"data": [1, 100]}),
    (spin.choices, {"network": TREE, "level": 1, "node": 3, "dst": 9}),
    (spin.crossbar, {"children": 4, "parents": 4, "shared": 1}),
    (spin.encode, {"header": 100, "payload": [1, 100]}),
    (spin.flip, {"words": [1, 100], "bits": [3, 40]}),
    (spin.parity_word, {"marks": 0, "data": 100}),
    (spin.receive, {"words": [1, 100]}),
    (spin.tree, {"terminals": 64}),
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
    (xgft.Xgft, {"m": [4, 4], "w": [1, 2]}),
    (TREE.digits, {"level": 1, "index": [3, 1]}),
    (TREE.index, {"level": 1, "labels": [[0, 3]]}),
    (TREE.up, {"level": 1, "index": [1, 2], "c": 1}),
    (TREE.down, {"level": 1, "index": [1, 2], "q": 3}),
    (TREE.arrival, {"level": 1, "index": [1, 2]}),
    (TREE.level_size, {"level": 1}),
    (TREE.radices, {"level": 1}),
    (xgft.benes, {"ports": 8, "levels": 3}),
    (unfolded.benes_tables, {"ports": 8, "levels": 3}),
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
    (xgft.routes, {"tree": TREE, "src": [0, 1], "dst": [15, 3], "routing": "SMODK"}),
    (xgft.slid_tables, {"ports": 8, "levels": 3}),
    (xgft.table_routes, {"tables": xgft.dmodk_tables(TREE), "src": [0, 1], "dst": [15, 3]}),
    (xgft.turn_level, {"tree": TREE, "src": [0, 1], "dst": [15, 3]}),
    (xgft.up_port, {"tree": TREE, "routing": "DMODK", "level": 1, "src": [0], "dst": [15]}),
    (xgft.walk, {"tree": TREE, "src": [0], "ports": [[5, 3, 3]]}),
    (xgft.zero_load_latency, {"hops": [1, 3], "flits": 100, "stages": 100}),
    (unfolded.fold, {"ports": 8, "levels": 3, "stage": 1, "switch": [3]}),
    (unfolded.fold_port, {"ports": 8, "levels": 3, "stage": 1, "port": [3]}),
]
"""Function and arguments: an int is a size or a seed, a list an array of integers."""

UNCHECKED = {
    "structure": "lanes only become a field of its links",
    "Settings": "made by compile_settings",
    "replay": "takes booleans",
    "routing_lookup": "takes what benes_tables goes through",
    "occupied": "takes what predict made, and what it was made of",
    "Departures": "made by a switch",
    "compare": "takes what a switch made, and its arrivals",
    "admissible": "takes floats",
    "Schedule": "made by a scheduler; verify proves it",
    "Tables": "made by tables_of; checks its arrays' shapes",
    "Pattern": "abstract",
    "walked_loads": "takes what walk made",
    "Messages": "made by read_messages",
    "Assessment": "made by assess",
    "read_frame": "reads a file: tests/models/traffic/test_frame_files.py",
    "read_messages": "reads a file: tests/models/leiserson/files",
    "read_packets": "reads a file: tests/models/traffic/test_files.py",
    **dict.fromkeys(
        [
            "Comparison",
            "Reordering",
            "Components",
            "MessageSet",
            "Received",
            "Search",
            "Estimate",
            "Measurement",
            "Channel",
            "Counts",
            "Design",
        ],
        "a result",
    ),
}
"""Public names that take integers and are not in the table, and why."""
