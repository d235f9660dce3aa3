"""Recorders of a wormhole network with several clocks: one for what shares a clock, in that clock.

They look at the wires of the design from the bench top, as meters of channels do: at what leads
into the switches of a clock as it is there, behind the crossing, and at what leaves them.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fattree_bench.bench.interface.interface import Bits, Block, takes
from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.links.flit.network import FlitLayout
from fattree_bench.bench.wormhole import HDL
from fattree_bench.bench.wormhole.ways import Ways

RECORDER = HDL / "domain_recorder.v"
SHOWN_EVERY = 32  # rows, see domain_recorder.v
WIRES = ("valid", "flit", "credit")
NETWORK = "u_network"
BORDER = f"{NETWORK}.u_border"
AT_LEAST = 64  # rows behind a reset, in which the player waits for the slowest clock


@dataclass(frozen=True)
class Domain:
    """What shares a clock.

    Attributes
    ----------
    name : of its recorder.
    clock, reset : wires, from the bench top on.
    links : valid, flit and credit of what leads out of it, then of what leads in: wires, the last
        links first.
    outs, ins : how many lead out, and how many of all that it drives come in from others.
    shown : wires of its states; "": none.
    bits : of `shown`.
    level : of its switches, counted from the lowest, None: all; -1: leaves.
    leaf : the first of its leaves.
    period : of its clock, its place among CLOCKS.
    """

    name: str
    clock: str
    reset: str
    links: tuple[str, ...]
    outs: int
    ins: int
    shown: str = ""
    bits: int = 1
    level: int | None = None
    leaf: int = 0
    period: int = 0


@dataclass(frozen=True)
class Taps:
    """The recorders as blocks of a bench top.

    Attributes
    ----------
    levels : input VCs of each level, and bits of an output port's number there.
    block : see Routing.level.
    """

    clocks: Clocks
    ways: Ways
    layout: FlitLayout
    levels: tuple[tuple[int, int], ...]
    block: tuple[str, ...]

    @cached_property
    def domains(self) -> list[Domain]:
        """Switches from the lowest level up, then leaves."""
        return [*self._switches(), *self._leaves()]

    def rows(self, domain: Domain) -> int:
        """Clocks of a domain in the longest burst, a multiple of 32."""
        clocks, layout = self.clocks, self.layout
        tables = 0 if layout.entries is None else len(layout.entries)
        period = clocks.periods[domain.period % len(clocks.periods)] / clocks.periods[0]
        shortest = period * (1 - clocks.jitter / 100) / (1 + clocks.jitter / 100)
        waiting = clocks.lasting(AT_LEAST)
        most = (layout.rows + tables + 2 * waiting) / shortest
        return SHOWN_EVERY * math.ceil(most / SHOWN_EVERY)

    def _switches(self) -> Iterator[Domain]:
        ways, layout, vcs = self.ways, self.layout, self.layout.vcs
        if self.clocks.apart == "LEAVES":
            came = (f"{BORDER}.up_{x}" for x in ("valid_o", "flit_o", "credit_i"))
            links = tuple(f"{{{one}, link_{x}}}" for one, x in zip(came, WIRES, strict=True))
            yield Domain(
                *("u_domain", "own_clk", f"{NETWORK}.own_rst", links),
                *(ways.inputs, layout.leaves, "{home, state}"),
                bits=layout.state_bits + layout.inputs,
            )
            return
        first = state = 0
        for k, (level, (count, port)) in enumerate(zip(ways.levels, self.levels, strict=True)):
            block, clock, *sides = self.block
            here, exits = f"{NETWORK}.{block}[{level}]", ways.exits[level]
            ways_in = [len(exits["DOWN"]), len(exits["UP"])]
            if len(sides) == 1:  # one way: all that leads in comes from below
                ways_in = [ways.ports(level)]
            joined = [side for side, each in zip(sides, ways_in, strict=True) if each]
            out = {x: f"link_{x}[{first} +: {count}]" for x in WIRES}
            out["flit"] = f"link_flit[{first // vcs}*FLIT_W +: {count // vcs}*FLIT_W]"
            each = count * (2 + port + vcs)
            yield Domain(
                *(f"u_domain_{level}", f"clocks[{k}]", f"{here}.{clock}_rst"),
                tuple(
                    f"{{{', '.join([*(f'{here}.{side}_{x}' for side in joined[::-1]), out[x]])}}}"
                    for x in WIRES
                ),
                *(count // vcs, ways.tree.level_size(level) * sum(ways_in)),
                f"{{home[{first} +: {count}], state[{state} +: {each}]}}",
                bits=each + count,
                level=k,
                period=k + 1,
            )
            first, state = first + count, state + each

    def _leaves(self) -> Iterator[Domain]:
        one = self.clocks.apart == "LINKS"  # clock for all leaves
        each = self.layout.leaves if one else 1
        for g in range(0, self.layout.leaves, each):
            places = [f"[{g}*{w} +: {each}*{w}]" for w in ("VCS", "FLIT_W", "VCS")]
            links = tuple(
                f"{{down_{x}{at}, up_{x}{at}}}" for x, at in zip(WIRES, places, strict=True)
            )
            clock, reset = ("own_clk", "rst_o") if one else (f"clocks[{g}]", f"rsts_o[{g}]")
            yield Domain(
                *(f"u_domain_leaf_{g}", clock, f"{BORDER}.{reset}", links, each, each),
                level=-1,
                leaf=g,
                period=0 if one else g + 1,
            )

    # ---- Meters ----------------------------------------------------------------------------------

    def blocks(self) -> Iterable[Block]:
        for domain in self.domains:
            valid, flit, credit = domain.links
            yield Block(
                "domain_recorder",
                domain.name,
                {
                    **{"LINKS": domain.outs + domain.ins, "VCS": "VCS", "FLIT_W": "FLIT_W"},
                    **{"SHOWN_W": domain.bits, "ROWS": self.rows(domain)},
                },
                (
                    *(takes("clk", domain.clock), takes("rst_i", domain.reset)),
                    *(takes("valid_i", valid), takes("flit_i", flit), takes("credit_i", credit)),
                    takes("shown_i", domain.shown or "1'b0"),
                ),
                (RECORDER,),
                ("seen",),
                ("rewind",),
            )

    def wires(self) -> dict[str, Bits]:
        return {}

    def text(self) -> str:
        return ""

    def stand_in(self, files: Iterable[Path]) -> bool:
        """Whether Verilog in these files has the blocks that the recorders look into."""
        text = "".join(path.read_text(errors="replace") for path in files)
        blocks = {self.block[0]} if self.clocks.apart == "LINKS" else set()
        return "u_border" in text and all(re.search(rf"begin *: *{b}\b", text) for b in blocks)
