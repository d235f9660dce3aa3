"""Traffic of any network: patterns, packet lengths, injection processes, files of packets.

Patterns and processes after BookSim (`traffic.cpp`, `injection.cpp`) and W. J. Dally, B. P. Towles,
"Principles and practices of interconnection networks", 2004; what goes beyond them is marked
"ours".

Conventions: nodes 0 ... N-1; time is counted in cycles, or in slots; a load is flits a
node and cycle.
"""

import importlib
from typing import TYPE_CHECKING, Any

from models.traffic.injections import (
    INJECTION_FORMS,
    Injection,
    bernoulli,
    frame_bursts,
    injection,
    on_off,
)
from models.traffic.packet_lengths import Lengths, lengths
from models.traffic.packets import Packets, concatenate
from models.traffic.pattern_text import PATTERN_FORMS, pattern
from models.traffic.patterns import Pattern, permutation, uniform
from models.traffic.words import split_list

if TYPE_CHECKING:
    from models.traffic.packet_files import read_packets, write_packets

__all__ = [
    "INJECTION_FORMS",
    "PATTERN_FORMS",
    "Injection",
    "Lengths",
    "Packets",
    "Pattern",
    "bernoulli",
    "concatenate",
    "frame_bursts",
    "injection",
    "lengths",
    "on_off",
    "pattern",
    "permutation",
    "read_packets",
    "split_list",
    "uniform",
    "write_packets",
]

_LATE = {"read_packets": "packet_files", "write_packets": "packet_files"}


def __getattr__(name: str) -> Any:
    """Import what needs numba or scipy when it is used: that takes half a second."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"models.traffic.{_LATE[name]}"), name)
