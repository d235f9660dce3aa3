"""A network of wormhole switches (rtl/wormhole)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.form import SYNTHESIZED
from fattree_bench.bench.interface.interface import Block, Interface, Shown, gives, takes
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.links.flit.network import FlitLayout, Recording
from fattree_bench.bench.links.flit.pins import pins
from fattree_bench.bench.links.flit.player import LINKS, player, recorder
from fattree_bench.bench.links.flit.resets import noisy
from fattree_bench.bench.links.flit.stepped import classic
from fattree_bench.bench.links.flit.watching import watched_layout, watcher
from fattree_bench.bench.links.flit.words import MAX_FLITS, FlitWords
from fattree_bench.bench.network import About, Network, Swept
from fattree_bench.bench.rtl import Rtl
from fattree_bench.bench.workload import Workload
from fattree_bench.bench.wormhole import HDL
from fattree_bench.bench.wormhole.latency import Latency
from fattree_bench.bench.wormhole.shape import Shape
from fattree_bench.bench.wormhole.switch import Switch
from fattree_bench.bench.wormhole.taps import Taps
from fattree_bench.bench.wormhole.ways import Ways
from fattree_bench.errors import UserError
from fattree_bench.paths import HDL as BENCH
from fattree_bench.settings import Part, flag, number
from fattree_models import wormhole
from fattree_models.common.fat_tree import Xgft
from fattree_models.common.structure import Structure

MAX_HOPS_BITS = 58  # of the list of hops; with a flit's marks, 64 bits
RTL_LEAVES = 1024  # at most; larger networks have the clock-exact model alone
LEAST_NUMBER_BITS = 12  # packets of a source on their way at once: fewer than 2^11
SWITCHES = tuple(v.name for v in Switch.parameters[:-1])  # what a sweep varies: not the form


class SweptWormhole(Swept["Wormhole"]):
    """Sizes and latency of a fat-tree of wormhole switches."""

    def size_text(self, network: Wormhole) -> str:
        return "-".join(text.replace(",", ".") for text in network.shape.variables().values())

    def cost(self, network: Wormhole) -> int:
        """By equation (1) of the OXGFT paper, which has no switches at leaves of several parents.

        A port is an input and an output.
        """
        ways: Ways = network.ways
        outputs = {k: ways.ports(k) - len(ways.exits[k]["TURN"]) for k in ways.levels if k}
        return sum(ways.tree.level_size(k) * ports**2 for k, ports in outputs.items())

    def zero_load(self, network: Wormhole) -> tuple[float, str]:
        mean, explained = network.latency.zero_load(network.ways, network.workload)
        return float(mean), str(explained)


@dataclass(frozen=True, eq=False, kw_only=True)
class WormholeLayout(FlitLayout):
    """`levels`: input VCs of each level, and bits of an output port's number there."""

    levels: tuple[tuple[int, int], ...] = ()

    @property
    def state_bits(self) -> int:
        return sum(count * (2 + port + self.vcs) for count, port in self.levels)

    def read_state(self, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
        """What the network shows of each input virtual channel, uint16 [inputs].

        From bit 0: flits wait; the packet has an output virtual channel; its output port (9 bits);
        that channel, one-hot.  `bits` are 0 or 1, [state_bits], as `state_o` has them.
        """
        words, at = [], 0
        for count, port in self.levels:
            width = 2 + port + self.vcs
            part = bits[at : at + count * width].reshape(count, width).astype(np.uint16)
            places = np.r_[0 : 2 + port, 11 : 11 + self.vcs].astype(np.uint16)
            words.append((part << places).sum(axis=1, dtype=np.uint16))
            at += count * width
        return self.in_place(np.concatenate(words))


@dataclass(frozen=True, kw_only=True)
class WormholeAbout(About):
    """Its routing names the folders of rtl/."""

    kin: tuple[str, ...] = ("wormhole", "flit")
    agents: tuple[str, ...] = ("FRAME", "CLASSIC", PASSIVE)


class Wormhole(Network):
    """A fat-tree of wormhole switches: its objects are what it is made of.

    A kind of network gives `shape`, which tree it is, and `routing`, how packets find their way.
    `switch` is what a switch is like, `clocks` how they differ; `ways` follow from tree and
    routing, `latency` is how long packets take, `words` what flits say.
    """

    shape: Part[Shape]
    routing: Part[Any]
    switch = Part(Switch)
    clocks = Part(Clocks)
    width = number(
        "WIDTH", 32, 1, 64, "data bits of a flit, … 64", allowed="a number up to {high}", rtl=True
    )
    workload = Part(
        Workload, lambda s: {"leaves": s.leaves, "radix": s.tree.m[0], "max_flits": MAX_FLITS}
    )
    trace = flag("TRACE", 0, "every hop of every packet goes to the run's trace.csv").but(
        per_run=True
    )
    exact = flag("EXACT", 1, "all links are compared with the model in all clocks")

    def check(self) -> None:
        """UserError for what does not fit together."""
        self._check_clocks()
        if self.routing.breaks:
            self.routing.fit(self.tree, self.clocks.one, self.exact)
        ways, words = self.ways, self.words
        if ways.hops_bits > MAX_HOPS_BITS:
            raise UserError(
                f"NETWORK={self.name}: {ways.max_hops} hops of {ways.hop_bits} bits do not fit "
                f"into the {MAX_HOPS_BITS} bits in which a flit notes its route"
            )
        least = LEAST_NUMBER_BITS + max(words.header_bits, words.node_bits + 7)
        if self.width < least:
            raise UserError(f"WIDTH={self.width}: must be {least} … 64 for this network")

    def _check_clocks(self) -> None:
        """UserError for what clocks that differ cannot have, or only they."""
        if self.clocks.one:
            changed = self.changed()
            for variable in Clocks.parameters:
                if variable.name in changed:
                    told = f"{variable.name}={changed[variable.name]}"
                    raise UserError(f"{told}: only for ASYNC=LEAVES or LINKS")
        elif self.clocks.apart == "LINKS" and self.trace:
            raise UserError("TRACE=1: not for ASYNC=LINKS: links have different clocks")
        elif self.clocks.apart == "LINKS" and self.ways.tables is not None:
            raise UserError(
                f"ASYNC=LINKS: not with forwarding tables (ROUTING={self.routing.method}), which "
                "are written with the clock of the leaves"
            )

    # ---- what it is ------------------------------------------------------------------------------

    @property
    def tree(self) -> Xgft:
        return self.shape.tree

    @property
    def leaves(self) -> int:
        return self.tree.leaves

    @cached_property
    def ways(self) -> Ways:
        """Where packets go."""
        found: Ways = self.routing.ways(self.tree)
        return found

    @cached_property
    def structure(self) -> Structure:
        return self.ways.structure(self.switch.vcs)

    @cached_property
    def latency(self) -> Latency:
        """How long packets take that meet no other."""
        return Latency(self.switch, self.clocks, self.routing.long, self.ways.slowest)

    @cached_property
    def words(self) -> FlitWords:
        """How to read flits."""
        address, node = self.ways.address_bits, (self.leaves - 1).bit_length()
        number_bits = min(self.width - address - node - 1, self.width - node - 7)
        return FlitWords(self.width, address, node, number_bits, self.ways.paths)

    def model(self, **same: Any) -> wormhole.Network:
        """What `docs/wormhole.md` needs to know of it; `same`: what all kinds have."""
        return wormhole.Network(**self.routing.model(self.ways), **same)

    def outline(self) -> str:
        return str(self.routing.outline(self.ways))

    def traffic_rows(self, sim: str) -> int:
        return 2000 if sim == "verilator" else 150

    # ---- what the network shows, and what is recorded of it --------------------------------------

    @cached_property
    def layout(self) -> WormholeLayout:
        """Recorded are the links out of switches, from leaves, and far ends of long links.

        Where a model says what they are, so are the states: `state_o`, then `home_o`.
        """
        tree, ways, vcs = self.tree, self.ways, self.switch.vcs
        levels = tuple(
            (vcs * tree.level_size(k) * ways.ports(k), max(1, (ways.ports(k) - 1).bit_length()))
            for k in ways.levels
        )
        found = WormholeLayout(
            leaves=self.leaves,
            words=self.words,
            hops_bits=ways.hops_bits,
            vcs=vcs,
            inputs=vcs * ways.inputs,
            order=ways.order,
            levels=levels,
        )
        compared = bool(self.exact) and self.clocks.one  # the model knows one clock
        ends = 2 if self.routing.long else 1
        recorded = Recording(
            ways.inputs + ends * self.leaves if compared or self.trace else 0,
            (self.width, ways.hops_bits),
            found.state_bits + found.inputs if compared else 0,
            compared,
        )
        entries = None
        if ways.tables is not None:
            by_switch = np.concatenate([ports for ports in ways.tables.ports if len(ports)])
            shown = np.empty_like(by_switch)
            shown[found.in_place(np.arange(ways.routers))] = by_switch
            entries = shown.T.astype(np.uint8)
        return replace(found, recorded=recorded, entries=entries)

    @cached_property
    def watched(self) -> FlitLayout:
        """What is recorded where something else drives it: also far ends of links to leaves."""
        return watched_layout(self.layout, self.ways.inputs + 2 * self.leaves)

    # ---- what it becomes in Verilog --------------------------------------------------------------

    @cached_property
    def rtl(self) -> Rtl:
        agents = ("FRAME",) if self.routing.breaks else self.about.agents
        return Rtl(self.name, self.routing.rooms, agents, self.interface)

    def verilog(self) -> dict[str, str | int]:
        """Variables that are Verilog parameters; UserError if no simulator has room for so much."""
        if self.leaves > RTL_LEAVES:
            raise UserError(
                f"NETWORK={self.name}: {self.leaves} leaves; RTL has {RTL_LEAVES} at most, "
                "make explore ENGINE=model has more"
            )
        own: dict[str, str | int] = self.routing.verilog() | super().verilog()
        return own | self.switch.verilog() | self.clocks.verilog()

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, int | str]]:
        """Flits note their route in the bench alone."""
        ways = self.ways
        shown = bench or self.routing.breaks  # poison stands there
        noted = {"HOPS_W": ways.hops_bits, "HOP_W": ways.hop_bits} if shown else {}
        own = self.verilog() | self.routing.shape(ways) | noted
        return self.routing.module, own | {k: f'"{x}"' for k, x in SYNTHESIZED.items() if k in own}

    def interface(self, agent: str) -> Interface:
        """The network, its clocks if they are several, the player, a recorder of all links."""
        module, parameters = self.synthesis(bench=agent != PASSIVE)
        parameters |= {k: word for k, word in self.verilog().items() if k in SYNTHESIZED}
        one, leaves, ways, layout = self.clocks.one, self.leaves, self.ways, self.layout
        up, down = ("send", "receive") if one else ("up", "down")  # wires of the network's leaves
        controls = self.routing.controls
        loud = noisy if one and agent != PASSIVE else lambda wire, _: wire
        low = self.width + 2  # bits of a flit below its hops
        widths = {"seed": 32, "address": self.words.address_bits, "entries": 8 * ways.routers}
        widths |= {"cut": ways.inputs, "dead": ways.inputs}
        found = Interface(
            name=self.name,
            origin=type(self).__module__,
            design=Block(
                module,
                "u_network",
                parameters,
                (
                    takes("clk", "clk" if one else "own_clk"),
                    takes("rst", "rst"),
                    takes("clocks_i", "1'b0" if one else "clocks"),
                    gives("ready_o", "ready"),
                    *(takes(f"{x}_i", x, widths.get(x, 1)) for x in controls),
                    takes("valid_i", loud(f"{up}_valid", f"{leaves}*VCS"), "VCS", leaves),
                    takes("flit_i", loud(f"{up}_flit", f"{leaves}*FLIT_W"), "FLIT_W", leaves),
                    gives("credit_o", f"{up}_credit", "VCS", leaves),
                    gives("valid_o", f"{down}_valid", "VCS", leaves),
                    gives("flit_o", f"{down}_flit", "FLIT_W", leaves),
                    takes("credit_i", f"{down}_credit", "VCS", leaves),
                    gives("state_o", "state", layout.state_bits),
                    gives("home_o", "home", layout.inputs),
                    gives("link_valid_o", "link_valid", "VCS", ways.inputs),
                    gives("link_flit_o", "link_flit", "FLIT_W", ways.inputs),
                    gives("link_credit_o", "link_credit", "VCS", ways.inputs),
                ),
            ),
            constants={"FLIT_W": "WIDTH + 2 + HOPS_W" if agent != PASSIVE else "WIDTH + 2"},
            state=(Shown("state", layout.state_bits),),
            # Switches of a level and their input units share C++, and leaves of large networks.
            apart=(HDL / "apart.vlt", *([HDL / "leaves.vlt"] if leaves > 64 else [])),
            unroll=20,
            # Only heads have a list of hops; without a model the bench may look at all of it.
            hints={
                **{"links": LINKS, "width": low + ways.hops_bits},
                "low": low * layout.recorded.compared,
            },
            blocks=() if one else (self._domains(),),
            meters=None
            if one or not self.exact
            else Taps(self.clocks, ways, layout, layout.levels, self.routing.level),
        )
        tables = "write" in controls and layout.entries is not None
        clock = "clk" if one else "player_clk"
        played = found.with_blocks(
            player(
                self,
                found,
                {"clk": clock},
                self.switch.depth,
                QUEUE=self.switch.replies,
                TABLE_ROWS=ways.addresses if tables else 2,
                TABLE_W=8 * ways.routers,
                **({"RATIOS": ways.ratios} if ways.ratios else {}),
                **({"MARKS": 1} if self.routing.breaks else {}),
            ),
            *self.routing.blocks(ways.inputs),
        )
        if agent == PASSIVE:
            sizes = {"receive": leaves, "send": leaves, "link": ways.inputs}
            return watcher(self.watched, played, sizes)
        ends = (down, up) if self.routing.long else (up,)
        valid, flit, credit = (
            f"{{{', '.join([*(f'{end}_{what}' for end in ends), f'link_{what}'])}}}"
            for what in ("valid", "flit", "credit")
        )
        recorded = recorder(layout, (valid, flit, credit), "{home, state}", clock=clock)
        made = played.with_blocks(*([recorded] if layout.recorded.links else []))
        if not layout.recorded.compared:
            made = made.with_blocks(pins(layout, clock))
        return classic(self, made) if agent == "CLASSIC" else made

    def _domains(self) -> Block:
        """What makes the clocks, and joins the player to the leaves."""
        leaves = self.leaves
        apart = {"LEAVES": leaves, "LINKS": len(self.ways.levels)}
        clocks = self.clocks.bench(apart[self.clocks.apart])
        sides = (("send", "up", takes, gives), ("receive", "down", gives, takes))
        ports = [
            *(takes("clk", "clk"), takes("start_i", "rst"), takes("seed_i", "seed")),
            *(takes("ready_i", "ready"), gives("own_clk_o", "own_clk")),
            gives("player_clk_o", "player_clk"),
            gives("clocks_o", "clocks", leaves=clocks["OTHERS"]),
        ]
        for here, there, from_here, from_there in sides:
            i, o = ("i", "o") if from_here is takes else ("o", "i")
            for what, bits in (("valid", "VCS"), ("flit", "FLIT_W")):
                ports.append(from_here(f"{here}_{what}_{i}", f"{here}_{what}", bits, leaves))
                ports.append(from_there(f"{there}_{what}_{o}", f"{there}_{what}", bits, leaves))
            ports.append(from_there(f"{here}_credit_{o}", f"{here}_credit", "VCS", leaves))
            ports.append(from_here(f"{there}_credit_{i}", f"{there}_credit", "VCS", leaves))
        return Block(
            "bench_domains",
            "u_domains",
            {
                **{"LEAVES": leaves, "VCS": "VCS", "DEPTH": "DEPTH", "FLIT_W": "FLIT_W"},
                **{"PACED": int(self.clocks.apart == "LEAVES")},
                **clocks,
            },
            tuple(ports),
            tuple(BENCH / f"{name}.v" for name in ("bench_domains", "bench_clocks", "sampler")),
        )
