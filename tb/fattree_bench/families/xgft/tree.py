"""Packet-switched fat-trees of wormhole switches (rtl/wormhole): what the bench needs to know."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from fattree_bench.bench.links.flit import HDL as LINK
from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.links.flit.words import UNMIX
from fattree_bench.errors import UserError
from fattree_bench.families.flit_network import FlitNetworkDefaults
from fattree_bench.families.sharing import sharing
from fattree_bench.families.xgft.latency import Latency
from fattree_bench.families.xgft.switches import TABLES
from fattree_bench.paths import HDL as BENCH
from fattree_bench.words import Units
from fattree_models import xgft
from fattree_models.traffic import Measurement

HDL = Path(__file__).resolve().parent / "hdl"
SAMPLER = BENCH / "sampler.v"

MAX_HOPS_BITS = 58  # of the list of hops, beside a flit's marks in 64 bits
RTL_LEAVES = 1024  # at most; larger networks have the clock-exact model alone
LEAST_NUMBER_BITS = 12  # packets of a source on their way at once: fewer than 2^11


class XgftNetwork(Latency, FlitNetworkDefaults):
    """A fat-tree of wormhole switches; subclasses give its shape."""

    name: ClassVar[str]
    summary: ClassVar[str]
    units: ClassVar[Units] = Units()
    measured_as: ClassVar[type[Measurement]] = Measurement
    seeds: ClassVar[int] = 3
    agents: ClassVar[tuple[str, ...]] = ("FRAME",)
    top: ClassVar[str] = "xgft_bench"
    rooms: ClassVar[tuple[str, ...]] = ("common", "wormhole", "turnback", "xgft", "ruft", "benes")
    recorder: ClassVar[str] = "gen_record.u_recorder"
    corners: ClassVar[tuple[dict[str, str], ...]]
    small: ClassVar[dict[str, str]]

    def check(self) -> None:
        """UserError for what does not fit together."""
        if self.classes == 2 and self.vcs == 1:
            raise UserError("CLASSES=2: needs VCS=2 or more")
        if self.vcs % self.ways:
            raise UserError(f"WAYS={self.ways}: must divide VCS={self.vcs}")
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
        self._check_turnback()
        self._check_clocks()
        if self.hops_bits > MAX_HOPS_BITS:
            raise UserError(
                f"NETWORK={self.name}: {self.max_hops} hops of {self.hop_bits} bits do not fit "
                f"into the {MAX_HOPS_BITS} bits in which a flit notes its route"
            )
        least = LEAST_NUMBER_BITS + max(self.address_bits + self.node_bits + 1, self.node_bits + 7)
        if self.width < least:
            raise UserError(f"WIDTH={self.width}: must be {least} … 64 for this network")
        _ = self.tables  # a mistake of the user is found before anything is built

    def _check_turnback(self) -> None:
        """UserError for what only turn-back routing can have, or cannot."""
        changed = self.changed()
        if self.turnback is None:
            for name in ("TBCH", "ROOT_LINKS", "LATERAL", "ADDRESS"):
                if name in changed:
                    raise UserError(f"{name}={changed[name]}: only for ROUTING=TB or TBWP")
            return
        if self.climb == "TOP":
            raise UserError(f"CLIMB=TOP: not for ROUTING={self.routing}, which says where to turn")
        if self.routing == "TB" and self.root_links:
            raise UserError(f"ROOT_LINKS={self.root_links}: only for ROUTING=TBWP")
        if self.lateral == "MANY" and not self.root_links:
            raise UserError("LATERAL=MANY: needs ROOT_LINKS=1 or more")

    def _check_clocks(self) -> None:
        """UserError for what clocks that differ cannot have, or only they."""
        if self.clocks.one:
            changed = self.changed()
            for variable in Clocks.parameters:
                if variable.name in changed:
                    told = f"{variable.name}={changed[variable.name]}"
                    raise UserError(f"{told}: only for ASYNC=LEAVES or LINKS")
        if self.clocks.apart == "LINKS":
            if self.routing in TABLES:
                raise UserError(
                    f"ASYNC=LINKS: not with forwarding tables (ROUTING={self.routing}), which are "
                    "written with the clock of the leaves"
                )
            if self.trace:
                raise UserError("TRACE=1: not for ASYNC=LINKS: links have different clocks")

    @property
    def cost(self) -> int:
        """By equation (1) of the OXGFT paper."""
        return xgft.design(self.tree, self.root_links).cost

    @property
    def topology(self) -> str:
        """Which network the bench holds."""
        return "XGFT"

    @property
    def size_text(self) -> str:
        """What a sweep's folder is called after."""
        return "-".join(text.replace(",", ".") for text in self.shape.variables().values())

    def traffic_rows(self, sim: str) -> int:
        """Clocks of random traffic in a test."""
        return 2000 if sim == "verilator" else 150

    # ---- reports ---------------------------------------------------------------------------------

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
        files = self.verilog_files(rtl)
        if not self.clocks.one:  # a sampler whose bits may be late
            files = [f for f in files if f.name != SAMPLER.name] + [SAMPLER]
        return [
            *files,
            *sorted(LINK.glob("flit_*.v")),
            BENCH / "bench_clocks.v",
            HDL / "xgft_bench.v",
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
        return super().verilog()

    def _network_parameters(self) -> dict[str, Any]:
        def vector(values: tuple[int, ...]) -> str:
            return f"256'd{sum(value << (32 * i) for i, value in enumerate(values))}"

        return {
            **self.verilog(),
            **self.clocks.verilog(),
            "H": self.tree.height,
            "M": vector(self.tree.m),
            "W": vector(self.tree.w),
            "TBCH": self.turnback.tbch if self.turnback else 0,
            "ROOT_LINKS": self.root_links,
            "PATHS": self.paths,
            "ROUTING": '"TABLE"' if self.tables is not None else f'"{self.routing}"',
        }

    def verilog_parameters(self, agent: str) -> dict[str, Any]:
        return {
            **self.synthesis(bench=True)[1],
            "TOPOLOGY": f'"{self.topology}"',
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
            "RECORD": 2 if self.compares else int(self.trace),
            **self.clocks.bench(self.other_clocks),
            "UNMIX": f"64'd{UNMIX}",
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        return "xgft_network", self._network_parameters() | self.noted(bench)

    def noted(self, bench: bool) -> dict[str, Any]:
        """How flits note their route: in the bench alone."""
        return {"HOPS_W": self.hops_bits, "HOP_W": self.hop_bits} if bench else {}

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
            'public_flat_rw -module "xgft_bench" -var "clk"',
        ]
        return "\n".join(lines) + "\n"
