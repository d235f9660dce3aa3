"""The whole load-balanced Birkhoff-von Neumann switch (rtl/lbbvn_switch)."""

from functools import cached_property
from pathlib import Path
from typing import ClassVar

from fattree_bench.bench.form import SYNTHESIZED
from fattree_bench.bench.interface.interface import (
    CLOCKED,
    Block,
    Counted,
    Interface,
    Shown,
    gives,
    takes,
)
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.links.slot.player import LEAVES, classic, player
from fattree_bench.bench.network import About
from fattree_bench.families.counters import FROM_END, counting
from fattree_bench.families.lbbvn.network import HDL as TREE
from fattree_bench.families.lbbvn.network import channels, tree_parameters
from fattree_bench.families.lbbvn_switch.settings import LbbvnSwitchSettings
from fattree_models import lbbvn
from fattree_models.common.structure import Link, Node, Structure

HDL = Path(__file__).resolve().parent / "hdl"

# Ports that count, and those that show that a queue of a line card overflowed.
EVENTS = (
    *("dropped_ingress", "dropped_middle", "dropped_resequencer", "padded", "refused", "skipped"),
)
LEVELS = ("most_resequenced", "conflicts")
TREES = "u_switch.u_fabrics.gen_fabric[{tree}].u_fabric.gen_tree.u_tree"
OVERFLOWS = ("overflow_ingress", "overflow_middle", "overflow_resequencer")


class LbbvnSwitch(LbbvnSwitchSettings):
    """A load-balanced switch, as the bench needs it."""

    name: ClassVar[str] = "lbbvn_switch"
    summary: ClassVar[str] = (
        "whole load-balanced Birkhoff-von Neumann switch: queues at the line cards, five schemes"
    )
    about = About(
        rooms=("common", "lbbvn", "lbbvn_switch"),
        agents=("FRAME", "CLASSIC", PASSIVE),
        corners=(
            {"N": "4"},
            {"N": "4", "SCHEME": "UFS", "SCHEDULE": "TDM", "FABRIC": "CROSSBAR", "INGRESS": "8"},
            {"N": "4", "SCHEME": "FOFF", "CONTROL": "SCHEDULED", "INGRESS": "8", "MIDDLE": "4"},
            {"N": "4", "SCHEME": "FOFF", "RESEQUENCER": "4", "INGRESS": "8", "MIDDLE": "4"},
            {"N": "4", "SCHEME": "PADDED", "UPPER_HALF": "STATIC", "INGRESS": "8", "MIDDLE": "4"},
            {"N": "4", "SCHEME": "MAILBOX", "SCHEDULE": "XOR", "INGRESS": "4", "WIDTH": "64"},
            {"N": "8", "SCHEME": "PADDED", "SCHEDULE": "ROTATOR", "FABRIC": "CROSSBAR"},
            {"N": "4", "SCHEME": "FOFF", "FOLDED": "0"},
            {"N": "4", "SCHEME": "MAILBOX", "FOLDED": "0", "FABRIC": "CROSSBAR"},
        ),
        small={"N": "4", "PERIOD": "40", "COUNT_W": "8"},
    )

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

    def interface(self, agent: str) -> Interface:
        fabric = self.fabric
        found = Interface(
            name=self.name,
            origin=__name__,
            design=Block(
                "lbbvn_switch",
                "u_switch",
                {**self._parameters(), **FROM_END},
                (
                    *LEAVES,
                    takes("row_slot_i", "row_slot", "N_LOG + 1"),
                    takes("row_i", "row", "ROW_W"),
                    *(gives(f"{name}_o", name, "COUNT_W") for name in (*EVENTS, *LEVELS)),
                    *(gives(f"{name}_o", name, leaves="N") for name in OVERFLOWS),
                ),
            ),
            constants={"N": "1 << N_LOG"},
            state=(
                *(Counted(name) for name in EVENTS),
                *(Counted(name, from_end=False) for name in LEVELS),
                *(Shown(name, self.leaves) for name in OVERFLOWS),
            ),
            most="N",
            # Line cards share C++, and the switches of the fabric do.  Unrolled loops over 32 line
            # cards or more would take minutes to compile.
            apart=(TREE / "apart.vlt", HDL / "apart.vlt"),
            unroll=12 if self.n > 4 else 0,
            meters=channels(fabric.tree, TREES, 1 if fabric.folded else 2)
            if fabric.kind == "TREE"
            else None,
            blocks=(
                Block(
                    "lbbvn_switch_checks",
                    "u_checks",
                    {"N": "N", "W": "W", "COUNT_W": "COUNT_W"},
                    (
                        *CLOCKED,
                        takes("expect_clear_i", "expect_clear"),
                        takes("overflows_i", f"{{{', '.join(OVERFLOWS)}}}"),
                        takes("settled_i", "take_row"),
                        takes("valid_i", "receive_valid"),
                        takes("data_i", "receive_data"),
                        takes("conflicts_i", "conflicts"),
                    ),
                    (HDL / "lbbvn_switch_checks.v",),
                ),
            ),
        )
        made = classic if agent == "CLASSIC" else player
        return found.with_blocks(*made(self, found, slot_bits="N_LOG + 1"))

    def _parameters(self) -> dict[str, int | str]:
        tree = tree_parameters(self.fabric.tree)
        return {
            **self.verilog(),
            **self.fabric.verilog(),
            **self.queues.verilog(),
            **{name: tree[name] for name in ("CAPACITY", "LANES")},
            "CONTROL": '"SCHEDULED"' if self.fabric.scheduled else '"SELF"',
            "ROW_W": self.layout.row_bits,
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, int | str]]:
        form = f'"{SYNTHESIZED["FORM"]}"'
        return "lbbvn_switch", {**self._parameters(), "FORM": form, **counting(bench)}

    def settings(self) -> lbbvn.Settings:
        """Rows of settings of a SCHEDULED tree."""
        tree = self.fabric.tree
        return lbbvn.compile_settings(self.fabric_rows(), tree.lanes, tree.static_upper)


NETWORKS = (LbbvnSwitch,)
