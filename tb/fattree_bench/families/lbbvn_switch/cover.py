"""What must be tried on the load-balanced switch: cover groups, and what cannot be hit and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.bench.groups import NO_YES, Group, Point, numbered
from fattree_bench.bench.links import corners
from fattree_models import lbbvn_switch as switch
from fattree_models.common.checks import Int64Array

if TYPE_CHECKING:
    from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch

PAIRS = "source x destination"
DELAY = "slots in the switch"
BACKLOG = "cells inside after a slot"
SLOTS = "inputs with a cell in a slot, in the next"
DROPPED = "cells dropped at"
RESET = "reset: cells inside"
SPECIAL = "what only some schemes do"

SIZES = ("0", "less than N", "less than N²", "N² and more")
LOAD = ("none", "some", "all")
SPECIALS = ("fake cells", "refused offers", "cells in a resequencer")


def sizes(values: Int64Array, leaves: int) -> Int64Array:
    """Bin of each number among SIZES."""
    edges = np.array([1, leaves, leaves**2])
    return np.asarray(np.searchsorted(edges, values, side="right"))


def groups(network: LbbvnSwitch) -> list[Group]:
    """The cover groups of a switch."""
    leaves, scheme = network.leaves, network.scheme
    delay = Group(DELAY, (Point("slots", SIZES),))
    threshold = leaves if scheme == "UFS" else network.shape.threshold
    delay.exclude(
        "a frame begins when its cells are there: they came in different slots",
        (np.arange(4) == 0) & (scheme in ("UFS", "PADDED")) & (threshold > 1),
    )
    delay.exclude(
        "a cell waits for no more cells than its middle has room for",
        (np.arange(4) == 3) & (scheme == "BASIC") & (network.shape.middle < leaves),
    )
    special = Group(SPECIAL, (Point("what", SPECIALS),))
    special.exclude(
        "another scheme's", np.array([scheme != s for s in ("PADDED", "MAILBOX", "FOFF")])
    )
    return [
        Group(PAIRS, (numbered("source", leaves), numbered("destination", leaves))),
        delay,
        Group(BACKLOG, (Point("cells", SIZES),)),
        Group(SLOTS, (Point("slot", LOAD), Point("next slot", LOAD))),
        dropped(network),
        Group(RESET, (Point("cells inside", NO_YES),)),
        *([special] if special.bins else []),
        corners.group(),
    ]


def dropped(network: LbbvnSwitch) -> Group:
    """Where cells were dropped."""
    scheme, usual = network.scheme, switch.defaults(network.n, network.scheme)
    group = Group(DROPPED, (Point("place", switch.PLACES),))
    group.exclude(
        "the scheme has no queue there, or asks before it sends",
        [scheme == "BASIC", scheme == "MAILBOX", scheme != "FOFF"],
    )
    names = ("ingress", "middle", "resequencer")
    enough = [getattr(network.shape, name) >= getattr(usual, name) for name in names]
    group.exclude("queues that are deep enough need not overflow", enough, possible=True)
    return group
