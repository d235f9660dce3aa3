"""Traffic of any network: patterns, packet lengths, injection, files of messages, measurement.

Patterns and processes after BookSim (`traffic.cpp`, `injection.cpp`) and W. J. Dally, B. P. Towles,
"Principles and practices of interconnection networks", 2004; what goes beyond them is marked
"ours".

Conventions: nodes 0 ... N-1; time is counted in cycles, or in slots; a load is flits per
node and cycle; `rng` is a numpy Generator, the source of randomness.
"""

import importlib
from typing import TYPE_CHECKING, Any

from fattree_models.traffic.injections import (
    INJECTION_FORMS,
    Injection,
    bernoulli,
    frame_bursts,
    injection,
    on_off,
)
from fattree_models.traffic.measurement import (
    Measurement,
    Spread,
    Window,
    converged,
    history,
    measure,
)
from fattree_models.traffic.packet_lengths import Lengths, lengths
from fattree_models.traffic.packets import Packets, concatenate
from fattree_models.traffic.pattern_text import PATTERN_FORMS, pattern
from fattree_models.traffic.patterns import Pattern, every_pair, permutation, uniform
from fattree_models.traffic.words import split_list

if TYPE_CHECKING:
    from fattree_models.traffic.frame_files import read_frame
    from fattree_models.traffic.message_files import Messages, read_messages
    from fattree_models.traffic.packet_files import read_packets, write_packets
    from fattree_models.traffic.sweep import (
        Estimate,
        Saturation,
        across_seeds,
        estimate,
        may_stop,
        saturation_load,
    )

__all__ = [
    "INJECTION_FORMS",
    "PATTERN_FORMS",
    "Estimate",
    "Injection",
    "Lengths",
    "Measurement",
    "Messages",
    "Packets",
    "Pattern",
    "Saturation",
    "Spread",
    "Window",
    "across_seeds",
    "bernoulli",
    "concatenate",
    "converged",
    "estimate",
    "every_pair",
    "frame_bursts",
    "history",
    "injection",
    "lengths",
    "may_stop",
    "measure",
    "on_off",
    "pattern",
    "permutation",
    "read_frame",
    "read_messages",
    "read_packets",
    "saturation_load",
    "split_list",
    "uniform",
    "write_packets",
]

_LATE = {
    "frame_files": ("read_frame",),
    "message_files": ("Messages", "read_messages"),
    "packet_files": ("read_packets", "write_packets"),
    "sweep": ("Estimate", "Saturation", "across_seeds", "estimate", "may_stop", "saturation_load"),
}


def __getattr__(name: str) -> Any:
    """Import what needs numba or scipy when it is used: that takes half a second."""
    for module, names in _LATE.items():
        if name in names:
            return getattr(importlib.import_module(f"fattree_models.traffic.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
