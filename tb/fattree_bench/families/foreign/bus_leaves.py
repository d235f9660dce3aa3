"""Agents of links with a channel each way, TileLink-UL and Wishbone, made by cocotbext-axi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from cocotbext.axi.stream import define_stream

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.interface.buses import INCR, lanes
from fattree_bench.bench.interface.mapped import MappedDesign
from fattree_bench.families.foreign.accesses import OKAY, SLVERR, Access, Command, Judge, Said
from fattree_bench.families.foreign.axi_leaves import WAITING, AxiLeaves, Memory, came

Fields = dict[str, int]
PUT_FULL, PUT_PARTIAL, GET = 0, 1, 4  # opcodes of channel A
ACK, ACK_DATA = 0, 1  # and of channel D
PARTS = ("Bus", "Transaction", "Source", "Sink", "Monitor")


class BusLeaves(AxiLeaves):
    """A request is a word on the first channel, its answer one on the second."""

    unowned = SLVERR
    shown: ClassVar[tuple[str, ...]]  # fields of a request that the design must not change

    def __init__(self, design: MappedDesign, clock: Any, reset: Any) -> None:
        channels = design.channels("send")
        self.asks, self.answers = (one.name for one in channels)
        self.bytes = design.said.design.width // 8
        self.classes: dict[str, dict[str, Any]] = {}
        for one in channels:
            signals = [*one.fields, f"{one.name}valid", f"{one.name}ready"]
            self.classes[one.name] = dict(zip(PARTS, define_stream(one.name, signals), strict=True))
        super().__init__(design, clock, reset)

    def _class(self, channel: str, what: str) -> Any:
        return self.classes[channel][what]

    # ---- what a link says ------------------------------------------------------------------------

    def request(self, access: Access) -> Fields:
        """The fields of a request."""
        every = sum(1 << lane for lane in lanes(access.address, access.size, self.bytes))
        (data,), (mask,) = (access.data, access.strobes) if access.write else ([0], [every])
        return {"address": access.address, "mask": mask, "data": data} | self.more(access, every)

    def more(self, access: Access, every: int) -> Fields:
        """Those of the kind; `every`: the bytes that the access may use."""
        raise NotImplementedError

    def command(self, word: Any) -> Command:
        """What a request asks for."""
        raise NotImplementedError

    def reply(self, command: Command, error: int) -> Fields:
        """The fields of an answer but its data."""
        raise NotImplementedError

    def replied(self, judge: Judge, manager: int, clock: int, word: Any) -> tuple[bool, int, int]:
        """Whether an answer is a write's, its tag, whether it tells an error."""
        raise NotImplementedError

    def due(self, memory: Memory) -> list[Command]:
        """What a memory may answer next."""
        return memory.due[:1]

    # ---- clocks ----------------------------------------------------------------------------------

    def full(self, manager: int) -> bool:
        return bool(self.managers[manager].agents[self.asks].count() >= WAITING)

    def send(self, access: Access, skew: int) -> None:
        source = self.managers[access.manager].agents[self.asks]
        source.send_nowait(self._made(self.asks, **self.request(access)))

    def step(self, judge: Judge, clock: int) -> Iterator[Access]:
        for number, memory in enumerate(self.memories):
            for word in came(memory.agents[self.asks]):
                self._asked_for(judge, number, clock, word)
        for number, own in enumerate(self.managers):
            for word in came(own.agents[self.answers]):
                write, tag, error = self.replied(judge, number, clock, word)
                data = int(getattr(word, f"{self.answers}data"))
                if error:  # it has no data
                    data = next((x.due[0] for x in judge.open[number] if x.tag == tag and x.due), 0)
                response = SLVERR if error else OKAY
                over = judge.respond(number, clock, write, tag, response, data)
                if over is not None:
                    yield over

    def _asked_for(self, judge: Judge, number: int, clock: int, word: Any) -> None:
        """A request came to a memory."""
        command = judge.command(number, clock, self.command(word))
        mask, data = (int(getattr(word, f"{self.asks}{x}")) for x in ("mask", "data"))
        if command.write:
            judge.word(number, clock, command, data, mask, True)
        if command.access is not None:
            due = self.request(command.access)
            for name in self.shown:
                seen = int(getattr(word, f"{self.asks}{name}"))
                if seen != due[name]:
                    says = f"{self.asks}{name} is {seen:#x} instead of {due[name]:#x}"
                    judge.fault(kind.CORRUPTED, clock, says, command.access)
        self.memories[number].due.append(command)

    def answer(self, judge: Judge, number: int, rng: np.random.Generator) -> None:
        memory = self.memories[number]
        source, heads = memory.agents[self.answers], self.due(memory)
        if not heads or not source.empty():
            return
        command = heads[int(rng.integers(len(heads)))]
        memory.due.remove(command)
        access, error = command.access, 0
        if access is not None:
            error, access.answered = int(access.response != OKAY), access.responses
        data = 0 if command.write else judge.words(number, command)[0]
        source.send_nowait(self._made(self.answers, data=data, **self.reply(command, error)))


class TileLinkLeaves(BusLeaves):
    """TileLink-UL: answers in any order, by their source."""

    said = Said("AccessAckData", "AccessAck", {OKAY: "no error", SLVERR: "an error"})
    shown = ("opcode", "mask")

    def more(self, access: Access, every: int) -> Fields:
        whole = PUT_FULL if access.strobes == [every] else PUT_PARTIAL
        opcode = whole if access.write else GET
        return {"opcode": opcode, "size": access.size, "source": access.tag}

    def command(self, word: Any) -> Command:
        size, write = int(word.a_size), int(word.a_opcode) != GET
        return Command(None, write, int(word.a_source), int(word.a_address), size, INCR, 1)

    def reply(self, command: Command, error: int) -> Fields:
        opcode = ACK if command.write else ACK_DATA
        own = {"opcode": opcode, "size": command.size, "source": command.tag}
        return own | dict.fromkeys(self.design.speaks.refuses, error)

    def replied(self, judge: Judge, manager: int, clock: int, word: Any) -> tuple[bool, int, int]:
        opcode, tag, size = int(word.d_opcode), int(word.d_source), int(word.d_size)
        asked = next((x for x in judge.open[manager] if x.tag == tag), None)
        if asked is not None and size != asked.size:
            says = f"d_size is {size} instead of {asked.size}"
            judge.fault(kind.CORRUPTED, clock, says, asked)
        if opcode not in (ACK, ACK_DATA):
            place = Place("manager", manager)
            judge.fault(kind.PROTOCOL, clock, f"d_opcode is {opcode}", place)
        errors = [int(getattr(word, f"d_{x}", 0)) for x in self.design.said.link.extra]
        return opcode == ACK, tag, int(any(errors))

    def due(self, memory: Memory) -> list[Command]:
        return memory.due


class WishboneLeaves(BusLeaves):
    """Wishbone: the oldest request is answered, and an answer says nothing else."""

    said = Said("ack", "ack", {OKAY: "ack", SLVERR: "err"})
    shown = ("mask",)

    def __init__(self, design: MappedDesign, clock: Any, reset: Any) -> None:
        super().__init__(design, clock, reset)
        self.takers = [one for one in self.every if one[1] < 0 and one[2]]
        self.every = [one for one in self.every if one not in self.takers]  # managers never wait

    def more(self, access: Access, every: int) -> Fields:
        return {"we": int(access.write)}

    def command(self, word: Any) -> Command:
        address, size = int(word.q_address), self.full_size
        return Command(None, bool(word.q_we), 0, address, size, INCR, 1)

    def reply(self, command: Command, error: int) -> Fields:
        return {"err": error}

    def replied(self, judge: Judge, manager: int, clock: int, word: Any) -> tuple[bool, int, int]:
        oldest = next(iter(judge.open[manager]), None)
        return oldest is not None and oldest.write, 0, int(word.p_err)

    def reset(self) -> None:
        super().reset()
        for agent, _, _ in self.takers:
            agent.clear()


LEAVES = {"tl_ul": TileLinkLeaves, "wishbone": WishboneLeaves}
