"""What sound switches show: of some traffic, and of a flood that their queues do not hold."""

import numpy as np

from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from tests.tb.families.lbbvn_switch.software import Stream, frames, random_cells, switch

BASIC = switch(SCHEME="BASIC")
FOFF = switch(SCHEME="FOFF")
SLOTS = 100
SHORT = {
    "BASIC": switch(SCHEME="BASIC", MIDDLE=2),
    "UFS": switch(SCHEME="UFS", INGRESS=8, MIDDLE=2),
    "FOFF": switch(SCHEME="FOFF", INGRESS=8, MIDDLE=4, RESEQUENCER=2),
    "PADDED": switch(SCHEME="PADDED", INGRESS=8, MIDDLE=2, THRESHOLD=2),
    "MAILBOX": switch(SCHEME="MAILBOX", INGRESS=2, MIDDLE=2, TRIES=1),
}


def stream(
    network: LbbvnSwitch = BASIC, load: float = 0.4, slots: int = SLOTS, first: int = 0
) -> Stream:
    """Traffic of some frames; behind it, a cell alone."""
    dst = random_cells(np.random.default_rng(7), network, slots, load)
    alone = np.full((128, network.leaves), -1, np.int32)
    alone[30, 1] = 2
    return Stream(network, frames(np.concatenate([dst, alone])), first=first)


def flooded(network: LbbvnSwitch, lossless: bool = False) -> Stream:
    """All inputs want output 3 all the time."""
    dst = np.full((80, network.leaves), 3, np.int32)
    return Stream(network, frames(dst, lossless=lossless))


def lone(seen: Stream) -> tuple[int, int]:
    """Where the cell that is alone leaves: the last one."""
    return seen.at(-1)


def apart(seen: Stream) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two cells of a flow that leave one behind the other, in a frame, and could change places."""
    latest: dict[tuple[int, int], tuple[int, int]] = {}
    for slot, output in np.argwhere(seen.valid).tolist():
        came, source = seen.cell((slot, output))
        before = latest.get((source, output))
        if (
            before is not None
            and before[0] // 64 == slot // 64
            and came <= before[0] - seen.network.latency
        ):
            return before, (slot, output)
        latest[source, output] = (slot, output)
    raise AssertionError("no two cells of a flow")
