"""A call of every public function that takes a size, a seed or an array of integers."""

from collections.abc import Callable
from typing import Any

from fattree_models.common import checks
from fattree_models.common.tree import FatTree, bit_lengths

Call = tuple[Callable[..., Any], dict[str, Any]]
"""Function and arguments: an int is a size or a seed, a list an array of integers."""

RNG = object()
"""Stands for a generator, a new one for each call."""

CALLS: list[Call] = [
    (bit_lengths, {"n": 7}),
    (FatTree, {"n": 7}),
    (FatTree(4).heap_index, {"level": 2, "index": 1}),
    (FatTree(7).subtree_leaves, {"level": 2, "index": 3}),
    (FatTree(7).lca_level, {"src": [1, 64], "dst": [2, 127]}),
    (FatTree(7).path, {"src": 1, "dst": 127}),
    (FatTree(2).channel_lanes, {"c": [0, 2, 1]}),
    (checks.check_slots, {"dst": [[1, -1]]}),
    (checks.levels_of, {"name": "leaves", "leaves": 64}),
]

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
