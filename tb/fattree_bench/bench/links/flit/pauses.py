"""Receivers that give nothing back in clocks that are listed."""

import numpy as np

from fattree_models.common.checks import BoolArray


class Pauses(tuple[tuple[int, int, int], ...]):
    """(leaf, first clock of an item, clocks): in the place of a PacketSet's probabilities."""

    def rows(self, now: int, cycles: int, leaves: int) -> BoolArray:
        """Who pauses in a burst, [cycles, leaves]."""
        found = np.zeros((cycles, leaves), np.bool_)
        for leaf, first, clocks in self:
            found[max(0, first - now) : max(0, first + clocks - now), leaf] = True
        return found


def runs(waits: dict[int, list[int]]) -> list[tuple[int, int, int]]:
    """The same of clocks by leaf, neighbours in one."""
    found: list[tuple[int, int, int]] = []
    for leaf, clocks in sorted(waits.items()):
        for clock in sorted(clocks):
            if found and found[-1][0] == leaf and sum(found[-1][1:]) == clock:
                found[-1] = (leaf, found[-1][1], found[-1][2] + 1)
            else:
                found.append((leaf, clock, 1))
    return found
