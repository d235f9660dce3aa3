"""What must be tried on the ring."""

import numpy as np
from fattree_bench.families.ring.network import Ring

from fattree_bench.bench.groups import Group, numbered

PAIRS = "source x destination"


def groups(network: Ring) -> list[Group]:
    """The cover groups."""
    ends = (numbered(name, network.leaves) for name in ("source", "destination"))
    pairs = Group(PAIRS, tuple(ends))
    pairs.exclude("uniform traffic: leaves never send to themselves", np.eye(network.leaves))
    return [pairs]
