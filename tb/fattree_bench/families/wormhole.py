"""Networks of wormhole switches (rtl/wormhole): what engines and the bench need to know."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from fattree_bench.bench.links.flit import HDL as LINK
from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.links.flit.words import UNMIX
from fattree_bench.bench.wormhole import HDL
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.switch import Switch
from fattree_bench.bench.wormhole.ways import TreeWays, Ways
from fattree_bench.errors import UserError
from fattree_bench.families.flit_network import LINKS, FlitNetworkDefaults
from fattree_bench.families.sharing import sharing
from fattree_bench.paths import HDL as BENCH
from fattree_bench.paths import ROOT
from fattree_bench.prover.hints import Hints
from fattree_bench.settings import Variable, text, word
from fattree_bench.words import Units
from fattree_models import benes, wormhole, xgft
from fattree_models.traffic import Measurement

SAMPLER = BENCH / "sampler.v"

MAX_HOPS_BITS = 58  # of the list of hops, beside a flit's marks in 64 bits
RTL_LEAVES = 1024  # at most; larger networks have the clock-exact model alone
LEAST_NUMBER_BITS = 12  # packets of a source on their way at once: fewer than 2^11

# How the switches decide, and what fills their forwarding tables.
DECIDED = ("DMODK", "SMODK", "RANDOM", "ADAPTIVE", "TWO")
TABLES = ("OPENSM", "MLID", "SLID", "SLIDES", "FILE")


class WormholeNetwork(Wormhole, FlitNetworkDefaults):
    """A fat-tree of wormhole switches; subclasses give its shape and its ways."""

    name: ClassVar[str]
    summary: ClassVar[str]
    units: ClassVar[Units] = Units()
    measured_as: ClassVar[type[Measurement]] = Measurement
    seeds: ClassVar[int] = 3
    agents: ClassVar[tuple[str, ...]] = ("FRAME",)
    top: ClassVar[str] = "wormhole_bench"
    rooms: ClassVar[tuple[str, ...]] = ("common", "wormhole", "turnback", "xgft", "ruft", "benes")
    kin: ClassVar[str] = "wormhole"
    recorder: ClassVar[str] = "gen_record.u_recorder"
    lists: ClassVar[tuple[str, ...]] = tuple(v.name for v in Switch.parameters)
    corners: ClassVar[tuple[dict[str, str], ...]]
    small: ClassVar[dict[str, str]]

    def check(self) -> None:
        """UserError for what does not fit together."""
        self._check_clocks()
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

    def zero_load(self) -> tuple[float, str]:
        """Mean latency of the workload's packets in an empty network, and where it comes from."""
        return self.latency.zero_load(self.ways, self.workload)

    @property
    def cost(self) -> int:
        """By equation (1) of the OXGFT paper."""
        return xgft.design(self.tree).cost

    @property
    def topology(self) -> str:
        """Which network the bench holds."""
        return "XGFT"

    @property
    def size_text(self) -> str:
        """What a sweep's folder is called after."""
        return "-".join(text.replace(",", ".") for text in self.shape.variables().values())

    def outline(self) -> str:
        """What a report says of it beside its variables."""
        tree = self.tree
        m, w = (",".join(map(str, digits)) for digits in (tree.m, tree.w))
        return (
            f"XGFT({tree.height}; {m}; {w}): {tree.leaves} leaves, {self.ways.routers} switches, "
            f"{tree.links} links"
        )

    @property
    def hints(self) -> Hints:
        """Only heads have a list of hops; without a model the bench may look at all of it."""
        low = self.width + 2
        return Hints(LINKS, width=low + self.ways.hops_bits, low=low * self.compares)

    # ---- what it becomes in Verilog ------------------------------------------------------------

    def sources(self, rtl: Path) -> list[Path]:
        files = self.verilog_files(rtl)
        if not self.clocks.one:  # a sampler whose bits may be late
            files = [f for f in files if f.name != SAMPLER.name] + [SAMPLER]
        return [
            *files,
            *sorted(LINK.glob("flit_*.v")),
            BENCH / "bench_clocks.v",
            HDL / "wormhole_bench.v",
        ]

    def generated(self, agent: str) -> dict[str, str]:
        return {}

    def verilator_flags(self) -> list[str]:
        """Switches of a level and their input units share C++, of large networks leaves, too."""
        leaves = [HDL / "leaves.vlt"] if self.leaves > 64 else []
        return sharing(HDL / "apart.vlt", *leaves, unroll=20)

    def verilog(self) -> dict[str, str | int]:
        """Variables that are Verilog parameters; UserError if no simulator has room for so much."""
        if self.leaves > RTL_LEAVES:
            raise UserError(
                f"NETWORK={self.name}: {self.leaves} leaves; RTL has {RTL_LEAVES} at most, "
                "make explore ENGINE=model has more"
            )
        return super().verilog() | self.switch.verilog() | self.clocks.verilog()

    def _shaped(self) -> dict[str, Any]:
        """Verilog parameters of the tree, and of ways that are the switches' own."""

        def vector(values: tuple[int, ...]) -> str:
            return f"256'd{sum(value << (32 * i) for i, value in enumerate(values))}"

        tree = self.tree
        return {
            "H": tree.height,
            "M": vector(tree.m),
            "W": vector(tree.w),
            "PATHS": self.ways.paths,
        }

    def verilog_parameters(self, agent: str) -> dict[str, Any]:
        apart = {"NONE": 1, "LEAVES": self.leaves, "LINKS": len(self.ways.levels)}
        words = self.words
        return {
            **self.synthesis(bench=True)[1],
            "TOPOLOGY": f'"{self.topology}"',
            "LEAVES": self.leaves,
            "SWITCHES": self.ways.routers,
            "INPUTS": self.inputs,
            "STATE_W": self.state_bits,
            "ADDRESSES": self.ways.addresses,
            "ADDR_W": words.address_bits,
            "NODE_W": words.node_bits,
            "NUMBER_W": words.number_bits,
            "QUEUE": self.switch.replies,
            "ROWS": self.burst_rows,
            "DATA_STRIDE": self.data_stride,
            "SIDE_STRIDE": self.side_stride,
            "RECORD": 2 if self.compares else int(self.trace),
            **self.clocks.bench(apart[self.clocks.apart]),
            "UNMIX": f"64'd{UNMIX}",
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        return "xgft_network", self.verilog() | self._shaped() | self._noted(bench)

    def _noted(self, bench: bool) -> dict[str, Any]:
        """How flits note their route: in the bench alone."""
        return {"HOPS_W": self.ways.hops_bits, "HOP_W": self.ways.hop_bits} if bench else {}

    def public(self, transport: str) -> str:
        from fattree_bench.bench.links.flit.player import CONTROL

        memory = "public_flat_rd" if transport == "view" else "public_flat_rw"  # as for lbbvn
        lines = [
            "`verilator_config",
            f'{memory} -module "flit_player" -var "stim_*"',
            'public_flat_rd -module "flit_player" -var "seen_*"',
            'public_flat_rd -module "flit_player" -var "done"',
            'public_flat_rd -module "flit_recorder" -var "seen_*"',
            *(f'public_flat_rw -module "flit_player" -var "{name}"' for name in CONTROL),
            f'public_flat_rw -module "{self.top}" -var "clk"',
        ]
        return "\n".join(lines) + "\n"


class TreeNetwork(WormholeNetwork):
    """A tree whose switches work out their routes, or look them up."""

    routing = word(
        "ROUTING",
        "DMODK",
        (*DECIDED, *TABLES),
        "{allowed}; the last five are forwarding tables",
        any_case=True,
    )
    table_file = text(
        "TABLES", "", "forwarding tables of ROUTING=FILE: a .csv of level,switch,leaf,port"
    )
    climb: Variable[Literal["NCA", "TOP"]] = word(
        "CLIMB",
        "NCA",
        {"NCA": "turn at the nearest common ancestor", "TOP": "always climb to the top"},
        any_case=True,
        rtl=True,
    )
    lists: ClassVar[tuple[str, ...]] = (routing.name, climb.name, *WormholeNetwork.lists)

    def check(self) -> None:
        if self.climb == "TOP" and self.routing in TABLES:
            raise UserError(
                f"CLIMB=TOP: forwarding tables (ROUTING={self.routing}) say where to turn"
            )
        if (self.routing == "FILE") != bool(self.table_file):
            raise UserError(
                "ROUTING=FILE: needs TABLES=file"
                if self.routing == "FILE"
                else f"TABLES={self.table_file}: only for ROUTING=FILE"
            )
        if self.clocks.apart == "LINKS" and self.routing in TABLES:
            raise UserError(
                f"ASYNC=LINKS: not with forwarding tables (ROUTING={self.routing}), which are "
                "written with the clock of the leaves"
            )
        super().check()

    @cached_property
    def ways(self) -> Ways:
        return TreeWays(self.tree, self.routing, self.climb, self._tables())

    def model(self, **same: Any) -> wormhole.Network:
        tables = self.ways.tables
        routing = self.routing if tables is None else "TABLES"
        return wormhole.Network(
            tree=self.tree, tables=tables, routing=routing, climb=self.climb, **same
        )

    def _shaped(self) -> dict[str, Any]:
        routing = self.routing if self.ways.tables is None else "TABLE"
        return {**super()._shaped(), "ROUTING": f'"{routing}"'}

    def _tables(self) -> xgft.Tables | None:
        """Forwarding tables, or None if the switches work out their routes."""
        if self.routing not in TABLES:
            return None
        if self.routing == "OPENSM":
            return xgft.opensm_tables(self.tree)
        if self.routing == "FILE":
            return self._own_tables()
        ports, levels = self._ports_levels
        makers = {
            "MLID": xgft.mlid_tables,
            "SLID": xgft.slid_tables,
            "SLIDES": benes.benes_tables,
        }
        return makers[self.routing](ports, levels)

    def _own_tables(self) -> xgft.Tables:
        """Those of TABLES, by which every pair climbs to an ancestor and descends, or UserError."""
        try:
            tables = xgft.read_tables(ROOT / self.table_file, self.tree)
            source, destination = np.divmod(np.arange(self.leaves**2), self.leaves)
            ports = xgft.table_routes(tables, source, destination)
        except ValueError as error:
            raise UserError(f"TABLES={self.table_file}: {error}") from None
        wrong = np.flatnonzero(~xgft.legal(self.tree, source, destination, ports, "NCA"))
        if wrong.size:
            pair = f"leaf {source[wrong[0]]} to {destination[wrong[0]]}"
            raise UserError(
                f"TABLES={self.table_file}: {pair}: must turn once, at the nearest ancestor"
            )
        return tables

    @property
    def _ports_levels(self) -> tuple[int, int]:
        """Ports and levels if the tree is an FT(m, n); UserError otherwise."""
        ports, levels = self.tree.m[-1], self.tree.height
        if ports % 2 == 0 and ports >= 2 and xgft.ftree_mn(ports, levels) == self.tree:
            return ports, levels
        raise UserError(
            f"ROUTING={self.routing}: only for m-port n-trees (NETWORK=ftree_mn or benes)"
        )
