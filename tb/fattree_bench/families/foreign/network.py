"""A design from elsewhere as a network of the environment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.brought import Brought, load, raised
from fattree_bench.bench.interface import buses, described, mapped, mapped_top, rules
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.interface import COUNTER_BITS, Interface
from fattree_bench.bench.interface.ports import Side
from fattree_bench.bench.links.flit.network import FlitLayout, Recording
from fattree_bench.bench.links.flit.player import player, recorder
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.network import About, Network, Swept
from fattree_bench.bench.rtl import Rtl
from fattree_bench.bench.workload import Workload
from fattree_bench.errors import UserError
from fattree_bench.extras import require
from fattree_bench.families.foreign.graph import structure
from fattree_bench.paths import HDL as BENCH
from fattree_bench.paths import ROOT
from fattree_bench.settings import Part, parsed, text, word
from fattree_models.common.checks import Int64Array
from fattree_models.common.structure import Structure

EXAMPLES = "tests/tb/families/foreign/designs"  # of a clone


class ForeignWorkload(Workload):
    """Traffic that a design takes: lengths in flits of the bench."""

    design: Design
    flits = Workload.flits.but(
        default="",
        help="packet lengths, as 4, 1-16 or 1:0.8,9:0.2; empty: all that the design takes",
        usual=lambda s: ",".join(map(str, s.design.flits)),
    )

    @property
    def least_flits(self) -> int:
        """The shortest packet that the design takes."""
        return min(self.design.flits)

    def check(self) -> None:
        """Lengths must be some of the design's."""
        super().check()
        drawn = [int(x) for x in self.lengths.choice.values]
        sent = [] if self.packets is None else self.packets.flits.tolist()
        for name, found in ((f"FLITS={self.flits}", drawn), (f"MESSAGES={self.file}", sent)):
            for length in found:
                if length not in self.design.flits:
                    allowed = ", ".join(map(str, self.design.flits))
                    raise UserError(f"{name}: packets of {length} flits; there may be {allowed}")


class SweptDesign(Swept["ForeignNetwork"]):
    """Its latency as it is promised; unknown if it is not."""

    def zero_load(self, network: ForeignNetwork) -> tuple[float, str]:
        promised = network.design.said.promises.latency
        if promised is None or promised.usual is None:
            return float("nan"), "promises.latency.usual is not given"
        mean = float(network.latency(promised.usual, network.workload.lengths.mean))
        return mean, f"promises.latency.usual = {promised.usual:g}; {mean:.2f} with all words"


@dataclass(frozen=True)
class DesignRtl(Rtl):
    """The user's files, and flags by which simulators read them."""

    design: Design

    @property
    def error_lines(self) -> tuple[str, ...]:
        return self.design.said.design.errors

    def sources(self, rtl: Path) -> list[Path]:
        """The user's, then those of the bench."""
        return [*self.design.files.sources, *super().sources(rtl)]

    def includes(self, rtl: Path) -> list[Path]:
        return [*self.design.files.includes, BENCH]

    def synthesized(self, rtl: Path) -> tuple[list[Path], list[Path]]:
        return self.design.files.sources, self.design.files.includes

    def build_flags(self, sim: str) -> list[str]:
        said, files = self.design.said.design, self.design.files
        flags = files.flags(sim)
        if sim == "icarus":
            return [*flags, *(["-g2012"] if self.design.system_verilog else [])]
        flags += ["--no-timing", "--timescale", "1ns/1ns"]
        if said.language:
            flags += ["--default-language", said.language]
        flags += ["-Wno-fatal"] if said.lint == "tell" else []
        return [*flags, *(f"-Wno-{name}" for name in said.waive)]


class ForeignNetwork(Network):
    """A design of a user's: its description on one side, the bench top on the other."""

    design = parsed("DESIGN", "", "TOML file that describes your design", mapped.design)
    agent = word(
        "AGENT",
        "FRAME",
        {"FRAME": "Verilog plays bursts of clocks", "AXI": "cocotbext-axi, clock by clock"},
        "who sends and receives at the leaves",
    )
    own_files = text("SCENARIOS", "", "Python files with scenarios of yours, comma-separated")
    workload = Part(
        ForeignWorkload,
        lambda s: {
            **{"design": s.design, "leaves": s.design.leaves, "radix": 2},
            "max_flits": max(s.design.flits),
        },
    )

    name: ClassVar[str] = "foreign"
    summary: ClassVar[str] = "a design of your own, which DESIGN=file describes"
    swept: ClassVar[SweptDesign] = SweptDesign()
    about = About(
        corners=tuple(
            {"DESIGN": f"{EXAMPLES}/{name}.toml", "AGENT": agent}
            for name, agent in (
                *((name, "FRAME") for name in ("crossbar", "ring", "credits", "slots", "cells")),
                ("crossbar", "AXI"),
            )
        ),
        small={"DESIGN": f"{EXAMPLES}/crossbar.toml", "PERIOD": "40"},
    )

    @cached_property
    def brought(self) -> Brought:
        """Scenarios of the user's: of the Python file of the design, and of others."""
        files = [self.design.python, *(ROOT / x for x in self.own_files.split(",") if x)]
        for file in files:
            if file is not None:
                load(file, f"{self.design.path.name}: {file.name}")
        _ = self.structure  # its mistakes are reported before anything is built
        return Brought.of(self.design.path)

    def user(self, name: str) -> Any:
        """A function of the design's Python file; None if there is none."""
        path = self.design.python
        where = f"{self.design.path.name}: {path.name if path else ''}"
        return None if path is None else getattr(load(path, where), name, None)

    @cached_property
    def structure(self) -> Structure | None:
        """By the user's graph, if links have taps; UserError names what is wrong with it."""
        if not self.design.taps:
            return None
        where, made = f"{self.design.said.design.python}: graph()", self.user("graph")
        if made is None:
            raise self.design.wrong(f"{where}: is missing; taps need it")
        try:
            links = made()
        except (Exception, SystemExit) as error:
            told = raised(error, self.design.python)
            raise self.design.wrong(f"{where}: {told}") from None
        try:
            return structure(links, tuple(self.design.taps), self.leaves)
        except (TypeError, ValueError) as error:
            raise self.design.wrong(f"{where}: {error}") from None

    @property
    def recorded(self) -> Int64Array:
        """The link of each tap, int64."""
        assert self.structure is not None
        order = [self.structure.signal.index(tap) for tap in self.design.taps]
        return np.array(order, np.int64)

    @property
    def width(self) -> int:
        """Data bits of a word."""
        return self.design.data_bits

    @property
    def sims(self) -> tuple[str, ...]:
        """Simulators that know the language of the design."""
        usual = ("verilator",) if self.design.system_verilog else ("verilator", "icarus")
        return self.design.said.design.simulators or usual

    def check(self) -> None:
        """UserError for packets without a way through the design, and agents of another link."""
        packets, design = self.workload.packets, self.design
        if self.single:
            require("cocotbext")
            self._check_axi()
        if packets is None:
            return
        named = f"MESSAGES={self.workload.file}"
        if (packets.source >= design.inputs).any():
            raise UserError(f"{named}: sources must be 0 … {design.inputs - 1}")
        if (packets.destination >= design.outputs).any():
            raise UserError(f"{named}: destinations must be 0 … {design.outputs - 1}")
        bad = np.flatnonzero(~design.legal[packets.source, packets.destination])
        if len(bad):
            told = f"leaf {packets.source[bad[0]]} sends to {packets.destination[bad[0]]}"
            raise UserError(f"{named}: {told}: not a legal pair: see traffic.self, traffic.pairs")

    @property
    def single(self) -> bool:
        """Python is there in each clock: an agent for single-stepping."""
        return self.agent != "FRAME" or self.design.said.link.kind in buses.KINDS

    def _check_axi(self) -> None:
        """UserError unless the agents of cocotbext-axi can speak the link of the design."""
        link = self.design.said.link
        if link.kind not in ("stream", *buses.KINDS):
            told = f"AGENT={self.agent}: needs link.kind = 'stream', not '{link.kind}'"
            raise self.design.wrong(told)
        if link.vcs > 1 or {"head", "type", "length", "route"} & self.design.send.fields.keys():
            told = f"AGENT={self.agent}: knows no channels, head marks, types, routes"
            raise self.design.wrong(told)
        for direction in ("send", "receive"):
            side: Side = getattr(self.design, direction)
            if "keep" in side and side.bits("data") % side.bits("keep"):
                told = f"link.{direction}.keep: {side.bits('keep')} bits do not divide a word of"
                raise self.design.wrong(f"AGENT={self.agent}: {told} {side.bits('data')} bits")

    # ---- sizes -----------------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        return self.design.leaves

    @cached_property
    def layout(self) -> FlitLayout:
        """Of the virtual channels of all senders is known whether all credits are home.

        The state is words that `noted` reads: count and log of broken rules, and dropped packets.
        """
        design = self.design
        return FlitLayout(
            leaves=design.leaves,
            words=self.words,
            hops_bits=design.mark_bits,  # say where a word comes from, if it says so
            vcs=design.vcs,
            inputs=design.inputs * design.vcs,
            shown=0,
            counters={"noted": sum(x.bits for x in described.state(design)) // COUNTER_BITS},
            recorded=Recording(len(design.taps), (design.width, 1)),
        )

    def noted(self, state: npt.NDArray[np.uint16]) -> tuple[int, list[rules.Broken], int]:
        """How often rules were broken, the first times, and how many packets were dropped."""
        count = int(state[:2].view(np.uint32)[0])
        dropped = int(state[-2:].view(np.uint32)[0])
        found = []
        for at in range(min(count, rules.PLACES)):
            clock_low, clock_high, which = (int(x) for x in state[2 + 3 * at : 5 + 3 * at])
            told = mapped_top.told(self.design, which & 0x7FFF)
            clock = clock_low | clock_high << 16
            found.append(rules.Broken(*told, clock, bool(which >> 15)))
        return count, found, dropped

    @property
    def words(self) -> FlitWords:
        return self.design.flit_words

    # ---- time ------------------------------------------------------------------------------------

    def traffic_rows(self, sim: str) -> int:
        """Clocks of random traffic in a test: packets are longer where a flit is several words."""
        rows = super().traffic_rows("icarus" if self.single else sim)
        return rows * int(getattr(self.design, "longer", self.design.words_a_flit))

    def latency(self, clocks: float, flits: npt.NDArray[Any] | float) -> Any:
        """From creation to the tail's arrival, where the first word takes `clocks`."""
        first = self.design.before + self.design.whole * (flits - 1)
        return first + clocks + self.design.words_a_flit * flits - 1

    # ---- runs and reports ------------------------------------------------------------------------

    def outline(self) -> str:
        """What a report says of it besides its variables."""
        design, link = self.design, self.design.said.link
        words = design.words_a_flit
        spread = f"; a flit is {words} words: its tag does not fit one" if words > 1 else ""
        return (
            f"{design.name}: {design.said.design.top}, {design.inputs} inputs, {design.outputs} "
            f"outputs, link {link.kind}, words of {design.data_bits} bits{spread}"
        )

    # ---- what it becomes in Verilog --------------------------------------------------------------

    def interface(self, agent: str) -> Interface:
        """As the description says; the agent is a variable, not one of `agents`."""
        found = mapped_top.interface(self.name, self.design, self.agent)
        rows = {"ROWS": 2} if self.single else {}
        played = player(self, found, described.PLAYED, self.design.depth, **rows)
        idle = f"{{{len(self.design.taps) * self.design.vcs}{{1'b0}}}}"
        taps = recorder(self.layout, ("tap_valid", "tap_flit", idle), run="playing")
        return found.with_blocks(played, *([taps] * bool(self.design.taps)))

    @cached_property
    def rtl(self) -> DesignRtl:
        return DesignRtl(
            self.name, self.about.rooms, self.about.agents, self.interface, self.design
        )

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        return self.design.said.design.top, dict(self.design.parameters)


NETWORKS = (ForeignNetwork,)
