"""The whole load-balanced Birkhoff-von Neumann switch (rtl/lbbvn_switch)."""

from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from fattree_bench.bench.links.slot import HDL as LINK
from fattree_bench.bench.links.slot.public import player_public
from fattree_bench.families.counters import FROM_END, counting
from fattree_bench.families.family import NetworkDefaults
from fattree_bench.families.form import SYNTHESIZED
from fattree_bench.families.lbbvn.network import HDL as TREE
from fattree_bench.families.lbbvn_switch.settings import LbbvnSwitchSettings
from fattree_bench.families.sharing import sharing
from fattree_bench.paths import HDL as BENCH
from fattree_bench.words import Units
from fattree_models import lbbvn
from fattree_models import lbbvn_switch as switch
from fattree_models.common.structure import Link, Node, Structure
from fattree_models.traffic import Measurement

HDL = Path(__file__).resolve().parent / "hdl"


class LbbvnSwitch(LbbvnSwitchSettings, NetworkDefaults):
    """A load-balanced switch, as the bench needs it."""

    name: ClassVar[str] = "lbbvn_switch"
    agents: ClassVar[tuple[str, ...]] = ("FRAME",)
    summary: ClassVar[str] = (
        "whole load-balanced Birkhoff-von Neumann switch: queues at the line cards, five schemes"
    )
    seeds: ClassVar[int] = 5
    units: ClassVar[Units] = Units("slots", "cells", "line card")
    measured_as: ClassVar[type[Measurement]] = switch.Comparison
    top: ClassVar[str] = "lbbvn_switch_bench"
    rooms: ClassVar[tuple[str, ...]] = ("common", "lbbvn", "lbbvn_switch")
    default_test: ClassVar[str] = "traffic"
    cost: ClassVar[None] = None
    corners: ClassVar[tuple[dict[str, str], ...]] = (
        {"N": "4"},
        {"N": "4", "FORM": "HARDWARE"},
        {"N": "4", "SCHEME": "UFS", "SCHEDULE": "TDM", "FABRIC": "CROSSBAR", "INGRESS": "8"},
        {"N": "4", "SCHEME": "FOFF", "CONTROL": "SCHEDULED", "INGRESS": "8", "MIDDLE": "4"},
        {"N": "4", "SCHEME": "FOFF", "RESEQUENCER": "4", "INGRESS": "8", "MIDDLE": "4"},
        {"N": "4", "SCHEME": "PADDED", "UPPER_HALF": "STATIC", "INGRESS": "8", "MIDDLE": "4"},
        {"N": "4", "SCHEME": "MAILBOX", "SCHEDULE": "XOR", "INGRESS": "4", "WIDTH": "64"},
        {"N": "8", "SCHEME": "PADDED", "SCHEDULE": "ROTATOR", "FABRIC": "CROSSBAR"},
        {"N": "4", "SCHEME": "FOFF", "FOLDED": "0"},
        {"N": "4", "SCHEME": "MAILBOX", "FOLDED": "0", "FABRIC": "CROSSBAR"},
    )
    small: ClassVar[dict[str, str]] = {"N": "4", "PERIOD": "40", "COUNT_W": "8", **SYNTHESIZED}

    @cached_property
    def structure(self) -> Structure:
        """Inputs above, middles between, outputs below; from each to all of the next row."""
        leaves = self.leaves
        rows = (("input", 0), ("middle", 1), ("output", 0))
        nodes = [
            Node(f"{name} {x}", level, x, x + 0.5, float(y))
            for y, (name, level) in enumerate(rows)
            for x in range(leaves)
        ]
        links = [
            Link(f"{rows[y][0]} {x} to {rows[y + 1][0]} {m}", y * leaves + x, end + m, m, x)
            for y, end in ((0, leaves), (1, 2 * leaves))
            for x in range(leaves)
            for m in range(leaves)
        ]
        return Structure.of(nodes, links)

    # ---- what it becomes in Verilog ------------------------------------------------------------

    def sources(self, rtl: Path) -> list[Path]:
        return [
            *self.verilog_files(rtl),
            BENCH / "counter_extender.v",
            LINK / "slot_player.v",
            HDL / "lbbvn_switch_bench.v",
        ]

    def verilator_flags(self) -> list[str]:
        """The C++ of a line card, and of the fabric's switches, is shared.

        Unrolled loops over 32 line cards or more would take minutes to compile.
        """
        return sharing(TREE / "apart.vlt", HDL / "apart.vlt", unroll=12 if self.n > 4 else 0)

    def row_width(self) -> int:
        return self.fabric.row_width() if self.control == "SCHEDULED" else 1

    def verilog_parameters(self, agent: str) -> dict[str, Any]:
        tree = self.fabric.verilog_parameters("FRAME")
        return {
            **self.verilog(),
            **FROM_END,
            **{name: tree[name] for name in ("CAPACITY", "LANES", "SLOTS", "DATA_STRIDE")},
            "CONTROL": f'"{self.control}"',
            "ROW_W": self.row_width(),
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        own = self.but(form=SYNTHESIZED["FORM"]).verilog_parameters("FRAME")
        bench_only = ("SLOTS", "DATA_STRIDE", *FROM_END)
        kept = {k: v for k, v in own.items() if k not in bench_only}
        return "lbbvn_switch", {**kept, **counting(bench)}

    def public(self, transport: str) -> str:
        return player_public(transport) + (
            'public_flat_rw -module "lbbvn_switch_bench" -var "clk"\n'
        )

    def settings(self) -> lbbvn.Settings:
        """Rows of settings of a SCHEDULED tree."""
        fabric = self.fabric
        return lbbvn.compile_settings(self.fabric_rows(), fabric.lanes, fabric.static_upper)


NETWORKS = (LbbvnSwitch,)
