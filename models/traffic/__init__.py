"""Traffic of any network: patterns, packet lengths, injection processes, files of packets.

Patterns and processes after BookSim (`traffic.cpp`, `injection.cpp`) and W. J. Dally, B. P. Towles,
"Principles and practices of interconnection networks", 2004; what goes beyond them is marked
"ours".

Conventions: nodes 0 ... N-1; time is counted in cycles, or in slots; a load is flits a
node and cycle.
"""

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
    "split_list",
    "uniform",
]
