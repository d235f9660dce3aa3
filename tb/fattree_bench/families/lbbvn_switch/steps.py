"""The test that steps the pins of a switch clock by clock, two to a slot."""

import numpy as np

from fattree_bench.bench.sequence import Sequence
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.sequences import Arrivals

SLOTS = 40  # of each kind of traffic


def loaded(network: LbbvnSwitch) -> str | None:
    """Why `classic` cannot run, or None."""
    return "only the player loads settings: CONTROL=SELF" if network.fabric.scheduled else None


async def classic(s: Sequence[LbbvnSwitch, CellFrame]) -> None:
    """Cell by cell, for single-stepping: full load, a reset amid traffic, little behind it."""
    await s.do(Arrivals("full load", load=1.0, length=SLOTS))
    await s.do(Arrivals("reset", load=0.8, length=SLOTS, reset=np.arange(SLOTS) == 30))
    await s.do(Arrivals("after a reset", load=0.2, length=SLOTS))
