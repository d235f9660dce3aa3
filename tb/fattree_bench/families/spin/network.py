"""SPIN (rtl/spin)."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit import HDL as LINK
from fattree_bench.bench.links.flit.packets import CONTROL
from fattree_bench.bench.links.flit.words import UNMIX, FlitWords
from fattree_bench.bench.workload import Workload
from fattree_bench.errors import UserError
from fattree_bench.families.flit_network import FlitNetworkDefaults
from fattree_bench.families.sharing import sharing
from fattree_bench.families.spin.receiving import ADDRESS_BITS
from fattree_bench.prover.hints import Hints
from fattree_bench.settings import Part, Settings, flag, number
from fattree_bench.words import Units
from fattree_models import spin
from fattree_models.common import fat_tree
from fattree_models.common.checks import Int64Array
from fattree_models.common.structure import Structure
from fattree_models.traffic import Measurement, Packets

HDL = Path(__file__).resolve().parent / "hdl"

LEAST_WORDS = 2  # header and trailer
SIZES = tuple(spin.topology.TREES)
ELEMENTS_A_BURST = 1 << 14  # clocks x terminals: waking Python is cheap, memories stay in the cache
MEMORY_W = 6  # words of a target's memory, logarithm


class SpinWorkload(Workload):
    """Packets have a header and a trailer, and nobody sends to oneself."""

    flits = Workload.flits.but(
        default=f"{LEAST_WORDS}-{spin.MOST_WORDS}",
        help=f"words of a packet, {LEAST_WORDS} … {spin.MOST_WORDS}, as 4, 2-18 or 2:0.8,18:0.2",
    )

    def check(self) -> None:
        """Beside mistakes in any workload, those in one of SPIN."""
        super().check()
        least = f"packets of at least {LEAST_WORDS} words"
        if int(self.lengths.choice.values.min()) < LEAST_WORDS:
            raise UserError(f"FLITS={self.flits}: {least}")
        packets, shares = self.packets, self.pattern.matrix()
        if packets is not None and int(packets.flits.min()) < LEAST_WORDS:
            raise UserError(f"PACKETS={self.file}: {least}")
        if packets is not None and (packets.source == packets.destination).any():
            raise UserError(f"PACKETS={self.file}: a terminal sends to itself")
        if (np.diagonal(shares) == 1).any():
            own = int(np.flatnonzero(np.diagonal(shares) == 1)[0])
            raise UserError(f"TRAFFIC={self.pattern_text}: terminal {own} sends to itself alone")


class SpinNetwork(Settings, FlitNetworkDefaults):
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
        SpinWorkload,
        lambda s: {"leaves": s.terminals, "radix": 4, "max_flits": spin.MOST_WORDS},
    )

    name: ClassVar[str] = "spin"
    recorder: ClassVar[str] = "gen_exact.u_recorder"
    summary: ClassVar[str] = "SPIN, trees of 8-port RSPIN routers (Guerrier and Greiner, 2000)"
    units: ClassVar[Units] = Units()
    measured_as: ClassVar[type[Measurement]] = Measurement
    seeds: ClassVar[int] = 3
    lists: ClassVar[tuple[str, ...]] = ("TERMINALS", "SHARED")
    agents: ClassVar[tuple[str, ...]] = ("FRAME",)
    top: ClassVar[str] = "spin_bench"
    rooms: ClassVar[tuple[str, ...]] = ("common", "wormhole", "spin")
    vcs: ClassVar[int] = 1
    entries: ClassVar[None] = None
    cost: ClassVar[None] = None
    corners: ClassVar[tuple[dict[str, str], ...]] = (
        {"SHARED": "0"},
        {"PLANES": "1", "OUTSTANDING": "1", "EXACT": "0"},
        {"TERMINALS": "32", "OUTSTANDING": "16"},
        {"TERMINALS": "64", "SHARED": "0", "PLANES": "1"},
    )
    small: ClassVar[dict[str, str]] = {
        **{"PLANES": "1", "OUTSTANDING": "2", "WARMUP": "0", "PERIOD": "40"}
    }

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

    @property
    def routers(self) -> int:
        return int(self.tree.switches)

    @property
    def recorded_links(self) -> int:
        """Of plane 0: out of routers, then from terminals."""
        return len(self.structure.links) * self.exact

    @property
    def recorded_bits(self) -> tuple[int, int]:
        return spin.WORD_BITS, 1

    @property
    def hints(self) -> Hints:
        return Hints((("word_o", "valid_o"), ("link_word_o", "link_valid_o")))

    @property
    def recorded_states(self) -> int:
        """Of plane 0: `state_o`, `home_o`, `stored_o`."""
        return (2 * len(self.places) + self.routers) * self.exact

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

    @property
    def memory_w(self) -> int:
        """Logarithm of the words of a target's memory."""
        return MEMORY_W

    @cached_property
    def places(self) -> tuple[str, ...]:
        """What the RTL shows of a plane, by name: of each router its ports, then its buffers."""
        found = []
        for level, node in self.nodes:
            router = f"level {level} router {node}"
            found += [f"{router} port {port}" for port in range(self.tree.radix(level))]
            found += [f"{router} buffer {k}" for k in range(spin.topology.BUFFERS * self.shared)]
        return tuple(found)

    @property
    def inputs(self) -> int:
        """Places of all planes."""
        return self.planes * len(self.places)

    @property
    def state_bits(self) -> int:
        """By place: words wait; by terminal: it is not at rest; by plane: packets in buffers."""
        return self.inputs + self.terminals + 32 * self.planes

    def read_state(self, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
        """Places and terminals, a word each; then the counters, the low half of each first."""
        plain = self.inputs + self.terminals
        counters = np.packbits(bits[plain:], bitorder="little").view(np.uint16)
        return np.concatenate([bits[:plain].astype(np.uint16), counters])

    def stored(self, state: npt.NDArray[np.uint16]) -> Int64Array:
        """Packets that went into shared buffers, by plane, in what `read_state` has read."""
        return state[self.inputs + self.terminals :].view(np.uint32).astype(np.int64)

    def in_place(self, shown: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What it shows of ports is in order."""
        return shown

    @property
    def addresses(self) -> int:
        return self.leaves

    @cached_property
    def words(self) -> FlitWords:
        """How to read flits of the player."""
        node_bits = (self.leaves - 1).bit_length()
        number_bits = min(32 - ADDRESS_BITS - node_bits - 1, 32 - node_bits - 7)
        return FlitWords(32, ADDRESS_BITS, node_bits, number_bits, 1)

    @property
    def burst_rows(self) -> int:
        return ELEMENTS_A_BURST // self.leaves

    @property
    def data_stride(self) -> int:
        return 32

    @property
    def side_stride(self) -> int:
        return 32

    def class_vcs(self, kind: int) -> int:
        """There is one virtual channel."""
        return 1

    # ---- time ------------------------------------------------------------------------------------

    def hop_count(self, source: Int64Array, destination: Int64Array) -> Int64Array:
        """Routers on the way of each pair."""
        return fat_tree.hop_count(self.tree, source, destination)

    def alone(self, source: Int64Array, destination: Int64Array, flits: Int64Array) -> Int64Array:
        """Clocks from a packet's creation to its tail at the receiver, if it meets no other."""
        hops = self.hop_count(source, destination)
        return np.asarray(fat_tree.zero_load_latency(hops, flits, ROUTER), np.int64)

    @property
    def apart(self) -> int:
        """Clocks between packets that are to be alone: by then credits are home, too."""
        routers = 2 * self.tree.height - 1
        return int(fat_tree.zero_load_latency(routers, spin.MOST_WORDS, ROUTER)) + 8

    def zero_load(self) -> tuple[float, str]:
        shares = self.workload.pattern.matrix().copy()
        np.fill_diagonal(shares, 0)
        source, destination = np.nonzero(shares)
        own = self.hop_count(source, destination)
        hops = float(np.average(own, weights=shares[source, destination]))
        flits = self.workload.lengths.mean
        mean = hops * (ROUTER + 1) + flits
        return mean, (
            f"hops x {ROUTER + 1} + words = {hops:.3f} x {ROUTER + 1} + {flits:g} = "
            f"{mean:.2f} clocks"
        )

    # ---- runs and reports ------------------------------------------------------------------------

    def drawn(self, rng: np.random.Generator, *what: Any) -> Packets:
        """Random packets as of Workload.drawn, without those to oneself."""
        made = self.workload.drawn(rng, *what)
        return made.select(made.source != made.destination)

    def outline(self) -> str:
        """What a report says of it beside its variables."""
        planes = "one network" if self.planes == 1 else "each of two networks"
        return f"{self.routers} routers in {self.tree.height} levels in {planes}"

    # ---- what it becomes in Verilog --------------------------------------------------------------

    def sources(self, rtl: Path) -> list[Path]:
        return [
            *self.verilog_files(rtl),
            *sorted(LINK.glob("flit_*.v")),
            *sorted(HDL / f"{name}.v" for name in PLAYERS),
        ]

    def verilator_flags(self) -> list[str]:
        """Routers share C++, and what hangs at terminals does."""
        return sharing(HDL / "apart.vlt", unroll=20)

    def verilog_parameters(self, agent: str) -> dict[str, Any]:
        return {
            **self.verilog(),
            "MEMORY_W": self.memory_w,
            "NODE_W": self.words.node_bits,
            "NUMBER_W": self.words.number_bits,
            "ROWS": self.burst_rows,
            "PLACES": len(self.places),
            "ROUTERS": self.routers,
            "PORTS": len(self.outputs),
            "STATE_W": self.state_bits,
            "DATA_STRIDE": self.data_stride,
            "SIDE_STRIDE": self.side_stride,
            "UNMIX": f"64'd{UNMIX}",
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        return "spin_network", {"TERMINALS": self.terminals, "SHARED": int(self.shared)}

    def public(self, transport: str) -> str:
        memory = "public_flat_rd" if transport == "view" else "public_flat_rw"
        lines = ["`verilator_config"]
        for player, registers in (
            ("flit_player", CONTROL),
            ("spin_player", ("raw", "restart", "gaps")),
        ):
            lines += [
                f'{memory} -module "{player}" -var "stim_*"',
                f'public_flat_rd -module "{player}" -var "seen_*"',
                *(f'public_flat_rw -module "{player}" -var "{name}"' for name in registers),
            ]
        lines += [
            'public_flat_rd -module "flit_recorder" -var "seen_*"',
            'public_flat_rd -module "flit_player" -var "done"',
            'public_flat_rw -module "spin_bench" -var "clk"',
        ]
        return "\n".join(lines) + "\n"


ROUTER = 2  # clocks that a head takes in a router, the link behind it not counted
PLAYERS = ("spin_player", "spin_bench", "spin_memory")
NETWORKS = (SpinNetwork,)
