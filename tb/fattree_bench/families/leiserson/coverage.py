"""Functional coverage of the serial link, counted in whole arrays."""

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.groups import against_width
from fattree_bench.bench.links.corners import PAYLOADS, kinds_of
from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.families.leiserson import cover
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import Plan, lost_by_channel
from fattree_models import leiserson as lei
from fattree_models.common.checks import Int64Array, IntegerArray
from fattree_models.common.tree import bit_lengths
from fattree_models.leiserson.draws import guess_exponents


class SerialCoverage(Coverage[Leiserson, MessageSet, Plan]):
    """Counts what was tried on the serial link."""

    grouping = staticmethod(cover.groups)

    def __init__(self, name: str, parent: uvm_component, network: Leiserson) -> None:
        super().__init__(name, parent, network)
        self.height = bit_lengths(network.n + 2)
        self.senders = lei.source_processor(network.tree).astype(np.int64)

    def sample(self, item: MessageSet, plan: Plan, times: int) -> None:
        cycle, wire = np.nonzero(plan.row >= 0)
        row = plan.row[cycle, wire].astype(np.int64)
        source, destination = self.senders[wire], item.dst[row, wire].astype(np.int64)
        self._messages(source, destination, times)
        self._attempts(row, wire, item, plan, times)
        self._channels(item, plan, times)
        if item.words is not None:
            words, width = self.network.layout.words(item), self.network.width
            self.add(PAYLOADS, times, kinds_of(words, item.dst >= 0, width))
        self._late_comers(plan, times)
        self._cycles(cycle, source, destination, plan, times)
        self.add(cover.LOST, times, plan.lost.sum(axis=1) > 0)
        self.add(cover.OPERATION, times, np.array([int(item.queue)]))
        if item.reset is not None and plan.discarded:
            clock, last = item.reset[1], self.network.layout.ticks - 1
            at, mode = np.array([(clock > 0) + (clock >= last)]), np.array([int(item.queue)])
            self.add(cover.RESET, times, at, mode)
        if item.queue and self.network.discipline == "RANDOMISED":
            self._draws(plan, times)

    def _messages(self, source: Int64Array, destination: Int64Array, times: int) -> None:
        """Who sent to whom, over which ancestor, with how long an address."""
        leaves, n = self.network.leaves, self.network.n
        self.add(cover.PAIRS, times, source, destination)
        goes_out, comes_in = destination == leaves, source == leaves
        outside = goes_out | comes_in
        height = self.height[np.where(outside, 0, source ^ destination)]
        direction = np.where(outside, 2 + comes_in, source > destination)
        self.add(cover.TURNS, times, np.where(outside, n, height - 1), direction)
        if not self.network.tree.offline:
            self.add(cover.ADDRESS, times, np.where(outside, n, 2 * height - 1) - 1)

    def _attempts(
        self, row: Int64Array, wire: IntegerArray, item: MessageSet, plan: Plan, times: int
    ) -> None:
        """How often each message was sent; how many delivery cycles a set took that repeats."""
        key = row * self.network.wires + wire
        tries = np.unique(key, return_counts=True)[1]
        self.add(cover.ATTEMPTS, times, np.minimum(tries, len(cover.MANY)) - 1)
        if item.queue:
            bin_ = min(plan.cycles.bit_length(), len(cover.SET_CYCLES)) - 1
            self.add(cover.CYCLES, times, np.array([bin_]))

    def _draws(self, plan: Plan, times: int) -> None:
        """How the coins fell of wires with messages, at which guess and after how many draws."""
        cycle, wire = np.nonzero(plan.waiting > 0)
        coin, number = (plan.row[cycle, wire] >= 0).astype(np.int64), plan.number[cycle]
        exponents = guess_exponents(self.network.n, int(number.max(initial=0)) + 1)
        self.add(cover.GUESS, times, cover.guess_bin(exponents[number]), coin)
        self.add(cover.AGE, times, np.digitize(number, cover.AGES, right=True), coin)

    def _channels(self, item: MessageSet, plan: Plan, times: int) -> None:
        """Wires in use, and requests at the concentrators, of every channel in every cycle."""
        n, cap = self.network.n, self.network.cap
        over = self.groups[cover.WIRES].shape[-1] - 1
        outcome, fixed = plan.outcome, np.zeros(1, np.int64)
        for way, used in enumerate((outcome.used_up, outcome.used_down)):
            lost_here = lost_by_channel(outcome, 1 - 2 * way)
            for k in range(n + 1):
                part = slice(1 << k, 2 << k)
                asked = (used[:, part] + lost_here[:, part]).ravel()
                wires = np.where(asked > cap[k], over, used[:, part].ravel())
                self.add(cover.WIRES, times, fixed + k, fixed + way, wires)
                if (k, way) not in ((n, 0), (0, 1)):
                    bins = against_width(asked, int(cap[k]))
                    self.add(cover.REQUESTS, times, fixed + k, fixed + way, bins)

    def _late_comers(self, plan: Plan, times: int) -> None:
        """Who turns higher up reaches a channel later: heights that met in the one above a pair."""
        leaves, n = self.network.leaves, self.network.n
        arrived, sink = np.nonzero(plan.outcome.arrived >= 0)
        who = self.senders[plan.from_wire[arrived, sink]]
        leaf = sink // int(self.network.cap[-1])
        reach = np.where(who == leaves, n + 1, self.height[np.where(who == leaves, 0, who ^ leaf)])
        down = (leaf < leaves) & (reach >= 2)
        if down.any():
            channel = arrived[down] * leaves + (leaf[down] >> 1)
            low = np.full(int(channel.max()) + 1, n + 2)
            high = np.zeros(len(low), np.int64)
            np.minimum.at(low, channel, reach[down])
            np.maximum.at(high, channel, reach[down])
            self.add(cover.LATE, times, (low < high)[high > 0])

    def _cycles(
        self, cycle: Int64Array, source: Int64Array, destination: Int64Array, plan: Plan, times: int
    ) -> None:
        """What whole delivery cycles were like, and the next ones."""
        leaves = self.network.leaves
        traffic = np.zeros(plan.cycles, np.int64)
        np.bitwise_or.at(traffic, cycle, (source == leaves) + 2 * (destination == leaves))
        self.add(cover.OUTSIDE, times, traffic)
        everybody = leaves * int(self.network.cap[-1])
        sends = plan.row >= 0
        busy = np.count_nonzero(sends[:, :everybody], axis=1)
        load = (busy > 0).astype(np.int64) + (busy == everybody)
        self.add(cover.SENDERS, times, load[:-1], load[1:])
        self.add(cover.WIRE, times, sends[:-1], sends[1:])
