"""A scoreboard of rows: one word per leaf and slot, `latency` slots behind the stimulus.

It keeps the rows to come, compares every word of them and names each disagreement.  A network says
which packets its rows hold, which packet a word names, and what its counters must show.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Generic, NamedTuple

import numpy as np
import numpy.typing as npt
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.environment import Scoreboard
from fattree_bench.bench.failure import Parcel, Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.links.slot.frame import Captured, SlotFrame
from fattree_bench.bench.links.slot.network import SlotNetwork
from fattree_bench.bench.links.transport import Bytes
from fattree_bench.bench.suspects import Attribute
from fattree_bench.bench.tlm import Planned
from fattree_models.common.checks import BoolArray, Int64Array

RESET = "in a reset"
FAILING = 64  # frames that are kept to look for what faulty packets share
Key = tuple[int, int]  # (slot number since the start, source)


@dataclass
class RowTally:
    """Packets so far."""

    sent: int = 0
    delivered: int = 0
    discarded: int = 0  # inside, or offered, during a reset
    inside: int = 0  # at the end, not yet on their way out

    def losses(self) -> dict[str, int]:
        """Packets that did not arrive, as predicted, by reason."""
        return {RESET: self.discarded}


class Played(NamedTuple, Generic[Planned]):
    """A frame as it was played: an item that comes again has another first slot then."""

    first: int
    item: SlotFrame
    plan: Planned


class RowScoreboard(Scoreboard, Generic[Planned]):
    """Expects a stream of rows; its subclasses, one a network, fill in the hooks.

    Attributes
    ----------
    place : what a column of the rows is called.
    quiet : kind of frame after which nothing is inside and counters must be exact.
    limit : disagreements that are named; of more only the number is reported.
    late : slots by which the times in reports are before those of the rows.
    spared : 1 if a row that stands at the outputs in the clock of a reset is still delivered.
    counters : of each counter of the network the kind of fault if it is wrong, and its name.
    attributes : those of the packets of a frame, flat.
    """

    place: ClassVar[str] = "leaf"
    quiet: ClassVar[str] = "drain"
    limit: ClassVar[int] = sys.maxsize
    late = 0
    spared = 0
    tally: RowTally
    counters: list[tuple[str, str]]
    attributes: Callable[[Played[Planned]], Sequence[Attribute]]
    _counted: Int64Array  # counters since the last reset, before they wrap

    def __init__(
        self, name: str, parent: uvm_component, network: SlotNetwork, history: int
    ) -> None:
        super().__init__(name, parent)
        self.slots = 0
        self._leaves, self._latency = network.leaves, network.latency
        self._recent: deque[Played[Planned]] = deque(maxlen=history)
        self._missing: dict[Key, tuple[str, Where]] = {}
        self._open: set[Key] = set()  # packets at fault before the model decided their end
        self._wrong: dict[Key, tuple[str, int]] = {}  # see Suspects.item
        self._failing: dict[int, Played[Planned]] = {}  # with such packets, by first slot
        self._named = 0
        rows = network.layout.slots + self._latency + 1
        self._valid = np.zeros((rows, -(-network.leaves // 8)), np.uint8)  # packed bits
        self._data = np.zeros((rows, network.leaves), network.layout.payload.dtype)
        self._settled = True

    # ---- what a network fills in -----------------------------------------------------------------

    def _fill(self, item: SlotFrame, plan: Planned, rows: slice) -> None:
        """Put the words to come into these rows of `_data`."""

    def _count(self, captured: Captured, same: bool) -> None:
        """Keep tally and counters; check what is promised besides.  `same`: no word disagrees."""

    def _owner(self, row: int, leaf: int, time: int) -> Key | None:
        """The packet that is due in a row, if it is known."""
        raise NotImplementedError

    def _expected(self, key: Key) -> bool:
        """A packet is due in a row that disagrees: whether it is missed until it is seen."""
        return True

    def _find(self, word: int, time: int) -> tuple[Key, int] | None:
        """The packet that a word names, and its leaf, if it was sent lately."""
        raise NotImplementedError

    def _strayed(self, key: Key, goal: int, leaf: int, time: int, where: Where) -> None:
        """Name what is wrong with a packet for `goal` that came to a leaf."""

    def _arrives(self, played: Played[Planned]) -> BoolArray:
        """Packets of a frame that arrive unless at fault, bool [slots, N] by source."""
        return played.item.dst >= 0

    def _balance(self) -> None:
        """Check at the end that the tally adds up."""

    # ---- the stream ------------------------------------------------------------------------------

    def write(self, captured: Captured) -> None:
        """Check one frame's slots: the tail of what came before, then this frame's own rows."""
        item: SlotFrame = captured.item
        slots = item.slots
        self.faults.family = item.family
        self.burst(item.sequence, slots)
        self._recent.append(Played(item.sequence, item, item.plan))
        self._append(item)
        same = np.array_equal(captured.valid, self._valid[:slots]) and np.array_equal(
            captured.data, self._data[:slots]
        )
        if not same:
            self._explain(captured)
        self.slots += slots
        self._count(captured, same)
        self._settled = item.family == self.quiet
        if self._settled:
            self._check_counters(captured)
        for rows in self._streams():
            rows[: self._latency] = rows[slots : slots + self._latency]
        self.checked.write(item)

    def _streams(self) -> Iterator[npt.NDArray[np.generic]]:
        """Arrays that hold the rows to come."""
        yield from (self._valid, self._data)

    def _append(self, item: SlotFrame) -> None:
        """Put what the frame leads to behind the rows that are still to come."""
        rows = slice(self._latency, self._latency + item.slots)
        self._valid[rows] = item.plan.valid
        self._fill(item, item.plan, rows)
        if item.reset is not None:
            for row in np.flatnonzero(item.reset).tolist():
                self._wipe(slice(row + self.spared, row + self._latency + 1))

    def _wipe(self, rows: slice) -> None:
        """A reset finds these rows on their way out."""
        for stream in self._streams():
            stream[rows] = 0

    def _check_counters(self, captured: Captured) -> None:
        """After a quiet frame the network's own counters are exactly what the model says."""
        want, seen = self._counted, captured.counters.astype(np.int64)
        for i in np.flatnonzero(seen != want % (1 << 32)).tolist():
            what, name = self.counters[i]
            self.faults.add(what, f"{name}: counted {seen[i]}, predicted {want[i]}")

    # ---- what went wrong -------------------------------------------------------------------------

    def _explain(self, captured: Captured) -> None:
        """Give every disagreement in the rows of a frame its name."""
        leaves, slots, first = self._leaves, captured.item.slots, captured.item.sequence - self.late
        want, seen = (
            np.unpackbits(bits, axis=1, count=leaves, bitorder="little").astype(np.bool_)
            for bits in (self._valid[:slots], captured.valid)
        )
        rows, cells = np.nonzero((want != seen) | (self._data[:slots] != captured.data))
        room = max(0, self.limit - self._named)
        self._named += len(rows)
        if len(rows) > room:
            told = f"disagreements behind the first {self.limit}, which are named"
            self.faults.add(kind.UNCHECKED, told, len(rows) - room)
        places = list(zip(rows[:room].tolist(), cells[:room].tolist(), strict=True))
        for row, leaf in places:
            key = self._owner(row, leaf, first + row) if want[row, leaf] else None
            if key is not None and self._expected(key):
                where = Where(first + row, Place(self.place, leaf), expected=parcel(key, leaf))
                told = f"{packet(key, leaf)}, due in {self.faults.unit} {first + row}"
                self._missing[key] = told, where
        for row, leaf in places:
            word = int(captured.data[row, leaf])
            if seen[row, leaf]:
                self._name(row, leaf, first + row, word, bool(want[row, leaf]))
            elif word and not want[row, leaf]:
                where = Where(first + row, Place(self.place, leaf))
                self.faults.add(kind.IDLE_NOT_ZERO, self._at(leaf, first + row, word), where=where)

    def _at(self, leaf: int, time: int, word: int) -> str:
        return f"{self.place} {leaf} in {self.faults.unit} {time}: {word:#x}"

    def _name(self, row: int, leaf: int, time: int, word: int, wanted: bool) -> None:
        """Name one packet that was seen where, or as, it should not have been."""
        owner = self._owner(row, leaf, time) if wanted else None
        due = None if owner is None else parcel(owner, leaf)
        where = Where(time, Place(self.place, leaf), expected=due)
        found = self._find(word, time)
        if found is not None:
            key, goal = found
            self._strayed(key, goal, leaf, time, replace(where, got=parcel(key, goal)))
        elif not wanted:
            self.faults.add(kind.SPURIOUS, self._at(leaf, time, word), where=where)
        elif owner is not None:
            right = int(self._data[row, leaf])
            self._missing.pop(owner, None)
            self.suspects.flip(word ^ right)
            told = f"{packet(owner, leaf)}, in {self.faults.unit} {time}: {word:#x} instead of "
            told += f"{right:#x} (bits {word ^ right:#x} differ)"
            self._blame(kind.CORRUPTED, owner, told, where)

    def _blame(
        self,
        name: str,
        key: Key,
        told: str,
        where: Where,
        foreseen: str = DELIVERED,
        astray: int = 0,
    ) -> None:
        """A packet had another end than was foreseen ("": the model has not decided it yet)."""
        self.faults.add(name, told, where=where)
        if key not in self.ledger:
            self.ledger.move(key, foreseen, name)
            if not foreseen:
                self._open.add(key)
        self._suspect(key, name, astray)

    def _suspect(self, key: Key, name: str, astray: int) -> None:
        """Keep the frame of a packet; `astray`: leaves (XOR) by which it missed its own."""
        self._wrong.setdefault(key, (name, astray))
        played = self._frame(key[0])
        if played is not None and len(self._failing) < FAILING:
            self._failing[played.first] = played

    def _frame(self, slot: int) -> Played[Planned] | None:
        """The frame of a slot, if it was played lately."""
        recent: deque[Played[Planned]] = self._recent
        own = (one for one in reversed(recent) if 0 <= slot - one.first < one.item.slots)
        return next(own, None)

    def _carriers(self, played: Played[Planned], word: int) -> list[Key]:
        """The packets of a frame that carry a word of their own, which several may do."""
        carry = np.argwhere((played.item.words == word) & (played.item.dst >= 0))
        return [(played.first + slot, source) for slot, source in carry.tolist()]

    def _killed(self, key: Key, left: int) -> bool:
        """Whether a reset came while a packet was inside, or on its way out since `left`."""
        for first, item, _ in reversed(self._recent):
            if item.reset is not None:
                slots = first + np.flatnonzero(item.reset)
                if ((key[0] <= slots) & (slots <= left + self._latency - self.spared)).any():
                    return True
        return False

    # ---- the end ---------------------------------------------------------------------------------

    def check_phase(self) -> None:
        """Whatever is still missing is lost; whatever no check has spoken on is a fault."""
        self.cut_off()
        if not self.ended_early:
            if not self._settled:
                self.faults.add(kind.UNCHECKED, "the network was not quiet at the end")
            self._balance()
        if self.tally.sent == 0 and kind.PLAYER not in self.faults.counts:
            self.faults.add(kind.UNCHECKED, "nothing was sent")
        super().check_phase()

    def cut_off(self) -> None:
        """Packets that were due and did not come are lost."""
        for key, (example, where) in self._missing.items():
            self._blame(kind.LOST, key, example, where)
        self._compare()

    def accounts(self) -> dict[str, int]:
        tally, inside = self.tally, self.tally.inside + self._behind()
        foreseen = {DELIVERED: tally.delivered, **tally.losses(), INSIDE: inside}
        return self.ledger.settled(foreseen)

    def _behind(self) -> int:
        """Packets on their way out when a limit ended the scenario."""
        return 0 if self._settled else ones(self._valid[: self._latency])

    def _compare(self) -> None:
        """Packets that are wrong, with the others of their frames."""
        last = list(self._recent)[-FAILING:]
        others = [played for played in last if played.first not in self._failing]
        for played in [*others, *self._failing.values()]:
            first, item, _ = played
            wrong = {
                (slot - first) * self._leaves + source: what
                for (slot, source), what in self._wrong.items()
                if 0 <= slot - first < item.slots
            }
            attributes = partial(self.attributes, played)
            self.suspects.item(item.dst.size, attributes, wrong, self._arrives(played).ravel())


def ones(valid: Bytes) -> int:
    """Bits that are set in packed rows."""
    return int(np.bitwise_count(valid).sum())


def parcel(key: Key, destination: int) -> Parcel:
    return Parcel(key[1], destination, key[0], "slot")


def packet(key: Key, destination: int) -> str:
    return f"slot {key[0]} source {key[1]} destination {destination}"
