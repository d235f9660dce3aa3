"""Reads and writes: the sequence item, what is seen of them, and what the model says to that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.limits import Limits
from fattree_bench.bench.links.flit.packets import Burst
from fattree_bench.bench.tlm import Played
from fattree_bench.families.spin.exchange import DAMAGED, LAST, answer, written
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.plan import Flip
from fattree_models import spin
from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array, UInt64Array

VALID = 1 << 63  # of a command, a flip, a word of a response
NAMES = {  # what a Watcher says, and what it is called here
    "too many outstanding": kind.SENDING,
    "two to one target": kind.SENDING,
    "tag in use": kind.SENDING,
    "no such target": kind.MISDELIVERED,
    "serves no request": kind.SPURIOUS,
    "answers no request": kind.SPURIOUS,
    "wrong data": kind.CORRUPTED,
    "wrong source": kind.MISDELIVERED,
}


@dataclass(frozen=True)
class Commands:
    """Reads and writes, sorted by initiator, those of one as they are to be issued.

    Attributes
    ----------
    initiator, target, release, words, address : int64 [commands]; release: the clock from which on.
    write : bool [commands].
    fill : int64 [commands], of FILLS, what a write has.
    """

    initiator: Int64Array
    target: Int64Array
    release: Int64Array
    words: Int64Array
    address: Int64Array
    write: BoolArray
    fill: Int64Array

    @classmethod
    def of(cls, *columns: Any, fill: Any = 0) -> Commands:
        """Of the other fields in their order: arrays in any order, or one value for all."""
        arrays = np.broadcast_arrays(*columns, fill)
        order = np.lexsort((arrays[2], arrays[0]))
        sorted_ones = (np.asarray(column[order], np.int64) for column in arrays)
        sender, goal, due, length, place, write, kind = sorted_ones
        return cls(sender, goal, due, length, place, write.astype(np.bool_), kind)

    def __len__(self) -> int:
        return len(self.initiator)

    def starts(self, terminals: int) -> Int64Array:
        """Where the commands of each initiator begin, int64 [terminals + 1]."""
        return np.searchsorted(self.initiator, np.arange(terminals + 1)).astype(np.int64)


class RequestSet(Played):
    """Commands to be issued: the sequence item.

    Attributes
    ----------
    commands : who reads and writes what, where.
    family : what kind of traffic this is.
    flips : bits that change on links.
    alone : a command meets no other.
    """

    reset = None
    measurement = None
    alone = False

    def __init__(self, commands: Commands, family: str, flips: tuple[Flip, ...] = ()) -> None:
        super().__init__(family)
        self.commands = commands
        self.family = family
        self.flips = flips

    @property
    def slots(self) -> int:
        """What the driver counts on by: nothing."""
        return 0


@dataclass
class RequestsCaptured:
    """What was seen in a burst of clocks, arrays [clocks, terminals], see spin_player.v.

    Attributes
    ----------
    first : clock of row 0, counted from the start of the item.
    bursts : those since the last that was captured, this one the last.
    """

    item: RequestSet
    first: int
    issued: UInt8Array
    served: npt.NDArray[np.uint16]
    dropped: UInt8Array
    response: UInt64Array
    bursts: Sequence[Burst] = ()


class Wrong(NamedTuple):
    """What is wrong with a command.

    Attributes
    ----------
    command : which one; -1: unknown.
    clock, place : when and where it was seen; None: unknown.
    """

    kind: str
    told: str
    command: int = -1
    place: Place | None = None
    clock: int | None = None


class RequestPlan:
    """An item of commands on its way: what was seen of it, and what is wrong.

    Attributes
    ----------
    memories : of the targets, as the model has them; they stay from item to item.
    issued, answered : int64 [commands], clocks; -1 not yet.
    dropped, flagged : requests that targets dropped, responses that came damaged.
    stored : packets that went into shared buffers.
    overtaken : answers that came before that to an earlier command of their initiator.
    tag : int64 [commands], of each that is issued; -1 not yet.
    beside : bool [commands], others of its initiator were open when it was issued.
    now, progress : clocks seen so far, and the clock of the last sign of life.
    """

    def __init__(
        self, network: SpinNetwork, item: RequestSet, memories: dict[int, spin.Memory]
    ) -> None:
        self.network, self.item, self.commands = network, item, item.commands
        self.watcher = spin.Watcher(memories, network.outstanding)
        self.starts = item.commands.starts(network.terminals)
        self.begun = np.zeros(network.terminals, np.int64)
        self.issued, self.answered, self.tag = np.full((3, len(item.commands)), -1, np.int64)
        self.beside = np.zeros(len(item.commands), np.bool_)
        self.failed = np.zeros(len(item.commands), np.bool_)  # the target said so
        self.dropped = self.flagged = 0
        self.now = self.progress = 0
        self.overtaken = 0
        self.stored = 0
        self._open: dict[tuple[int, int], int] = {}  # command by (initiator, tag)
        self._came: dict[int, list[int]] = {}  # words of a response, by initiator

    # ---- what the driver asks --------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """Commands that are issued and not answered."""
        return len(self._open)

    @property
    def complete(self) -> bool:
        """All is answered that can be: of damaged ones one is not."""
        lost = min(self.dropped + self.flagged, self.waiting)
        return bool((self.issued >= 0).all()) and self.waiting == lost

    def offers(self, rows: int) -> UInt64Array:
        """What the next burst begins with, uint64 [rows, terminals]: commands not issued yet."""
        terminals, commands = self.network.terminals, self.commands
        left = np.minimum(self.starts[1:] - self.starts[:-1] - self.begun, rows)
        row = np.arange(int(left.max(initial=0)))[:, None]
        at = np.minimum(self.starts[:-1] + self.begun + row, max(0, len(commands) - 1))
        if not len(row):
            return np.zeros((0, terminals), np.uint64)
        release = np.clip(commands.release[at] - self.now, 0, 0xFFFF)
        made = np.full(at.shape, VALID, np.uint64)
        for shift, values in (
            (0, release),
            (16, commands.target[at]),
            (24, commands.words[at]),
            (28, commands.write[at]),
            (29, commands.address[at]),
            (61, commands.fill[at]),
        ):
            made |= values.astype(np.uint64) << np.uint64(shift)
        return np.where(row < left, made, np.uint64(0))

    # ---- what was seen ---------------------------------------------------------------------------

    def take(self, captured: RequestsCaptured) -> Iterator[Wrong]:
        """What is wrong in a burst."""
        for clock, place, what, value in _events(captured):
            self.progress = max(self.progress, clock)
            told = f"clock {clock}: "
            if what == "response":
                found = self._response(clock, place, value)
            elif what == "issued":
                found = self._issued(clock, place, value & 15)
            elif what == "served":
                found = self._served(place, value & 255, value >> 8 & 15)
            else:
                found = self._dropped(place)
            at = Place("target" if what in ("served", "dropped") else "initiator", place)
            for wrong in found:
                yield wrong._replace(told=told + wrong.told, place=at, clock=clock)
        self.now = captured.first + len(captured.issued)

    def _issued(self, clock: int, initiator: int, tag: int) -> Iterator[Wrong]:
        at = int(self.starts[initiator] + self.begun[initiator])
        if at >= self.starts[initiator + 1]:
            told = f"initiator {initiator} issues a command that it does not have"
            yield Wrong(kind.SPURIOUS, told)
            return
        commands, number = self.commands, int(self.begun[initiator])
        self.begun[initiator] += 1
        self.issued[at], self.tag[at] = clock, tag
        self.beside[at] = any(other.src == initiator for other in self.watcher.open)
        if clock < commands.release[at]:
            told = f"initiator {initiator} issues command {number} too early"
            yield Wrong(kind.EARLY, told, at)
        if any((initiator, lower) not in self._open for lower in range(tag)):
            told = f"initiator {initiator}, command {number}: tag {tag}, and a lower one is free"
            yield Wrong(kind.SENDING, told, at)
        words, write = int(commands.words[at]), bool(commands.write[at])
        request = spin.Message(
            dst=int(commands.target[at]),
            src=initiator,
            tag=tag,
            write=write,
            words=words,
            address=int(commands.address[at]),
            data=written(initiator, number, words, commands.fill[at]) if write else (),
        )
        for wrong in self.watcher.sent(request):
            told = f"initiator {initiator}, command {number}, tag {tag}: {wrong}"
            yield Wrong(NAMES[wrong], told, at)
        self._open[initiator, tag] = at

    def _served(self, target: int, initiator: int, tag: int) -> Iterator[Wrong]:
        known = [o for o in self.watcher.open if (o.src, o.tag) == (initiator, tag)]
        who = f"a request of initiator {initiator}, tag {tag}"
        at = self._open.get((initiator, tag), -1)
        if not known or known[0].dst != target:
            yield Wrong(kind.MISDELIVERED, f"target {target} serves {who}, which is not its", at)
            return
        for wrong in self.watcher.served(known[0]):
            yield Wrong(NAMES[wrong], f"target {target}: {who}: {wrong}", at)

    def _dropped(self, target: int) -> Iterator[Wrong]:
        self.dropped += 1
        if not self.item.flips:
            yield Wrong(kind.LOST, f"target {target} dropped a request")

    def _response(self, clock: int, initiator: int, word: int) -> Iterator[Wrong]:
        came = self._came.setdefault(initiator, [])
        came.append(word)
        if not word & LAST:
            return
        del self._came[initiator]
        if word & DAMAGED:
            self.flagged += 1
            if not self.item.flips:
                yield Wrong(kind.CORRUPTED, f"initiator {initiator}: a response is damaged")
            return
        response, odd = answer(initiator, came)
        tag = response.tag
        who = f"initiator {initiator}: a response of target {response.src}, tag {tag}"
        at = self._open.get((initiator, tag), -1)
        wrong = self.watcher.answered(response)
        for each in [odd] if odd else wrong:
            yield Wrong(NAMES.get(each, kind.CORRUPTED), f"{who}: {each}", at)
        if wrong in ([], ["wrong data"]):  # answered, even if not as it should be
            self._open.pop((initiator, tag), None)
        if not (wrong or odd) and at >= 0:
            self.answered[at], self.failed[at] = clock, response.error
            # Answered before an earlier command of the same initiator: that to another target.
            mine = slice(int(self.starts[initiator]), at)
            self.overtaken += bool((self.answered[mine] < 0).any())

    def missing(self) -> Iterator[Wrong]:
        """At the end: commands without an answer, but for those that damage accounts for."""
        lost = self.dropped + self.flagged
        left = list(self._open.items())
        if len(left) > lost:
            for (initiator, tag), at in left:
                target = self.commands.target[at]
                told = f"initiator {initiator}: no answer of target {target}, tag {tag}"
                yield Wrong(kind.LOST, told, at, Place("initiator", initiator))
        if self.item.flips and not lost:
            yield Wrong(kind.LOST, "a packet was damaged without being reported")
        if self.item.flips and len(self.commands) == int(np.count_nonzero(self.answered >= 0)):
            yield Wrong(kind.CORRUPTED, "a packet was damaged, and its command answered")
        idle = int(np.count_nonzero(self.issued < 0))
        if idle:
            yield Wrong(kind.STUCK, f"{idle} commands were not issued")

    def latency(self) -> Int64Array:
        """Clocks from issue to answer of each that is answered."""
        done = self.answered >= 0
        return self.answered[done] - self.issued[done]


def _events(captured: RequestsCaptured) -> Iterator[tuple[int, int, str, int]]:
    """(clock, terminal, what, value), in order of time; in one clock answers come first."""
    found = []
    for rank, what in enumerate(("response", "issued", "served", "dropped")):
        rows = getattr(captured, what)
        clock, place = np.nonzero(rows)
        values = rows[clock, place].tolist()
        clocks = (clock + captured.first).tolist()
        found += [
            (at, rank, where, what, value)
            for at, where, value in zip(clocks, place.tolist(), values, strict=True)
        ]
    found.sort(key=lambda event: event[:3])
    for at, _, where, what, value in found:
        yield at, where, what, value


@dataclass(frozen=True)
class RequestsOver:
    """An item of commands that is over.

    Attributes
    ----------
    state, home : what the networks showed of themselves in the last clock.
    stuck : nothing moved although not all was answered.
    """

    plan: RequestPlan
    state: npt.NDArray[np.uint16]
    home: BoolArray
    stuck: bool


HOMEWARD = 24  # clocks in which the last credits come home
SHORT = 64  # clocks of a burst, at least, when all is due


class RequestPlaying:
    """What the driver asks about an item of commands, burst by burst."""

    def __init__(self, plan: RequestPlan, limits: Limits) -> None:
        self.plan, self.limits = plan, limits
        self.stuck = False
        self._home_at: int | None = None

    def over(self) -> bool:
        """Whether the item ends here."""
        plan = self.plan
        if plan.complete:
            return self._home_at is not None and plan.now >= self._home_at
        due = plan.commands.release[plan.issued < 0]
        still = plan.now <= plan.progress + self.limits.quiet
        later = not plan.waiting and bool(due.size) and int(due.min()) >= plan.now
        self.stuck = not still and not later
        return self.stuck

    def burst(self, rows: int) -> int:
        """Clocks of the next burst."""
        if self.plan.complete:
            if self._home_at is None:
                self._home_at = self.plan.now + HOMEWARD
            return min(rows, self._home_at - self.plan.now)
        due = int(self.plan.commands.release.max(initial=0)) - self.plan.now
        return min(rows, max(SHORT, due))
