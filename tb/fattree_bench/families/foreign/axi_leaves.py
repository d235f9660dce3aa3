"""Agents of cocotbext-axi, channel by channel: managers and memories that speak AXI4, AXI4-Lite."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import cocotb
import numpy as np
from cocotbext.axi import axi_channels, axil_channels

from fattree_bench.bench.interface.buses import INCR
from fattree_bench.bench.interface.mapped import MappedDesign
from fattree_bench.families.foreign.accesses import AXI, DECERR, Access, Command, Judge

WAITING = 2  # words that a manager keeps before it begins no other access
LIBRARY = {"axi4": (axi_channels, "Axi"), "axi4_lite": (axil_channels, "AxiLite")}


class Manager:
    """The sources and sinks of a manager; addresses and words wait until their clock."""

    def __init__(self, agents: dict[str, Any]) -> None:
        self.agents = agents
        self.waiting: dict[str, deque[tuple[int, Any]]] = {"aw": deque(), "w": deque()}


class Memory:
    """The sources and sinks of a memory, and what it has not answered yet."""

    def __init__(self, agents: dict[str, Any]) -> None:
        self.agents = agents
        self.writes: deque[Command] = deque()  # whose words have not all come
        self.words: deque[Any] = deque()  # that came before their address
        self.due: list[Command] = []

    def heads(self, write: bool) -> list[Command]:
        """The oldest of each ID: any of them may be answered next."""
        found: dict[int, Command] = {}
        for one in self.due:
            if one.write == write:
                found.setdefault(one.tag, one)
        return list(found.values())


class AxiLeaves:
    """All managers and memories of a design."""

    said = AXI
    unowned = DECERR  # the answer at an address that no memory owns

    def __init__(self, design: MappedDesign, clock: Any, reset: Any) -> None:
        self.design, self.clock, self.silent = design, clock, reset
        self.fields = {one.name: one.fields for one in design.channels("send")}
        self.full_size = (design.said.design.width // 8 - 1).bit_length()
        self.every: list[tuple[Any, int, bool]] = []  # agent, memory or -1, whether it takes
        self.managers = [Manager(self._agents(f"axi_m{i}", -1)) for i in range(design.inputs)]
        self.memories = [Memory(self._agents(f"axi_s{i}", i)) for i in range(design.outputs)]
        self._now = 0

    def _class(self, channel: str, what: str) -> Any:
        """A class of the library."""
        module, family = LIBRARY[self.design.said.link.kind]
        return getattr(module, f"{family}{channel.upper()}{what}")

    def _agents(self, name: str, memory: int) -> dict[str, Any]:
        """The sources and sinks of a leaf, by channel."""
        made = {}
        for one in self.design.channels("send" if memory < 0 else "receive"):
            takes = one.asks == (memory >= 0)
            bus = self._class(one.name, "Bus").from_prefix(cocotb.top, name)
            kind = self._class(one.name, "Sink" if takes else "Source")
            agent = kind(bus, self.clock, self.silent)
            if not takes:
                for signal in one.fields:  # the library begins with X
                    getattr(agent.bus, signal).value = 0
            made[one.name] = agent
            self.every.append((agent, memory, takes))
        return made

    def _made(self, channel: str, **fields: int) -> Any:
        """What goes over a channel, without what this link does not have."""
        own = {
            f"{channel}{k}": x for k, x in fields.items() if f"{channel}{k}" in self.fields[channel]
        }
        return self._class(channel, "Transaction")(**own)

    # ---- managers --------------------------------------------------------------------------------

    def full(self, manager: int) -> bool:
        """Whether a manager keeps too much to begin another access."""
        own = self.managers[manager]
        waiting = [len(x) for x in own.waiting.values()]
        waiting += [int(own.agents[name].count()) for name in ("aw", "w", "ar")]
        return max(waiting) >= WAITING

    def send(self, access: Access, skew: int) -> None:
        """Begin an access; a positive `skew` holds its data back, a negative one its address."""
        own, name = self.managers[access.manager], "aw" if access.write else "ar"
        own_fields = {"id": access.tag, "addr": access.address, "prot": access.extra}
        own_fields |= {"len": access.beats - 1, "size": access.size, "burst": access.burst}
        asked = self._made(name, **own_fields)
        if not access.write:
            own.agents["ar"].send_nowait(asked)
            return
        own.waiting["aw"].append((self._now + max(0, -skew), asked))
        for k, (data, strobes) in enumerate(zip(access.data, access.strobes, strict=True)):
            word = self._made("w", data=data, strb=strobes, last=int(k == access.beats - 1))
            own.waiting["w"].append((self._now + max(0, skew), word))

    def _pass_on(self, own: Manager) -> None:
        """Give sources what may be sent now."""
        for name, waiting in own.waiting.items():
            while waiting and waiting[0][0] <= self._now and own.agents[name].count() < WAITING:
                own.agents[name].send_nowait(waiting.popleft()[1])

    # ---- clocks ----------------------------------------------------------------------------------

    def step(self, judge: Judge, clock: int) -> Iterator[Access]:
        """A clock has passed: what came is judged; accesses that are over."""
        self._now += 1
        for number, memory in enumerate(self.memories):
            self._asked(number, memory, judge, clock)
        for number, own in enumerate(self.managers):
            self._pass_on(own)
            for channel in ("b", "r"):
                for what in came(own.agents[channel]):
                    tag, response, data, last = (
                        field(what, f"{channel}{x}", int(x == "last"))
                        for x in ("id", "resp", "data", "last")
                    )
                    write = channel == "b"
                    over = judge.respond(number, clock, write, tag, response, data, bool(last))
                    if over is not None:
                        yield over

    def _asked(self, number: int, memory: Memory, judge: Judge, clock: int) -> None:
        """Addresses and words that came to a memory."""
        usual = {"id": 0, "addr": 0, "size": self.full_size, "burst": INCR, "len": 0, "prot": 0}
        for name in ("aw", "ar"):
            for what in came(memory.agents[name]):
                told = [field(what, f"{name}{x}", y) for x, y in usual.items()]
                tag, address, size, burst, beats, extra = told
                command = Command(None, name == "aw", tag, address, size, burst, beats + 1)
                judge.command(number, clock, command, extra)
                (memory.writes if command.write else memory.due).append(command)
        memory.words.extend(came(memory.agents["w"]))
        while memory.writes and memory.words:
            of, word = memory.writes[0], memory.words.popleft()
            last = bool(field(word, "wlast", 1))
            judge.word(number, clock, of, int(word.wdata), int(word.wstrb), last)
            if of.came == of.beats:
                memory.due.append(memory.writes.popleft())

    def answer(self, judge: Judge, number: int, rng: np.random.Generator) -> None:
        """Give a response of each sort, if the one before is on its way."""
        memory = self.memories[number]
        for write, name in ((True, "b"), (False, "r")):
            source, heads = memory.agents[name], memory.heads(write)
            if not heads or not source.empty():
                continue
            command = heads[int(rng.integers(len(heads)))]
            memory.due.remove(command)
            access, response = command.access, 0
            if access is not None:
                response, access.answered = access.response, access.responses
            words = [0] if write else judge.words(number, command)
            for k, data in enumerate(words):
                last = int(k == len(words) - 1)
                made = self._made(name, id=command.tag, resp=response, data=data, last=last)
                source.send_nowait(made)

    def reset(self) -> None:
        """What was on its way is forgotten."""
        for agent, _, _ in self.every:
            agent.clear()
        for own in self.managers:
            for waiting in own.waiting.values():
                waiting.clear()
        for memory in self.memories:
            for kept in (memory.writes, memory.words, memory.due):
                kept.clear()


def came(sink: Any) -> Iterator[Any]:
    """What a sink got."""
    while not sink.empty():
        yield sink.recv_nowait()


def field(what: Any, name: str, usual: int) -> int:
    """A field of what came; `usual`: where the link has no such field."""
    return int(getattr(what, name, usual))
