"""The bufferless fat-tree of load-balanced Birkhoff-von Neumann switches (rtl/lbbvn)."""

from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from fattree_bench.bench.form import FORM, SYNTHESIZED
from fattree_bench.bench.interface.interface import CLOCKED, Block, Counted, Interface, gives, takes
from fattree_bench.bench.interface.lanes import Channels
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.links.payload import Payload
from fattree_bench.bench.links.slot.network import SlotLayout
from fattree_bench.bench.links.slot.player import LEAVES, classic, player
from fattree_bench.bench.network import About, Network
from fattree_bench.errors import UserError
from fattree_bench.families.counters import FROM_END, counting
from fattree_bench.families.lbbvn.own import Own
from fattree_bench.families.lbbvn.rows import select_bits
from fattree_bench.settings import Part, flag, number, plain, power_of_two, text, word
from fattree_models import lbbvn
from fattree_models.common.checks import Int32Array, Int64Array
from fattree_models.common.structure import Node, Structure
from fattree_models.common.tree import tree_structure

HDL = Path(__file__).resolve().parent / "hdl"
CHANNELS = "u_datapath.gen_channel[{level}].gen_node[{number}].{way}"
CHANNEL = f"lbbvn_bench.u_tree.{CHANNELS}"

PACKETS_A_FRAME = 16384  # enough to make waking Python cheap, small enough for the cache

PROFILES = {"LOWER_BOUND": lbbvn.lower_bound, "NONBLOCKING": lbbvn.nonblocking}


class Lbbvn(Network):
    """A fat-tree of 2^n leaves."""

    n = power_of_two("N", 16, 1, 10, "leaves", rtl="N_LOG")
    capacity = text(
        "CAPACITY",
        "LOWER_BOUND",
        "lanes per channel: LOWER_BOUND (Lemma 1), NONBLOCKING, or one number per level from the "
        "top, as 4,3,2,1",
        PROFILES,
    )
    control = word(
        "CONTROL",
        "SELF",
        {"SELF": "header-routed", "SCHEDULED": "no header, a memory of settings"},
        rtl=True,
    )
    upper_half = word(
        "UPPER_HALF",
        "SWITCHED",
        {"SWITCHED": "", "STATIC": "fixed wires instead of the nodes above level floor(n/2)"},
        rtl=True,
    )
    pipeline = flag("PIPELINE", 1, "a register per level and direction", "none", rtl=True)
    width = number(
        "WIDTH",
        32,
        lambda s: s.n + 4,
        64,
        "payload bits, log2(N) + 4 … 64",
        allowed="{low} … {high} for N={s.leaves}",
        rtl="W",
    )
    count_w = number(
        "COUNT_W",
        32,
        lambda s: s.n + 1,
        32,
        "bits of its counters, log2(N) + 1 … 32",
        allowed="{low} … {high} for N={s.leaves}",
        rtl=True,
    )
    form = FORM
    own = Part(Own, lambda s: {"leaves": s.leaves, "width": s.width})

    name: ClassVar[str] = "lbbvn"
    summary: ClassVar[str] = (
        "bufferless slot-synchronous fat-tree of a load-balanced Birkhoff-von Neumann switch"
    )
    about = About(
        rooms=("common", "lbbvn"),
        agents=("FRAME", "CLASSIC", PASSIVE),
        corners=(
            {"N": "16"},
            {"N": "2"},
            {"N": "4", "PIPELINE": "0"},
            {"N": "16", "CONTROL": "SCHEDULED", "WIDTH": "20"},
            {"N": "32", "UPPER_HALF": "STATIC"},
            {"N": "16", "CAPACITY": "2,2,1,1", "UPPER_HALF": "SWITCHED"},
            {"N": "16", "CONTROL": "SCHEDULED", "UPPER_HALF": "STATIC"},
        ),
        small={"N": "16", "WIDTH": "8", "COUNT_W": "8"},
    )

    def check(self) -> None:
        _ = self.lanes  # a bad vector is the user's mistake, found before anything is built

    # ---- what it is --------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        return 1 << self.n

    @property
    def static_upper(self) -> bool:
        """The upper half is fixed wires (n = 1 has no upper half)."""
        return self.upper_half == "STATIC" and self.n > 1

    @property
    def top_level(self) -> int:
        """The highest level that has nodes."""
        return self.n // 2 if self.static_upper else 0

    @cached_property
    def lanes(self) -> Int64Array:
        """Lanes of a channel, each way, int64 [n + 1]; 0 for a level without channels."""
        if self.capacity in PROFILES:
            c = PROFILES[self.capacity](self.n)
        else:
            try:
                c = np.array([0, *(plain(x.strip()) for x in self.capacity.split(","))])
            except ValueError:
                raise UserError(
                    f"CAPACITY={self.capacity}: must be LOWER_BOUND, NONBLOCKING or "
                    f"{self.n} numbers, one a level from the top, as 4,3,2,1"
                ) from None
        if len(c) != self.n + 1:
            raise UserError(
                f"CAPACITY={self.capacity}: has {len(c) - 1} numbers; "
                f"N={self.leaves} needs {self.n}, one a level from the top"
            )
        try:
            name = f"CAPACITY={self.capacity}"
            return lbbvn.check_capacity(self.n, c, self.static_upper, name)
        except ValueError as error:
            raise UserError(str(error)) from None

    @property
    def latency(self) -> int:
        """Clocks from a leaf to a leaf, as the header of lbbvn_tree.v promises."""
        if not self.pipeline:
            return 0
        return 2 * (self.n - self.top_level) if self.static_upper else 2 * self.n - 1

    @cached_property
    def structure(self) -> Structure:
        """The tree; fixed wires of a static upper half end in one box."""
        top = self.top_level
        lanes, first = self.lanes.tolist(), max(1, top)
        wires = Node("fixed wires", self.n - top + 1, 0, self.leaves / 2, top - 1.2, 2.0)
        return tree_structure(lanes, CHANNEL, first=first, above=wires if top else None)

    @cached_property
    def layout(self) -> SlotLayout:
        """Counters: conflicts a level up and down, injected, delivered."""
        headers = self.control == "SELF"
        bits = [up + down for _, up, down in row_parts(self)]
        return SlotLayout(
            payload=Payload(self.n, self.width),
            slots=min(1024, max(64, PACKETS_A_FRAME >> self.n)),
            counters=2 * (self.n + 2) + 2,
            headers=headers,
            row_bits=1 if headers else max(self.leaves, *bits),
        )

    @property
    def default_test(self) -> str:
        return self.own.test or "frame"

    def traffic_rows(self, sim: str) -> int:
        """Slots of random traffic in a test: an interpreter runs some hundred slots a second."""
        return self.layout.slots if sim == "verilator" else 64

    def drawn_lanes(self) -> Int64Array:
        return self.lanes[:0] if self.static_upper else self.lanes  # fixed wires: no tree

    # ---- what it becomes in Verilog ------------------------------------------------------------

    def interface(self, agent: str) -> Interface:
        levels = self.n + 2
        found = Interface(
            name=self.name,
            origin=__name__,
            design=Block(
                "lbbvn_tree",
                "u_tree",
                {**tree_parameters(self), **FROM_END},
                (
                    *LEAVES,
                    takes("row_slot_i", "row_slot", "SLOT_W"),
                    takes("row_i", "row", self.layout.row_bits),
                    takes("last_slot_i", "last_slot", "SLOT_W"),
                    gives("conflicts_up_o", "conflicts_up", "COUNT_W", levels),
                    gives("conflicts_down_o", "conflicts_down", "COUNT_W", levels),
                    gives("injected_o", "injected", "COUNT_W"),
                    gives("delivered_o", "delivered", "COUNT_W"),
                ),
            ),
            constants={"N": "1 << N_LOG", "SLOT_W": self.n},
            state=(
                Counted("conflicts_up", levels),
                Counted("conflicts_down", levels),
                Counted("injected"),
                Counted("delivered"),
            ),
            most="N",
            apart=(HDL / "apart.vlt",),  # switches of a level share C++, and its leaves do
            unroll=12 if self.n > 6 else 0,
            meters=channels(self, "u_tree"),
            blocks=(
                Block(
                    "lbbvn_checks",
                    "u_checks",
                    {"LEVELS": levels},
                    (
                        *CLOCKED,
                        takes("expect_clear_i", "expect_clear"),
                        takes("conflicts_i", f"counters[0 +: {2 * 32 * levels}]"),
                    ),
                    (HDL / "lbbvn_checks.v",),
                ),
            ),
        )
        made = classic if agent == "CLASSIC" else player
        return found.with_blocks(*made(self, found, slot_bits="SLOT_W"))

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, int | str]]:
        own = tree_parameters(self.but(form=SYNTHESIZED["FORM"]))
        return "lbbvn_tree", {**own, **counting(bench)}

    # ---- what it must do -----------------------------------------------------------------------

    def predict(self, dst: Int32Array) -> lbbvn.SelfPrediction:
        return lbbvn.predict(dst, self.lanes, self.static_upper)


def tree_parameters(network: Lbbvn) -> dict[str, int | str]:
    """Parameters of lbbvn_tree.v."""
    vector = sum(int(c) << (32 * j) for j, c in enumerate(network.lanes))
    if network.static_upper:  # levels inside the fixed wires: any legal number will do
        bound = lbbvn.lower_bound(network.n)
        vector = sum(int(c) << (32 * j) for j, c in enumerate(bound) if j < network.top_level)
        vector += sum(
            int(c) << (32 * j) for j, c in enumerate(network.lanes) if j >= network.top_level
        )
    named = network.capacity in PROFILES
    return {
        **network.verilog(),
        "CAPACITY": f'"{network.capacity}"' if named else '"GIVEN"',
        "LANES": "352'd0" if named else f"352'd{vector}",
        "DEPTH": network.leaves,
    }


def row_parts(network: Lbbvn) -> list[tuple[int, int, int]]:
    """(level, bits of its up settings, bits of its down settings) a level with nodes."""
    parts = []
    for j in range(network.top_level, network.n):
        c_up, c_down = int(network.lanes[j]), int(network.lanes[j + 1])
        up = (1 << j) * max(c_up, 1) * (select_bits(2 * c_down) + 1)
        down = (2 << j) * c_down * (select_bits(c_up + c_down) + 1)
        parts.append((j, up, down))
    return parts


def channels(tree: Lbbvn, tops: str, trees: int = 1) -> Channels:
    """The channels of a tree; `tops`: where a bench top has it, or several alike."""
    first = max(1, tree.top_level)
    lanes = dict(enumerate(tree.lanes.tolist()[first:], first))
    return Channels(f"{tops}.{CHANNELS}_valid", lanes, trees=trees)


NETWORKS = (Lbbvn,)
