"""A network on the serial link that something else drives: its delivery cycles, as they come."""

from dataclasses import dataclass

import numpy as np

from fattree_bench.bench.links.serial.messages import PATIENCE, MessageSet, SerialCaptured
from fattree_bench.bench.links.serial.network import SerialNetwork
from fattree_bench.bench.links.serial.records import SerialRecords
from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array


@dataclass
class Load:
    """What went into a network in the load clock of a delivery cycle.

    Attributes
    ----------
    clock : of the burst in which it came.
    fresh : the first since a reset.
    once, restart, seed : see leiserson_tree.
    valid, take : bool [wires].
    waiting : int64 [wires].
    images : uint8 [wires, bytes], bit vectors of messages.
    ended : False: a reset broke the delivery cycle off.
    """

    clock: int
    fresh: bool
    once: bool
    restart: bool
    seed: int
    valid: BoolArray
    take: BoolArray
    waiting: Int64Array
    images: UInt8Array
    ended: bool = True


class WatchedSet(MessageSet):
    """Delivery cycles that somebody else has filled; which messages they have, is predicted.

    Attributes
    ----------
    loads : those of the rows, and of delivery cycles among them that a reset broke off.
    acked : bool [rows, wires], which senders had an acknowledge.
    """

    def __init__(self, loads: list[Load], acked: BoolArray, sequence: int) -> None:
        super().__init__(np.full(acked.shape, -1), "observed", restart=False)
        self.loads, self.acked, self.sequence = loads, acked, sequence


class SerialWatch(SerialRecords):
    """What goes in and what comes out, from the first reset on."""

    rows = 64  # delivery cycles between two looks at the limits of a run

    def __init__(self, network: SerialNetwork, transport: str) -> None:
        super().__init__(network, transport)
        self._loads: list[Load] = []  # not yet handed on
        self._inside: Load | None = None  # its delivery cycle has not ended
        self._awake = False  # there was a reset
        self._fresh = False  # nothing was loaded since the last
        self._cycles = 0  # handed on

    async def watch(self, cycles: int) -> None:
        """Let some delivery cycles pass; of so few clocks there is room for each record."""
        left = cycles * self.layout.ticks
        while left > 0:
            await self.burst(min(left, self.layout.rows))
            left -= self.layout.rows

    def captured(self) -> SerialCaptured | None:
        """The delivery cycles that ended since the last look; look before the next burst."""
        events = self._events()
        self.transport.unknown = None  # the network promises nothing of what comes in
        ends = self.recorded.fetch()
        if not self._awake:
            self.transport.unknown = None  # nothing is known of a network before its reset
        clocks = first = cycles = 0
        cut = False
        ended = self.ended[:ends, 0].astype(np.int64).tolist()
        for clock, what in sorted(
            [*events, *((clock, None) for clock in ended)], key=lambda event: event[0]
        ):
            if isinstance(what, Load):
                cut |= self._inside is not None
                self._inside = what
            elif what is not None:
                self._break_off()
            elif not self._awake:
                first += 1
            elif self._inside is None:
                cut = True
            else:
                clocks += clock + 1 - self._inside.clock
                cycles += 1
                self._loads.append(self._inside)
                self._inside = None
        passed = self.clocks.count()
        if self._inside is not None:
            self._inside.clock -= passed
            cut |= self._inside.clock < -PATIENCE * self.layout.ticks
        if not (cycles or cut):
            return None
        self._awake = not cut
        loads, self._loads = self._loads, []
        told = self.told(slice(first, first + cycles))
        acked = np.unpackbits(told["acked"], axis=1, count=self.layout.wires, bitorder="little")
        item = WatchedSet(loads, acked.astype(np.bool_), self._cycles)
        self._cycles += cycles
        return SerialCaptured(item, 0, **told, clocks=clocks, cut=cut)

    def _events(self) -> list[tuple[int, Load | bool]]:
        """Loads, and True for a reset, with their clocks."""
        rows = self.loads.fetch()
        (reset, load, once, restart), clock, seed = self.controls(rows)
        wires, size = self.layout.wires, self.layout.stride // 8
        bits = {
            name: np.unpackbits(some[:rows], axis=1, count=wires, bitorder="little").astype(
                np.bool_
            )
            for name, some in self.offered.items()
        }
        events: list[tuple[int, Load | bool]] = []
        awake = self._awake
        for k in range(rows):
            if reset[k]:
                self._fresh = awake = True
                events.append((int(clock[k]), True))
            elif load[k] and awake:
                images = self.messages[k, : wires * size].reshape(wires, size).copy()
                made = Load(
                    *(int(clock[k]), self._fresh, bool(once[k]), bool(restart[k]), int(seed[k])),
                    *(bits["offer_valid"][k], bits["take"][k]),
                    *(self.waiting[k].astype(np.int64), images),
                )
                self._fresh = False
                events.append((made.clock, made))
        return events

    def _break_off(self) -> None:
        """A reset: of the delivery cycle that is under way nothing more comes."""
        self._awake = True
        if self._inside is not None:
            self._inside.ended = False
            self._loads.append(self._inside)
            self._inside = None
