"""The state of the lists of an item that is played: what is offered next, and when it is over."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.measuring import enough, measure
from fattree_bench.bench.links.flit.packets import offers
from fattree_bench.bench.links.flit.pauses import Pauses
from fattree_bench.bench.links.flit.sent import FlitOver, FlitPlan, Mask
from fattree_models.common.checks import Int64Array, UInt64Array

DRAIN_BURST = 128  # clocks, after a window: so often is looked whether it is enough
LAST_BURST = 32  # clocks, at least, when all may have arrived: so often is looked whether it has
HOMEWARD = 16  # clocks in which the last credits come home, besides one for each in a receiver


class Playing:
    """What the driver asks about an item, burst by burst; it only reads what was seen.

    Attributes
    ----------
    closed : the measurement is over: no packet is begun any more, those on their way still arrive.
    stuck : nothing new came for so long that nothing will, although packets were on their way.
    limit : the limit that ended the item; empty: none.
    """

    def __init__(self, plan: FlitPlan, rng: np.random.Generator) -> None:
        self.plan, self.item, self.link = plan, plan.item, plan.link
        self.sent, self.seen = plan.sent, plan.seen
        self.rng = rng
        self.closed = self.stuck = False
        self.limit = ""
        last = int(plan.item.packets.release.max(initial=0))
        self._last_due = max(last, *plan.item.resets, 0)
        self._home_at: int | None = None  # clock when all credits must be there

    @cached_property
    def _offers(self) -> UInt64Array:
        sent, item = self.sent, self.item
        address = sent.address[: sent.packets]
        return offers(item.packets, address, sent.start_vcs, item.corners)

    @cached_property
    def _release(self) -> Int64Array:
        packets = self.item.packets
        return np.asarray(packets.source.astype(np.int64) << 40 | packets.release)

    @property
    def complete(self) -> bool:
        """Everything has arrived that is to arrive."""
        return not self.seen.waiting if self.closed else self.seen.all_arrived

    @property
    def next_due(self) -> Int64Array:
        """When the next packet of each list that has one could begin, int64 [lists]."""
        left = self.seen.begun < self.sent.lengths
        due: Int64Array = self.seen.created[(self.sent.starts[:-1] + self.seen.begun)[left]]
        return due

    @property
    def most_clocks(self) -> int:
        """Clocks after which the item is ended: a sound network needs far fewer."""
        limits, window = self.link.limits, self.item.window
        due = self._last_due if window is None else window.end
        return due + limits.clocks + limits.each * int(self.sent.first_flit[-1])

    def over(self, now: int) -> bool:
        """Whether the item ends here."""
        item, quiet = self.item, self.link.limits.quiet
        if item.window is not None and now >= item.window.end and not self.closed:
            self.closed = enough(self.plan, now, item.window)
        if self.complete:
            return self._home_at is not None and now >= self._home_at
        if now > self.seen.progress + quiet:
            # Not so if nothing is on its way and a list has something to send later.
            self.stuck = bool(self.seen.waiting) or not (self.next_due + quiet >= now).any()
        if now >= self.most_clocks:
            self.limit = f"{now} clocks, and {self.seen.waiting} packets are on their way"
        ended = self.stuck or bool(self.limit)
        return ended or (item.cycles is not None and now >= item.cycles)

    def burst(self, now: int, rows: int) -> int:
        """Clocks of the next burst."""
        if self.complete:  # the last credits come home
            if self._home_at is None:
                self._home_at = now + self.link.room + HOMEWARD + self.link.far
            return min(rows, self._home_at - now)
        limit, window = self.item.cycles, self.item.window
        if window is not None:  # after it, no clock is measured
            rows = min(rows, window.end - now if now < window.end else DRAIN_BURST)
        else:
            rows = min(rows, max(LAST_BURST, self._still(now)))
        return rows if limit is None else min(rows, limit - now)

    def _still(self, now: int) -> int:
        """Clocks that the item takes at least: until all is due, then one a flit of a receiver."""
        if now <= self._last_due:
            return self._last_due + 1 - now
        receiver = np.repeat(self.sent.destination, self.sent.flits)[self.seen.absent()]
        return int(np.bincount(receiver, minlength=1).max())

    def offers(self, now: int, cycles: int, rows: int) -> UInt64Array:
        """What the lists offer in the next burst, uint64 [packets, leaves]."""
        sent, begun = self.sent, self.seen.begun
        leaves = np.arange(self.link.leaves, dtype=np.int64)
        if self.closed:
            return np.zeros((0, len(leaves)), np.uint64)
        due = np.searchsorted(self._release, (leaves << 40) + now + cycles) - sent.starts[:-1]
        count = np.minimum(due - begun, rows)
        longest = int(count.max(initial=0))
        row = np.arange(longest)[:, None]
        at = np.minimum(sent.starts[:-1] + begun + row, max(0, sent.packets - 1))
        if not longest:
            return np.zeros((0, len(leaves)), np.uint64)
        release = np.maximum(sent.release[at] - now, 0).astype(np.uint64)
        return np.where(row < count, self._offers[at] | release, np.uint64(0))

    def stalls(self, cycles: int) -> Mask | None:
        """Who gives no credit back in the next burst, [cycles, leaves]; none at the end."""
        stall = self.item.stall
        if stall is None or self._home_at is not None:
            return None
        if isinstance(stall, Pauses):
            return stall.rows(self.seen.now, cycles, self.link.leaves)
        return self.rng.random((cycles, self.link.leaves)) < stall

    def end(self, state: npt.NDArray[np.uint16], home: Mask) -> FlitOver:
        """The last burst is over, and the network shows this of itself."""
        if self.item.window is not None:
            self.item.measurement = measure(self.plan, self.item.window)
        return FlitOver(self.plan, state.copy(), home.copy(), self.closed, self.stuck, self.limit)
