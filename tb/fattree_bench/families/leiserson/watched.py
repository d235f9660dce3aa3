"""What a tree must do with messages that something else sends through it."""

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Where
from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.links.serial.watched import Load, WatchedSet
from fattree_bench.bench.result import Record
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import Plan, loads_of, visible
from fattree_bench.families.leiserson.scoreboard import SerialScoreboard
from fattree_models import leiserson as lei
from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array
from fattree_models.leiserson.draws import guess_exponents, lucky

Read = tuple[int, int, tuple[int, ...]]  # destination, data, decisions of partial concentrators


class Fates:
    """What became of the messages of some delivery cycles."""

    def __init__(self) -> None:
        self.messages = self.delivered = self.lost = self.discarded = self.given_up = 0
        self.tried = 0


class Watcher:
    """Knows what each sender has, by what it was offered and which acknowledges it had.

    They are the ones that were seen: what is wrong in a delivery cycle is reported once, and the
    next cycle is judged for itself.
    """

    def __init__(self, network: Leiserson, scoreboard: SerialScoreboard) -> None:
        self.network, self.scoreboard = network, scoreboard
        self.seed = self.number = 0  # of the senders' LFSRs, of the next delivery cycle
        self.kept, self.deliveries = 0, list[Record]()  # of sets known beforehand alone
        wires = network.layout.wires
        self.images = np.zeros((wires, network.layout.stride // 8), np.uint8)  # of what they have
        self.pending = np.zeros(wires, np.bool_)  # they have a message to repeat,
        self.acked = np.zeros(wires, np.bool_)  # that was acknowledged
        self.open = np.zeros(wires, np.bool_)  # they have one that has not arrived
        self.new = np.zeros(wires, np.bool_)  # that was never sent
        self._known: dict[tuple[int, bytes], Read] = {}

    def __call__(self, item: MessageSet) -> int:
        assert isinstance(item, WatchedSet)
        tree, shape = self.network.tree, item.dst.shape
        item.words = np.zeros(shape, np.uint64)
        item.trailing = np.zeros((*shape, tree.frame_bytes), np.uint8)
        edges = np.zeros((*shape, tree.stages_most), np.uint8)
        numbers, row = np.zeros(len(item.dst), np.int64), 0
        steps: list[tuple[Load, BoolArray, BoolArray]] = []
        for load in item.loads:
            keep = self.pending & ~self.acked & (not (load.once or load.restart or load.fresh))
            sends = self._load(load, keep)
            steps.append((load, keep, sends))
            if load.ended:
                item.trailing[row] = self.images[:, : tree.frame_bytes]
                for wire in np.flatnonzero(sends).tolist():
                    goal, word, way = self._read(wire, item.trailing[row, wire])
                    item.dst[row, wire], item.words[row, wire] = goal, word
                    edges[row, wire, : len(way)] = way
                numbers[row], self.acked = self.number - 1, item.acked[row]
                row += 1
        if not row:  # a delivery cycle that never ends
            item.trailing = None
        item.edges = edges if tree.stages_most else None
        outcome = lei.deliver(tree, item.dst, item.edges, numbers)
        item.plan = self._plan(item, numbers, outcome, steps)
        self.scoreboard.announce(item)
        for at, (load, keep, _) in enumerate(steps):
            for wire in np.flatnonzero(load.take == keep).tolist():
                did = "took a message while it had one" if keep[wire] else "took no message"
                told = f"cycle {at}: {self.scoreboard.source(wire)} {did}"
                self.scoreboard.faults.add(kind.SENDING, told, where=Where(at))
        return row

    def _load(self, load: Load, keep: BoolArray) -> BoolArray:
        """What senders have from this load clock on; who sends."""
        if load.restart or load.fresh:
            self.number, self.seed = 0, load.seed
        have: BoolArray = keep | load.valid
        self.images[~keep] = load.images[~keep]
        sends = have
        if self.network.discipline == "RANDOMISED" and not load.once:
            words = lei.lfsr(self.seed, len(have), self.number + 1)[-1]
            exponent = guess_exponents(self.network.n, self.number + 1)[-1]
            sends = have & lucky(words, exponent, load.waiting + keep)
        self.pending = have & (not load.once)
        self.number += 1
        return sends

    def _read(self, wire: int, image: UInt8Array) -> Read:
        """What a message says; ones behind it do not count."""
        key = wire, image.tobytes()
        whole = int.from_bytes(key[1], "little")
        for low in range(self.network.tree.frame_bits + 1):
            if key in self._known:
                break
            one = (whole >> low << low).to_bytes(len(image), "little")
            try:
                self._known[key] = lei.decode(self.network.tree, wire, np.frombuffer(one, np.uint8))
            except ValueError:
                continue
        return self._known[key]

    def _plan(
        self,
        item: WatchedSet,
        numbers: Int64Array,
        outcome: lei.CycleOutcome,
        steps: list[tuple[Load, BoolArray, BoolArray]],
    ) -> Plan:
        """The expectation for delivery cycles that were seen."""
        network, cycles = self.network, len(item.dst)
        row = np.where(item.dst >= 0, np.arange(cycles)[:, None], -1).astype(np.int32)
        restarted, fates, at = 0, Fates(), 0
        for load, keep, sends in steps:
            self._forget(load, keep, fates)
            fates.tried += int(np.count_nonzero(self.new & sends))
            self.new &= ~sends
            if load.fresh:
                item.reset, restarted = (at, 0), at
            if not load.ended:
                continue
            came = self.open & outcome.delivered[at]
            fates.delivered += int(np.count_nonzero(came))
            self.open &= ~came
            if load.once:
                fates.lost += int(np.count_nonzero(self.open))
                self.open[:] = False
            at += 1
        return Plan(
            cycles=cycles,
            seed=self.seed,
            number=numbers,
            waiting=np.zeros((0, network.wires), np.int64),
            row=row,
            outcome=outcome,
            **visible(network, item, row, outcome),
            messages=fates.messages,
            delivered=fates.delivered,
            lost_messages=fates.lost,
            discarded=fates.discarded,
            given_up=fates.given_up,
            tried=fates.tried,
            overtaken=0,
            extra_clocks=0,
            restarted=restarted,
            load=loads_of(network, item, outcome),
        )

    def _forget(self, load: Load, keep: BoolArray, fates: Fates) -> None:
        """Messages that senders no longer have; those that they have instead."""
        gone = int(np.count_nonzero(self.open & ~keep))
        if load.fresh:
            fates.discarded += gone
        else:
            fates.given_up += gone
        fresh = load.valid & ~keep
        self.open = self.open & keep | fresh
        self.new = self.new & keep | fresh
        fates.messages += int(np.count_nonzero(fresh))
