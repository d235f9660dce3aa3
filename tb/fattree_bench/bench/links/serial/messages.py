"""The serial link: one message a wire a delivery cycle, bit by bit, moved many cycles at a time.

A network on this link takes messages as bit vectors, sends them in delivery cycles of a fixed
number of clocks and tells at the end of each who sent, who was acknowledged, who received what and
when; `tb/fattree_bench/bench/links/serial/hdl/serial_player.v` plays, recorders capture.
"""

from copy import copy
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
from cocotb.triggers import Timer

from fattree_bench.bench.links.agent import FrameDriver, Misplayed
from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.resets import length
from fattree_bench.bench.links.serial.network import SerialNetwork
from fattree_bench.bench.links.serial.records import SerialRecords
from fattree_bench.bench.links.transport import Bytes
from fattree_bench.bench.result import Record
from fattree_bench.bench.sides import joined
from fattree_bench.bench.tlm import Played
from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, UInt8Array, UInt64Array

PATIENCE = 4  # times the clocks that delivery cycles should take; then a burst is given up


class MessageSet(Played):
    """Messages of all senders: the sequence item.

    Attributes
    ----------
    dst : int32 [rows, wires], destination of the message of each sending wire, -1 = none.
    family : what kind of traffic this is, for report and coverage.
    queue : False: row r is sent in delivery cycle r, once, whatever becomes of it.  True: each
        wire works off its rows in order and repeats what is not acknowledged, to the end.
    words : uint64 [rows, wires] or None, data bits; None: words that name the message.
    edges : uint8 [rows, wires, stages] or None, settings of partial concentrators.
    trailing : uint8 [rows, wires, bytes] or None, bits that senders leave behind their messages,
        against the rule: as far as a frame has room there.
    lossless : the model must not lose a message either: a schedule.
    reset : (row, clock) in which a reset begins, or None; the row, a delivery cycle of a queue, is
        of the first burst.  What the wires of a queue hold then is lost.
    held : clocks of that reset, drawn from `dst`, so that runs repeat.
    behind : of a queue: messages that wait at each wire behind its own, but do not have their turn.
    stop : of a queue: delivery cycles after which it is given up, or None: what has not arrived
        then is forgotten, by an item that is not a queue, or restarts.
    until : its row is repeated up to the delivery cycle of that number, counted from the last
        restart, if there is time left for it; the row is idle.
    restart : the delivery cycle with which it begins is number 0; False: the network continues from
        the item before, as do guesses and random numbers.
    kept : messages of the same set that stay within their processors, and are not sent.
    delivery : figures of the schedule that starts with this item (ScenarioResult.deliveries).
    sequence : number of the first row, given by the driver when the item is sent.
    plan : what the predictor worked out; kept with the item, so a repeated item costs nothing.
    """

    def __init__(
        self,
        dst: Int32Array,
        family: str,
        queue: bool = False,
        words: UInt64Array | None = None,
        edges: UInt8Array | None = None,
        lossless: bool = False,
        reset: tuple[int, int] | None = None,
        restart: bool = True,
        trailing: UInt8Array | None = None,
    ) -> None:
        super().__init__(family)
        self.trailing = trailing
        self.dst = np.ascontiguousarray(dst, np.int32)
        self.family = family
        self.queue = queue
        self.words = words
        self.edges = edges
        self.lossless = lossless
        self.reset = reset
        self.held = length(self.dst)
        self.restart = restart
        self.behind = 0
        self.stop: int | None = None
        self.until: int | None = None
        self.kept = 0
        self.delivery: Record | None = None

    @property
    def slots(self) -> int:
        """Numbers of rows that the item uses up."""
        return len(self.dst)

    def only(self, senders: BoolArray) -> Self:
        """What these wires send."""
        found = copy(self)
        found.dst = np.where(senders, self.dst, -1).astype(np.int32)
        return found

    def beside(self, other: Self) -> Self:
        """What both send, from different wires; everything else is of the first."""
        if self.queue != other.queue:
            raise ValueError(f"{self.family}: a queue and single delivery cycles do not join")
        for own in (self.words, other.words, self.edges, other.edges):
            if own is not None:
                raise ValueError(f"{self.family}: sets with words or settings do not join")
        found = copy(self)
        found.dst, found.lossless = joined(self.dst, other.dst), False
        return found


@dataclass
class SerialCaptured:
    """What was seen in some delivery cycles of an item; the arrays are the memories themselves.

    Attributes
    ----------
    first : delivery cycle of row 0, counted as the plan counts.
    sent, acked : packed bits [cycles, bytes] by sender, little-endian.
    arrived, trailing : packed bits [cycles, bytes] by receiver.
    ack_tick, tick : uint16 [cycles, wires], clock of the acknowledge, of the M bit; 0 none.
    data : words [cycles, wires]; 0 none.
    lost : uint32, messages lost since reset by level, up, then down.
    clocks : that all these cycles took.
    cut : a delivery cycle did not end, and no more will come of the item.
    """

    item: MessageSet
    first: int
    sent: UInt8Array
    acked: UInt8Array
    arrived: UInt8Array
    trailing: UInt8Array
    ack_tick: npt.NDArray[np.uint16]
    tick: npt.NDArray[np.uint16]
    data: Words
    lost: npt.NDArray[np.uint32]
    clocks: int
    cut: bool = False


class SerialPort(SerialRecords):
    """Python's side of a serial_player: memories, control signals, bursts of delivery cycles."""

    def __init__(self, network: SerialNetwork, transport: str) -> None:
        super().__init__(network, transport)
        rows, wires = self.layout.rows, self.layout.wires

        def stim(name: str, rows: int, bits: int) -> Bytes:
            return self.transport.memory(f"u_player.stim_{name}", rows, bits)

        self.stim_valid = stim("valid", rows, wires)
        self.stim_message = stim("message", rows, wires * self.layout.stride)
        self.stim_setting = stim("setting", rows, self.layout.setting_bits)
        self.stim_count = stim("count", 1, wires * 16).view(np.uint16)[0, :wires]
        self.playing: tuple[MessageSet, int, int] | None = None  # item, first cycle, cycles
        self._random = np.zeros((0, 0, 0), np.uint8)
        self._next: Int64Array = np.zeros(wires, np.int64)  # row that each wire offers next
        self._asked: dict[str, int] = {}  # of the player in this burst

    def _flush(self, name: str, rows: int) -> None:
        self.transport.flush(f"u_player.{name}", rows)

    def load(self, item: MessageSet) -> None:
        """Put an item into the memories of the player; beyond its rows it offers nothing."""
        layout = self.layout
        rows = min(len(item.dst), layout.rows)
        packed = np.packbits(item.dst[:rows] >= 0, axis=1, bitorder="little")
        self.stim_valid[:rows, : packed.shape[1]] = packed
        if rows < layout.rows:  # the end of all queues
            self.stim_valid[rows] = 0
        self._flush("stim_valid", min(rows + 1, layout.rows))
        if item.queue:
            self.stim_count[:] = np.count_nonzero(item.dst >= 0, axis=0) + item.behind
            self._flush("stim_count", 1)
        images = layout.images(item.dst[:rows], layout.words(item)[:rows], item.edges)
        if item.trailing is not None:
            images |= layout.trailing(item)[:rows]
        idle = item.dst[:rows] < 0
        images[idle] = self._noise(images.shape)[idle]
        stride = layout.stride // 8
        room = self.stim_message[:rows, : layout.wires * stride]
        room.reshape(rows, layout.wires, stride)[:, :, : images.shape[2]] = images
        self._flush("stim_message", rows)
        if layout.settings is not None:
            settings = layout.settings(item.dst[:rows], item.edges)
            self.stim_setting[:rows, : settings.shape[1]] = settings
            self._flush("stim_setting", rows)
        self.set("once", int(not item.queue))

    def corrupt(self, row: int, wire: int, bit: int) -> None:
        """Change a bit of a message that is loaded, counted from the first that is sent."""
        self.stim_message[row, (wire * self.layout.stride + bit) // 8] ^= 1 << bit % 8
        self.transport.flush("stim_message", row + 1)

    def _noise(self, shape: tuple[int, ...]) -> UInt8Array:
        """Bits where no message is on offer: what stands there must not matter."""
        if self._random.shape[2:] != shape[2:]:
            most = (self.layout.rows, *shape[1:])
            self._random = np.random.default_rng(0).integers(0, 256, most, np.uint8)
        return self._random[: shape[0]]

    async def reset(self, seed: int) -> None:
        """One clock of reset, and an idle delivery cycle, unobserved."""
        self.set("reset_clocks", 1)
        await Timer(1, "step")  # at time 0 initial values may still overwrite what Python writes
        self.stim_valid[:] = self.stim_count[:] = 0
        self._flush("stim_count", 1)
        self._flush("stim_valid", self.layout.rows)
        self.set("once", 1)
        self.set("restart", 0)
        self.set("rewind", 0)
        self.set("seed", seed)  # of the randomised discipline
        self.set("reset_at", 1)
        await self.burst(1)
        self.set("reset_at", 0)

    async def burst(self, cycles: int) -> None:
        """Some delivery cycles; a burst whose last one does not come ends all the same."""
        self.set("limit", PATIENCE * (cycles + 1) * self.layout.ticks)
        self._asked = dict(self._settled)
        await super().burst(cycles)

    def under_way(self) -> tuple[str, int] | None:
        return None if self.playing is None else (self.playing[0].family, self.playing[1])

    def rows_ended(self) -> int:
        """Delivery cycles that ended in the last burst."""
        return self.recorded.count()

    def captured(self) -> SerialCaptured | Misplayed | None:
        """What the burst that just ended brought: look before the next burst."""
        if self.playing is None:
            return None
        if (wrong := self._misplayed(*self.playing[:2])) or self.cut:
            return wrong
        (item, first, asked), self.playing = self.playing, None
        rows, clocks = self.recorded.fetch(), self.clocks.count()
        return SerialCaptured(
            item, first, **self.told(slice(rows)), clocks=clocks, cut=rows < asked
        )

    def _misplayed(self, item: MessageSet, first: int) -> Misplayed | None:
        """What the network got that the player was not asked for; None: nothing."""
        asked = self._asked
        rows = min(self.loads.fetch(), len(self.control))
        (reset, load, once, restart), clock, seed = self.controls(rows)
        cycle = first + np.cumsum(load) - 1
        for wrong, told in (
            (reset != (clock + 1 == asked.get("reset_at", 0)), "a reset, or none"),
            (restart != ((clock == 0) & bool(asked.get("restart"))), "a restart, or none"),
            (once != bool(asked.get("once")), "once, or a queue"),
            (seed != asked.get("seed", 0), "another seed"),
        ):
            if wrong.any():
                row = int(wrong.argmax())
                return Misplayed(item, f"clock {clock[row]}: {told}", int(cycle[row]))
        if 0 < asked.get("reset_at", 0) <= self.clocks.count() and not reset.any():
            return Misplayed(item, f"no reset in clock {asked['reset_at'] - 1}", first)
        # A network that begins no delivery cycle with the burst is offered other rows.
        return self._offers(item, load, once, cycle) if rows and not clock[0] else None

    def _offers(
        self, item: MessageSet, load: BoolArray, once: BoolArray, cycle: Int64Array
    ) -> Misplayed | None:
        """Compare the messages on offer in the load clocks with those of the item."""
        layout, rows = self.layout, len(load)
        valid, take = (
            np.unpackbits(self.offered[name][:rows], axis=1, count=layout.wires, bitorder="little")
            for name in ("offer_valid", "take")
        )
        start = np.zeros_like(self._next) if self._asked.get("rewind") else self._next
        steps = (load[:, None] & (once[:, None] | (valid & take).astype(np.bool_))).astype(np.int64)
        ends = np.minimum(start + np.cumsum(steps, axis=0), layout.rows)
        row, self._next = np.vstack([start, ends[:-1]]), ends[-1]
        more = load[:, None] & (row < layout.rows)
        wire, at = np.arange(layout.wires), np.minimum(row, layout.rows - 1)
        stim = np.unpackbits(self.stim_valid, axis=1, count=layout.wires, bitorder="little")
        size = layout.stride // 8
        seen, want = (
            m[:, : layout.wires * size].reshape(len(m), layout.wires, size)
            for m in (self.messages[:rows], self.stim_message)
        )
        due = stim[at, wire].astype(np.bool_) & more
        waits = np.where(load[:, None], self.stim_count.astype(np.int64) - row, 0) & 0xFFFF
        own = np.arange(layout.stride) < layout.message_bits
        asked = want[at, wire] & np.packbits(own, bitorder="little")
        same = (seen == asked).all(axis=2)
        idle = ~seen.any(axis=2)
        settings = np.where(more[:, :1] & once[:, None], self.stim_setting[at[:, 0]], 0)
        for wrong, told in (
            (due & (valid == 0), "no message instead of one"),
            (~due & (valid != 0), "a message instead of none"),
            (~np.where(more, same, idle), "another message"),
            (waits != self.waiting[:rows], "another number of messages that wait"),
            (once[:, None] & (settings != self.setting[:rows]), "other settings"),
        ):
            if wrong.any():
                k, x = (int(i) for i in np.argwhere(wrong)[0])
                return Misplayed(item, f"cycle {cycle[k]}, wire {x}: {told}", int(cycle[k]))
        return None


class SerialDriver(FrameDriver[MessageSet, int, SerialPort]):
    """Plays message sets; long deliveries in several bursts."""

    async def play(self, item: MessageSet, cycles: int) -> None:
        """Send one item for as many delivery cycles as are predicted."""
        port, rows = self.port, self.port.layout.rows
        port.load(item)
        self.loaded(item)
        if item.reset is not None:
            row, clock = item.reset
            port.set("reset_at", row * port.layout.ticks + clock + 1)
            port.set("reset_clocks", item.held)
        for first in range(0, cycles, rows):
            port.set("restart", int(first == 0 and item.restart))
            port.set("rewind", int(first == 0))
            count = min(rows, cycles - first)
            port.playing = item, first, count
            await port.burst(count)
            port.set("reset_at", 0)
            if port.rows_ended() < count:
                break
