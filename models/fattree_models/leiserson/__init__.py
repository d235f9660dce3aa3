"""Leiserson's fat-tree: capacities, the bit-serial protocol, delivery cycles, off-line scheduling.

After C. E. Leiserson, "Fat-trees: universal networks for hardware-efficient supercomputing", 1985
("the paper"); what goes beyond it is marked "ours".

Conventions: n = 2^h processors, the argument `processors`; cap[k] wires, each way, in a channel of
level k = 0 … h; heap index v = 2^k + i of node i of level k, and channel v lies above it; n as a
source or destination is the world outside, beyond the root.  What functions take for granted:

processors : int, n = 2^h with h = 1 ... 20.
src, dst : int arrays [messages], processors 0 ... n-1, or n: from or to the outside.
cap : int array [h + 1], wires by level.
tree : a SerialTree.
rng : numpy Generator, the source of randomness.
"""

from fattree_models.leiserson.capacity import check_capacity, least_root, nonblocking, universal
from fattree_models.leiserson.codec import decode, encode
from fattree_models.leiserson.components import Components, count_components, theorem4_ratio
from fattree_models.leiserson.cycle import CycleOutcome, deliver
from fattree_models.leiserson.draws import GOLDEN, guess_exponents, lfsr
from fattree_models.leiserson.load import channel_loads, level_loads, load_factor
from fattree_models.leiserson.message_files import MessageSet, read_messages
from fattree_models.leiserson.message_sets import (
    all_to_all,
    all_to_one,
    bit_reversal,
    channel_load,
    k_relation,
    local,
    permutation,
    shuffle,
    transpose,
    uniform,
)
from fattree_models.leiserson.networks import mesh, recursive_halving
from fattree_models.leiserson.offline import (
    SCHEDULERS,
    Schedule,
    balanced,
    corollary2,
    edge_colouring,
    greedy,
    iterated_greedy,
    per_level,
    schedule,
    theorem1,
)
from fattree_models.leiserson.offline_nodes import lead, setting_bits, settings
from fattree_models.leiserson.one_cycle_sets import one_cycle
from fattree_models.leiserson.online import OnlineOutcome, run_online
from fattree_models.leiserson.partial_settings import decisions, effective_capacity
from fattree_models.leiserson.serial_tree import SerialTree, source_processor

__all__ = [
    "GOLDEN",
    "SCHEDULERS",
    "Components",
    "CycleOutcome",
    "MessageSet",
    "OnlineOutcome",
    "Schedule",
    "SerialTree",
    "all_to_all",
    "all_to_one",
    "balanced",
    "bit_reversal",
    "channel_load",
    "channel_loads",
    "check_capacity",
    "corollary2",
    "count_components",
    "decisions",
    "decode",
    "deliver",
    "edge_colouring",
    "effective_capacity",
    "encode",
    "greedy",
    "guess_exponents",
    "iterated_greedy",
    "k_relation",
    "lead",
    "least_root",
    "level_loads",
    "lfsr",
    "load_factor",
    "local",
    "mesh",
    "nonblocking",
    "one_cycle",
    "per_level",
    "permutation",
    "read_messages",
    "recursive_halving",
    "run_online",
    "schedule",
    "setting_bits",
    "settings",
    "shuffle",
    "source_processor",
    "theorem1",
    "theorem4_ratio",
    "transpose",
    "uniform",
    "universal",
]
