"""What a packet set must lead to, and what has been seen of it so far."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet, offers
from fattree_bench.families.xgft.routes import Routes, count_hops
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models import traffic, xgft
from fattree_models.common.checks import Int32Array, Int64Array
from fattree_models.traffic import Packets

# Clocks without a flit anywhere before the network counts as stuck: far more than any queue's worth
# of waiting behind others, for these go on.
PATIENCE = 1500
# A measurement gives up so many windows after its own: the network is saturated.
DRAIN = 2
DRAIN_BURST = 128  # clocks, after a window: so often is looked whether it is enough
LAST_BURST = 32  # clocks, at least, when all may have arrived: so often is looked whether it has
HOMEWARD = 16  # clocks in which the last credits come home, beside one for each in a receiver
SATURATED = 3.0  # mean latency, in latencies without load (measurement.md, rule 7; inferred there)


class Sent:
    """Packets of an item and, behind them, the replies to them: what each must be.

    Attributes
    ----------
    packets : number of those in the lists; replies are as many, or none.
    source, destination : int64 [sent].
    flits : int64 [sent]; first_flit : int64 [sent + 1], their numbers run on over all packets.
    created : int64 [sent], clock in which it could first be sent; -1 not yet (replies).
    injected : int64 [sent], clock in which it was begun; -1 not yet, and for replies.
    arrival : int32 [flits], clock; -1 not yet.
    vc : uint8 [flits], one-hot, as it arrived.
    route : uint64 [sent], list of hops of the head.
    """

    def __init__(self, item: PacketSet) -> None:
        given = item.packets
        self.packets = len(given)
        self.source = given.source.astype(np.int64)
        self.destination = given.destination.astype(np.int64)
        self.flits = given.flits.astype(np.int64)
        self.created = given.release.copy()
        if item.answers is not None:
            self.source = np.r_[self.source, given.destination]
            self.destination = np.r_[self.destination, given.source]
            self.flits = np.r_[self.flits, np.full(self.packets, item.answers.flits)]
            self.created = np.r_[self.created, np.full(self.packets, -1)]
        self.first_flit = np.r_[0, np.cumsum(self.flits)]
        self.injected = np.full(len(self), -1, np.int64)
        self.arrival: Int32Array = np.full(int(self.first_flit[-1]), -1, np.int32)
        self.vc = np.zeros(len(self.arrival), np.uint8)
        self.route = np.zeros(len(self), np.uint64)

    def __len__(self) -> int:
        return len(self.source)

    def tails(self, which: npt.NDArray[Any] | slice = slice(None)) -> Int32Array:
        """Clock in which the tails of packets arrived, -1 not yet."""
        return self.arrival[self.first_flit[1:][which] - 1]

    def heads(self, which: npt.NDArray[Any] | slice = slice(None)) -> Int32Array:
        """Clock in which the heads of packets arrived, -1 not yet."""
        return self.arrival[self.first_flit[:-1][which]]


class FlitPlan:
    """An item on its way: expectations, and the state of the lists.

    Attributes
    ----------
    now : clocks seen so far.
    address : int64 [sent], of the destination, in the head flit; kinds: uint8 [sent], classes.
    begun : int64 [nodes], packets of each list that were begun.
    arrived : flits seen so far; delivered: packets and replies; asked: requests among them.
    progress : clock of the last sign of life.
    gone : bool [sent], packets that a reset took away.
    stuck : nothing moved for PATIENCE clocks although packets were on their way.
    closed : the measurement is over: no packet is begun any more, those on their way still arrive.
    measurement : of an item with a window, when it is over.
    state, home : what the network showed of itself in the last clock.
    start_vcs : uint8 [packets], virtual channels that a packet may start in, one bit each.
    """

    def __init__(
        self,
        network: XgftNetwork,
        item: PacketSet,
        rng: np.random.Generator,
        finish: Callable[[FlitPlan], None],
    ) -> None:
        self.network, self.item, self.rng, self._finish = network, item, rng, finish
        packets = item.packets
        self.sent = Sent(item)
        self.starts = packets.starts(network.leaves)
        self.lengths = np.diff(self.starts)
        self.start_vcs = self._vcs(packets)
        address = self._address(packets)
        self._offers = offers(packets, address, self.start_vcs)
        replies = self.sent.destination[self.sent.packets :]
        self.address = np.r_[address, replies * network.paths]
        self.kinds = np.r_[packets.kind, np.ones(len(replies), np.uint8)]
        self._release = packets.source.astype(np.int64) << 40 | packets.release
        self._last_due = max(int(packets.release.max(initial=0)), item.reset or 0)
        self.begun = np.zeros(network.leaves, np.int64)
        self.oldest = np.zeros(network.leaves, np.int64)
        self.now = 0
        self.arrived = 0
        self.delivered = 0
        self.asked = 0
        self.progress = 0
        self.gone = np.zeros(len(self.sent), np.bool_)
        self.stuck = False
        self.closed = False
        self._home_at: int | None = None  # clock when all credits must be there
        self.measurement: traffic.Measurement | None = None
        self.state: npt.NDArray[np.uint16] = np.zeros(network.inputs, np.uint16)
        self.home = np.ones(network.inputs, np.bool_)

    def _address(self, packets: Packets) -> Int64Array:
        """What the head flits say."""
        tables = self.network.tables
        if tables is None:
            return packets.destination.astype(np.int64)
        return tables.address(packets.source, packets.destination)

    def _vcs(self, packets: Packets) -> npt.NDArray[np.uint8]:
        """Virtual channels that packets may start in: with KEEP one, by the destination."""
        network = self.network
        masks = np.array([network.class_vcs(kind) for kind in (0, 1)], np.uint8)
        if network.vc_mode == "ANY":
            return masks[packets.kind]
        each = network.vcs // network.classes
        place = packets.destination % each + packets.kind * (network.vcs - each)
        return (1 << place).astype(np.uint8)

    # ---- what the driver asks --------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """Packets on their way, replies too."""
        gone = int(np.count_nonzero(self.gone))
        return int(self.begun.sum()) + self.asked - self.delivered - gone

    @property
    def next_due(self) -> Int64Array:
        """When the next packet of each list that has one could begin, int64 [lists]."""
        left = self.begun < self.lengths
        return self.sent.created[(self.starts[:-1] + self.begun)[left]]

    @property
    def complete(self) -> bool:
        """Everything has arrived that is to arrive."""
        if self.closed:
            return not self.waiting
        return self.arrived == len(self.sent.arrival) - self._missing

    @property
    def _missing(self) -> int:
        """Flits that will not come any more: of packets that a reset took away."""
        if not self.gone.any():
            return 0
        which = np.repeat(self.gone, self.sent.flits)
        return int(np.count_nonzero(self.sent.arrival[which] < 0))

    def over(self, now: int) -> bool:
        """Whether the item ends here."""
        item = self.item
        if item.window is not None and now >= item.window.end and not self.closed:
            self.closed = self._measured_enough(now, item.window)
        if self.complete:
            return self._home_at is not None and now >= self._home_at
        if now > self.progress + PATIENCE:
            # Not so if nothing is on its way and a list has something to send later.
            self.stuck = bool(self.waiting) or not (self.next_due + PATIENCE >= now).any()
        return self.stuck or (item.cycles is not None and now >= item.cycles)

    def _measured_enough(self, now: int, window: traffic.Window) -> bool:
        """Whether all tagged packets have arrived; a saturated network need not deliver them."""
        tagged = window.holds(self.item.packets.release)
        if bool((self.sent.tails()[: len(tagged)][tagged] >= 0).all()):
            return True
        return now >= window.end + DRAIN * window.cycles or self.measure(window).saturated

    def burst(self, now: int, rows: int) -> int:
        """Clocks of the next burst."""
        if self.complete:  # the last credits come home
            if self._home_at is None:
                self._home_at = now + self.network.depth + HOMEWARD
            return min(rows, self._home_at - now)
        limit, window = self.item.cycles, self.item.window
        if window is not None:  # after it, every clock is one that nobody measures
            rows = min(rows, window.end - now if now < window.end else DRAIN_BURST)
        elif not self.network.trace:  # Icarus writes a tracer's last row after Python has read it
            rows = min(rows, max(LAST_BURST, self._still(now)))
        return rows if limit is None else min(rows, limit - now)

    def _still(self, now: int) -> int:
        """Clocks that the item takes at least: until all is due, then one a flit of a receiver."""
        if now <= self._last_due:
            return self._last_due + 1 - now
        sent = self.sent
        missing = (sent.arrival < 0) & ~np.repeat(self.gone, sent.flits)
        receiver = np.repeat(sent.destination, sent.flits)[missing]
        return int(np.bincount(receiver, minlength=1).max())

    def offers(self, now: int, cycles: int, rows: int) -> npt.NDArray[np.uint64]:
        """What the lists offer in the next burst, uint64 [packets, nodes]."""
        nodes = np.arange(self.network.leaves, dtype=np.int64)
        if self.closed:
            return np.zeros((0, len(nodes)), np.uint64)
        due = np.searchsorted(self._release, (nodes << 40) + now + cycles) - self.starts[:-1]
        count = np.minimum(due - self.begun, rows)
        longest = int(count.max(initial=0))
        row = np.arange(longest)[:, None]
        at = np.minimum(self.starts[:-1] + self.begun + row, max(0, self.sent.packets - 1))
        if not longest:
            return np.zeros((0, len(nodes)), np.uint64)
        release = np.maximum(self.sent.created[at] - now, 0).astype(np.uint64)
        return np.where(row < count, self._offers[at] | release, np.uint64(0))

    def stalls(self, cycles: int) -> npt.NDArray[np.bool_] | None:
        """Who gives no credit back in the next burst, [cycles, nodes]; nobody when all is there."""
        if self.item.stall is None or self._home_at is not None:
            return None
        return self.rng.random((cycles, self.network.leaves)) < self.item.stall

    def end(self, state: npt.NDArray[np.uint16], home: npt.NDArray[np.bool_]) -> None:
        """The last burst is over; what the network shows of itself."""
        self.state, self.home = state.copy(), home.copy()
        if self.item.window is not None:
            self.measurement = self.measure(self.item.window)
        self._finish(self)

    # ---- what the scoreboard notes ---------------------------------------------------------------

    def note_taken(self, captured: FlitCaptured) -> None:
        """Which packets of the lists were begun when."""
        nodes = self.network.leaves
        bits = np.unpackbits(captured.taken, axis=1, count=nodes, bitorder="little")
        node, clock = np.nonzero(bits.T)
        if not len(node):
            return
        count = np.bincount(node, minlength=nodes)
        rank = np.arange(len(node)) - np.repeat(np.cumsum(count) - count, count)
        number = self.begun[node] + rank
        known = number < self.lengths[node]  # others are spurious, and found so when they arrive
        packet = (self.starts[node] + number)[known]
        self.sent.injected[packet] = captured.first + clock[known]
        self.begun = np.minimum(self.begun + count, self.lengths)
        self.progress = max(self.progress, captured.first + int(clock.max()))

    def note_reset(self, first: int) -> None:
        """What was on its way when the reset came, in the burst from clock `first` on, is gone."""
        reset = self.item.reset
        if reset is None or not first <= reset < self.now:
            return
        injected, tails = self.sent.injected, self.sent.tails()
        begun = (injected >= 0) & (injected < reset)
        self.gone |= begun & ((tails < 0) | (tails >= reset))

    def unwrap(self, owner: Int64Array, number: Int64Array) -> Int64Array:
        """Full numbers of packets of which the low bits are known: the next from the oldest on."""
        size = 1 << self.network.number_bits
        if int((self.begun - self.oldest).max()) > size // 4:
            self._advance()
        oldest = self.oldest[owner]
        return oldest + (number - oldest) % size

    def _advance(self) -> None:
        """Find for each list the oldest packet that is not delivered, replies included."""
        sent = self.sent
        tails = sent.tails()
        done = (tails[: sent.packets] >= 0) | self.gone[: sent.packets]
        if self.item.answers is not None:
            done &= tails[sent.packets :] >= 0
        node = np.repeat(np.arange(self.network.leaves), self.lengths)[~done]
        self.oldest = self.lengths.copy()
        np.minimum.at(self.oldest, node, np.flatnonzero(~done) - self.starts[node])

    @cached_property
    def zero_load(self) -> float:
        """Mean latency of the listed packets without load, clocks; NaN if there are none."""
        network, packets = self.network, self.item.packets
        if not len(packets):
            return float("nan")
        hops = xgft.hop_count(network.tree, packets.source, packets.destination, network.climb)
        return float(network.alone(hops, packets.flits).mean())

    @cached_property
    def routes(self) -> Routes:
        """Of packets and replies, when the item is over: what has not arrived has none."""
        sent = self.sent
        return Routes.read(self.network, sent.source, sent.destination, sent.route)

    def measure(self, window: traffic.Window) -> traffic.Measurement:
        """The listed packets as they stand: times in clocks, rates in flits a leaf and clock."""
        sent, listed = self.sent, slice(0, self.sent.packets)
        return traffic.measure(
            self.item.packets,
            self.network.leaves,
            sent.tails(listed).astype(np.int64),
            window,
            injected=sent.injected[listed],
            hops=count_hops(sent.route[listed], self.network.hop_bits),
            latency_limit=SATURATED * self.zero_load,
        )
