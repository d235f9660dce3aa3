"""Packet-switched fat-trees of wormhole switches (rtl/xgft): XGFT and its families."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit import HDL as LINK
from fattree_bench.bench.links.flit.words import MAX_FLITS, UNMIX, FlitWords
from fattree_bench.bench.workload import PARAMETERS as WORKLOAD
from fattree_bench.bench.workload import Workload
from fattree_bench.errors import UserError
from fattree_bench.paths import HDL as BENCH
from fattree_bench.report.words import Units
from fattree_bench.settings import Parameter, choice, integer
from fattree_models import xgft
from fattree_models.common.checks import Int64Array

HDL = Path(__file__).resolve().parent / "hdl"

# What a user may write: how the switches decide, and what fills their forwarding tables.
DECIDED = ("DMODK", "SMODK", "RANDOM", "ADAPTIVE", "TWO")
TABLES = ("OPENSM", "MLID", "SLID", "SLIDES")
ONE_PATH = ("DMODK", "SMODK", *TABLES)  # for each pair
MAX_LEAVES = 1024
MAX_LEVELS = 8
CREDIT_LOOP = 4  # clocks from a flit's leaving to the next credit for its place, see xgft_switch.v
MAX_HOPS_BITS = 58  # of the list of hops, beside a flit's marks in 64 bits
LEAST_NUMBER_BITS = 12  # packets of a source on their way at once: fewer than 2^11
ELEMENTS_A_BURST = 1 << 15  # clocks x leaves: waking Python is cheap, memories stay in the cache
REPLY_LIMIT = 16  # most replies that a scenario lets wait

SWITCH_PARAMETERS = (
    Parameter("ROUTING", "", f"{', '.join(DECIDED)}; by forwarding tables: {', '.join(TABLES)}"),
    Parameter("CLIMB", "NCA", "NCA: turn at the nearest common ancestor, or TOP: always up to it"),
    Parameter("VCS", "2", "virtual channels of a link, 1 … 4"),
    Parameter("DEPTH", "8", "flits that a virtual channel's queue holds, 1 … 64"),
    Parameter("STAGES", "3", "clocks of a switch: 1, 2 or 3"),
    Parameter("VC_MODE", "ANY", "ANY virtual channel at each hop, or KEEP the first, in order"),
    Parameter("CLASSES", "1", "2: requests and replies have virtual channels of their own"),
    Parameter("ARBITER", "ROUND_ROBIN", "ROUND_ROBIN or MATRIX (least recently granted)"),
    Parameter("WIDTH", "32", "data bits of a flit, … 64"),
)
TRACE = Parameter("TRACE", "0", "1: every hop of every packet goes to the run's trace.csv")


@dataclass(frozen=True)
class XgftNetwork:
    """A fat-tree of wormhole switches; subclasses say how its shape is given."""

    tree: xgft.Xgft
    shape: dict[str, str]  # the variables that the tree was made of
    routing: str
    climb: str
    vcs: int
    depth: int
    stages: int
    vc_mode: str
    classes: int
    arbiter: str
    width: int
    workload: Workload
    trace: int

    name: ClassVar[str]
    summary: ClassVar[str]
    shapes: ClassVar[tuple[Parameter, ...]]  # the variables of the shape
    usual_routing: ClassVar[str] = "DMODK"
    parameters: ClassVar[tuple[Parameter, ...]]
    link: ClassVar[str] = "flit"
    units: ClassVar[Units] = Units()
    seeds: ClassVar[int] = 3
    lists: ClassVar[tuple[str, ...]] = tuple(p.name for p in SWITCH_PARAMETERS if p.name != "WIDTH")
    agents: ClassVar[tuple[str, ...]] = ("FRAME",)
    top: ClassVar[str] = "xgft_bench"
    corners: ClassVar[tuple[dict[str, str], ...]]
    small: ClassVar[dict[str, str]]

    def __init_subclass__(cls) -> None:
        usual = Parameter("ROUTING", cls.usual_routing, SWITCH_PARAMETERS[0].help)
        cls.parameters = (*cls.shapes, usual, *SWITCH_PARAMETERS[1:], *WORKLOAD, TRACE)

    @classmethod
    def make_tree(cls, value: dict[str, str]) -> xgft.Xgft:
        """The tree of a shape; UserError or ValueError names what is wrong."""
        raise NotImplementedError

    @classmethod
    def from_variables(cls, variables: dict[str, str]) -> XgftNetwork:
        value = {p.name: variables.get(p.name, p.default) for p in cls.parameters}
        shape = {p.name: value[p.name] for p in cls.shapes}
        told = " ".join(f"{name}={text}" for name, text in shape.items())
        try:
            tree = cls.make_tree(value)
        except ValueError as error:
            raise UserError(f"{told}: {error}") from None
        if tree.height > MAX_LEVELS:
            raise UserError(f"{told}: {tree.height} levels; must be 1 … {MAX_LEVELS}")
        if not 2 <= tree.leaves <= MAX_LEAVES:
            raise UserError(f"{told}: {tree.leaves} leaves; must be 2 … {MAX_LEAVES}")

        def pick(name: str, allowed: tuple[str, ...]) -> str:
            return choice(name, value[name].upper(), allowed)

        def number(name: str, allowed: str, low: int, high: int) -> int:
            return integer(name, value[name], allowed, low, high)

        network = cls(
            tree=tree,
            shape=shape,
            routing=pick("ROUTING", (*DECIDED, *TABLES)),
            climb=pick("CLIMB", ("NCA", "TOP")),
            vcs=number("VCS", "1 … 4", 1, 4),
            depth=number("DEPTH", "1 … 64", 1, 64),
            stages=number("STAGES", "1, 2 or 3", 1, 3),
            vc_mode=pick("VC_MODE", ("ANY", "KEEP")),
            classes=number("CLASSES", "1 or 2", 1, 2),
            arbiter=pick("ARBITER", ("ROUND_ROBIN", "MATRIX")),
            width=number("WIDTH", "a number up to 64", 1, 64),
            workload=Workload.from_variables(value, tree.leaves, tree.m[0], MAX_FLITS),
            trace=number("TRACE", "0 or 1", 0, 1),
        )
        network.check()
        return network

    def check(self) -> None:
        """UserError for what does not fit together."""
        if self.classes == 2 and self.vcs == 1:
            raise UserError("CLASSES=2: needs VCS=2 or more")
        if self.climb == "TOP" and self.routing in TABLES:
            raise UserError(
                f"CLIMB=TOP: forwarding tables (ROUTING={self.routing}) say where to turn"
            )
        if self.hops_bits > MAX_HOPS_BITS:
            raise UserError(
                f"NETWORK={self.name}: {self.max_hops} hops of {self.hop_bits} bits do not fit "
                f"into the {MAX_HOPS_BITS} bits in which a flit notes its route"
            )
        least = LEAST_NUMBER_BITS + max(self.address_bits + self.node_bits + 1, self.node_bits + 7)
        if self.width < least:
            raise UserError(f"WIDTH={self.width}: must be {least} … 64 for this network")
        _ = self.tables  # a mistake of the user is found before anything is built

    def variables(self) -> dict[str, str]:
        return {
            **self.shape,
            "ROUTING": self.routing,
            "CLIMB": self.climb,
            "VCS": str(self.vcs),
            "DEPTH": str(self.depth),
            "STAGES": str(self.stages),
            "VC_MODE": self.vc_mode,
            "CLASSES": str(self.classes),
            "ARBITER": self.arbiter,
            "WIDTH": str(self.width),
            **self.workload.variables(),
            "TRACE": str(self.trace),
        }

    @property
    def default_test(self) -> str:
        return "file" if self.workload.file else "traffic"

    # ---- what it is --------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        return self.tree.leaves

    @property
    def levels(self) -> range:
        """Levels that have switches."""
        return range(self.tree.first, self.tree.height + 1)

    @property
    def routers(self) -> int:
        return sum(self.tree.level_size(level) for level in self.levels)

    @property
    def inputs(self) -> int:
        """Virtual channels at the inputs of all switches."""
        tree = self.tree
        return self.vcs * sum(tree.level_size(k) * tree.radix(k) for k in self.levels)

    def _state_widths(self) -> list[tuple[int, int]]:
        """Input virtual channels of each level, and bits of an output port's number there."""
        tree = self.tree
        return [
            (
                self.vcs * tree.level_size(k) * tree.radix(k),
                max(1, (tree.radix(k) - 1).bit_length()),
            )
            for k in self.levels
        ]

    @property
    def state_bits(self) -> int:
        """Bits of what the network shows of itself."""
        return sum(count * (2 + port + self.vcs) for count, port in self._state_widths())

    def read_state(self, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
        """What the network shows of each input virtual channel, uint16 [inputs].

        From bit 0: flits wait; the packet has an output virtual channel; its output port (9 bits);
        that channel, one-hot.  `bits` are 0 or 1, [state_bits], see xgft_network.v.
        """
        words, at = [], 0
        for count, port in self._state_widths():
            fields = [(1, 0), (1, 1), (port, 2), (self.vcs, 11)]
            word = np.zeros(count, np.uint16)
            for width, shift in fields:
                part = bits[at : at + count * width].reshape(count, width).astype(np.uint16)
                word |= (part << (np.arange(width, dtype=np.uint16) + shift)).sum(
                    axis=1, dtype=np.uint16
                )
                at += count * width
            words.append(word)
        return np.concatenate(words)

    @cached_property
    def tables(self) -> xgft.Tables | None:
        """Forwarding tables, or None if the switches work out their routes."""
        if self.routing not in TABLES:
            return None
        if self.routing == "OPENSM":
            return xgft.opensm_tables(self.tree)
        ports, levels = self._mn()
        makers = {
            "MLID": xgft.mlid_tables,
            "SLID": xgft.slid_tables,
            "SLIDES": xgft.benes_tables,
        }
        return makers[self.routing](ports, levels)

    def _mn(self) -> tuple[int, int]:
        """Ports and levels if the tree is an FT(m, n); UserError otherwise."""
        ports, levels = self.tree.m[-1], self.tree.height
        if ports % 2 == 0 and ports >= 2 and xgft.ftree_mn(ports, levels) == self.tree:
            return ports, levels
        raise UserError(
            f"ROUTING={self.routing}: only for m-port n-trees (NETWORK=ftree_mn or benes)"
        )

    @property
    def paths(self) -> int:
        """Addresses of a leaf."""
        return 1 if self.tables is None else self.tables.paths

    @property
    def addresses(self) -> int:
        return self.leaves * self.paths

    @property
    def address_bits(self) -> int:
        return (self.addresses - 1).bit_length()

    @property
    def node_bits(self) -> int:
        return (self.leaves - 1).bit_length()

    @property
    def number_bits(self) -> int:
        """Bits of a packet's number in each of its flits."""
        return min(
            self.width - self.address_bits - self.node_bits - 1, self.width - self.node_bits - 7
        )

    @property
    def max_hops(self) -> int:
        """Switches on the longest route; at least 2, as the RTL wants it."""
        return max(2, 2 * (self.tree.height - self.tree.first) + 1)

    @property
    def hop_bits(self) -> int:
        return max(self.tree.radix(level) for level in self.levels).bit_length()

    @property
    def hops_bits(self) -> int:
        return self.max_hops * self.hop_bits

    @cached_property
    def words(self) -> FlitWords:
        """How to read flits."""
        return FlitWords(
            self.width, self.address_bits, self.node_bits, self.number_bits, self.paths
        )

    @property
    def size_text(self) -> str:
        """What a sweep's folder is called after."""
        return "-".join(text.replace(",", ".") for text in self.shape.values())

    def zero_load(self) -> tuple[float, str]:
        """Mean latency of the workload's packets in an empty network, and where it comes from."""
        shares = self.workload.pattern.matrix()
        source, destination = np.nonzero(shares)
        own = xgft.hop_count(self.tree, source, destination, self.climb)
        hops = float(np.average(own, weights=shares[source, destination]))
        flits = self.workload.lengths.mean
        # The model takes whole numbers; as it is linear, the mean is that of mean hops and flits.
        one, hop, flit = xgft.zero_load_latency([1, 2, 1], [1, 1, 2], self.stages)
        mean = float(one + (hops - 1) * (hop - one) + (flits - 1) * (flit - one))
        return mean, (
            f"1 + hops x (STAGES + 1) + flits - 1 = 1 + {hops:.3f} x ({self.stages} + 1) + "
            f"{flits:g} - 1 = {mean:.2f} clocks"
        )

    def laws(self) -> dict[str, list[tuple[float, float]]]:
        """Nobody knows the latency under load in closed form."""
        return {}

    def alone(self, hops: Int64Array | int, flits: Int64Array | int) -> Int64Array:
        """Clocks from a packet's creation to its tail at the receiver, if it meets no other.

        `hops`: switches on its way.  Queues of fewer than CREDIT_LOOP flits wait for credits.
        """
        waits = max(0, CREDIT_LOOP - self.depth) * ((np.asarray(flits) - 1) // self.depth)
        return xgft.zero_load_latency(hops, flits, self.stages) + waits

    @property
    def one_path(self) -> bool:
        """Whether the packets of a pair all take the same path."""
        return self.routing in ONE_PATH

    def expected_hops(self, source: Int64Array, destination: Int64Array) -> npt.NDArray[np.int16]:
        """Output ports of pairs where each has one path, int16 [pairs, hops], -1 behind."""
        if self.tables is not None:
            return xgft.table_routes(self.tables, source, destination)
        assert self.routing in ("DMODK", "SMODK")
        return xgft.routes(self.tree, source, destination, self.routing, self.climb)

    @cached_property
    def pair_hops(self) -> npt.NDArray[np.int16]:
        """The same of all pairs, int16 [leaves * leaves, hops], those of leaf 0 first."""
        return self.expected_hops(*np.divmod(np.arange(self.leaves**2), self.leaves))

    @property
    def in_order(self) -> bool:
        """Whether packets of a pair and class arrive as they were sent: one path, one queue."""
        return self.one_path and (self.vcs == self.classes or self.vc_mode == "KEEP")

    @property
    def closest(self) -> int:
        """Clocks from a tail to the next packet's head in the same virtual channel, at least."""
        if self.depth == 1:  # the head waits for the tail's credit
            return CREDIT_LOOP
        return 1 if self.stages == 1 else 2  # a channel is given on one clock after it was left

    def class_vcs(self, kind: int) -> int:
        """Virtual channels for packets of class 0 or 1, one bit each."""
        half = self.vcs // 2
        if self.classes == 1:
            return (1 << self.vcs) - 1
        return ((1 << self.vcs) - 1) ^ ((1 << half) - 1) if kind else (1 << half) - 1

    @property
    def replies(self) -> int:
        """Room for replies at a node: the limit, and what may still come then; a power of two."""
        return 1 << (REPLY_LIMIT + self.vcs * self.depth).bit_length()

    @property
    def burst_rows(self) -> int:
        """Clocks that the player holds at once: a power of two."""
        return min(1024, max(64, ELEMENTS_A_BURST >> self.node_bits))

    @property
    def data_stride(self) -> int:
        return 32 if self.width <= 32 else 64

    @property
    def side_stride(self) -> int:
        return 32 if self.hops_bits <= 26 else 64

    def traffic_rows(self, sim: str) -> int:
        """Clocks of random traffic in a test."""
        return 2000 if sim == "verilator" else 150

    # ---- reports ---------------------------------------------------------------------------------

    def drawn_lanes(self) -> Int64Array:
        return np.zeros(0, np.int64)  # no picture: it is not a binary tree

    def outline(self) -> str:
        """What a report says of it beside its variables."""
        tree = self.tree
        m, w = (",".join(map(str, digits)) for digits in (tree.m, tree.w))
        return (
            f"XGFT({tree.height}; {m}; {w}): {tree.leaves} leaves, {self.routers} switches, "
            f"{tree.links} links"
        )

    # ---- what it becomes in Verilog ------------------------------------------------------------

    def sources(self, rtl: Path) -> list[Path]:
        return [
            *sorted((rtl / "common").glob("*.v")),
            *sorted((rtl / "xgft").glob("*.v")),
            *sorted(LINK.glob("flit_*.v")),
            HDL / "xgft_bench.v",
        ]

    def includes(self, rtl: Path) -> list[Path]:
        return [rtl / "common", rtl / "xgft", BENCH]

    def verilator_flags(self) -> list[str]:
        return ["-O3", "--expand-limit", "4", "--unroll-count", "12"]

    def _network_parameters(self) -> dict[str, Any]:
        def vector(values: tuple[int, ...]) -> str:
            return f"256'd{sum(value << (32 * i) for i, value in enumerate(values))}"

        return {
            "H": self.tree.height,
            "M": vector(self.tree.m),
            "W": vector(self.tree.w),
            "VCS": self.vcs,
            "DEPTH": self.depth,
            "WIDTH": self.width,
            "PATHS": self.paths,
            "CLASSES": self.classes,
            "STAGES": self.stages,
            "ROUTING": '"TABLE"' if self.tables is not None else f'"{self.routing}"',
            "CLIMB": f'"{self.climb}"',
            "MODE": f'"{self.vc_mode}"',
            "ARBITER": f'"{self.arbiter}"',
        }

    def verilog_parameters(self, agent: str) -> dict[str, Any]:
        return {
            **self.synthesis(bench=True)[1],
            "LEAVES": self.leaves,
            "SWITCHES": self.routers,
            "INPUTS": self.inputs,
            "STATE_W": self.state_bits,
            "ADDRESSES": self.addresses,
            "ADDR_W": self.address_bits,
            "NODE_W": self.node_bits,
            "NUMBER_W": self.number_bits,
            "QUEUE": self.replies,
            "ROWS": self.burst_rows,
            "DATA_STRIDE": self.data_stride,
            "SIDE_STRIDE": self.side_stride,
            "TRACE": self.trace,
            "UNMIX": f"64'd{UNMIX}",
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        noted = {"HOPS_W": self.hops_bits, "HOP_W": self.hop_bits} if bench else {}
        return "xgft_network", self._network_parameters() | noted

    def public(self, transport: str) -> str:
        from fattree_bench.bench.links.flit.packets import CONTROL

        memory = "public_flat_rd" if transport == "view" else "public_flat_rw"  # as for lbbvn
        lines = [
            "`verilator_config",
            f'{memory} -module "flit_player" -var "stim_*"',
            'public_flat_rd -module "flit_player" -var "seen_*"',
            'public_flat_rd -module "flit_tracer" -var "seen_*"',
            *(f'public_flat_rw -module "flit_player" -var "{name}"' for name in CONTROL),
            'public_flat_rw -module "xgft_bench" -var "clk"',
        ]
        return "\n".join(lines) + "\n"
