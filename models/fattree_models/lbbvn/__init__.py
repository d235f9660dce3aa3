"""The bufferless fat-tree of load-balanced Birkhoff-von Neumann switches.

Pure functions on plain integer arrays, after Chueh, Lien, Chang, Cheng, Lee, "Load-balanced
Birkhoff-von Neumann switches and fat-tree networks", HPSR 2013 ("the paper"); what goes beyond it
is marked "ours".

Conventions: N = 2^n leaves; node (j, k) has the heap index 2^j + k; a capacity vector c has n + 1
entries, c[0] = 0; traffic is an int array dst [slots, N] of destinations, -1 = idle.
"""

from fattree_models.common.tree import DOWN, UP, FatTree
from fattree_models.lbbvn.capacity import (
    check_capacity,
    crosspoints,
    links,
    lower_bound,
    nonblocking,
    static_upper_half,
)
from fattree_models.lbbvn.frame import fits, fits_each
from fattree_models.lbbvn.lanes import Lanes, occupied, scheduled
from fattree_models.lbbvn.load import channel_loads, level_max
from fattree_models.lbbvn.own_frames import Assessment, assess, shifts
from fattree_models.lbbvn.permutation import (
    bit_reverse,
    bit_reverse_shifts,
    bit_reverse_xors,
    bit_rotation,
    bit_rotation_frame,
    inverse,
    partial,
    random_messages,
    random_permutations,
    rotators,
    symmetric_tdm,
    xor_frame,
)
from fattree_models.lbbvn.schedule import Settings, compile_settings, replay
from fattree_models.lbbvn.selfroute import SelfPrediction, predict

__all__ = [
    "DOWN",
    "UP",
    "Assessment",
    "FatTree",
    "Lanes",
    "SelfPrediction",
    "Settings",
    "assess",
    "bit_reverse",
    "bit_reverse_shifts",
    "bit_reverse_xors",
    "bit_rotation",
    "bit_rotation_frame",
    "channel_loads",
    "check_capacity",
    "compile_settings",
    "crosspoints",
    "fits",
    "fits_each",
    "inverse",
    "level_max",
    "links",
    "lower_bound",
    "nonblocking",
    "occupied",
    "partial",
    "predict",
    "random_messages",
    "random_permutations",
    "replay",
    "rotators",
    "scheduled",
    "shifts",
    "static_upper_half",
    "symmetric_tdm",
    "xor_frame",
]
