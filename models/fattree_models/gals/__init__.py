"""Crossing between clocks: an asynchronous FIFO with coded pointers and synchronisers.

The survey of Biswas and Hussain only names the need, Section 1 (GALS); the FIFO is the known one of
Gray pointers and two flip-flops.  What goes beyond it is marked "ours".
"""

from fattree_models.gals.fifo import AsyncFifo, Crossing, bits_changed, codes
from fattree_models.gals.interleavings import Search, search
from fattree_models.gals.running import BOTH, READ, WRITE, edges, full_rate_depth, rate, run

__all__ = [
    "BOTH",
    "READ",
    "WRITE",
    "AsyncFifo",
    "Crossing",
    "Search",
    "bits_changed",
    "codes",
    "edges",
    "full_rate_depth",
    "rate",
    "run",
    "search",
]
