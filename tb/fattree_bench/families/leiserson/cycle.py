"""A delivery cycle in which not all arrived as it should: every disagreement gets its name."""

from __future__ import annotations

from collections import Counter

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.environment import Scoreboard
from fattree_bench.bench.failure import Parcel, Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED
from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.serial.messages import MessageSet, SerialCaptured
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import Plan
from fattree_models.common.checks import BoolArray

CONFLICTS = "in conflicts"


class SerialNames(Scoreboard):
    """What wires are called, and which messages are to blame for what.

    Attributes
    ----------
    begun : items so far.
    wrong : messages of the item that are to blame, see Suspects.item.
    """

    def __init__(self, name: str, parent: uvm_component, network: Leiserson) -> None:
        super().__init__(name, parent)
        self.network = network
        self.begun = 0
        self.wrong: dict[int, tuple[str, int]] = {}

    def place(self, wire: int) -> str:
        ports = int(self.network.cap[-1])
        if wire >= self.network.leaves * ports:
            return f"external wire {wire - self.network.leaves * ports}"
        place = f"processor {wire // ports}"
        return place if ports == 1 else f"{place} wire {wire % ports}"

    def leaf(self, wire: int) -> int:
        """The processor of a wire; their number of what is outside."""
        return min(wire // int(self.network.cap[-1]), self.network.leaves)

    def sink_place(self, wire: int) -> Place:
        ports = int(self.network.cap[-1])
        inside = wire < self.network.leaves * ports
        return Place("processor", self.leaf(wire)) if inside else Place(self.place(wire))

    def source(self, wire: int) -> str:
        return f"source {self.place(wire)}"

    def sink(self, wire: int) -> str:
        return f"receiver {self.place(wire)}"

    def parcel(self, item: MessageSet, cycle: int, row: int, source: int) -> Parcel:
        """A message of an item, sent in that delivery cycle."""
        return Parcel(self.leaf(source), int(item.dst[row, source]), cycle, "cycle")

    def blame(
        self, name: str, told: str, where: Where, message: tuple[int, int], astray: int = 0
    ) -> None:
        """A message (row, sender) had another end than was foreseen."""
        row, source = message
        self.faults.add(name, told, where=where)
        self.wrong.setdefault(row * self.network.wires + source, (name, astray))

    def move(self, message: tuple[int, int], foreseen: str, seen: str) -> None:
        """A message belongs to another account."""
        self.ledger.move((self.begun, *message), foreseen, seen)

    def came(self, message: tuple[int, int]) -> None:
        """A message came that was not expected now."""
        self.ledger.again((self.begun, *message), kind.LATE)


class Cycle:
    """One delivery cycle of an item, with what the plan says of it."""

    def __init__(
        self, board: SerialNames, captured: SerialCaptured, plan: Plan, words: Words, cycle: int
    ) -> None:
        self.board, self.item, self.words = board, captured.item, words
        self.number = captured.first + cycle
        self.data = captured.data[cycle]
        self.rows = plan.row[self.number]
        self.due_from = plan.outcome.arrived[self.number]  # senders, by wire
        # Only what was sent in this delivery cycle can be inside: a word tells which it is, but
        # for data of one's own that several carry.
        senders = np.flatnonzero(self.rows >= 0).tolist()
        carried = Counter(int(words[self.rows[s], s]) for s in senders)
        self.named = {word: s for s in senders if carried[word := int(words[self.rows[s], s])] == 1}
        self.missing: dict[int, int] = {}  # wires where senders' messages are due
        self.strays: list[tuple[int, int]] = []  # (sender, where it was seen)

    def explain(self, due: Words, seen: BoolArray, want: BoolArray) -> None:
        """Name what is wrong at each wire, then whose messages are at wrong ones, then the lost."""
        self.want = want
        for wire in np.flatnonzero((seen != want) | (self.data != due)).tolist():
            if seen[wire]:
                self._came(wire, int(due[wire]))
            elif want[wire]:
                self.missing[int(self.due_from[wire])] = wire
            else:
                told = f"cycle {self.number} {self.board.sink(wire)}: {self.data[wire]:#x}"
                self.board.faults.add(kind.IDLE_NOT_ZERO, told, where=self._where(wire))
        goals = {int(self.due_from[w]): w for w in np.flatnonzero(want).tolist()}
        for source, wire in self.strays:
            self._stray(source, wire, goals.get(source))
        for source, wire in self.missing.items():
            told = f"{self._message(source)}, due at {self.board.sink(wire)}"
            self._blame(kind.LOST, told, source, self._where(wire))

    def _came(self, wire: int, due: int) -> None:
        """Something came: whose is it?"""
        board, word, expected = self.board, int(self.data[wire]), int(self.due_from[wire])
        found = self.named.get(word)
        other = np.argwhere((self.words == self.data[wire]) & (self.item.dst >= 0))
        if found is None and len(other) == 1:
            row, source = other[0].tolist()
            board.faults.add(
                kind.DUPLICATED,
                f"cycle {self.number} {board.sink(wire)}: message {row} of {board.source(source)}, "
                "which should not be on its way",
                where=self._where(wire, self._parcel(source, row)),
            )
            board.came((row, source))
        elif found is None and self.want[wire]:
            board.suspects.flip(word ^ due)
            told = f"{word:#x} instead of {due:#x} (bits {word ^ due:#x} differ)"
            told = f"{self._message(expected)}: {told}"
            self._blame(kind.CORRUPTED, told, expected, self._where(wire))
            return
        elif found is None:
            told = f"cycle {self.number} {board.sink(wire)}: {word:#x}"
            board.faults.add(kind.SPURIOUS, told, where=self._where(wire))
        else:
            self.strays.append((found, wire))
        if self.want[wire]:
            self.missing[expected] = wire

    def _stray(self, source: int, wire: int, goal: int | None) -> None:
        """A message of this cycle is where, or although, it should not be; `goal`: its wire."""
        told = f"{self._message(source)}: at {self.board.sink(wire)}"
        where = self._where(wire, self._parcel(source, int(self.rows[source])))
        if goal is None:
            # In a queue it is sent again, and delivered as foreseen: it has an end already.
            lost = DELIVERED if self.item.queue else CONFLICTS
            self._blame(kind.UNPREDICTED, told, source, where, lost)
        elif source in self.missing:
            del self.missing[source]
            told = f"{told}, due at {self.board.sink(goal)}"
            astray = self.board.leaf(wire) ^ self.board.leaf(goal)
            self._blame(kind.MISDELIVERED, told, source, where, astray=astray)
        else:
            self.board.faults.add(kind.DUPLICATED, told, where=where)

    def _message(self, source: int) -> str:
        goal = int(self.item.dst[self.rows[source], source])
        to = "outside" if goal == self.board.network.leaves else f"processor {goal}"
        return f"cycle {self.number} {self.board.source(source)} destination {to}"

    def _parcel(self, source: int, row: int) -> Parcel:
        return self.board.parcel(self.item, self.number, row, source)

    def _where(self, wire: int, got: Parcel | None = None) -> Where:
        sender = int(self.due_from[wire])
        due = self._parcel(sender, int(self.rows[sender])) if self.want[wire] else None
        return Where(self.number, self.board.sink_place(wire), expected=due, got=got)

    def _blame(
        self,
        name: str,
        told: str,
        source: int,
        where: Where,
        foreseen: str = DELIVERED,
        astray: int = 0,
    ) -> None:
        message = int(self.rows[source]), source
        self.board.blame(name, told, where, message, astray)
        self.board.move(message, foreseen, name)
