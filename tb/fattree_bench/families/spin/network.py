"""SPIN (rtl/spin)."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from fattree_bench.bench.interface.interface import (
    CLOCKED,
    Block,
    Events,
    Interface,
    Shown,
    gives,
    takes,
)
from fattree_bench.bench.links.flit.network import FlitLayout, Recording
from fattree_bench.bench.links.flit.pins import pins
from fattree_bench.bench.links.flit.player import player, recorder
from fattree_bench.bench.links.flit.resets import noisy
from fattree_bench.bench.links.flit.stepped import classic
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.network import About, Network, Swept
from fattree_bench.bench.workload import Workload
from fattree_bench.errors import UserError
from fattree_bench.families.spin.receiving import ADDRESS_BITS
from fattree_bench.settings import Part, flag, number
from fattree_models import spin
from fattree_models.common import fat_tree
from fattree_models.common.checks import Int64Array
from fattree_models.common.structure import Structure

HDL = Path(__file__).resolve().parent / "hdl"

LEAST_WORDS = 2  # header and trailer
SIZES = tuple(spin.topology.TREES)
MEMORY_W = 6  # words of a target's memory, logarithm


class SpinWorkload(Workload):
    """Packets have a header and a trailer, and none returns to its sender."""

    flits = Workload.flits.but(
        default=f"{LEAST_WORDS}-{spin.MOST_WORDS}",
        help=f"words of a packet, {LEAST_WORDS} … {spin.MOST_WORDS}, as 4, 2-18 or 2:0.8,18:0.2",
    )

    @property
    def least_flits(self) -> int:
        """Header and trailer."""
        return LEAST_WORDS

    def check(self) -> None:
        """Besides mistakes in any workload, those in one of SPIN."""
        super().check()
        least = f"packets of at least {LEAST_WORDS} words"
        if int(self.lengths.choice.values.min()) < LEAST_WORDS:
            raise UserError(f"FLITS={self.flits}: {least}")
        if self.packets is not None and int(self.packets.flits.min()) < LEAST_WORDS:
            raise UserError(f"MESSAGES={self.file}: {least}")
        self.refuse_own("terminal", alone=True)


class SweptSpin(Swept["SpinNetwork"]):
    """Its latency in theory."""

    def zero_load(self, network: SpinNetwork) -> tuple[float, str]:
        shares = network.workload.pattern.matrix().copy()
        np.fill_diagonal(shares, 0)
        source, destination = np.nonzero(shares)
        own = network.hop_count(source, destination)
        hops = float(np.average(own, weights=shares[source, destination]))
        flits = network.workload.lengths.mean
        mean = hops * (ROUTER + 1) + flits
        return mean, (
            f"hops x {ROUTER + 1} + words = {hops:.3f} x {ROUTER + 1} + {flits:g} = "
            f"{mean:.2f} clocks"
        )


class SpinNetwork(Network):
    """A SPIN: variables on one side, Verilog and the model on the other."""

    terminals = number(
        "TERMINALS",
        16,
        min(SIZES),
        max(SIZES),
        "terminals",
        allowed="16, 32 or 64",
        fits=lambda n: n in SIZES,
        rtl=True,
    )
    shared = flag(
        "SHARED",
        1,
        "packets going down may wait in two shared buffers",
        "in inputs alone",
        rtl=True,
    )
    planes = number(
        "PLANES", 2, 1, 2, "networks: requests and responses share one, or have one each", rtl=True
    )
    outstanding = number(
        "OUTSTANDING", 4, 1, spin.TAGS, "requests that an initiator may have open", rtl=True
    )
    exact = flag(
        "EXACT", 1, "all links are compared with the model, and ways are checked", rtl=True
    )
    workload = Part(
        SpinWorkload, lambda s: {"leaves": s.terminals, "radix": 4, "max_flits": spin.MOST_WORDS}
    )

    name: ClassVar[str] = "spin"
    summary: ClassVar[str] = "SPIN, trees of 8-port RSPIN routers (Guerrier and Greiner, 2000)"
    swept: ClassVar[SweptSpin] = SweptSpin(("TERMINALS", "SHARED"))
    about = About(
        rooms=("common", "wormhole", "spin"),
        agents=("FRAME", "CLASSIC"),
        kin=("flit",),
        corners=(
            {"SHARED": "0"},
            {"PLANES": "1", "OUTSTANDING": "1", "EXACT": "0"},
            {"TERMINALS": "32", "OUTSTANDING": "16"},
            {"TERMINALS": "64", "SHARED": "0", "PLANES": "1"},
        ),
        small={"PLANES": "1", "OUTSTANDING": "2", "WARMUP": "0", "PERIOD": "40"},
    )

    @cached_property
    def tree(self) -> fat_tree.Xgft:
        """What it is to the reference model."""
        return spin.tree(self.terminals)

    @cached_property
    def structure(self) -> Structure:
        """A plane: links out of routers, then from terminals."""
        return fat_tree.structure(self.tree, ("terminal", "router"))

    # ---- sizes -----------------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        return self.terminals

    @cached_property
    def nodes(self) -> tuple[tuple[int, int], ...]:
        """(level, router) of each router of a plane, as the RTL has them."""
        levels = range(1, self.tree.height + 1)
        return tuple((level, n) for level in levels for n in range(self.tree.level_size(level)))

    @cached_property
    def outputs(self) -> tuple[tuple[int, int, int], ...]:
        """(level, router, port) of each output of the routers of a plane, as the RTL has them."""
        return tuple(
            (k, node, port) for k, node in self.nodes for port in range(self.tree.radix(k))
        )

    @cached_property
    def places(self) -> tuple[str, ...]:
        """What the RTL shows of a plane, by name: of each router its ports, then its buffers."""
        found = []
        for level, node in self.nodes:
            router = f"level {level} router {node}"
            found += [f"{router} port {port}" for port in range(self.tree.radix(level))]
            found += [f"{router} buffer {k}" for k in range(spin.topology.BUFFERS * self.shared)]
        return tuple(found)

    @cached_property
    def layout(self) -> FlitLayout:
        """By place: words wait; by terminal: it is not at rest; by plane: packets that were stored.

        Of plane 0 links are recorded, out of routers, then from terminals, and `state_o`, `home_o`,
        `stored_o`.
        """
        links, places = len(self.structure.links), self.planes * len(self.places)
        states = 2 * len(self.places) + self.tree.switches
        return FlitLayout(
            leaves=self.leaves,
            words=self.words,
            hops_bits=2,  # marks of a word
            inputs=places,
            shown=places + self.terminals,
            counters={"stored": self.planes},
            recorded=Recording(links, (spin.WORD_BITS, 1), states) if self.exact else Recording(),
            elements=1 << 14,
        )

    @cached_property
    def words(self) -> FlitWords:
        """How to read flits of the player."""
        node_bits = (self.leaves - 1).bit_length()
        number_bits = min(32 - ADDRESS_BITS - node_bits - 1, 32 - node_bits - 7)
        return FlitWords(32, ADDRESS_BITS, node_bits, number_bits, 1)

    # ---- time ------------------------------------------------------------------------------------

    def hop_count(self, source: Int64Array, destination: Int64Array) -> Int64Array:
        """Routers on the way of each pair."""
        return fat_tree.hop_count(self.tree, source, destination)

    def alone(self, source: Int64Array, destination: Int64Array, flits: Int64Array) -> Int64Array:
        """Clocks from a packet's creation to its tail at the receiver, if it meets no other."""
        hops = self.hop_count(source, destination)
        return np.asarray(fat_tree.zero_load_latency(hops, flits, ROUTER), np.int64)

    # ---- runs and reports ------------------------------------------------------------------------

    def outline(self) -> str:
        """What a report says of it besides its variables."""
        planes = "one network" if self.planes == 1 else "each of two networks"
        return f"{self.tree.switches} routers in {self.tree.height} levels in {planes}"

    # ---- what it becomes in Verilog --------------------------------------------------------------

    def interface(self, agent: str) -> Interface:
        planes = range(self.planes)
        found = Interface(
            name=self.name,
            origin=__name__,
            design=Block(
                "spin_system",
                "u_system",
                {
                    **{x: y for x, y in self.verilog().items() if x != "EXACT"},
                    **{"MEMORY_W": MEMORY_W, "PLACES": len(self.places)},
                    **{"ROUTERS": self.tree.switches, "PORTS": len(self.outputs)},
                },
                (
                    *CLOCKED,
                    takes("raw_i", "raw"),
                    takes("up_valid_i", noisy("send_valid", "N"), leaves="N"),
                    takes("up_flit_i", noisy("send_flit", "N*WORD_W"), "WORD_W", "N"),
                    gives("up_credit_o", "in_credit", leaves="N"),
                    gives("down_valid_o", "receive_valid", leaves="N"),
                    gives("down_flit_o", "receive_flit", "WORD_W", "N"),
                    takes("down_credit_i", noisy("receive_credit", "N"), leaves="N"),
                    *(takes(f"{name}_i", wire, bits, "N") for name, wire, bits in COMMANDS),
                    *(gives(f"{name}_o", wire, bits, "N") for name, wire, bits in ANSWERS),
                    gives("sent_o", "sent", "N", "PLANES"),
                    takes("flip_i", "flip", "N*WORD_W", "PLANES"),
                    gives("places_o", "places", "PLACES", "PLANES"),
                    gives("homes_o", "home", "PLACES", "PLANES"),
                    gives("stored_o", "stored", "ROUTERS", "PLANES"),
                    gives("busy_o", "busy", leaves="N"),
                    gives("link_valid_o", "link_valid", leaves="LINKS"),
                    gives("link_flit_o", "link_flit", "WORD_W + 3", "LINKS"),
                    gives("link_credit_o", "link_credit", leaves="LINKS"),
                ),
                tuple(HDL / f"{name}.v" for name in ("spin_memory", "spin_system")),
            ),
            constants={"N": "TERMINALS", "WORD_W": spin.WORD_BITS, "LINKS": "PORTS + N"},
            state=(
                Shown("places", self.layout.inputs),
                Shown("busy", self.terminals),
                *(Events(f"stored[{plane}*ROUTERS +: ROUTERS]", "ROUTERS") for plane in planes),
            ),
            apart=(HDL / "apart.vlt",),  # routers share C++, and what hangs at terminals does
            unroll=20,
            hints={"links": (("word_o", "valid_o"), ("link_word_o", "link_valid_o"))},
            blocks=(
                Block(
                    "spin_player",
                    "u_vci",
                    {"TERMINALS": "N", "PLANES": "PLANES", "ROWS": self.layout.rows},
                    (
                        takes("clk", "clk"),
                        takes("run_i", "busy_o"),
                        takes("rst", "rst"),
                        takes("clocks_i", "u_player.clocks"),
                        takes("last_i", "u_player.last"),
                        gives("raw_o", "raw"),
                        takes("credit_i", "in_credit"),
                        gives("credit_o", "send_credit", leaves="N"),
                        *(gives(f"{name}_o", wire) for name, wire, _ in COMMANDS),
                        *(takes(f"{name}_i", wire) for name, wire, _ in ANSWERS),
                        takes("sent_i", "sent"),
                        gives("flip_o", "flip"),
                    ),
                    (HDL / "spin_player.v",),
                    ("stim", "seen"),
                    ("raw", "restart", "gaps"),
                ),
            ),
        )
        played = found.with_blocks(player(self, found, depth=4, MARKS=1, QUEUE=8))
        shown = "{stored[0 +: ROUTERS], home[0 +: PLACES], places[0 +: PLACES]}"
        recorded = recorder(self.layout, ("link_valid", "link_flit", "link_credit"), shown)
        made = played.with_blocks(*([recorded] if self.exact else []), pins(self.layout))
        return classic(self, made) if agent == "CLASSIC" else made

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, int | str]]:
        return "spin_network", {"TERMINALS": self.terminals, "SHARED": int(self.shared)}


ROUTER = 2  # clocks that a head takes in a router, the link behind it not counted
# Fields of a command and of what becomes of it: name of the port, wire, bits of a terminal.
COMMANDS = (
    *(("valid", "valid", 1), ("write", "writes", 1), ("target", "target", 8)),
    *(("words", "words", 4), ("address", "place", 32), ("word", "written", 32)),
)
ANSWERS = (
    *(("taken", "taken", 1), ("tag", "tag", 4), ("index", "index", 4), ("served", "served", 1)),
    *(("dropped", "dropped", 1), ("asked", "asked", 32), ("valid", "shown", 1)),
    *(("final", "ending", 1), ("damaged", "damaged", 1), ("header", "header", 32)),
    ("word", "word", 32),
)
NETWORKS = (SpinNetwork,)
