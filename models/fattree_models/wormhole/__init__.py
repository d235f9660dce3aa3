"""Wormhole networks clock by clock, after `docs/wormhole.md`: flits, credits, VCs, routes, draws.

`Network` describes one.  `Simulation` runs it, compiled; `begun` makes one that was reset.  It
gives a `Trace` of every link in every clock, and the `Fates` of packets.  `difference` finds the
first difference of two traces, `Words` what is written in flits, `hashes` a number for each link
and burst.  `Domain` runs the switches of one clock among several on the `Traffic` that came in.
"""

from fattree_models.wormhole.domain import Domain, Traffic
from fattree_models.wormhole.item import Answer
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.running import Run, begun, run
from fattree_models.wormhole.simulation import Simulation
from fattree_models.wormhole.trace import Difference, Fates, Shown, Trace, difference
from fattree_models.wormhole.words import Words, Written, hashes

__all__ = [
    "Answer",
    "Difference",
    "Domain",
    "Fates",
    "Network",
    "Run",
    "Shown",
    "Simulation",
    "Trace",
    "Traffic",
    "Words",
    "Written",
    "begun",
    "difference",
    "hashes",
    "run",
]
