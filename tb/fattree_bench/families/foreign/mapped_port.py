"""Python in the place of the player where managers access memories: agents clock by clock.

The lists of packets say who accesses which memory when, and in how many words; whether it reads or
writes, and where, is drawn here.  When the access of a packet is over, flits with its tags are
noted at the memory that it came to, as a player notes those that it receives.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cocotb
import numpy as np
from cocotb.clock import Clock

from fattree_bench.bench.interface.buses import FIXED, INCR, WRAP, lanes, steps
from fattree_bench.bench.interface.mapped import BURSTS, MappedDesign
from fattree_bench.bench.links.flit.classic import offered, packet_words
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.promises import Findings
from fattree_bench.families.foreign import accesses as of
from fattree_bench.families.foreign.accesses import Access, Judge
from fattree_bench.families.foreign.axi_leaves import AxiLeaves
from fattree_bench.families.foreign.axi_port import LOGS, AxiPort
from fattree_bench.families.foreign.bus_leaves import LEAVES
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.traffic import ForeignSet
from fattree_bench.families.foreign.values import Spread, Values

ERRORS = 1 / 16  # of accesses: the memory answers with an error, or none owns the address
PARTLY = 0.5  # of words that are not written whole
ALIGNED = 0.35  # of accesses of a word begin at a word
WRAPS = (2, 4, 8, 16)  # beats; a fixed burst also has 16 at most
EDGES = 0.2  # of accesses are at the ends of what a memory owns
IDLE = 0.4  # how often a memory that pauses does not answer in a clock


class Job:
    """What a packet is: accesses one after the other; `offer`: of the list, `number` in it."""

    def __init__(self, offer: int, number: int, parts: list[Access]) -> None:
        self.offer, self.number, self.parts = offer, number, deque(parts)
        self.astray = -1


class MappedPort(AxiPort):
    """Managers and memories under the interface of a player's port."""

    def begin(self, rng: np.random.Generator, told: bool) -> None:
        """Make clock and agents: those of the scenario before ended with it."""
        design = self.network.design
        assert isinstance(design, MappedDesign)
        top: Any = cocotb.top
        self.rng, self.design = rng, design
        logging.getLogger(LOGS).setLevel(logging.INFO if told else logging.ERROR)
        self.clock = top.clk
        Clock(self.clock, 2, "step").start(start_high=False)
        self._row = 0
        self._next = [0] * design.inputs
        self._number = [0] * design.inputs
        self.leaves = LEAVES.get(design.said.link.kind, AxiLeaves)(
            design, self.clock, top.axi_reset
        )
        self.bytes = design.said.design.width // 8
        self.judge = Judge(design.inputs, design.outputs, self.bytes, design.room, self.leaves.said)
        self.jobs: dict[Access, Job] = {}
        self.made: list[deque[tuple[int, int]]] = [deque() for _ in range(design.outputs)]
        self.apart, self.slow, self.spread = False, 0.0, Spread(rng)
        self.values: Values | None = None
        self.item: PacketSet | None = None

    def choose(self, item: PacketSet) -> None:
        """How agents send and receive an item: by the pause generators of the library."""
        chosen = item if isinstance(item, ForeignSet) else ForeignSet(item.packets, item.family)
        self.apart, item.alone = item.alone, False  # no time of a flit
        self.slow = IDLE if chosen.gap or chosen.hold else 0.0
        self.item, check, self.values = item, item.check, chosen.values
        self.judge.found.clear()

        def findings(plan: Any) -> Findings:
            item.check = check
            for name, example, packet, where in self.judge.found:
                yield name, f"{item.family}: {example}", packet, where
            if check is not None:
                yield from check(plan)

        item.check = findings
        waits = bool(chosen.hold) or chosen.shy or item.stall is not None
        for agent, memory, takes in self.leaves.every:
            pauses = self._takes(memory, agent, chosen) if takes else self._gaps(chosen.gap)
            agent.set_pause_generator(pauses if (waits if takes else chosen.gap) else None)
            agent.pause = False

    def _takes(self, memory: int, agent: Any, item: ForeignSet) -> Iterator[bool]:
        """Whether what takes words pauses, clock by clock; `memory`: -1 of a manager."""
        while True:
            stall, row = self._stalled, self._row
            stalled = memory >= 0 and stall is not None and row < len(stall)
            stalled = stalled and bool(stall[row, memory])  # type: ignore[index]
            alone = item.shy and not agent.valid.value
            yield stalled or alone or bool(self.rng.random() < item.hold)

    # ---- clocks ----------------------------------------------------------------------------------

    def _pass(self) -> None:
        """A clock has passed: judge what came, and let managers and memories go on."""
        row, resets = self._row, self._row in self.held
        self._row += 1
        if resets:
            self.leaves.reset()
            self.judge.reset()
            self.jobs.clear()
            for made in self.made:
                made.clear()
        clock = row + (0 if self.playing is None else self.playing[1])
        for access in self.leaves.step(self.judge, clock):
            self._ended(access)
        for memory, made in enumerate(self.made):
            if self.rng.random() >= self.slow:
                self.leaves.answer(self.judge, memory, self.rng)
            if made:
                word, side = made.popleft()
                self.seen_data[row, memory], self.seen_side[row, memory] = word, side
        if self.playing is None or resets:
            return
        for leaf in range(self.design.inputs):
            if self._begins(row, leaf):
                self.seen_taken[row, leaf // 8] |= 1 << leaf % 8

    def _begins(self, row: int, leaf: int) -> bool:
        """Whether a manager begins the access of its list's next packet."""
        offer = offered(self.stim_packet, (self._next[leaf], row), leaf)
        if not offer or self.leaves.full(leaf):
            return False
        link = self.design.said.link
        if len(self.judge.open[leaf]) >= min(link.outstanding, 1 << link.id_bits):
            return False
        assert self.item is not None
        packet = int(self.item.plan.sent.starts[leaf]) + self._number[leaf]
        parts = self._parts(leaf, packet, offer >> 16 & 0xFFFF, offer >> 32 & 0xFF)
        if not parts:
            return False
        job = Job(offer, self._number[leaf], parts)
        self._next[leaf] += 1
        self._number[leaf] += 1
        self.item.plan.accesses[packet] = next(one for one in parts if one.packet >= 0)
        self._follow(job)
        return True

    def _follow(self, job: Job) -> None:
        """The next access of a job."""
        access = job.parts.popleft()
        self.jobs[access] = job
        skew = int(self.rng.integers(-3, 4)) if self.rng.random() < 0.5 else 0
        used = {one.tag for one in self.judge.open[access.manager]}
        while self.design.speaks.unique and access.tag in used:
            access.tag = int(self.rng.integers(1 << self.design.said.link.id_bits))
        self.judge.send(access)
        self.leaves.send(access, skew)

    def _ended(self, access: Access) -> None:
        """An access is over; with the last of its job the packet has arrived."""
        job = self.jobs.pop(access, None)
        if job is None:
            return
        if self.values is not None:
            self.values.add(access)
        if access.memory >= 0 and of.place(access) != access.memory:
            job.astray = of.place(access)
        if access.write and access.memory >= 0 and not access.seen:
            return  # it came nowhere: the packet is lost
        if job.parts:
            self._follow(job)
            return
        self.judge.busy.discard(access.address // self.judge.room)
        words = packet_words(self.network.words, access.manager, job.number, job.offer)
        leaf = job.astray if job.astray >= 0 else access.memory
        for k, word in enumerate(words):
            side = (k == len(words) - 1) | (k == 0) << 1 | 1 << 2
            self.made[leaf].append((word, side))

    # ---- what is drawn ---------------------------------------------------------------------------

    def _parts(self, manager: int, packet: int, memory: int, beats: int) -> list[Access]:
        """The accesses of a packet; none if no bytes are free."""
        link, rng, room = self.design.said.link, self.rng, self.judge.room
        first = link.addresses[memory] // room
        last = (link.addresses[memory] + link.spans[memory]) // room - 1
        write = self.apart or bool(rng.random() < 0.5)
        grain = self.bytes if not self.design.speaks.sized or rng.random() < ALIGNED else 1
        for _ in range(8):
            far = self.spread(64, manager, memory, write, grain, beats > 1)
            far = (far * (last - first + 1) * room >> 64) & -grain
            spot = first + far // room
            if rng.random() < (EDGES if self.values is None else EDGES / 4):
                spot = int(rng.choice([first, last]))
            if spot not in self.judge.busy:
                break
        else:
            return []
        self.judge.busy.add(spot)
        at, most = spot * room + far % room, self.design.packet_words.longest
        made = [self._access(packet, manager, memory, write, at, beats)]
        for burst in self.design.said.link.bursts * self.apart:
            longest = max([x for x in WRAPS if x <= most], default=1)
            made.append(self._access(packet, manager, memory, True, at, longest, burst))
        if self.apart:  # what was written is read, before the next bytes are written
            back = [replace(one, write=False, data=[], strobes=[], seen=[]) for one in made]
            made = [one for both in zip(made, back, strict=True) for one in both]
        holes = self.design.holes
        if holes and rng.random() < ERRORS:
            low, high = holes[int(rng.integers(len(holes)))]
            start = int(rng.integers(low // room, high // room))
            if rng.random() < 0.5:
                start = int(rng.choice([low, high - room])) // room
            if start not in self.judge.busy:
                write, beats = bool(rng.random() < 0.5), self.design.packet_words.longest
                made.insert(0, self._access(-1, manager, -1, write, start * room, beats))
        return made

    def _access(
        self, packet: int, manager: int, memory: int, write: bool, at: int, beats: int, *only: str
    ) -> Access:
        """An access of so many words in the room of an address; `only`: burst, strobed partly."""
        rng, link = self.rng, self.design.said.link
        start = at & ~(self.judge.room - 1)
        full = (self.bytes - 1).bit_length()
        size, burst = full, INCR
        if self.design.speaks.sized:
            size = full if rng.random() < 0.7 else int(rng.integers(full + 1))
        if self.design.beats:
            burst = BURSTS_BY_NAME[str(rng.choice(only or link.bursts))]
        if (burst == WRAP and beats not in WRAPS) or (burst == FIXED and beats > WRAPS[-1]):
            burst = INCR if "incr" in link.bursts else FIXED
        step = 1 << size
        if burst == WRAP:
            total = step * beats
            base = int(rng.integers(self.judge.room // total)) * total
            address = start + base + int(rng.integers(beats)) * step
        else:
            most = self.judge.room // step - (1 if burst == FIXED else beats)
            address = at if beats == 1 else start + int(rng.integers(most + 1)) * step
            address += int(rng.integers(step)) if beats > 1 and rng.random() < 0.2 else 0
        tag = int(rng.integers(1 << min(2, link.id_bits)))
        tag = tag << max(0, link.id_bits - 2) | tag if self.design.speaks.sized else 0
        if self.design.speaks.sized and rng.random() < 0.5:  # few of them above: they meet
            tag = self.spread(link.id_bits, "ID", manager, memory, write)
        if self.design.speaks.unique:
            address &= -step  # TileLink has no others
        made = Access(packet, manager, memory, write, tag, address, size, burst, beats)
        if memory < 0:
            made.response = self.leaves.unowned
            made.answered = made.responses
        elif self.design.fails and rng.random() < ERRORS:
            made.response = of.SLVERR
        made.extra = int(rng.integers(8)) if "prot" in link.extra else 0
        free = self.values is None
        if write:
            for k, beat in enumerate(steps(address, size, burst, beats)):
                usable = sum(1 << lane for lane in lanes(beat, size, self.bytes))
                key = (manager, memory, k == beats - 1)
                made.data.append(self.spread(8 * self.bytes, *key, "written", free=free))
                some = usable & self.spread(self.bytes, manager, memory, usable)
                made.strobes.append(some if only or rng.random() < PARTLY else usable)
        elif memory >= 0 and (self.values is not None or rng.random() < 0.5):  # it holds new words
            for k, beat in enumerate(steps(address, size, burst, beats)):
                key = (manager, memory, k == beats - 1)
                word = self.spread(8 * self.bytes, *key, "read", free=free)
                for one in (self.judge.held[memory], self.judge.right[memory]):
                    one.write(beat, size, self.bytes, word, -1)
        return made


BURSTS_BY_NAME = dict(zip(BURSTS, (INCR, WRAP, FIXED), strict=True))


def port(network: ForeignNetwork, transport: str) -> AxiPort:
    """Python's side of a bench in which Python sends and receives, on a link of any kind."""
    mapped = isinstance(network.design, MappedDesign)
    return (MappedPort if mapped else AxiPort)(network, transport)
