"""The interface of a network: its ports, who drives them, and the blocks of its bench top.

A network states it as data, and `top.text` writes the bench top:

    Interface(
        name="ring",
        origin=__name__,
        design=Block("ring_network", "u_network", self.verilog(), (
            *CLOCKED,
            takes("valid_i", "send_valid", leaves="N"),
            takes("flit_i", "send_flit", "FLIT_W", "N"),
            gives("lost_o", "lost", "COUNT_W"),
        )),
        constants={"N": 8, "FLIT_W": "WIDTH + 2"},
        state=(Counted("lost", 1),),
        blocks=(player(self),),
    )
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Protocol

from fattree_bench.paths import HDL

Bits = str | int  # a number, or an expression of local parameters of the bench top
COUNTER_BITS = 32  # of a counter as Python reads it
EXTENDER = HDL / "counter_extender.v"


@dataclass(frozen=True)
class Port:
    """A port of a module.

    Attributes
    ----------
    wire : of the bench top; of an input it may be any expression.
    bits : of one leaf, or of the port if it is not one of leaves.
    leaves : how many have their bits side by side, those of leaf 0 lowest; "": it is the module's.
    out : it is an output.
    """

    name: str
    wire: str
    bits: Bits = 1
    leaves: Bits = ""
    out: bool = False

    @property
    def width(self) -> Bits:
        """Bits of all leaves; "" for a scalar."""
        if self.leaves == "":
            return "" if self.bits == 1 else self.bits
        if self.bits == 1:
            return self.leaves
        if isinstance(self.bits, int) and isinstance(self.leaves, int):
            return self.bits * self.leaves
        return f"{factor(self.leaves)}*{factor(self.bits)}"


def factor(bits: Bits) -> Bits:
    """In brackets where it is a sum."""
    return f"({bits})" if isinstance(bits, str) and {*bits} & {*"+-"} else bits


def _joined(parts: list[str]) -> str:
    """Side by side, the most significant first."""
    return parts[0] if len(parts) == 1 else f"{{{', '.join(parts)}}}"


def takes(name: str, wire: str, bits: Bits = 1, leaves: Bits = "") -> Port:
    """An input."""
    return Port(name, wire, bits, leaves)


def gives(name: str, wire: str, bits: Bits = 1, leaves: Bits = "") -> Port:
    """An output."""
    return Port(name, wire, bits, leaves, out=True)


CLOCKED = (takes("clk", "clk"), takes("rst", "rst"))


@dataclass(frozen=True)
class Block:
    """An instance in a bench top: the network, a player, or a checker.

    Attributes
    ----------
    files : of the bench, that it needs.
    memories : prefixes of its memories that Python has access to: stim, seen.
    registers : that Python writes.
    """

    module: str
    name: str
    parameters: Mapping[str, Bits]
    ports: tuple[Port, ...]
    files: tuple[Path, ...] = ()
    memories: tuple[str, ...] = ()
    registers: tuple[str, ...] = ()

    def public(self, transport: str) -> Iterable[str]:
        """Verilator configuration: what Python must have access to."""
        # What Verilator believes to be written from outside is evaluated once more a clock; views
        # write behind its back, between bursts, and a player reads only during them.
        written = "public_flat_rd" if transport == "view" else "public_flat_rw"
        for prefix in self.memories:
            access = written if prefix == "stim" else "public_flat_rd"
            yield f'{access} -module "{self.module}" -var "{prefix}_*"'
        if "go" in self.registers:
            yield f'public_flat_rd -module "{self.module}" -var "done"'
        for name in self.registers:
            yield f'public_flat_rw -module "{self.module}" -var "{name}"'


@dataclass(frozen=True)
class Shown:
    """Bits of the state, as they are on a wire."""

    wire: str
    bits: int


@dataclass(frozen=True)
class Counted:
    """Counters of COUNT_W bits on a wire; in the state each has 32.

    Attributes
    ----------
    from_end : with FROM_END a reset leaves them at their end.
    """

    wire: str
    count: int = 1
    from_end: bool = True

    @property
    def bits(self) -> int:
        return COUNTER_BITS * self.count


@dataclass(frozen=True)
class Events:
    """A counter of the state, of events: wires that may each show one a clock."""

    wires: str
    terms: Bits

    @property
    def bits(self) -> int:
        return COUNTER_BITS


@dataclass(frozen=True)
class Packed:
    """A wire that holds several fields of each leaf, the most significant first.

    Attributes
    ----------
    fields : wires, each with its bits; "" is a field that nothing reads.
    split : the fields are read out of the wire; otherwise it is made of them.
    """

    wire: str
    leaves: Bits
    fields: tuple[tuple[str, Bits], ...]
    split: bool = False


class Meters(Protocol):
    """Blocks that look at wires inside the design, with wires and Verilog of the top for them."""

    def blocks(self) -> Iterable[Block]: ...

    def wires(self) -> dict[str, Bits]: ...

    def text(self) -> str: ...

    def stand_in(self, files: Iterable[Path]) -> bool:
        """Whether a design in these files has such wires."""
        ...


@dataclass(frozen=True)
class Interface:
    """What a bench top is made from.

    Attributes
    ----------
    name : of the network; the top is called after it.
    origin : what describes the network: a Python module or a file of a user.
    constants : local parameters of the top, along with the parameters of the design.
    blocks : players, recorders, checks.
    state : what the design shows of itself, from bit 0.
    most : by how much a counter of the state moves in a clock at most.
    wires : of the top, with their bits, where no port says how wide they are.
    text : Verilog between the wires and the blocks, such as adapters at leaves.
    apart : files that name modules whose instances share their C++.
    unroll : no loop of more rounds is unrolled by Verilator; 0: as by default.
    registers : of the top, that Python writes.
    named : the parameters of the design are also local parameters of the top.
    hints : what a proof of equivalence must know of the ports of `synthesis`: fattree_prover's
        Hints.
    meters : of wires inside the design; without them for a design that has no such wires.
    """

    name: str
    origin: str
    design: Block
    blocks: tuple[Block, ...] = ()
    constants: Mapping[str, Bits] = field(default_factory=dict)
    packed: tuple[Packed, ...] = ()
    state: tuple[Shown | Counted | Events, ...] = ()
    most: Bits = 1
    wires: Mapping[str, Bits] = field(default_factory=dict)
    text: str = ""
    apart: tuple[Path, ...] = ()
    unroll: int = 0
    registers: tuple[str, ...] = ("clk",)
    named: bool = True
    hints: Mapping[str, Sequence[Sequence[str]] | int] = field(default_factory=dict)
    meters: Meters | None = None

    @property
    def top(self) -> str:
        """The module of the bench top."""
        return f"{self.name}_bench"

    @property
    def local_parameters(self) -> dict[str, Bits]:
        """Of the top."""
        return {**(self.design.parameters if self.named else {}), **self.constants}

    @cached_property
    def every_block(self) -> tuple[Block, ...]:
        """With those that follow from the state."""
        return self.design, *self._counters(), *self.blocks

    def with_blocks(self, *blocks: Block) -> Interface:
        """With further blocks, which are made from the rest."""
        return replace(self, blocks=(*self.blocks, *blocks))

    @property
    def files(self) -> list[Path]:
        """Verilog of the bench."""
        return [*dict.fromkeys(file for block in self.every_block for file in block.files)]

    def public(self, transport: str) -> list[str]:
        """Lines of a Verilator configuration: what Python must have access to."""
        lines = [line for block in self.every_block for line in block.public(transport)]
        own = (f'public_flat_rw -module "{self.top}" -var "{name}"' for name in self.registers)
        return [*lines, *own]

    # ---- state -----------------------------------------------------------------------------------

    @property
    def counted(self) -> list[Counted]:
        """The counters of the design."""
        return [one for one in self.state if isinstance(one, Counted)]

    @property
    def events(self) -> list[Events]:
        """The counters of the bench."""
        return [one for one in self.state if isinstance(one, Events)]

    @property
    def state_bits(self) -> int:
        return sum(one.bits for one in self.state)

    @property
    def state_wires(self) -> str:
        """All of the state, as an expression."""
        at = {"counters": 0, "events": 0}
        parts: list[str] = []
        for one in self.state:
            if isinstance(one, Shown):
                parts.append(one.wire)
                continue
            name = "counters" if isinstance(one, Counted) else "events"
            if not at[name]:
                parts.append(name)
            at[name] += one.bits
        return _joined([*reversed(parts)])

    def _counters(self) -> Iterable[Block]:
        """What makes counters of 32 bits of those of the design, and counts events."""
        if self.counted:
            count = sum(one.count for one in self.counted)
            ends = [
                f"{{{count}{{FROM_END == 1}}}}" if from_end else f"{count}'d0"
                for from_end, some in groupby(reversed(self.counted), lambda x: x.from_end)
                for count in [sum(x.count for x in some)]
            ]
            known = "FROM_END" in self.design.parameters
            yield Block(
                "counter_extender",
                "u_extender",
                {
                    **{"COUNTERS": count, "W": "COUNT_W", "MOST": self.most},
                    **({"FROM_END": _joined(ends)} if known else {}),
                },
                (
                    *CLOCKED,
                    takes("count_i", _joined([x.wire for x in reversed(self.counted)])),
                    gives("count_o", "counters", COUNTER_BITS * count),
                ),
                (EXTENDER,),
            )
        for k, one in enumerate(self.events):
            yield Block(
                "event_counter",
                f"u_events_{k}",
                {"TERMS": one.terms, "COUNT_W": COUNTER_BITS},
                (
                    *CLOCKED,
                    takes("terms_i", one.wires),
                    gives("count_o", f"events[{k * COUNTER_BITS} +: {COUNTER_BITS}]"),
                ),
            )
