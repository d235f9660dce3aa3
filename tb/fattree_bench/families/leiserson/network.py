"""Leiserson's bit-serial fat-tree (rtl/leiserson)."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import ClassVar

from fattree_bench.bench.form import SYNTHESIZED
from fattree_bench.bench.interface.interface import CLOCKED, Block, Counted, Interface, gives, takes
from fattree_bench.bench.interface.lanes import Channels
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.links.serial.player import player
from fattree_bench.bench.links.serial.stepped import classic
from fattree_bench.bench.network import About
from fattree_bench.families.counters import FROM_END, counting
from fattree_bench.families.leiserson.settings import CAPACITIES, LeisersonSettings
from fattree_models.common.structure import Node, Structure
from fattree_models.common.tree import tree_structure

HDL = Path(__file__).resolve().parent / "hdl"
CHANNELS = "u_tree.u_fabric.gen_channel[{level}].gen_above[{number}].{way}"
CHANNEL = f"leiserson_bench.{CHANNELS}"


class Leiserson(LeisersonSettings):
    """A bit-serial fat-tree, as the bench needs it."""

    name: ClassVar[str] = "leiserson"
    summary: ClassVar[str] = "bit-serial fat-tree of selectors and concentrators (Leiserson, 1985)"
    about = About(
        rooms=("common", "leiserson"),
        agents=("FRAME", "CLASSIC", PASSIVE),
        corners=(
            {"N": "16"},
            {"N": "2", "PIPELINE": "0"},
            {"N": "8", "PRIORITY": "ROTATING", "DISCIPLINE": "RANDOMISED", "WIDTH": "20"},
            {"N": "8", "CAPACITY": "2,3,1,2", "WIDTH": "64"},
            {"N": "4", "NODES": "OFFLINE"},
            {
                "N": "8",
                "W": "8",
                "CONCENTRATOR": "PARTIAL",
                "PRIORITY": "ROTATING",
                "PIPELINE": "0",
            },
        ),
        small={"N": "16", "WIDTH": "10", "COUNT_W": "8"},
    )

    @cached_property
    def structure(self) -> Structure:
        """The tree, and what is outside: leaf n, above the root."""
        outside = Node("outside", 0, self.leaves, self.leaves / 2, -0.8)
        nouns = "processor", "node"
        return tree_structure(self.cap.tolist(), CHANNEL, nouns, first=0, above=outside)

    # ---- what it becomes in Verilog ------------------------------------------------------------

    def interface(self, agent: str) -> Interface:
        levels = self.n + 1
        found = Interface(
            name=self.name,
            origin=__name__,
            design=Block(
                "leiserson_tree",
                "u_tree",
                {**self._tree_parameters(), **FROM_END},
                (
                    *CLOCKED,
                    takes("restart_i", "restart"),
                    takes("once_i", "once"),
                    takes("seed_i", "seed", 32),
                    takes("setting_i", "setting", "SETTING_W"),
                    gives("load_o", "load"),
                    gives("last_o", "last"),
                    takes("offer_valid_i", "offer_valid", leaves="WIRES"),
                    takes("offer_i", "offer", "FRAME_W", "WIRES"),
                    takes("waiting_i", "waiting", 16, "WIRES"),
                    gives("take_o", "take", leaves="WIRES"),
                    gives("sent_o", "sent", leaves="WIRES"),
                    gives("acked_o", "acked", leaves="WIRES"),
                    gives("ack_tick_o", "ack_tick", 16, "WIRES"),
                    gives("arrived_o", "arrived", leaves="WIRES"),
                    gives("tick_o", "tick", 16, "WIRES"),
                    gives("data_o", "data", "WIDTH", "WIRES"),
                    gives("trailing_o", "trailing", leaves="WIRES"),
                    gives("lost_up_o", "lost_up", "COUNT_W", levels),
                    gives("lost_down_o", "lost_down", "COUNT_W", levels),
                ),
            ),
            constants={
                **{"WIRES": self.wires, "FRAME_W": self.tree.frame_bits},
                "SETTING_W": self.layout.setting_bits,
            },
            state=(Counted("lost_up", levels), Counted("lost_down", levels)),
            most="WIRES",
            apart=(HDL / "apart.vlt",),  # nodes of a level share C++, and its interfaces do
            unroll=12,
            meters=Channels(CHANNELS, dict(enumerate(self.cap.tolist())), end="last"),
            blocks=(
                Block(
                    "leiserson_checks",
                    "u_checks",
                    {"WIRES": "WIRES", "WIDTH": "WIDTH"},
                    (
                        *CLOCKED,
                        takes("load_i", "load"),
                        takes("last_i", "last"),
                        takes("take_i", "take"),
                        takes("results_i", "sent | acked | arrived | trailing"),
                        takes("ticks_i", "ack_tick | tick"),
                        takes("data_i", "data"),
                    ),
                    (HDL / "leiserson_checks.v",),
                ),
            ),
        )
        own = (classic(self, found),) if agent == "CLASSIC" else player(self, found)
        return found.with_blocks(*own)

    def _tree_parameters(self) -> dict[str, int | str]:
        given = self.capacity not in CAPACITIES
        vector = sum(int(c) << (32 * k) for k, c in enumerate(self.cap)) if given else 0
        return {
            **self.verilog(),
            "NODES": f'"{self.offline.nodes}"',
            "CAPACITY": '"GIVEN"' if given else f'"{self.capacity}"',
            "ROOT": int(self.cap[0]),
            "CAPS": f"352'd{vector}",
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, int | str]]:
        form = f'"{SYNTHESIZED["FORM"]}"'
        return "leiserson_tree", {**self._tree_parameters(), "FORM": form, **counting(bench)}

    def outline(self) -> str:
        """What a report says of it besides its variables."""
        caps = " ".join(map(str, self.cap))
        return (
            f"capacities {caps}, delivery cycle of {self.tree.cycle_ticks} clocks, "
            f"messages of at most {self.tree.frame_bits} bits"
        )


NETWORKS = (Leiserson,)
