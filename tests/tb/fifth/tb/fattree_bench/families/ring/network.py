"""A ring of relays (rtl/ring)."""

from functools import cached_property
from typing import ClassVar

from fattree_bench.bench.interface.interface import (
    CLOCKED,
    Block,
    Interface,
    Packed,
    Shown,
    gives,
    takes,
)
from fattree_bench.bench.links.flit.network import FlitLayout, Recording
from fattree_bench.bench.links.flit.player import LINKS, player, recorder
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.network import About, Network
from fattree_bench.bench.workload import Workload
from fattree_bench.settings import Part, number, power_of_two
from fattree_models.common.structure import LEAF_WIDTH, Link, Node, Structure


class RingWorkload(Workload):
    """Packets are of one flit."""

    flits = Workload.flits.but(default="1")


class Ring(Network):
    """A ring of 2^n relays, a leaf at each."""

    n = power_of_two("N", 4, 1, 4, "leaves", rtl="N_LOG")
    width = number("WIDTH", 32, 24, 64, "data bits of a flit", rtl="W")
    workload = Part(RingWorkload, lambda s: {"leaves": s.leaves, "radix": 2, "max_flits": 1})

    name: ClassVar[str] = "ring"
    summary: ClassVar[str] = "ring of relays"
    about = About(rooms=("common", "ring"), corners=({"N": "4"},), small={"N": "4", "WIDTH": "24"})

    @property
    def leaves(self) -> int:
        return 1 << self.n

    @cached_property
    def words(self) -> FlitWords:
        return FlitWords(self.width, self.n, self.n, 12, 1)

    @cached_property
    def structure(self) -> Structure:
        """Links of the ring, which the RTL shows; those from and to leaves, which it does not."""
        count = self.leaves
        nodes = [Node(f"leaf {x}", 0, x, x + 0.5, 0.0, LEAF_WIDTH) for x in range(count)]
        nodes += [Node(f"relay {x}", 1, x, x + 0.5, -1.0) for x in range(count)]
        links = [
            Link(f"ring {x}", count + x, count + (x + 1) % count, 1, 1, 1, SHOWN.format(x))
            for x in range(count)
        ]
        links += [Link(f"from leaf {x}", x, count + x) for x in range(count)]
        links += [Link(f"to leaf {x}", count + x, x) for x in range(count)]
        return Structure.of(nodes, links)

    @cached_property
    def layout(self) -> FlitLayout:
        """The state shows the queues of the leaves, then of the ring."""
        recorded = Recording(len(self.structure.shown), (self.width, 1))
        return FlitLayout(
            leaves=self.leaves, words=self.words, inputs=2 * self.leaves, recorded=recorded
        )

    def outline(self) -> str:
        return f"{self.leaves} relays"

    def interface(self, agent: str) -> Interface:
        found = Interface(
            name=self.name,
            origin=__name__,
            design=Block(
                "ring_network",
                "u_ring",
                self.verilog(),
                (
                    *CLOCKED,
                    takes("valid_i", "send_valid", leaves="N"),
                    takes("flit_i", "in_flit", "FLIT_W", "N"),
                    gives("credit_o", "send_credit", leaves="N"),
                    gives("valid_o", "receive_valid", leaves="N"),
                    gives("flit_o", "out_flit", "FLIT_W", "N"),
                    takes("credit_i", "receive_credit", leaves="N"),
                    gives("waits_o", "waits", 2, "N"),
                    gives("link_valid_o", "link_valid", leaves="N"),
                    gives("link_flit_o", "link_flit", "FLIT_W", "N"),
                    gives("home_o", "home_of", leaves="N"),
                ),
            ),
            constants={"N": self.leaves, "FLIT_W": "W + 2"},
            packed=(
                Packed("send_flit", "N", (("", 1), ("in_flit", "FLIT_W")), split=True),
                Packed("link_words", "N", (("no_hops", 1), ("link_flit", "FLIT_W"))),
                Packed("receive_flit", "N", (("no_hops", 1), ("out_flit", "FLIT_W"))),
            ),
            wires={"no_hops": "N", "link_words": "N*(FLIT_W+1)"},
            text="  assign no_hops = {N{1'b0}};\n",
            state=(Shown("waits", self.layout.inputs),),
            hints={"links": LINKS},
        )
        played = player(self, found, {"home": "{home_of, home_of}"})
        wires = "link_valid", "link_words", f"{self.leaves}'d0"
        links = recorder(self.layout, wires)
        return found.with_blocks(played, links)

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, str | int]]:
        return "ring_network", self.verilog()


SHOWN = "ring_bench.u_ring.gen_node[{}].link"
NETWORKS = (Ring,)
