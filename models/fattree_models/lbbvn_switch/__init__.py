"""The whole load-balanced Birkhoff-von Neumann switch: queues at the line cards, five schemes.

After Chueh, Lien, Chang, Cheng, Lee, "Load-balanced Birkhoff-von Neumann switches and fat-tree
networks", HPSR 2013, Section I, and the papers on the schemes named in each file; what goes beyond
them is marked "ours".

Conventions: N = 2^n line cards; line card x is input x, middle x and output x; arrivals are an int
array dst [slots, N] of destinations, -1 = none; a delay of 0 is departure in the slot of arrival;
`rng` is a numpy Generator, the source of randomness.
"""

from fattree_models.lbbvn_switch.closed_forms import ideal_mean_delay, mean_delay
from fattree_models.lbbvn_switch.comparison import Comparison, compare
from fattree_models.lbbvn_switch.connections import (
    ASCENDING,
    PAIRED,
    SCHEDULES,
    Connections,
    connections,
    meeting_slots,
)
from fattree_models.lbbvn_switch.departures import PLACES, Counters, Departures, Drops, joined
from fattree_models.lbbvn_switch.measuring import as_measurement, leaving_slots
from fattree_models.lbbvn_switch.output_queued import OutputQueued, output_queued
from fattree_models.lbbvn_switch.reordering import Reordering, reordering
from fattree_models.lbbvn_switch.shape import FRAMES, SCHEMES, SwitchShape, defaults
from fattree_models.lbbvn_switch.stimulus import admissible, arrivals, overload, phase_locked
from fattree_models.lbbvn_switch.switch import Switch

__all__ = [
    "ASCENDING",
    "FRAMES",
    "PAIRED",
    "PLACES",
    "SCHEDULES",
    "SCHEMES",
    "Comparison",
    "Connections",
    "Counters",
    "Departures",
    "Drops",
    "OutputQueued",
    "Reordering",
    "Switch",
    "SwitchShape",
    "admissible",
    "arrivals",
    "as_measurement",
    "compare",
    "connections",
    "defaults",
    "ideal_mean_delay",
    "joined",
    "leaving_slots",
    "mean_delay",
    "meeting_slots",
    "output_queued",
    "overload",
    "phase_locked",
    "reordering",
]
