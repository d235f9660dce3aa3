"""Compares everything that was captured with everything that was expected; samples nothing."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench import lanes
from fattree_bench.bench.faults import Where
from fattree_bench.bench.levels import ORDER, Supplied
from fattree_bench.bench.links.slot.frame import Captured, SlotFrame
from fattree_bench.bench.links.slot.rows import (
    RESET,
    Key,
    Played,
    RowScoreboard,
    RowTally,
    ones,
    packet,
)
from fattree_bench.families.lbbvn import traits
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.plan import Plan, most_used
from fattree_models.common.checks import BoolArray

CONFLICTS, UNSCHEDULED = "in conflicts", "not in the schedule"


@dataclass
class Tally(RowTally):
    """Packets so far; `lost` and `discarded` as predicted and confirmed by counters and absence."""

    lost: int = 0  # found no lane
    unscheduled: int = 0  # entered in a slot whose settings lead them nowhere

    def losses(self) -> dict[str, int]:
        return {CONFLICTS: self.lost, UNSCHEDULED: self.unscheduled} | super().losses()


class SlotScoreboard(RowScoreboard[Plan]):
    """Expects each packet, unless the model loses it, with exactly the predicted latency."""

    tally: Tally

    def __init__(self, name: str, parent: uvm_component, network: Lbbvn) -> None:
        super().__init__(name, parent, network, history=8)
        self.network = network
        self.supplied = Supplied((ORDER,), exact=True)
        self.tally = Tally()
        self.used = np.zeros((2, network.n + 1), np.int64)  # most lanes by way, level since reset
        self.conflicts = np.zeros(2 * (network.n + 2), np.int64)  # predicted, whole scenario
        self.spared = min(network.latency, 1)
        levels = [f"level {j} {way}" for way in ("up", "down") for j in range(network.n + 2)]
        self.counters = [(kind.CONFLICTS, level) for level in levels]
        self.counters += [(kind.COUNTERS, "injected"), (kind.COUNTERS, "delivered")]
        self.attributes = partial(traits.attributes, network)
        self._counted = np.zeros(len(self.counters), np.int64)
        self._resets = False  # one came

    # ---- the stream ------------------------------------------------------------------------------

    def _fill(self, item: SlotFrame, plan: Plan, rows: slice) -> None:
        words = self._data[rows]
        if item.words is None:
            self.network.layout.payload.renew(plan.base, item.sequence, words)
        else:
            words[:] = np.take_along_axis(item.words, np.maximum(plan.arrived, 0), axis=1)
        if plan.delivered < words.size:
            words &= plan.receives

    def _count(self, captured: Captured, same: bool) -> None:
        """Keep the tally; a reset wipes the network's counters and every packet inside."""
        item: SlotFrame = captured.item
        plan: Plan = item.plan
        arrived = ones(self._valid[: item.slots])
        self.tally.sent += plan.sent
        self.tally.delivered += arrived
        levels = len(self._counted) - 2
        if item.reset is None:
            np.maximum(self.used, plan.used, out=self.used)
            lost = plan.conflicts.sum(axis=0)
            self._counted[:levels] += lost
            self._counted[levels] += plan.sent
            self._counted[levels + 1] += arrived
            self.conflicts += lost
            self.tally.lost += int(lost.sum())
            self.tally.unscheduled += plan.sent - plan.delivered - int(lost.sum())
            return
        # Slots whose packets were still on their way, or offered, when a reset came.
        self._resets = True
        last = int(np.flatnonzero(item.reset)[-1])
        after = np.arange(item.slots) > last
        self.used = most_used(plan.used_up[after], plan.used_down[after], self.network.n)
        self._counted[:levels] = plan.conflicts[after].sum(axis=0)
        self._counted[levels] = np.count_nonzero(item.dst[after] >= 0)
        self._counted[levels + 1] = ones(self._valid[last + 1 : item.slots])
        self.conflicts += self._counted[:levels]
        self.tally.lost += int(self._counted[:levels].sum())

    # ---- what went wrong -------------------------------------------------------------------------

    def _owner(self, row: int, leaf: int, time: int) -> Key | None:
        left = time - self._latency
        played = self._frame(left)
        return (
            None if played is None else (left, int(played.plan.arrived[left - played.first, leaf]))
        )

    def _find(self, word: int, time: int) -> tuple[Key, int] | None:
        """The packet that a word names; what several packets of a frame carry names none."""
        number, source = self.network.layout.payload.decode(word)
        wrap = 1 << (self.network.width - self.network.n)
        for played in reversed(self._recent):
            if played.item.words is not None:
                if carry := self._carriers(played, word):
                    return self._led(played, carry[0]) if len(carry) == 1 else None
                continue
            slot = (number - played.first) % wrap
            if slot < played.item.slots and played.item.dst[slot, source] >= 0:
                return self._led(played, (played.first + slot, source))
        return None

    @staticmethod
    def _led(played: Played[Plan], key: Key) -> tuple[Key, int]:
        """A packet, and the leaf to which the model leads it, or, if nowhere, its destination."""
        row = key[0] - played.first
        led = np.flatnonzero(played.plan.arrived[row] == key[1])
        return key, int(led[0] if led.size else played.item.dst[row, key[1]])

    def _strayed(self, key: Key, goal: int, leaf: int, time: int, where: Where) -> None:
        played = self._frame(key[0])
        assert played is not None  # _find has found it there
        first, item, plan = played
        slot, source = key[0] - first, key[1]
        due, name = key[0] + self._latency, packet(key, goal)
        killed = self._killed(key, key[0])
        if killed or not (plan.arrived[slot] == source).any():
            lost = CONFLICTS if self.network.layout.headers else UNSCHEDULED
            told = f"{name} at leaf {leaf} in clock {time}"
            self._blame(kind.UNPREDICTED, key, told, where, RESET if killed else lost)
        elif key not in self._missing:
            told = f"{name}: again at leaf {leaf} in clock {time}"
            self.faults.add(kind.DUPLICATED, told, where=where)
            self._suspect(key, kind.DUPLICATED, leaf ^ goal)
        elif leaf != goal:
            self._missing.pop(key)
            told = f"{name}: at leaf {leaf} in clock {time}"
            self._blame(kind.MISDELIVERED, key, told, where, astray=leaf ^ goal)
        else:
            self._missing.pop(key)
            self._blame(kind.LATE, key, f"{name}: in clock {time}, due in clock {due}", where)
            later = range(slot + 1, min(item.slots, slot + 1 + max(0, time - due)))
            if any(
                item.dst[s, source] == goal and (first + s, source) not in self._missing
                for s in later
            ):
                told = f"{name}: after a later packet of the same pair"
                self.faults.add(kind.REORDERED, told, where=where)

    # ---- the end ---------------------------------------------------------------------------------

    def _balance(self) -> None:
        lanes.compare(self.lanes, self.used, self.faults)
        tally = self.tally
        known = tally.delivered + tally.lost + tally.unscheduled + self._behind()
        tally.discarded = max(0, tally.sent - known) if self._resets else 0

    def _arrives(self, played: Played[Plan]) -> BoolArray:
        """Packets that are lost as foreseen do not."""
        slot, leaf = np.nonzero(played.plan.arrived >= 0)
        arrives = np.zeros(played.item.dst.shape, np.bool_)
        arrives[slot, played.plan.arrived[slot, leaf]] = True
        return arrives
