"""The slot link: one packet a leaf a slot, moved a frame at a time.

A network on this link has, per leaf, valid, destination and payload in, valid and payload out, and
takes a packet in every slot of one or two clocks; `hdl/slot_player.v` plays, and recorders at its
pins capture what goes in and comes out.
"""

from collections.abc import Iterable
from copy import copy
from typing import Self

import numpy as np
import numpy.typing as npt
from cocotb.triggers import Timer

from fattree_bench.bench.handles import root
from fattree_bench.bench.links.agent import FrameDriver, Misplayed
from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.player import Player, Rows, opened
from fattree_bench.bench.links.slot.network import SlotNetwork
from fattree_bench.bench.links.transport import Bytes, packed
from fattree_bench.bench.sides import joined
from fattree_bench.bench.tlm import Played
from fattree_models.common.checks import BoolArray, Int32Array, UInt8Array

Bits = npt.NDArray[np.bool_]


class SlotFrame(Played):
    """Some slots of traffic: the sequence item.

    Attributes
    ----------
    dst : int32 [slots, N], destination of the packet of each leaf, -1 = idle.
    reset : bool [slots] or None, slots in which reset is held.
    family : what kind of traffic this is, for the coverage.
    first_slot : number of its first slot within a frame of that family; None: it has no place.
    words : words [slots, N] that packets carry, or None: words that name them.
    sequence : number of the first slot, given by the driver when the frame is sent.
    plan : what the predictor worked out; kept with the item, so a repeated frame costs nothing.
    """

    def __init__(
        self,
        dst: Int32Array,
        family: str = "messages",
        reset: BoolArray | None = None,
        first_slot: int | None = None,
        words: Words | None = None,
    ) -> None:
        super().__init__(family)
        self.dst = np.ascontiguousarray(dst, np.int32)
        self.family = family
        self.first_slot = first_slot
        self.words = words
        self.reset = reset if reset is not None and reset.any() else None
        self.phase = 0  # row of the settings that the plan starts with
        self.image: tuple[Bytes, Words] | None = None

    @property
    def slots(self) -> int:
        return len(self.dst)

    def only(self, senders: BoolArray) -> Self:
        """What these leaves send."""
        found = copy(self)
        found.dst = np.where(senders, self.dst, -1).astype(np.int32)
        return found

    def beside(self, other: Self) -> Self:
        """What both send, from different leaves; resets and the rest are of the first."""
        if self.words is not None or other.words is not None:
            raise ValueError(f"{self.family}: frames with words of their own do not join")
        found = copy(self)
        found.dst, found.first_slot = joined(self.dst, other.dst), None
        if self.reset is not None:
            found.reset = np.pad(self.reset, (0, found.slots - self.slots))
        return found


class Captured:
    """What the network gave out in the clocks of one frame, row r in the frame's r-th clock."""

    def __init__(
        self, item: SlotFrame, valid: Bytes, data: Words, counters: npt.NDArray[np.uint32]
    ) -> None:
        self.item = item
        self.valid = valid  # packed bits [slots, bytes], little-endian
        self.data = data  # [slots, N], zero where idle
        self.counters = counters  # uint32 [network.layout.counters], in the frame's last clock


class SlotPins(Player):
    """What recorders show of a network's pins.

    Attributes
    ----------
    frame : what is made of slots that somebody else has filled.
    """

    def __init__(
        self, network: SlotNetwork, transport: str, frame: type[SlotFrame] = SlotFrame
    ) -> None:
        self.network, self.frame = network, frame
        super().__init__(root().u_player)
        self.transport = opened(network.rtl.top, "", transport == "view")
        self.recorded = Rows(self.transport)
        layout, leaves = network.layout, network.leaves
        rows, stride, words = layout.slots, layout.payload.stride, layout.payload.dtype
        memory = self.recorded.memory
        self.seen_rst = memory("rst", rows, 8)
        self.sent_valid = memory("send_valid", rows, leaves)
        self.sent_data = memory("send_data", rows, leaves * stride).view(words)[:, :leaves]
        if layout.headers:
            dst = memory("send_dst", rows, leaves * 16)
            self.sent_dst = dst.view(np.uint16)[:, :leaves]
        self.seen_valid = memory("receive_valid", rows, leaves)
        self.seen_data = memory("receive_data", rows, leaves * stride).view(words)[:, :leaves]
        counters = memory("state", 2, 32 * layout.counters, last=True).view(np.uint32)
        self.counters = counters[0, : layout.counters]
        self._slots = 0  # seen since the first reset
        self._awake = False  # there was one

    @property
    def rows(self) -> int:
        """Slots that are kept at once."""
        return self.network.layout.slots

    async def burst(self, cycles: int) -> None:
        self.recorded.rewind()
        await super().burst(cycles)

    async def watch(self, slots: int) -> None:
        """Let some slots pass."""
        await self.burst(slots * self.network.layout.clocks)

    def sent(self, rows: slice) -> SlotFrame:
        """What went into the network in some slots."""
        valid = np.unpackbits(self.sent_valid[rows], axis=1, bitorder="little")
        there = valid[:, : self.network.leaves].astype(np.bool_)
        dst = np.where(there, self.sent_dst[rows].astype(np.int32), np.int32(-1))
        idle = self.network.latency + 2  # slots behind which everything is out
        quiet = len(dst) >= idle and not there[-idle:].any()
        reset = (self.seen_rst[rows, 0] & 1).astype(np.bool_)
        family = "drain" if quiet else "observed"
        return self.frame(dst, family, reset, words=self.sent_data[rows].copy())

    def captured(self) -> Captured | Misplayed | None:
        """What was seen, from the first reset on; look before the next burst."""
        rows, first = self.recorded.fetch(), 0
        if not self._awake:
            resets = np.flatnonzero(self.seen_rst[:rows, 0] & 1)
            if not resets.size:
                return None
            first, self._awake = int(resets[0]), True
            self.transport.unknown = None  # nothing is known of a network before its reset
        part = slice(first, rows)
        item = self.sent(part)
        item.sequence = self._slots
        self._slots += item.slots
        return self.given(item, part)

    def given(self, item: SlotFrame, rows: slice) -> Captured:
        """What the network gave out in some slots: the memories themselves."""
        size = -(-self.network.leaves // 8)
        return Captured(item, self.seen_valid[rows, :size], self.seen_data[rows], self.counters)


class SlotPort(SlotPins):
    """Python's side of a slot_player: memories, control signals, one burst at a time."""

    def __init__(self, network: SlotNetwork, transport: str) -> None:
        super().__init__(network, transport)
        rows, leaves, stride = network.layout.slots, network.leaves, network.layout.payload.stride
        words = network.layout.payload.dtype

        def memory(name: str, bits: int) -> Bytes:
            return self.transport.memory(f"u_player.{name}", rows, bits)

        self.stim_valid = memory("stim_valid", leaves)
        self.stim_dst = memory("stim_dst", leaves * 16).view(np.uint16)[:, :leaves]
        self.stim_data = memory("stim_data", leaves * stride).view(words)[:, :leaves]
        self.stim_rst = memory("stim_rst", 8)
        self.stim_rows = memory("stim_rows", network.layout.row_bits)
        self.stim_rst[:] = 0
        self._flush("stim_rst", rows)
        self._reset_rows = 0  # rows of stim_rst that may be set
        # What stands in the headers of idle leaves: every leaf in turn, and it must not matter.
        row, leaf = np.ogrid[:rows, :leaves]
        self._noise = ((row + leaf) % leaves).astype(np.uint16)
        self.playing: SlotFrame | None = None  # the frame that somebody waits for

    def _flush(self, name: str, rows: int) -> None:
        self.transport.flush(f"u_player.{name}", rows)

    def load(self, item: SlotFrame, sequence: int) -> None:
        """Put a frame into the memories of the player."""
        slots, payload = item.slots, self.network.layout.payload
        if item.image is None:
            item.image = self._image(item.dst)
        valid, dst = item.image
        self.stim_valid[:slots, : valid.shape[1]] = valid
        self._flush("stim_valid", slots)
        if self.network.layout.headers:
            self.stim_dst[:slots] = dst
            self._flush("stim_dst", slots)
        if item.words is None:
            payload.renew(payload.base(slots), sequence, self.stim_data[:slots])
        else:
            self.stim_data[:slots] = item.words
        self._flush("stim_data", slots)
        if item.reset is not None or self._reset_rows:
            # An item with resets may have been longer: none of its rows may be left over.
            rows = max(slots, self._reset_rows)
            self.stim_rst[:rows, 0] = 0
            if item.reset is not None:
                ends = np.append(item.reset[:-1] & ~item.reset[1:], item.reset[-1])
                self.stim_rst[:slots, 0] = item.reset + 2 * (ends & (np.arange(slots) % 2 == 1))
            self._flush("stim_rst", rows)
            self._reset_rows = 0 if item.reset is None else slots

    def corrupt(self, slot: int, leaf: int, mask: int) -> None:
        """Of the frame that is loaded, change bits of the word that a leaf sends."""
        self.stim_data[slot, leaf] ^= mask
        self._flush("stim_data", slot + 1)

    def lose(self, slot: int, leaf: int) -> None:
        """Of the frame that is loaded, do not send the packet of a leaf."""
        self.stim_valid[slot, leaf // 8] &= ~(1 << leaf % 8) & 0xFF
        self._flush("stim_valid", slot + 1)

    def _image(self, dst: Int32Array) -> tuple[UInt8Array, npt.NDArray[np.uint16]]:
        """Valid bits, packed, and headers of a frame, as they stand in the memories."""
        valid = dst >= 0
        headers = dst.astype(np.uint16)
        np.copyto(headers, self._noise[: len(dst)], where=~valid)
        return packed(valid), headers

    async def reset(self) -> None:
        """Two clocks of reset, whose outputs are not observed."""
        await Timer(1, "step")  # at time 0 initial values may still overwrite what Python writes
        idle = SlotFrame(np.full((2, self.network.leaves), -1), "reset", np.ones(2, np.bool_))
        self.load(idle, 0)
        self.set("row_mode", 0)
        self.set("expect_clear", 0)
        await self.burst(2)

    def under_way(self) -> tuple[str, int] | None:
        return None if self.playing is None else (self.playing.family, self.playing.sequence)

    def captured(self) -> Captured | Misplayed | None:
        """What was captured; the arrays are the memories themselves: look before the next burst."""
        item, self.playing = self.playing, None
        if item is None:
            return None
        rows = self.recorded.fetch()
        slots = min(rows, item.slots) if self.cut else item.slots
        wrong = self._misplayed(item, rows, slots)
        return wrong if wrong or self.cut else self.given(item, slice(0, slots))

    def _misplayed(self, item: SlotFrame, rows: int, slots: int) -> Misplayed | None:
        """The first thing at the pins of the network that was not asked for; None: nothing."""
        pairs = [
            ("reset", self.stim_rst & 1, self.seen_rst),
            ("valid", self.stim_valid, self.sent_valid),
            ("word", self.stim_data, self.sent_data),
            *(
                [("destination", self.stim_dst, self.sent_dst)]
                if self.network.layout.headers
                else []
            ),
        ]
        both, found = min(rows, slots), []
        for rank, (name, asked, seen) in enumerate(pairs):
            if not np.array_equal(asked[:both], seen[:both]):
                row = int((asked[:both] != seen[:both]).any(axis=1).argmax())
                found.append((row, rank, name, asked[row], seen[row]))
        if not found:
            if rows == slots:
                return None
            return Misplayed(item, f"{rows} slots instead of {slots}", item.sequence + both)
        row, _, name, *values = min(found, key=lambda one: one[:2])
        if name == "valid":
            values = [np.unpackbits(value, bitorder="little") for value in values]
        leaf = int((values[0] != values[1]).argmax())
        want, got = (int(value[leaf]) for value in values)
        slot, where = item.sequence + row, "" if name == "reset" else f", leaf {leaf}"
        told = f"slot {slot}{where}: {name} {got:#x} instead of {want:#x}"
        return Misplayed(item, told, slot, leaf if where else None)

    async def program(self, slots: int, settings: Iterable[tuple[int, Bits]]) -> None:
        """Load the memory of settings: rows of bits [slots, row width] by level."""
        self.set("last_slot", slots - 1)
        for level, rows in settings:
            image = packed(rows)
            for first in range(0, slots, self.network.layout.slots):
                part = image[first : first + self.network.layout.slots]
                self.stim_rows[: len(part), : part.shape[1]] = part
                self._flush("stim_rows", len(part))
                self.set("row_level", level)
                self.set("row_first", first)
                self.set("row_mode", 1)
                await self.burst(len(part))
        self.set("row_mode", 0)


class SlotDriver(FrameDriver[SlotFrame, bool, SlotPort]):
    """Plays frames."""

    async def play(self, item: SlotFrame, clear: bool) -> None:
        """Send one frame; `clear`: no conflict is predicted up to its end."""
        self.port.load(item, item.sequence)
        self.port.set("expect_clear", int(clear))
        self.loaded(item)
        self.port.playing = item
        await self.port.burst(item.slots)
