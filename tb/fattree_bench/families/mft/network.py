"""Modified fat-trees (rtl/mft)."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from fattree_bench.bench.interface.interface import (
    CLOCKED,
    Block,
    Counted,
    Events,
    Interface,
    Packed,
    Shown,
    gives,
    takes,
)
from fattree_bench.bench.links.flit.network import FlitLayout
from fattree_bench.bench.links.flit.pins import pins
from fattree_bench.bench.links.flit.player import LINKS, player
from fattree_bench.bench.links.flit.resets import noisy
from fattree_bench.bench.links.flit.stepped import classic
from fattree_bench.bench.links.flit.words import MAX_FLITS, FlitWords
from fattree_bench.bench.network import About, Network, Swept
from fattree_bench.bench.workload import Workload
from fattree_bench.families.counters import counting
from fattree_bench.settings import Part, Variable, number, power_of_two, word
from fattree_models.common.checks import Int64Array
from fattree_models.common.structure import LEAF_WIDTH, Link, Node, Structure
from fattree_models.mft import Mft, lane_counts, turn_row

HDL = Path(__file__).resolve().parent / "hdl"
ROW = "mft_bench.u_network.u_fabric.gen_row[{}]"

NUMBER_BITS = 12  # packets of a source on their way at once: fewer than 2^11
BEFORE, BEHIND = 1, 1  # clocks from a packet's beginning to its link, and in a FIFO at least


class SweptMft(Swept["MftNetwork"]):
    """Its latency in theory."""

    def zero_load(self, network: MftNetwork) -> tuple[float, str]:
        shares = network.workload.pattern.matrix()
        source, destination = np.nonzero(shares)
        hops = 2 * turn_row(network.n, source, destination) + 1
        mean_hops = float(np.average(hops, weights=shares[source, destination]))
        flits, pipeline = network.workload.lengths.mean, network.pipeline
        mean = BEFORE + mean_hops * pipeline + BEHIND + flits - 1
        return mean, (
            f"1 + hops x PIPELINE + flits = 1 + {mean_hops:.3f} x {pipeline} + {flits:g} = "
            f"{mean:.2f} clocks"
        )


class MftNetwork(Network):
    """A modified fat-tree: variables on one side, Verilog and the model on the other."""

    n = power_of_two("N", 8, 1, 6, "clients", rtl="N_LOG")
    mode: Variable[Literal["IMFT", "MFT"]] = word(
        "MODE",
        "IMFT",
        {"IMFT": "from port q by up link q", "MFT": "by the first up link that is free"},
        "how packets climb: {allowed}",
        rtl=True,
    )
    lanes: Variable[Literal["EXACT", "DOUBLING"]] = word(
        "LANES",
        "EXACT",
        {"EXACT": "1, 3, 7 …, as many as are needed", "DOUBLING": "1, 2, 4 …, as printed"},
        "lanes of the rows of routers from the top: {allowed}",
        rtl=True,
    )
    room = number("ROOM", 16, 1, MAX_FLITS, "flits of the longest packet", rtl=True)
    fifo = number(
        "FIFO",
        64,
        lambda s: max(2, s.room),
        1024,
        "flits of the FIFO of each lane at a client, at least 2 and ROOM … 1024",
        rtl=True,
    )
    pipeline = number("PIPELINE", 1, 0, 16, "registers behind a router, {allowed}", rtl=True)
    width = number(
        "WIDTH",
        32,
        lambda s: NUMBER_BITS + max(2 * s.n + 1, s.n + 7),
        64,
        "data bits of a flit, log2(N) + 19 … 64",
        rtl=True,
    )
    count_w = number(
        "COUNT_W",
        32,
        lambda s: 2 * s.n + 1,
        32,
        "bits of a counter of lost packets, 2 log2(N) + 1 … 32",
        rtl=True,
    )
    workload = Part(Workload, lambda s: {"leaves": s.leaves, "radix": 2, "max_flits": s.room})

    name: ClassVar[str] = "mft"
    summary: ClassVar[str] = (
        "modified fat-tree of bufferless routers, MFT and IMFT (Bouhraoua and Elrabaa, 2006)"
    )
    swept: ClassVar[SweptMft] = SweptMft(("MODE", "LANES", "ROOM", "FIFO", "PIPELINE"))
    about = About(
        rooms=("common", "mft"),
        agents=("FRAME", "CLASSIC"),
        kin=("flit",),
        corners=(
            {"N": "4"},
            {"N": "2", "MODE": "MFT", "PIPELINE": "0", "ROOM": "1", "FIFO": "2", "FLITS": "1"},
            {"N": "8", "MODE": "MFT", "LANES": "DOUBLING", "PIPELINE": "2", "WIDTH": "64"},
            {"N": "2", "LANES": "DOUBLING", "COUNT_W": "3", "WIDTH": "20"},
        ),
        small={
            **{"N": "4", "LANES": "DOUBLING", "MODE": "MFT", "ROOM": "4", "FIFO": "5"},
            **{"FLITS": "1-4", "WIDTH": "21", "COUNT_W": "5", "WARMUP": "0", "PERIOD": "40"},
        },
    )

    def check(self) -> None:
        """UserError for packets to oneself: no path exists for them."""
        self.workload.refuse_own("client")

    @cached_property
    def model(self) -> Mft:
        """What it is to the reference model."""
        return Mft(self.n, self.mode, self.lanes, self.fifo, self.pipeline, self.room)

    @cached_property
    def structure(self) -> Structure:
        """Links from clients, up links of the rows, then the lanes of both sides of routers.

        Ports of a router: 0 and 1 at its sides, downwards; 2 and 3, its links to parents.
        """
        count, columns = self.leaves, self.leaves // 2
        nodes = [Node(f"client {x}", 0, x, x + 0.5, 0.0, LEAF_WIDTH) for x in range(count)]
        nodes += [
            Node(f"router ({r}, {c})", r + 1, c, 2 * c + 1.0, -1.0 - r)
            for r in range(self.n)
            for c in range(columns)
        ]

        def router(row: int, column: int) -> int:
            return count + row * columns + column

        entry = f"{ROW.format(0)}.in"
        links = [
            Link(f"from client {x}", x, router(0, x // 2), 0, x % 2, 1, entry) for x in range(count)
        ]
        down: dict[tuple[int, int], tuple[int, int]] = {
            (router(0, x // 2), x % 2): (x, 0) for x in range(count)
        }
        for r in range(self.n - 1):
            for c in range(columns):
                for k in (0, 1):
                    low = router(r, c)
                    high = router(r + 1, c ^ (k << r))
                    name, shown = f"router ({r}, {c}) up link {k}", f"{ROW.format(r)}.out"
                    links.append(Link(name, low, high, 2 + k, c >> r & 1, 1, shown))
                    down[high, c >> r & 1] = low, 2 + k
        for r, lanes in enumerate(self.row_lanes):
            for c in range(columns):
                for side in (0, 1):
                    name, shown = f"router ({r}, {c}) side {side}", f"{ROW.format(r)}.lane"
                    head, port = down[router(r, c), side]
                    links.append(Link(name, router(r, c), head, side, port, lanes, shown))
        return Structure.of(nodes, links)

    # ---- sizes -----------------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        return 1 << self.n

    @cached_property
    def row_lanes(self) -> tuple[int, ...]:
        """Lanes of a side of a router of each row."""
        return tuple(int(lanes) for lanes in lane_counts(self.n, self.lanes))

    @cached_property
    def layout(self) -> FlitLayout:
        """A lane's number at a client stands where flits list their hops.

        Of the FIFOs of all clients the state shows whether flits wait; then it counts packets lost
        by client and by row, flits by row, up and down.
        """
        return FlitLayout(
            leaves=self.leaves,
            words=self.words,
            hops_bits=max(1, (self.row_lanes[0] - 1).bit_length()),
            inputs=self.leaves * self.row_lanes[0],
            counters={"overflow": self.leaves, "lost": self.n, "up": self.n, "down": self.n},
        )

    @cached_property
    def words(self) -> FlitWords:
        """How to read flits."""
        number_bits = min(self.width - 2 * self.n - 1, self.width - self.n - 7)
        return FlitWords(self.width, self.n, self.n, number_bits, 1)

    # ---- time ------------------------------------------------------------------------------------

    @property
    def longest_way(self) -> int:
        """Clocks through the routers."""
        return (2 * self.n - 1) * self.pipeline

    def alone(self, source: Int64Array, destination: Int64Array, flits: Int64Array) -> Int64Array:
        """Clocks from a packet's creation to its tail at the receiver, if it meets no other."""
        hops = 2 * turn_row(self.n, source, destination) + 1
        return np.asarray(BEFORE + hops * self.pipeline + BEHIND + flits - 1, dtype=np.int64)

    # ---- runs and reports ------------------------------------------------------------------------

    def outline(self) -> str:
        """What a report says of it besides its variables."""
        lanes = ", ".join(map(str, self.row_lanes))
        routers = self.n * self.leaves // 2
        return f"{routers} routers in {self.n} rows; lanes a side, from the clients: {lanes}"

    # ---- what it becomes in Verilog --------------------------------------------------------------

    def interface(self, agent: str) -> Interface:
        """Clients never wait, so every flit that is sent is a credit that comes back."""
        lanes = [self.leaves * count for count in self.row_lanes]  # by row
        below = np.cumsum([0, *lanes])
        found = Interface(
            name=self.name,
            origin=__name__,
            design=Block(
                "mft_network",
                "u_network",
                self.synthesis(bench=True)[1],
                (
                    *CLOCKED,
                    takes("valid_i", noisy("send_valid", "N"), leaves="N"),
                    takes("flit_i", noisy("in_flit", "N*FLIT_W"), "FLIT_W", "N"),
                    gives("valid_o", "receive_valid", leaves="N"),
                    gives("flit_o", "out_flit", "FLIT_W", "N"),
                    gives("lane_o", "lane", "LANE_W", "N"),
                    gives("overflow_o", "overflow", "COUNT_W", "N"),
                    gives("lost_o", "lost", "COUNT_W", "N_LOG"),
                    gives("holds_o", "holds", "ENTRIES", "N"),
                    gives("up_valid_o", "up_valid", "N", "N_LOG"),
                    gives("down_valid_o", "down_valid", sum(lanes)),
                ),
            ),
            constants={
                **{"N": self.leaves, "FLIT_W": "WIDTH + 2", "ENTRIES": self.row_lanes[0]},
                "LANE_W": self.layout.hops_bits,
            },
            packed=(
                Packed("send_flit", "N", (("", "LANE_W"), ("in_flit", "FLIT_W")), split=True),
                Packed("receive_flit", "N", (("lane", "LANE_W"), ("out_flit", "FLIT_W"))),
            ),
            state=(
                Shown("holds", self.layout.inputs),
                Counted("overflow", self.leaves),
                Counted("lost", self.n),
                *(Events(f"up_valid[{row}*N +: N]", "N") for row in range(self.n)),
                *(
                    Events(f"down_valid[{first} +: {count}]", count)
                    for first, count in zip(below, lanes, strict=False)
                ),
            ),
            most="N * N",
            wires={"in_flit": "N*FLIT_W"},
            apart=(HDL / "apart.vlt",),  # clients share C++, and the routers of a row do
            unroll=20,
            hints={"links": LINKS},
            blocks=(
                Block(
                    "mft_checks",
                    "u_checks",
                    {name: name for name in ("N", "ENTRIES", "LANE_W", "FLIT_W")},
                    (
                        *CLOCKED,
                        takes("valid_i", "receive_valid"),
                        *(takes("flit_i", "out_flit"), takes("lane_i", "lane")),
                        takes("holds_i", "holds"),
                    ),
                    (HDL / "mft_checks.v",),
                ),
            ),
        )
        wires = {"send_credit": "send_valid", "home": f"{{{self.layout.inputs}{{1'b1}}}}"}
        made = found.with_blocks(player(self, found, wires), pins(self.layout, credit="send_valid"))
        return classic(self, made) if agent == "CLASSIC" else made

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, int | str]]:
        return "mft_network", {**self.verilog(), **counting(bench)}


NETWORKS = (MftNetwork,)
