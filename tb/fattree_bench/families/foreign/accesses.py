"""Accesses of managers to memories: what each must do, and what is wrong with what was seen.

Knows no simulator.  No two accesses on their way have bytes in common, so that what a read must
return is known, in whatever order a design serves its managers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.interface.buses import BYTE, lanes, mask, steps

OKAY, SLVERR, DECERR = 0, 2, 3
NEAR = 4  # wrong bits of an address by which an access is still known


class Store:
    """The bytes of a memory; those that were never written have values of their own."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.bytes: dict[int, int] = {}

    def read(self, address: int, size: int, bus: int) -> int:
        """A word: what the beat uses of it."""
        base, word = address - address % bus, 0
        for lane in lanes(address, size, bus):
            at = base + lane
            word |= self.bytes.get(at, self._first(at)) << BYTE * lane
        return word

    def write(self, address: int, size: int, bus: int, data: int, strobes: int) -> None:
        base = address - address % bus
        for lane in lanes(address, size, bus):
            if strobes >> lane & 1:
                self.bytes[base + lane] = data >> BYTE * lane & 0xFF

    def _first(self, at: int) -> int:
        return ((at + 1) * 0x9E3779B1 + (self.number + 1) * 0x85EBCA6B >> 11) & 0xFF


@dataclass(eq=False)
class Access:
    """A read or a write of a manager.

    Attributes
    ----------
    packet : of the plan; -1: none.
    memory : that owns the address; -1: none does.
    data, strobes : by beat, of a write.
    due : by beat, what a read must return.
    response : that the manager must get.
    seen : memories that it has come to.
    landed : words of a write that have come there.
    answered : beats of the response that a memory has given.
    got : beats of the response that the manager has got.
    wrong : something was, and what the memory holds is what counts.
    """

    packet: int
    manager: int
    memory: int
    write: bool
    tag: int
    address: int
    size: int
    burst: int
    beats: int
    data: list[int] = field(default_factory=list)
    strobes: list[int] = field(default_factory=list)
    due: list[int] = field(default_factory=list)
    response: int = OKAY
    extra: int = 0
    seen: list[int] = field(default_factory=list)
    landed: int = 0
    answered: int = 0
    got: int = 0
    wrong: bool = False

    @property
    def responses(self) -> int:
        """Beats of its response."""
        return 1 if self.write else self.beats

    def __str__(self) -> str:
        what = "write" if self.write else "read"
        where = f"memory {self.memory}" if self.memory >= 0 else "no memory"
        length = f"{self.beats} beat{'s' if self.beats > 1 else ''}"
        told = f"{what} of manager {self.manager} to {where} ({self.address:#x}, {length}"
        return f"{told}, id {self.tag})"


@dataclass
class Command:
    """What has come to a memory: an access as the design made it; `access`: None if unknown."""

    access: Access | None
    write: bool
    tag: int
    address: int
    size: int
    burst: int
    beats: int
    came: int = 0  # words of a write

    def steps(self) -> list[int]:
        return steps(self.address, self.size, self.burst, self.beats)


class Said(NamedTuple):
    """What a link calls the response of a read, of a write, and their codes."""

    read: str
    write: str
    codes: Mapping[int, str]


AXI = Said("R", "B", {0: "OKAY", 1: "EXOKAY", 2: "SLVERR", 3: "DECERR"})


class Judge:
    """Compares what memories and managers see with what was sent; `found`: faults by name.

    Parameters
    ----------
    managers, memories : how many there are.
    bus : bytes of a word.
    room : bytes, a power of two: no two accesses on their way are in the same.
    said : how the link calls its responses.
    """

    def __init__(self, managers: int, memories: int, bus: int, room: int, said: Said = AXI) -> None:
        self.bus, self.room, self.said = bus, room, said
        self.held = [Store(k) for k in range(memories)]  # what arrived
        self.right = [Store(k) for k in range(memories)]  # what should have
        self.open: list[list[Access]] = [[] for _ in range(managers)]
        self.busy: set[int] = set()  # rooms of jobs on their way
        self.found: list[tuple[str, str, int, kind.Where]] = []  # kind, example, packet or -1

    def fault(self, name: str, clock: int, told: str, by: Access | Place) -> None:
        """Note one; of an access the first alone."""
        packet = -1
        if isinstance(by, Access):
            if by.wrong:
                return
            by.wrong, packet = True, by.packet
        where = kind.Where(clock, by if isinstance(by, Place) else Place("manager", by.manager))
        who = by if isinstance(by, Access) else f"{by.kind} {by.number}"
        self.found.append((name, f"clock {clock}: {who}: {told}", packet, where))

    # ---- managers --------------------------------------------------------------------------------

    def send(self, access: Access) -> None:
        """A manager begins an access."""
        if not access.write and access.memory >= 0:
            store = self.right[access.memory]
            at = steps(access.address, access.size, access.burst, access.beats)
            access.due = [store.read(one, access.size, self.bus) for one in at]
        self.open[access.manager].append(access)

    def respond(
        self,
        manager: int,
        clock: int,
        write: bool,
        tag: int,
        response: int,
        data: int = 0,
        last: bool = True,
    ) -> Access | None:
        """A manager got a beat of a response; the access, if it is over."""
        what = self.said.write if write else self.said.read
        mine = [x for x in self.open[manager] if x.write == write and x.tag == tag]
        if not mine:
            told = f"{what} with id {tag}, which nothing waits for"
            self.fault(kind.PROTOCOL, clock, told, Place("manager", manager))
            return None
        access = mine[0]
        if not self._fits(access, response, data):
            later = [x for x in mine[1:] if not access.got and self._fits(x, response, data)]
            if later:
                access = later[0]
                self.fault(kind.REORDERED, clock, f"{what} before the one for {mine[0]}", access)
        self._judge(access, clock, what, response, data, last)
        access.got += 1
        if access.got < access.responses:
            return None
        self.open[manager].remove(access)
        self._over(access, clock)
        return access

    def _fits(self, access: Access, response: int, data: int) -> bool:
        """Whether a beat may be the next of an access."""
        there = access.memory < 0 or access.answered > access.got
        return there and access.response == response and self._same(access, data)

    def _same(self, access: Access, data: int) -> bool:
        if access.write or access.memory < 0:
            return True
        return (data ^ access.due[access.got]) & self._used(access, access.got) == 0

    def _used(self, access: Access, beat: int) -> int:
        """The bits of a word that a beat uses."""
        at = steps(access.address, access.size, access.burst, access.beats)[beat]
        return sum(0xFF << BYTE * lane for lane in lanes(at, access.size, self.bus))

    def _judge(
        self, access: Access, clock: int, what: str, response: int, data: int, last: bool
    ) -> None:
        if access.memory >= 0 and access.answered <= access.got:
            self.fault(kind.PROTOCOL, clock, f"{what} before its memory gave one", access)
        if response != access.response:
            codes = self.said.codes
            told = f"{codes[response]} instead of {codes[access.response]}"
            name = kind.CORRUPTED if access.memory >= 0 else kind.PROTOCOL
            self.fault(name, clock, told, access)
        if not self._same(access, data):
            used = self._used(access, access.got)
            told = f"beat {access.got} returns {data & used:#x} instead of "
            told += f"{access.due[access.got]:#x}"
            self.fault(kind.CORRUPTED, clock, told, access)
        if last != (access.got == access.responses - 1):
            told = f"{what}LAST is {int(last)} at beat {access.got} of {access.responses}"
            self.fault(kind.PROTOCOL, clock, told, access)

    def _over(self, access: Access, clock: int) -> None:
        """Its response is whole: a write has landed, and the reference holds it."""
        if not access.write or access.memory < 0:
            return
        if access.memory in access.seen and access.landed < access.beats:
            told = f"{self.said.write}, and {access.landed} of {access.beats} words have come"
            self.fault(kind.PROTOCOL, clock, told, access)
        if access.wrong:
            self._copy(access)
            return
        store = self.right[access.memory]
        at = steps(access.address, access.size, access.burst, access.beats)
        for one, data, strobes in zip(at, access.data, access.strobes, strict=True):
            store.write(one, access.size, self.bus, data, strobes)

    def _copy(self, access: Access) -> None:
        """What the memory holds is what counts from now on."""
        start = access.address & ~(self.room - 1)
        held, right = self.held[access.memory].bytes, self.right[access.memory].bytes
        for at in range(start, start + self.room):
            right.pop(at, None)
            if at in held:
                right[at] = held[at]

    # ---- memories --------------------------------------------------------------------------------

    def command(self, memory: int, clock: int, came: Command, extra: int = 0) -> Command:
        """A memory got an address; whose access it is."""
        access = self._whose(memory, came)
        if access is None:
            what = "a write" if came.write else "a read"
            told = f"{what} at {came.address:#x}, which no manager sent"
            self.fault(kind.SPURIOUS, clock, told, Place("memory", memory))
            return came
        came.access = access
        if access.seen:
            self.fault(kind.DUPLICATED, clock, f"came again, to memory {memory}", access)
        elif memory != access.memory:
            if access.packet < 0:
                self.fault(kind.MISDELIVERED, clock, f"came to memory {memory}", access)
            access.wrong = True  # of a packet the scoreboard tells it: its flits are made there
        access.seen.append(memory)
        for name, one, other in (
            ("address", f"{came.address:#x}", f"{access.address:#x}"),
            ("beats", came.beats, access.beats),
            ("bytes of a beat", 1 << came.size, 1 << access.size),
            ("burst", came.burst, access.burst),
        ):
            if one != other:
                self.fault(kind.CORRUPTED, clock, f"{name} {one} instead of {other}", access)
        if extra != access.extra:
            told = f"prot is {extra:#x} instead of {access.extra:#x}"
            self.fault(kind.SIDEBAND, clock, told, access)
        return came

    def _whose(self, memory: int, came: Command) -> Access | None:
        """The access of an address, or of the nearest address that none came for."""
        every = [x for own in self.open for x in own if x.write == came.write]
        for access in every:
            if access.address // self.room == came.address // self.room:
                return access
        left = [x for x in every if not x.seen]
        best = min(left, key=lambda x: (x.address ^ came.address).bit_count(), default=None)
        if best is None or (best.address ^ came.address).bit_count() > NEAR:
            return None
        return best

    def word(
        self, memory: int, clock: int, of: Command, data: int, strobes: int, last: bool
    ) -> None:
        """A memory got the next word of a write."""
        access, beat = of.access, of.came
        of.came += 1
        if last != (beat == of.beats - 1):
            told = f"WLAST is {int(last)} at word {beat} of {of.beats}"
            self.fault(kind.PROTOCOL, clock, told, Place("memory", memory))
        at = of.steps()[beat]
        self.held[memory].write(at, of.size, self.bus, data, strobes)
        if access is None or beat >= access.beats:
            return
        if memory == access.memory:
            access.landed += 1
        due = access.strobes[beat]
        if strobes != due:
            told = f"word {beat} has strobes {strobes:#x} instead of {due:#x}"
            self.fault(kind.CORRUPTED, clock, told, access)
        elif (data ^ access.data[beat]) & mask(due):
            told = f"word {beat} is {data & mask(due):#x} instead of "
            told += f"{access.data[beat] & mask(due):#x}"
            self.fault(kind.CORRUPTED, clock, told, access)

    def words(self, memory: int, of: Command) -> list[int]:
        """What a memory returns to a read."""
        return [self.held[memory].read(at, of.size, self.bus) for at in of.steps()]

    # ---- the end ---------------------------------------------------------------------------------

    def reset(self) -> None:
        """Everything on its way is gone, and may have landed or not."""
        for own in self.open:
            for access in own:
                if access.write and access.memory >= 0:
                    self._copy(access)
            own.clear()
        self.busy.clear()


def place(access: Access) -> int:
    """The memory that an access came to: its own if it came there at all."""
    here = access.memory in access.seen or not access.seen
    return access.memory if here else access.seen[0]
