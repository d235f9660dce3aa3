"""How long a command alone takes, by the timing that the modules of a terminal promise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.families.spin.network import ROUTER
from fattree_bench.families.spin.requests import RequestPlan, Wrong
from fattree_models.common.checks import Int64Array

# Clocks of an end: a packet follows in the clock after it was asked for, asks for its output, is
# taken, and is on the link; its first word is at the front, gets its path, and is taken.
SENDS, TAKES = 3, 2
SHOWS = 1  # of an answer's last word


def alone(plan: RequestPlan) -> Int64Array:
    """Clocks from a command to its answer if it meets no other, by the headers of rtl/spin.

    Both packets pass routers, a word a clock; a target that has all of a write takes a clock a
    word, then answers.
    """
    commands = plan.commands
    data = np.where(plan.failed, 0, commands.words)  # that are served
    request = 3 + np.where(commands.write, commands.words, 0)
    response = 2 + np.where(commands.write, 0, data)
    hops = plan.network.hop_count(commands.initiator, commands.target)
    ways = 2 * (SENDS + hops * (ROUTER + 1) + TAKES - 1) + request + response
    return np.asarray(ways + np.where(commands.write, data, 0) + SHOWS, np.int64)


def prompt(plan: RequestPlan) -> Iterator[Wrong]:
    """Commands that were alone, and were answered too early or too late."""
    took = plan.answered - plan.issued
    due = alone(plan)
    for at in np.flatnonzero((plan.answered >= 0) & (took != due) & plan.item.alone):
        initiator = int(plan.commands.initiator[at])
        told = f"initiator {initiator}: answered after {took[at]} clocks instead of {due[at]}"
        name = kind.LATE if took[at] > due[at] else kind.EARLY
        place = Place("initiator", initiator)
        yield Wrong(name, told, int(at), place, int(plan.answered[at]))
